"""Properties computed from the structure of an expression, compared with the words that it derives."""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest

from urloracle.automata.dfa import determinize, minimize
from urloracle.automata.positions import position_automaton
from urloracle.grammar.expression import (
    EMPTY,
    NOTHING,
    Alternation,
    Capture,
    Characters,
    Reference,
    Repetition,
    Sequence,
    deterministic,
    first,
    leaves,
    nullable,
    unbounded,
)
from urloracle.grammar.grammar import Grammar

A, B, C = (Characters(frozenset(char)) for char in "abc")
AB = Characters(frozenset("ab"))
NO_RULES = Grammar({}, {}, {})
BOUNDS = [(0, None), (1, None), (0, 1), (1, 2), (2, 2)]
WORDS = ["".join(word) for length in range(5) for word in product("abc", repeat=length)]


def automaton_of(rules):
    """The minimal automaton of an expression without references."""
    return minimize(determinize(position_automaton(NO_RULES, rules))[0])


def _larger(pool):
    yield from (Sequence(items) for items in product(pool, repeat=2))
    yield from (Alternation(items) for items in product(pool, repeat=2))
    yield from (Repetition(item, *bounds) for item in pool for bounds in BOUNDS)


SMALL = [A, B, AB, EMPTY, Capture("x", A), Repetition(A, 0, None), Repetition(B, 0, 1), Sequence((A, B))]
POOL = [*SMALL, *_larger(SMALL), *_larger([*_larger([A, B, EMPTY])])]


@cache
def _members():
    """Each expression of the pool and the words that it derives."""
    automata = [(expression, automaton_of(expression)) for expression in POOL]
    return [(expression, set(filter(automaton.accepts, WORDS))) for expression, automaton in automata]


def test_the_first_characters_are_those_of_the_words():
    """The first characters of words, and what follows where the empty word is one."""
    for expression, members in _members():
        expected = {word[0] for word in members if word}
        assert first(expression, NOTHING) == expected, expression
        follow = {"z"} if "" in members else set()
        assert first(expression, frozenset("z")) == expected | follow, expression


def test_an_expression_is_nullable_if_it_has_the_empty_word():
    assert [
        expression for expression, members in _members() if nullable(expression) is not ("" in members)
    ] == []


def test_an_expression_is_unbounded_if_it_has_words_of_any_length():
    """An expression without unbounded repetition spells out its longest word."""
    for expression, members in _members():
        longest = max(map(len, members), default=0)
        assert longest <= leaves(expression) or unbounded(expression), expression
    assert unbounded(Sequence((A, Alternation((B, Capture("x", Repetition(A, 2, None)))))))


@pytest.mark.parametrize(
    ("expression", "number"),
    [
        (A, 1),
        (EMPTY, 0),
        (Repetition(A, 2, 5), 5),
        (Repetition(A, 3, None), 3),
        (Repetition(Sequence((A, AB)), 0, None), 2),
        (Capture("x", Alternation((A, Repetition(B, 0, 4)))), 5),
    ],
)
def test_leaves_are_counted_with_repetitions(expression, number):
    assert leaves(expression) == number


@pytest.mark.parametrize("ask", [first, deterministic])
def test_references_have_to_be_expanded(ask):
    """`first` needs expanded expressions."""
    with pytest.raises(ValueError, match="reference to x is not expanded"):
        ask(Sequence((A, Repetition(Reference("x"), 0, 1))), NOTHING)
