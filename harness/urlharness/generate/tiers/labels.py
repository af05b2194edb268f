"""Labels: expected answers from automata and split tables, and further answers that rulings admit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, partial
from typing import NamedTuple

from msgspec import structs

from urlharness.corpus.model import AUTHORITY, Binding, Components, Expected
from urlharness.corpus.specifications import facts
from urloracle.automata.dfa import Automaton
from urloracle.automata.split_table import SplitTable
from urloracle.readings import other_readings, other_verdicts
from urloracle.specification import Specification
from urloracle.splitting import SPLITTINGS, split_table

#: Bindings, strictest first.
_ORDER: tuple[Binding, ...] = ("required", "literal-only", "permitted-set", "impl-defined", "unspecified")
VALID = Expected(valid=True)


class Label(NamedTuple):
    """An expected answer, its binding, and the ruling that admits the answer or its alternatives."""

    expect: Expected
    binding: Binding = "required"
    ruling: str | None = None


def rule_table(spec: Specification, rule: str) -> SplitTable:
    """Return the split table of a rule, or of the default rule if the rule has no components."""
    return split_table(spec, rule if rule in SPLITTINGS[spec.id].components else spec.default_rule)


class Labeller:
    """Finds the expected answers (labels) to texts for one rule.

    The caller decodes bytes that are not UTF-8 with `surrogateescape`.
    """

    def __init__(self, spec: Specification, rule: str) -> None:
        self._facts = facts(spec.id)
        self._automaton = spec.automaton(rule)
        self._readings = tuple(other_readings(spec, rule))
        self._make_table = partial(rule_table, spec, rule)

    def labels(self, text: str) -> tuple[Label, Label | None]:
        """Return (label of the verdict, label of the components). For an invalid text, the second is None.

        A rejection gives the offset of the first character that cannot continue a valid text.
        """
        expect = _verdict(self._automaton, text)
        other_verdicts = self._other_verdicts(text, expect)
        # `_verdict` returns the constant for every valid text
        components = self._components(text, other_verdicts) if expect is VALID else None
        return label(expect, other_verdicts), components

    def verdict(self, text: str) -> Label:
        """Return the label of the verdict. Unlike `labels`, this works for every rule."""
        expect = _verdict(self._automaton, text)
        return label(expect, self._other_verdicts(text, expect))

    def _other_verdicts(self, text: str, expect: Expected) -> list[Label]:
        """Return the verdicts of other readings of the grammar, as far as they differ from `expect`."""
        labels = []
        for reading, automaton in self._readings:
            verdict = _verdict(automaton, text)
            if verdict.valid != expect.valid:
                verdict = structs.replace(verdict, variant=reading.variant)
                labels.append(Label(verdict, reading.binding, reading.ruling))
        return labels

    @cached_property
    def _table(self) -> SplitTable:
        return self._make_table()

    def _components(self, text: str, verdicts: list[Label]) -> Label:
        """Return the label of the components of a valid text. `verdicts` are its other verdicts."""
        parts = self._table.split(text)
        assert parts is not None  # the table splits every text of the rule
        components: Components = dict(zip(self._table.components, parts, strict=True))
        alternatives = []
        for verdict in verdicts:  # all are rejections, and one that answers `parse` has no offset
            rejection = Expected(valid=False, variant=verdict.expect.variant)
            alternatives.append(verdict._replace(expect=rejection))
        if self._facts.by_scheme:
            _split_fieldspecs(components)
            alternatives += _readings_rfc1738(components)
        if self._facts.empty_is_absent:
            alternatives += _readings_rfc1808(components)
        if self._facts.opaque_parts:
            _drop_parts_of_registry_name(components)
            alternatives += _readings_rfc2396(components)
        return label(Expected(components=components), alternatives)


def _verdict(automaton: Automaton, text: str) -> Expected:
    """Return VALID, or a refusal with the offset of the error."""
    length, state = automaton.longest_viable_prefix(text)
    is_valid = length == len(text) and state in automaton.accepting
    return VALID if is_valid else Expected(valid=False, at=length)


def label(expect: Expected, alternatives: Sequence[Label]) -> Label:
    """Join an answer and its alternatives into one label with the least strict of their bindings."""
    if not alternatives:
        return Label(expect)
    freest = max(alternatives, key=lambda alternative: _ORDER.index(alternative.binding))
    answers = (expect, *(alternative.expect for alternative in alternatives))
    return Label(Expected(any=answers), freest.binding, freest.ruling)


def expected_text(text: str | None, variant: str) -> Expected:
    """Return the expected answer of another reading: a text, or a refusal if there is none."""
    return Expected(valid=False, variant=variant) if text is None else Expected(result=text, variant=variant)


def refusals(spec: Specification, *texts: str) -> list[Label]:
    """Return a refusal for each other reading of the grammar by which one of these valid texts is invalid."""
    readings = {verdict.reading for text in texts for verdict in other_verdicts(text, spec)}
    labels = []
    for reading in sorted(readings):
        refusal = Expected(valid=False, variant=reading.variant)
        labels.append(Label(refusal, reading.binding, reading.ruling))
    return labels


def _split_fieldspecs(components: Components) -> None:
    """Replace the fields of a prospero URL, a text in the split table, by pairs of name and content.

    Other components, and those without fields, stay as they are.
    """
    fields = components.get("fieldspecs")
    if isinstance(fields, str):
        pairs = (field.partition("=") for field in fields.removeprefix(";").split(";"))
        components["fieldspecs"] = [(name, content) for name, _, content in pairs]


def _readings_rfc1738(components: Components) -> list[Label]:
    """Return the alternatives that rulings admit."""
    alternatives = []
    path = components.get("fpath")
    if isinstance(path, str) and "?" in path:
        path_before_query, _, query = path.partition("?")
        with_query = {**components, "fpath": path_before_query, "query": query}
        alternatives.append(_alternative(with_query, "rfc1808", "R-1738-12"))
    file_type = components.get("ftptype")
    if isinstance(file_type, str) and file_type.isupper():
        folded = {**components, "ftptype": file_type.lower()}
        alternatives.append(_alternative(folded, "folded", "R-1738-21"))
    if components.get("host") is not None and "urlpath" in components:
        opaque = {**components, **dict.fromkeys(("user", "password", "host", "port", "urlpath"))}
        alternatives.append(_alternative(opaque, "opaque", "R-1738-02"))
    if len(components.get("gtype") or "") > 1:
        rejected = Expected(valid=False, variant="single-character")
        alternatives.append(Label(rejected, "impl-defined", "R-1738-20"))
    return alternatives


def _readings_rfc1808(components: Components) -> list[Label]:
    """Return the answer with absent instead of empty components, if there are empty ones.

    RFC 1808, section 2.4, does not distinguish absent and empty components (G-09).
    """
    without_empty = {name: component or None for name, component in components.items()}
    without_empty["path"] = components["path"]  # which is never absent
    if without_empty == components:
        return []
    return [_alternative(without_empty, "empty-as-absent", "G-09")]


def _drop_parts_of_registry_name(components: Components) -> None:
    """If the authority is a registry name, delete userinfo, host and port (R-2396-11)."""
    if components["authority"] is not None and components["host"] is None:
        for name in AUTHORITY:
            del components[name]


def _readings_rfc2396(components: Components) -> list[Label]:
    """Return the answer in which an opaque part is not divided, if it has a query (R-2396-04)."""
    path = components["path"]
    query = components["query"]
    assert isinstance(path, str)
    if components["scheme"] is None or components["authority"] is not None:
        return []
    if path.startswith("/") or query is None:
        return []
    undivided = {**components, "path": f"{path}?{query}", "query": None}
    return [_alternative(undivided, "opaque-whole", "R-2396-04", "impl-defined")]


def _alternative(
    components: Components, variant: str, ruling: str, binding: Binding = "permitted-set"
) -> Label:
    return Label(Expected(components=components, variant=variant), binding, ruling)
