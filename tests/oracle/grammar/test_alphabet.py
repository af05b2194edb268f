"""The letters: every character of a range is read as one, and characters of no range stay what they are."""

from __future__ import annotations

import copy
import pickle
import re
from itertools import chain

import pytest

from urloracle.grammar import alphabet
from urloracle.grammar.alphabet import (
    ALPHABET,
    ASCII,
    FORMATTING,
    PRIVATE,
    RANGES,
    STAND_INS,
    UCS,
    CharacterSet,
    Range,
    character_set,
    letters_between,
    only_character,
    range_index,
    span_of,
    spans,
    stand_ins,
)

by_range = pytest.mark.parametrize("span", RANGES, ids=lambda span: f"{span.first:X}")

#: Characters that RFC 3987 has in no rule: controls, surrogates, noncharacters, specials and tags.
OUTSIDE = "\x80\x9f\ud800\udfff\ufdd0\ufdef\ufff0\ufffd\uffff\U0001fffe\U000e0001\U000e0fff\U0010ffff"


def test_the_ranges_are_in_order_and_do_not_touch():
    edges = list(chain.from_iterable(RANGES))
    assert edges == sorted(set(edges))


@by_range
def test_the_edges_and_the_middle_of_a_range_are_read_as_its_first_character(span):
    middle = (span.first + span.last) // 2
    assert stand_ins(chr(span.first) + chr(middle) + chr(span.last)) == 3 * chr(span.first)


@by_range
def test_a_character_beside_a_range_is_not_read_as_its_first_character(span):
    neighbours = {code for code in (span.first - 1, span.last + 1) if code <= 0x10FFFF}
    assert chr(span.first) not in {stand_ins(chr(code)) for code in neighbours}


@pytest.mark.parametrize("char", OUTSIDE, ids=ascii)
def test_a_character_of_no_range_stays_as_it_is(char):
    assert stand_ins(char) == char


@pytest.mark.parametrize("char", OUTSIDE, ids=ascii)
def test_a_character_of_no_range_is_no_letter(char):
    assert char not in ALPHABET


@pytest.mark.parametrize("char", OUTSIDE, ids=ascii)
def test_a_character_of_no_range_has_no_index_of_a_range(char):
    assert range_index(ord(char)) is None


def test_the_letters_of_a_text_are_as_many_as_its_characters():
    assert stand_ins("a\u00e9\u202e\U0001f600\ud800z") == "a\u00a0\u202a\U00010000\ud800z"


def test_a_text_of_ascii_is_its_own_letters():
    text = "".join(ASCII)
    assert stand_ins(text) is text


def test_letters_are_read_as_themselves():
    assert stand_ins("".join(ALPHABET)) == "".join(ALPHABET)


def test_a_letter_beyond_ascii_has_no_case():
    """Folding the case of letters therefore folds ASCII alone."""
    assert [char for char in STAND_INS if char.lower() != char or char.upper() != char] == []


#: Code points and the letters that stand for them: four of the range that begins at U+00A0, one of no range.
CODES_OF_LETTERS = {0xE9: 0xA0, 0xEA: 0xA0, 0xEB: 0xA0, 0xEC: 0xA0, 0x80: 0x80}


@pytest.fixture
def short_memory(monkeypatch):
    """Stand-ins that remember at most three characters."""
    monkeypatch.setattr(alphabet, "_MOST_REMEMBERED", 3)
    return alphabet._StandIns()


def test_a_character_beyond_the_remembered_ones_has_its_letter(short_memory):
    letters = {code: short_memory[code] for code in CODES_OF_LETTERS}
    assert letters == CODES_OF_LETTERS


def test_no_more_characters_are_remembered_than_there_is_room_for(short_memory):
    """A hostile text therefore does not fill the memory."""
    for code in CODES_OF_LETTERS:
        short_memory[code]
    assert len(short_memory) == 3


#: The first and the last code point, and the letters between them.
BETWEEN = {
    "ascii": (0x30, 0x32, "012"),
    "one-of-ascii": (0x41, 0x41, "A"),
    "range": (0xE000, 0xF8FF, "\ue000"),
    "several-ranges": (0xA0, 0xD7FF, "\u00a0\u200e\u2010\u202a\u202f"),
    "neighbours": (0xE000, 0xFDCF, "\ue000\uf900"),
}


@pytest.mark.parametrize("name", BETWEEN)
def test_letters_stand_for_the_characters_between_two_code_points(name):
    first, last, letters = BETWEEN[name]
    assert letters_between(first, last) == frozenset(letters)


#: The first and the last code point of characters that no letters stand for exactly.
WITHOUT_LETTERS = {
    "backwards": (0x32, 0x30),
    "begins-inside": (0xA1, 0x200D),
    "ends-inside": (0xA0, 0x200C),
    "one-beyond-ascii": (0xE9, 0xE9),
    "with-controls": (0x20, 0x200D),
    "with-surrogates": (0xA0, 0xF8FF),
    "beyond-unicode": (0x110000, 0x110001),
}


@pytest.mark.parametrize("name", WITHOUT_LETTERS)
def test_no_letters_stand_for_a_part_of_a_range_or_what_is_no_character(name):
    assert letters_between(*WITHOUT_LETTERS[name]) is None


def test_the_span_of_a_letter_has_all_characters_that_it_stands_for():
    assert span_of("a") == Range(0x61, 0x61)
    assert span_of("\ue000") == Range(0xE000, 0xF8FF)


def test_letters_of_ascii_that_follow_each_other_have_one_span():
    """The order in which they are listed does not matter."""
    assert spans("cab") == [(0x61, 0x63)]


def test_letters_with_a_gap_between_them_have_a_span_each():
    assert spans("ac") == [(0x61, 0x61), (0x63, 0x63)]


def test_stand_ins_of_ranges_that_touch_have_one_span():
    # U+00A0 stands for U+00A0 to U+200D, U+200E for U+200E and U+200F
    assert spans("\u00a0\u200e") == [(0xA0, 0x200F)]
    # U+E000 stands for U+E000 to U+F8FF, U+F900 for U+F900 to U+FDCF
    assert spans("\ue000\uf900") == [(0xE000, 0xFDCF)]


@pytest.mark.parametrize(
    ("letters", "character"), [("", None), ("a", "a"), ("ab", None), ("\ue000", None)], ids=ascii
)
def test_only_a_set_of_one_letter_of_ascii_has_an_only_character(letters, character):
    assert only_character(frozenset(letters)) == character


def test_the_rules_of_rfc_3987_divide_the_letters_beyond_ascii():
    assert frozenset(STAND_INS) == UCS | PRIVATE
    assert not UCS & PRIVATE


def test_the_formatting_letters_are_letters_of_ucschar():
    assert FORMATTING < UCS


def test_the_formatting_letters_stand_for_the_seven_characters_of_section_4_1():
    characters = set()
    for span in spans(FORMATTING):
        characters.update(chr(code) for code in range(span.first, span.last + 1))
    assert characters == set("\u200e\u200f\u202a\u202b\u202c\u202d\u202e")


class TestCharacterSet:
    """A set of characters: `in` is true for all of them, and the letters are what it iterates."""

    letters = frozenset("a\u00a0")
    characters = character_set(letters)

    @pytest.mark.parametrize("char", ["a", "\u00a0", "\u00e9", "\u200d"], ids=ascii)
    def test_it_contains_every_character_of_its_ranges(self, char):
        assert char in self.characters

    @pytest.mark.parametrize("char", ["b", "\u0080", "\u200e", "\U0001f600", "", 5, None], ids=ascii)
    def test_it_contains_nothing_else(self, char):
        assert char not in self.characters

    def test_it_equals_the_set_of_its_letters(self):
        assert self.characters == self.letters
        assert hash(self.characters) == hash(self.letters)

    def test_it_iterates_over_its_letters(self):
        assert sorted(self.characters) == sorted(self.letters)

    def test_it_has_the_ranges_of_its_characters(self):
        assert self.characters.ranges == [Range(0x61, 0x61), Range(0xA0, 0x200D)]

    @pytest.mark.parametrize(
        "duplicate",
        [copy.copy, lambda original: pickle.loads(pickle.dumps(original))],
        ids=["copy", "pickle"],
    )
    def test_a_copy_is_an_equal_character_set(self, duplicate):
        copied = duplicate(self.characters)
        assert copied == self.characters
        assert type(copied) is CharacterSet

    def test_a_set_of_ascii_stays_a_frozenset(self):
        letters = frozenset("ab")
        assert character_set(letters) is letters


def test_a_pattern_of_the_ranges_agrees_with_the_letters():
    """The second method reads `RANGES` as a character class."""
    inside = re.compile("[" + "".join(f"{chr(span.first)}-{chr(span.last)}" for span in RANGES) + "]")
    codes = set()
    for span in RANGES:
        codes.update((span.first - 1, span.first, span.first + 1))
        codes.update((span.last - 1, span.last, span.last + 1))
    codes.discard(0x110000)  # is beyond Unicode
    for char in map(chr, codes):
        assert (inside.match(char) is not None) == (stand_ins(char) in STAND_INS), ascii(char)
