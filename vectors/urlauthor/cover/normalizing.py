"""Models of normal forms and of equivalence, by RFC 3986, section 6.2, and RFC 2396, section 6.

Each part has its own normal form in `parts.json`, and dot segments are removed from the path as a whole.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from functools import partial
from ipaddress import IPv6Address
from typing import Any, NamedTuple

from urlauthor.cover.arrays import Row
from urlauthor.cover.generic import Texts, fits, has_dots, text_from_path, whole_text, without_dots
from urlauthor.cover.levels import FORMS, NORMALIZED_HOSTS, NORMALIZED_SCHEMES, is_telling_path
from urlauthor.cover.parts import Level, Model, PartDifference, RowQuestion, read_parts
from urlauthor.cover.table import PartTable, limited
from urlharness.corpus.specifications import DEFAULT_SPEC, Spec, facts

#: The default ports of the schemes with ports among the parts, but http, whose ports with zeros are left out.
_DEFAULT_PORTS = {"ws": "80"}


def normalization_model(table: PartTable, mode: str, kind: str = "") -> Model:
    """Return a model that combines all parts, to ask for the normal form of the whole.

    If `kind` is `-schemes`, it combines the parts of `FORMS`.
    """
    factors = table.factors()
    if kind:
        factors = limited(factors, FORMS)
    else:
        factors["scheme"] = [level for level in factors["scheme"] if level in NORMALIZED_SCHEMES[mode]]
    if table.facts.registry_names:  # R-2396-26, R-2396-27
        factors = _with_one_normal_form(table, factors)
    if mode == "scheme":
        factors["host"] = [level for level in factors["host"] if level in NORMALIZED_HOSTS]
        factors["path"] = [level for level in factors["path"] if is_telling_path(level)]
    crossed: Collection[tuple[str, str]] = table.crossed_beyond_ascii(factors)
    if kind:
        crossed = {("path", "dots-inside"), ("path", "triplet-small"), ("host", "capitals")}
    elif table.spec == DEFAULT_SPEC and mode == "syntax":
        crossed = {("scheme", "http")}
    allowed = partial(_can_be_normalized, table, mode)
    ask = partial(_ask_for_normal_form, table, mode)
    return Model(f"normalize-{mode}{kind}", table.spec, factors, crossed, allowed, ask)


def _can_be_normalized(table: PartTable, mode: str, row: Row) -> bool:
    """Return False if the parts of a row cannot stand together, or if their normal form is open."""
    texts = table.texts(row)
    return fits(texts, table.spec) and not _is_open(texts, table.spec, mode)


def _with_one_normal_form(table: PartTable, factors: Mapping[str, list[str]]) -> dict[str, list[str]]:
    """Return the factors without the levels that have several normal forms in RFC 2396."""
    limited_factors = {}
    for name, levels in factors.items():
        limited_factors[name] = [
            level for level in levels if _has_one_normal_form(table.parts[name, level], name)
        ]
    return limited_factors


def _has_one_normal_form(part: Level, name: str) -> bool:
    """Return True if a part has only one normal form in RFC 2396.

    Such a part contains no triplets, is not a path with dot segments, and is not an empty port.
    """
    text = part.text or ""
    if "%" in text:
        return False
    if name == "path":
        return not has_dots(text)
    return name != "port" or part.text != ""


def _ask_for_normal_form(table: PartTable, mode: str, row: Row) -> RowQuestion | None:
    """Return the question of a row, or None if its normal form is open."""
    normal_form = _normal_form(table, mode, row)
    if normal_form is None:
        return None
    step = normal_form.step
    normal = normal_form.texts
    texts = table.texts(row)
    cites = table.facts.statements["normalize"][step]
    fields: dict[str, Any] = {"url": whole_text(texts), "mode": mode}
    if mode == "syntax" and _has_default_port_with_zeros(normal):
        without_port = {"result": whole_text({**normal, "port": None}), "variant": "port-removed"}
        fields["expect"] = {"any": [{"result": whole_text(normal)}, without_port]}
        fields["binding"] = "impl-defined"
        return RowQuestion(cites, fields, table.facts.rulings.get("default-port-with-zeros"))
    fields["expect"] = {"result": whole_text(normal)}
    return RowQuestion(cites, fields, _ruling_on_normal_form(table, step, texts, normal))


def _has_default_port_with_zeros(texts: Texts) -> bool:
    """Return True if normalization by syntax may remove the port, too, by R-3986-45."""
    port = texts["port"] or ""
    default = _DEFAULT_PORTS.get(texts["scheme"] or "")
    return port != default and port.lstrip("0") == default


def _ruling_on_normal_form(table: PartTable, step: str, texts: Texts, normal: Texts) -> str | None:
    """Return the ruling on which a normal form rests, or None if the RFC decides it alone.

    Letters that are decoded in a host become small, an IPv6 address keeps its spelling, and a relative
    reference its dot segments.
    """
    rulings = table.facts.rulings
    if table.facts.registry_names:
        return None if step == "unchanged" else rulings.get("normal-form")
    if step in ("scheme-case", "host-case") and "%" in (texts["host"] or ""):
        return rulings.get("letters-decoded-in-host")
    host = normal["host"] or ""
    if host.startswith("["):
        with suppress(ValueError):  # an address of a later version
            address = host[1:-1]
            is_compressed = IPv6Address(address).compressed == address
            return None if is_compressed else rulings.get("spelling-of-address")
    is_relative = normal["scheme"] is None and normal["host"] is None
    if is_relative and has_dots(normal["path"] or ""):
        return rulings.get("dots-of-reference")
    return None


class _NormalForm(NamedTuple):
    """The texts of a normal form, and the last step that changes the text on the way to it."""

    step: str
    texts: Texts


def _normal_form(table: PartTable, mode: str, row: Row) -> _NormalForm | None:
    """Return the normal form of a row's text, or None if its path would be read as an authority."""
    texts = table.texts(row)
    parts = {name: table.parts[name, level] for name, level in row.items()}
    normal = {name: part.text if part.normal is None else part.normal for name, part in parts.items()}
    changed = {name for name, part in parts.items() if part.normal is not None}
    step = "unchanged"
    # nothing but the case of the scheme can be the reason why a bare scheme stays
    if "scheme" in changed or _is_bare_scheme(texts):
        step = "scheme-case"
    elif changed:
        step = "host-case"
    if not table.facts.registry_names:
        step = _normalize_path(normal, changed) or step
        if normal["host"] is None and (normal["path"] or "").startswith("//"):
            return None  # R-3986-09
    if mode == "scheme":
        if texts["host"] is not None and not texts["path"]:
            normal["path"] = "/"
            step = "empty-path"
        is_http = (texts["scheme"] or "").lower() == "http"
        if texts["port"] == "" or (texts["port"] == "80" and is_http):
            normal["port"] = None
            step = "default-port"
    return _NormalForm(step, normal)


def _is_bare_scheme(texts: Texts) -> bool:
    """Return True if a text is a scheme with its colon, and nothing else."""
    return texts["scheme"] is not None and texts["host"] is None and not text_from_path(texts)


def _normalize_path(normal: dict[str, str | None], changed: Collection[str]) -> str | None:
    """Remove the dot segments of a path in `normal`.  Return the step that changes the text, or None."""
    path = normal["path"] or ""
    if has_dots(path):
        if normal["scheme"] is None:
            return "dots-of-reference"  # R-3986-37
        normal["path"] = without_dots(path)
        return "encoded-dots" if "path" in changed else "dots"
    return None if set(changed) <= {"scheme", "host"} else "decoded"


def _is_open(texts: Texts, spec: Spec, mode: str) -> bool:
    """Return True if the RFC leaves open how the components chosen so far are normalized together.

    A component that is not yet chosen is missing in `texts`.
    """
    if "scheme" not in texts:
        return False
    scheme = (texts["scheme"] or "").lower()
    port = texts.get("port") or ""
    if mode == "syntax" and texts.get("port") == "":
        return True  # R-3986-20
    if scheme == "file" and texts.get("host", "") is None:
        return True  # R-3986-30
    if scheme == "http" and port != "80" and port.strip("0") == "8":
        return True  # R-3986-45
    if mode == "syntax":
        return _is_open_by_syntax(texts, scheme, spec)
    if scheme == "http" and not texts.get("host", "h"):
        return True  # R-3986-19
    is_bare = bool(texts.get("host")) and not texts.get("path", "/")
    return is_bare and (facts(spec).registry_names or scheme != "http")  # R-3986-21


def _is_open_by_syntax(texts: Texts, scheme: str, spec: Spec) -> bool:
    """Return True if what is left of `_is_open` is open in mode `syntax`."""
    path = texts.get("path", "/") or ""
    if (scheme, texts.get("port")) in (("http", "80"), ("ftp", "21")):
        return True  # R-2396-27, R-3986-32
    if scheme:
        has_host = texts.get("host") is not None
        return facts(spec).removes_dots and has_host and not path  # R-3986-21
    decoded = path.replace("%2e", ".").replace("%2E", ".")
    return has_dots(decoded) and not has_dots(path)  # R-3986-40


# ---- equivalence


def equivalence_model(table: PartTable) -> Model:
    """Return a model that combines each difference between two texts with parts that can stand around it."""
    pairs = _Pairs(table)
    return Model("equivalent", table.spec, pairs.factors, (), pairs.allowed, pairs.ask)


class _Pairs:
    """Pairs of texts that differ in one component.

    The texts of the difference take the place of the first level of its component.
    """

    def __init__(self, table: PartTable) -> None:
        """Take the differences on which the RFC decides, and two levels of each component around them."""
        self._table = table
        self._context = table.context()
        differences = [pair for pair in read_parts().differences if table.spec in pair.cites]
        self._differences = {difference.level: difference for difference in differences}
        self.factors = {"difference": list(self._differences), **self._context}

    def _both_texts(self, row: Row, difference: PartDifference) -> tuple[Texts, Texts]:
        """Return the components of both URLs of a row."""
        texts = self._table.texts(row)
        first, second = difference.texts
        return {**texts, difference.component: first}, {**texts, difference.component: second}

    def allowed(self, row: Row) -> bool:
        """Return False if a row, which need not be complete, must not be used."""
        if "difference" not in row:
            return True
        difference = self._differences[row["difference"]]
        component = difference.component
        if component in row and row[component] != self._context[component][0]:
            return False
        scheme = row.get("scheme", "http")
        if component != "scheme" and scheme == "none":
            return False
        if component != "scheme" and difference.mode == "scheme" and scheme != "http":
            return False
        return all(fits(texts, self._table.spec) for texts in self._both_texts(row, difference))

    def ask(self, row: Row) -> RowQuestion:
        """Return the question whether the two texts are equivalent."""
        difference = self._differences[row["difference"]]
        first, second = self._both_texts(row, difference)
        fields = {
            "mode": difference.mode,
            "url": whole_text(first),
            "other": whole_text(second),
            "expect": {"equal": difference.equal},
        }
        return RowQuestion(difference.cites[self._table.spec], fields)
