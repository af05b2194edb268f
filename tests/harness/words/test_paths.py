"""Paths: character classes, transitions, shortest words to and from states."""

from __future__ import annotations

import pytest

from urlharness.words.paths import BEYOND, BYTES, Paths, character_classes
from urloracle.automata.dfa import SINK, Automaton
from urloracle.grammar.alphabet import ASCII
from urloracle.rfcs import specification

RULES = [("rfc3986", "URI-reference"), ("rfc1738", "url"), ("rfc1808", "URL"), ("rfc3986", "dec-octet")]


@pytest.fixture(params=RULES, ids="-".join)
def automaton(request):
    spec, rule = request.param
    return specification(spec).automaton(rule)


def test_classes_divide_ascii(automaton):
    """Each character has one class."""
    *classes, _beyond, _octets = character_classes(automaton)
    assert sorted("".join(class_.members for class_ in classes)) == sorted(ASCII)


def test_characters_beyond_ascii_and_bytes_have_classes_of_their_own(automaton):
    *_, beyond, octets = character_classes(automaton)
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
    *classes, _beyond_ascii, _no_utf_8 = character_classes(automaton)
    for character_class in classes:
        states_by_member = {states_after(automaton, char) for char in character_class.members}
        assert len(states_by_member) == 1, character_class.name


def test_classes_are_named_by_their_characters():
    names = [class_.name for class_ in character_classes(specification("rfc3986").automaton("port"))]
    digits, *_, blank, control, beyond_ascii, no_utf_8 = names
    assert digits == "0-9"
    assert [blank, control, beyond_ascii, no_utf_8] == ["blank", "control", "beyond ASCII", "no UTF-8"]


#: Rules of RFC 3987, a character beyond ASCII, and whether texts of the rule may have it.
READING = {
    "letter-in-segment": ("isegment", "\u00e9", True),
    "private-in-segment": ("isegment", "\uf8ff", False),
    "private-in-query": ("iquery", "\uf8ff", True),
    "control-in-query": ("iquery", "\x85", False),
    "noncharacter-in-query": ("iquery", "\ufdd0", False),
}


@pytest.mark.parametrize("name", READING)
def test_characters_that_a_rule_of_iris_does_not_read_are_beyond_ascii(name):
    rule, char, is_read = READING[name]
    *_, beyond, _ = character_classes(specification("rfc3987").automaton(rule))
    assert (char not in beyond.members) is is_read


def test_a_rule_of_ascii_has_the_characters_beyond_ascii_of_urls():
    *_, beyond, _ = character_classes(specification("rfc3987").automaton("port"))
    assert beyond.members == BEYOND


@pytest.fixture
def paths(automaton):
    return Paths(automaton)


def test_every_state_has_a_prefix(automaton, paths):
    assert paths.prefixes.keys() == set(range(len(automaton.table))) - {SINK}


def test_the_prefix_of_a_state_leads_to_it(automaton, paths):
    reached = {state: paths.follow(automaton.start, prefix) for state, prefix in paths.prefixes.items()}
    assert reached == {state: state for state in paths.prefixes}


def test_prefix_and_suffix_of_a_state_make_a_word(automaton, paths):
    texts = [prefix + paths.suffixes[state] for state, prefix in paths.prefixes.items()]
    assert [text for text in texts if not automaton.accepts(text)] == []


def test_no_way_to_a_state_can_be_shorter(paths):
    lengths = {state: len(prefix) for state, prefix in paths.prefixes.items()}
    transitions = list(paths.transitions())
    assert transitions != []
    assert [step for step in transitions if lengths[step.target] > lengths[step.source] + 1] == []


def test_no_way_from_a_state_can_be_shorter(paths):
    lengths = {state: len(suffix) for state, suffix in paths.suffixes.items()}
    transitions = list(paths.transitions())
    assert transitions != []
    assert [step for step in transitions if lengths[step.source] > lengths[step.target] + 1] == []


@pytest.mark.parametrize("text", ["1a", "\xe9"], ids=["forbidden-character", "beyond-ascii"])
def test_a_path_that_leaves_the_language_ends_in_the_sink(text):
    paths = Paths(specification("rfc3986").automaton("port"))
    assert paths.follow(paths.automaton.start, text) == SINK


def test_paths_have_no_states_from_which_nothing_is_accepted():
    """From state 3 nothing is accepted."""
    paths = Paths(Automaton({"a": 0, "b": 1}, ((0, 0), (2, 3), (0, 0), (3, 3)), 1, frozenset((2,))))
    assert [*paths.transitions()] == [(1, "a", 2)]
    assert paths.prefixes == {1: "", 2: "a"}


def test_an_empty_language_has_no_paths():
    paths = Paths(Automaton({"a": 0}, ((0,), (0,)), 1, frozenset()))
    assert paths.prefixes == {}
    assert [*paths.transitions()] == []
