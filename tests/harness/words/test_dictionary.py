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


@pytest.mark.parametrize(("spec", "rule", "found"), LITERALS)
def test_literals(spec, rule, found):
    assert found <= set(literals(specification(spec).grammar, rule))


def test_only_what_the_rule_refers_to():
    assert "gopher://" not in set(literals(specification("rfc1738").grammar, "ftpurl"))


def test_entries():
    found = list(entries(specification("rfc1738").grammar, "ftpurl"))
    assert {kind for kind, _ in found} == {"literal", "delimiter", "triplet", "number"}
    texts = [text for _, text in found]
    assert len(set(texts)) == len(texts)
    assert {"%2F", "%00", "255", "256", "65535", "65536", "@", ";type="} <= set(texts)
    assert "" not in texts
