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
    count_leaves,
    deterministic,
    first,
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
    """Return the minimal automaton of an expression without references."""
    automaton, _ = determinize(position_automaton(NO_RULES, rules))
    return minimize(automaton)


def _larger(pool):
    yield from (Sequence(pair) for pair in product(pool, repeat=2))
    yield from (Alternation(pair) for pair in product(pool, repeat=2))
    yield from (Repetition(element, *bounds) for element in pool for bounds in BOUNDS)


SMALL = [A, B, AB, EMPTY, Capture("x", A), Repetition(A, 0, None), Repetition(B, 0, 1), Sequence((A, B))]
POOL = [*SMALL, *_larger(SMALL), *_larger([*_larger([A, B, EMPTY])])]


@cache
def _members():
    """Each expression of the pool and the words that it derives."""
    automata = [(expression, automaton_of(expression)) for expression in POOL]
    return [(expression, set(filter(automaton.accepts, WORDS))) for expression, automaton in automata]


def test_the_first_characters_of_an_expression_are_those_of_its_words():
    for expression, members in _members():
        assert first(expression, NOTHING) == {word[0] for word in members if word}, expression


def test_what_follows_an_expression_comes_first_where_it_has_the_empty_word():
    for expression, members in _members():
        comes_first = "z" in first(expression, frozenset("z"))
        assert comes_first == ("" in members), expression


def test_what_follows_an_expression_changes_none_of_its_own_first_characters():
    for expression, _ in _members():
        assert first(expression, frozenset("z")) - {"z"} == first(expression, NOTHING), expression


def test_an_expression_is_nullable_exactly_if_it_has_the_empty_word():
    for expression, members in _members():
        has_the_empty_word = "" in members
        assert nullable(expression) == has_the_empty_word, expression


def test_a_bounded_expression_has_no_word_longer_than_its_leaves():
    bounded = [(expression, members) for expression, members in _members() if not unbounded(expression)]
    assert bounded
    for expression, members in bounded:
        assert max(map(len, members), default=0) <= count_leaves(expression), expression


def test_an_expression_is_unbounded_with_an_unbounded_repetition_inside():
    assert unbounded(Sequence((A, Alternation((B, Capture("x", Repetition(A, 2, None)))))))


@pytest.mark.parametrize(
    ("expression", "number"),
    [
        pytest.param(A, 1, id="character"),
        pytest.param(EMPTY, 0, id="empty"),
        pytest.param(Repetition(A, 2, 5), 5, id="bounded"),
        pytest.param(Repetition(A, 3, None), 3, id="unbounded"),
        pytest.param(Repetition(Sequence((A, AB)), 0, None), 2, id="sequence"),
        pytest.param(Capture("x", Alternation((A, Repetition(B, 0, 4)))), 5, id="capture"),
    ],
)
def test_the_leaves_of_an_expression_are_counted_with_repetitions(expression, number):
    assert count_leaves(expression) == number


@pytest.mark.parametrize("function", [first, deterministic])
def test_a_property_of_an_expression_with_references_is_refused(function):
    with pytest.raises(ValueError, match="reference to x is not expanded"):
        function(Sequence((A, Repetition(Reference("x"), 0, 1))), NOTHING)
