"""Boundary texts: numbers, lengths, empty components."""

from __future__ import annotations

import pytest

from urlharness.words.boundary import boundaries, empty_components, lengths, numbers
from urlharness.words.paths import Paths
from urloracle.rfcs import RFC3986

URI = RFC3986.automaton("URI")


def test_numbers_begin_where_a_number_can():
    texts = set(numbers(Paths(RFC3986.automaton("authority"))))
    assert {":255", ":65535", ":65536", ":", ":00"} <= texts


@pytest.mark.parametrize(("text", "valid"), [("255.0.0.0", True), ("256.0.0.0", False), ("00.0.0.0", False)])
def test_numbers_at_and_beyond_a_bound_are_found(text, valid):
    """The text goes on as after the longest number that fits, so that only the number is wrong."""
    automaton = RFC3986.automaton("IPv4address")
    assert text in set(numbers(Paths(automaton)))
    assert automaton.accepts(text) == valid


def test_every_combination_of_empty_components_is_found():
    texts = set(empty_components(Paths(URI)))
    assert {"a:", "a:?", "a:#", "a:?#", "a://", "a://@", "a://:", "a://?#"} <= texts
    assert all(map(URI.accepts, texts))


def test_the_empty_text_is_found_where_it_is_valid():
    assert "" in set(empty_components(Paths(RFC3986.automaton("URI-reference"))))
    assert "" not in set(empty_components(Paths(URI)))


def test_texts_and_parts_have_the_lengths_around_bounds():
    texts = list(lengths(Paths(URI), 1100))
    assert all(map(URI.accepts, texts))
    assert {63, 64, 253, 254, 255, 256, 1023, 1024} <= set(map(len, texts))
    assert "a://" + "a" * 64 in {text.rstrip("/") for text in texts} | set(texts)
    assert max(map(len, texts)) <= 1100


def test_each_text_comes_once_and_none_is_too_long():
    texts = list(boundaries(URI, 70))
    assert len(set(texts)) == len(texts)
    assert max(map(len, texts)) <= 70
    assert len(list(boundaries(URI, 5000))) > len(texts)
