"""Verdicts: profiles, offsets, and one text before all five RFCs."""

from __future__ import annotations

import ipaddress
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from urloracle.automata.dfa import difference
from urloracle.errors import InvalidURL
from urloracle.grammar.alphabet import ALPHABET
from urloracle.operations import validate
from urloracle.rfcs import SPECIFICATIONS, specification

_STEADY = settings(derandomize=True, deadline=None, max_examples=300, database=None)


def _problem(text, spec, rule=None, profile=None):
    """Return the exception that `validate` raises for an invalid text, or None for a valid one."""
    try:
        validate(text, spec, rule, profile)
    except InvalidURL as problem:
        return problem
    return None


def _offset(text, spec, rule=None, profile=None):
    """None for a valid text, else the offset of its first bad character."""
    problem = _problem(text, spec, rule, profile)
    return None if problem is None else problem.position


# (text, rule, offsets under the profiles generic, scheme-specific and prose)
PROFILES = [
    ("http://u@h/", "url", (None, 8, 8)),
    ("http://h/a;b", "url", (None, None, None)),
    ("ftp://h/;type=x", "url", (None, 14, 14)),
    ("x-new://:::/", "url", (None, None, None)),
    ("mailto:x", "url", (None, None, 8)),
    ("mailto:x@y", "url", (None, None, None)),
    ("mailto:x@", "url", (None, None, 9)),
    ("mailto:%22a%20b%22@y", "url", (None, None, None)),
    ("mailto:a%20b@y", "url", (None, None, 10)),
    ("http://256.0.0.1/", "url", (None, None, 16)),
    ("http://0255.0.0.1/", "url", (None, None, None)),
    ("http://h:65535/", "url", (None, None, None)),
    ("http://h:65536/", "url", (None, None, 13)),
    ("http://h:000080/", "url", (None, None, None)),
    ("http:x", "otherurl", (None, 4, 4)),
    ("httpx:x", "otherurl", (None, None, None)),
    ("256.1.1.1", "host", (None, None, 9)),
    ("256.1.1.1", "hostnumber", (None, None, 2)),
    ("http://u@h/", "httpurl", (8, 8, 8)),
]


@pytest.mark.parametrize(("text", "rule", "offsets"), PROFILES)
def test_each_profile_has_its_offset(text, rule, offsets):
    """G-06: the grammar alone, the rule of the scheme (R-1738-01), the conditions in prose."""
    profile_offsets = [
        _offset(text, "rfc1738", rule, name) for name in ("generic", "scheme-specific", "prose")
    ]
    assert tuple(profile_offsets) == offsets


@pytest.mark.parametrize(
    ("rule", "offset"),
    [
        pytest.param(None, 8, id="no-rule"),
        pytest.param("URL", 8, id="url-in-capital-letters"),
        pytest.param("genericurl", None, id="genericurl"),
        pytest.param("otherurl", None, id="otherurl"),
    ],
)
def test_a_user_of_http_is_refused_by_the_default_profile_of_the_rule_url_alone(rule, offset):
    """R-1738-01: without a profile, it is scheme-specific for the rule url, and generic for any other."""
    assert _offset("http://u@h/", "rfc1738", rule) == offset


@pytest.mark.parametrize("spec", ["rfc2396", "rfc2732"])
def test_the_prose_of_rfc2396_refuses_an_address_with_a_number_above_255(spec):
    """R-2396-13: the grammar alone accepts it."""
    rfc = SPECIFICATIONS[spec]
    assert rfc.language("IPv4address").accepts("999.1.1.1")
    assert not rfc.language("IPv4address", "prose").accepts("999.1.1.1")


@pytest.mark.parametrize("spec", ["rfc2396", "rfc2732"])
def test_an_authority_that_is_no_address_by_prose_is_a_registry_based_name(spec):
    """R-2396-13."""
    assert _offset("//999.1.1.1", spec, None, "prose") is None


@pytest.fixture
def texts_of_schemes(walks, near_misses):
    """URLs of each scheme of RFC 1738 and of other schemes, and texts one edit away from them."""
    texts = ["", ":", "http", "x:", "HTTP:", "ftp:x", "\u212a:x", "http\u212a:"]
    for rule in [*specification("rfc1738").schemes.values(), "genericurl", "url"]:
        for member in walks("rfc1738", rule).members(40):
            texts += [member, *near_misses(member, 4)]
    return texts


def test_the_rule_of_a_url_is_the_union_of_its_schemes(texts_of_schemes):
    """R-1738-01: asking the rule of the scheme is the same as asking the automaton of all of them."""
    spec = specification("rfc1738")
    url_automaton = spec.automaton("url")
    valid_texts = [text for text in texts_of_schemes if spec.problem(text) is None]
    assert valid_texts != []
    assert valid_texts == [text for text in texts_of_schemes if url_automaton.accepts(text)]


def test_the_offset_after_a_scheme_is_that_of_the_union_of_all_schemes(texts_of_schemes):
    """R-1738-01: the rule of the scheme decides, and its offset is that of the rule url.

    An error before the colon is in no scheme: it is not compared here.
    """
    spec = specification("rfc1738")
    url_automaton = spec.automaton("url")
    problems = [spec.problem(text) for text in texts_of_schemes]
    after_schemes = [problem for problem in problems if problem and ":" in problem.text[: problem.position]]
    assert after_schemes
    for problem in after_schemes:
        assert url_automaton.longest_viable_prefix(problem.text).length == problem.position, problem.text


@pytest.mark.parametrize("profile", ["scheme-specific", "prose"])
def test_every_url_of_a_profile_is_generic(profile):
    spec = specification("rfc1738")
    narrow = spec.automaton("url", profile)
    assert difference(narrow, spec.automaton("url", "generic")).shortest_member() is None


@pytest.mark.parametrize("profile", ["scheme-specific", "prose"])
@pytest.mark.parametrize(
    ("rule", "text"),
    [
        pytest.param("url", "http:x", id="invalid-by-its-rule"),
        pytest.param("otherurl", "FTP://h/", id="scheme-in-capital-letters"),
    ],
)
def test_a_url_of_a_scheme_with_a_rule_must_match_that_rule(rule, text, profile):
    assert not specification("rfc1738").automaton(rule, profile).accepts(text)


@pytest.mark.parametrize("profile", ["scheme-specific", "prose"])
def test_a_url_of_a_scheme_without_a_rule_may_have_any_content(profile):
    assert specification("rfc1738").automaton("url", profile).accepts("x:")


def rules_with_profiles():
    """Yield each rule of each RFC with the default profile, and those that prose narrows with prose too."""
    for spec in SPECIFICATIONS.values():
        for rule in spec.grammar:
            yield spec.id, rule, None
            if rule in ("url", "host", "authority"):
                yield spec.id, rule, "prose"


CASES = list(rules_with_profiles())


@pytest.fixture(scope="module")
def problems_of(walks, near_misses):
    """Return a function that returns the problems of texts one edit away from a member of a language."""

    @cache
    def find(spec, rule, profile):
        texts = []
        for member in walks(spec, rule, profile).members(12, seed=1):
            texts += near_misses(member, 5, seed=1)
        problems = [_problem(text, spec, rule, profile) for text in texts]
        invalid = [problem for problem in problems if problem is not None]
        assert invalid, "no text near a member is invalid"
        return invalid

    return find


by_rule = pytest.mark.parametrize(("spec", "rule", "profile"), CASES)


@pytest.mark.sampled(4)
@by_rule
def test_a_member_has_no_problem(walks, spec, rule, profile):
    members = walks(spec, rule, profile).members(12, seed=1)
    assert [member for member in members if _offset(member, spec, rule, profile) is not None] == []


@pytest.mark.sampled(4)
@by_rule
def test_the_text_before_the_offset_can_be_completed_to_a_member(walks, problems_of, spec, rule, profile):
    walk = walks(spec, rule, profile)
    for problem in problems_of(spec, rule, profile):
        member = walk.complete(problem.text[: problem.position])
        assert _offset(member, spec, rule, profile) is None, problem.text


@pytest.mark.sampled(4)
@by_rule
def test_the_text_with_the_character_at_the_offset_cannot_be_completed(
    walks, problems_of, spec, rule, profile
):
    walk = walks(spec, rule, profile)
    problems = problems_of(spec, rule, profile)
    before_the_end = [problem for problem in problems if problem.position < len(problem.text)]
    assert before_the_end != []
    for problem in before_the_end:
        assert walk.complete(problem.text[: problem.position + 1]) is None, problem.text


@pytest.mark.sampled(8)
@by_rule
def test_the_expected_characters_are_those_that_can_follow(walks, problems_of, spec, rule, profile):
    walk = walks(spec, rule, profile)
    for problem in problems_of(spec, rule, profile):
        prefix = problem.text[: problem.position]
        followers = {char for char in ALPHABET if walk.complete(prefix + char) is not None}
        assert problem.expected == followers, problem.text


@pytest.mark.sampled(4)
@by_rule
def test_the_open_rules_begin_with_the_rule_of_the_text(problems_of, spec, rule, profile):
    problems = problems_of(spec, rule, profile)
    assert [problem for problem in problems if problem.rules[0] != rule] == []


@_STEADY
@given(st.text("0123456789abcdefABCDEFg:.", max_size=24) | st.ip_addresses(v=6).map(str))
def test_ipv6_addresses_are_those_of_the_standard_library(text):
    """RFC 3986 section 3.2.2, R-3986-05: groups, one elision, a dotted tail."""
    assert (_offset(text, "rfc3986", "IPv6address") is None) is _is_ipv6(text)


def test_every_generated_ipv6_address_is_one_of_the_standard_library(walks):
    for member in walks("rfc3986", "IPv6address").members(150):
        assert _is_ipv6(member), member


def test_a_text_near_an_ipv6_address_has_the_verdict_of_the_standard_library(walks, near_misses):
    for member in walks("rfc3986", "IPv6address").members(150):
        for text in near_misses(member, 6):
            assert (_offset(text, "rfc3986", "IPv6address") is None) is _is_ipv6(text), text


def _is_ipv6(text):
    try:
        ipaddress.IPv6Address(text)
    except ValueError:
        return False
    return "%" not in text
