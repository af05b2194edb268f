"""Scores from results: rates for each section of each RFC, and who complies.

Over validate vectors the rates of the accepted and of the rejected side and J = TPR + TNR - 1, so that an
adapter which accepts everything scores 0; over components and results the pass rate.  Unsupported cases
are in no rate: they lower the coverage.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from urlharness.corpus import SPECS, Case, section_key
from urlharness.results import Result, Results, Tally
from urlharness.verdict import FAILING

_PASSED = frozenset(("pass", "variant"))
_JUDGED = frozenset(("required", "permitted-set", "literal-only"))
#: Levels whose required vectors decide on compliance (should, may and note do not).
COMPLIANCE_LEVELS = frozenset(("grammar", "algorithm", "must", "example"))


@dataclass(slots=True)
class Rate:
    """Passed cases of those that were answered."""

    passed: int = 0
    total: int = 0

    def add(self, *, passed: bool) -> None:
        """Count one case."""
        self.passed += passed
        self.total += 1

    @property
    def value(self) -> float | None:
        """The rate from 0 to 1; None where there is nothing to rate."""
        return self.passed / self.total if self.total else None


@dataclass(slots=True)
class Score:
    """The figures of one implementation over a set of cases."""

    accepted: Rate = field(default_factory=Rate)
    rejected: Rate = field(default_factory=Rate)
    components: Rate = field(default_factory=Rate)
    results: Rate = field(default_factory=Rate)
    coverage: Rate = field(default_factory=Rate)
    compliance: Rate = field(default_factory=Rate)
    failing: int = 0
    partial: int = 0

    @property
    def j(self) -> float | None:
        """Youden's J; None unless both sides were asked."""
        accepted, rejected = self.accepted.value, self.rejected.value
        return None if accepted is None or rejected is None else accepted + rejected - 1

    @property
    def complies(self) -> bool:
        """True where every required vector of the levels that oblige passes."""
        return self.compliance.total > 0 and self.compliance.passed == self.compliance.total

    def add(self, case: Case, result: Result) -> None:
        """Count one case."""
        vector = case.vector
        passed = result.outcome in _PASSED
        self.coverage.add(passed=result.outcome != "unsupported")
        self.partial += result.outcome == "partial"
        if vector.binding == "required":
            self.failing += result.outcome in FAILING
            if vector.level in COMPLIANCE_LEVELS:
                self.compliance.add(passed=passed)
        if result.outcome == "unsupported" or vector.binding not in _JUDGED:
            return
        if vector.op == "parse":
            self.components.add(passed=passed)
        elif vector.op != "validate":
            self.results.add(passed=passed)
        elif vector.expect.valid is True:
            self.accepted.add(passed=passed)
        elif vector.expect.valid is False:
            self.rejected.add(passed=passed)

    @property
    def rates(self) -> dict[str, Rate]:
        """Every rate by its name."""
        return {name: rate for name in self.__slots__ if isinstance(rate := getattr(self, name), Rate)}

    def include(self, tally: Tally) -> None:
        """Count the generated cases of a tally."""
        for name, (passed, total) in tally.rates.items():
            rate: Rate = getattr(self, name)
            rate.passed += passed
            rate.total += total
        self.failing += tally.failing
        self.partial += tally.outcomes.get("partial", 0)


def by_section(results: Results) -> Mapping[tuple[str, str], Mapping[str, Score]]:
    """For each specification and section, in their order, the score of each implementation that ran."""
    scores: dict[tuple[str, str], dict[str, Score]] = {}
    for asked in sorted(results.vectors.values(), key=lambda asked: place(asked.case)):
        row = scores.setdefault((asked.case.spec, asked.case.section), {})
        for name, result in _answers(results, asked.case):
            row.setdefault(name, Score()).add(asked.case, result)
    return scores


def by_spec(results: Results) -> Mapping[str, Mapping[str, Score]]:
    """For each specification the score of each implementation over all its sections."""
    scores: dict[str, dict[str, Score]] = {}
    for asked in sorted(results.vectors.values(), key=lambda asked: place(asked.case)):
        row = scores.setdefault(asked.case.spec, {})
        for name, result in _answers(results, asked.case):
            row.setdefault(name, Score()).add(asked.case, result)
    return scores


def by_rule(results: Results) -> Mapping[tuple[str, str], Mapping[str, Mapping[str, Score]]]:
    """For each tier of each specification, and for each rule of it, the score of each implementation.

    The tier of resolution has no rules but one row, of all its pairs.
    """
    scores: dict[tuple[str, str], dict[str, dict[str, Score]]] = {}
    for tally in results.tallies:
        row = scores.setdefault((tally.spec, tally.tier), {}).setdefault(tally.rule or "pairs", {})
        row.setdefault(tally.implementation, Score()).include(tally)
    return scores


def by_tier(results: Results) -> Mapping[tuple[str, str], Mapping[str, Score]]:
    """For each tier of each specification the score of each implementation over all its rules."""
    scores: dict[tuple[str, str], dict[str, Score]] = {}
    for tally in results.tallies:
        row = scores.setdefault((tally.spec, tally.tier), {})
        row.setdefault(tally.implementation, Score()).include(tally)
    return scores


def place(case: Case) -> tuple[int, tuple[tuple[int, int, str], ...]]:
    """Sort key of a case: RFCs in the order of publication, sections in their natural order."""
    return SPECS.index(case.spec), section_key(case.section)


def _answers(results: Results, case: Case) -> Iterable[tuple[str, Result]]:
    for participant in results.participants:
        result = results.of(participant.name).get(case.vector.id)
        if result is not None:
            yield participant.name, result
