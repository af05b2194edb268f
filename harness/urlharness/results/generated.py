"""Generated cases in a run: streams of any length, whose outcomes are counted but not stored."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec

from urlharness.corpus.jsonl import case_line
from urlharness.corpus.model import Case, CaseKind, Operation, Requirement, Tier, case_kind
from urlharness.corpus.specifications import Spec
from urlharness.results.model import AskedVector, Example, Result, Tally
from urlharness.results.scores import Score, Statement
from urlharness.results.verdict import Outcome

#: The maximum number of failing cases that are kept for reports, for each part and implementation.
EXAMPLES = 20


class Counted(NamedTuple):
    """The number of cases, and the SHA-256 of their lines."""

    cases: int
    digest: str


class Digest:
    """Counts and hashes the lines of cases."""

    def __init__(self) -> None:
        self._sha256 = hashlib.sha256()
        self._cases = 0

    def add(self, line: bytes) -> None:
        """Count the line of a case."""
        self._sha256.update(line)
        self._cases += 1

    @property
    def counted(self) -> Counted:
        """The number and digest of the lines so far."""
        return Counted(self._cases, self._sha256.hexdigest())


@dataclass(frozen=True)
class Stream:
    """One part of a tier as a stream of cases.

    Each call of `cases` generates the cases anew. `total` is the maximum number of cases. `rule` is None in a
    tier of one operation. `whole` is False if only some of the cases were selected.
    """

    part: str
    tier: Tier
    spec: Spec
    rule: str | None
    requirement: Requirement
    total: int
    cases: Callable[[], Iterator[Case]]
    whole: bool = True


@dataclass
class TallyCounter:
    """Counts the outcomes of one implementation on the cases of one part of a tier."""

    implementation: str
    stream: Stream
    finished: bool = False
    _counts: Counter[tuple[CaseKind, Outcome]] = field(default_factory=Counter)
    _digest: Digest = field(default_factory=Digest)
    _failing: hashlib._Hash = field(default_factory=hashlib.sha256)
    _examples: int = 0

    def add(self, case: Case, result: Result) -> Example | None:
        """Count a case. If it is one of the first required cases that fail, return it as an example."""
        outcome = result.outcome
        is_required = case.vector.binding == "required"
        self._counts[case_kind(case), outcome] += 1
        self._digest.add(case_line(case))
        if is_required and (outcome.failing or outcome is Outcome.PARTIAL):
            # baselines contain the digest of these lines
            line = msgspec.json.encode([result.id, outcome, result.answer], order="sorted")
            self._failing.update(line + b"\n")
        is_example = is_required and outcome.failing and self._examples < EXAMPLES
        if not is_example:
            return None
        self._examples += 1
        return Example(AskedVector(case, self.stream.requirement, title=self.stream.part), result)

    @property
    def tally(self) -> Tally:
        """The counts so far. The digests are empty unless all cases were asked."""
        stream = self.stream
        outcomes = Counter[Outcome]()
        required = Counter[Outcome]()
        answered = Counter[Operation]()
        is_whole = self.finished and stream.whole
        for (kind, outcome), count in self._counts.items():
            outcomes[outcome] += count
            if kind.binding == "required":
                required[outcome] += count
            if outcome.complete:
                answered[kind.op] += count
        return Tally(
            implementation=self.implementation,
            part=stream.part,
            tier=stream.tier,
            spec=stream.spec,
            rule=stream.rule,
            outcomes=dict(sorted(outcomes.items())),
            required=dict(sorted(required.items())),
            rates=self._rates(),
            digest=self._digest.counted.digest if is_whole else "",
            answered=dict(sorted(answered.items())),
            failing_digest=self._failing.hexdigest() if is_whole else "",
        )

    def _rates(self) -> dict[str, tuple[int, int]]:
        """Return (passed, total) of each rate of the statement that the part tests, and of its score."""
        requirement = self.stream.requirement
        statement = Statement(requirement.id, self.stream.spec, requirement.section)
        score = Score()
        for (kind, outcome), count in self._counts.items():
            statement.count(kind, outcome, count)
            score.count(kind, outcome, count)
        rates = {**statement.rates, "coverage": score.coverage, "compliance": score.compliance}
        return {name: (rate.passed, rate.total) for name, rate in rates.items()}
