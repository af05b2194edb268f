"""Likeness of implementations: their shares of equal answers, clustered by average linkage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

#: The share of equal answers, from 0 to 1, of each two implementations, by their indexes.
_Shares = list[list[float]]

_LARGEST_BYTE = 255


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
        if node < len(self.names):
            return [self.names[node]]
        join = self.joins[node - len(self.names)]
        return [self.names[member] for member in join.members]


def cluster_by_likeness(names: list[str], cases: Sequence[Sequence[bytes | None]]) -> Likeness:
    """Cluster implementations by their shares of equal answers.

    Each item of `cases` lists the answers to a case in the order of `names`. None means that there is no
    answer.
    """
    count = len(names)
    shares = _shares_of_equal_answers(count, cases)
    clusters: dict[int, tuple[int, ...]] = {number: (number,) for number in range(count)}
    joins: list[Join] = []
    while len(clusters) > 1:
        left, right = _nearest_clusters(clusters, shares)
        mean_share = _mean_share(clusters[left], clusters[right], shares)
        members = clusters.pop(left) + clusters.pop(right)
        clusters[count + len(joins)] = members
        joins.append(Join(left, right, mean_share, members))
    order = list(joins[-1].members) if joins else list(range(count))
    return Likeness(names, order, joins)


def _nearest_clusters(clusters: Mapping[int, tuple[int, ...]], shares: _Shares) -> tuple[int, int]:
    """Return the numbers of the two clusters with the largest mean share of equal answers.

    Of equally near pairs, it is the first. A joined cluster has a larger number than those that it joins, and
    comes after them.
    """
    return max(
        combinations(clusters, 2),
        key=lambda pair: _mean_share(clusters[pair[0]], clusters[pair[1]], shares),
    )


def _mean_share(first: tuple[int, ...], second: tuple[int, ...], shares: _Shares) -> float:
    """Return the mean of the shares over all pairs with one member in each of two clusters."""
    shares_of_pairs = [shares[row][column] for row, column in product(first, second)]
    return sum(shares_of_pairs) / len(shares_of_pairs)


def _shares_of_equal_answers(count: int, cases: Sequence[Sequence[bytes | None]]) -> _Shares:
    """Return for each pair the share of equal answers among the cases that both answer (0 if there are none).

    Two columns of answers are compared in one step, as large integers with one byte for each case.
    """
    size = len(cases)
    columns = _columns_of_answers(count, cases)
    numbers = [int.from_bytes(column) for column in columns]
    # a bit for each case without an answer
    silent = [int.from_bytes(bytes(not byte for byte in column)) for column in columns]
    shares = [[1.0] * count for _ in range(count)]
    for row, column in combinations(range(count), 2):
        any_silent = (silent[row] | silent[column]).bit_count()
        both_silent = (silent[row] & silent[column]).bit_count()
        equal_bytes = (numbers[row] ^ numbers[column]).to_bytes(size).count(0)
        both_answer = size - any_silent
        equal_answers = equal_bytes - both_silent
        share = equal_answers / both_answer if both_answer else 0.0
        shares[row][column] = share
        shares[column][row] = share
    return shares


def _columns_of_answers(count: int, cases: Sequence[Sequence[bytes | None]]) -> list[bytearray]:
    """Return a column for each implementation, which has a byte for each case.

    The byte is 0 if there is no answer, and otherwise a number that equal answers to the case share. A byte
    has no room for more than 255 answers: the others count as equal to the last one.
    """
    columns = [bytearray(len(cases)) for _ in range(count)]
    for row, answers in enumerate(cases):
        number_by_answer: dict[bytes, int] = {}
        for column, answer in enumerate(answers):
            if answer is not None:
                number = number_by_answer.setdefault(answer, len(number_by_answer) + 1)
                columns[column][row] = min(number, _LARGEST_BYTE)
    return columns
