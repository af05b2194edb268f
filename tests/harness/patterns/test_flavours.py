"""Each flavour writes characters in its own forms."""

from __future__ import annotations

import pytest

from urlharness.patterns.flavours import FLAVOUR_NAMES, FLAVOURS, CannotSay, surrogate_pairs
from urloracle.grammar.alphabet import Range

ALPHANUMERIC = frozenset("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
#: The letters of U+00A0 to U+200D, and of U+10000 to U+1FFFD.
NARROW = "\xa0"
ASTRAL = "\U00010000"

#: A flavour, letters, and their pattern.
SETS = {
    "one": ("python", "a", "a"),
    "one-of-syntax": ("python", "[", r"\["),
    "ranges": ("python", ALPHANUMERIC, "[0-9A-Za-z]"),
    "listed": ("python", "+-.!", "[!+.-]"),
    "escaped": ("python", "^[]\\-", r"[\[\\\]\^-]"),
    "parts-of-ranges": ("python", "0138abcx", "[0138a-cx]"),
    "control": ("python", "\t\n", r"[\x09\x0A]"),
    "all-visible": ("pcre2", map(chr, range(0x20, 0x7F)), "[ -~]"),
    "posix-bracket-first": ("posix", "a]^-", "[]a^-]"),
    "posix-circumflex-not-first": ("posix", "^.", "[.^]"),
    "posix-circumflex-and-hyphen": ("posix", "^-", "[-^]"),
    "posix-backslash": ("posix", "\\.", "[.\\]"),
    "posix-one-of-syntax": ("posix", ".", r"\."),
    "posix-closing": ("posix", "]", "]"),
    "python-beyond-ascii": ("python", NARROW + ASTRAL, r"[\u00A0-\u200D\U00010000-\U0001FFFD]"),
    "java-beyond-ascii": ("java", "a" + NARROW + ASTRAL, r"[a\x{A0}-\x{200D}\x{10000}-\x{1FFFD}]"),
    "json-schema-beyond-ascii": ("json-schema", NARROW + ASTRAL, r"[\u00A0-\u200D\u{10000}-\u{1FFFD}]"),
    "utf-16-within-the-bmp": ("ecmascript", "a" + NARROW, r"[a\u00A0-\u200D]"),
    "utf-16": (
        "ecmascript",
        "a" + ASTRAL,
        r"(?:a|[\uD800-\uD83E][\uDC00-\uDFFF]|\uD83F[\uDC00-\uDFFD])",
    ),
}


@pytest.mark.parametrize("name", SETS)
def test_characters_are_written(name):
    flavour, letters, pattern = SETS[name]
    assert FLAVOURS[flavour].characters(frozenset(letters)) == pattern


@pytest.mark.parametrize("letters", [NARROW, ASTRAL, "\r"])
def test_posix_refuses_what_needs_an_escape(letters):
    with pytest.raises(CannotSay, match="POSIX extended has no escape"):
        FLAVOURS["posix"].characters(frozenset(letters))


@pytest.mark.parametrize("flavour", FLAVOUR_NAMES)
def test_no_flavour_matches_a_character_of_no_set(flavour):
    with pytest.raises(CannotSay, match="empty set"):
        FLAVOURS[flavour].characters(frozenset())


#: Ranges above U+FFFF, and the pairs of surrogates.
PAIRS = {
    "one-character": ([Range(0x1F600, 0x1F600)], [([(0xD83D, 0xD83D)], (0xDE00, 0xDE00))]),
    "one-high": ([Range(0x10001, 0x10002)], [([(0xD800, 0xD800)], (0xDC01, 0xDC02))]),
    "all": ([Range(0x10000, 0x10FFFF)], [([(0xD800, 0xDBFF)], (0xDC00, 0xDFFF))]),
    "two-highs": (
        [Range(0x103FF, 0x10400)],
        [([(0xD800, 0xD800)], (0xDFFF, 0xDFFF)), ([(0xD801, 0xD801)], (0xDC00, 0xDC00))],
    ),
    "planes": (
        [Range(0x10000, 0x1FFFD), Range(0x20000, 0x2FFFD)],
        [
            ([(0xD800, 0xD83E), (0xD840, 0xD87E)], (0xDC00, 0xDFFF)),
            ([(0xD83F, 0xD83F), (0xD87F, 0xD87F)], (0xDC00, 0xDFFD)),
        ],
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_ranges_become_pairs_of_surrogates(name):
    ranges, pairs = PAIRS[name]
    assert surrogate_pairs(ranges) == pairs
