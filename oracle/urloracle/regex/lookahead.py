"""What can be told of an expression without building its automaton: how it begins, and whether it decides."""

from __future__ import annotations

from urloracle.grammar.expression import (
    Alternation,
    Capture,
    Characters,
    Expression,
    Reference,
    Repetition,
    Sequence,
)

NOTHING: frozenset[str] = frozenset()


def first(expression: Expression, follow: frozenset[str]) -> frozenset[str]:
    """The characters that begin an expression, and where it may be empty those that follow it."""
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
    """True where the expression derives the empty string."""
    match expression:
        case Sequence(items):
            return all(map(nullable, items))
        case Alternation(items):
            return any(map(nullable, items))
        case Repetition(item, minimum, _):
            return minimum == 0 or nullable(item)
        case Capture(_, item):
            return nullable(item)
        case _:
            return False


def deterministic(expression: Expression, follow: frozenset[str]) -> bool:
    """True where the next character alone decides at every choice: then going back never helps."""
    match expression:
        case Sequence(items):
            return all(
                deterministic(item, first(Sequence(items[number + 1 :]), follow))
                for number, item in enumerate(items)
            )
        case Alternation(items):
            starts = [first(item, follow) for item in items]
            apart = sum(map(len, starts)) == len(NOTHING.union(*starts))
            # an alternative that may be empty hides those behind it
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
    """How many characters the expression spells out, repetitions counted."""
    match expression:
        case Sequence(items) | Alternation(items):
            return sum(map(leaves, items))
        case Repetition(item, minimum, maximum):
            return leaves(item) * (maximum or minimum or 1)
        case Capture(_, item):
            return leaves(item)
        case _:
            return 1


def unbounded(expression: Expression) -> bool:
    """True where some repetition of the expression has no bound."""
    match expression:
        case Sequence(items) | Alternation(items):
            return any(map(unbounded, items))
        case Repetition(item, _, maximum):
            return maximum is None or unbounded(item)
        case Capture(_, item):
            return unbounded(item)
        case _:
            return False
