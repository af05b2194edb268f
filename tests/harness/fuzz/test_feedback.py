"""Feedback: transitions that a text takes, shapes of answers, and what is new."""

from __future__ import annotations

import pytest

from urlharness.fuzz.difference import Divergence
from urlharness.fuzz.feedback import Feedback, Transitions, shape
from urlharness.fuzz.panel import SEPARATOR, AdapterAnswer
from urlharness.panel.answer import Answer
from urloracle.rfcs import SPECIFICATIONS


@pytest.fixture(scope="module")
def transitions():
    return Transitions(SPECIFICATIONS["rfc3986"].automaton("URI-reference"))


def test_characters_of_one_class_take_one_transition(transitions):
    assert transitions.features("http://x/w") == transitions.features("http://z/y")
    assert transitions.features("http://a/b")[0] != transitions.features("http://a?b")[0]


def test_the_place_where_a_text_leaves_the_language(transitions):
    places = [
        transitions.features(text)[1] for text in ('//a"', '//b"c', "//a\\", "//a\t", "//a", "//aé", "a:[")
    ]
    assert places[1] == places[0]
    assert places[2] == places[0]
    assert len(set(places)) == 5


def test_a_text_goes_on_behind_a_wrong_character(transitions):
    """So two wrong texts that end differently take different transitions."""
    assert transitions.features('"//a@b')[0] != transitions.features('"//a')[0]


def test_pairs_take_the_transitions_of_both_texts(transitions):
    both, _ = transitions.features(f"a:b{SEPARATOR}?c")
    base, reference = transitions.features("a:b")[0], transitions.features("?c")[0]
    assert both >= base
    assert len(reference - both) == 1  # the traits of a reference are not those of a base


def test_combinations_of_traits_are_told_apart(transitions):
    """Each pair takes the same transitions, but combines other components or faults."""
    apart = (
        transitions.features("//a@b")[0]
        | transitions.features("//[::1]")[0]
        | transitions.features("//a@[v1.b]")[0]
    )
    assert transitions.features("//a@[::1]?")[0] - apart
    apart = transitions.features('ab"')[0] | transitions.features("a b")[0]
    assert transitions.features('a "')[0] - apart


def test_the_transitions_of_texts_are_counted_without_their_traits(transitions):
    codes = set().union(*(transitions.features(text)[0] for text in ("http://a", "//b", '"')))
    assert 0 < transitions.count_taken(codes) < len(codes)
    assert transitions.count_taken(codes) < transitions.total


@pytest.fixture
def feedback():
    """Feedback that has seen two codes under a key."""
    seen = Feedback()
    seen.add("x", {1, 2})
    return seen


def test_codes_are_new_at_first():
    assert Feedback().new_codes("x", {1, 2}) == {1, 2}


def test_codes_that_were_added_are_not_new(feedback):
    assert feedback.new_codes("x", {2, 3}) == {3}


def test_codes_of_another_key_are_new(feedback):
    assert feedback.new_codes("y", {2, 3}) == {2, 3}


def test_feedback_has_the_codes_that_were_added(feedback):
    assert feedback.codes == {1, 2}


def answers_of(*answers):
    return [AdapterAnswer(answer, (), None) for answer in answers]


SHORT = answers_of(Answer("parsed", {"host": "a", "path": "", "query": None}))
LONG = answers_of(Answer("parsed", {"host": "bbb", "path": "", "query": None}))
EMPTY = answers_of(Answer("parsed", {"host": "", "path": ""}))


def test_shapes_do_not_depend_on_the_length():
    assert shape("", SHORT, []) == shape("", LONG, [])


def test_shapes_depend_on_the_differences():
    assert shape("", SHORT, []) != shape("", SHORT, [Divergence(0, 1, "host", -1, "unlike")])


def test_shapes_depend_on_the_components_that_are_present():
    assert shape("", SHORT, []) != shape("", EMPTY, [])
