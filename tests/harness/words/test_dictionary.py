"""Dictionaries: literals of the rules, delimiters, triplets, numbers; each once."""

from __future__ import annotations

import pytest

from urlharness.words.dictionary import entries, literals
from urloracle.rfcs import specification

LITERALS = [
    ("rfc1738", "ftpurl", {"ftp://", ";type="}),
    ("rfc1738", "url", {"gopher://", "mailto:", "localhost", "%09"}),
    ("rfc3986", "URI", {"//", "::", "25"}),
    ("rfc3986", "port", set()),
]


@pytest.mark.parametrize(("spec", "rule", "strings"), LITERALS)
def test_the_literals_of_a_rule_are_found(spec, rule, strings):
    assert strings <= set(literals(specification(spec).grammar, rule))


def test_literals_of_other_rules_are_not_found():
    assert "gopher://" not in set(literals(specification("rfc1738").grammar, "ftpurl"))


def test_entries_have_kinds_and_differ():
    literal_entries = list(entries(specification("rfc1738").grammar, "ftpurl"))
    assert {kind for kind, _ in literal_entries} == {"literal", "delimiter", "triplet", "number"}
    texts = [text for _, text in literal_entries]
    assert len(set(texts)) == len(texts)
    assert {"%2F", "%00", "255", "256", "65535", "65536", "@", ";type="} <= set(texts)
    assert "" not in texts
