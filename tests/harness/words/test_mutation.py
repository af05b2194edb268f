"""Edits: one edge out of the language, near misses, splices."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from urlharness.words.mutation import Edit, Mutator
from urlharness.words.sampling import Sampler
from urlharness.words.weights import by_class
from urloracle.rfcs import specification

RULES = [("rfc3986", "URI-reference"), ("rfc1738", "url"), ("rfc1808", "URL"), ("rfc3986", "IPv4address")]


@pytest.fixture(params=RULES, ids="-".join)
def automaton(request):
    spec, rule = request.param
    return specification(spec).automaton(rule)


def words(automaton, number=150):
    return list(islice(Sampler(automaton, range(31), by_class(automaton)).distinct(Random(4)), number))


def check(automaton, mutator, broken):
    """The text is no word; the automaton leaves the language at the offset, with a character of the class."""
    assert not automaton.accepts(broken.text)
    length, state = automaton.longest_viable_prefix(broken.text)
    assert (length, state) == (broken.offset, broken.state)
    after = broken.text[length : length + 1]
    assert broken.kind == (mutator.class_of(after) if after else None)


def test_drawn_edits_break_words(automaton):
    mutator, random = Mutator(automaton), Random(9)
    kinds = set()
    for word in words(automaton):
        for _ in range(5):
            broken = mutator.breaks(word, random)
            check(automaton, mutator, broken)
            assert broken.edit.apply(word) == broken.text
            kinds.add(broken.edit.kind)
    assert kinds == {"replace", "insert", "delete", "cut", "append"}


def test_all_edits(automaton):
    mutator = Mutator(automaton)
    word = words(automaton)[-1]
    found = list(mutator.all_breaks(word))
    for broken in found:
        check(automaton, mutator, broken)
        assert broken.edit.apply(word) == broken.text
    single = {word[:n] + word[n + 1 :] for n in range(len(word))}
    deleted = {broken.text for broken in found if broken.edit.kind == "delete"}
    assert deleted <= single
    assert {broken.kind for broken in found} >= {"beyond ASCII", "no UTF-8", "control", "blank"}


def test_near_misses_have_every_forbidden_class():
    automaton = specification("rfc3986").automaton("IPv4address")
    mutator = Mutator(automaton)
    found = list(mutator.near_misses("25"))
    for broken in found:
        check(automaton, mutator, broken)
    assert {broken.text[2:] for broken in found} >= {"", "6", "a", " ", "\0"}
    assert {broken.kind for broken in found} >= {None, "6 7 8 9", "blank"}
    assert "25." not in {broken.text for broken in found}
    assert None not in {broken.kind for broken in mutator.near_misses("1.2.3.4")}


def test_splices_are_words(automaton):
    mutator, random = Mutator(automaton), Random(9)
    given = words(automaton)
    spliced = [mutator.splice(one, other, random) for one in given[:30] for other in given[30:60]]
    found = [one for one in spliced if one]
    assert len(found) > 100
    assert all(automaton.accepts(text) for text, _ in found)


def test_a_splice_differs_from_both():
    mutator = Mutator(specification("rfc3986").automaton("URI"))
    text, edit = mutator.splice("http://a/", "ftp://b?q", Random(1))
    assert text not in ("http://a/", "ftp://b?q")
    assert edit.apply("http://a/") == text
    assert edit.kind == "splice"
    assert mutator.splice("a:b", "a:b", Random(1)) is None


def test_a_language_without_invalid_texts_nearby():
    """No edit leaves a word whose every state allows what comes; here only the end is free."""
    mutator = Mutator(specification("rfc3986").automaton("path-empty"))
    assert mutator.breaks("", Random(1)).edit.kind == "append"


@pytest.mark.parametrize(
    ("char", "name"), [("\u4e2d", "beyond ASCII"), ("\udc99", "no UTF-8"), ("\0", "control")]
)
def test_the_class_of_any_character(char, name):
    assert Mutator(specification("rfc3986").automaton("URI")).class_of(char) == name


@pytest.mark.parametrize(
    ("edit", "text"),
    [
        (Edit("insert", 1, "", "x"), "axbc"),
        (Edit("replace", 1, "b", "x"), "axc"),
        (Edit("delete", 1, "b"), "ac"),
        (Edit("cut", 1, "bc"), "a"),
    ],
    ids=lambda one: one.kind if isinstance(one, Edit) else "",
)
def test_apply(edit, text):
    assert edit.apply("abc") == text
