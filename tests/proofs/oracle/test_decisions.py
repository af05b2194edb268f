"""If the next character is said to decide, a possessive match accepts what a greedy one does."""

from __future__ import annotations

import re
from itertools import chain, product

import pytest

from urloracle.grammar.expression import (
    EMPTY,
    NOTHING,
    Alternation,
    Capture,
    Characters,
    Repetition,
    Sequence,
    deterministic,
)
from urloracle.regex.pattern import _Writer

from . import pattern_proofs

A, B, C = (Characters(frozenset(char)) for char in "abc")
AB = Characters(frozenset("ab"))
BOUNDS = [(0, None), (1, None), (0, 1), (1, 2), (2, 2)]
WORDS = ["".join(word) for length in range(6) for word in product("abc", repeat=length)]


def larger(pool):
    """Yield the sequences, alternations and repetitions of expressions."""
    yield from (Sequence(elements) for elements in product(pool, repeat=2))
    yield from (Alternation(elements) for elements in product(pool, repeat=2))
    yield from (Repetition(element, *bounds) for element in pool for bounds in BOUNDS)


SMALL = [A, B, AB, EMPTY, Capture("x", A), Repetition(A, 0, None), Repetition(B, 0, 1), Sequence((A, B))]
POOL = [*SMALL, *larger(SMALL), *larger([*larger([A, B, EMPTY])])]

#: The characters that may follow an expression.
FOLLOW = [NOTHING, frozenset("c"), frozenset("b"), frozenset("ab")]


def wrong_decisions():
    """Yield expressions said to be decided, for which possessive and greedy matches differ all the same.

    Each comes with the characters that may follow it, and the text on which the matches differ.
    """
    for expression, follow in product(POOL, FOLLOW):
        if deterministic(expression, follow):
            greedy = GreedyWriter(group_1_first=False).write(expression, follow)
            for ending in sorted(follow) or [""]:
                word = next(differing_words(greedy, ending), None)
                if word is not None:
                    yield expression, follow, word


def differing_words(greedy, ending):
    """Yield the words on which an atomic group and an ordinary one differ before an ending."""
    for word in WORDS:
        with_backtracking = re.fullmatch(f"(?:{greedy}){ending}", word)
        without_backtracking = re.fullmatch(f"(?>{greedy}){ending}", word)
        if (with_backtracking is None) != (without_backtracking is None):
            yield word


class GreedyWriter(_Writer):
    """Writes every repetition as a greedy one."""

    def _repetition(self, repetition, follow):
        element = self.write(repetition.element, follow)
        maximum = "" if repetition.maximum is None else repetition.maximum
        return f"(?:{element}){{{repetition.minimum},{maximum}}}"


def test_possessive_and_backtracking_matches_agree_where_one_character_decides():
    assert next(wrong_decisions(), None) is None


def test_one_character_decides_in_some_expressions_and_not_in_others():
    """The tests of decisions are therefore about both."""
    assert 0 < sum(deterministic(expression, NOTHING) for expression in POOL) < len(POOL)


def test_a_deterministic_repetition_is_one_unambiguous():
    """Every repetition that `deterministic` accepts is also decided by the positions of the expression."""
    assert any(deterministic(expression, follow) for expression, follow in product(POOL, FOLLOW))
    assert next(ambiguous_decisions(), None) is None


def ambiguous_decisions():
    """Yield expressions said to be decided that are not by their positions, and what may follow them."""
    for expression, follow in product(POOL, FOLLOW):
        if deterministic(expression, follow) and not pattern_proofs.decided(expression, follow):
            yield expression, follow


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("not begin & follow", "True", id="what-follows-forgotten"),
        pytest.param("minimum == maximum or", "maximum == 1 or", id="one-time-is-a-fixed-number"),
        pytest.param(
            "                is_disjoint\n", "                True\n", id="alternatives-not-compared"
        ),
        pytest.param("and deterministic(element, again)", "and True", id="inside-not-looked-at"),
        pytest.param("map(nullable, elements[:-1])", "map(nullable, elements[:0])", id="empty-alternatives"),
        pytest.param("follow | begin", "follow", id="repetition-does-not-follow-itself"),
        pytest.param(
            "first(Sequence(elements[number + 1 :]), follow)", "follow", id="the-end-follows-each-element"
        ),
    ],
)
@pytest.mark.sampled(2)
def test_a_wrong_decision_is_refuted(before, after, plant):
    plant("grammar.expression.deterministic", before, after)
    assert next(chain(wrong_decisions(), ambiguous_decisions()), None) is not None
