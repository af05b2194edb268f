"""The nearest valid text: what a person would write, else one edit away; and the parts of an explanation."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from urloracle.errors import InvalidURL
from urloracle.explanation import explain, nearest_valid
from urloracle.rfcs import SPECIFICATIONS
from urloracle.specification import Unsupported

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
        ("rfc1738", "httpurl", "http://user@host/", ("http://host/", "delete", 7, "user@")),
        ("rfc1738", None, "http://h/~a", ("http://h/%7Ea", "escape", 9, "~")),
        ("rfc1738", None, "http://h?q", ("http://h/?q", "insert", 8, "/")),
        (
            "rfc1738",
            None,
            "http://b\u00fccher.de/",
            ("http://xn--bcher-kva.de/", "replace", 7, "xn--bcher-kva.de"),
        ),
        ("rfc1738", None, "www.h.com", ("http://www.h.com", "insert", 0, "http://")),
        ("rfc3986", "URI", "//h.com/", ("http://h.com/", "insert", 0, "http:")),
        ("rfc3986", None, "http://h/a b\u00e9 c", ("http://h/a%20b%C3%A9%20c", "escape", 10, " \u00e9")),
        ("rfc3986", None, "\u00e9", ("%C3%A9", "escape", 0, "\u00e9")),
        ("rfc3986", None, "a\udcff", ("a%FF", "escape", 1, "\udcff")),
        ("rfc3986", None, "a\ud800", ("a", "delete", 1, "\ud800")),
        ("rfc3986", None, "http://\u00e9/", ("http://%C3%A9/", "escape", 7, "\u00e9")),
        ("rfc3986", None, "100% sure", ("100%25%20sure", "escape", 3, "% ")),
        ("rfc3986", None, "a[1]#b#c", ("a%5B1%5D#b%23c", "escape", 1, "[]#")),
        ("rfc3986", None, " http://h/\n", ("http://h/", "delete", 0, " ")),
        ("rfc3986", None, "<http://h/>", ("http://h/", "delete", 0, "<")),
        ("rfc3986", None, "http:\\\\h\\a", ("http://h/a", "replace", 5, "/")),
        ("rfc3986", None, "http://h/?\\d", ("http://h/?%5Cd", "escape", 10, "\\")),
        ("rfc3986", None, "http://a b/", ("http://a%20b/", "escape", 8, " ")),  # 3.2.2: reg-name
        ("rfc3986", None, "http:// a/", ("http://a/", "delete", 7, " ")),
        ("rfc3986", None, "http://a b.com/c d", ("http://a%20b.com/c%20d", "escape", 8, " ")),
        ("rfc3986", None, "http:// a /", ("http://a/", "delete", 7, " ")),
        ("rfc3986", None, "h ttp://x", ("http://x", "delete", 1, " ")),
        ("rfc3986", None, "http://a@b@c/", ("http://a%40b@c/", "escape", 8, "@")),
        ("rfc3986", None, "http://::1/", ("http://[::1]/", "insert", 7, "[]")),
        ("rfc3986", None, "http://[::1/", ("http://[::1]/", "insert", 11, "]")),
        ("rfc3986", None, "http://h:port/", ("http://h/", "delete", 8, ":port")),
        ("rfc3986", None, "http://h:8x/", ("http://h:8/", "delete", 10, "x")),
        ("rfc3986", None, "1a:b", ("./1a:b", "insert", 0, "./")),
        ("rfc3986", "pct-encoded", "%4", ("%4a", "insert", 2, "a")),
        ("rfc2396", "absoluteURI", "foo:", ("foo:a", "insert", 4, "a")),
        ("rfc3986", "dec-octet", "256", ("25", "delete", 2, "6")),
    ],
)
def test_a_text_has_the_repair_that_a_person_would_make(spec, rule, text, repaired):
    """Otherwise one edit."""
    nearest = nearest_valid(text, spec, rule)
    assert (nearest.text, nearest.edit, nearest.offset, nearest.character) == repaired
    assert SPECIFICATIONS[spec].problem(nearest.text, rule) is None


@pytest.mark.parametrize(
    ("spec", "rule", "text"),
    [
        ("rfc1738", None, "http://a b/"),  # 5: no escape in a hostname
        ("rfc3986", "scheme", "a b"),
        ("rfc3986", "IPv6address", "gggg"),
    ],
)
def test_a_text_that_no_single_edit_makes_valid_has_no_repair(spec, rule, text):
    assert nearest_valid(text, spec, rule) is None


@pytest.mark.parametrize(("text", "note"), [("http://h/a b", ""), ("http://h/a b c", "each blank as %20")])
def test_a_repair_of_several_blanks_says_so(text, note):
    assert nearest_valid(text, "rfc3986").note == note


@pytest.mark.parametrize("zone", ["%eth0", "%25eth0"])
def test_the_repair_of_an_address_with_a_zone_leaves_the_zone_out(zone):
    nearest = nearest_valid(f"http://[fe80::1{zone}]:80/", "rfc3986")
    assert nearest.text == "http://[fe80::1]:80/"
    assert nearest.character == zone


@pytest.mark.parametrize("zone", ["%eth0", "%25eth0"])
def test_the_repair_of_an_address_with_a_zone_cites_rfc6874(zone):
    assert "RFC 6874" in nearest_valid(f"http://[fe80::1{zone}]:80/", "rfc3986").note


def test_the_repair_of_a_zone_with_a_bare_percent_sign_shows_its_form_in_rfc6874():
    assert "%25eth0" in nearest_valid("http://[fe80::1%eth0]:80/", "rfc3986").note


def test_the_repair_of_a_zone_in_the_form_of_rfc6874_does_not_show_that_form():
    assert "%25eth0" not in nearest_valid("http://[fe80::1%25eth0]:80/", "rfc3986").note


@pytest.mark.parametrize("spec", SPECIFICATIONS)
@settings(max_examples=60, deadline=None)
@given(drawing=st.data())
def test_a_repaired_text_is_valid(spec, drawing):
    rule = drawing.draw(st.sampled_from(list(SPECIFICATIONS[spec].grammar)))
    text = drawing.draw(st.text(alphabet=ALPHABET, max_size=6))
    nearest = nearest_valid(text, spec, rule)
    assume(nearest is not None)
    assert SPECIFICATIONS[spec].language(rule).automaton.accepts(nearest.text)


@pytest.mark.parametrize("spec", SPECIFICATIONS)
def test_a_text_that_a_rule_derives_is_not_repaired(spec, walks):
    for rule in SPECIFICATIONS[spec].grammar:
        members = list(walks(spec, rule).members(5))
        assert members, rule
        assert [member for member in members if nearest_valid(member, spec, rule)] == [], rule


@pytest.mark.parametrize("spec", SPECIFICATIONS)
# most short texts are valid under one of the many rules, or far from valid
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(drawing=st.data())
def test_an_invalid_text_one_edit_away_from_a_valid_one_is_repaired(spec, drawing):
    """Unless a blank between two words is wrong: nobody knows what was meant."""
    specification = SPECIFICATIONS[spec]
    rule = drawing.draw(st.sampled_from(list(specification.grammar)))
    text = drawing.draw(st.text(alphabet=ALPHABET, max_size=6))
    problem = specification.problem(text, rule)
    assume(problem is not None)
    assume(not re.compile(r"(?<=\w) (?=\w)").match(text, problem.position))
    automaton = specification.language(rule).automaton
    assume(any(automaton.accepts(neighbour) for neighbour in neighbours(text)))
    assert nearest_valid(text, spec, rule) is not None


def test_a_valid_text_has_no_repair():
    assert nearest_valid("http://h/", "rfc3986") is None


def test_a_long_text_is_not_repaired():
    assert nearest_valid("a" * 5000 + " ", "rfc3986") is None


def test_a_valid_text_is_explained_by_components_and_derivation():
    explanation = explain("http://a/b", "rfc3986")
    assert explanation.valid
    assert explanation.rule == "URI-reference"
    assert explanation.components["host"] == "a"
    assert explanation.derivation.text == "http://a/b"
    assert explanation.problem is None
    assert explanation.nearest is None
    assert explanation.steps == ()


def test_a_rule_without_components_is_explained_by_its_derivation():
    explanation = explain("a.b", "rfc3986", "reg-name")
    assert explanation.valid
    assert explanation.components is None
    assert explanation.derivation.rule == "reg-name"


def test_an_invalid_text_is_explained_by_problem_and_repair():
    explanation = explain("http://a b/", "rfc3986")
    assert not explanation.valid
    assert explanation.problem.position == 8
    assert explanation.nearest.text == "http://a%20b/"
    assert explanation.components is None
    assert explanation.derivation is None


def test_a_resolution_is_explained_by_its_steps():
    """RFC 3986, section 5.2: the last step holds the target."""
    explanation = explain("../g", "rfc3986", base="http://a/b/c")
    assert explanation.valid
    assert explanation.steps[-1].value == "http://a/g"


def test_a_relative_base_is_explained_by_its_problem():
    """RFC 3986, section 5.1: a base is absolute; the problem is that of the base."""
    explanation = explain("../g", "rfc3986", base="b/c")
    assert isinstance(explanation.problem, InvalidURL)
    assert explanation.problem.text == "b/c"
    assert explanation.derivation is not None


@pytest.mark.parametrize("text", ["a" * 3000, "../" * 1000, "x:" + "%41" * 1000])
def test_a_long_text_is_explained_without_derivation(text):
    """It is judged, split and resolved, and has neither derivation nor steps."""
    explanation = explain(text, "rfc3986", base="http://a/")
    assert explanation.valid
    assert explanation.components["path"]
    assert explanation.derivation is None
    assert explanation.steps == ()


def test_a_long_text_with_a_relative_base_is_explained_by_the_problem_of_the_base():
    assert explain("a" * 3000, "rfc3986", base="b").problem.text == "b"


def test_a_resolution_that_is_not_defined_is_an_error():
    with pytest.raises(Unsupported, match="RFC 1738 does not define relative references"):
        explain("http://a/", "rfc1738", base="http://a/")
