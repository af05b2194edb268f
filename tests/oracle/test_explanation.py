"""The nearest valid text: found whenever there is one, and really one edit away."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from urloracle.explanation import nearest_valid
from urloracle.rfcs import SPECIFICATIONS

ALPHABET = "a1:/?#[]@%.- "


def neighbours(text):
    """Every text one edit away, over ASCII."""
    every = [chr(code) for code in range(128)]
    for offset in range(len(text) + 1):
        yield from (text[:offset] + char + text[offset:] for char in every)
        if offset < len(text):
            yield text[:offset] + text[offset + 1 :]
            yield from (text[:offset] + char + text[offset + 1 :] for char in every)


@pytest.mark.parametrize(
    ("spec", "rule", "text", "repaired"),
    [
        pytest.param(
            "rfc1738", "httpurl", "http://user@host/", ("http://userhost/", "delete", 11), id="login"
        ),
        pytest.param("rfc3986", None, "http://h/a b", ("http://h/ab", "delete", 10), id="blank"),
        pytest.param("rfc3986", None, "http://[::1/", None, id="bracket-far-away"),
        pytest.param("rfc3986", "IPv6address", "1:2:3", None, id="too-short"),
        pytest.param("rfc3986", "pct-encoded", "%4", ("%40", "insert", 2), id="half-a-triplet"),
        pytest.param("rfc2396", "absoluteURI", "foo:", ("foo:!", "insert", 4), id="nothing-after-the-colon"),
        pytest.param("rfc3986", None, "é", ("", "delete", 0), id="beyond-ascii"),
        pytest.param("rfc3986", "dec-octet", "256", ("25", "delete", 2), id="octet"),
    ],
)
def test_repairs(spec, rule, text, repaired):
    found = nearest_valid(text, spec, rule)
    if repaired is None:
        rule = rule or SPECIFICATIONS[spec].default_rule
        assert (found is None) is not any(
            SPECIFICATIONS[spec].language(rule).accepts(other) for other in neighbours(text)
        )
    else:
        assert found is not None
        assert (found.text, found.edit, found.offset) == repaired


@pytest.mark.parametrize("spec", SPECIFICATIONS)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_one_is_found_whenever_there_is_one(spec, data):
    chosen = SPECIFICATIONS[spec]
    rule = data.draw(st.sampled_from(list(chosen.grammar)))
    text = data.draw(st.text(alphabet=ALPHABET, max_size=6))
    language = chosen.language(rule)
    if language.automaton.accepts(text):
        assert nearest_valid(text, spec, rule) is None
        return
    found = nearest_valid(text, spec, rule)
    possible = {other for other in neighbours(text) if language.automaton.accepts(other)}
    assert (found is None) is not possible or not possible
    assert found is None or found.text in possible
    assert bool(found) is bool(possible)


def test_a_valid_text_needs_none():
    assert nearest_valid("http://h/", "rfc3986") is None


def test_a_long_text_is_left_alone():
    assert nearest_valid("a" * 5000 + " ", "rfc3986") is None
