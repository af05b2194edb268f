"""Models of resolution: the parts of a base with the parts of a reference, and the target of both."""

from __future__ import annotations

from collections.abc import Collection

from urlauthor.cover.arrays import Row
from urlauthor.cover.generic import Texts, fits, has_dots, target, whole_text
from urlauthor.cover.levels import BASES, CROSSED, ENDS, IRI_NETWORKS, NETWORKS, SCHEMES, is_telling_path
from urlauthor.cover.parts import Model, RowQuestion
from urlauthor.cover.table import PartTable, limited
from urlharness.corpus.model import AUTHORITY
from urlharness.corpus.specifications import SpecificationFacts

_BASE = "base-"
_AUTHORITIES = {**NETWORKS, **IRI_NETWORKS, **ENDS}
#: The schemes whose bases without authority are open (R-3986-42).
_WITH_AUTHORITY = ("http", "ftp", "file")


def resolution_model(table: PartTable, kind: str) -> Model:
    """Return a model that combines the parts of a base with the parts of a reference.

    If `kind` is `absolute`, the reference has a scheme or an authority, otherwise neither.  If it is `paths`,
    each path of a reference meets each path of a base; if it is `schemes` or `hosts`, a base has the schemes
    of `SCHEMES` or the hosts of `ENDS`.
    """
    questions = _Questions(table, needs_own_path=kind == "absolute")
    factors = _factors(table, kind)
    crossed = {*_crossed(table, kind), *table.crossed_beyond_ascii(factors)}
    return Model(f"resolve-{kind}", table.spec, factors, crossed, questions.allowed, questions.ask)


class _Questions:
    """The questions of rows of base and reference.

    If `needs_own_path` is true, the target has the path of the reference.
    """

    def __init__(self, table: PartTable, *, needs_own_path: bool) -> None:
        """Prepare the questions of a model; `table` has the parts of base and reference."""
        self._table = table
        self._needs_own_path = needs_own_path
        self._absent: Texts = dict.fromkeys((*table.components, "params"))

    def _texts(self, row: Row, prefix: str = "") -> dict[str, str | None]:
        """Return the texts of the reference in a row or, with the prefix of the base, of the base."""
        texts = self._table.texts(row, prefix)
        if f"{prefix}network" in row:
            texts |= _AUTHORITIES[row[f"{prefix}network"]]
        return texts

    def allowed(self, row: Row) -> bool:
        """Return False if a row, which need not be complete, has no target or several ones."""
        spec = self._table.spec
        base = self._texts(row, _BASE)
        reference = self._texts(row)
        is_relative = all(reference.get(name, "") is None for name in ("scheme", "host"))
        if self._needs_own_path and is_relative:
            return False
        if not fits(base, spec) or not fits(reference, spec):
            return False
        if base.get("scheme") is not None and base.get("scheme") == reference.get("scheme"):
            return False  # R-3986-06, R-2396-07, R-1808-19
        if is_relative and base.get("path") == "" and self._needs_path_of_base(reference):
            return False  # R-3986-38, R-2396-17, R-1808-13
        if self._needs_own_path and not self._has_target(self._absent, reference):
            return False
        if not {"host", "path", "scheme"} <= base.keys():
            return True
        return self._is_settled_base(base) and self._has_target(base, reference)

    def _needs_path_of_base(self, reference: Texts) -> bool:
        """Return True if the RFC leaves the target open where the path of the base is empty."""
        path = reference.get("path")
        if self._table.facts.removes_dots:
            return path == ""
        return path is not None and not path.startswith("/")

    def _has_target(self, base: Texts, reference: Texts) -> bool:
        """Return False if the RFC admits several targets; True if the reference is not complete."""
        if not {"scheme", "host", "path"} <= reference.keys():
            return True
        if base is not self._absent and "query" not in reference and not reference["path"]:
            return True
        whole_reference = {**self._absent, **reference}
        return target({**self._absent, **base}, whole_reference, self._table.spec) is not None

    def _is_settled_base(self, base: Texts) -> bool:
        """Return False if the RFC leaves open how references are resolved against such a base."""
        spec_facts = self._table.facts
        if base["host"] is None and base["scheme"] in _WITH_AUTHORITY:
            return False  # R-3986-42
        if base["host"] == "" and (base["scheme"] == "http" or spec_facts.empty_is_absent):
            return False  # R-3986-30, R-1808-22
        return _is_rooted(base) or not spec_facts.opaque_parts  # R-2396-21

    def ask(self, row: Row) -> RowQuestion:
        """Return the question for the target of a row, which must have one. The base has no fragment."""
        base = self._texts(row, _BASE)
        base["fragment"] = None
        reference = self._texts(row)
        resolved = target(base, reference, self._table.spec)
        assert resolved is not None
        fields = {
            "base": whole_text(base),
            "reference": whole_text(reference),
            "expect": {"result": whole_text({"params": None, **resolved})},
        }
        spec_facts = self._table.facts
        ruling = _ruling_on_dots(base, reference, spec_facts)
        return RowQuestion(_cited_statement(reference, spec_facts), fields, ruling)


def _is_rooted(texts: Texts) -> bool:
    """Return True if a URL has an authority or a path with a leading slash."""
    return texts["host"] is not None or (texts["path"] or "").startswith("/")


def _cited_statement(reference: Texts, spec_facts: SpecificationFacts) -> str:
    """Return the statement of the step that takes the path of the target from the reference or the base."""
    steps = spec_facts.statements["resolve"]
    if "nothing" in steps and not whole_text(reference):
        return steps["nothing"]
    return steps[_kind_of_reference(reference)]


def _kind_of_reference(reference: Texts) -> str:
    """Return the kind of a reference, which its first present component decides."""
    if reference["scheme"] is not None:
        return "scheme"
    if reference["host"] is not None:
        return "authority"
    if reference["path"]:
        return "rooted" if reference["path"].startswith("/") else "relative"
    if reference.get("params") is not None:
        return "params"
    return "empty" if reference["query"] is None else "query"


def _ruling_on_dots(base: Texts, reference: Texts, spec_facts: SpecificationFacts) -> str | None:
    """Return the ruling on dot segments that stay in the path, or are removed from a rootless path.

    Return None if there is no such ruling.
    """
    path = reference["path"] or ""
    if not has_dots(path):
        return None
    has_own_path = reference["scheme"] is not None or _is_rooted(reference)
    if not spec_facts.removes_dots:
        return spec_facts.rulings.get("dots-kept") if has_own_path else None
    if path.startswith("/") or (not has_own_path and _is_rooted(base)):
        return None
    return spec_facts.rulings.get("rootless-dots")


def _factors(table: PartTable, kind: str) -> dict[str, list[str]]:
    """Return the levels of base and reference for a kind of model, without the factors that have no level."""
    reference_factors = table.factors()
    for name in AUTHORITY:
        del reference_factors[name]
    # a library may fold capitals (G-11)
    schemes = reference_factors["scheme"]
    reference_factors["scheme"] = [level for level in schemes if level not in ("capitals", "mixed-case")]
    networks = [name for name in NETWORKS if table.facts.ip_literals or not name.startswith("ipv6")]
    if table.facts.iris:
        networks += IRI_NETWORKS
    factors = {"network": networks, **reference_factors, **_base_factors(table, networks)}
    if kind == "absolute":
        factors["path"] = [level for level in factors["path"] if is_telling_path(level)]
        for name in BASES:  # two levels of each, because hardly anything of the base is used
            factors[f"{_BASE}{name}"] = factors[f"{_BASE}{name}"][:2]
    else:
        factors["network"] = ["none"]
        factors["scheme"] = ["none"]
    if table.facts.amends:
        factors["base-network"] = ["ipv6", "ipv6-and-port"]
    if kind == "schemes":
        factors["base-scheme"] = [level for level in table.levels("scheme") if level in SCHEMES]
    if kind == "hosts":
        factors["base-network"] = list(ENDS)
    present_factors = {name: levels for name, levels in factors.items() if levels}
    if kind in CROSSED:
        few, _ = CROSSED[kind]
        present_few = {name: levels for name, levels in few.items() if name in present_factors}
        present_factors |= limited(present_factors, present_few)
    return present_factors


def _base_factors(table: PartTable, networks: list[str]) -> dict[str, list[str]]:
    """Return the levels of a base; a component that the RFC does not have has none."""
    factors = {}
    for name, levels in BASES.items():
        allowed: list[str] = []
        if name == "network":
            allowed = networks
        elif name in table.components:
            allowed = table.levels(name)
        factors[f"{_BASE}{name}"] = [level for level in allowed if level in levels]
    return factors


def _crossed(table: PartTable, kind: str) -> Collection[tuple[str, str]]:
    """Return the levels of base and reference that meet all others."""
    if kind == "relative":
        return {("base-path", "two-segments"), ("path", "empty")}
    if kind not in CROSSED:
        return set()
    _, crossed = CROSSED[kind]
    if kind == "paths" and not table.facts.removes_dots:
        return crossed - {("base-path", "rootless"), ("base-path", "slashes-last")}
    return crossed
