"""Dictionaries: literals of the rules, delimiters, triplets, numbers; each once."""

from __future__ import annotations

import pytest

from urlharness.words.dictionary import dictionary_entries, literals
from urloracle.rfcs import specification

LITERALS = [
    ("rfc1738", "ftpurl", {"ftp://", ";type="}),
    ("rfc1738", "url", {"gopher://", "mailto:", "localhost", "%09"}),
    ("rfc3986", "URI", {"//", "::", "25"}),
]


@pytest.mark.parametrize(("spec", "rule", "strings"), LITERALS)
def test_a_dictionary_has_the_literals_of_its_rule(spec, rule, strings):
    assert strings <= set(literals(specification(spec).grammar, rule))


def test_a_rule_without_literals_has_none_in_its_dictionary():
    assert set(literals(specification("rfc3986").grammar, "port")) == set()


def test_a_dictionary_has_no_literals_of_other_rules():
    literals_of_rule = set(literals(specification("rfc1738").grammar, "ftpurl"))
    assert "ftp://" in literals_of_rule
    assert "gopher://" not in literals_of_rule


@pytest.fixture
def ftp_entries():
    return list(dictionary_entries(specification("rfc1738").grammar, "ftpurl"))


def test_a_dictionary_has_entries_of_every_kind(ftp_entries):
    assert {kind for kind, _ in ftp_entries} == {"literal", "delimiter", "triplet", "number"}


def test_no_entry_of_a_dictionary_is_repeated(ftp_entries):
    texts = [text for _, text in ftp_entries]
    assert len(set(texts)) == len(texts)


def test_no_entry_of_a_dictionary_is_empty(ftp_entries):
    assert [kind for kind, text in ftp_entries if text == ""] == []


KINDS_OF_ENTRIES = {
    ("literal", ";type="),
    ("delimiter", "@"),
    ("triplet", "%2F"),
    ("triplet", "%00"),
    ("number", "255"),
    ("number", "256"),
    ("number", "65535"),
    ("number", "65536"),
}


def test_an_entry_of_a_dictionary_has_its_kind(ftp_entries):
    assert set(ftp_entries) >= KINDS_OF_ENTRIES
