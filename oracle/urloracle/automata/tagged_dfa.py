"""Which reading of a text is preferred: an ordered automaton made deterministic, before anything is noted.

A state is the list of nodes at which the readings of a text so far stand, the preferred one first.  A reading
that no continuation makes the preferred one of a whole text is left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from urloracle.automata.dfa import SINK
from urloracle.automata.tagged_nfa import OrderedAutomaton

START = 1


class Origin(NamedTuple):
    """Where a reading comes from: a reading of the state before, and the brackets noted on the way."""

    reading: int
    brackets: tuple[int, ...]


class Step(NamedTuple):
    """The state behind one more character, and the origin of each of its readings."""

    target: int
    origins: tuple[Origin, ...]


@dataclass(frozen=True)
class Preference:
    """`steps[state][class]`, and where a text may end the origin of its split in `ends`, None elsewhere.

    For each reading of a state, `needed` are the brackets whose last place is still asked for, `passed` those
    that it may have passed.
    """

    steps: tuple[tuple[Step, ...], ...]
    ends: tuple[Origin | None, ...]
    needed: tuple[tuple[frozenset[int], ...], ...]
    passed: tuple[tuple[frozenset[int], ...], ...]


def preference(automaton: OrderedAutomaton, brackets: frozenset[int]) -> Preference:
    """The deterministic automaton; `brackets` are those whose places a split asks for."""
    steps, ends = _determinize(automaton)
    needed = _needed(steps, ends, brackets)
    useful = [[reading for reading, asked in enumerate(row) if asked is not None] for row in needed]
    numbers = [{reading: number for number, reading in enumerate(row)} for row in useful]

    def renumbered(state: int, origin: Origin) -> Origin:
        return Origin(numbers[state][origin.reading], origin.brackets)

    kept = tuple(
        tuple(
            Step(step.target, tuple(renumbered(state, step.origins[one]) for one in useful[step.target]))
            for step in row
        )
        for state, row in enumerate(steps)
    )
    return Preference(
        kept,
        tuple(None if end is None else renumbered(state, end) for state, end in enumerate(ends)),
        tuple(tuple(asked for asked in row if asked is not None) for row in needed),
        _passed(kept, [len(row) for row in useful]),
    )


def _determinize(automaton: OrderedAutomaton) -> tuple[list[tuple[Step, ...]], list[Origin | None]]:
    numbers: dict[tuple[int, ...], int] = {(): SINK, (automaton.start,): START}
    queue: list[tuple[int, ...]] = list(numbers)
    steps, ends = [], []
    for nodes in queue:
        row = []
        for kind in range(automaton.kinds):
            reached: dict[int, Origin] = {}
            for reading, node in enumerate(nodes):
                for target, brackets in automaton.ways[node].get(kind, ()):
                    reached.setdefault(target, Origin(reading, brackets))  # the preferred one came first
            following = tuple(reached)
            if following not in numbers:
                numbers[following] = len(queue)
                queue.append(following)
            row.append(Step(numbers[following], tuple(reached.values())))
        steps.append(tuple(row))
        ends.append(next(_ends(automaton, nodes), None))
    return steps, ends


def _ends(automaton: OrderedAutomaton, nodes: tuple[int, ...]) -> Iterator[Origin]:
    for reading, node in enumerate(nodes):
        brackets = automaton.ends[node]
        if brackets is not None:
            yield Origin(reading, brackets)


def _needed(
    steps: list[tuple[Step, ...]], ends: list[Origin | None], brackets: frozenset[int]
) -> list[list[frozenset[int] | None]]:
    """The brackets that each reading of each state is asked for at some end, None where it is never asked."""
    needed: list[dict[int, frozenset[int]]] = [{} for _ in steps]
    sources: list[set[int]] = [set() for _ in steps]
    for state, row in enumerate(steps):
        for step in row:
            sources[step.target].add(state)
        end = ends[state]
        if end is not None:
            needed[state][end.reading] = brackets.difference(end.brackets)
    waiting = set(range(len(steps)))
    while waiting:
        state = waiting.pop()
        before = dict(needed[state])
        for target, origins in set(steps[state]):
            for reading, asked in list(needed[target].items()):  # a state may lead to itself
                origin = origins[reading]
                known = needed[state].get(origin.reading, frozenset())
                needed[state][origin.reading] = known | asked.difference(origin.brackets)
        if needed[state] != before:
            waiting |= sources[state]
    count = {step.target: len(step.origins) for row in steps for step in row} | {START: 1}
    return [[needed[state].get(reading) for reading in range(count[state])] for state in range(len(steps))]


def _passed(steps: tuple[tuple[Step, ...], ...], sizes: list[int]) -> tuple[tuple[frozenset[int], ...], ...]:
    passed = [[frozenset[int]()] * size for size in sizes]
    waiting = {START}
    seen = {START}
    while waiting:
        state = waiting.pop()
        for target, origins in set(steps[state]):
            after = [
                passed[target][number] | passed[state][origin.reading] | frozenset(origin.brackets)
                for number, origin in enumerate(origins)
            ]
            if after != passed[target] or target not in seen:
                passed[target] = after
                seen.add(target)
                waiting.add(target)
    return tuple(map(tuple, passed))
