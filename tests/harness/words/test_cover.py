"""Covers: every transition is taken, and the bound holds by its proof."""

from __future__ import annotations

from itertools import combinations

import pytest

from urlharness.words.cover import cover
from urlharness.words.paths import LabelledTransition, Paths
from urloracle.automata.dfa import Automaton
from urloracle.rfcs import SPECIFICATIONS, specification

RULES = [
    *((spec, specification.default_rule) for spec, specification in SPECIFICATIONS.items()),
    ("rfc3986", "IPv6address"), ("rfc3986", "dec-octet"), ("rfc3986", "port"), ("rfc3986", "path-empty"),
    ("rfc1738", "ftpurl"), ("rfc1738", "prosperourl"), ("rfc2732", "IPv6reference"),
]  # fmt: skip


def transitions_of(automaton, words):
    """Return the transitions that the words take, by the character that stands for its class."""
    paths = Paths(automaton)
    transitions = set()
    for word in words:
        state = automaton.start
        for char in word:
            transitions.add(LabelledTransition(state, char, paths.steps[state][char]))
            state = paths.steps[state][char]
    return transitions


def reaching(paths):
    """Map each state to the states that can follow, itself included."""
    reached = {state: {state} for state in paths.prefixes}
    changed = True
    while changed:
        changed = False
        for transition in paths.transitions():
            if not reached[transition.target] <= reached[transition.source]:
                reached[transition.source] |= reached[transition.target]
                changed = True
    return reached


@pytest.mark.parametrize(("spec", "rule"), RULES)
def test_the_words_take_every_transition(spec, rule):
    """The words are in the language, take every transition, and are at most 10 % more than the bound."""
    automaton = specification(spec).automaton(rule)
    words, bound, apart = cover(automaton)
    assert all(map(automaton.accepts, words))
    assert transitions_of(automaton, words) == set(Paths(automaton).transitions())
    assert bound <= len(words) <= 1.1 * bound
    assert len(apart) == bound or (apart, bound) == ((), 1)
    after = reaching(Paths(automaton))
    for first, second in combinations(apart, 2):  # no word takes two of these, so none can be spared
        assert second.source not in after[first.target]
        assert first.source not in after[second.target]


def test_words_of_a_component_share_its_transitions():
    """The longest word is far shorter than one that takes the transitions of a whole component."""
    words = cover(specification("rfc3986").automaton("URI")).words
    assert max(map(len, words)) < 100


def test_an_empty_language_has_an_empty_cover():
    assert cover(Automaton({"a": 0}, ((0,), (0,)), 1, frozenset())) == ((), 0, ())


def test_the_cover_is_the_same_each_time():
    automaton = specification("rfc1738").automaton("url")
    assert cover(automaton) == cover(automaton)
