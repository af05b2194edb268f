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
    """Each character has one class; characters beyond ASCII and bytes have their own."""
    *classes, beyond, octets = character_classes(automaton)
    assert sorted("".join(class_.members for class_ in classes)) == sorted(ASCII)
    assert beyond.members == BEYOND
    assert octets.members == BYTES


def test_each_class_has_a_name_of_its_own(automaton):
    names = [character_class.name for character_class in character_classes(automaton)]
    assert len(set(names)) == len(names)


def states_after(automaton, char):
    """Return the state that follows each state with a character."""
    number = automaton.classes.get(char)
    if number is None:
        return (SINK,) * len(automaton.table)
    return tuple(row[number] for row in automaton.table)


def test_characters_of_a_class_lead_to_the_same_states(automaton):
    *classes, _, _ = character_classes(automaton)
    for character_class in classes:
        assert len({states_after(automaton, char) for char in character_class.members}) == 1


def test_classes_are_named_by_their_characters():
    names = [class_.name for class_ in character_classes(specification("rfc3986").automaton("port"))]
    assert names[0] == "0-9"
    assert names[-4:] == ["blank", "control", "beyond ASCII", "no UTF-8"]


def test_every_state_is_reached_and_leads_to_a_word(automaton):
    paths = Paths(automaton)
    assert paths.prefixes.keys() == set(range(len(automaton.table))) - {SINK}
    for state, prefix in paths.prefixes.items():
        assert paths.follow(automaton.start, prefix) == state
        assert automaton.accepts(prefix + paths.suffixes[state])


def test_no_way_to_or_from_a_state_can_be_shorter(automaton):
    paths = Paths(automaton)
    for transition in paths.transitions():
        assert len(paths.prefixes[transition.target]) <= len(paths.prefixes[transition.source]) + 1
        assert len(paths.suffixes[transition.source]) <= len(paths.suffixes[transition.target]) + 1


def test_a_path_that_leaves_the_language_ends_in_the_sink():
    paths = Paths(specification("rfc3986").automaton("port"))
    assert paths.follow(paths.automaton.start, "1a") == SINK
    assert paths.follow(paths.automaton.start, "\xe9") == SINK


def test_paths_have_no_states_from_which_nothing_is_accepted():
    """From state 3 nothing is accepted."""
    paths = Paths(Automaton({"a": 0, "b": 1}, ((0, 0), (2, 3), (0, 0), (3, 3)), 1, frozenset((2,))))
    assert [*paths.transitions()] == [(1, "a", 2)]
    assert paths.prefixes == {1: "", 2: "a"}


def test_an_empty_language_has_no_paths():
    paths = Paths(Automaton({"a": 0}, ((0,), (0,)), 1, frozenset()))
    assert paths.prefixes == {}
    assert [*paths.transitions()] == []
