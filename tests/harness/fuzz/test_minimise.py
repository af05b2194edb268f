"""Minimising: which text is left of a text that has a property."""

from __future__ import annotations

import re

import pytest

from urlharness.fuzz.minimise import minimise, order
from urlharness.fuzz.panel import SEPARATOR

#: A property as a regular expression, texts that have it, and the least of them that is reached.
PROPERTIES = {
    "nothing": ("", ("http://a/b", ""), ""),
    "character": (r"\\", (r"http://h\@x", "\\\\"), "\\"),
    "class": ("[A-Z]", ("http://Host/", "//Z"), "A"),
    "two characters": ("@.*@", ("http://a@b@c/d?e", "@@@"), "@@"),
    "triplet": ("%[0-9A-F]{2}", ("/a/%7E", "%F0%9F"), "%00"),
    "number": (
        r":(?:6553[6-9]|655[4-9]\d|65[6-9]\d\d|6[6-9]\d{3}|[7-9]\d{4}|\d{6,})$",
        ("//h:99999", "h:1000000"),
        ":65536",
    ),
    "part as a whole": (r"^//(\[::\]|a)\^$", ("//[::]^",), "//a^"),
    "length": ("^.{300}", ("http://" + "x" * 700,), "a" * 300),
}


def matches(pattern):
    """Return a function that returns the first text that a pattern matches, or None."""
    return lambda texts: next((text for text in texts if re.search(pattern, text)), None)


@pytest.mark.parametrize("name", PROPERTIES)
def test_texts_with_one_property_end_as_one_text(name):
    pattern, texts, least = PROPERTIES[name]
    assert {minimise(text, matches(pattern)) for text in texts} == {least}


def test_a_character_is_moved_to_the_end():
    assert {minimise(text, matches(r"^\[(::0|0::)\]$")) for text in ("[0::]", "[::0]")} == {"[0::]"}


#: The tries that a large number may take: it takes 630, and there are 800 million numbers between the two.
TRIES_FOR_A_NUMBER = 5_000


def test_a_large_number_takes_few_steps():
    tried = []

    def is_large(text):
        return re.fullmatch(r":\d+", text) is not None and int(text[1:]) >= 2147483648

    def first_large(texts):
        tried.extend(texts)
        return next(filter(is_large, texts), None)

    assert minimise(":3000000000", first_large) == ":2147483648"
    assert len(tried) < TRIES_FOR_A_NUMBER


def test_the_separator_stays():
    text = f"http://a/b{SEPARATOR}../c"
    assert minimise(text, matches("")) == SEPARATOR
    assert minimise(text, matches(r"\.\.")) == f"{SEPARATOR}.."


def test_no_text_is_tried_twice():
    tried = []

    def first_with_two_slashes(texts):
        tried.extend(texts)
        return next((text for text in texts if text.count("/") >= 2), None)

    assert minimise("http://a/b/c", first_with_two_slashes) == "//"
    assert len(tried) == len(set(tried))


def test_components_are_dropped_first():
    tried = []

    def first_with_an_at(texts):
        tried.extend(texts)
        return next((text for text in texts if "@" in text), None)

    minimise("https://user@a.example:8080/a/long/path?and=a&long=query#fragment", first_with_an_at)
    first_tries = tried[:8]  # there are seven components
    assert "//user@" in first_tries


#: The tries that the last of the delimiters may take: it takes 35, and 94 characters are simpler.
TRIES_FOR_A_DELIMITER = 40


def test_a_delimiter_is_not_replaced_by_each_simpler_character():
    tried = []

    def first_with_a_tilde(texts):
        tried.extend(texts)
        return next((text for text in texts if "~" in text), None)

    assert minimise("~", first_with_a_tilde) == "~"
    assert len(tried) < TRIES_FOR_A_DELIMITER


#: Two texts of which the first one is shorter, or as long and simpler.
ORDERED = [
    pytest.param("a", "aa", id="length"),
    pytest.param("a", "b", id="letters"),
    pytest.param("a", "0", id="letter-and-digit"),
    pytest.param("z", "/", id="letter-and-delimiter"),
    pytest.param("~", "\x00", id="printable-and-control"),
]


@pytest.mark.parametrize(("first", "second"), ORDERED)
def test_a_shorter_or_simpler_text_comes_first(first, second):
    assert order(first) < order(second)
