"""An expression as a drawing: literals and rules in boxes, an optional part in a dashed frame."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby

from generator.svg import box, mono
from urloracle.grammar.expression import Alternation, Characters, Expression, Reference, Repetition, Sequence

Tree = tuple[float, Callable[[float, float], list[str]]]


def tree(expression: Expression) -> Tree:
    """Return the width of an expression, and a function that draws it from its left end and middle line."""
    match expression:
        case Reference(name):
            return _leaf(name, "g1")
        case Characters(members):
            return _leaf(f'"{min(members)}"', "ink")
        case Repetition(element, _, _):
            width, draw = tree(element)
            return width + 20, lambda x, y: [_frame(x, y, width + 20, _depth(element)), *draw(x + 10, y)]
        case Sequence(elements) | Alternation(elements):
            return _row(_merged(elements))
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


def _depth(expression: Expression) -> int:
    """Return the depth of nested optional parts."""
    match expression:
        case Repetition(element, _, _):
            return 1 + _depth(element)
        case Sequence(elements) | Alternation(elements):
            return max(map(_depth, elements), default=0)
        case _:
            return 0


def _merged(elements: tuple[Expression, ...]) -> list[Tree]:
    """Return the parts of a sequence; a run of single characters is one literal."""
    parts: list[Tree] = []
    for literal, run in groupby(_flat(elements), key=lambda element: isinstance(element, Characters)):
        if literal:
            word = "".join(min(element.members) for element in run if isinstance(element, Characters))
            parts.append(_leaf(f'"{word}"', "ink"))
        else:
            parts += map(tree, run)
    return parts


def _flat(elements: tuple[Expression, ...]) -> Iterator[Expression]:
    for element in elements:
        if isinstance(element, Sequence):
            yield from _flat(element.elements)
        else:
            yield element


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
