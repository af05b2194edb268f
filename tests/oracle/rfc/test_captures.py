"""Rules laid over those of the RFCs: the patterns that split whole URLs, and what they capture."""

from __future__ import annotations

import pytest

from urloracle.grammar.expression import Capture, walk
from urloracle.readers import ENGINE_KINDS
from urloracle.rfc.captures import SPLITTINGS, capture_components, split_pattern
from urloracle.rfcs import specification

RULES = [(spec, rule) for spec, splitting in SPLITTINGS.items() for rule in splitting.components]


@pytest.mark.parametrize(("spec", "rule"), RULES)
def test_every_component_is_captured(spec, rule):
    columns, expression = capture_components(spec, rule, specification(spec).grammar)
    assert {part.name for part in walk(expression) if isinstance(part, Capture)} == set(columns)


@pytest.mark.parametrize(("spec", "rule"), [(spec, rule) for spec, rule in RULES if rule in ENGINE_KINDS])
def test_the_captured_components_are_the_fields_of_their_tuple(spec, rule):
    columns, _ = capture_components(spec, rule, specification(spec).grammar)
    assert tuple(name.replace("+", "_plus") for name in columns) == ENGINE_KINDS[rule]._fields


#: The number of branches by rule; each has one set of components.
BRANCHES_1738 = {
    **dict.fromkeys(("httpurl", "ftpurl", "fileurl", "gopherurl", "mailtourl", "nntpurl", "telneturl"), 1),
    **dict.fromkeys(("newsurl", "waisurl"), 3),
    "prosperourl": 1,
    "genericurl": 2,
}
BRANCHES = {
    "rfc1738": BRANCHES_1738,
    "rfc1808": {"URL": 6},
    "rfc2396": {"URI-reference": 10},  # R-2396-11: an authority is a server or a registered name
    "rfc2732": {"URI-reference": 10},
    "rfc3986": {"URI-reference": 4},
    "rfc3987": {"IRI-reference": 4},
}


@pytest.mark.parametrize(("spec", "rule"), RULES)
def test_a_pattern_has_no_more_branches_than_kinds_of_texts(spec, rule):
    pattern = split_pattern(spec, rule, specification(spec).languages)
    assert len(pattern.branches) == BRANCHES[spec][rule]


WITH_A_SERVER = [
    (spec, rule)
    for spec, splitting in SPLITTINGS.items()
    for rule, components in splitting.components.items()
    if "host" in components
]


@pytest.mark.parametrize(("spec", "rule"), WITH_A_SERVER)
def test_the_first_branch_of_a_rule_with_a_server_is_that_of_texts_with_a_server(spec, rule):
    pattern = split_pattern(spec, rule, specification(spec).languages)
    first_branch, *_ = pattern.branches
    assert "host" in first_branch.groups


FEWER = [
    ("rfc3986", "a://u@h:1/p?q#f", ("a", "u@h:1", "/p", "q", "f")),
    ("rfc3986", "//h", (None, "h", "", None, None)),
    ("rfc2396", "a:b?c", ("a", None, "b", "c", None)),
    ("rfc2396", "a://h?q", ("a", "h", "", "q", None)),
    ("rfc2396", "a://a_b/", ("a", "a_b", "/", None, None)),
    ("rfc2732", "", (None, None, "", None, None)),
]


@pytest.mark.parametrize(("spec", "text", "parts"), FEWER)
def test_a_reference_is_split_into_five_parts(spec, text, parts):
    """Resolution does not need the parts of the authority (RFC 3986, section 5.2.2)."""
    pattern = split_pattern(spec, "URI-reference", specification(spec).languages, whole=False)
    assert pattern.components == ("scheme", "authority", "path", "query", "fragment")
    assert pattern.split(text) == parts


@pytest.mark.parametrize(("spec", "rule"), RULES)
def test_texts_without_the_rare_character_have_the_same_components(spec, rule, walks):
    """Without "@" other branches are tried, and both give the same components."""
    pattern = split_pattern(spec, rule, specification(spec).languages)
    complete, usual = pattern.trials
    texts = [text for text in walks(spec, rule, "generic").members(150) if pattern.rare not in text]
    assert texts
    for text in texts:
        components = pattern.split(text)
        assert usual.split(text) == components, text
        assert complete.split(text) == components, text


#: No text of an nntp URL has the rare character.
WITH_THE_RARE_CHARACTER = [(spec, rule) for spec, rule in RULES if rule != "nntpurl"]


@pytest.mark.parametrize(("spec", "rule"), WITH_THE_RARE_CHARACTER)
def test_texts_with_the_rare_character_are_not_for_the_usual_trial(spec, rule, walks):
    pattern = split_pattern(spec, rule, specification(spec).languages)
    _, usual = pattern.trials
    texts = [text for text in walks(spec, rule, "generic").members(150) if pattern.rare in text]
    assert texts
    assert [text for text in texts if usual.split(text) is not None] == []


def pattern_of_references(*, whole):
    """Return the pattern of references of RFC 3986, of all components or of five parts."""
    return split_pattern("rfc3986", "URI-reference", specification("rfc3986").languages, whole=whole)


@pytest.mark.parametrize("whole", [True, False], ids=["whole", "five-parts"])
def test_a_pattern_is_made_once(whole):
    first = pattern_of_references(whole=whole)
    second = pattern_of_references(whole=whole)
    assert first is second


def test_the_pattern_of_five_parts_is_not_that_of_all_components():
    """Both are remembered, under different keys."""
    assert pattern_of_references(whole=False) is not pattern_of_references(whole=True)
