"""Grammar mutation analysis of one subject: first order, second order, and operators held out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from urlharness.adequacy.bench import Bench, Finding
from urlharness.adequacy.compiling import Changes
from urlharness.adequacy.counting import Count
from urlharness.adequacy.subjects import Mutant
from urlharness.adequacy.suites import Suite

#: The operators are dealt to so many folds.
FOLDS = 5

#: The part of the core that was not made of mutants; it is what operators are held out from.
BARE = "core without witnesses"


class Judged(NamedTuple):
    """A first-order mutant, by its number among those of the subject, and what became of it."""

    number: int
    finding: Finding


def first_order(bench: Bench, numbers: Iterable[int]) -> Iterator[Judged]:
    """What becomes of first-order mutants."""
    for number in numbers:
        mutant = bench.subject.mutants[number]
        yield Judged(number, bench.judge(mutant.changes, mutant.character))


def second_order(bench: Bench, pairs: Iterable[tuple[Mutant, Mutant]]) -> Iterator[Finding]:
    """What becomes of pairs of mutants."""
    for one, other in pairs:
        yield bench.judge({**one.changes, **other.changes})


def fold_of(operator: str, operators: Sequence[str]) -> int:
    """The fold of an operator among all operators, which are dealt in alphabetical order."""
    return operators.index(operator) % FOLDS


def operators(mutants: Iterable[Mutant]) -> tuple[str, ...]:
    """The operators that made some mutant, in alphabetical order."""
    return tuple(sorted({mutant.operator for mutant in mutants}))


def witnesses_of_others(bench: Bench, judged: Iterable[Judged]) -> list[frozenset[str]]:
    """For each fold the shortest witnesses of the mutants of the other folds."""
    mutants = bench.subject.mutants
    names = operators(mutants)
    own: list[set[str]] = [set() for _ in range(FOLDS)]
    for number, finding in judged:
        if finding.witness is not None:
            own[fold_of(mutants[number].operator, names)].add(finding.witness)
    return [
        frozenset().union(*(own[other] for other in range(FOLDS) if other != fold)) for fold in range(FOLDS)
    ]


def held_out(
    bench: Bench, judged: Iterable[Judged], witnesses: Sequence[frozenset[str]]
) -> Iterator[tuple[Judged, bool]]:
    """Of mutants that the bare core does not notice, whether the witnesses of the other folds do."""
    accepts = bench.subject.automaton.accepts
    verdicts = [{text: accepts(text) for text in texts} for texts in witnesses]
    suites = [Suite(texts) for texts in verdicts]
    names = operators(bench.subject.mutants)
    for one in judged:
        mutant = bench.subject.mutants[one.number]
        fold = fold_of(mutant.operator, names)
        changes: Changes = mutant.changes
        automaton = bench.subject.compiler.automaton(bench.subject.rule, changes)
        noticed = suites[fold].notices(automaton)
        missed = one.finding.noticed.isdisjoint(_HELD_OUT)  # a table of splits takes a second to make
        if not noticed and (one.finding.components or (missed and bench.may_split(mutant.character))):
            table = bench.mutated_table(changes, automaton)
            noticed = table is not None and bench.splits_apart(verdicts[fold], table)
        yield one, noticed


def count(findings: Iterable[Finding], tier: Sequence[str]) -> Count:
    """The count of those that some suite of a tier notices."""
    killed = live = equivalent = undecided = left_open = 0
    for finding in findings:
        if finding.witness is not None:
            live += 1
            killed += not finding.noticed.isdisjoint(tier)
        elif finding.undecided:
            undecided += 1
        elif finding.open:
            left_open += 1
        else:
            equivalent += 1
    return Count(killed, live, equivalent, undecided, left_open)


def survivors(bench: Bench, judged: Iterable[Judged]) -> Iterator[tuple[Mutant, Finding]]:
    """The mutants that the core does not notice, with their witnesses."""
    for number, finding in judged:
        if finding.witness is not None and "core" not in finding.noticed:
            yield bench.subject.mutants[number], finding


#: What stands in for `whole` where operators are held out.
_HELD_OUT = frozenset((BARE, "complete", "bytes"))

#: The suites of each tier of the report; `whole` is what is stored and what has no extra states.
TIERS: Mapping[str, tuple[str, ...]] = {
    "core": ("core",),
    "complete": ("complete",),
    "bytes": ("bytes",),
    "whole": ("core", "complete", "bytes"),
}
