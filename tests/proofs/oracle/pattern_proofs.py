"""Helpers of the proofs about patterns: a pattern read back as an expression, and decisions about it.

The pattern's own syntax tree, as `re` parses it, becomes an automaton, to be compared with that of a rule.
Greedy and possessive repetition have one language only where the next character alone decides at every step:
that is decided on positions here, not by `urloracle.grammar.expression`, which the writer of patterns asks.
"""

from __future__ import annotations

import re._constants as sre
import re._parser as sre_parser
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any

from urloracle.automata.dfa import Automaton, determinize, difference, minimize
from urloracle.automata.positions import members, position_automaton
from urloracle.grammar.expression import Alternation, Characters, Expression, Repetition, Sequence
from urloracle.grammar.grammar import Grammar
from urloracle.language import count_words
from urloracle.regex.pattern import pattern
from urloracle.specification import Specification

NO_RULES = Grammar({}, {}, {})
NOTHING: frozenset[str] = frozenset()

# The numbers of words of 20 characters.  They follow from the grammar alone, and hardly a slip leaves them as
# they are: one character more in one place is a multiple of ten more words.
WORDS = {
    ("rfc1738", "url"): 6194223868855065943242492505652158165,
    ("rfc1808", "URL"): 146508350526772141557591089739564810240,
    ("rfc2396", "URI-reference"): 164103104051193118346940606062302688747,
    ("rfc2732", "URI-reference"): 185980808609817725661900688096893607615,
    ("rfc3986", "URI-reference"): 164194014774385383287729327652650952866,
}


def expressions(tree: Any) -> Iterator[Expression]:
    """The expressions of a parsed pattern, in sequence."""
    for operation, argument in tree:
        yield expression(operation, argument)


def expression(operation: Any, argument: Any) -> Expression:
    if operation is sre.LITERAL:
        return Characters(frozenset(chr(argument)))
    if operation is sre.IN:
        found: set[str] = set()
        for kind, value in argument:
            low, high = (value, value) if kind is sre.LITERAL else value
            found.update(map(chr, range(low, high + 1)))
        return Characters(frozenset(found))
    if operation is sre.BRANCH:
        return Alternation(tuple(Sequence(tuple(expressions(branch))) for branch in argument[1]))
    if operation is sre.SUBPATTERN:
        return Sequence(tuple(expressions(argument[3])))
    if operation in (sre.MAX_REPEAT, sre.POSSESSIVE_REPEAT):
        low, high, item = argument
        bound = None if high is sre.MAXREPEAT else high
        return Repetition(Sequence(tuple(expressions(item))), low, bound)
    if operation is sre.FAILURE or (operation is sre.ASSERT_NOT and not argument[1]):
        return Characters(NOTHING)  # (?!): the empty language
    raise AssertionError(f"the pattern uses {operation}")


def automaton_of(found: Expression) -> Automaton:
    """The minimal automaton of an expression without references."""
    return minimize(determinize(position_automaton(NO_RULES, found))[0])


def automaton_of_pattern(source: str) -> Automaton:
    """The minimal automaton of a pattern, every repetition read as a greedy one."""
    return automaton_of(Sequence(tuple(expressions(sre_parser.parse(source)))))


def same(left: Automaton, right: Automaton) -> bool:
    return (
        difference(left, right).shortest_member() is None
        and difference(right, left).shortest_member() is None
    )


def begin(found: Expression, follow: frozenset[str]) -> frozenset[str]:
    """The characters that an expression begins with, and where it may be empty those that follow it."""
    automaton = position_automaton(NO_RULES, found)
    own = NOTHING.union(*(automaton.positions[number].members for number in members(automaton.first)))
    return own | follow if automaton.nullable else own


def decided(found: Expression, follow: frozenset[str]) -> bool:
    """True if the next character alone decides each step: the expression, with the characters that follow it,
    is one-unambiguous (Brüggemann-Klein, Wood).  Besides, only the last alternative may be empty, since an
    empty one is taken before those after it are tried.
    """
    if _hides(found):
        return False
    automaton = position_automaton(NO_RULES, Sequence((found, Repetition(Characters(follow), 0, 1))))
    return all(
        not automaton.positions[one].members & automaton.positions[two].members
        for bits in (automaton.first, *automaton.follow)
        for one, two in combinations(members(bits), 2)
    )


def _hides(found: Expression) -> bool:
    match found:
        case Alternation(items) if any(position_automaton(NO_RULES, item).nullable for item in items[:-1]):
            return True
        case Sequence(items) | Alternation(items):
            return any(map(_hides, items))
        case Repetition(item):
            return _hides(item)
        case _:
            return False


def possessive(tree: Any, follow: frozenset[str]) -> Iterator[tuple[Expression, frozenset[str]]]:
    """Every possessive repetition of a parsed pattern, with the characters that may follow it."""
    items = list(tree)
    for number, (operation, argument) in enumerate(items):
        rest = begin(Sequence(tuple(expressions(items[number + 1 :]))), follow)
        if operation is sre.BRANCH:
            for branch in argument[1]:
                yield from possessive(branch, rest)
        elif operation is sre.SUBPATTERN:
            yield from possessive(argument[3], rest)
        elif operation in (sre.MAX_REPEAT, sre.POSSESSIVE_REPEAT):
            whole = expression(operation, argument)
            if operation is sre.POSSESSIVE_REPEAT:
                yield whole, rest
            again = rest | begin(whole, NOTHING) if argument[1] != 1 else rest
            yield from possessive(argument[2], again)


def undecided(source: str) -> list[Expression]:
    """The possessive repetitions of a pattern that may take what should have followed them."""
    found = possessive(sre_parser.parse(source), NOTHING)
    return [whole for whole, follow in found if not decided(whole, follow)]


def refuted(spec: Specification, rules: Iterable[str]) -> set[str]:
    """The proofs that fail for some rule of a specification, by name: language, possessive, words."""
    found = set()
    for rule in rules:
        source = pattern(spec.grammar, rule).regex.pattern
        if not same(automaton_of_pattern(source), spec.language(rule).automaton):
            found.add("language")
        if undecided(source):
            found.add("possessive")
        number = WORDS.get((spec.id, rule))
        if number is not None and count_words(spec.automaton(rule), [20]) != [number]:
            found.add("words")
    return found
