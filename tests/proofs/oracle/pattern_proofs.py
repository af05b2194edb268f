"""Helpers of the proofs about patterns: a pattern read back as an expression, and decisions about it.

The pattern's own syntax tree, as `re` parses it, becomes an automaton, to be compared with that of a rule.
Greedy and possessive repetition have one language only where the next character alone decides at every step:
that is decided on positions here, not by `urloracle.grammar.expression`, which the writer of patterns asks.
"""

from __future__ import annotations

import re._constants as sre
import re._parser as sre_parser
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any

from urloracle.automata.dfa import Automaton, determinize, difference, minimize, product
from urloracle.automata.positions import members, position_automaton
from urloracle.grammar.alphabet import ALPHABET, letters_between
from urloracle.grammar.expression import (
    EMPTY,
    Alternation,
    Capture,
    Characters,
    Expression,
    Repetition,
    Sequence,
    has_captures,
    walk,
)
from urloracle.grammar.grammar import Grammar
from urloracle.language import count_words
from urloracle.regex.pattern import Branch, pattern
from urloracle.rfc.captures import RARE, capture_components, split_pattern
from urloracle.specification import Specification

from .ambiguity import bracketed_words

NO_RULES = Grammar({}, {}, {})
NOTHING: frozenset[str] = frozenset()
NO_NAMES: Mapping[int, str] = {}

# The numbers of words of 20 characters.  They follow from the grammar alone, and hardly a slip leaves them as
# they are: one character more in one place is a multiple of ten more words.
WORDS = {
    ("rfc1738", "url"): 6194223868855065943242492505652158165,
    ("rfc1808", "URL"): 146508350526772141557591089739564810240,
    ("rfc2396", "URI-reference"): 164103104051193118346940606062302688747,
    ("rfc2732", "URI-reference"): 185980808609817725661900688096893607615,
    ("rfc3986", "URI-reference"): 164194014774385383287729327652650952866,
}


def expressions(tree: Any, names: Mapping[int, str] = NO_NAMES) -> Iterator[Expression]:
    """Yield the expressions of a parsed pattern, in sequence; the groups of these numbers become captures."""
    for operation, argument in tree:
        yield expression(operation, argument, names)


def expression(operation: Any, argument: Any, names: Mapping[int, str] = NO_NAMES) -> Expression:
    """Return the expression of one operation of a parsed pattern."""
    if operation is sre.LITERAL:
        return Characters(_letters(argument, argument))
    if operation is sre.IN:
        parts: set[str] = set()
        for kind, code_or_range in argument:
            low, high = (code_or_range, code_or_range) if kind is sre.LITERAL else code_or_range
            parts |= _letters(low, high)
        return Characters(frozenset(parts))
    if operation is sre.BRANCH:
        return Alternation(tuple(Sequence(tuple(expressions(branch, names))) for branch in argument[1]))
    if operation is sre.SUBPATTERN:
        inside = Sequence(tuple(expressions(argument[3], names)))
        return Capture(names[argument[0]], inside) if argument[0] in names else inside
    if operation is sre.ATOMIC_GROUP:  # exact where `undecided` finds nothing
        inside_of_group, _ = _guarded(argument)
        return Sequence(tuple(expressions(inside_of_group, names)))
    if operation is sre.GROUPREF_EXISTS:
        # group 1 was matched before, so that the empty group is not: see `unconditional`
        assert not argument[1]
        return EMPTY
    if operation in (sre.MAX_REPEAT, sre.POSSESSIVE_REPEAT):
        low, high, repeated = argument
        bound = None if high is sre.MAXREPEAT else high
        return Repetition(Sequence(tuple(expressions(repeated, names))), low, bound)
    if operation is sre.FAILURE or (operation is sre.ASSERT_NOT and not argument[1]):
        return Characters(NOTHING)  # (?!): the empty language
    raise AssertionError(f"the pattern uses {operation}")


def _letters(low: int, high: int) -> frozenset[str]:
    """Return the letters of a range in a pattern, which must not divide a range of the alphabet."""
    letters = letters_between(low, high)
    assert letters is not None, f"a pattern has the range {low:X}-{high:X}"
    return letters


def _guarded(tree: Any) -> tuple[Any, frozenset[str]]:
    """Return the parts of an atomic group `(?>...(?![...]))`, and the characters that may not follow it."""
    *inside, (operation, (direction, guard)) = tree
    assert operation == sre.ASSERT_NOT
    assert direction == 1
    assert len(guard) == 1
    characters = expression(*guard[0])
    assert isinstance(characters, Characters)
    return inside, characters.members


def unconditional(tree: Any, *, matched: bool = False) -> bool:
    """True if group 1 is the beginning of a pattern in which each `(?(1)|())` stands."""
    for operation, argument in tree:
        if operation is sre.GROUPREF_EXISTS and not (matched and argument[0] == 1):
            return False
        inside: list[Any] = []
        if operation is sre.BRANCH:
            inside = argument[1]
        elif operation is sre.ATOMIC_GROUP:
            inside = [argument]
        elif operation in (sre.SUBPATTERN, sre.MAX_REPEAT, sre.POSSESSIVE_REPEAT):
            inside = [argument[-1]]
        if not all(unconditional(part, matched=matched) for part in inside):
            return False
        matched = matched or (operation is sre.SUBPATTERN and argument[0] == 1)
    return True


def automaton_of(expression: Expression) -> Automaton:
    """Return the minimal automaton of an expression without references."""
    automaton, _ = determinize(position_automaton(NO_RULES, expression))
    return minimize(automaton)


def automaton_of_pattern(source: str) -> Automaton:
    """Return the minimal automaton of a pattern, every repetition read as a greedy one."""
    return automaton_of(Sequence(tuple(expressions(sre_parser.parse(source)))))


def branch_expression(branch: Branch) -> Expression:
    """Return the expression of a branch, its groups as captures of the components."""
    names = {number: name for name, number in branch.groups.items()}
    return Sequence(tuple(expressions(sre_parser.parse(branch.source), names)))


def misjudged(automaton: Automaton, needs: str, begins: frozenset[str]) -> str | None:
    """Return a shortest member without the string, or with another beginning; None if there is none."""
    anything = Repetition(Characters(frozenset(ALPHABET)), 0, None)
    letters = tuple(Characters(frozenset(char)) for char in needs)
    holding = automaton_of(Sequence((anything, *letters, anything)))
    beginning = Alternation(
        (Sequence((Characters(begins - {""}), anything)), *([EMPTY] if "" in begins else []))
    )
    differences = (difference(automaton, expected) for expected in (holding, automaton_of(beginning)))
    return next(
        (word for word in (automaton.shortest_member() for automaton in differences) if word is not None),
        None,
    )


def same(left: Automaton, right: Automaton) -> bool:
    """Return True if two automata accept the same texts."""
    return (
        difference(left, right).shortest_member() is None
        and difference(right, left).shortest_member() is None
    )


def begin(expression: Expression, follow: frozenset[str]) -> frozenset[str]:
    """Return the characters that an expression begins with, and if it may be empty those that follow it."""
    automaton = position_automaton(NO_RULES, expression)
    beginnings = NOTHING.union(*(automaton.positions[number].members for number in members(automaton.first)))
    return beginnings | follow if automaton.nullable else beginnings


def decided(expression: Expression, follow: frozenset[str]) -> bool:
    """Return True if the next character alone decides each step.

    The expression, with the characters that follow it, is one-unambiguous then (Brüggemann-Klein, Wood).
    Besides, only the last alternative may be empty, because an empty one is taken before those after it.
    """
    if _hides(expression):
        return False
    automaton = position_automaton(NO_RULES, Sequence((expression, Repetition(Characters(follow), 0, 1))))
    return all(
        automaton.positions[left].members.isdisjoint(automaton.positions[right].members)
        for bits in (automaton.first, *automaton.follow)
        for left, right in combinations(members(bits), 2)
    )


def _hides(expression: Expression) -> bool:
    """Return True if an alternative that may be empty precedes another one, which is then never tried."""
    match expression:
        case Alternation((*earlier, _)) if any(
            position_automaton(NO_RULES, alternative).nullable for alternative in earlier
        ):
            return True
        case Sequence(elements) | Alternation(elements):
            return any(map(_hides, elements))
        case Repetition(element):
            return _hides(element)
        case _:
            return False


def possessive(tree: Any, follow: frozenset[str]) -> Iterator[tuple[Expression, frozenset[str]]]:
    """Yield every possessive repetition of a parsed pattern, with the characters that may follow it."""
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
    """Return the parts of a pattern that may take what should have followed them.

    They are possessive repetitions, and atomic groups.  A possessive repetition may stand in one of several
    alternatives that has no groups and no text of its own, because the matcher goes back to the others.  The
    text of an atomic group is as long as possible: it has only characters that cannot follow it.
    """
    return list(_undecided(sre_parser.parse(source), NOTHING))


def _undecided(tree: Any, follow: frozenset[str]) -> Iterator[Expression]:
    """Yield the parts of a parsed pattern, before these characters, that `undecided` returns."""
    items = list(tree)
    for number, (operation, argument) in enumerate(items):
        rest = begin(Sequence(tuple(expressions(items[number + 1 :]))), follow)
        if operation is sre.BRANCH:
            yield from _undecided_alternatives(argument[1], rest)
        elif operation is sre.SUBPATTERN:
            yield from _undecided(argument[3], rest)
        elif operation is sre.ATOMIC_GROUP:
            inside, guard = _guarded(argument)
            if not _characters(inside) <= guard or guard & rest:
                yield Sequence(tuple(expressions(inside)))
            yield from _undecided(inside, rest)
        elif operation in (sre.MAX_REPEAT, sre.POSSESSIVE_REPEAT):
            whole = expression(operation, argument)
            if operation is sre.POSSESSIVE_REPEAT and not decided(whole, rest):
                yield whole
            again = rest | begin(whole, NOTHING) if argument[1] != 1 else rest
            yield from _undecided(argument[2], again)


def _undecided_alternatives(alternatives: list[Any], follow: frozenset[str]) -> Iterator[Expression]:
    """Yield the undecided parts of alternatives, but not if the others have the texts of an alternative."""
    undecided = [list(_undecided(alternative, follow)) for alternative in alternatives]
    sure = [
        Sequence(tuple(expressions(alternative)))
        for alternative, bad in zip(alternatives, undecided, strict=True)
        if not bad
    ]
    for branch, bad in zip(alternatives, undecided, strict=True):
        alternative_automaton = automaton_of(Sequence(tuple(expressions(branch))))
        spare = (
            difference(alternative_automaton, automaton_of(Alternation(tuple(sure)))).shortest_member()
            is None
        )
        if bad and not (spare and not _has_groups(branch)):
            yield from bad


def _characters(tree: Any) -> frozenset[str]:
    parts = walk(Sequence(tuple(expressions(tree))))
    return NOTHING.union(*(part.members for part in parts if isinstance(part, Characters)))


def _has_groups(tree: Any) -> bool:
    """Return True if a parsed pattern has groups."""
    every = dict.fromkeys(range(1, 1000), "")
    return any(has_captures(expression) for expression in expressions(tree, every))


def refuted(spec: Specification, rules: Iterable[str]) -> set[str]:
    """Return the names of the proofs that fail for some rule: language, possessive, words."""
    problems = set()
    for rule in rules:
        source = pattern(spec.grammar, rule).regex.pattern
        if not same(automaton_of_pattern(source), spec.language(rule).automaton):
            problems.add("language")
        if undecided(source):
            problems.add("possessive")
        number = WORDS.get((spec.id, rule))
        if number is not None and count_words(spec.automaton(rule), [20]) != [number]:
            problems.add("words")
    return problems


def refuted_split(spec: Specification, rule: str, *, whole: bool = True) -> set[str]:
    """Return the proofs that fail for the pattern that splits the texts of a rule, and for those without "@".

    They are: language; possessive; splits (with brackets in place of its groups the pattern has the words of
    the expression that it is made of); needs (what a branch says of its texts); absent (the groups of absent
    components).
    """
    pattern = split_pattern(spec.id, rule, spec.languages, whole=whole)
    columns, made_of = capture_components(spec.id, rule, spec.grammar, whole=whole)
    every = spec.language(rule).automaton, bracketed_words(made_of, columns).automaton
    rare = automaton_of(Repetition(Characters(frozenset(ALPHABET) - {RARE}), 0, None))
    plain = [product(branch, rare, lambda left, right: left and right) for branch in every]
    failing = _refuted_branches(pattern.regex.pattern, pattern.branches, columns, *every)
    of_plain = _refuted_branches(pattern.plain_regex.pattern, pattern.plain, columns, *plain)
    return failing | {f"plain-{name}" for name in of_plain}


def _refuted_branches(
    source: str, branches: tuple[Branch, ...], columns: tuple[str, ...], texts: Automaton, words: Automaton
) -> set[str]:
    """Return the proofs that fail for a pattern and its branches, by the names that `refuted_split` uses."""
    checks = {
        "language": same(automaton_of_pattern(source), texts),
        "possessive": undecided(source) == [],
        "splits": same(
            bracketed_words(Alternation(tuple(map(branch_expression, branches))), columns).automaton, words
        ),
        "needs": all(
            misjudged(automaton_of_pattern(branch.source), branch.needs, branch.begins) is None
            for branch in branches
        ),
        "absent": all(unconditional(sre_parser.parse(branch.source)) for branch in branches),
    }
    return {name for name, holds in checks.items() if not holds}
