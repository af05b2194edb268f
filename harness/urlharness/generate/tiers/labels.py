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
        others = self._other_verdicts(text, expect)
        return label(expect, others), self._components(text, others) if expect is VALID else None

    def verdict(self, text: str) -> Label:
        """Return the label of the verdict. Unlike `labels`, this works for every rule."""
        expect = _verdict(self._automaton, text)
        return label(expect, self._other_verdicts(text, expect))

    def _other_verdicts(self, text: str, expect: Expected) -> list[Label]:
        return [
            Label(structs.replace(found, variant=reading.variant), reading.binding, reading.ruling)
            for reading, automaton in self._readings
            if (found := _verdict(automaton, text)).valid != expect.valid
        ]

    @cached_property
    def _table(self) -> SplitTable:
        return self._make_table()

    def _components(self, text: str, verdicts: list[Label]) -> Label:
        parts = self._table.split(text)
        assert parts is not None  # the table splits every text of the rule
        found: Components = dict(zip(self._table.components, parts, strict=True))
        # a rejection that answers `parse` has no offset
        others = [one._replace(expect=Expected(valid=False, variant=one.expect.variant)) for one in verdicts]
        if self._facts.by_scheme:
            others += _readings_rfc1738(found)
        if self._facts.empty_is_absent:
            others += _readings_rfc1808(found)
        if self._facts.opaque_parts:
            others += _readings_rfc2396(found)
        return label(Expected(components=found), others)


def _verdict(automaton: Automaton, text: str) -> Expected:
    length, state = automaton.longest_viable_prefix(text)
    valid = length == len(text) and state in automaton.accepting
    return VALID if valid else Expected(valid=False, at=length)


def label(expect: Expected, others: Sequence[Label]) -> Label:
    """Join an answer and its alternatives into one label with the least strict of their bindings."""
    if not others:
        return Label(expect)
    freest = max(others, key=lambda other: _ORDER.index(other.binding))
    return Label(Expected(any=(expect, *(other.expect for other in others))), freest.binding, freest.ruling)


def refusals(spec: Specification, *texts: str) -> list[Label]:
    """Return a refusal for each other reading of the grammar by which one of these valid texts is invalid."""
    readings = {other.reading for text in texts for other in other_verdicts(text, spec)}
    return [
        Label(Expected(valid=False, variant=reading.variant), reading.binding, reading.ruling)
        for reading in sorted(readings)
    ]


def _readings_rfc1738(found: Components) -> list[Label]:
    """Return the alternatives that rulings admit. Also split the fields of a prospero URL in `found`."""
    others = []
    if isinstance(fields := found.get("fieldspecs"), str):
        pairs = (field.partition("=") for field in fields.removeprefix(";").split(";"))
        found["fieldspecs"] = [(name, value) for name, _, value in pairs]
    if isinstance(path := found.get("fpath"), str) and "?" in path:
        before, _, query = path.partition("?")
        others.append(_also({**found, "fpath": before, "query": query}, "rfc1808", "R-1738-12"))
    if isinstance(kind := found.get("ftptype"), str) and kind.isupper():
        others.append(_also({**found, "ftptype": kind.lower()}, "folded", "R-1738-21"))
    if found.get("host") is not None and "urlpath" in found:
        opaque = dict.fromkeys(("user", "password", "host", "port", "urlpath"))
        others.append(_also({**found, **opaque}, "opaque", "R-1738-02"))
    if len(found.get("gtype") or "") > 1:
        rejected = Expected(valid=False, variant="single-character")
        others.append(Label(rejected, "impl-defined", "R-1738-20"))
    return others


def _readings_rfc1808(found: Components) -> list[Label]:
    """Return the answer with absent instead of empty components, if there are empty ones.

    RFC 1808, section 2.4, does not distinguish absent and empty components (G-09).
    """
    absent = {name: value if value or name == "path" else None for name, value in found.items()}
    return [_also(absent, "empty-as-absent", "G-09")] if absent != found else []


def _readings_rfc2396(found: Components) -> list[Label]:
    """Return the answer in which an opaque part is not divided, if it has a query (R-2396-04).

    If the authority is a registry name, delete userinfo, host and port from `found` (R-2396-11).
    """
    if found["authority"] is not None and found["host"] is None:
        for name in AUTHORITY:
            del found[name]
    path, query = found["path"], found["query"]
    assert isinstance(path, str)
    opaque = found["scheme"] is not None and found["authority"] is None and not path.startswith("/")
    if not opaque or query is None:
        return []
    whole = {**found, "path": f"{path}?{query}", "query": None}
    return [_also(whole, "opaque-whole", "R-2396-04", "impl-defined")]


def _also(found: Components, variant: str, ruling: str, binding: Binding = "permitted-set") -> Label:
    return Label(Expected(components=found, variant=variant), binding, ruling)
