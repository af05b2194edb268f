"""Scores from results: rates for each section of each RFC, and who complies.

Over validate vectors the rates of the accepted and of the rejected side and J = TPR + TNR - 1, so that an
adapter which accepts everything scores 0; over components and results the pass rate.  Unsupported cases
are in none of these.  Coverage: of all cases those that have an answer, right or wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from urlharness.corpus.model import COMPLIANCE_LEVELS, SPECS, Case, CaseKind, case_kind, section_key
from urlharness.results.model import Result, Results, Tally
from urlharness.results.verdict import Outcome

_Row = TypeVar("_Row", bound=Hashable)


_JUDGED = frozenset(("required", "permitted-set", "literal-only"))


@dataclass(slots=True)
class Rate:
    """So many cases of a total: of a coverage those answered, of every other rate those passed."""

    passed: int = 0
    total: int = 0

    def add(self, times: int = 1, *, passed: bool) -> None:
        """Count cases, one by default."""
        self.passed += passed * times
        self.total += times

    def cut(self, parts: int) -> int | None:
        """The rate in parts of a whole (100: percent), rounded down: only a full rate has all of them."""
        return self.passed * parts // self.total if self.total else None

    @property
    def value(self) -> float | None:
        """The rate from 0 to 1; None where there is nothing to rate."""
        return self.passed / self.total if self.total else None


@dataclass(slots=True)
class Score:
    """The figures of one implementation over a set of cases.

    `whole` is False where whoever made the score knows that cases of the set were not asked.
    """

    accepted: Rate = field(default_factory=Rate)
    rejected: Rate = field(default_factory=Rate)
    components: Rate = field(default_factory=Rate)
    results: Rate = field(default_factory=Rate)
    coverage: Rate = field(default_factory=Rate)
    compliance: Rate = field(default_factory=Rate)
    failing: int = 0
    partial: int = 0
    whole: bool = True

    @property
    def j(self) -> float | None:
        """Youden's J; None unless both sides were asked."""
        accepted, rejected = self.accepted.value, self.rejected.value
        return None if accepted is None or rejected is None else accepted + rejected - 1

    @property
    def complies(self) -> bool:
        """True where every required vector of the levels that oblige was asked and passes."""
        return self.whole and 0 < self.compliance.total == self.compliance.passed

    def add(self, case: Case, result: Result) -> None:
        """Count one case."""
        self.count(case_kind(case), result.outcome)

    def count(self, of: CaseKind, outcome: Outcome, times: int = 1) -> None:
        """Count cases of the same facts and outcome."""
        passed = outcome.passing
        self.coverage.add(times, passed=outcome.answered)
        self.partial += times * (outcome is Outcome.PARTIAL)
        if of.binding == "required":
            self.failing += times * outcome.failing
            if of.level in COMPLIANCE_LEVELS:
                self.compliance.add(times, passed=passed)
        if outcome is Outcome.UNSUPPORTED or of.binding not in _JUDGED:
            return
        if of.op == "parse":
            self.components.add(times, passed=passed)
        elif of.op != "validate":
            self.results.add(times, passed=passed)
        elif of.valid is True:
            self.accepted.add(times, passed=passed)
        elif of.valid is False:
            self.rejected.add(times, passed=passed)

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
        self.partial += tally.outcomes.get(Outcome.PARTIAL, 0)


def by_section(results: Results) -> Mapping[tuple[str, str], Mapping[str, Score]]:
    """For each specification and section, in their order, the score of each implementation that ran."""
    return _scores(results, lambda of: (of.spec, of.section))


def by_spec(results: Results) -> Mapping[str, Mapping[str, Score]]:
    """For each specification the score of each implementation over all its sections."""
    return _scores(results, lambda of: of.spec)


def _scores(results: Results, row_of: Callable[[CaseKind], _Row]) -> Mapping[_Row, Mapping[str, Score]]:
    """Scores by rows in the order of the RFCs; a row is there where anything was asked."""
    scores: dict[_Row, dict[str, Score]] = {row_of(of): {} for of in sorted(results.asked, key=_place)}
    for participant in results.participants:
        for (of, outcome), count in results.counted.get(participant.name, {}).items():
            score = scores[row_of(of)].setdefault(participant.name, Score())
            score.count(of, outcome, count)
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


def _place(of: CaseKind) -> tuple[int, tuple[tuple[int, int, str], ...]]:
    return SPECS.index(of.spec), section_key(of.section)
