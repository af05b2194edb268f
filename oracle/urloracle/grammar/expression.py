"""Right-hand sides as data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

# -------------------- expression: Right-hand sides of productions as data: the shapes that RFC 822 notation and ABNF share.


@dataclass(frozen=True, slots=True)
class Characters:
    """Any one of a set of characters: `"a"`, `%x30-39`, or a class folded from single characters."""

    members: frozenset[str]


@dataclass(frozen=True, slots=True)
class Reference:
    """Another rule by name; names match in either case (RFC 822 section 2.1, RFC 2234 section 2.1)."""

    name: str


@dataclass(frozen=True, slots=True)
class Sequence:
    """Concatenation; the empty sequence derives the empty string."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Alternation:
    """A set of alternatives, in the order of print."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Repetition:
    """`minimum` to `maximum` times the item; no bound where `maximum` is None."""

    item: Expression
    minimum: int
    maximum: int | None


@dataclass(frozen=True, slots=True)
class Capture:
    """A part whose text is wanted; it derives what its item derives.  No notation writes one."""

    name: str
    item: Expression


Expression = Characters | Reference | Sequence | Alternation | Repetition | Capture


EMPTY = Sequence(())


def literal(text: str, *, fold_case: bool) -> Expression:
    """The expression of a quoted literal, in one case or in both."""
    letters = tuple(
        Characters(frozenset((char.lower(), char.upper())) if fold_case else frozenset(char)) for char in text
    )
    return letters[0] if len(letters) == 1 else Sequence(letters)


def optional(item: Expression) -> Expression:
    """The item or nothing."""
    return Repetition(item, 0, 1)


def references(expression: Expression) -> Iterator[str]:
    """Names of the rules that an expression refers to, in order, repeats included."""
    match expression:
        case Reference(name):
            yield name
        case Sequence(items) | Alternation(items):
            for item in items:
                yield from references(item)
        case Repetition(item) | Capture(_, item):
            yield from references(item)
        case Characters():
            pass


# -------------------- rewriting: Expressions rewritten so that a backtracking matcher need not go back: identities of regular languages.


def captures(expression: Expression) -> bool:
    """True where some part of the expression is captured."""
    match expression:
        case Capture():
            return True
        case Sequence(items) | Alternation(items):
            return any(map(captures, items))
        case Repetition(item):
            return captures(item)
        case _:
            return False
