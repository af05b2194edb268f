"""How two languages relate, decided exactly: shortest witnesses both ways, and how many words they have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from urloracle.automaton import SINK, Automaton, difference, product

Verdict = Literal["equal", "included", "includes", "overlapping", "disjoint"]


@dataclass(frozen=True, slots=True)
class Counts:
    """How many words of one length the left language has, the right one, and either alone."""

    length: int
    left: int
    right: int
    only_left: int
    only_right: int


@dataclass(frozen=True, slots=True)
class Relation:
    """The left language against the right one.

    `only_left` and `only_right` are shortest words of one language that the other lacks, None where there are
    none; `both` is a shortest word that they share.
    """

    verdict: Verdict
    only_left: str | None
    only_right: str | None
    both: str | None
    counts: tuple[Counts, ...]


def relate(left: Automaton, right: Automaton, lengths: Sequence[int] = range(9)) -> Relation:
    """The relation of two languages, with the numbers of words of the given lengths."""
    only_left, only_right = difference(left, right), difference(right, left)
    one, two = only_left.shortest_member(), only_right.shortest_member()
    both = product(left, right, lambda here, there: here and there).shortest_member()
    columns = [count_words(automaton, lengths) for automaton in (left, right, only_left, only_right)]
    counts = tuple(
        Counts(length, *row) for length, row in zip(lengths, zip(*columns, strict=True), strict=True)
    )
    return Relation(_verdict(one, two, both), one, two, both, counts)


def count_words(automaton: Automaton, lengths: Sequence[int]) -> list[int]:
    """The number of members of each length, over ASCII."""
    sizes: dict[int, int] = {}
    for kind in automaton.classes.values():
        sizes[kind] = sizes.get(kind, 0) + 1
    steps = [
        [
            (following, sizes[kind])
            for kind, following in enumerate(row)
            if following != SINK and kind in sizes
        ]
        for row in automaton.table
    ]
    # ways[state]: how many words of the length so far lead from the state to acceptance
    ways = [int(state in automaton.accepting) for state in range(len(steps))]
    found = []
    for _ in range(max(lengths, default=-1) + 1):
        found.append(ways[automaton.start])
        ways = [sum(ways[following] * size for following, size in row) for row in steps]
    return [found[length] for length in lengths]


def _verdict(only_left: str | None, only_right: str | None, both: str | None) -> Verdict:
    if only_left is None:
        return "equal" if only_right is None else "included"
    if only_right is None:
        return "includes"
    return "disjoint" if both is None else "overlapping"
