"""Parts of an expression that another part includes: dropped, where no capture would be lost.

A text is then matched in one way where the rule as printed has several, and a pattern does not try them all.
"""

from __future__ import annotations

from collections.abc import Iterator

from urloracle.automaton import determinize, difference
from urloracle.expression import EMPTY, Alternation, Capture, Expression, Repetition, Sequence, optional
from urloracle.grammar import Grammar
from urloracle.lookahead import NOTHING, first, leaves, unbounded
from urloracle.positions import position_automaton
from urloracle.rewriting import captures, sequence

_WORTH_COMPARING = 150  # leaves of two parts: larger ones are not included in one another here


def without_subsumed(grammar: Grammar, expression: Expression) -> Expression:
    """The expression without alternatives that another one includes, where no capture would be lost."""
    match expression:
        case Alternation(items):
            kept = [without_subsumed(grammar, item) for item in items]
            if captures(expression):
                return Alternation(tuple(kept))
            sure = [_certain(item) for item in kept]  # X? | Y = (X | Y)?
            for item in list(sure):
                others = [other for other in sure if other is not item]
                if any(_includes(grammar, other, item) for other in others):
                    sure.remove(item)
            left = sure[0] if len(sure) == 1 else Alternation(tuple(sure))
            return left if set(map(_certain, kept)) == set(kept) else optional(left)
        case Sequence(items):
            return sequence(tuple(_without_tails(grammar, items)))
        case Repetition(item, minimum, maximum):
            return Repetition(without_subsumed(grammar, item), minimum, maximum)
        case Capture(name, item):
            return Capture(name, without_subsumed(grammar, item))
        case _:
            return expression


def _without_tails(grammar: Grammar, items: tuple[Expression, ...]) -> Iterator[Expression]:
    """The items of a sequence, but for optional ones whose texts the repetition in front takes anyway.

    X* T? = X* where X* includes T; a capture of X* is the same, since it takes what it can.
    """
    before: Expression = EMPTY
    for item in items:
        kept = without_subsumed(grammar, item)
        tail = _certain(kept)
        if tail is not kept and not captures(tail) and _takes_all(grammar, before, tail):
            continue
        yield kept
        before = kept


def _takes_all(grammar: Grammar, before: Expression, tail: Expression) -> bool:
    match before:
        case Capture(_, item):
            return _takes_all(grammar, item, tail)
        case Repetition(_, 0 | 1, None):
            return _includes(grammar, Repetition(before, 0, None), tail)
        case _:
            return False


def _certain(expression: Expression) -> Expression:
    """The item of an optional one."""
    match expression:
        case Repetition(item, 0, 1):
            return item
        case _:
            return expression


def _includes(grammar: Grammar, larger: Expression, smaller: Expression) -> bool:
    if not (unbounded(larger) and first(smaller, NOTHING) <= first(larger, NOTHING)):
        return False
    if leaves(smaller) + leaves(larger) > _WORTH_COMPARING:
        return False
    big, _ = determinize(position_automaton(grammar, larger))
    small, _ = determinize(position_automaton(grammar, smaller))
    member = small.shortest_member()
    if member is None or not big.accepts(member):
        return False
    return difference(small, big).shortest_member() is None
