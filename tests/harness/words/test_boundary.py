"""Boundary texts: numbers, lengths, empty components."""

from __future__ import annotations

from string import digits

import pytest

from urlharness.words.boundary import (
    NUMBERS,
    boundary_texts,
    texts_of_boundary_lengths,
    texts_with_empty_components,
    texts_with_numbers,
)
from urlharness.words.paths import Paths
from urloracle.rfcs import RFC3986

URI = RFC3986.automaton("URI")


@pytest.fixture(scope="module")
def authorities_with_numbers():
    return set(texts_with_numbers(Paths(RFC3986.automaton("authority"))))


@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: number or "empty")
def test_a_port_may_be_each_number_of_decimal_digits(authorities_with_numbers, number):
    """RFC 3986, section 3.2.3. A port may also be empty."""
    is_port = all(char in digits for char in number)
    assert (f":{number}" in authorities_with_numbers) == is_port


@pytest.mark.parametrize(
    ("text", "valid"),
    [("255.0.0.0", True), ("256.0.0.0", False), ("00.0.0.0", False)],
    ids=["bound", "beyond", "leading-zero"],
)
def test_numbers_at_and_beyond_a_bound_are_found(text, valid):
    """The text goes on as after the longest number that fits, so that only the number is wrong."""
    automaton = RFC3986.automaton("IPv4address")
    assert text in set(texts_with_numbers(Paths(automaton)))
    assert automaton.accepts(text) == valid


def test_every_combination_of_empty_components_is_found():
    texts = set(texts_with_empty_components(Paths(URI)))
    assert {"a:", "a:?", "a:#", "a:?#", "a://", "a://@", "a://:", "a://?#"} <= texts


def test_texts_with_empty_components_are_valid():
    texts = set(texts_with_empty_components(Paths(URI)))
    assert texts != set()
    assert [text for text in texts if not URI.accepts(text)] == []


def test_the_empty_text_is_found_where_it_is_valid():
    assert "" in set(texts_with_empty_components(Paths(RFC3986.automaton("URI-reference"))))


def test_the_empty_text_is_not_found_where_it_is_invalid():
    assert "" not in set(texts_with_empty_components(Paths(URI)))


#: Longer than 1024, the greatest bound below it.
GREATEST_LENGTH = 1100


@pytest.fixture(scope="module")
def texts_of_lengths():
    return list(texts_of_boundary_lengths(Paths(URI), GREATEST_LENGTH))


def test_texts_have_the_lengths_around_bounds(texts_of_lengths):
    assert {63, 64, 253, 254, 255, 256, 1023, 1024} <= set(map(len, texts_of_lengths))


def test_no_text_is_longer_than_the_greatest_length(texts_of_lengths):
    assert max(map(len, texts_of_lengths)) <= GREATEST_LENGTH


def test_texts_of_lengths_are_valid(texts_of_lengths):
    assert [text for text in texts_of_lengths if not URI.accepts(text)] == []


def test_a_host_has_a_length_around_a_bound(texts_of_lengths):
    """The longest label of a name has 63 characters."""
    assert "a://" + "a" * 64 in {text.rstrip("/") for text in texts_of_lengths}


#: Longer than 64, the smallest bound of a length that has texts on both sides.
SMALL_LIMIT = 70


def test_each_boundary_text_comes_once():
    texts = list(boundary_texts(URI, SMALL_LIMIT))
    assert texts
    assert len(set(texts)) == len(texts)


def test_no_boundary_text_is_longer_than_the_limit():
    assert max(map(len, boundary_texts(URI, SMALL_LIMIT))) <= SMALL_LIMIT


def test_a_greater_limit_adds_longer_boundary_texts():
    short_texts = set(boundary_texts(URI, SMALL_LIMIT))
    more_texts = set(boundary_texts(URI, 300))
    assert short_texts < more_texts
    assert [text for text in more_texts - short_texts if len(text) <= SMALL_LIMIT] == []
