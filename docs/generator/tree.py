"""An expression as a drawing: literals and rules in boxes, an optional part in a dashed frame."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby

from generator.svg import box, mono
from urloracle.grammar.expression import Alternation, Characters, Expression, Reference, Repetition, Sequence

#: The width of a drawn expression, and a function that draws it from its left end and middle line.
Tree = tuple[float, Callable[[float, float], list[str]]]


def tree(expression: Expression) -> Tree:
    """Return the width of an expression, and a function that draws it from its left end and middle line."""
    match expression:
        case Reference(name):
            return _leaf(name, "g1")
        case Characters(members):
            return _leaf(f'"{min(members)}"', "ink")
        case Repetition(element, _, _):
            return _framed(tree(element), _depth(element))
        case Sequence(elements) | Alternation(elements):
            return _row(_parts(elements))
        case _:
            return 0, lambda _x, _y: []


def _leaf(name: str, colour: str) -> Tree:
    """Return a name or a literal in a box."""
    width = 8.2 * len(name) + 18

    def draw(x: float, y: float) -> list[str]:
        outline = box(x, y - 14, width, 28, f"s-{colour}", 7)
        return [outline, mono(x + width / 2, y + 5, name, 13.5, f"f-{colour}", "middle")]

    return width, draw


def _framed(inside: Tree, depth: int) -> Tree:
    """Return a part in a dashed frame, which is higher if there are frames inside it."""
    width, draw_inside = inside
    half = 20 + 7 * depth

    def draw(x: float, y: float) -> list[str]:
        frame = box(x, y - half, width + 20, 2 * half, "s-soft", 9, ' stroke-dasharray="4 4"')
        return [frame, *draw_inside(x + 10, y)]

    return width + 20, draw


def _depth(expression: Expression) -> int:
    """Return the depth of nested optional parts."""
    match expression:
        case Repetition(element, _, _):
            return 1 + _depth(element)
        case Sequence(elements) | Alternation(elements):
            return max(map(_depth, elements), default=0)
        case _:
            return 0


def _parts(elements: tuple[Expression, ...]) -> list[Tree]:
    """Return the parts of a sequence; a run of single characters is one literal."""
    parts: list[Tree] = []
    for is_literal, run in groupby(_flat(elements), key=lambda element: isinstance(element, Characters)):
        if is_literal:
            word = "".join(min(element.members) for element in run if isinstance(element, Characters))
            parts.append(_leaf(f'"{word}"', "ink"))
        else:
            parts += map(tree, run)
    return parts


def _flat(elements: tuple[Expression, ...]) -> Iterator[Expression]:
    """Yield the elements, those of inner sequences one by one."""
    for element in elements:
        if isinstance(element, Sequence):
            yield from _flat(element.elements)
        else:
            yield element


def _row(parts: list[Tree]) -> Tree:
    """Return parts beside each other."""
    gap = 9
    width = sum(part_width for part_width, _ in parts) + gap * (len(parts) - 1)

    def draw(x: float, y: float) -> list[str]:
        drawn = []
        part_x = x
        for part_width, draw_part in parts:
            drawn += draw_part(part_x, y)
            part_x += part_width + gap
        return drawn

    return width, draw
