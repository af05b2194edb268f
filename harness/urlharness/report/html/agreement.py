"""The drawing of who answers like whom: leaves below each other, joined where their shares meet."""

from __future__ import annotations

from math import floor
from typing import NamedTuple

from urlharness.results.agreement import Likeness

#: Height of a leaf, as in the style sheet, and the width of the drawing in units of its own.
LEAF, WIDTH = 24, 1000


_EDGE = 4


class Step(NamedTuple):
    """A join in words: the share of equal answers, and the two groups."""

    share: str
    left: str
    right: str


class Dendrogram(NamedTuple):
    """The leaves from top to bottom, the paths beside them, the marks of the axis, and the same in words."""

    leaves: list[str]
    height: int
    lines: list[str]
    marks: list[tuple[str, float]]
    steps: list[Step]


def dendrogram(likeness: Likeness) -> Dendrogram:
    """The drawing; leaves stand at the full share, and the axis begins at the tenth below the least one."""
    count = len(likeness.names)
    least = min((join.share for join in likeness.joins), default=1.0)
    begin = min(9, int(least * 10)) / 10

    def across(share: float) -> float:
        """From the leaves, at 100 %, to the right."""
        return round(_EDGE + (1 - share) / (1 - begin) * (WIDTH - 2 * _EDGE), 1)

    spots = {leaf: (across(1.0), row * LEAF + LEAF / 2) for row, leaf in enumerate(likeness.order)}
    lines, steps = [], []
    for number, join in enumerate(likeness.joins):
        (x1, y1), (x2, y2) = spots[join.left], spots[join.right]
        x = max(across(join.share), x1, x2)
        lines.append(f"M{x1} {y1}H{x}V{y2}H{x2}")
        spots[count + number] = (x, (y1 + y2) / 2)
        left, right = (", ".join(likeness.named(node)) for node in (join.left, join.right))
        steps.append(Step(_percent(join.share), left, right))
    marks = [
        (f"{tenth * 10}", round(100 * across(tenth / 10) / WIDTH, 1))
        for tenth in range(int(begin * 10), 11, _every(begin))
    ]
    return Dendrogram([likeness.names[leaf] for leaf in likeness.order], count * LEAF, lines, marks, steps)


def _percent(share: float) -> str:
    """Cut, so that only groups which always answer alike read 100 %."""
    tenths = floor(round(share * 1000, 6))  # rounded first: binary fractions lose what 57 of 100 needs
    return f"{tenths // 10}.{tenths % 10} %" if 0 < tenths < 1000 else f"{tenths // 10} %"


def _every(begin: float) -> int:
    return 2 if begin < 0.5 else 1
