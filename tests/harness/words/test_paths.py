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
    assert sorted("".join(class_.members for class_ in classes)) == sorted(ASCII)
    assert beyond.members == BEYOND
    assert octets.members == BYTES
    names = [character_class.name for character_class in (*classes, beyond, octets)]
    assert len(set(names)) == len(names)
    for class_of_many in classes:
        numbers = [automaton.classes.get(char) for char in class_of_many.members]
        columns = {
            tuple(row[number] if number is not None else SINK for row in automaton.table)
            for number in set(numbers)
        }
        assert len(columns) == 1


def test_classes_are_named_by_their_characters():
    names = [class_.name for class_ in character_classes(specification("rfc3986").automaton("port"))]
    assert names[0] == "0-9"
    assert names[-4:] == ["blank", "control", "beyond ASCII", "no UTF-8"]


def test_every_state_is_reached_by_a_shortest_word(automaton):
    paths = Paths(automaton)
    assert paths.prefixes.keys() == set(range(len(automaton.table))) - {SINK}
    for state, prefix in paths.prefixes.items():
        assert paths.follow(automaton.start, prefix) == state
        assert automaton.accepts(prefix + paths.suffixes[state])
    for transition in paths.transitions():
        assert len(paths.prefixes[transition.target]) <= len(paths.prefixes[transition.source]) + 1
        assert len(paths.suffixes[transition.source]) <= len(paths.suffixes[transition.target]) + 1


def test_follow_leaves_the_language():
    paths = Paths(specification("rfc3986").automaton("port"))
    assert paths.follow(paths.automaton.start, "1a") == SINK
    assert paths.follow(paths.automaton.start, "\xe9") == SINK


def test_states_without_acceptance_are_left_out():
    """From state 3 nothing is accepted."""
    paths = Paths(Automaton({"a": 0, "b": 1}, ((0, 0), (2, 3), (0, 0), (3, 3)), 1, frozenset((2,))))
    assert [*paths.transitions()] == [(1, "a", 2)]
    assert paths.prefixes == {1: "", 2: "a"}


def test_an_empty_language_has_no_paths():
    paths = Paths(Automaton({"a": 0}, ((0,), (0,)), 1, frozenset()))
    assert paths.prefixes == {}
    assert [*paths.transitions()] == []
