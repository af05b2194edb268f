"""The models of RFC 1808 to RFC 3986: which levels are combined, which fit together, and what is asked."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import partial
from typing import Any
from urllib.parse import unquote_to_bytes

from urlauthor.cover.arrays import Row
from urlauthor.cover.generic import (
    Texts,
    authority,
    components,
    fits,
    text_before_path,
    text_from_path,
    whole_text,
)
from urlauthor.cover.levels import (
    ANOTHER,
    AROUND,
    CROSSED_SHAPES,
    EXTRACTED,
    KINDS,
    MORE_AROUND,
    MORE_RECOMPOSED,
    RECOMPOSED,
    ROOTED,
    SHAPES,
    is_mark,
)
from urlauthor.cover.normalizing import equivalence_model, normalization_model
from urlauthor.cover.parts import Level, Model, RowQuestion, refused_parts
from urlauthor.cover.resolving import resolution_model
from urlauthor.cover.table import PartTable, limited
from urlharness.corpus.specifications import DEFAULT_SPEC, Spec


def models(spec: Spec) -> Iterator[Model]:
    """Yield the models of an RFC, none if `parts.json` has no parts for it.

    A model that was added later comes after older ones, because it asks only what these have not asked.
    """
    table = PartTable(spec)
    if not table.components:
        return
    for kind in KINDS:
        if kind == "authority" or (kind == "network" and not table.facts.ip_literals):
            continue
        if kind != "scheme" or spec == DEFAULT_SPEC:
            yield _parsing_model(table, kind)
    yield _validation_model(table)
    yield _RefusedParts(table).model()
    yield resolution_model(table, "relative")
    yield resolution_model(table, "absolute")
    yield _recomposition_model(table)
    yield resolution_model(table, "paths")
    if spec == DEFAULT_SPEC:
        yield _parsing_model(table, "authority")
        yield resolution_model(table, "schemes")
        yield resolution_model(table, "hosts")
        yield _recomposition_model_of_schemes(table)
        yield normalization_model(table, "syntax", "-schemes")
    if table.facts.defines("normalize") and not table.facts.amends:
        yield normalization_model(table, "syntax")
        yield normalization_model(table, "scheme")
        yield equivalence_model(table)
    if table.facts.defines("extract"):
        yield _extraction_model(table)


# ---- parse and validate


def _parsing_model(table: PartTable, kind: str) -> Model:
    """Return a model that combines all parts of the references of a kind, to split them."""
    reference_kind = KINDS[kind]
    factors = table.factors()
    factors["scheme"] = _with_presence(factors["scheme"], reference_kind.has_scheme)
    factors["host"] = _with_presence(factors["host"], reference_kind.has_authority)
    if not reference_kind.has_authority:
        paths = factors["path"]
        factors["path"] = [level for level in paths if level in ROOTED or not table.is_rooted(level)]
    few = limited(factors, reference_kind.few)
    # The order of the factors decides the rows, from which vectors of the corpus are made. Those of the kind
    # "authority" have the order of `AUTHORITIES`, which names every component.
    factors = few if kind == "authority" else factors | few
    if not all(factors.values()):
        factors = {}  # a component has no level, so the model has no rows
    crossed = {*reference_kind.crossed, *table.crossed_beyond_ascii(factors)}
    allowed = partial(_can_be_split, table)
    ask = partial(_ask_to_parse, table)
    return Model(f"parse-{kind}", table.spec, factors, crossed, allowed, ask)


def _can_be_split(table: PartTable, row: Row) -> bool:
    """Return False if the parts of a row cannot stand together, or if their components are open."""
    return table.fits(row) and not _is_no_server(table, row)


def _ask_to_parse(table: PartTable, row: Row) -> RowQuestion:
    """Return the question for the components of a row's text."""
    texts = table.texts(row)
    split = components(texts, table.spec, registry=table.is_registry(row))
    fields = {"url": whole_text(texts), "expect": {"components": split}}
    return _ask_about_components(table, row, fields)


def _validation_model(table: PartTable) -> Model:
    """Return a model that combines all parts of a reference, to validate the whole."""
    # the levels in another order than to parse, so that the texts are others
    factors = {name: list(reversed(levels)) for name, levels in table.factors().items()}
    crossed = table.crossed_beyond_ascii(factors)
    ask = partial(_ask_to_validate, table)
    return Model("validate", table.spec, factors, crossed, table.fits, ask)


def _ask_to_validate(table: PartTable, row: Row) -> RowQuestion:
    """Return the question whether a row's text is valid, which it is."""
    url = whole_text(table.texts(row))
    fields = {"url": url, "rule": table.facts.default_rule, "expect": {"valid": True}}
    return _ask_about_components(table, row, fields)


def _with_presence(levels: list[str], is_present: bool | None) -> list[str]:
    """Return the levels with which a component is present, or absent; all levels if it may be either."""
    if is_present is None:
        return levels
    if is_present:
        return [level for level in levels if level != "none"]
    return [level for level in levels if level == "none"]


def _is_no_server(table: PartTable, row: Row) -> bool:
    """Return True for an authority of RFC 2396 that is not a server.

    It is open whether such an authority has parts (R-2396-11).
    """
    if not table.facts.registry_names or table.facts.amends or "host" not in row:
        return False
    part = table.parts["host", row["host"]]
    texts = table.texts(row)
    has_others = texts.get("userinfo") is not None or texts.get("port") is not None
    return part.registry or (part.text == "" and has_others)


def _ask_about_components(table: PartTable, row: Row, fields: dict[str, Any]) -> RowQuestion:
    """Return the question with these fields; it cites the statement about the deciding component."""
    cites = table.statement(row)
    ruling = _ruling_on_component(table, cites, table.texts(row))
    return RowQuestion(cites, fields, ruling, table.difference_class(row))


def _ruling_on_component(table: PartTable, cites: str, texts: Texts) -> str | None:
    """Return the ruling on which the reading of the texts rests, or None.

    An empty host needs its ruling whatever is cited. The other rulings are on the cited component.
    """
    statements = table.facts.statements.get("part", {})
    rulings = table.facts.rulings
    if texts["host"] == "":
        return rulings.get("empty-host")
    if cites == statements.get("userinfo") and ":" in (texts["userinfo"] or ""):
        return rulings.get("colon-in-userinfo")
    if cites == statements.get("utf8") and b"\xff" in unquote_to_bytes(texts["host"] or ""):
        return rulings.get("host-not-utf8")
    return None


# ---- validate invalid texts


class _RefusedParts:
    """A model that combines each refused part with parts that can stand around it.

    The refused part takes the place of the first level of its component.
    """

    def __init__(self, table: PartTable) -> None:
        """Take the parts that the RFC refuses, and two levels of each component around them."""
        self._table = table
        self._context = table.context()
        self._refused = refused_parts(table.components.values(), table.spec)

    def model(self) -> Model:
        """Return the model, whose texts are all invalid."""
        factors = {"refused": list(self._refused), **self._context}
        return Model("refuse", self._table.spec, factors, (), self._allowed, self._ask)

    def _texts(self, row: Row) -> dict[str, str | None]:
        """Return the texts of the components in a row, that of the refused part in its component."""
        texts = self._table.texts(row)
        if "refused" in row:
            name, part = self._refused[row["refused"]]
            texts[name] = part.text
        return texts

    def _allowed(self, row: Row) -> bool:
        """Return True unless a row has a refused part where that part is valid, or that no URL can have."""
        if "refused" not in row:
            return True
        name, part = self._refused[row["refused"]]
        if name in row and row[name] != self._context[name][0]:
            return False
        texts = self._texts(row)
        if part.relative:
            return all(texts.get(before) is None for before in ("scheme", "host", "userinfo", "port"))
        has_authority = texts.get("host", "") is not None
        if name == "path" and not has_authority and (texts["path"] or "").startswith("//"):
            return False
        if name == "scheme" and not part.text and not has_authority and "path" in texts:
            return True  # nothing but a colon stands before the path
        return fits(texts, self._table.spec)

    def _ask(self, row: Row) -> RowQuestion:
        """Return the question about the text of a row, which is refused because of one part."""
        name, part = self._refused[row["refused"]]
        cites, at = part.refused[self._table.spec]
        texts = self._texts(row)
        fields = {
            "rule": self._table.facts.default_rule,
            "url": whole_text(texts),
            "expect": {"valid": False, "at": _whole_offset(texts, name, part, at)},
        }
        ruling = _ruling_on_refusal(self._table, cites, part.text or "")
        return RowQuestion(cites, fields, ruling, part.difference)


def _ruling_on_refusal(table: PartTable, cites: str, refused: str) -> str | None:
    """Return the ruling on which the refusal of a part rests, or None."""
    statements = table.facts.statements.get("part", {})
    if cites == statements.get("characters") and not (refused.isascii() and refused.isprintable()):
        return table.facts.rulings.get("unprintable")
    if cites == statements.get("dec-octet"):
        return table.facts.rulings.get("dec-octet")
    return None


def _whole_offset(texts: Texts, name: str, part: Level, at: int) -> int:
    """Return the offset in the whole reference of the first wrong character, which is at `at` in the part."""
    if name == "scheme":
        return at
    end_of_authority = len(text_before_path(texts))
    start_of_authority = end_of_authority - len(authority(texts) or "")
    if name == "userinfo":
        return start_of_authority + at
    if name in ("host", "port"):
        login = "" if texts["userinfo"] is None else f"{texts['userinfo']}@"
        host = texts["host"] or ""
        may_be_login = part.after_login and not login and not host.startswith("[")
        if part.at_end or may_be_login:
            return end_of_authority
        before = login if name == "host" else f"{login}{host}:"
        return start_of_authority + len(before) + at
    order = ("path", "params", "query", "fragment")
    not_before = order[order.index(name) :]
    texts_before = {**texts, **dict.fromkeys(not_before)}
    start = end_of_authority + len(text_from_path(texts_before))
    if name != "path":
        start += 1  # its delimiter
    return start + at


# ---- recompose and extract


def _recomposition_model(table: PartTable) -> Model:
    """Return a model that combines a few parts of each component.

    Schemes and hosts have no capital letters (G-11).
    """
    further = MORE_RECOMPOSED if table.spec == DEFAULT_SPEC else {}
    listed = {name: (*levels, *further.get(name, ())) for name, levels in RECOMPOSED.items()}
    factors = _listed_or_always_used(table, listed)
    factors["host"] = [level for level in factors["host"] if level != "capital-letters"]
    crossed = table.first_common(["host", "path"]) | table.crossed_beyond_ascii(factors)
    ask = partial(_ask_to_recompose, table)
    return Model("recompose", table.spec, factors, crossed, table.fits, ask)


def _recomposition_model_of_schemes(table: PartTable) -> Model:
    """Return a model in which every scheme that libraries treat differently has the parts of `SHAPES`."""
    factors = limited(table.factors(), SHAPES)
    ask = partial(_ask_to_recompose, table)
    return Model("recompose-schemes", table.spec, factors, CROSSED_SHAPES, table.fits, ask)


def _listed_or_always_used(table: PartTable, listed: Mapping[str, Collection[str]]) -> dict[str, list[str]]:
    """Return the listed levels of the listed components, and those that every model of few parts has."""
    factors = {}
    for name, levels in table.factors().items():
        if name in listed:
            factors[name] = [
                level
                for level in levels
                if level in listed[name] or is_mark(level) or table.is_address(name, level)
            ]
    return factors


def _ask_to_recompose(table: PartTable, row: Row) -> RowQuestion:
    """Return the question for the text of a row's components."""
    texts = table.texts(row)
    split = components(texts, table.spec, registry=table.is_registry(row))
    component = table.deciding_component(row)
    step = "authority" if component in ("userinfo", "host", "port") else component
    cites = table.facts.statements["recompose"][step]
    return RowQuestion(cites, {"components": split, "expect": {"result": whole_text(texts)}})


def _extraction_model(table: PartTable) -> Model:
    """Return a model that combines a few parts of URLs in running text."""
    around = dict(AROUND)
    if table.spec == DEFAULT_SPEC:
        around |= MORE_AROUND
    factors = _listed_or_always_used(table, EXTRACTED)
    factors["scheme"] = _with_presence(table.levels("scheme"), is_present=True)
    factors["around"] = list(around)
    ask = partial(_ask_to_extract, table, around)
    return Model("extract", table.spec, factors, table.first_common(["host", "path"]), table.fits, ask)


def _ask_to_extract(table: PartTable, around: Mapping[str, str], row: Row) -> RowQuestion:
    """Return the question for the URLs in running text; `around` maps names to patterns of such text."""
    url = whole_text(table.texts(row))
    pattern = around[row["around"]]
    text = pattern.format(url)
    urls = [extracted for extracted in (url, ANOTHER) if extracted in text]
    urls.sort(key=text.index)
    delimiter = "quotes" if '"{}"' in pattern else "angle-brackets"
    cites = table.facts.statements["extract"][delimiter]
    expected = {"urls": [[extracted] for extracted in urls]}
    return RowQuestion(cites, {"text": text, "expect": expected})
