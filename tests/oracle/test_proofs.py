"""Proofs that every pattern in use accepts exactly the language of its rule, and splits it as it should.

The pattern's own syntax tree, as `re` parses it, is turned into an automaton and compared with that of the rule
(product construction).  Greedy and possessive repetition have one language only where nothing that goes on
inside a repetition can also follow it: that is checked at every possessive repetition of the tree.
"""

from __future__ import annotations

import re._constants as sre
import re._parser as sre_parser
from collections.abc import Iterator
from typing import Any

import pytest

from urloracle import SPECIFICATIONS
from urloracle.automaton import Automaton, determinize, difference, minimize
from urloracle.expression import (
    EMPTY,
    Alternation,
    Characters,
    Expression,
    Repetition,
    Sequence,
)
from urloracle.grammar import Grammar
from urloracle.lookahead import NOTHING, deterministic, first
from urloracle.pattern import pattern
from urloracle.positions import position_automaton

NO_RULES = Grammar({}, {}, {})

RULES = [
    pytest.param(spec, rule, id=f"{spec.id}-{rule}")
    for spec in SPECIFICATIONS.values()
    for rule in spec.grammar
]


def expressions(tree: Any) -> Iterator[Expression]:
    """The expressions of a parsed pattern, in sequence."""
    for operation, argument in tree:
        yield expression(operation, argument)


def expression(operation: Any, argument: Any) -> Expression:
    if operation is sre.LITERAL:
        return Characters(frozenset(chr(argument)))
    if operation is sre.IN:
        members: set[str] = set()
        for kind, value in argument:
            low, high = (value, value) if kind is sre.LITERAL else value
            members.update(map(chr, range(low, high + 1)))
        return Characters(frozenset(members))
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


def automaton_of(source: str) -> Automaton:
    """The minimal automaton of a pattern, every repetition read as a greedy one."""
    tree = sre_parser.parse(source)
    found, _ = determinize(position_automaton(NO_RULES, Sequence(tuple(expressions(tree)))))
    return minimize(found)


def possessive(tree: Any, follow: frozenset[str]) -> Iterator[tuple[Expression, frozenset[str]]]:
    """Every possessive repetition of a parsed pattern, with the characters that may follow it."""
    items = list(tree)
    for number, (operation, argument) in enumerate(items):
        rest = first(Sequence(tuple(expressions(items[number + 1 :]))), follow)
        if operation is sre.BRANCH:
            for branch in argument[1]:
                yield from possessive(branch, rest)
        elif operation is sre.SUBPATTERN:
            yield from possessive(argument[3], rest)
        elif operation in (sre.MAX_REPEAT, sre.POSSESSIVE_REPEAT):
            whole = expression(operation, argument)
            if operation is sre.POSSESSIVE_REPEAT:
                yield whole, rest
            again = rest | first(whole, NOTHING) if argument[1] != 1 else rest
            yield from possessive(argument[2], again)


def same(left: Automaton, right: Automaton) -> bool:
    return (
        difference(left, right).shortest_member() is None
        and difference(right, left).shortest_member() is None
    )


@pytest.mark.parametrize(("spec", "rule"), RULES)
def test_the_pattern_accepts_the_language_of_the_rule(spec, rule):
    source = pattern(spec.grammar, rule).regex.pattern
    assert same(automaton_of(source), spec.language(rule).automaton)


@pytest.mark.parametrize(("spec", "rule"), RULES)
def test_a_possessive_repetition_never_takes_what_could_follow_it(spec, rule):
    tree = sre_parser.parse(pattern(spec.grammar, rule).regex.pattern)
    undecided = [whole for whole, follow in possessive(tree, NOTHING) if not deterministic(whole, follow)]
    assert undecided == []


SPLITS = [
    pytest.param(spec, id=spec.id) for spec in SPECIFICATIONS.values()
]


@pytest.mark.parametrize("spec", SPLITS)
def test_a_splitting_pattern_accepts_the_language_of_its_rule(spec):
    spec.read("x:")  # compiles what it splits with
    if spec.resolver:
        spec.resolve("http://h/", "x")
    for rule, found in spec.languages.patterns():
        assert same(automaton_of(found.regex.pattern), spec.language(rule).automaton), rule


@pytest.mark.parametrize(
    ("source", "fits"),
    [
        pytest.param("[ab]*+b", False, id="possessive-set-swallows-what-follows"),
        pytest.param("(?:ab?)*+b", False, id="possessive-group-swallows-what-follows"),
        pytest.param("[ab]*+c", True, id="nothing-in-common"),
        pytest.param("(?:a(?:,a)*+)?+;", True, id="decided-by-the-next-character"),
    ],
)
def test_planted_possessive_repetitions(source, fits):
    found = list(possessive(sre_parser.parse(source), NOTHING))
    assert all(deterministic(whole, follow) for whole, follow in found) is fits
    assert found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("0-9", "0-8", id="a-digit-lost"),
        pytest.param("//", "/", id="a-slash-lost"),
        pytest.param("*+", "++", id="a-repetition-that-must-occur"),
        pytest.param("@", "!", id="a-delimiter-changed"),
        pytest.param(r"\?", r"\#", id="query-for-fragment"),
    ],
)
def test_planted_faults_in_a_pattern_are_seen(old, new):
    spec = SPECIFICATIONS["rfc3986"]
    source = pattern(spec.grammar, "URI-reference").regex.pattern
    assert old in source
    assert not same(automaton_of(source.replace(old, new)), spec.language("URI-reference").automaton)


def test_the_empty_pattern_is_the_empty_word():
    assert automaton_of("").accepts("")
    assert Sequence(()) == EMPTY
