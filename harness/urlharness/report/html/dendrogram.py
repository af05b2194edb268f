"""A dendrogram of the implementations by their shares of equal answers, with a list of its joins."""

from __future__ import annotations

from math import floor
from typing import NamedTuple

from urlharness.compare.families import Likeness

#: The height of a leaf, which must equal that in the style sheet, and the width of the drawing in SVG units.
LEAF, WIDTH = 24, 1000

#: The room at each side of the drawing, in SVG units.
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


def draw_dendrogram(likeness: Likeness) -> Dendrogram:
    """Draw the clusters of implementations as a dendrogram.

    The axis runs from 100 % (the leaves) to the smallest share of equal answers, rounded down to a multiple
    of 10 %.
    """
    axis = _axis_of(likeness)
    spots = {}
    for row, leaf in enumerate(likeness.order):
        middle = row * LEAF + LEAF / 2
        spots[leaf] = _Spot(axis.x(1.0), middle)
    lines = []
    steps = []
    # leaves are numbered first, and then the joins
    for node, join in enumerate(likeness.joins, len(likeness.names)):
        upper = spots[join.left]
        lower = spots[join.right]
        joint = max(axis.x(join.share), upper.x, lower.x)  # a join never lies before the joins in it
        lines.append(f"M{upper.x} {upper.y}H{joint}V{lower.y}H{lower.x}")
        middle = (upper.y + lower.y) / 2
        spots[node] = _Spot(joint, middle)
        left_names = ", ".join(likeness.named(join.left))
        right_names = ", ".join(likeness.named(join.right))
        steps.append(Merge(_percent(join.share), left_names, right_names))
    leaves = [likeness.names[leaf] for leaf in likeness.order]
    return Dendrogram(leaves, len(leaves) * LEAF, lines, axis.marks(), steps)


class _Spot(NamedTuple):
    """The end of a leaf, or the middle of a join."""

    x: float
    y: float


class _Axis(NamedTuple):
    """The axis of shares, from 100 % on the left to `least_tenth` tenths on the right, at most 9."""

    least_tenth: int

    def x(self, share: float) -> float:
        """Return the place of a share, in SVG units from the left."""
        length = WIDTH - 2 * _EDGE
        distance = (1 - share) / (1 - self.least_tenth / 10)
        return round(_EDGE + distance * length, 1)

    def marks(self) -> list[tuple[str, float]]:
        """Return (percentage, place in percent of the width) for each mark."""
        step = 2 if self.least_tenth < 5 else 1  # a long axis has a mark for every second tenth
        marks = []
        for tenth in range(self.least_tenth, 11, step):
            percentage = 100 * self.x(tenth / 10) / WIDTH
            marks.append((f"{10 * tenth}", round(percentage, 1)))
        return marks


def _axis_of(likeness: Likeness) -> _Axis:
    """Return the axis down to the smallest share of a join, rounded down to a tenth."""
    least_share = min((join.share for join in likeness.joins), default=1.0)
    least_tenth = int(least_share * 10)
    return _Axis(min(9, least_tenth))


def _percent(share: float) -> str:
    """Format a share in percent, rounded down: only a share of 1 is 100 %."""
    tenths = floor(round(share * 1000, 6))  # without `round`, 57 of 100 is less than 57 %
    percentage, tenth = divmod(tenths, 10)
    return f"{percentage}.{tenth} %" if 0 < tenths < 1000 else f"{percentage} %"
