"""Paths: character classes, transitions, shortest words to and from states."""

from __future__ import annotations

import pytest

from urlharness.words.paths import BEYOND, BYTES, Paths, character_classes
from urloracle.automata.dfa import ASCII, SINK, Automaton
from urloracle.rfcs import specification

RULES = [("rfc3986", "URI-reference"), ("rfc1738", "url"), ("rfc1808", "URL"), ("rfc3986", "dec-octet")]


@pytest.fixture(params=RULES, ids="-".join)
def automaton(request):
    spec, rule = request.param
    return specification(spec).automaton(rule)


def test_classes_divide_ascii(automaton):
    """Each character has one class; characters of a class lead to the same states."""
    *classes, beyond, octets = character_classes(automaton)
    assert sorted("".join(one.members for one in classes)) == sorted(ASCII)
    assert (beyond.members, octets.members) == (BEYOND, BYTES)
    names = [one.name for one in (*classes, beyond, octets)]
    assert len(set(names)) == len(names)
    for one in classes:
        numbers = [automaton.classes.get(char) for char in one.members]
        columns = {
            tuple(row[number] if number is not None else SINK for row in automaton.table)
            for number in set(numbers)
        }
        assert len(columns) == 1


def test_names_of_classes():
    names = [one.name for one in character_classes(specification("rfc3986").automaton("port"))]
    assert names[0] == "0-9"
    assert names[-4:] == ["blank", "control", "beyond ASCII", "no UTF-8"]


def test_shortest_words(automaton):
    paths = Paths(automaton)
    assert paths.prefixes.keys() == set(range(len(automaton.table))) - {SINK}
    for state, prefix in paths.prefixes.items():
        assert paths.follow(automaton.start, prefix) == state
        assert automaton.accepts(prefix + paths.suffixes[state])
    for one in paths.transitions():
        assert len(paths.prefixes[one.target]) <= len(paths.prefixes[one.source]) + 1
        assert len(paths.suffixes[one.source]) <= len(paths.suffixes[one.target]) + 1


def test_follow_leaves_the_language():
    paths = Paths(specification("rfc3986").automaton("port"))
    assert paths.follow(paths.automaton.start, "1a") == SINK
    assert paths.follow(paths.automaton.start, "\xe9") == SINK


def test_states_without_acceptance_are_left_out():
    """From state 3 nothing is accepted."""
    paths = Paths(Automaton({"a": 0, "b": 1}, ((0, 0), (2, 3), (0, 0), (3, 3)), 1, frozenset((2,))))
    assert [*paths.transitions()] == [(1, "a", 2)]
    assert paths.prefixes == {1: "", 2: "a"}


def test_no_word():
    paths = Paths(Automaton({"a": 0}, ((0,), (0,)), 1, frozenset()))
    assert (paths.prefixes, [*paths.transitions()]) == ({}, [])
