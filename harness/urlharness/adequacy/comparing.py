"""Two automata compared exactly: equal, or a shortest text on which they differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from urloracle.automaton import ASCII, SINK, Automaton

#: The order in which characters stand for their class in a witness: letters first, then what is readable.
ORDER = sorted(ASCII, key=lambda c: (not c.islower(), not c.isalnum(), not c.isprintable() or c == " ", c))


def shortest_difference(left: Automaton, right: Automaton) -> str | None:
    """A shortest text that one automaton accepts and the other does not; None where they are equal."""
    kinds: dict[tuple[int, int], str] = {}
    for char in ORDER:
        pair = (left.classes.get(char, -1), right.classes.get(char, -1))
        if pair != (-1, -1):
            kinds.setdefault(pair, char)
    letters = [(one, other, char) for (one, other), char in kinds.items()]
    start = (left.start, right.start)
    came: dict[tuple[int, int], tuple[tuple[int, int], str]] = {}
    seen, queue = {start}, [start]
    for pair in queue:
        if (pair[0] in left.accepting) != (pair[1] in right.accepting):
            return _word(pair, start, came)
        first, second = left.table[pair[0]], right.table[pair[1]]
        for one, other, char in letters:
            after = (first[one] if one >= 0 else SINK, second[other] if other >= 0 else SINK)
            if after not in seen:
                seen.add(after)
                came[after] = (pair, char)
                queue.append(after)
    return None


def shortest_binding_difference(
    mutant: Automaton, true: Automaton, readings: Sequence[Automaton]
) -> str | None:
    """A shortest text that the mutant judges otherwise than the true automaton and all other readings do.

    None where there is none: all that the mutant changes is left open by some ruling.
    """
    every = (mutant, true, *readings)
    kinds: dict[tuple[int, ...], str] = {}
    for char in ORDER:
        kinds.setdefault(tuple(one.classes.get(char, -1) for one in every), char)
    start = tuple(one.start for one in every)
    came: dict[tuple[int, ...], tuple[tuple[int, ...], str]] = {}
    seen, queue = {start}, [start]
    for states in queue:
        verdict, *others = (state in one.accepting for state, one in zip(states, every, strict=True))
        if verdict not in others and len(set(others)) == 1:
            return _word(states, start, came)
        for classes, char in kinds.items():
            after = tuple(
                one.table[state][kind] if kind >= 0 else SINK
                for one, state, kind in zip(every, states, classes, strict=True)
            )
            if after not in seen:
                seen.add(after)
                came[after] = (states, char)
                queue.append(after)
    return None


_T = TypeVar("_T")


def _word(pair: _T, start: _T, came: Mapping[_T, tuple[_T, str]]) -> str:
    letters = []
    while pair != start:
        pair, char = came[pair]
        letters.append(char)
    return "".join(reversed(letters))
