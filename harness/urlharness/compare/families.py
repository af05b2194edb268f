"""Likeness of implementations: their shares of equal answers, clustered by average linkage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, product


@dataclass(frozen=True, slots=True)
class Join:
    """Two clusters that are joined.

    `left` and `right` stand for the clusters: the index of an implementation, or the number of
    implementations plus the index of an earlier join. `share` is the mean share of equal answers, from 0 to
    1, over all pairs with one implementation in each cluster. `members` are the indexes of the
    implementations in both clusters, in the order in which a chart shows them.
    """

    left: int
    right: int
    share: float
    members: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Likeness:
    """A clustering of implementations by their shares of equal answers.

    `names` are the implementations. `order` contains their indexes in the order of a chart. The joins of
    clusters with the most equal answers come first in `joins`.
    """

    names: list[str]
    order: list[int]
    joins: list[Join]

    def named(self, node: int) -> list[str]:
        """Return the names of the implementations in a cluster. `node` is a number like `Join.left`."""
        members = (node,) if node < len(self.names) else self.joins[node - len(self.names)].members
        return [self.names[member] for member in members]


def cluster_by_likeness(names: list[str], cases: Sequence[Sequence[bytes | None]]) -> Likeness:
    """Cluster implementations by their shares of equal answers.

    Each item of `cases` lists the answers to a case in the order of `names`. None means that there is no
    answer.
    """
    count = len(names)
    shares = _shares(count, cases)
    clusters: dict[int, tuple[int, ...]] = {number: (number,) for number in range(count)}
    joins: list[Join] = []

    def mean(pair: tuple[int, int]) -> float:
        left, right = (clusters[number] for number in pair)
        shares_of_pair = [shares[row][column] for row, column in product(left, right)]
        return sum(shares_of_pair) / len(shares_of_pair)

    while len(clusters) > 1:
        # of equally near pairs, the first: clusters are in the order of `names`, and joined ones come last
        nearest = max(combinations(clusters, 2), key=mean)
        closeness = mean(nearest)
        left, right = nearest
        members = clusters.pop(left) + clusters.pop(right)
        clusters[count + len(joins)] = members
        joins.append(Join(left, right, closeness, members))
    order = list(joins[-1].members) if joins else list(range(count))
    return Likeness(names, order, joins)


def _shares(count: int, cases: Sequence[Sequence[bytes | None]]) -> list[list[float]]:
    """Return for each pair the share of equal answers among the cases that both answer (0 if there are none).

    Each implementation has a column with one byte for each case: 0 for no answer, otherwise a number that
    equal answers share. Two columns are compared in one step, as large integers.
    """
    columns = [bytearray(len(cases)) for _ in range(count)]
    for row, answers in enumerate(cases):
        classes: dict[bytes, int] = {}
        for column, answer in enumerate(answers):
            if answer is not None:
                # a byte has no room for more than 255 answers: the others count as equal to the last one
                columns[column][row] = min(255, classes.setdefault(answer, len(classes) + 1))
    size = len(cases)
    numbers = [int.from_bytes(column) for column in columns]
    silent = [int.from_bytes(bytes(not byte for byte in column)) for column in columns]
    shares = [[1.0] * count for _ in range(count)]
    for row, column in combinations(range(count), 2):
        both_answer = size - (silent[row] | silent[column]).bit_count()
        same = (numbers[row] ^ numbers[column]).to_bytes(size).count(0)  # 0 XOR 0 is 0, too
        same -= (silent[row] & silent[column]).bit_count()
        share = same / both_answer if both_answer else 0.0
        shares[row][column] = share
        shares[column][row] = share
    return shares
