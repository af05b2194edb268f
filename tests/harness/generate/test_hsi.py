"""The parts of an HSI suite, checked by their definitions: classes, state cover, families, words."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from urlharness.generate.hsi import (
    BEYOND,
    BYTES,
    EVERY,
    ORDER,
    NotMinimal,
    hsi_suite,
    representatives,
    separating_families,
    state_cover,
    transition_rows,
)
from urloracle.automata.dfa import ASCII, Automaton
from urloracle.rfcs import specification

RULES = [
    ("rfc1738", "mailtourl"),
    ("rfc1738", "httpurl"),
    ("rfc1738", "ftpurl"),
    ("rfc1808", "URL"),
    ("rfc2396", "URI-reference"),
    ("rfc3986", "URI-reference"),
]

#: The words of two or more letters: two live states before the sink, one of them accepting, by hand.
TWO_OR_MORE = Automaton({"a": 0, "b": 0}, ((0,), (2,), (3,), (3,)), 1, frozenset({3}))


@pytest.fixture(params=RULES, ids="-".join)
def automaton(request):
    spec, rule = request.param
    return specification(spec).automaton(rule)


def state_after(automaton, word, state=None):
    state = automaton.start if state is None else state
    for char in word:
        number = automaton.classes.get(char)
        state = 0 if number is None else automaton.table[state][number]
    return state


def test_order_has_every_ascii_character_once():
    assert sorted(ORDER) == list(ASCII)
    assert len(set(EVERY)) == len(EVERY) == 128 + len(BEYOND) + 128
    assert all(char.encode("utf-8", "surrogateescape") for char in EVERY)
    assert {char.encode("utf-8", "surrogateescape")[0] for char in BYTES} == set(range(128, 256))


def test_each_class_has_one_representative(automaton):
    """Every character goes where the representative of its class goes, and representatives go apart."""
    representative = representatives(automaton)
    columns = {
        char: tuple(state_after(automaton, char, s) for s in range(len(automaton.table))) for char in EVERY
    }
    assert {columns[char] for char in representative} == set(columns.values())
    assert len({columns[char] for char in representative}) == len(representative)


def test_state_cover_reaches_every_state_by_a_shortest_word(automaton):
    cover = state_cover(automaton)
    assert sorted(cover) == list(range(len(automaton.table)))
    assert all(state_after(automaton, word) == state for state, word in cover.items())
    lengths = [len(word) for word in cover.values()]
    assert lengths == sorted(lengths)
    assert {word[:-1] for word in cover.values() if word} <= set(cover.values())


def test_families_separate_and_are_harmonised(automaton):
    """For any two states some word of both families is accepted from one of the two only."""
    families = separating_families(automaton)
    assert all("" in family for family in families)
    for first, second in combinations(range(len(families)), 2):
        assert any(
            (state_after(automaton, word, first) in automaton.accepting)
            != (state_after(automaton, word, second) in automaton.accepting)
            for word in set(families[first]) & set(families[second])
        )


def test_equivalent_states_have_no_separating_family():
    doubled = Automaton({"a": 0}, ((0,), (2,), (3,), (1,)), 1, frozenset({1, 2, 3}))
    with pytest.raises(NotMinimal, match=r"no word separates the states \[1, 2, 3\]"):
        separating_families(doubled)


@pytest.mark.parametrize("k", [0, 1])
@pytest.mark.parametrize(("spec", "rule"), [RULES[0], RULES[3], RULES[4]])
def test_a_suite_has_exactly_the_words_of_its_definition(spec, rule, k):
    """Every access word, every further word of up to k + 1 characters, every separating word; each once."""
    automaton = specification(spec).automaton(rule)
    families = separating_families(automaton)
    steps = ["".join(word) for n in range(k + 2) for word in product(representatives(automaton), repeat=n)]
    expected_words = {
        access + step + end
        for access in state_cover(automaton).values()
        for step in steps
        for end in families[state_after(automaton, access + step)]
    }
    words = list(hsi_suite(automaton, k))
    assert set(words) == expected_words
    assert len(words) == len(expected_words)


def test_a_suite_equals_one_made_by_hand():
    """Three states and the sink, one class and one more for what no member has.

    `aa` is accepted from states 1 and 2 and not from the sink, `a` tells these two apart, and the empty word
    state 3 from all of them.
    """
    assert representatives(TWO_OR_MORE) == "ac"
    assert separating_families(TWO_OR_MORE) == (("", "aa"), ("", "a", "aa"), ("", "a", "aa"), ("",))
    expected = ["", "a", "aa", "aaa", "ac", "acaa", "c", "caa", "ca", "caaa", "cc", "ccaa", "aac", "aacaa"]
    assert list(hsi_suite(TWO_OR_MORE)) == expected


def test_rows_lead_foreign_characters_to_the_sink():
    assert transition_rows(TWO_OR_MORE, "aé") == [
        {"a": 0, "é": 0},
        {"a": 2, "é": 0},
        {"a": 3, "é": 0},
        {"a": 3, "é": 0},
    ]
