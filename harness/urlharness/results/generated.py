"""Generated cases counted as they pass: Stream, tallying, digests."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

import msgspec

from urlharness.corpus.jsonl import case_line
from urlharness.corpus.model import Case, CaseKind, Operation, Requirement, Spec, case_kind
from urlharness.corpus.selection import Tier
from urlharness.results.model import AskedVector, Example, Result, Tally, answer
from urlharness.results.scores import Score
from urlharness.results.verdict import Outcome

# -------------------- generate.lines: A generated case as a line of JSON, ASCII only, and the digest of lines that pass by.


class Counted(NamedTuple):
    """How many cases there were, and their SHA-256."""

    cases: int
    digest: str


class Digest:
    """The count and digest of the lines that pass by."""

    def __init__(self) -> None:
        self._state = hashlib.sha256()
        self._cases = 0

    def add(self, octets: bytes) -> None:
        """Count the line of a case."""
        self._state.update(octets)
        self._cases += 1

    @property
    def counted(self) -> Counted:
        """What has passed so far."""
        return Counted(self._cases, self._state.hexdigest())


# -------------------- streams: Generated cases in a run: they pass by in batches and are counted, however many there are.


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
    _counts: Counter[tuple[CaseKind, Outcome]] = field(default_factory=Counter)
    _digest: Digest = field(default_factory=Digest)
    _wrong: hashlib._Hash = field(default_factory=hashlib.sha256)
    _kept: int = 0

    def add(self, case: Case, result: Result) -> Example | None:
        """Count a case; an example where it fails and few have been kept."""
        self._counts[case_kind(case), result.outcome] += 1
        self._digest.add(case_line(case))
        if case.vector.binding == "required" and (result.outcome.failing or result.outcome is Outcome.PARTIAL):
            said = [result.id, result.outcome, answer(result)]
            self._wrong.update(msgspec.json.encode(said, order="sorted") + b"\n")
        if not result.outcome.failing or case.vector.binding != "required" or self._kept >= EXAMPLES:
            return None
        self._kept += 1
        return Example(AskedVector(case, self.stream.requirement, self.stream.part), result)

    @property
    def tally(self) -> Tally:
        """What was counted."""
        stream = self.stream
        outcomes, required, score = Counter[Outcome](), Counter[Outcome](), Score()
        answered = Counter[Operation]()
        whole = self.finished and stream.whole
        for (of, outcome), count in self._counts.items():
            outcomes[outcome] += count
            if of.binding == "required":
                required[outcome] += count
            if outcome.complete:
                answered[of.op] += count
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
            digest=self._digest.counted.digest if whole else "",
            answered=dict(sorted(answered.items())),
            failing_digest=self._wrong.hexdigest() if whole else "",
        )
