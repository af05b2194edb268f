"""The models of RFC 1808 to RFC 3986: which levels are combined, which fit together, and what is asked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from ipaddress import IPv6Address
from typing import Any
from urllib.parse import unquote_to_bytes

from urlauthor.cover.arrays import Row
from urlauthor.cover.generic import (
    Texts,
    authority,
    components,
    fits,
    head,
    tail,
    target,
    without_dots,
    written,
)
from urlauthor.cover.levels import (
    ANOTHER,
    AROUND,
    AUTHORITIES,
    BARE,
    BASES,
    CROSSED,
    CROSSED_SHAPES,
    ENDS,
    FORMS,
    KINDS,
    MORE_AROUND,
    NETWORKS,
    RECOMPOSED,
    ROOTED,
    SCHEMES,
    SHAPES,
    SITES,
)
from urlauthor.cover.parts import Level, Model, PartDifference, RowQuestion, cited, is_common, read_parts
from urlharness.corpus.model import AUTHORITY
from urlharness.corpus.specifications import DEFAULT_SPEC, Spec, facts

#: The components in this order: the first one whose part is not common decides which statement a row cites.
_TELLING = ("host", "path", "query", "userinfo", "port", "params", "fragment", "scheme")

#: Maps statements about paths that hold only without a scheme to the statements for paths with one.
#: `_WITH_SCHEME` does the opposite.
_WITHOUT_SCHEME: Mapping[tuple[Spec, str], str] = {
    ("rfc1808", "2.4.2-other-character"): "2.2-bnf-segment",
    ("rfc1808", "5.3-colon-escape"): "2.2-bnf-segment",
    ("rfc2396", "5-rel-path"): "3-opaque-part",
    ("rfc2396", "5-rel-segment"): "3-opaque-part",
    ("rfc2396", "5-colon-protected"): "3-opaque-part",
    ("rfc3986", "4.2-colon"): "3.3-bnf-path-rootless",
    ("rfc3986", "4.5-same-syntax"): "3.3-bnf-path-rootless",
}
_WITH_SCHEME: Mapping[tuple[Spec, str], str] = {
    ("rfc3986", "3.3-bnf-path-rootless"): "3.3-bnf-path-noscheme",
}


class _Table:
    """The parts of an RFC by component and name."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.facts = facts(spec)
        self.components = {one.name: one for one in read_parts().components if spec in one.cites}
        self.parts = {(name, part.name): part for name, one in self.components.items() for part in one.parts}

    def levels(self, name: str) -> list[str]:
        """Return the names of the parts that the RFC allows."""
        one = self.components[name]
        return [part.name for part in one.parts if cited(one, part, self.spec) is not None]

    def common(self, depth: int, names: Collection[str] = ()) -> set[tuple[str, str]]:
        """Return at most `depth` common levels of each component, as pairs (component, level).

        If `names` is not empty, only these components are included.
        """
        found = {}
        for name, one in self.components.items():
            if names and name not in names:
                continue
            levels = [part.name for part in one.parts if is_common(part, self.spec)]
            found[name] = [level for level in levels if level in self.levels(name)][:depth]
        return {(name, level) for name, levels in found.items() for level in levels}

    def texts(self, row: Row, prefix: str = "") -> dict[str, str | None]:
        """Return the texts of the components in a row, in which their names begin with `prefix`."""
        return {
            name: self.parts[name, row[prefix + name]].text
            for name in self.components
            if prefix + name in row
        }

    def telling(self, row: Row) -> str:
        """Return the component that decides what a row is about.

        It is the first component in `_TELLING` whose part is not common.  If all parts are common, it is the
        first component with a text, or the path.
        """
        usual = self.common(9)
        known = [name for name in _TELLING if name in row and (name, row[name]) in self.parts]
        name = next((name for name in known if (name, row[name]) not in usual), None)
        if name is None:
            name = next((name for name in known if self.parts[name, row[name]].text), "path")
        return name

    def difference(self, row: Row) -> str | None:
        """Return the class of difference of the telling part, or None."""
        name = self.telling(row)
        return self.parts[name, row[name]].difference

    def cites(self, row: Row) -> str:
        """Return the statement about the telling part of a row."""
        name = self.telling(row)
        found = cited(self.components[name], self.parts[name, row[name]], self.spec)
        assert found is not None
        wrong = _WITH_SCHEME if row["scheme"] == "none" else _WITHOUT_SCHEME
        return wrong.get((self.spec, found), found)

    def is_registry(self, row: Row) -> bool:
        return self.parts["host", row["host"]].registry

    def is_address(self, name: str, level: str) -> bool:
        """Return True for an address of RFC 2732 without capital letters, which no library changes (G-11)."""
        part = self.parts[name, level]
        return (
            self.facts.amends is not None and name == "host" and part.text is not None and part.normal is None
        )


def models(spec: Spec) -> Iterator[Model]:
    """Yield the models of an RFC."""
    table = _Table(spec)
    for kind in KINDS:
        if kind == "authority":
            continue  # it comes later, so that no other kind changes
        if kind == "network" and not table.facts.ip_literals:
            continue
        if kind != "scheme" or spec == DEFAULT_SPEC:
            yield _reading(table, "parse", kind)
    yield _reading(table, "validate", "")
    yield _refusing(table)
    for kind in ("relative", "absolute"):
        yield _resolving(table, kind)
    yield _recomposing(table)
    yield _resolving(table, "paths")
    if spec == DEFAULT_SPEC:
        yield _reading(table, "parse", "authority")
        yield _resolving(table, "schemes")
        yield _resolving(table, "hosts")
        yield _recomposing(table, "-schemes")
        yield _normalizing(table, "syntax", "-schemes")
    if table.facts.defines("normalize") and not table.facts.amends:
        yield _normalizing(table, "syntax")
        yield _normalizing(table, "scheme")
        yield _comparing(table)
    if table.facts.defines("extract"):
        yield _extracting(table)


def _factors(table: _Table) -> dict[str, list[str]]:
    """Return the allowed levels of each component.

    Components with many levels come first, because this makes the arrays short.
    """
    found = {name: [*table.levels(name)] for name in table.components}
    for name in ("params", "query", "fragment") if table.facts.empty_is_absent else ():
        found[name] = [one for one in found[name] if one != "empty"]  # R-1808-09
    order = ("host", "path", "scheme", "userinfo", "port", "params", "query", "fragment")
    return {name: found[name] for name in order if name in found}


def _allowed(table: _Table) -> Callable[[Row], bool]:
    return lambda row: fits(table.texts(row), table.spec)


def _server_allowed(table: _Table) -> Callable[[Row], bool]:
    """Return a condition like that of `_allowed` that also excludes some authorities of RFC 2396.

    These are not servers, so it is open whether they have parts (R-2396-11).
    """

    def allowed(row: Row) -> bool:
        texts = table.texts(row)
        if table.facts.registry_names and not table.facts.amends and "host" in row:
            part = table.parts["host", row["host"]]
            named = texts.get("userinfo") is not None or texts.get("port") is not None
            if part.registry or (part.text == "" and named):
                return False
        return fits(texts, table.spec)

    return allowed


# ---- one reference


def _ruling_on_component(spec: Spec, cites: str, texts: Texts) -> str | None:
    """Return the ruling of RFC 3986 on which the reading of the cited component rests, or None."""
    if spec != "rfc3986":
        return None
    if texts["host"] == "":
        return "R-3986-19"
    if cites == "3.2.1-bnf-userinfo" and ":" in (texts["userinfo"] or ""):
        return "R-3986-23"
    if cites == "3.2.2-utf8" and b"\xff" in unquote_to_bytes(texts["host"] or ""):
        return "R-3986-24"
    return None


def _ruling_on_refusal(spec: Spec, cites: str, refused: str) -> str | None:
    """Return the ruling of RFC 3986 on which the refusal of a part rests, or None."""
    if spec != "rfc3986":
        return None
    if cites == "2-limited-set" and not (refused.isascii() and refused.isprintable()):
        return "G-07"
    return "R-3986-03" if cites == "3.2.2-bnf-dec-octet" else None


def _reading(table: _Table, op: str, kind: str) -> Model:
    """Return a model that combines all parts of a reference, to split or to validate the whole.

    If `op` is `parse`, `kind` selects the references (`KINDS`).
    """

    def ask(row: Row) -> RowQuestion:
        texts = table.texts(row)
        cites = table.cites(row)
        ruling = _ruling_on_component(table.spec, cites, texts)
        fields: dict[str, Any] = {"url": written(texts)}
        if op == "validate":
            fields |= {"rule": table.facts.default_rule, "expect": {"valid": True}}
        else:
            found = components(texts, table.spec, registry=table.is_registry(row))
            fields |= {"expect": {"components": found}}
        return RowQuestion(cites, fields, ruling, table.difference(row))

    factors = _factors(table)
    if op == "validate":
        factors = {name: levels[::-1] for name, levels in factors.items()}
        return Model(op, table.spec, factors, (), _allowed(table), ask)
    scheme, host = KINDS[kind]
    for name, known in (("scheme", scheme), ("host", host)):
        factors[name] = [one for one in factors[name] if known in (None, one != "none")]
    if not host:
        factors["path"] = [one for one in factors["path"] if one in ROOTED or not _is_rooted(table, one)]
    common = {("path", "empty")} if kind == "whole" else set()
    if kind == "bare":
        common = {("path", "empty")}
        factors |= _only(factors, BARE)
    if kind == "scheme":
        common = {("host", "ipv6"), ("path", "colon"), ("path", "capital-drive")}
        factors |= _only(factors, SITES)
    if kind == "authority":
        common = {("userinfo", one) for one in AUTHORITIES["userinfo"]} | {
            ("port", one) for one in AUTHORITIES["port"]
        }
        factors = _only(factors, AUTHORITIES)
    factors = factors if all(factors.values()) else {}
    return Model(f"parse-{kind}", table.spec, factors, common, _server_allowed(table), ask)


def _only(factors: Mapping[str, list[str]], few: Mapping[str, Collection[str]]) -> dict[str, list[str]]:
    """Return the levels of the factors in `few` that it lists."""
    return {name: [one for one in factors[name] if one in listed] for name, listed in few.items()}


def _is_telling(level: str) -> bool:
    """Return True for the paths that normalization and resolution change, and for some others."""
    return "dots" in level or level.startswith("r-colon") or level in (*ROOTED, "empty", "rootless")


def _is_mark(level: str) -> bool:
    """Return True for the parts with a mark alone or often, and for those with all letters."""
    return level.startswith("mark-") or level in ("letters", "capital-letters")


def _is_rooted(table: _Table, level: str) -> bool:
    return (table.parts["path", level].text or "").startswith("/")


def _refusing(table: _Table) -> Model:
    """Return a model that combines each refused part with parts that can stand around it."""
    usual = table.common(2)
    context = {name: [level for one, level in sorted(usual) if one == name] for name in table.components}
    refused = {
        f"{name} {part.name}": (name, part)
        for name, one in table.components.items()
        for part in one.parts
        if table.spec in part.refused
    }

    def texts_of(row: Row) -> dict[str, str | None]:
        texts = table.texts(row)
        if "refused" in row:
            name, part = refused[row["refused"]]
            texts[name] = part.text
        return texts

    def allowed(row: Row) -> bool:
        texts = texts_of(row)
        if "refused" not in row:
            return True
        name, part = refused[row["refused"]]
        if name in row and row[name] != context[name][0]:
            return False
        if part.relative:
            return all(texts.get(one) is None for one in ("scheme", "host", "userinfo", "port"))
        if name == "path" and texts.get("host", "") is None and (texts["path"] or "").startswith("//"):
            return False
        if name == "scheme" and not part.text and texts.get("host", "") is None and "path" in texts:
            return True
        return fits(texts, table.spec)

    def ask(row: Row) -> RowQuestion | None:
        name, part = refused[row["refused"]]
        cites, at = part.refused[table.spec]
        texts = texts_of(row)
        where = _place(texts, name, part, at)
        fields = {
            "rule": table.facts.default_rule,
            "url": written(texts),
            "expect": {"valid": False, "at": where},
        }
        ruling = _ruling_on_refusal(table.spec, cites, part.text or "")
        return RowQuestion(cites, fields, ruling, part.difference)

    everything = {"refused": list(refused), **context}
    return Model("refuse", table.spec, everything, (), allowed, ask)


def _place(texts: Texts, name: str, part: Level, at: int) -> int:
    """Return the offset of the first wrong character of a whole reference."""
    end = len(head(texts))
    network = authority(texts)
    start = end - len(network or "")
    if name == "scheme":
        return at
    if name == "userinfo":
        return start + at
    if name in ("host", "port"):
        user = "" if texts["userinfo"] is None else f"{texts['userinfo']}@"
        host = texts["host"] or ""
        start += len(user) + (len(host) + 1 if name == "port" else 0)
        bracketed = host.startswith("[")
        if part.at_end or (part.after_login and not user and not bracketed):
            return end
        return start + at
    before = {**texts, name: None}
    marks = ("path", "params", "query", "fragment")
    for later in marks[marks.index(name) + 1 :]:
        before[later] = None
    return end + len(tail(before)) + (name != "path") + at


def _recomposing(table: _Table, kind: str = "") -> Model:
    """Return a model that combines a few parts of each component.

    Schemes and hosts have no capital letters (G-11).  If `kind` is `-schemes`, every scheme that libraries
    treat apart has the parts of `SHAPES`.
    """
    few = {
        "scheme": ("none", "http", "unknown", "file"),
        "userinfo": ("none", "login", "empty", "empty-password", "empty-user", "triplets", "encoded-at-sign"),
        "host": ("none", "name", "empty", "ipv6", "ipv4", "triplet", "final-dot", "two-hyphens",
                 "underscore"),
        "port": ("none", "other", "empty", "zeros", "default-of-http"),
        "path": ("empty", "slash", "rootless", "dots-inside", "r-dots-first", "double-slash", "colon",
                 "mail-address",
                 "delimiters", "triplet-small", "parameters", "slashes-last", "drive"),
        "query": ("none", "one", "empty", "url", "question-mark", "plus", "order", "ampersands",
                  "delimiters"),
        "fragment": ("none", "one", "empty", "question-mark", "dots", "triplets"),
        "params": ("none", "one", "two", "dots"),
    }  # fmt: skip
    more = RECOMPOSED if table.spec == DEFAULT_SPEC else {}
    few = {name: (*levels, *more.get(name, ())) for name, levels in few.items()}
    steps = {
        "scheme": "scheme", "userinfo": "authority", "host": "authority", "port": "authority",
        "path": "path", "query": "query", "fragment": "fragment",
    }  # fmt: skip
    prefix = {"rfc3986": "5.3-", "rfc2396": "5.2-step-7-"}.get(table.spec, "")

    def ask(row: Row) -> RowQuestion | None:
        texts = table.texts(row)
        fixed = {"rfc1808": "4-step7", "rfc2732": "3-operations"}.get(table.spec)
        found = components(texts, table.spec, registry=table.is_registry(row))
        return RowQuestion(
            fixed or prefix + steps[table.telling(row)],
            {"components": found, "expect": {"result": written(texts)}},
        )

    factors = {
        name: [one for one in levels if one in few[name] or _is_mark(one) or table.is_address(name, one)]
        for name, levels in _factors(table).items()
    }
    factors["host"] = [one for one in factors["host"] if one != "capital-letters"]  # G-11
    if kind:
        factors = _only(_factors(table), SHAPES)
        return Model(f"recompose{kind}", table.spec, factors, CROSSED_SHAPES, _allowed(table), ask)
    return Model("recompose", table.spec, factors, table.common(1, ["host", "path"]), _allowed(table), ask)


def _extracting(table: _Table) -> Model:
    """Return a model that combines a few parts of URLs in angle brackets."""
    few = {
        "userinfo": ("none", "login", "empty-password", "sub-delims"),
        "host": ("name", "ipv6", "two-hyphens", "final-dot", "underscore", "ipv4", "sub-delims", "empty"),
        "port": ("none", "other", "empty", "zeros"),
        "path": ("empty", "slash", "two-segments", "dots-inside", "double-slash", "sub-delims", "tilde",
                 "parameters",
                 "mail-address", "delimiters", "url", "drive", "dots-in-names"),
        "query": ("none", "one", "empty", "url", "sub-delims", "plus", "tilde", "ampersands",
                  "question-mark"),
        "fragment": ("none", "one", "empty", "question-mark", "exclamation", "url"),
    }  # fmt: skip
    angle = {"rfc2396": "E-wrappers", "rfc2732": "3-operations", "rfc3986": "C-angle"}[table.spec]
    quotes = "C-quotes" if table.spec == "rfc3986" else angle
    texts = {**AROUND, **(MORE_AROUND if table.spec == DEFAULT_SPEC else {})}

    def ask(row: Row) -> RowQuestion | None:
        url, around = written(table.texts(row)), texts[row["around"]]
        found = sorted(
            (one for one in (url, ANOTHER) if one in around.format(url)), key=around.format(url).index
        )
        return RowQuestion(
            quotes if '"{}"' in around else angle,
            {"text": around.format(url), "expect": {"urls": [[one] for one in found]}},
        )

    known = _factors(table)
    factors = {
        name: [one for one in levels if one in few[name] or _is_mark(one) or table.is_address(name, one)]
        for name, levels in known.items()
        if name in few
    }
    factors["scheme"] = [one for one in known["scheme"] if one != "none"]
    factors["around"] = list(texts)
    return Model("extract", table.spec, factors, table.common(1, ["host", "path"]), _allowed(table), ask)


# ---- two references


def _resolving(table: _Table, kind: str) -> Model:  # noqa: C901 - the conditions of three RFCs
    """Return a model that combines the parts of a base with the parts of a reference.

    If `kind` is `absolute`, the reference has a scheme or an authority, otherwise neither.  If it is `paths`,
    each path of `_MERGED` meets each path of a base; if it is `schemes` or `hosts`, a base has the schemes of
    `SCHEMES` or the hosts of `ENDS`.
    """
    authorities = {**NETWORKS, **ENDS}

    def texts_of(row: Row, prefix: str = "") -> dict[str, str | None]:
        texts = table.texts(row, prefix)
        if f"{prefix}network" in row:
            texts |= authorities[row[f"{prefix}network"]]
        return texts

    def allowed(row: Row) -> bool:  # noqa: C901 - likewise
        base, own = texts_of(row, "base-"), texts_of(row)
        if kind == "absolute" and all(own.get(name, "") is None for name in ("scheme", "host")):
            return False
        if not (fits(base, table.spec) and fits(own, table.spec)):
            return False
        if base.get("scheme") is not None and base.get("scheme") == own.get("scheme"):
            return False  # R-3986-06, R-2396-07, R-1808-19
        if base.get("path") == "" and all(own.get(name, "") is None for name in ("scheme", "host")):
            path = own.get("path")
            undecided = (
                path == "" if table.facts.removes_dots else path is not None and not path.startswith("/")
            )
            if undecided:  # R-3986-38, R-2396-17, R-1808-13
                return False
        absent = dict.fromkeys((*table.components, "params"))
        whole = kind == "absolute" and {"host", "path", "scheme"} <= own.keys()
        if whole and target(absent, {**absent, **own}, table.spec) is None:
            return False
        if not {"host", "path", "scheme"} <= base.keys():
            return True
        if base["host"] is None and base["scheme"] in ("http", "ftp", "file"):
            return False  # R-3986-42
        if base["host"] == "" and (base["scheme"] == "http" or table.facts.empty_is_absent):
            return False  # R-3986-30, R-1808-22
        rooted = base["host"] is not None or (base["path"] or "").startswith("/")
        if not rooted and table.facts.opaque_parts:  # R-2396-21
            return False
        if not {"scheme", "host", "path"} <= own.keys() or ("query" not in own and not own["path"]):
            return True
        return target({**absent, **base}, {**absent, **own}, table.spec) is not None

    def ask(row: Row) -> RowQuestion | None:
        base, own = texts_of(row, "base-"), texts_of(row)
        base["fragment"] = None
        found = target(base, own, table.spec)
        assert found is not None
        result = written({"params": None, **found})
        fields = {"base": written(base), "reference": written(own), "expect": {"result": result}}
        return RowQuestion(_step(table.spec, own), fields, _ruling(base, own, table.spec))

    factors, common = _resolution_factors(table, kind)
    return Model(f"resolve-{kind}", table.spec, factors, common, allowed, ask)


def _resolution_factors(table: _Table, kind: str) -> tuple[dict[str, list[str]], Collection[tuple[str, str]]]:
    """Return the levels of base and reference, and those of them that meet all others."""
    own = _factors(table)
    own["scheme"] = [one for one in own["scheme"] if one not in ("capitals", "mixed-case")]  # G-11
    networks = [one for one in NETWORKS if table.facts.ip_literals or not one.startswith("ipv6")]
    own = {name: levels for name, levels in own.items() if name not in AUTHORITY}
    factors = {"network": networks, **own}
    for name, levels in BASES.items():
        known = networks if name == "network" else table.levels(name) if name in table.components else ()
        factors[f"base-{name}"] = [one for one in known if one in levels][: 2 if kind == "absolute" else None]
    if table.facts.amends:
        factors["base-network"] = ["ipv6", "ipv6-and-port"]
    if kind != "absolute":
        factors["network"], factors["scheme"] = ["none"], ["none"]
    factors = {name: levels for name, levels in factors.items() if levels}
    if kind == "absolute":
        factors["path"] = [one for one in factors["path"] if _is_telling(one)]
    common = {("base-path", "two-segments"), ("path", "empty")} if kind == "relative" else set()
    if kind in CROSSED:
        few, common = CROSSED[kind]
        if kind == "schemes":
            factors["base-scheme"] = [one for one in table.levels("scheme") if one in SCHEMES]
        if kind == "hosts":
            factors["base-network"] = list(ENDS)
        if kind == "paths" and not table.facts.removes_dots:
            common = common - {("base-path", one) for one in ("rootless", "slashes-last")}
        factors |= _only(factors, {name: listed for name, listed in few.items() if name in factors})
    return factors, common


def _ruling(base: Texts, own: Texts, spec: Spec) -> str | None:
    """Return the ruling about dot segments that stay in the path, or are removed from a rootless path.

    Return None if there is no such ruling.
    """
    path = own["path"] or ""
    absolute = own["scheme"] is not None or own["host"] is not None or path.startswith("/")
    if not facts(spec).removes_dots:
        kept = {"rfc1808": "R-1808-15", "rfc2396": "R-2396-19"}.get(spec)
        return kept if absolute and _has_dots(path) else None
    rooted = not absolute and (base["host"] is not None or (base["path"] or "").startswith("/"))
    return "R-3986-08" if _has_dots(path) and not rooted and not path.startswith("/") else None


def _step(spec: Spec, own: Texts) -> str:
    """Return the statement of the step that takes the path of the target from the reference or the base."""
    path = own["path"] or ""
    if facts(spec).params and not written(own):
        return "4-step2a"
    kind = (
        "scheme" if own["scheme"] is not None
        else "authority" if own["host"] is not None
        else "rooted" if path.startswith("/")
        else "relative" if path
        else "query" if own["query"] is not None or own.get("params") is not None
        else "empty"
    )  # fmt: skip
    return {
        "rfc1808": {
            "scheme": "4-step2b", "authority": "4-step3", "rooted": "4-step4", "relative": "4-step6",
            "query": "4-step5b" if own.get("params") is None else "4-step5a", "empty": "4-step5",
        },
        "rfc2396": {
            "scheme": "5.2-step-3", "authority": "5.2-step-4", "rooted": "5.2-step-5",
            "relative": "5.2-step-6",
            "query": "5.2-step-2-own", "empty": "5.2-step-2",
        },
        "rfc2732": {},
        "rfc3986": {
            "scheme": "5.2.2-scheme", "authority": "5.2.2-authority", "rooted": "5.2.2-path-absolute",
            "relative": "5.2.2-path-relative", "query": "5.2.2-path-empty-query", "empty": "5.2.2-path-empty",
        },
    }.get(spec, {}).get(kind, "3-operations")  # fmt: skip


def _comparing(table: _Table) -> Model:
    """Return a model that combines each difference between two texts with parts that can stand around it."""
    usual = table.common(2)
    context = {name: [level for one, level in sorted(usual) if one == name] for name in table.components}
    known = {one.level: one for one in read_parts().differences if table.spec in one.cites}

    def both(row: Row) -> tuple[PartDifference, dict[str, str | None], dict[str, str | None]]:
        found, texts = known[row["difference"]], table.texts(row)
        one, other = ({**texts, found.component: text} for text in found.texts)
        return found, one, other

    def allowed(row: Row) -> bool:
        if "difference" not in row:
            return True
        found, one, other = both(row)
        if found.component in row and row[found.component] != context[found.component][0]:
            return False
        if found.mode == "scheme" and row.get("scheme", "http") != "http" and found.component != "scheme":
            return False
        if "scheme" in row and row["scheme"] == "none" and found.component != "scheme":
            return False
        return fits(one, table.spec) and fits(other, table.spec)

    def ask(row: Row) -> RowQuestion | None:
        found, one, other = both(row)
        fields = {
            "mode": found.mode,
            "url": written(one),
            "other": written(other),
            "expect": {"equal": found.equal},
        }
        return RowQuestion(found.cites[table.spec], fields)

    return Model("equivalent", table.spec, {"difference": list(known), **context}, (), allowed, ask)


# ---- normal forms


def _ruling_on_normal_form(cites: str, given: Texts, texts: Texts) -> str | None:
    """Return the ruling of RFC 3986 on which a normal form rests, or None if its sections decide it alone.

    `given` are the texts before, and `texts` those of the normal form. Letters that are decoded in a host
    become small, an IPv6 address keeps its spelling, and a relative reference its dot segments.
    """
    host = texts["host"] or ""
    if cites == "6.2.2.1-scheme-host" and "%" in (given["host"] or ""):
        return "R-3986-17"
    if host.startswith("["):
        with suppress(ValueError):  # an address of a later version
            address = host[1:-1]
            return None if IPv6Address(address).compressed == address else "R-3986-46"
    relative = texts["scheme"] is None and texts["host"] is None
    segments = (texts["path"] or "").split("/")
    return "R-3986-37" if relative and {".", ".."}.intersection(segments) else None


#: The default ports of the schemes with ports among the parts, but http, whose ports with zeros are left out.
_DEFAULT_PORTS = {"ws": "80"}


def _has_default_port_with_zeros(texts: Texts) -> bool:
    """Return True if normalization by syntax may remove the port, too, by R-3986-45."""
    port = texts["port"] or ""
    default = _DEFAULT_PORTS.get(texts["scheme"] or "")
    return port != default and port.lstrip("0") == default


def _normalizing(table: _Table, mode: str, kind: str = "") -> Model:
    """Return a model that combines all parts, to ask for the normal form of the whole.

    If `kind` is `-schemes`, it combines the parts of `FORMS`.  Each part has its own normal form, and dot
    segments are removed from the path as a whole.
    """
    schemes = ("none", "http", "unknown", "capitals", "mixed-case", "plus") if mode == "syntax" else (
        "http", "unknown", "capitals")  # fmt: skip

    def ask(row: Row) -> RowQuestion | None:
        found = _normal(table, row, mode)
        if found is None:
            return None
        cites, texts = found
        if table.facts.registry_names:
            ruling = "R-2396-27" if cites != "6-otherwise-different" else None
        else:
            ruling = _ruling_on_normal_form(cites, table.texts(row), texts)
        given = {"url": written(table.texts(row)), "mode": mode}
        if mode == "syntax" and _has_default_port_with_zeros(texts):
            without_port = {"result": written({**texts, "port": None}), "variant": "port-removed"}
            answers = {"any": [{"result": written(texts)}, without_port]}
            return RowQuestion(cites, {**given, "expect": answers, "binding": "impl-defined"}, "R-3986-45")
        return RowQuestion(cites, {**given, "expect": {"result": written(texts)}}, ruling)

    factors = _factors(table)
    factors["scheme"] = [one for one in factors["scheme"] if one in schemes]
    if kind:
        factors = _only(_factors(table), FORMS)
    if table.facts.registry_names:  # R-2396-26, R-2396-27
        factors = {
            name: [one for one in levels if _is_settled(table.parts[name, one], name)]
            for name, levels in factors.items()
        }
    if mode == "scheme":
        factors["host"] = [one for one in factors["host"] if one in (
            "none", "name", "capitals", "ipv6", "ipv4", "triplet", "final-dot", "zeros",
            "one-label")]  # fmt: skip
        factors["path"] = [one for one in factors["path"] if _is_telling(one)]

    def allowed(row: Row) -> bool:
        texts = table.texts(row)
        return fits(texts, table.spec) and not _is_open(texts, table.spec, mode)

    crossed = {("scheme", "http")} if table.spec == DEFAULT_SPEC and mode == "syntax" else set()
    if kind:
        crossed = {("path", "dots-inside"), ("path", "triplet-small"), ("host", "capitals")}
    return Model(f"normalize-{mode}{kind}", table.spec, factors, crossed, allowed, ask)


def _is_settled(part: Level, name: str) -> bool:
    """Return True if a part has only one normal form in RFC 2396.

    Such a part contains no triplets, is not a path with dot segments, and is not an empty port.
    """
    text = part.text or ""
    return not ("%" in text or (name == "path" and _has_dots(text)) or (name == "port" and part.text == ""))


def _is_open(texts: Texts, spec: Spec, mode: str) -> bool:
    """Return True if the RFC leaves open how the components chosen so far are normalized together."""
    if "scheme" not in texts:
        return False
    scheme, port, host, path = ((texts.get(name, "x") or "") for name in ("scheme", "port", "host", "path"))
    scheme = scheme.lower()
    if port == "" and texts.get("port", "x") is not None and mode == "syntax":
        return True  # R-3986-20
    if scheme == "file" and texts.get("host", "") is None:
        return True  # R-3986-30
    if scheme == "http" and port.strip("0") == "8" and port != "80":
        return True  # R-3986-45
    if mode == "syntax":
        open_path = (
            not scheme and _has_dots(path.replace("%2e", ".").replace("%2E", ".")) and not _has_dots(path)
        )
        slash = (
            facts(spec).removes_dots and texts.get("host") is not None and bool(scheme) and not path
        )  # R-3986-21
        default = (scheme, port) in (("http", "80"), ("ftp", "21"))  # R-2396-27, R-3986-32
        return slash or default or open_path  # R-3986-40
    if scheme == "http" and not host:
        return True  # R-3986-19
    return (
        not path and bool(texts.get("host")) and (facts(spec).registry_names or scheme != "http")
    )  # R-3986-21


def _normal(table: _Table, row: Row, mode: str) -> tuple[str, dict[str, str | None]] | None:
    """Return the statement and the texts of the normal form.

    Return None if the path of the normal form would be read as an authority.
    """
    texts = table.texts(row)
    parts = {name: table.parts[name, row[name]] for name in row}
    scheme = (texts["scheme"] or "").lower()
    changed = {name for name, part in parts.items() if part.normal is not None}
    result = {name: part.text if part.normal is None else part.normal for name, part in parts.items()}
    if table.facts.registry_names:
        cites = (
            "6-scheme-case" if "scheme" in changed else "6-host-case" if changed else "6-otherwise-different"
        )
    else:
        cites = "6.2.2.1-scheme-host" if changed else "6.2.2.1-rest"
        path = result["path"] or ""
        if _has_dots(path) and texts["scheme"] is None:
            cites = "6.2.2.3-relative"  # R-3986-37
        elif _has_dots(path):
            result["path"] = without_dots(path)
            cites = "6.2.2.3-encoded-dots" if "path" in changed else "6.2.2.3-dots"
        elif changed - {"scheme", "host"}:
            cites = "6.2.2.2-decode"
        if result["host"] is None and (result["path"] or "").startswith("//"):
            return None  # R-3986-09
    if mode == "scheme":
        if texts["host"] is not None and not texts["path"]:
            result["path"] = "/"
            cites = "6.2.3-empty-path"
        if texts["port"] == "" or (texts["port"] == "80" and scheme == "http"):
            result["port"] = None
            cites = {"rfc2396": "6-default-port"}.get(table.spec, "6.2.3-port")
    return cites, result


def _has_dots(path: str) -> bool:
    return not {".", ".."}.isdisjoint(path.split("/"))
