"""Patterns against automata: two translations of one grammar agree on every rule."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from urloracle import language
from urloracle.grammar.grammar import Grammar
from urloracle.grammar.notation import ABNF, read
from urloracle.regex.pattern import _Attempt, character_set, pattern
from urloracle.rfc.schemes import component_names
from urloracle.rfcs import SPECIFICATIONS

SERVER = ("userinfo", "host", "port")
URI_PARTS = ("scheme", "authority", *SERVER, "path", "query", "fragment")
RULES = [(spec.id, rule) for spec in SPECIFICATIONS.values() for rule in spec.grammar]


def _components(spec, rule):
    return sorted(component_names(rule)) if spec == "rfc1738" else URI_PARTS


def _matches(spec, rule, text):
    return SPECIFICATIONS[spec].languages.pattern(rule, _components(spec, rule)).split(text) is not None


by_rule = pytest.mark.parametrize(("spec", "rule"), RULES)


@pytest.mark.sampled(8)
@by_rule
def test_the_pattern_matches_every_member_of_its_rule(spec, rule, walks):
    for member in walks(spec, rule, "generic").members(30):
        assert _matches(spec, rule, member), member


@pytest.mark.sampled(4)
@by_rule
def test_the_language_of_a_rule_accepts_every_walk_through_its_automaton(spec, rule, walks):
    language = SPECIFICATIONS[spec].language(rule)
    for member in walks(spec, rule, "generic").members(30):
        assert language.accepts(member), member


@pytest.fixture
def texts_near_members(spec, rule, walks, near_misses):
    """Texts one edit away from members of a rule."""
    texts = []
    for member in walks(spec, rule, "generic").members(30):
        texts += near_misses(member, 6)
    return texts


@pytest.mark.sampled(6)
@by_rule
def test_the_pattern_gives_the_verdict_of_the_automaton_near_a_member(spec, rule, texts_near_members):
    language = SPECIFICATIONS[spec].language(rule)
    for text in texts_near_members:
        assert _matches(spec, rule, text) == language.accepts(text), text


@pytest.mark.sampled(4)
@by_rule
def test_some_text_near_a_member_of_a_rule_is_no_member(spec, rule, texts_near_members):
    """The texts of the test above therefore try refusals too."""
    language = SPECIFICATIONS[spec].language(rule)
    assert not all(language.accepts(text) for text in texts_near_members)


@pytest.mark.sampled(4)
@by_rule
def test_the_pattern_gives_the_verdict_of_the_automaton_on_short_texts(spec, rule):
    """The texts are the empty one, and every one of a single character of Latin-1."""
    language = SPECIFICATIONS[spec].language(rule)
    for text in ["", *map(chr, range(0x100))]:
        assert _matches(spec, rule, text) == language.accepts(text), text


@pytest.mark.sampled(4)
@by_rule
def test_the_pattern_gives_the_verdict_of_the_automaton_on_noise(spec, rule):
    """Noise is random texts of the characters that matter."""
    language = SPECIFICATIONS[spec].language(rule)
    random = Random(rule)
    for _ in range(120):
        text = "".join(random.choices("aAfF019.:/?#[]@!;=&%-+ v", k=random.randrange(9)))
        assert _matches(spec, rule, text) == language.accepts(text), text


@settings(derandomize=True, deadline=None, max_examples=300, database=None)
@given(st.sampled_from(RULES), st.text(max_size=12))
def test_the_pattern_gives_the_verdict_of_the_automaton_on_unicode(rule_of_rfc, text):
    """Characters beyond ASCII are in no language (G-07), whatever their case folds to."""
    spec, rule = rule_of_rfc
    assert _matches(spec, rule, text) == SPECIFICATIONS[spec].language(rule).accepts(text)


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize("spec", ["rfc3986", "rfc2396", "rfc2732"])
@pytest.mark.parametrize("component", ["scheme", "authority", "query", "fragment"])
def test_the_rule_of_a_group_derives_the_text_that_the_group_captures(spec, component, walks):
    specification = SPECIFICATIONS[spec]
    splitter = specification.languages.pattern("URI-reference", (component,))
    accepts = specification.language(component).accepts
    captured = set()
    for member in walks(spec, "URI-reference").members(400):
        (text,) = splitter.split(member)
        captured.add(text)
    present = captured - {None}
    assert present
    assert [text for text in present if not accepts(text)] == []


PATH_AND_SCHEME = ("path=path-abempty|path-absolute|path-rootless|path-empty", "scheme")
SPLITS = {
    "host-of-three-kinds": ("rfc3986", "authority", SERVER, "1.2.3.4", (None, "1.2.3.4", None)),
    "address-with-more": ("rfc3986", "authority", SERVER, "1.2.3.4.5:6", (None, "1.2.3.4.5", "6")),
    "last-at": ("rfc3986", "authority", SERVER, "a:b:c@h:", ("a:b:c", "h", "")),
    "empty-userinfo": ("rfc3986", "authority", SERVER, "@", ("", "", None)),
    "brackets": ("rfc3986", "authority", SERVER, "[::1:2]:3", (None, "[::1:2]", "3")),
    "server": ("rfc2396", "server", SERVER, "u;x@a.b.:80", ("u;x", "a.b.", "80")),
    "server-empty": ("rfc2396", "server", SERVER, "", (None, None, None)),
    "server-no-match": ("rfc2396", "server", SERVER, "a_b", None),
    "outermost-only": ("rfc1738", "login", ("host", "hostname"), "u@a.b", ("a.b", None)),
    "first-of-two": ("rfc1738", "hostnumber", ("digits",), "1.2.3.4", ("1",)),
    "optional-taken": ("rfc1738", "ftpurl", ("fpath", "ftptype"), "ftp://h/;type=a", ("", "a")),
    "inner": ("rfc3986", "URI", ("authority", "authority/host"), "a://u@h:1/", ("u@h:1", "h")),
    "inner-absent": ("rfc3986", "URI", ("authority", "authority/port"), "a:/", (None, None)),
    "inner-not-elsewhere": ("rfc3986", "URI", ("path-abempty", "path-abempty/host"), "a://h", ("", None)),
    "in-another-order": ("rfc3986", "URI", ("query", "scheme"), "a:?b", ("b", "a")),
    "one-of-several-empty": ("rfc3986", "URI", PATH_AND_SCHEME, "a:", ("", "a")),
    "one-of-several-absolute": ("rfc3986", "URI", PATH_AND_SCHEME, "a:/b", ("/b", "a")),
    "one-of-several-abempty": ("rfc3986", "URI", PATH_AND_SCHEME, "a://h/b", ("/b", "a")),
    "one-of-several-rootless": ("rfc3986", "URI", PATH_AND_SCHEME, "a:b/c", ("b/c", "a")),
    "optional-absent": ("rfc1738", "ftpurl", ("fpath", "ftptype"), "ftp://h", (None, None)),
}


@pytest.mark.parametrize("name", SPLITS)
def test_a_text_is_split_by_the_preferred_derivation(name):
    """The choice among derivations: print order, optional elements taken (R-2396-11, R-3986-04)."""
    spec, rule, components, text, expected = SPLITS[name]
    parts = pattern(SPECIFICATIONS[spec].grammar, rule, components).split(text)
    assert parts == expected


@pytest.fixture
def matched_branches(monkeypatch):
    """The branches of patterns that a text is matched with, in order."""
    branches = []
    original = _Attempt.compile

    def compile_and_record(attempt):
        match = original(attempt)

        def recording_match(text):
            branches.append(id(attempt))
            return match(text)

        attempt.match = recording_match
        return recording_match

    monkeypatch.setattr(_Attempt, "compile", compile_and_record)
    return branches


@pytest.fixture
def trials():
    """The trials of a pattern with `@` as its rare character: the usual one is for texts without it."""
    components = ("authority", "authority/host", "query")
    split_pattern = pattern(SPECIFICATIONS["rfc2396"].grammar, "URI-reference", components)
    complete, usual = replace(split_pattern, rare="@").trials
    return {"complete": complete, "usual": usual}


@pytest.mark.parametrize(
    ("trial", "text", "number_of_branches"),
    [
        pytest.param("usual", "a://b/", 1, id="server"),
        # the branch of a server is tried before that of a registry name (R-2396-11)
        pytest.param("usual", "a://b_/", 2, id="registry-name"),
        pytest.param("usual", "/a", 1, id="absolute-path"),
        pytest.param("usual", "a/b", 1, id="relative-path"),
        pytest.param("complete", "a:b@c", 1, id="opaque-part"),
        # no reference begins with a backslash
        pytest.param("usual", "\\", 0, id="no-reference"),
    ],
)
class TestBranches:
    """A text is matched with few of the ten branches of a pattern: those that its beginning leaves open."""

    def test_a_text_is_matched_until_a_branch_that_may_begin_like_it_derives_it(
        self, trial, text, number_of_branches, trials, matched_branches
    ):
        trials[trial].split(text)
        assert len(matched_branches) == number_of_branches

    def test_a_text_is_matched_with_no_branch_twice(
        self, trial, text, number_of_branches, trials, matched_branches
    ):
        trials[trial].split(text)
        assert len(set(matched_branches)) == number_of_branches


@pytest.fixture(scope="module")
def pattern_of_three_components():
    """The pattern of a reference with its scheme, host and fragment."""
    components = ("scheme", "host", "fragment")
    return pattern(SPECIFICATIONS["rfc3986"].grammar, "URI-reference", components)


@pytest.mark.parametrize(
    ("text", "groups"), [("a:b#c", ("a", None, "c")), ("//h#c", (None, "h", "c"))], ids=["scheme", "host"]
)
def test_the_groups_of_absent_components_are_none(pattern_of_three_components, text, groups):
    """In a joined pattern the group of an absent component belongs to its own branch."""
    first, *_ = pattern_of_three_components.occurrences(text)
    assert first == groups


def test_the_empty_end_of_a_text_is_an_occurrence_without_components(pattern_of_three_components):
    """A reference may be empty, so one is found after the first, too."""
    _first, *others = pattern_of_three_components.occurrences("a:b#c")
    assert others == [(None, None, None)]


@pytest.mark.parametrize(
    ("components", "occurrences"),
    [
        pytest.param(("fieldname", "fieldvalue"), [("a", "1"), ("", ""), ("b", "%20")], id="name-and-value"),
        pytest.param(("fieldvalue", "fieldname"), [("1", "a"), ("", ""), ("%20", "b")], id="value-and-name"),
        pytest.param(("fieldname",), [("a",), ("",), ("b",)], id="name"),
        pytest.param(("port",), [(None,)] * 3, id="of-another-rule"),
    ],
)
def test_the_occurrences_of_a_rule_are_listed_from_left_to_right(components, occurrences):
    """The components of each are in the order in which they are asked for."""
    fields = pattern(SPECIFICATIONS["rfc1738"].grammar, "fieldspec", components)
    assert fields.occurrences("prospero://h/p;a=1;=;b=%20") == occurrences


def test_a_text_without_an_occurrence_of_a_rule_has_none():
    fields = pattern(SPECIFICATIONS["rfc1738"].grammar, "fieldspec", ("fieldname",))
    assert fields.occurrences("prospero://h/p") == []


@pytest.fixture
def pattern_of_renamed_components():
    """A pattern whose components are asked for by rule, by inner rule, and under another name."""
    components = ("AUTHORITY", "authority/HOST", "p=Path-Empty")
    return pattern(SPECIFICATIONS["rfc3986"].grammar, "URI", components)


def test_the_columns_of_a_pattern_are_named_as_they_are_asked_for(pattern_of_renamed_components):
    """A column has the name before the equals sign, or the inner name of a pair."""
    assert pattern_of_renamed_components.components == ("AUTHORITY", "HOST", "p")


@pytest.mark.parametrize(
    ("text", "parts"), [("a://h", ("h", "h", None)), ("a:", (None, None, ""))], ids=["host", "empty-path"]
)
def test_components_asked_for_in_either_case_are_captured(text, parts, pattern_of_renamed_components):
    assert pattern_of_renamed_components.split(text) == parts


OFTEN_ASKED = [
    ("rfc1738", "httpurl"),
    ("rfc1808", "URL"),
    ("rfc2396", "authority"),
    ("rfc3986", "URI-reference"),
]


@pytest.fixture
def new_language(monkeypatch):
    """Return a function that makes a language that compiles its pattern after so many characters."""

    def make(spec, rule, characters):
        monkeypatch.setattr(language, "_MANY_CHARACTERS", characters)
        return language.Language(SPECIFICATIONS[spec].grammar, rule)

    return make


def test_a_language_compiles_its_pattern_after_many_characters(new_language):
    """The method in Python is asked: the C engine, which `accepts` may be, needs no pattern."""
    text = "a:b"
    uris = new_language("rfc3986", "URI", len(text))
    uris._accepts(text)
    assert "pattern" not in vars(uris)  # a cached property
    uris._accepts(text)
    assert "pattern" in vars(uris)


@pytest.mark.parametrize("characters", [0, math.inf], ids=["pattern", "automaton"])
@pytest.mark.parametrize(("spec", "rule"), OFTEN_ASKED)
def test_a_language_has_the_verdicts_of_its_automaton_before_and_after_it_compiles_its_pattern(
    spec, rule, characters, walks, near_misses, new_language
):
    asked_language = new_language(spec, rule, characters)
    texts = []
    for member in walks(spec, rule).members(30):
        texts += [member, *near_misses(member, 4)]
    verdicts = [asked_language.automaton.accepts(text) for text in texts]
    assert set(verdicts) == {True, False}
    assert [asked_language._accepts(text) for text in texts] == verdicts


#: Texts that would take for ever where a pattern could divide a run of characters in many ways.
HOSTILE = [
    pytest.param("rfc1738", "hostname", "a-" * 2000, id="hyphens-of-a-host"),
    pytest.param("rfc1738", "prosperourl", "prospero://h/" + ";a=" * 2000 + ";", id="fields-of-prospero"),
    pytest.param("rfc2396", "authority", "a." * 2000 + "!^", id="labels-of-a-host"),
    pytest.param("rfc2396", "path_segments", ";" * 4000 + "^", id="params-of-segments"),
    pytest.param("rfc1808", "params", ";" * 4000 + "^", id="params"),
    pytest.param("rfc2732", "IPv6address", ":1" * 500, id="groups-of-an-address"),
    pytest.param("rfc3986", "URI-reference", "a:" + "a/" * 4000 + "^", id="segments"),
    pytest.param("rfc3986", "authority", ":" * 4000 + "^", id="colons-of-userinfo-or-port"),
]


@pytest.mark.parametrize(("spec", "rule", "text"), HOSTILE)
def test_a_pattern_refuses_a_hostile_text_and_ends(spec, rule, text):
    assert not _matches(spec, rule, text)


@pytest.mark.parametrize(("spec", "rule", "text"), HOSTILE)
def test_a_language_refuses_a_hostile_text_and_ends(spec, rule, text):
    assert not SPECIFICATIONS[spec].language(rule).accepts(text)


#: A set of letters, and its regular expression.
SETS = {
    "one": ("a", "a"),
    "special": ("-", r"\-"),
    "run": ("abc", "[a-c]"),
    "apart": ("ac-", r"[\-ac]"),
    "range-beyond-ascii": ("\ue000", "[\ue000-\uf8ff]"),
    "joined-ranges": ("a\u00a0\u200e", "[a\u00a0-\u200f]"),
    "ranges-apart": ("\u00a0\u2010", "[\u00a0-\u200d\u2010-\u2029]"),
}


@pytest.mark.parametrize("name", SETS)
def test_a_set_of_letters_is_written_as_the_characters_that_they_stand_for(name):
    letters, written = SETS[name]
    assert character_set(frozenset(letters)) == written


def test_a_branch_is_chosen_by_the_letter_of_the_first_character():
    """A text that begins beyond ASCII is tried with the branches that begin so."""
    grammar = load_text("""
        all   = one / two
        one   = "a" x
        two   = *beyond y
        x     = "1"
        y     = "2"
        beyond = %xE000-F8FF
        """)
    assert pattern(grammar, "all", ("x", "y")).split("\ue123\uf8ff2") == (None, "2")


def test_a_range_beyond_ascii_is_no_fixed_text():
    """If it were one, only texts with its first character would be tried."""
    grammar = load_text('all = %xE000-F8FF x\nx = "1"')
    assert pattern(grammar, "all", ("x",)).split("\ue1231") == ("1",)


def load_text(text):
    """Return the grammar of an ABNF text."""
    productions = read(text, ABNF).productions
    return Grammar(
        {production.name.lower(): production.expression for production in productions},
        {production.name.lower(): production.name for production in productions},
        {production.name.lower(): "1" for production in productions},
    )
