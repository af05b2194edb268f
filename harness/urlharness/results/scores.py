"""Scores from results: rates for each section of each RFC, and compliance.

`validate` vectors give the rates of valid texts accepted and invalid texts rejected, and J = TPR + TNR - 1,
so that accepting everything scores 0. Components and results have a pass rate. These rates leave out
unsupported cases. Coverage is the share of all cases that have an answer, right or wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from urlharness.corpus.model import COMPLIANCE_LEVELS, SPECS, Case, CaseKind, section_key
from urlharness.results.model import Results, Tally
from urlharness.results.verdict import Outcome

#: The text of a figure without cases, and the sign of a negative J.
NOTHING, MINUS = "\u2013", "\u2212"

_Row = TypeVar("_Row", bound=Hashable)

#: Bindings whose cases count for the rates accepted, rejected, components and results.
_RATED = frozenset(("required", "permitted-set", "literal-only"))


@dataclass(slots=True)
class Rate:
    """Passed cases of a total; for the coverage, answered cases of a total."""

    passed: int = 0
    total: int = 0

    def add(self, passed: int, total: int) -> None:
        """Count cases."""
        self.passed += passed
        self.total += total

    def floor(self, parts: int) -> int | None:
        """Return the rate times `parts` (100: percent), rounded down; only a full rate reaches `parts`."""
        return self.passed * parts // self.total if self.total else None

    @property
    def value(self) -> float | None:
        """The rate from 0 to 1, or None if there are no cases."""
        return self.passed / self.total if self.total else None


@dataclass(slots=True)
class Score:
    """The figures of one implementation over a set of cases; `whole` is False if some were not asked."""

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
        """Youden's J, or None unless both valid and invalid texts were asked."""
        accepted, rejected = self.accepted.value, self.rejected.value
        return None if accepted is None or rejected is None else accepted + rejected - 1

    @property
    def complies(self) -> bool:
        """True if every required vector of the levels that decide on compliance was asked and passed."""
        return self.whole and 0 < self.compliance.total == self.compliance.passed

    @property
    def rates(self) -> dict[str, Rate]:
        """All rates by name."""
        return {name: rate for name in self.__slots__ if isinstance(rate := getattr(self, name), Rate)}

    def count(self, kind: CaseKind, outcome: Outcome, times: int = 1) -> None:
        """Count cases of the same kind and outcome."""
        passed = times * outcome.passing
        self.coverage.add(times * outcome.answered, times)
        self.partial += times * (outcome is Outcome.PARTIAL)
        if kind.binding == "required":
            self.failing += times * outcome.failing
            if kind.level in COMPLIANCE_LEVELS:
                self.compliance.add(passed, times)
        if outcome is Outcome.UNSUPPORTED or kind.binding not in _RATED:
            return
        if kind.op == "parse":
            self.components.add(passed, times)
        elif kind.op != "validate":
            self.results.add(passed, times)
        elif kind.valid is True:
            self.accepted.add(passed, times)
        elif kind.valid is False:
            self.rejected.add(passed, times)

    def include(self, tally: Tally) -> None:
        """Count the generated cases of a tally."""
        for name, (passed, total) in tally.rates.items():
            getattr(self, name).add(passed, total)
        self.failing += tally.failing
        self.partial += tally.outcomes.get(Outcome.PARTIAL, 0)


def youden(score: Score) -> str:
    """Format Youden's J with two digits, rounded down; negative if the adapter is worse than chance."""
    accepted, rejected = score.accepted, score.rejected
    total = accepted.total * rejected.total
    if not total:
        return NOTHING
    passed = accepted.passed * rejected.total + rejected.passed * accepted.total
    hundredths = (passed - total) * 100 // total
    sign = MINUS if hundredths < 0 else ""
    return f"{sign}{abs(hundredths) // 100}.{abs(hundredths) % 100:02}"


def by_section(results: Results) -> Mapping[tuple[str, str], Mapping[str, Score]]:
    """Map each (RFC, section), in order, to the scores by implementation."""
    return _scores(results, lambda kind: (kind.spec, kind.section))


def by_spec(results: Results) -> Mapping[str, Mapping[str, Score]]:
    """Map each RFC to the scores by implementation."""
    return _scores(results, lambda kind: kind.spec)


def _scores(results: Results, row_of: Callable[[CaseKind], _Row]) -> Mapping[_Row, Mapping[str, Score]]:
    """Map each row that was asked, in the order of the RFCs, to the scores by implementation."""
    scores: dict[_Row, dict[str, Score]] = {
        row_of(kind): {} for kind in sorted(results.asked, key=corpus_order)
    }
    for participant in results.participants:
        for (kind, outcome), count in results.counted.get(participant.name, {}).items():
            scores[row_of(kind)].setdefault(participant.name, Score()).count(kind, outcome, count)
    return scores


def by_rule(results: Results) -> Mapping[tuple[str, str], Mapping[str, Mapping[str, Score]]]:
    """Map each (RFC, tier) to its rules, and each rule to the scores by implementation.

    The resolution tier has no rules; its only row is `pairs`.
    """
    scores: dict[tuple[str, str], dict[str, dict[str, Score]]] = {}
    for tally in results.tallies:
        row = scores.setdefault((tally.spec, tally.tier), {}).setdefault(tally.rule or "pairs", {})
        row.setdefault(tally.implementation, Score()).include(tally)
    return scores


def by_tier(results: Results) -> Mapping[tuple[str, str], Mapping[str, Score]]:
    """Map each (RFC, tier) to the scores by implementation."""
    scores: dict[tuple[str, str], dict[str, Score]] = {}
    for tally in results.tallies:
        row = scores.setdefault((tally.spec, tally.tier), {})
        row.setdefault(tally.implementation, Score()).include(tally)
    return scores


def corpus_order(case: Case | CaseKind) -> tuple[int, tuple[tuple[int, int, str], ...]]:
    """Return the sort key of a case: RFCs in the order of publication, sections in natural order."""
    return SPECS.index(case.spec), section_key(case.section)
