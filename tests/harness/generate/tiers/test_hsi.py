"""The parts of an HSI suite, checked by their definitions: classes, state cover, families, words."""

from __future__ import annotations

from itertools import combinations, product

import pytest

from urlharness.generate.tiers.hsi import (
    ALL_BYTES,
    BEYOND_ASCII,
    EVERY,
    EVERY_BEYOND,
    ORDER,
    NotMinimal,
    every_character,
    hsi_suite,
    representatives,
    separating_families,
    state_cover,
    transition_rows,
)
from urloracle.automata.dfa import Automaton
from urloracle.grammar.alphabet import ASCII, FORMATTING, RANGES, stand_ins
from urloracle.rfcs import specification

from .hsi_rules import RULES

#: The words of two or more letters: two live states before the sink, one of them accepting, by hand.
TWO_OR_MORE = Automaton({"a": 0, "b": 0}, ((0,), (2,), (3,), (3,)), 1, frozenset({3}))


@pytest.fixture(params=RULES, ids="-".join)
def automaton(request):
    spec, rule = request.param
    return specification(spec).automaton(rule)


def state_after(automaton, word, state=None):
    """Return the state after a word, from a state on or from the start."""
    state = automaton.start if state is None else state
    for char in word:
        number = automaton.classes.get(stand_ins(char))
        state = 0 if number is None else automaton.table[state][number]
    return state


def test_order_has_every_ascii_character_once():
    assert sorted(ORDER) == list(ASCII)


def test_the_characters_to_ask_are_ascii_some_beyond_it_and_bytes():
    assert set(EVERY) == {*ASCII, *BEYOND_ASCII, *ALL_BYTES}


def test_no_character_to_ask_is_repeated():
    assert len(set(EVERY)) == len(EVERY)


def test_the_bytes_to_ask_are_all_above_ascii():
    assert {char.encode("utf-8", "surrogateescape")[0] for char in ALL_BYTES} == set(range(128, 256))


def test_rules_of_ascii_are_asked_no_further_characters():
    assert every_character(TWO_OR_MORE) == EVERY


@pytest.mark.parametrize(
    "part",
    [part for part in RANGES if chr(part.first) not in FORMATTING],
    ids=lambda part: f"U+{part.first:04X}",
)
def test_the_ends_of_a_range_and_a_character_inside_are_asked(part):
    characters = {chr(code) for code in (part.first, part.first + 1, part.last)}
    assert characters <= set(EVERY_BEYOND)


@pytest.mark.parametrize(
    "part", [part for part in RANGES if chr(part.first) in FORMATTING], ids=lambda part: f"U+{part.first:04X}"
)
def test_formatting_characters_are_not_asked(part):
    """A program may refuse them (R-3987-06)."""
    characters = {chr(code) for code in range(part.first, part.last + 1)}
    assert characters.isdisjoint(set(EVERY_BEYOND))


def test_each_class_has_one_representative(automaton):
    """Every character goes where the representative of its class goes, and representatives go apart."""
    representative = representatives(automaton)
    states = range(len(automaton.table))
    columns = {}
    for char in every_character(automaton):
        columns[char] = tuple(state_after(automaton, char, state) for state in states)
    assert {columns[char] for char in representative} == set(columns.values())
    assert len({columns[char] for char in representative}) == len(representative)


def test_state_cover_reaches_every_state_by_a_shortest_word(automaton):
    cover = state_cover(automaton)
    assert sorted(cover) == list(range(len(automaton.table)))
    assert [state_after(automaton, word) for word in cover.values()] == list(cover)
    lengths = [len(word) for word in cover.values()]
    assert lengths == sorted(lengths)


def test_state_cover_has_the_beginnings_of_its_words(automaton):
    words = set(state_cover(automaton).values())
    assert {word[:-1] for word in words if word} <= words


def test_every_family_has_the_empty_word(automaton):
    assert [family for family in separating_families(automaton) if "" not in family] == []


def test_two_states_are_separated_by_a_word_of_both_families(automaton):
    """The word is accepted from one of the two only."""

    def accepted_from(state, words):
        return {word for word in words if state_after(automaton, word, state) in automaton.accepting}

    def are_separated(first, second):
        common_words = set(families[first]) & set(families[second])
        return accepted_from(first, common_words) != accepted_from(second, common_words)

    families = separating_families(automaton)
    assert len(families) == len(automaton.table)
    pairs = combinations(range(len(families)), 2)
    assert [pair for pair in pairs if not are_separated(*pair)] == []


def test_equivalent_states_have_no_separating_family():
    doubled = Automaton({"a": 0}, ((0,), (2,), (3,), (1,)), 1, frozenset({1, 2, 3}))
    with pytest.raises(NotMinimal, match=r"no word separates the states \[1, 2, 3\]"):
        separating_families(doubled)


@pytest.mark.parametrize("k", [0, 1])
@pytest.mark.parametrize(
    ("spec", "rule"), [("rfc1738", "mailtourl"), ("rfc1808", "URL"), ("rfc2396", "URI-reference")]
)
def test_a_suite_has_exactly_the_words_of_its_definition(spec, rule, k):
    """Every access word, every further word of up to k + 1 characters, every separating word; each once."""
    automaton = specification(spec).automaton(rule)
    families = separating_families(automaton)
    steps = []
    for length in range(k + 2):
        steps += map("".join, product(representatives(automaton), repeat=length))
    expected_words = set()
    for access, step in product(state_cover(automaton).values(), steps):
        word = access + step
        expected_words |= {word + end for end in families[state_after(automaton, word)]}
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
