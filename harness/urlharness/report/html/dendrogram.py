"""A dendrogram of the implementations by their shares of equal answers, with a list of its joins."""

from __future__ import annotations

from math import floor
from typing import NamedTuple

from urlharness.compare.families import Likeness

#: The height of a leaf, which must equal that in the style sheet, and the width of the drawing in SVG units.
LEAF, WIDTH = 24, 1000

_EDGE = 4


class Merge(NamedTuple):
    """Two groups that are joined, and their share of equal answers."""

    share: str
    left: str
    right: str


class Dendrogram(NamedTuple):
    """A drawing as SVG: its height, the names of the leaves from top to bottom, and a path for each join.

    `marks` are pairs (figure, place in percent) for the axis. `steps` are the joins in words.
    """

    leaves: list[str]
    height: int
    lines: list[str]
    marks: list[tuple[str, float]]
    steps: list[Merge]


def dendrogram(likeness: Likeness) -> Dendrogram:
    """Draw the clusters of implementations as a dendrogram.

    The axis runs from 100 % (the leaves) to the smallest share of equal answers, rounded down to a multiple
    of 10 %.
    """
    count = len(likeness.names)
    least = min((join.share for join in likeness.joins), default=1.0)
    begin = min(9, int(least * 10)) / 10

    def across(share: float) -> float:
        return round(_EDGE + (1 - share) / (1 - begin) * (WIDTH - 2 * _EDGE), 1)

    spots = {leaf: (across(1.0), row * LEAF + LEAF / 2) for row, leaf in enumerate(likeness.order)}
    lines, steps = [], []
    for number, join in enumerate(likeness.joins):
        (x1, y1), (x2, y2) = spots[join.left], spots[join.right]
        x = max(across(join.share), x1, x2)
        lines.append(f"M{x1} {y1}H{x}V{y2}H{x2}")
        spots[count + number] = (x, (y1 + y2) / 2)
        left, right = (", ".join(likeness.named(node)) for node in (join.left, join.right))
        steps.append(Merge(_percent(join.share), left, right))
    tenths = range(int(begin * 10), 11, 2 if begin < 0.5 else 1)
    marks = [(f"{tenth * 10}", round(100 * across(tenth / 10) / WIDTH, 1)) for tenth in tenths]
    return Dendrogram([likeness.names[leaf] for leaf in likeness.order], count * LEAF, lines, marks, steps)


def _percent(share: float) -> str:
    """Format a share in percent, rounded down: only a share of 1 is 100 %."""
    tenths = floor(round(share * 1000, 6))  # without `round`, 57 of 100 is less than 57 %
    return f"{tenths // 10}.{tenths % 10} %" if 0 < tenths < 1000 else f"{tenths // 10} %"
