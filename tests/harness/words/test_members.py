"""Members: the characters that texts have in place of the letters of ranges beyond ASCII."""

from __future__ import annotations

import sys
import unicodedata
from itertools import product
from random import Random

import pytest

from urlharness.words.members import ALL_MEMBERS, MEMBERS, OUTSIDE, vary_members, weigh_members, with_members
from urlharness.words.sampling import Sampler
from urlharness.words.weights import weigh_by_class
from urloracle.grammar.alphabet import FORMATTING, RANGES, range_index, stand_ins
from urloracle.rfcs import specification

#: The formatting characters of RFC 3987, section 4.1.
FORMATTING_CHARACTERS = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e"

WITH_MEMBERS = [span for span in RANGES if chr(span.first) not in FORMATTING]


@pytest.fixture(scope="module")
def automaton():
    return specification("rfc3987").automaton("IRI-reference")


@pytest.mark.parametrize("span", WITH_MEMBERS, ids=lambda span: f"{span.first:X}")
def test_the_edges_of_a_range_are_members(span):
    assert {chr(span.first), chr(span.last)} <= set(MEMBERS[chr(span.first)])


def test_every_member_is_read_as_its_letter():
    for letter, members in MEMBERS.items():
        assert set(map(stand_ins, members)) == {letter}


def test_formatting_characters_have_no_members():
    assert set(FORMATTING_CHARACTERS).isdisjoint(ALL_MEMBERS)


#: Kinds of characters that programs treat in ways of their own.
KINDS = {
    "right-to-left": lambda char: unicodedata.bidirectional(char) in ("R", "AL"),
    "combining": unicodedata.combining,
    "precomposed": lambda char: unicodedata.normalize("NFD", char) != char,
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_has_members_in_the_bmp(kind):
    assert [char for char in ALL_MEMBERS if KINDS[kind](char) and char <= "\uffff"] != []


@pytest.mark.parametrize("kind", ["right-to-left", "combining"])
def test_a_kind_has_members_beyond_the_bmp(kind):
    assert [char for char in ALL_MEMBERS if KINDS[kind](char) and char > "\uffff"] != []


def test_characters_outside_are_in_no_range():
    assert [char for char in OUTSIDE if range_index(ord(char)) is not None] == []


#: The code points that are no characters of a text.
SURROGATES = range(0xD800, 0xE000)


@pytest.mark.parametrize("span", RANGES, ids=lambda span: f"{span.first:X}")
def test_the_neighbours_of_a_range_are_in_a_range_or_outside(span):
    neighbours = [
        chr(code)
        for code in (span.first - 1, span.last + 1)
        if code <= sys.maxunicode and code not in SURROGATES
    ]
    in_no_range = {char for char in neighbours if range_index(ord(char)) is None}
    assert in_no_range <= set(OUTSIDE)


def test_an_automaton_of_ascii_stays_as_it_is():
    automaton = specification("rfc3986").automaton("URI")
    assert with_members(automaton) is automaton


def test_members_lead_where_their_letters_lead(automaton):
    with_all = with_members(automaton)
    assert {char: with_all.classes[char] for char in ALL_MEMBERS} == {
        char: automaton.classes[stand_ins(char)] for char in ALL_MEMBERS
    }


def test_an_automaton_with_members_reads_no_formatting_characters(automaton):
    assert set(FORMATTING_CHARACTERS).isdisjoint(with_members(automaton).classes)


def test_members_share_the_weight_of_their_letter(automaton):
    """In each state the sum of the members grows by the same factor as the weights of ASCII characters."""
    weigh = weigh_by_class(automaton)
    for state in range(1, len(automaton.table)):
        weights = weigh(state)
        shared = weigh_members(weigh)(state)
        factors = set()
        for letter, weight in weights.items():
            if letter in MEMBERS:
                sum_of_members = sum(shared[char] for char in MEMBERS[letter])
                factors.add(sum_of_members / weight)
            elif letter.isascii():
                factors.add(shared[letter] / weight)
        assert len(factors) <= 1


@pytest.fixture(scope="module", params=[weigh_by_class, None], ids=["weighed", "uniform"])
def drawn_characters(request, automaton):
    """The characters beyond ASCII in 2,000 words of an automaton with members."""
    weigh = request.param and weigh_members(request.param(automaton))
    sampler = Sampler(with_members(automaton), range(21), weigh)
    characters = set("".join(sampler.draw_words(Random(1), 2000)))
    return {char for char in characters if not char.isascii()}


def test_words_have_all_members_and_nothing_else(drawn_characters):
    assert drawn_characters == set(ALL_MEMBERS)


def test_members_of_a_kind_take_turns():
    words = vary_members(["a\u00e9", "\u00e9\ue000\u00e9"], ["ab\u00e9\u03b1\u05d0", "\ue000\uf8ff"])
    assert list(words) == ["a\u00e9", "\u03b1\ue000\u05d0"]


def test_words_of_ascii_stay_as_they_are():
    words = ["".join(letters) for letters in product("ab:", repeat=2)]
    assert list(vary_members(words, ["ab\u00e9"])) == words
