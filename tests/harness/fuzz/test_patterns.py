"""Patterns: what is learned from a minimal text, and edits that remove it."""

from __future__ import annotations

import re

import pytest

from urlharness.fuzz.patterns import compiled, edits, learn, literal, matching, with_scheme

# what differs, the minimal text, texts that the pattern has, texts that it has not
LEARNED = {
    "a character": (r"\\", "\\", ("//a\\b",), ("//a/b",)),
    "a class": ("[A-Z]", "A", ("//Z", "x:Y"), ("//a",)),
    "a gap": ("//[^/]*@[^/]*@", "//@@", ("a://b@c@d",), ("//a@b", "/a/@@")),
    "a gap of some characters": (r"//\t*x", "//x", ("//\t\tx",), ("//ax",)),
    "beyond ASCII": ("[^\x00-\x7f]", "\x85", ("//え",), ("//a",)),
    "a run": ("[^/]{64}", "a" * 64, ("//" + "b." * 40,), ("a" * 63,)),
    "relative": ("^(?![a-z]+:)", "a", ("b/c",), ("http://a",)),
}


def differs(pattern):
    return lambda texts: [re.search(pattern, text) is not None for text in texts]


@pytest.mark.parametrize("name", LEARNED)
def test_a_learned_pattern_matches_what_differs(name):
    pattern, text, having, lacking = LEARNED[name]
    patterns = learn(text, differs(pattern), closed=False)
    assert all(matching(match, [patterns]) for match in (text, *having))
    assert not any(matching(text_without, [patterns]) for text_without in lacking)


def test_a_closed_pattern_knows_what_may_follow():
    """A closed pattern knows what may follow."""
    test = differs(r"^[a-z]*:?//(?=[/?#]|$)")
    assert matching("//a", [learn("//", test, closed=False)])
    closed = [learn("//", test, closed=True)]
    assert [bool(matching(text, closed)) for text in ("//", "a:///b", "//a")] == [True, True, False]


def test_the_empty_text_has_a_pattern_of_its_own():
    patterns = learn("", differs("^$"), closed=False)
    assert [bool(compiled(patterns).search(text)) for text in ("", "a")] == [True, False]
    assert learn("", differs(""), closed=False) == ""


def test_a_literal_matches_itself_alone():
    assert [bool(matching(text, [literal("a.")])) for text in ("xa.", "ab")] == [True, False]
    assert not matching("a", [literal("")])


def test_long_texts_have_none():
    assert learn("ab" * 100, differs(""), closed=False) is None


def test_many_gaps_in_a_long_text_take_linear_time():
    """The time is linear in the length of the text."""
    pattern = ".*".join(["[a-z]"] * 12) + "!"
    assert matching("a" * 4000, [pattern]) is None
    assert matching("a" * 4000 + "!", [pattern]) == pattern


def test_edits_are_inside_the_match():
    edited = edits("http://a@b@c", "@[^@]*@")
    assert {"http://aab@c", "http://ab@c", "http://a@ab@c", "http://a@bc"} <= set(edited)
    assert all(text.startswith("http://a") and text.endswith("c") for text in edited)


def test_edits_of_a_relative_reference_make_it_absolute():
    assert {"http:b", "a:b"} <= set(edits("b", learn("a", differs("^(?![a-z]+:)"), closed=False)))


def test_edits_of_long_matches_are_few():
    assert len(edits("a" * 5000, "a{5000}")) < 500


@pytest.mark.parametrize(("text", "whole"), [("//@", "http://@"), ("?b", "http://a?b"), ("b", "http://a/b")])
def test_a_scheme_is_put_before_a_text_that_still_differs(text, whole):
    assert with_scheme(text, differs("")) == whole
    assert with_scheme(text, differs("^[^:]*$")) is None
