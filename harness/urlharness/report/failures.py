"""Failing cases of a run, and groups of them, the most serious first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from urlharness.corpus.describe import describe_expected, describe_inputs
from urlharness.corpus.model import SPECS, Spec, section_key
from urlharness.engine.process import error_line
from urlharness.results.model import AskedVector, Participant, Result, Results
from urlharness.results.verdict import Outcome
from urlharness.shell import repro
from urlharness.text import clipped, section_place

#: The number of failures that a group keeps.
KEPT = 20


class Failure(NamedTuple):
    """A failing case, and what reports say about it."""

    asked: AskedVector
    result: Result
    run: Results

    @property
    def question(self) -> str:
        """The operation and its inputs."""
        vector = self.asked.case.vector
        return f"{vector.op}: {', '.join(f'{name} {value}' for name, value in describe_inputs(vector))}"

    @property
    def expected(self) -> str:
        """The expected answer, in words."""
        return describe_expected(self.asked.case.vector.expect)

    @property
    def got(self) -> str:
        """The actual answer, in words."""
        return self.result.detail or self.result.variant or self.result.outcome

    @property
    def wrote(self) -> str:
        """The line on stderr that explains an abnormal end; empty if there is none or `got` contains it."""
        line = error_line(self.result.stderr) if self.result.outcome.abnormal else ""
        return "" if line in self.got else clipped(line, 200)

    @property
    def why(self) -> str:
        """The actual answer and the line on stderr that explains it."""
        return f"{self.got}; it wrote: {self.wrote}" if self.wrote else self.got

    @property
    def command(self) -> str:
        """The shell command that repeats the case."""
        header, stored = self.run.header, self.result.id in self.run.vectors
        return repro(
            self.result.id,
            self.result.implementation,
            vectors=header.vectors if stored else "",
            timeout=header.timeout,
            start_timeout=header.start_timeout,
        )


class FailureGroup(NamedTuple):
    """Failures of one implementation in one section and class, or in one rule of a generated tier.

    `claimed` is True if the implementation claims the RFC; `failures` are the first ones only.
    """

    implementation: str
    spec: Spec
    place: str
    title: str
    class_: str
    claimed: bool
    outcomes: Mapping[Outcome, int]
    failures: tuple[Failure, ...]

    @property
    def size(self) -> int:
        """The number of failing cases."""
        return sum(self.outcomes.values())

    @property
    def flags(self) -> tuple[str, ...]:
        """The flags of the failures that are kept."""
        return tuple(dict.fromkeys(flag for one in self.failures for flag in one.asked.case.flags))


def claims(participant: Participant, spec: str) -> bool:
    """Return True if the implementation claims the RFC; one that claims none is taken to claim all."""
    return not participant.specs or spec in participant.specs


def stored_failures(results: Results, participant: Participant) -> Iterator[Failure]:
    """Yield the failing required cases of the corpus, in the order of the run."""
    for result in results.of(participant.name).values():
        if result.outcome.failing:
            asked = results.vectors[result.id]
            if asked.case.vector.binding == "required":
                yield Failure(asked, result, results)


def generated_failures(results: Results) -> dict[tuple[str, str], list[Failure]]:
    """Map each (implementation, part) to its failing generated cases that the results keep."""
    found: dict[tuple[str, str], list[Failure]] = {}
    for example in results.examples:
        key = example.result.implementation, example.asked.title
        found.setdefault(key, []).append(Failure(example.asked, example.result, results))
    return found


def failing_count(results: Results, participant: Participant) -> int:
    """Count the failing required cases in the RFCs that the implementation claims."""
    stored = sum(
        count
        for (kind, outcome), count in results.counted.get(participant.name, {}).items()
        if outcome.failing and kind.binding == "required" and claims(participant, kind.spec)
    )
    return stored + sum(
        tally.failing
        for tally in results.tallies
        if tally.implementation == participant.name and claims(participant, tally.spec)
    )


def failure_groups(results: Results) -> list[FailureGroup]:
    """Return all groups of failures, sorted by: claimed RFC, abnormal end, security, size."""
    order = [participant.name for participant in results.participants]
    found = list[FailureGroup]()
    for participant in results.participants:
        found += _stored_groups(results, participant)
        found += _generated_groups(results, participant)

    def position(group: FailureGroup) -> tuple[object, ...]:
        abnormal = any(outcome.abnormal for outcome in group.outcomes)
        gravity = not group.claimed, not abnormal, "security" not in group.flags, -group.size
        section = section_key(group.place.removeprefix("section "))
        return *gravity, order.index(group.implementation), SPECS.index(group.spec), section, group.class_

    return sorted(found, key=position)


def _stored_groups(results: Results, participant: Participant) -> Iterator[FailureGroup]:
    groups: dict[tuple[Spec, str, str], list[Failure]] = {}
    for one in stored_failures(results, participant):
        case = one.asked.case
        groups.setdefault((case.spec, case.section, case.vector.class_ or ""), []).append(one)
    for (spec, section, class_), failures in groups.items():
        title = results.titles.get((spec, section), "")
        where, claimed = section_place(section, title), claims(participant, spec)
        title = "" if where == title else title
        outcomes = Counter(one.result.outcome for one in failures)
        kept = tuple(failures[:KEPT])
        yield FailureGroup(participant.name, spec, where, title, class_, claimed, outcomes, kept)


def _generated_groups(results: Results, participant: Participant) -> Iterator[FailureGroup]:
    kept = generated_failures(results)
    for tally in results.tallies:
        if tally.implementation == participant.name and tally.failing:
            outcomes = {outcome: count for outcome, count in tally.required.items() if outcome.failing}
            where, claimed = f"{tally.rule or 'pairs'}, tier {tally.tier}", claims(participant, tally.spec)
            own = tuple(kept.get((participant.name, tally.part), ()))
            yield FailureGroup(participant.name, tally.spec, where, "", "", claimed, outcomes, own)
