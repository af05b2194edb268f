"""If the next character is said to decide, a possessive match accepts what a greedy one does."""

from __future__ import annotations

import re
from itertools import product

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


def _larger(pool):
    yield from (Sequence(elements) for elements in product(pool, repeat=2))
    yield from (Alternation(elements) for elements in product(pool, repeat=2))
    yield from (Repetition(element, *bounds) for element in pool for bounds in BOUNDS)


SMALL = [A, B, AB, EMPTY, Capture("x", A), Repetition(A, 0, None), Repetition(B, 0, 1), Sequence((A, B))]
POOL = [*SMALL, *_larger(SMALL), *_larger([*_larger([A, B, EMPTY])])]


FOLLOW = [NOTHING, frozenset("c"), frozenset("b"), frozenset("ab")]


def _swallowing():
    """The expressions said to be decided for which a possessive match refuses what a greedy one accepts."""
    for expression in POOL:
        for follow in FOLLOW:
            if not deterministic(expression, follow):
                continue
            greedy = _Greedy(group_1_first=False).write(expression, follow)
            for ending in sorted(follow) or [""]:
                for word in WORDS:
                    once = re.fullmatch(f"(?:{greedy}){ending}", word)
                    if (once is None) is not (re.fullmatch(f"(?>{greedy}){ending}", word) is None):
                        yield expression, follow, word
                        break


class _Greedy(_Writer):
    """Writes every repetition as a greedy one."""

    def _repetition(self, _, element, minimum, maximum, follow):
        return f"(?:{self.write(element, follow)}){{{minimum},{'' if maximum is None else maximum}}}"


def test_possessive_and_backtracking_matches_agree_where_one_character_decides():
    assert next(_swallowing(), None) is None


def test_one_character_decides_in_some_expressions_and_not_in_others():
    """So the tests of decisions are about both."""
    assert 0 < sum(deterministic(expression, NOTHING) for expression in POOL) < len(POOL)


def test_a_deterministic_repetition_is_one_unambiguous():
    """Every repetition that `deterministic` accepts is also decided by the positions of the expression."""
    pairs = [pair for pair in product(POOL, FOLLOW) if deterministic(*pair)]
    assert pairs
    assert [pair for pair in pairs if not pattern_proofs.decided(*pair)] == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("not begin & follow", "True"),
        ("minimum == maximum or", "maximum == 1 or"),
        ("                is_disjoint\n", "                True\n"),
        ("map(nullable, elements[:-1])", "map(nullable, elements[:0])"),
        ("and deterministic(element, again)", "and True"),
        ("follow | begin", "follow"),
        ("first(Sequence(elements[number + 1 :]), follow)", "follow"),
    ],
)
def test_a_wrong_decision_is_refuted(before, after, plant):
    plant("grammar.expression.deterministic", before, after)
    assert next(_swallowing(), None) is not None or any(
        deterministic(expression, follow) and not pattern_proofs.decided(expression, follow)
        for expression in POOL
        for follow in FOLLOW
    )
