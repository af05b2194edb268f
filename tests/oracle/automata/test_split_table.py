"""Split tables: the parts of every short text are those that `re` captures."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product

import pytest

from urloracle.automata.split_table import DISCARD, END, build_split_table
from urloracle.grammar.expression import EMPTY, Alternation, Capture, Characters, Repetition, Sequence

A, B, COLON = (Characters(frozenset(char)) for char in "ab:")
AB = Characters(frozenset("ab"))
COMPONENTS = ("x", "y")
WORDS = ["".join(word) for length in range(6) for word in product("ab:", repeat=length)]

# an expression, and the pattern with the same captures
EXPRESSIONS = [
    (
        Sequence(
            (Capture("x", Repetition(A, 0, None)), Repetition(Sequence((COLON, Capture("y", AB))), 0, 1))
        ),
        "(?P<x>a*)(?::(?P<y>[ab]))?",
    ),
    (  # ambiguous: the first repetition takes as much as it can
        Sequence((Capture("x", Repetition(A, 0, None)), Capture("y", Repetition(AB, 0, None)))),
        "(?P<x>a*)(?P<y>[ab]*)",
    ),
    (  # ambiguous: the first alternative is preferred
        Sequence((Alternation((Capture("x", Sequence((A, B))), Capture("y", A))), Repetition(B, 0, None))),
        "(?:(?P<x>ab)|(?P<y>a))b*",
    ),
    (  # one capture in another, which begins at the same place
        Capture("x", Sequence((Capture("y", Repetition(A, 1, 2)), Alternation((EMPTY, COLON))))),
        "(?P<x>(?P<y>a{1,2})(?:|:))",
    ),
    (  # the end decides which reading it was
        Alternation(
            (
                Sequence((Capture("x", Repetition(AB, 0, None)), COLON)),
                Sequence((A, Capture("y", Repetition(AB, 0, None)))),
            )
        ),
        "(?P<x>[ab]*):|a(?P<y>[ab]*)",
    ),
]
by_expression = pytest.mark.parametrize(
    ("expression", "pattern"), EXPRESSIONS, ids=[pattern for _, pattern in EXPRESSIONS]
)


def wrong(table, pattern):
    """Return the words that the table splits in another way than the pattern."""
    wrong_texts = []
    for word in WORDS:
        match = re.fullmatch(pattern, word)
        spans = match and tuple(match.span(name) if match[name] is not None else None for name in COMPONENTS)
        if table.spans(word) != spans:
            wrong_texts.append(word)
    return wrong_texts


@by_expression
def test_parts_are_those_of_the_pattern(expression, pattern):
    assert wrong(build_split_table(COMPONENTS, expression), pattern) == []


@by_expression
def test_a_wrong_store_changes_a_part(expression, pattern):
    """Every stored position is needed: without it, some word is split wrongly."""
    table = build_split_table(COMPONENTS, expression)
    for state, row in enumerate(table.stores):
        for kind, slot in enumerate(row):
            if slot != DISCARD:
                planted = [list(store) for store in table.stores]
                planted[state][kind] = DISCARD
                assert wrong(replace(table, stores=tuple(map(tuple, planted))), pattern)


def test_characters_of_no_text_are_refused():
    table = build_split_table(COMPONENTS, Capture("x", Repetition(A, 0, None)))
    assert table.split("aa") == ("aa", None)
    assert [table.split(text) for text in ("ac", "a\u00e9", "\u4f8b", "\x00")] == [None] * 4


def test_equivalent_states_and_slots_are_merged():
    """One capture that is the whole text needs no stored position: it begins at 0 and ends at the end."""
    table = build_split_table(("x",), Capture("x", Repetition(Alternation((A, Sequence((A, A)))), 1, None)))
    assert len(table.table) == 3
    assert max(table.classes) == 1
    assert {final[1] for final in table.finals if final} == {END}
