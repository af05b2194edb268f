"""An expression as a drawing: literals and rules in boxes, an optional part in a dashed frame."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby

from generator.svg import box, mono
from urloracle.grammar.expression import Alternation, Characters, Expression, Reference, Repetition, Sequence

Tree = tuple[float, Callable[[float, float], list[str]]]


def tree(found: Expression) -> Tree:
    """Return the width of an expression, and a function that draws it from its left end and middle line."""
    match found:
        case Reference(name):
            return _leaf(name, "g1")
        case Characters(members):
            return _leaf(f'"{min(members)}"', "ink")
        case Repetition(item, _, _):
            width, draw = tree(item)
            return width + 20, lambda x, y: [_frame(x, y, width + 20, _depth(item)), *draw(x + 10, y)]
        case Sequence(items) | Alternation(items):
            return _row(_merged(items))
        case _:
            return 0, lambda _x, _y: []


def _leaf(name: str, colour: str) -> Tree:
    width = 8.2 * len(name) + 18
    return width, lambda x, y: [
        box(x, y - 14, width, 28, f"s-{colour}", 7),
        mono(x + width / 2, y + 5, name, 13.5, f"f-{colour}", "middle"),
    ]


def _frame(x: float, y: float, width: float, depth: int) -> str:
    half = 20 + 7 * depth
    return box(x, y - half, width, 2 * half, "s-soft", 9, ' stroke-dasharray="4 4"')


def _depth(found: Expression) -> int:
    """Return the depth of nested optional parts."""
    match found:
        case Repetition(item, _, _):
            return 1 + _depth(item)
        case Sequence(items) | Alternation(items):
            return max(map(_depth, items), default=0)
        case _:
            return 0


def _merged(items: tuple[Expression, ...]) -> list[Tree]:
    """Return the parts of a sequence; a run of single characters is one literal."""
    parts: list[Tree] = []
    for literal, run in groupby(_flat(items), key=lambda item: isinstance(item, Characters)):
        if literal:
            word = "".join(min(item.members) for item in run if isinstance(item, Characters))
            parts.append(_leaf(f'"{word}"', "ink"))
        else:
            parts += map(tree, run)
    return parts


def _flat(items: tuple[Expression, ...]) -> Iterator[Expression]:
    for item in items:
        if isinstance(item, Sequence):
            yield from _flat(item.items)
        else:
            yield item


def _row(parts: list[Tree]) -> Tree:
    gap = 9
    width = sum(part[0] for part in parts) + gap * (len(parts) - 1)

    def draw(x: float, y: float) -> list[str]:
        drawn = []
        for part_width, part in parts:
            drawn += part(x, y)
            x += part_width + gap
        return drawn

    return width, draw
