"""Words that take new transitions: each takes one, and all together take all of them."""

from __future__ import annotations

from random import Random

import pytest

from urlharness.words.exploration import explored
from urlharness.words.sampling import Sampler
from urlharness.words.weights import by_class
from urloracle.automata.dfa import Automaton
from urloracle.rfcs import specification

CASES = [
    ("rfc3986", "URI-reference", range(61)), ("rfc3986", "IPv6address", range(46)),
    ("rfc3986", "URI", range(30, 31)), ("rfc3986", "URI", range(2, 5)), ("rfc1738", "ftpurl", range(50)),
    ("rfc2396", "URI-reference", range(41)),
]  # fmt: skip


def taken(dfa, word):
    """The transitions of a word: states and classes."""
    state, found = dfa.start, set()
    for char in word:
        found.add((state, dfa.classes[char]))
        state = dfa.table[state][dfa.classes[char]]
    assert state in dfa.accepting
    return found


def possible(dfa, lengths):
    """The transitions that words of the lengths take, by walking forwards and backwards, length by length."""
    found = set()
    steps = [{(kind, target) for kind, target in enumerate(row)} for row in dfa.table]
    for length in lengths:
        forward = [{dfa.start}]
        for _ in range(length):
            forward.append({target for state in forward[-1] for _, target in steps[state] if target})
        after = dfa.accepting
        for states in reversed(forward[:-1]):
            found |= {(state, kind) for state in states for kind, target in steps[state] if target in after}
            after = {state for state in states if any(target in after for _, target in steps[state])}
    return found


@pytest.mark.parametrize(("spec", "rule", "lengths"), CASES)
@pytest.mark.parametrize("uniform", [True, False], ids=["uniform", "weights"])
def test_every_transition_is_taken(spec, rule, lengths, uniform):
    dfa = specification(spec).automaton(rule)
    sampler = Sampler(dfa, lengths, None if uniform else by_class(dfa))
    left = possible(dfa, lengths)
    for word in explored(dfa, sampler, Random(2)):
        assert len(word) in lengths
        new = taken(dfa, word) & left
        assert new
        left -= new
    assert left == set()


def test_a_character_of_weight_0_is_not_taken():
    dfa = Automaton({"a": 0, "b": 1}, ((0, 0), (2, 3), (0, 4), (0, 4), (0, 0)), 1, frozenset((2, 4)))
    sampler = Sampler(dfa, range(3), lambda _: {"a": 0, "b": 1})
    assert list(explored(dfa, sampler, Random(1))) == ["bb"]
    assert list(explored(dfa, Sampler(dfa, range(5, 9)), Random(1))) == []


def test_a_seed_gives_the_same_words():
    dfa = specification("rfc3986").automaton("IPv4address")
    sampler = Sampler(dfa, range(16))
    first, again, other = (list(explored(dfa, sampler, Random(seed))) for seed in (1, 1, 2))
    assert first == again != other
