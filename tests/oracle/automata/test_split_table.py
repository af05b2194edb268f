"""Split tables: the parts of every short text are those that `re` captures."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product

import pytest

from urloracle.automata.split_table import DISCARD, END, build_split_table
from urloracle.grammar.alphabet import PRIVATE, UCS
from urloracle.grammar.expression import EMPTY, Alternation, Capture, Characters, Repetition, Sequence

A, B, COLON = (Characters(frozenset(char)) for char in "ab:")
AB = Characters(frozenset("ab"))
COMPONENTS = ("x", "y")
WORDS = ["".join(word) for length in range(6) for word in product("ab:", repeat=length)]

#: An expression, and the pattern with the same captures.
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


def matched_spans(pattern, word):
    """Return the span of each component that `re` captures, or None if the pattern does not match."""
    match = re.fullmatch(pattern, word)
    if match is None:
        return None
    spans = []
    for component in COMPONENTS:
        captured = match[component] is not None
        spans.append(match.span(component) if captured else None)
    return tuple(spans)


def wrongly_split_words(table, pattern):
    """Return the words that the table splits in another way than the pattern."""
    return [word for word in WORDS if table.spans(word) != matched_spans(pattern, word)]


@by_expression
def test_a_split_table_gives_the_parts_that_the_pattern_captures(expression, pattern):
    assert wrongly_split_words(build_split_table(COMPONENTS, expression), pattern) == []


def tables_without_a_store(table):
    """Yield the table with each stored position left out in turn."""
    for state, row in enumerate(table.stores):
        for kind, slot in enumerate(row):
            if slot == DISCARD:
                continue
            changed_row = (*row[:kind], DISCARD, *row[kind + 1 :])
            stores = (*table.stores[:state], changed_row, *table.stores[state + 1 :])
            yield replace(table, stores=stores)


@by_expression
def test_a_split_table_without_a_stored_position_splits_a_word_wrongly(expression, pattern):
    """Every stored position is therefore needed."""
    changed_tables = list(tables_without_a_store(build_split_table(COMPONENTS, expression)))
    assert changed_tables
    assert [table for table in changed_tables if not wrongly_split_words(table, pattern)] == []


@pytest.mark.parametrize("text", ["ac", "a\u00e9", "\u4f8b", "\x00"])
def test_a_split_table_refuses_characters_outside_its_alphabet(text):
    table = build_split_table(COMPONENTS, Capture("x", Repetition(A, 0, None)))
    assert table.split(text) is None


def test_a_component_that_no_branch_captures_is_none():
    table = build_split_table(COMPONENTS, Capture("x", Repetition(A, 0, None)))
    assert table.split("aa") == ("aa", None)


@pytest.fixture
def table_of_one_capture():
    """The table of one capture that is the whole text: `a` once or more, written with needless states."""
    return build_split_table(("x",), Capture("x", Repetition(Alternation((A, Sequence((A, A)))), 1, None)))


def test_equivalent_states_of_a_split_table_are_merged(table_of_one_capture):
    """The sink, the start, and the state after any number of letters remain."""
    assert len(table_of_one_capture.table) == 3


def test_characters_that_move_alike_share_a_class(table_of_one_capture):
    """Class 0 is that of the characters of no text."""
    assert max(table_of_one_capture.classes) == 1


def test_a_capture_up_to_the_end_of_the_text_stores_no_end(table_of_one_capture):
    slots_of_ends = set()
    for final in table_of_one_capture.finals:
        if final:
            _, slot_of_end = final
            slots_of_ends.add(slot_of_end)
    assert slots_of_ends == {END}


#: A component of characters beyond ASCII, a colon, and another one.
BEYOND = Sequence(
    (
        Capture("x", Repetition(Characters(UCS), 0, None)),
        COLON,
        Capture("y", Repetition(Characters(PRIVATE | {"a"}), 0, None)),
    )
)
BEYOND_SPLITS = {
    "\u00e9\U0001f600:\ue123a": ("\u00e9\U0001f600", "\ue123a"),
    ":\U0010fffd": ("", "\U0010fffd"),
    "\u00a0:": ("\u00a0", ""),
    "\ue123:": None,
    "\u00e9:\u00e9": None,
    "\u0080:": None,
    "\ufffd:": None,
}


@pytest.mark.parametrize("text", BEYOND_SPLITS, ids=ascii)
def test_a_split_table_reads_characters_beyond_ascii_by_their_ranges(text):
    assert build_split_table(COMPONENTS, BEYOND).split(text) == BEYOND_SPLITS[text]


def test_a_split_table_of_ascii_has_no_class_for_a_range():
    """Class 0 is that of the characters of no text."""
    table = build_split_table(COMPONENTS, Sequence((Capture("x", A), Capture("y", AB))))
    assert set(table.beyond) == {0}
