"""Expressions as patterns of a flavour, with a group for each capture.

Before an expression is written, `tidy` replaces parts of it by shorter ones of the same language, such as two
equal neighbours by a repetition. The structure of the grammar stays.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

from urlharness.patterns.flavours import CannotSay, Flavour
from urloracle.grammar.alphabet import only_character
from urloracle.grammar.expression import (
    EMPTY,
    NOTHING,
    Alternation,
    Capture,
    Characters,
    Expression,
    Reference,
    Repetition,
    Sequence,
    deterministic,
    first,
    optional,
)
from urloracle.regex.rewriting import alternation, merge_captures, sequence

#: Up to so many equal characters, such as `//`, are shorter than a character with a quantifier.
_LONGEST_LITERAL_RUN = 4

_QUANTIFIERS = {(0, None): "*", (1, None): "+", (0, 1): "?", (1, 1): ""}


def tidy(expression: Expression) -> Expression:
    """Return a shorter expression with the same texts and captures, innermost parts first."""
    match expression:
        case Capture(name, element):
            return Capture(name, tidy(element))
        case Sequence(elements):
            return _tidy_sequence(sequence(tuple(map(tidy, elements))))
        case Alternation(elements):
            return _tidy_alternation(alternation(tuple(map(tidy, elements))))
        case Repetition(element, minimum, maximum):
            return _tidy_repetition(Repetition(tidy(element), minimum, maximum))
        case _:
            return expression


def _tidy_sequence(expression: Expression) -> Expression:
    """Return a sequence in which neighbours that are equal are a repetition.

    Of one element, X X is X{2} and X X* is X+. Of several, X Y X Y is (X Y){2}.
    """
    if not isinstance(expression, Sequence):
        return expression
    elements: list[Expression] = []
    for element, run in groupby(expression.elements, key=_repeated):
        neighbours = list(run)
        elements += neighbours if _is_short(neighbours) else [_joined(element, neighbours)]
    for period in range(2, len(elements) // 2 + 1):
        elements = _with_blocks(elements, period)
    return sequence(tuple(elements))


def _is_short(neighbours: list[Expression]) -> bool:
    """Return True if a run of equal elements is shorter without a repetition, such as two slashes."""
    first = neighbours[0]
    is_one_character = isinstance(first, Characters) and only_character(first.members) is not None
    is_literal = is_one_character and not any(isinstance(element, Repetition) for element in neighbours)
    return len(neighbours) == 1 or (is_literal and len(neighbours) <= _LONGEST_LITERAL_RUN)


def _joined(element: Expression, neighbours: list[Expression]) -> Repetition:
    """Return one repetition for neighbours that have the same `_repeated` element."""
    bounds = [_bounds(neighbour) for neighbour in neighbours]
    minimum = sum(lowest for lowest, _ in bounds)
    maximums = [highest for _, highest in bounds if highest is not None]
    return Repetition(element, minimum, sum(maximums) if len(maximums) == len(bounds) else None)


def _with_blocks(elements: list[Expression], period: int) -> list[Expression]:
    """Return the elements with a repetition for each block of `period` elements that is repeated at once."""
    joined: list[Expression] = []
    index = 0
    while index < len(elements):
        block = elements[index : index + period]
        copies = 1
        while elements[index + copies * period : index + (copies + 1) * period] == block:
            copies += 1
        if copies == 1 or len(block) < period:
            joined.append(elements[index])
            index += 1
        else:
            joined.append(Repetition(Sequence(tuple(block)), copies, copies))
            index += copies * period
    return joined


def _repeated(expression: Expression) -> Expression:
    """Return the element of a repetition, and any other expression itself."""
    return expression.element if isinstance(expression, Repetition) else expression


def _bounds(expression: Expression) -> tuple[int, int | None]:
    """Return how often an expression has its `_repeated` element."""
    if isinstance(expression, Repetition):
        return expression.minimum, expression.maximum
    return 1, 1


def _tidy_alternation(expression: Expression) -> Expression:
    """Return an alternation with neighbouring captures merged, and without the empty text as alternative."""
    if not isinstance(expression, Alternation):
        return expression
    merged = [_tidy_capture(element) for element in merge_captures(expression.elements)]
    alternatives = tuple(element for element in merged if element != EMPTY)
    if len(alternatives) == len(merged):
        return alternation(alternatives)
    return optional(alternation(alternatives)) if alternatives else EMPTY


def _tidy_capture(expression: Expression) -> Expression:
    """Return a capture whose element is an alternation with this element in short form."""
    match expression:
        case Capture(name, Alternation() as element):
            return Capture(name, _tidy_alternation(element))
        case _:
            return expression


def _tidy_repetition(repetition: Repetition) -> Expression:
    """Return X* for X?*, and X for exactly one X."""
    match repetition:
        case Repetition(element, 1, 1):
            return element
        case Repetition(Repetition(element, 0, 1), _, None):
            return Repetition(element, 0, None)
        case _:
            return repetition


class _Context(NamedTuple):
    """The surroundings of a part of a pattern.

    `copies` is how often bounded repetitions repeat the part at most, and `follow` are the letters that can
    come after it.
    """

    copies: int
    follow: frozenset[str]


@dataclass
class PatternWriter:
    """Writes expressions as patterns of a flavour.

    `groups` maps each capture to the names of its groups, or to their numbers if the flavour has no names. A
    capture that stands at several places has a group for each, of which at most one matches. `fills_stack` is
    true if the flavour keeps a frame for each repetition of a group, since not all of them are possessive.
    """

    flavour: Flavour
    groups: dict[str, list[str]] = field(default_factory=dict)
    fills_stack: bool = False
    _count: int = 0

    def write(self, expression: Expression) -> str:
        """Return the pattern of an expression between the anchors of the flavour.

        Raise CannotSay if a limit of the flavour is exceeded.
        """
        pattern = self._write_element(expression, _Context(1, NOTHING))
        return f"{self.flavour.begin}{pattern}{self.flavour.end}"

    def _write(self, expression: Expression, context: _Context) -> str:
        """Return the pattern of an expression; an alternation is not in a group."""
        match expression:
            case Characters(members):
                return self.flavour.characters(members)
            case Sequence(elements):
                patterns = []
                for number, element in enumerate(elements):
                    follow = first(Sequence(elements[number + 1 :]), context.follow)
                    patterns.append(self._write_element(element, context._replace(follow=follow)))
                return "".join(patterns)
            case Alternation(elements):
                return "|".join(self._write(element, context) for element in elements)
            case Capture(name, element):
                if element == EMPTY and self.flavour.is_posix:
                    raise CannotSay(f"{self.flavour.title} has no empty group, as {name} would need")
                return f"{self._open_capture(name)}{self._write(element, context)})"
            case Repetition():
                return self._write_repetition(expression, context)
            case Reference(name):
                raise ValueError(f"reference to {name} is not expanded")

    def _write_element(self, expression: Expression, context: _Context) -> str:
        """Return the pattern of an element of a sequence."""
        if isinstance(expression, Alternation):
            return self._grouped(expression, context)
        return self._write(expression, context)

    def _write_repetition(self, repetition: Repetition, context: _Context) -> str:
        """Return the pattern of a repetition. Raise CannotSay if it is repeated too often."""
        element, minimum, maximum = repetition.element, repetition.minimum, repetition.maximum
        copies = context.copies * (minimum if maximum is None else maximum)
        self._check_repetitions(copies if self.flavour.nested else max(minimum, maximum or 0))
        follow = context.follow if maximum == 1 else context.follow | first(element, NOTHING)
        inside = _Context(max(context.copies, copies), follow)
        if isinstance(element, Characters | Capture):
            return self._write(element, inside) + _quantifier(minimum, maximum)
        pattern = self._grouped(element, inside) + _quantifier(minimum, maximum)
        if not self.flavour.is_possessive or maximum is not None:
            return pattern
        if deterministic(repetition, context.follow):
            return f"{pattern}+"
        self.fills_stack = True
        return pattern

    def _check_repetitions(self, repetitions: int) -> None:
        """Raise CannotSay if the flavour does not repeat as often."""
        most = self.flavour.repetitions
        if most is not None and repetitions > most:
            raise CannotSay(f"{self.flavour.title} repeats at most {most:,} times, not {repetitions:,}")

    def _grouped(self, expression: Expression, context: _Context) -> str:
        """Return the pattern of an expression in a group that captures nothing of interest."""
        return f"{self._open()}{self._write(expression, context)})"

    def _open(self) -> str:
        """Return the beginning of a group, and count it if its flavour gives every group a number."""
        opening = self.flavour.opening
        if opening == "(":
            self._count += 1
        return opening

    def _open_capture(self, component: str) -> str:
        """Return the beginning of a group of a component, with the next free name or number."""
        names = self.groups.setdefault(component, [])
        self._count += 1
        if self.flavour.named is None:
            names.append(str(self._count))
            return "("
        name = self.flavour.name_of_group.sub("", component)
        if names:
            name += str(len(names) + 1)
        names.append(name)
        return self.flavour.named.format(name)


def _quantifier(minimum: int, maximum: int | None) -> str:
    """Return the quantifier of a repetition."""
    if (minimum, maximum) in _QUANTIFIERS:
        return _QUANTIFIERS[minimum, maximum]
    if minimum == maximum:
        return f"{{{minimum}}}"
    return f"{{{minimum},{'' if maximum is None else maximum}}}"
