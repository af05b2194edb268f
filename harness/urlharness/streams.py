"""Generated cases in a run: they pass by in batches and are counted, however many there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from urlharness.corpus import Case, Requirement, Spec
from urlharness.facts import Facts, facts
from urlharness.generate.lines import Digest, line
from urlharness.results import AskedVector, Example, Result, Tally
from urlharness.scores import Score
from urlharness.selection import Tier
from urlharness.verdict import FAILING, Outcome

#: Cases that are asked together; an adapter's window is filled from one batch at a time.
BATCH = 2048
#: Failing cases of one part and implementation that are kept to be shown.
EXAMPLES = 20


@dataclass(frozen=True)
class Stream:
    """The cases of one part of a tier, made anew each time; `total` is how many there are at the most.

    `whole` is false where only some of them were selected.
    """

    part: str
    tier: Tier
    spec: Spec
    rule: str | None
    requirement: Requirement
    total: int
    cases: Callable[[], Iterator[Case]]
    whole: bool = True


def batches(cases: Iterable[Case]) -> Iterator[list[Case]]:
    """The cases, so many at a time."""
    following = iter(cases)
    while batch := list(islice(following, BATCH)):
        yield batch


@dataclass
class Tallying:
    """The count of one part with one implementation, while it goes on."""

    implementation: str
    stream: Stream
    finished: bool = False
    _counts: Counter[tuple[Facts, Outcome]] = field(default_factory=Counter)
    _digest: Digest = field(default_factory=Digest)
    _kept: int = 0

    def add(self, case: Case, result: Result) -> Example | None:
        """Count a case; an example where it fails and few have been kept."""
        self._counts[facts(case), result.outcome] += 1
        self._digest.add(line(case))
        if result.outcome not in FAILING or case.vector.binding != "required" or self._kept >= EXAMPLES:
            return None
        self._kept += 1
        return Example(AskedVector(case, self.stream.requirement, self.stream.part), result)

    @property
    def tally(self) -> Tally:
        """What was counted."""
        stream = self.stream
        outcomes, required, score = Counter[Outcome](), Counter[Outcome](), Score()
        for (of, outcome), count in self._counts.items():
            outcomes[outcome] += count
            if of.binding == "required":
                required[outcome] += count
            score.count(of, outcome, count)
        return Tally(
            implementation=self.implementation,
            part=stream.part,
            tier=stream.tier,
            spec=stream.spec,
            rule=stream.rule,
            outcomes=dict(sorted(outcomes.items())),
            required=dict(sorted(required.items())),
            rates={name: (rate.passed, rate.total) for name, rate in score.rates.items()},
            digest=self._digest.counted.digest if self.finished and stream.whole else "",
        )
