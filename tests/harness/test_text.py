"""Untrusted text made safe, shortened names, and names of files."""

from __future__ import annotations

import json
import sys
import unicodedata

import pytest

from urlharness.text import clipped, escaped_json, logged, needs_escape, plain, short_names
from urloracle.errors import InvalidURL

from .conftest import LONG, LONG_NAMES

ESCAPED = [
    pytest.param("//\u034fa", "//\\u{34f}a", id="grapheme-joiner"),
    pytest.param("\u115f\u1160\u3164\uffa0", "\\u{115f}\\u{1160}\\u{3164}\\u{ffa0}", id="hangul-fillers"),
    pytest.param("\u17b4\u17b5", "\\u{17b4}\\u{17b5}", id="khmer-vowels"),
    pytest.param("\u180b\u180e\u180f", "\\u{180b}\\u{180e}\\u{180f}", id="mongolian"),
    pytest.param("\u2800", "\\u{2800}", id="blank-of-braille"),
    pytest.param("a\ufe0f\U000e0100", "a\\u{fe0f}\\u{e0100}", id="variation-selectors"),
    pytest.param("e\u0301", "e\\u{301}", id="mark"),
    pytest.param("a\u0903", "a\\u{903}", id="spacing-mark"),
    pytest.param("a\u20dd", "a\\u{20dd}", id="enclosing-mark"),
    pytest.param("\x1b\u202e\u00ad\ud800", "\\u{1b}\\u{202e}\\u{ad}\\u{d800}", id="not-printable"),
    pytest.param("\n\t", "\\u{a}\\u{9}", id="white-space"),
    pytest.param("\u00e9\u4e2d\U0001f600 a", "\u00e9\u4e2d\U0001f600 a", id="visible"),
]


@pytest.mark.parametrize(("text", "printed"), ESCAPED)
def test_invisible_characters_are_escaped_for_people(text, printed):
    assert plain(text) == printed


@pytest.mark.parametrize(("text", "printed"), ESCAPED)
def test_invisible_characters_are_escaped_in_a_log(text, printed):
    assert logged(text) == printed


@pytest.mark.parametrize(("text", "printed"), ESCAPED)
def test_the_caret_of_the_oracle_is_below_the_escaped_character(text, printed):
    line, caret = InvalidURL(f"{text}x", "rfc3986", "URI", len(text)).caret().split("\n")
    assert line == f"  {printed}x"
    assert caret.index("^") == line.index(f"{printed}x") + len(printed)


def test_combining_marks_and_unprintable_characters_are_escaped():
    hidden = [
        char
        for char in map(chr, range(sys.maxunicode + 1))
        if unicodedata.category(char) in ("Mn", "Mc", "Me") or not char.isprintable()
    ]
    assert [hex(ord(char)) for char in hidden if not needs_escape(char)] == []


def test_the_oracle_escapes_the_same_characters():
    """A sample: every 37th code point, and all that are printable and yet escaped."""
    sample = {chr(code) for code in range(0, sys.maxunicode + 1, 37)}
    for code in range(0x20000):
        char = chr(code)
        if char.isprintable() and needs_escape(char):
            sample.add(char)
    escaped_by_the_oracle = set()
    for char in sample:
        indented_text, *_ = InvalidURL(char, "rfc3986", "URI", 0).caret().split("\n")
        if indented_text != f"  {char}":
            escaped_by_the_oracle.add(char)
    assert escaped_by_the_oracle == {char for char in sample if needs_escape(char)}


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("a ##b", "a ##b"),
        ("a ##[error]b", "a #\\u{23}[error]b"),
        ("##vso[x]", "#\\u{23}vso[x]"),
        ("::error::x", "\\u{3a}:error::x"),
        ("  ::error::x", "  \\u{3a}:error::x"),
        ("http://[::1]/", "http://[::1]/"),
        ("\x1b", "\\u{1b}"),
    ],
    ids=["no-bracket", "hashes", "vso", "colons", "colons-after-blanks", "colons-inside", "escape-sequence"],
)
def test_commands_of_build_servers_are_escaped(text, printed):
    assert logged(text) == printed


#: Texts with the beginning of a command, or nearly.
COMMANDS = ["##vso[x]y", "#\u00e9##[x", "a##b", "###[error]", "\\##[x"]


@pytest.mark.parametrize("text", COMMANDS)
def test_escaped_json_is_no_command(text):
    escaped = escaped_json(json.dumps({text: text}, ensure_ascii=False))
    assert logged(escaped) == escaped


@pytest.mark.parametrize("text", COMMANDS)
def test_escaped_json_is_equal(text):
    assert json.loads(escaped_json(json.dumps({text: text}, ensure_ascii=False))) == {text: text}


def test_a_text_of_the_limit_is_not_clipped():
    assert clipped("abc", 3) == "abc"


def test_a_long_text_is_clipped_and_its_rest_counted():
    assert clipped("a" * 2003, 3) == "aaa… (and 2,000 characters more)"


SIMILAR = [
    *LONG_NAMES,
    pytest.param(("\x1b", "\\u{1b}"), id="alike-when-escaped"),
    pytest.param(tuple(f"jsonl:python3 adapters/url-{n:02}.py --strict" for n in range(40)), id="forty"),
]


@pytest.mark.parametrize("limit", [20, 31, 60])
@pytest.mark.parametrize("names", SIMILAR)
def test_short_names_are_unique(names, limit):
    assert len(set(short_names(names, limit).values())) == len(names)


@pytest.mark.parametrize("limit", [20, 31, 60])
@pytest.mark.parametrize("names", SIMILAR)
def test_no_short_name_is_longer_than_the_limit(names, limit):
    assert max(map(len, short_names(names, limit).values())) <= limit


def test_a_long_name_keeps_both_ends():
    assert short_names([LONG + "alpha"], 31) == {LONG + "alpha": "exec:python3 /h….py --lib=alpha"}


def test_a_short_name_is_not_shortened():
    assert short_names(["short"], 31) == {"short": "short"}
