"""Covers: every transition is taken, and the bound holds by its proof."""

from __future__ import annotations

import hashlib
from itertools import permutations

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


@pytest.fixture(scope="module", params=RULES, ids="-".join)
def automaton(request):
    spec, rule = request.param
    return specification(spec).automaton(rule)


@pytest.fixture(scope="module")
def cover_of_automaton(automaton):
    return cover(automaton)


@pytest.mark.sampled(keep="rfc3986")
def test_the_words_are_in_the_language(automaton, cover_of_automaton):
    words = cover_of_automaton.words
    assert words != ()
    assert [word for word in words if not automaton.accepts(word)] == []


@pytest.mark.sampled(keep="rfc3986")
def test_the_words_take_every_transition(automaton, cover_of_automaton):
    assert transitions_of(automaton, cover_of_automaton.words) == set(Paths(automaton).transitions())


@pytest.mark.sampled(keep="rfc3986")
def test_the_number_of_words_is_between_the_bound_and_a_tenth_more(cover_of_automaton):
    words, bound, _ = cover_of_automaton
    assert bound <= len(words)
    assert len(words) <= 1.1 * bound


@pytest.mark.sampled(keep="rfc3986")
def test_the_proof_of_the_bound_has_a_transition_for_each_word(cover_of_automaton):
    """The proof of a single word may be empty."""
    _, bound, apart = cover_of_automaton
    assert max(len(apart), 1) == bound


@pytest.mark.sampled(4)
def test_no_word_takes_two_transitions_of_the_proof_of_the_bound(automaton, cover_of_automaton):
    """A cover needs a word for each of these transitions."""
    apart = cover_of_automaton.apart
    after = reaching(Paths(automaton))
    on_one_way = [
        (first, second) for first, second in permutations(apart, 2) if second.source in after[first.target]
    ]
    assert on_one_way == []


def test_words_of_a_component_share_its_transitions():
    """The longest word is far shorter than one that takes the transitions of a whole component.

    That would have hundreds of characters.
    """
    words = cover(specification("rfc3986").automaton("URI")).words
    assert max(map(len, words)) < 100


def test_an_empty_language_has_an_empty_cover():
    assert cover(Automaton({"a": 0}, ((0,), (0,)), 1, frozenset())) == ((), 0, ())


#: SHA-256 of the words that cover a URL of RFC 1738; the same on every platform and Python.
DIGEST = "1e7420a53802da6ccb70e013f4e87d75dea9e7aa3e36bc75d7afd8dd0c7304ff"


def test_the_cover_is_the_same_everywhere():
    """It depends on no order of a set, which is another one in each process."""
    words = cover(specification("rfc1738").automaton("url")).words
    assert hashlib.sha256("\n".join(words).encode()).hexdigest() == DIGEST
