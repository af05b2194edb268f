"""Patterns against automata: two translations of one grammar agree on every rule."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from urloracle import language
from urloracle.regex.pattern import _Attempt, pattern
from urloracle.rfc.schemes import component_names
from urloracle.rfcs import SPECIFICATIONS

SERVER = ("userinfo", "host", "port")
URI_PARTS = ("scheme", "authority", *SERVER, "path", "query", "fragment")
RULES = [(spec.id, rule) for spec in SPECIFICATIONS.values() for rule in spec.grammar]


def _components(spec, rule):
    return sorted(component_names(rule)) if spec == "rfc1738" else URI_PARTS


def _matches(spec, rule, text):
    return SPECIFICATIONS[spec].languages.pattern(rule, _components(spec, rule)).split(text) is not None


@pytest.mark.parametrize(("spec", "rule"), RULES)
def test_the_pattern_gives_the_verdict_of_the_automaton(spec, rule, walks, near_misses):
    """Members match; texts one edit away match where the automaton takes them, and nowhere else."""
    language = SPECIFICATIONS[spec].language(rule)
    verdicts = []
    for member in walks(spec, rule, "generic").members(30):
        assert language.accepts(member)
        assert _matches(spec, rule, member), member
        for text in near_misses(member, 6):
            verdicts.append(language.accepts(text))
            assert _matches(spec, rule, text) is verdicts[-1], text
    assert not all(verdicts)


@pytest.mark.parametrize(("spec", "rule"), RULES)
def test_the_pattern_gives_the_same_verdict_on_noise(spec, rule):
    """Random strings of the characters that matter, and every string of one character."""
    random = Random(rule)
    alphabet = "aAfF019.:/?#[]@!;=&%-+ v"
    texts = ["".join(random.choices(alphabet, k=random.randrange(9))) for _ in range(120)]
    for text in ["", *map(chr, range(0x100)), *texts]:
        assert _matches(spec, rule, text) is SPECIFICATIONS[spec].language(rule).accepts(text), text


@settings(derandomize=True, deadline=None, max_examples=300, database=None)
@given(st.sampled_from(RULES), st.text(max_size=12))
def test_the_pattern_gives_the_same_verdict_on_unicode(case, text):
    """Characters beyond ASCII are in no language (G-07), whatever their case folds to."""
    spec, rule = case
    assert _matches(spec, rule, text) is SPECIFICATIONS[spec].language(rule).accepts(text)


@pytest.mark.parametrize("spec", ["rfc3986", "rfc2396", "rfc2732"])
def test_groups_are_members_of_their_rules(spec, walks):
    """The rule that a group is named after derives the text that the group captures."""
    specification = SPECIFICATIONS[spec]
    names = ("scheme", "authority", "query", "fragment")
    splitter = specification.languages.pattern("URI-reference", names)
    for member in walks(spec, "URI-reference").members(400):
        parts = splitter.split(member)
        for name, text in zip(names, parts, strict=True):
            assert text is None or specification.language(name).accepts(text), (member, name)


PATHS = ("path-abempty", "path-absolute", "path-rootless", "path-empty")
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
    **{
        f"one-of-several-{number}": ("rfc3986", "URI", ("path=" + "|".join(PATHS), "scheme"), text, parts)
        for number, (text, parts) in enumerate(
            {"a:": ("", "a"), "a:/b": ("/b", "a"), "a://h/b": ("/b", "a"), "a:b/c": ("b/c", "a")}.items()
        )
    },
    "optional-absent": ("rfc1738", "ftpurl", ("fpath", "ftptype"), "ftp://h", (None, None)),
}


@pytest.mark.parametrize("name", SPLITS)
def test_a_text_is_split_by_the_preferred_derivation(name):
    """The choice among derivations: print order, optional elements taken (R-2396-11, R-3986-04)."""
    spec, rule, components, text, expected = SPLITS[name]
    parts = pattern(SPECIFICATIONS[spec].grammar, rule, components).split(text)
    assert parts == expected


def test_the_first_branch_is_not_tried_twice(monkeypatch):
    """A text is matched at most once with each branch, and not with branches that it cannot be a text of."""
    split_pattern = pattern(
        SPECIFICATIONS["rfc2396"].grammar, "URI-reference", ("authority", "authority/host", "query")
    )
    every, usual = replace(split_pattern, rare="@").trials
    matched = []
    original = _Attempt.compiled

    def compiled(attempt):
        match = original(attempt)
        attempt.match = lambda text: matched.append(attempt) or match(text)
        return attempt.match

    monkeypatch.setattr(_Attempt, "compiled", compiled)
    for trial, text, count in (
        (usual, "a://b/", 1),
        (usual, "a://b_/", 2),
        (usual, "/a", 1),
        (usual, "a/b", 1),
        (every, "a:b@c", 1),
        (usual, "\\", 0),
    ):
        matched.clear()
        trial.split(text)
        assert len(matched) == len(set(map(id, matched))) == count, text


def test_groups_of_absent_components_are_none():
    """In a joined pattern the group of an absent component belongs to its own branch."""
    split_pattern = pattern(
        SPECIFICATIONS["rfc3986"].grammar, "URI-reference", ("scheme", "host", "fragment")
    )
    assert split_pattern.occurrences("a:b#c") == [("a", None, "c"), (None, None, None)]
    assert split_pattern.occurrences("//h#c")[0] == (None, "h", "c")


@pytest.mark.parametrize(
    ("components", "occurrences"),
    [
        (("fieldname", "fieldvalue"), [("a", "1"), ("", ""), ("b", "%20")]),
        (("fieldvalue", "fieldname"), [("1", "a"), ("", ""), ("%20", "b")]),
        (("fieldname",), [("a",), ("",), ("b",)]),
        (("port",), [(None,)] * 3),
    ],
)
def test_every_occurrence_of_a_rule_is_found(components, occurrences):
    """Every occurrence of a rule in a text, from left to right, in the order of the components."""
    fields = pattern(SPECIFICATIONS["rfc1738"].grammar, "fieldspec", components)
    assert fields.occurrences("prospero://h/p;a=1;=;b=%20") == occurrences
    assert fields.occurrences("prospero://h/p") == []


def test_columns_are_named_as_they_are_asked_for():
    """The name before the equals sign, the inner name of a pair; letters in either case."""
    split_pattern = pattern(
        SPECIFICATIONS["rfc3986"].grammar, "URI", ("AUTHORITY", "authority/HOST", "p=Path-Empty")
    )
    assert split_pattern.components == ("AUTHORITY", "HOST", "p")
    assert split_pattern.split("a://h") == ("h", "h", None)
    assert split_pattern.split("a:") == (None, None, "")


MANY = [("rfc1738", "httpurl"), ("rfc1808", "URL"), ("rfc2396", "authority"), ("rfc3986", "URI-reference")]


@pytest.mark.parametrize(("spec", "rule"), MANY)
def test_many_questions_are_asked_of_the_pattern(spec, rule, walks, near_misses, monkeypatch):
    """A language that is asked often changes from automaton to pattern; the verdicts stay the same."""
    fresh = language.Language(SPECIFICATIONS[spec].grammar, rule)
    members = list(walks(spec, rule).members(30))
    texts = [text for member in members for text in (member, *near_misses(member, 4))]
    assert len(texts) == 150
    monkeypatch.setattr(language, "_MANY", sum(map(len, texts)))
    before = [fresh._accepts(text) for text in texts]
    assert "pattern" not in vars(fresh)
    after = [fresh._accepts(text) for text in texts]
    assert "pattern" in vars(fresh)
    assert before == after == [fresh.automaton.accepts(text) for text in texts]
    assert 30 <= sum(before) < 150


# texts that would take for ever where a pattern could divide a run of characters in many ways
HOSTILE = [
    ("rfc1738", "hostname", "a-" * 2000),
    ("rfc1738", "prosperourl", "prospero://h/" + ";a=" * 2000 + ";"),
    ("rfc2396", "authority", "a." * 2000 + "!^"),
    ("rfc2396", "path_segments", ";" * 4000 + "^"),
    ("rfc1808", "params", ";" * 4000 + "^"),
    ("rfc2732", "IPv6address", ":1" * 500),
    ("rfc3986", "URI-reference", "a:" + "a/" * 4000 + "^"),
    ("rfc3986", "authority", ":" * 4000 + "^"),
]


@pytest.mark.parametrize(("spec", "rule", "text"), HOSTILE)
def test_a_hostile_text_is_refused_in_linear_time(spec, rule, text):
    """A refusal takes linear time, so this test ends."""
    assert not _matches(spec, rule, text)
    assert not SPECIFICATIONS[spec].language(rule).accepts(text)
