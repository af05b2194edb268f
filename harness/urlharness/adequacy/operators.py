"""Mutation operators on right-hand sides of productions: each makes one small change to one place.

An operator is one mistake that a reader of a grammar makes: an alternative forgotten, a bound off by one, a
delimiter taken for another, a character too many in a class.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from urloracle.automaton import ASCII
from urloracle.expression import (
    EMPTY,
    Alternation,
    Capture,
    Characters,
    Expression,
    Reference,
    Repetition,
    optional,
)
from urloracle.expression import Sequence as Chain

#: Single-character literals that are taken for one another.
DELIMITERS = ":/?#[]@;=&,.%"

#: What is added to a class: everything printable, the usual control characters, and DEL.
INTRUDERS = (*ASCII[32:127], "\x00", "\x01", "\t", "\n", "\r", "\x1f", "\x7f")

#: The finite bounds that take the place of an infinite one.
_FINITE = (1, 8)


class Mutation(NamedTuple):
    """The name of an operator, the expression that it makes, and the character that it adds or removes."""

    operator: str
    expression: Expression
    character: str = ""


#: The rules of the kind of a rule, by name.
Kin = Callable[[str], Sequence[str]]
#: The characters of an expression every word of which is one character, else None.
ClassOf = Callable[[Expression], frozenset[str] | None]


def mutations(expression: Expression, class_of: ClassOf, kin: Kin) -> Iterator[Mutation]:
    """Every change to one place of an expression, no result twice."""
    seen = {expression}
    for mutation in _everywhere(expression, class_of, kin):
        if mutation.expression not in seen:
            seen.add(mutation.expression)
            yield mutation


def _everywhere(  # noqa: C901 - a case for each shape
    expression: Expression, class_of: ClassOf, kin: Kin
) -> Iterator[Mutation]:
    members = class_of(expression)
    if members is not None and not isinstance(expression, Reference):
        yield from _of_class(expression, members, class_of, kin)
        return
    yield from _here(expression, class_of, kin)
    match expression:
        case Chain(items) if not _is_literal(expression):
            for number, item in enumerate(items):
                for operator, changed, char in _everywhere(item, class_of, kin):
                    yield Mutation(operator, Chain(_put(items, number, changed)), char)
        case Alternation(items):
            for number, item in enumerate(items):
                if class_of(item) is None or isinstance(item, Reference):
                    for operator, changed, char in _everywhere(item, class_of, kin):
                        yield Mutation(operator, Alternation(_put(items, number, changed)), char)
        case Repetition(item, minimum, maximum):
            for operator, changed, char in _everywhere(item, class_of, kin):
                yield Mutation(operator, Repetition(changed, minimum, maximum), char)
        case Capture(name, item):
            for operator, changed, char in _everywhere(item, class_of, kin):
                yield Mutation(operator, Capture(name, changed), char)


def _here(expression: Expression, class_of: ClassOf, kin: Kin) -> Iterator[Mutation]:
    match expression:
        case Reference(name):
            for other in kin(name):
                yield Mutation("replace-reference", Reference(other))
        case Chain() if _is_literal(expression):
            yield from _of_literal(expression)
        case Chain(items):
            yield from _of_sequence(items)
        case Alternation(items):
            for number in range(len(items)):
                yield Mutation("drop-alternative", _either(_put(items, number)))
            yield from _of_classes_among(items, class_of)
        case Repetition(item, 0, 1):
            yield Mutation("optional-required", item)
            yield Mutation("optional-never", EMPTY)
            yield Mutation("optional-repeated", Repetition(item, 0, None))
        case Repetition():
            yield from _of_bounds(expression)


def _of_sequence(items: tuple[Expression, ...]) -> Iterator[Mutation]:
    for number, item in enumerate(items):
        yield Mutation("drop-element", _chain(_put(items, number)))
        yield Mutation("make-optional", Chain(_put(items, number, optional(item))))
        yield Mutation("duplicate", Chain(_put(items, number, item, item)))
    for number in range(len(items) - 1):
        swapped = (items[number + 1], items[number])
        yield Mutation("swap-neighbours", Chain((*items[:number], *swapped, *items[number + 2 :])))


def _of_bounds(repetition: Repetition) -> Iterator[Mutation]:
    item, low, high = repetition.item, repetition.minimum, repetition.maximum
    bounds: list[tuple[int, int | None]] = []
    if low > 0:
        bounds.append((low - 1, high))
    if high is None:
        bounds += [(low + 1, None), *((low, max(low, finite)) for finite in _FINITE)]
    else:
        bounds += [(low, high + 1), (low, None)]
        if high > low:
            bounds += [(low, high - 1), (low + 1, high)]
        else:
            bounds += [(low - 1, high - 1), (low + 1, high + 1)]
    for minimum, maximum in bounds:
        yield Mutation("bound", Repetition(item, minimum, maximum))


def _of_literal(literal: Chain) -> Iterator[Mutation]:
    """Changes to a literal of several characters."""
    items = literal.items
    for number, item in enumerate(items):
        assert isinstance(item, Characters)
        yield Mutation("literal-drop", _chain(_put(items, number)))
        other = "y" if "x" in item.members else "x"
        yield Mutation("literal-substitute", Chain(_put(items, number, Characters(frozenset(other)))))
    yield from _of_case(literal)


def _of_case(literal: Chain) -> Iterator[Mutation]:
    letters = [i for i in literal.items if isinstance(i, Characters) and min(i.members).isalpha()]
    if letters:
        for change in (_folded, _lower, _upper):
            yield Mutation("literal-case", Chain(tuple(map(change, literal.items))))


def _folded(item: Expression) -> Expression:
    assert isinstance(item, Characters)
    return Characters(frozenset(c for m in item.members for c in (m.lower(), m.upper())))


def _lower(item: Expression) -> Expression:
    assert isinstance(item, Characters)
    return Characters(frozenset(m.lower() for m in item.members))


def _upper(item: Expression) -> Expression:
    assert isinstance(item, Characters)
    return Characters(frozenset(m.upper() for m in item.members))


def _of_class(  # noqa: C901 - one operator after the other
    expression: Expression, members: frozenset[str], class_of: ClassOf, kin: Kin
) -> Iterator[Mutation]:
    """Changes to an expression every word of which is one character; all give sets of characters."""
    if len(members) == 1:
        (single,) = members
        if single in DELIMITERS:
            for other in DELIMITERS:
                yield Mutation("swap-delimiter", Characters(frozenset(other)))
        elif single.isalpha():
            yield Mutation("literal-case", Characters(frozenset((single.lower(), single.upper()))))
            yield Mutation("literal-case", Characters(frozenset(single.swapcase())))
        return
    if isinstance(expression, Alternation):
        for number, item in enumerate(expression.items):
            rest = _union(_put(expression.items, number), class_of)
            if isinstance(item, Reference):
                if rest:
                    yield Mutation("drop-alternative", Characters(rest))
                for other in kin(item.name):
                    yield Mutation(
                        "replace-reference", Characters(rest | _union([Reference(other)], class_of))
                    )
    for char in sorted(members):
        yield Mutation("remove-character", Characters(members - {char}), char)
    for char in INTRUDERS:
        yield Mutation("add-character", Characters(members | {char}), char)


def _of_classes_among(items: tuple[Expression, ...], class_of: ClassOf) -> Iterator[Mutation]:
    """One character more or less in the single characters that an alternation allows beside longer words."""
    classes = [item for item in items if class_of(item) is not None]
    members = _union(classes, class_of)
    if len(members) < 2:
        return
    others = tuple(item for item in items if class_of(item) is None)
    for char in sorted(members):
        yield Mutation("remove-character", Alternation((Characters(members - {char}), *others)), char)
    for char in INTRUDERS:
        if char not in members:
            yield Mutation("add-character", Alternation((Characters(members | {char}), *others)), char)


def _union(items: Sequence[Expression], class_of: ClassOf) -> frozenset[str]:
    return frozenset[str]().union(*(class_of(item) or () for item in items))


def _is_literal(expression: Expression) -> bool:
    return (
        isinstance(expression, Chain)
        and len(expression.items) > 1
        and all(
            isinstance(i, Characters) and len({m.lower() for m in i.members}) == 1 for i in expression.items
        )
    )


def _put(items: tuple[Expression, ...], number: int, *instead: Expression) -> tuple[Expression, ...]:
    return (*items[:number], *instead, *items[number + 1 :])


def _chain(items: tuple[Expression, ...]) -> Expression:
    return items[0] if len(items) == 1 else Chain(items)


def _either(items: tuple[Expression, ...]) -> Expression:
    return items[0] if len(items) == 1 else Alternation(items)
