"""Right-hand sides of productions as data, and the properties that follow from their structure.

RFC 822 notation and ABNF share these expressions.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Characters:
    """Any one of a set of characters: `"a"`, `%x30-39`, or a class of single characters."""

    members: frozenset[str]


@dataclass(frozen=True, slots=True)
class Reference:
    """Another rule by name; names are case-insensitive (RFC 822 section 2.1, RFC 2234 section 2.1)."""

    name: str


@dataclass(frozen=True, slots=True)
class Sequence:
    """Concatenation; the empty sequence derives the empty string."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Alternation:
    """Alternatives in the order in which the RFC prints them."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Repetition:
    """The item, repeated `minimum` to `maximum` times; unbounded if `maximum` is None."""

    item: Expression
    minimum: int
    maximum: int | None


@dataclass(frozen=True, slots=True)
class Capture:
    """A part of an expression whose text is a component.

    A capture derives the same texts as `item`.  Grammar files contain no captures.
    """

    name: str
    item: Expression


Expression = Characters | Reference | Sequence | Alternation | Repetition | Capture

EMPTY = Sequence(())


def literal(text: str, *, fold_case: bool) -> Expression:
    """Return the expression of a quoted literal, case-insensitive if `fold_case`."""
    letters = tuple(
        Characters(frozenset((char.lower(), char.upper())) if fold_case else frozenset(char)) for char in text
    )
    return letters[0] if len(letters) == 1 else Sequence(letters)


def optional(item: Expression) -> Expression:
    """Return an expression that derives what the item derives, and the empty string."""
    return Repetition(item, 0, 1)


def walk(expression: Expression) -> Iterator[Expression]:
    """Yield an expression and all of its parts, from left to right."""
    stack = [expression]
    while stack:
        part = stack.pop()
        yield part
        match part:
            case Sequence(items) | Alternation(items):
                stack += reversed(items)
            case Repetition(item) | Capture(_, item):
                stack.append(item)


def references(expression: Expression) -> Iterator[str]:
    """Yield the names of the rules that an expression refers to, in order, duplicates included."""
    return (part.name for part in walk(expression) if isinstance(part, Reference))


def captures(expression: Expression) -> bool:
    """Return True if the expression contains a capture."""
    return any(isinstance(part, Capture) for part in walk(expression))


def unbounded(expression: Expression) -> bool:
    """Return True if some repetition in the expression is unbounded."""
    return any(isinstance(part, Repetition) and part.maximum is None for part in walk(expression))


def first(expression: Expression, follow: frozenset[str]) -> frozenset[str]:
    """Return the characters with which the words of the expression can begin.

    If the expression derives the empty string, add `follow`, the characters that can come after it.
    """
    match expression:
        case Characters(members):
            return members
        case Sequence(items):
            for item in reversed(items):
                follow = first(item, follow)
            return follow
        case Alternation(items):
            return NOTHING.union(*(first(item, follow) for item in items))
        case Repetition(item, minimum, _):
            return first(item, follow) if minimum else first(item, follow) | follow
        case Capture(_, item):
            return first(item, follow)
        case Reference(name):
            raise ValueError(f"reference to {name} is not expanded")


def nullable(expression: Expression) -> bool:
    """Return True if the expression derives the empty string."""
    return "" in first(expression, frozenset(("",)))


def deterministic(expression: Expression, follow: frozenset[str]) -> bool:
    """Return True if the next character alone decides every choice, so that backtracking never helps.

    `follow` contains the characters that can come after the expression.
    """
    match expression:
        case Sequence(items):
            return all(
                deterministic(item, first(Sequence(items[number + 1 :]), follow))
                for number, item in enumerate(items)
            )
        case Alternation(items):
            starts = [first(item, follow) for item in items]
            apart = sum(map(len, starts)) == len(NOTHING.union(*starts))
            # an alternative that can be empty hides the alternatives after it
            return (
                apart
                and not any(map(nullable, items[:-1]))
                and all(deterministic(item, follow) for item in items)
            )
        case Repetition(item, minimum, maximum):
            begin = first(item, NOTHING)
            decided = minimum == maximum or not begin & follow
            again = follow if maximum == 1 else follow | begin
            return decided and not nullable(item) and deterministic(item, again)
        case Capture(_, item):
            return deterministic(item, follow)
        case _:
            return True


def leaves(expression: Expression) -> int:
    """Count the character sets in the expression after bounded repetitions are written out."""
    match expression:
        case Sequence(items) | Alternation(items):
            return sum(map(leaves, items))
        case Repetition(item, minimum, maximum):
            return leaves(item) * (maximum or minimum or 1)
        case Capture(_, item):
            return leaves(item)
        case _:
            return 1
