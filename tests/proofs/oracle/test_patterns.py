"""Proofs that every pattern accepts exactly the language of its rule, and never needs to go back."""

from __future__ import annotations

import re._parser as sre_parser

import pytest

from urloracle.grammar.expression import EMPTY, Sequence, deterministic
from urloracle.language import count_words
from urloracle.regex.pattern import pattern
from urloracle.rfcs import SPECIFICATIONS

from . import pattern_proofs

RULES = [
    pytest.param(spec, rule, id=f"{spec.id}-{rule}")
    for spec in SPECIFICATIONS.values()
    for rule in spec.grammar
]
SPECS = [pytest.param(spec, id=spec.id) for spec in SPECIFICATIONS.values()]


@pytest.mark.parametrize(("spec", "rule"), RULES)
def test_the_pattern_accepts_the_language_of_the_rule(spec, rule):
    source = pattern(spec.grammar, rule).regex.pattern
    assert pattern_proofs.same(pattern_proofs.automaton_of_pattern(source), spec.language(rule).automaton)


@pytest.mark.parametrize(("spec", "rule"), RULES)
def test_a_possessive_repetition_never_takes_what_could_follow_it(spec, rule):
    assert pattern_proofs.undecided(pattern(spec.grammar, rule).regex.pattern) == []


@pytest.mark.parametrize(("spec", "rule"), pattern_proofs.WORDS)
def test_number_of_words(spec, rule):
    """The numbers that two independent constructions have agreed on."""
    assert count_words(SPECIFICATIONS[spec].automaton(rule), [20]) == [pattern_proofs.WORDS[spec, rule]]


@pytest.mark.parametrize("spec", SPECS)
def test_a_splitting_pattern_accepts_the_language_of_its_rule(spec):
    spec.read("x:")  # compiles what it splits with
    for rule in spec.schemes.values():
        spec.split("x:", rule, spec.languages)
    if spec.resolver:
        spec.resolve("http://h/", "x")
    for (rule, _), found in spec.languages.patterns.items():
        source = found.regex.pattern
        assert pattern_proofs.same(
            pattern_proofs.automaton_of_pattern(source), spec.language(rule).automaton
        ), rule
        assert pattern_proofs.undecided(source) == [], rule
    assert spec.languages.patterns or spec.id == "rfc1808"  # which is split by its section 2.4


POSSESSIVE = [
    pytest.param("[ab]*+b", False, id="possessive-set-swallows-what-follows"),
    pytest.param("(?:ab?)*+b", False, id="possessive-group-swallows-what-follows"),
    pytest.param("(?:a|ab)?+c", False, id="possessive-choice-is-the-wrong-one"),
    pytest.param("(?:|b)?+c", False, id="possessive-nothing-before-something"),
    pytest.param("[ab]*+c", True, id="nothing-in-common"),
    pytest.param("(?:a(?:,a)*+)?+;", True, id="decided-by-the-next-character"),
    pytest.param("(?:ab){2}+a", True, id="a-fixed-number"),
]


@pytest.mark.parametrize(("source", "fits"), POSSESSIVE)
def test_planted_possessive_repetitions(source, fits):
    tree = sre_parser.parse(source)
    found = list(pattern_proofs.possessive(tree, pattern_proofs.NOTHING))
    assert found
    assert (pattern_proofs.undecided(source) == []) is fits
    assert all(deterministic(whole, follow) for whole, follow in found) is fits


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("0-9", "0-8", id="a-digit-lost"),
        pytest.param("//", "/", id="a-slash-lost"),
        pytest.param("*+", "++", id="a-repetition-that-must-occur"),
        pytest.param("@", "!", id="a-delimiter-changed"),
        pytest.param(r"\?", r"\#", id="query-for-fragment"),
    ],
)
def test_planted_faults_in_a_pattern_are_seen(old, new):
    spec = SPECIFICATIONS["rfc3986"]
    source = pattern(spec.grammar, "URI-reference").regex.pattern
    assert old in source
    planted = pattern_proofs.automaton_of_pattern(source.replace(old, new))
    assert not pattern_proofs.same(planted, spec.language("URI-reference").automaton)


def test_the_empty_pattern_is_the_empty_word():
    assert pattern_proofs.automaton_of_pattern("").accepts("")
    assert Sequence(()) == EMPTY
