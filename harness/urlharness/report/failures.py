"""Failures grouped and ordered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from urlharness.corpus.describe import asked, expectation
from urlharness.corpus.describe import asked as asked_in_words
from urlharness.corpus.model import SPECS, Spec, section_key
from urlharness.engine.diagnosis import telling_line
from urlharness.results.model import AskedVector, Participant, Result, Results, Tally
from urlharness.results.verdict import FAILING, Outcome
from urlharness.shell import repro_line
from urlharness.text import clipped, place

# -------------------- report.examples: The first failing cases of generated tiers, for readers who run no script.


#: Examples of one rule and one implementation that stand in the page itself; the script has all of them.
SHOWN = 5


class ExampleFailure(NamedTuple):
    """A generated case that an implementation failed: the question in words, what was expected, what came."""

    implementation: str
    id: str
    question: str
    expected: str
    detail: str


class Failures(NamedTuple):
    """Of one rule the failures that are shown."""

    spec: str
    tier: str
    rule: str
    shown: list[ExampleFailure]


def example_failures(results: Results) -> list[Failures]:
    """For each rule with a failing case the first ones of each implementation."""
    parts = {tally.part: tally for tally in results.tallies}
    found: dict[str, dict[str, list[ExampleFailure]]] = {}
    for example in results.examples:
        vector = example.asked.case.vector
        part = found.setdefault(example.asked.case.file, {})
        part.setdefault(example.result.implementation, []).append(
            ExampleFailure(
                example.result.implementation,
                vector.id,
                ", ".join(f"{name} {value}" for name, value in asked(vector) if name != "rule"),
                expectation(vector.expect),
                example.result.detail or example.result.outcome,
            )
        )
    return [
        Failures(
            tally.spec,
            tally.tier,
            tally.rule or "",
            [failure for each in found[part].values() for failure in each[:SHOWN]],
        )
        for part, tally in parts.items()
        if part in found
    ]


# -------------------- report.failing: Failures that belong together: of one implementation, in one section, of one class; the gravest first.


#: Failing cases of a group that are kept to be shown.
KEPT = 20


_LONGEST = 200  # characters of a line of stderr


_ABNORMAL = FAILING - {"fail"}


class Failure(NamedTuple):
    """A case that failed, with all that a report says of it."""

    asked: AskedVector
    result: Result
    run: Results

    @property
    def question(self) -> str:
        """The operation and its inputs, in words."""
        vector = self.asked.case.vector
        return f"{vector.op}: {', '.join(f'{name} {value}' for name, value in asked_in_words(vector))}"

    @property
    def expected(self) -> str:
        """What was expected, in words."""
        return expectation(self.asked.case.vector.expect)

    @property
    def got(self) -> str:
        """What came instead, in words."""
        return self.result.detail or self.result.variant or self.result.outcome

    @property
    def wrote(self) -> str:
        """The line on stderr that tells why it ended abnormally; empty where none does, or `got` has it."""
        line = telling_line(self.result.stderr) if self.result.outcome in _ABNORMAL else ""
        return "" if line in self.got else clipped(line, _LONGEST)

    @property
    def why(self) -> str:
        """What came instead, and the line on stderr that tells why, in one line."""
        return f"{self.got}; it wrote: {self.wrote}" if self.wrote else self.got

    @property
    def command(self) -> str:
        """The line for a shell that asks the case again."""
        return repro_line(self.run, self.result.id, self.result.implementation)


def failures(results: Results, participant: Participant) -> Iterator[Failure]:
    """The failing cases of required vectors, in the order of the run."""
    for result in results.of(participant.name).values():
        if result.outcome in FAILING:
            asked = results.vectors[result.id]
            if asked.case.vector.binding == "required":
                yield Failure(asked, result, results)


class Group(NamedTuple):
    """Failures of one class in one section, or of one part of a generated tier; the first of them are kept.

    `claimed` says whether the implementation claims this RFC, which is what the gate judges.
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
        """How many cases failed."""
        return sum(self.outcomes.values())

    @property
    def flags(self) -> tuple[str, ...]:
        """The flags of the cases that are kept, each once."""
        return tuple(dict.fromkeys(flag for one in self.failures for flag in one.asked.case.flags))


def claims(participant: Participant, spec: str) -> bool:
    """Does it answer for this RFC?  One that claims none answers for all."""
    return not participant.specs or spec in participant.specs


def failing(results: Results, participant: Participant) -> int:
    """How many cases of required vectors fail, of the RFCs that the implementation claims."""
    stored = sum(
        count
        for (facts, outcome), count in results.counted.get(participant.name, {}).items()
        if outcome in FAILING and facts.binding == "required" and claims(participant, facts.spec)
    )
    return stored + sum(
        tally.failing
        for tally in results.tallies
        if tally.implementation == participant.name and claims(participant, tally.spec)
    )


def examples(results: Results) -> dict[tuple[str, str], list[Failure]]:
    """The generated cases that failed and are in the file, by implementation and part of a tier."""
    found: dict[tuple[str, str], list[Failure]] = {}
    for example in results.examples:
        key = example.result.implementation, example.asked.title
        found.setdefault(key, []).append(Failure(example.asked, example.result, results))
    return found


def groups(results: Results) -> list[Group]:
    """Every group of failures: those of claimed RFCs before others, then the gravest, then the largest."""
    kept = examples(results)
    found = [group for participant in results.participants for group in _stored(results, participant)]
    for participant in results.participants:
        found += [
            _generated(participant, tally, kept.get((participant.name, tally.part), ()))
            for tally in results.tallies
            if tally.implementation == participant.name and tally.failing
        ]
    order = {participant.name: number for number, participant in enumerate(results.participants)}
    return sorted(found, key=lambda group: (*_gravity(group), order[group.implementation], _place(group)))


def _stored(results: Results, participant: Participant) -> Iterator[Group]:
    """The groups of the failing cases that are in the file; of a large one not all cases are held."""
    outcomes: dict[tuple[Spec, str, str], Counter[Outcome]] = {}
    kept: dict[tuple[Spec, str, str], list[Failure]] = {}
    for one in failures(results, participant):
        case = one.asked.case
        key = case.spec, case.section, case.vector.class_ or ""
        outcomes.setdefault(key, Counter())[one.result.outcome] += 1
        some = kept.setdefault(key, [])
        if len(some) < KEPT:
            some.append(one)
    for key, counts in outcomes.items():
        spec, label, class_ = key
        title, claimed = results.titles.get((spec, label), ""), claims(participant, spec)
        where, shown = place(label, title), tuple(kept[key])
        named = "" if where == title else title
        yield Group(participant.name, spec, where, named, class_, claimed, counts, shown)


def _generated(participant: Participant, tally: Tally, kept: Sequence[Failure]) -> Group:
    outcomes = {outcome: count for outcome, count in tally.required.items() if outcome in FAILING and count}
    place = f"{tally.rule or 'pairs'}, tier {tally.tier}"
    claimed = claims(participant, tally.spec)
    return Group(participant.name, tally.spec, place, "", "", claimed, outcomes, tuple(kept))


def _gravity(group: Group) -> tuple[bool, bool, bool, int]:
    """Sort key: what is claimed, then adapters that broke, then what is a danger, then how many."""
    abnormal = any(outcome in _ABNORMAL for outcome in group.outcomes)
    return not group.claimed, not abnormal, "security" not in group.flags, -group.size


def _place(group: Group) -> tuple[int, tuple[tuple[int, int, str], ...], str]:
    return SPECS.index(group.spec), section_key(group.place.removeprefix("section ")), group.class_
