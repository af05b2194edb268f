"""Right-hand sides of productions as data, and the properties that follow from their structure.

RFC 822 notation and ABNF share these expressions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

NOTHING: frozenset[str] = frozenset()


class Beginning(NamedTuple):
    """The beginnings of the words of an expression.

    `characters` are the first characters of its words. `may_be_empty` is true if the empty text is a word.
    """

    characters: frozenset[str]
    may_be_empty: bool


class _Part:
    """An expression, or a part of one.

    What its structure implies is found once, because the rewriting asks for it several 100,000 times.
    """

    @cached_property
    def beginning(self) -> Beginning:
        """The beginnings of its words.  Raise ValueError if one of them is a reference."""
        return _beginning(self)

    @cached_property
    def has_captures(self) -> bool:
        """True if the expression contains a capture."""
        return _contains_capture(self)


@dataclass(frozen=True)
class Characters(_Part):
    """Any one of a set of characters: `"a"`, `%x30-39`, or a class of single characters."""

    members: frozenset[str]


@dataclass(frozen=True)
class Reference(_Part):
    """Another rule by name; names are case-insensitive (RFC 822 section 2.1, RFC 2234 section 2.1)."""

    name: str


@dataclass(frozen=True)
class Sequence(_Part):
    """Concatenation; the empty sequence derives the empty string."""

    elements: tuple[Expression, ...]


@dataclass(frozen=True)
class Alternation(_Part):
    """Alternatives in the order in which the RFC prints them."""

    elements: tuple[Expression, ...]


@dataclass(frozen=True)
class Repetition(_Part):
    """The element, repeated `minimum` to `maximum` times; unbounded if `maximum` is None."""

    element: Expression
    minimum: int
    maximum: int | None


@dataclass(frozen=True)
class Capture(_Part):
    """A part of an expression whose text is a component.

    A capture derives the same texts as `element`.  Grammar files contain no captures.
    """

    name: str
    element: Expression


Expression = Characters | Reference | Sequence | Alternation | Repetition | Capture

EMPTY = Sequence(())


def literal(text: str, *, fold_case: bool) -> Expression:
    """Return the expression of a quoted literal, case-insensitive if `fold_case`.

    One character is a `Characters`; any other text, even the empty one, is a `Sequence`.
    """
    letters = []
    for char in text:
        members = {char.lower(), char.upper()} if fold_case else {char}
        letters.append(Characters(frozenset(members)))
    return letters[0] if len(letters) == 1 else Sequence(tuple(letters))


def optional(element: Expression) -> Expression:
    """Return an expression that derives what the element derives, and the empty string."""
    return Repetition(element, 0, 1)


def walk(expression: Expression) -> Iterator[Expression]:
    """Yield an expression and all of its parts, from left to right."""
    stack = [expression]
    while stack:
        part = stack.pop()
        yield part
        match part:
            case Sequence(elements) | Alternation(elements):
                stack += reversed(elements)
            case Repetition(element) | Capture(_, element):
                stack.append(element)


def references(expression: Expression) -> Iterator[str]:
    """Yield the names of the rules that an expression refers to, in order, duplicates included."""
    return (part.name for part in walk(expression) if isinstance(part, Reference))


def has_captures(expression: Expression) -> bool:
    """Return True if the expression contains a capture."""
    return expression.has_captures


def _contains_capture(expression: _Part) -> bool:
    """Return True if a part is a capture or contains one.  Its own parts know the answer already."""
    match expression:
        case Capture():
            return True
        case Sequence(elements) | Alternation(elements):
            return any(element.has_captures for element in elements)
        case Repetition(element):
            return element.has_captures
        case _:
            return False


def unbounded(expression: Expression) -> bool:
    """Return True if some repetition in the expression is unbounded."""
    return any(isinstance(part, Repetition) and part.maximum is None for part in walk(expression))


def first(expression: Expression, follow: frozenset[str]) -> frozenset[str]:
    """Return the characters with which the words of the expression can begin.

    If the expression derives the empty string, add `follow`, the characters that can come after it.
    """
    characters, may_be_empty = expression.beginning
    return characters | follow if may_be_empty else characters


def _beginning(expression: _Part) -> Beginning:
    """Return the beginnings of the words of an expression; see `_Part.beginning`."""
    match expression:
        case Characters(members):
            return Beginning(members, may_be_empty=False)
        case Sequence(elements):
            return _beginning_of_sequence(elements)
        case Alternation(elements):
            beginnings = [element.beginning for element in elements]
            characters = NOTHING.union(*(beginning.characters for beginning in beginnings))
            return Beginning(characters, any(beginning.may_be_empty for beginning in beginnings))
        case Repetition(element, minimum):
            characters, may_be_empty = element.beginning
            return Beginning(characters, may_be_empty or not minimum)
        case Capture(_, element):
            return element.beginning
        case Reference(name):
            raise ValueError(f"reference to {name} is not expanded")
        case _:
            raise TypeError(f"{expression!r} is not an expression")


def _beginning_of_sequence(elements: tuple[Expression, ...]) -> Beginning:
    """Return the beginnings of the words of a sequence; those of an empty element are those after it."""
    following = Beginning(NOTHING, may_be_empty=True)
    for element in reversed(elements):
        characters, may_be_empty = element.beginning
        if may_be_empty:
            following = Beginning(characters | following.characters, following.may_be_empty)
        else:
            following = element.beginning
    return following


def nullable(expression: Expression) -> bool:
    """Return True if the expression derives the empty string."""
    return expression.beginning.may_be_empty


def deterministic(expression: Expression, follow: frozenset[str]) -> bool:
    """Return True if the next character alone decides every choice, so that backtracking never helps.

    `follow` contains the characters that can come after the expression.
    """
    match expression:
        case Sequence(elements):
            return all(
                deterministic(element, first(Sequence(elements[number + 1 :]), follow))
                for number, element in enumerate(elements)
            )
        case Alternation(elements):
            starts = [first(element, follow) for element in elements]
            is_disjoint = sum(map(len, starts)) == len(NOTHING.union(*starts))
            # an alternative that can be empty hides the alternatives after it
            return (
                is_disjoint
                and not any(map(nullable, elements[:-1]))
                and all(deterministic(element, follow) for element in elements)
            )
        case Repetition(element, minimum, maximum):
            begin = first(element, NOTHING)
            decided = minimum == maximum or not begin & follow
            again = follow if maximum == 1 else follow | begin
            return decided and not nullable(element) and deterministic(element, again)
        case Capture(_, element):
            return deterministic(element, follow)
        case _:
            return True


def count_leaves(expression: Expression) -> int:
    """Count the character sets in the expression after bounded repetitions are written out."""
    match expression:
        case Sequence(elements) | Alternation(elements):
            return sum(map(count_leaves, elements))
        case Repetition(element, minimum, maximum):
            copies = maximum or minimum or 1  # an unbounded repetition is written at least once
            return copies * count_leaves(element)
        case Capture(_, element):
            return count_leaves(element)
        case _:
            return 1
