"""Who answers like whom: shares of equal answers between implementations, joined step by step into groups.

Two implementations are compared over the cases that both answer.  Groups are joined by average linkage: the
share of two groups is the mean over their pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations


@dataclass(frozen=True, slots=True)
class Join:
    """Two groups that become one; `members` are all its implementations in the order of the drawing.

    `share` is that of equal answers, from 0 to 1; `left` and `right` are leaves (below the number of
    implementations) or joins (by their number above that).
    """

    left: int
    right: int
    share: float
    members: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Likeness:
    """The joins of all implementations, the nearest first, and the order in which they stand then."""

    names: list[str]
    order: list[int]
    joins: list[Join]

    def named(self, node: int) -> list[str]:
        """The implementations of a leaf or a join."""
        members = (node,) if node < len(self.names) else self.joins[node - len(self.names)].members
        return [self.names[member] for member in members]


def likeness(names: list[str], cases: Sequence[Sequence[bytes | None]]) -> Likeness:
    """The groups of implementations; `cases` has for each case what each is compared by, None for nothing."""
    count = len(names)
    share = _shares(count, cases)
    groups: dict[int, tuple[int, ...]] = {number: (number,) for number in range(count)}
    joins: list[Join] = []
    while len(groups) > 1:
        nearest = max(
            combinations(groups, 2), key=lambda pair: _mean(share, groups[pair[0]], groups[pair[1]])
        )
        left, right = nearest
        mean = _mean(share, groups[left], groups[right])
        members = groups.pop(left) + groups.pop(right)
        groups[count + len(joins)] = members
        joins.append(Join(left, right, mean, members))
    order = list(joins[-1].members) if joins else list(range(count))
    return Likeness(names, order, joins)


def _mean(share: list[list[float]], left: tuple[int, ...], right: tuple[int, ...]) -> float:
    return sum(share[one][other] for one in left for other in right) / (len(left) * len(right))


def _shares(count: int, cases: Sequence[Sequence[bytes | None]]) -> list[list[float]]:
    """For each pair the share of equal answers over the cases that both answer; 0 where there are none.

    A column is one byte for each case: 0 for no answer, else the class of the answer.  Two columns are
    compared in one step, as integers of as many bytes.
    """
    columns = [bytearray(len(cases)) for _ in range(count)]
    for row, answers in enumerate(cases):
        classes: dict[bytes, int] = {}
        for column, answer in enumerate(answers):
            if answer is not None:
                columns[column][row] = min(255, classes.setdefault(answer, len(classes) + 1))
    size = len(cases)
    numbers = [int.from_bytes(column) for column in columns]
    silent = [int.from_bytes(bytes(not octet for octet in column)) for column in columns]
    share = [[1.0] * count for _ in range(count)]
    for one, other in combinations(range(count), 2):
        mute = (silent[one] | silent[other]).bit_count()
        same = (numbers[one] ^ numbers[other]).to_bytes(size).count(0)
        same -= (silent[one] & silent[other]).bit_count()
        share[one][other] = share[other][one] = same / (size - mute) if size > mute else 0.0
    return share
