"""Feedback: transitions that a text takes, shapes of answers, and what is new."""

from __future__ import annotations

import pytest

from urlharness.fuzz.difference import Divergence
from urlharness.fuzz.feedback import Feedback, Transitions, shape_of_answers
from urlharness.fuzz.panel import SEPARATOR, AdapterAnswer
from urlharness.panel.answer import Answer
from urloracle.rfcs import SPECIFICATIONS


@pytest.fixture(scope="module")
def transitions():
    return Transitions(SPECIFICATIONS["rfc3986"].automaton("URI-reference"))


@pytest.fixture(scope="module")
def codes_of(transitions):
    """Return a function that returns the codes of the transitions and traits of a text."""

    def codes(text):
        codes_of_text, _place = transitions.features(text)
        return codes_of_text

    return codes


@pytest.fixture(scope="module")
def place_of(transitions):
    """Return a function that returns the place where a text leaves the language."""

    def place(text):
        _codes, place_of_text = transitions.features(text)
        return place_of_text

    return place


def test_characters_of_one_class_take_one_transition(transitions):
    assert transitions.features("http://x/w") == transitions.features("http://z/y")


def test_characters_of_two_classes_take_two_transitions(codes_of):
    assert codes_of("http://a/b") != codes_of("http://a?b")


@pytest.mark.parametrize("text", ['//b"c', "//a\\"], ids=["same-character", "same-class"])
def test_texts_leave_the_language_in_one_place_by_characters_of_one_class(place_of, text):
    assert place_of(text) == place_of('//a"')


def test_other_texts_leave_the_language_in_other_places(place_of):
    places = [place_of(text) for text in ('//a"', "//a\t", "//a", "//aé", "a:[")]
    assert len(set(places)) == len(places)


def test_the_transitions_after_a_wrong_character_are_taken(codes_of):
    assert codes_of('"//a@b') != codes_of('"//a')


def test_pairs_take_the_transitions_of_both_texts(codes_of):
    pair = codes_of(f"a:b{SEPARATOR}?c")
    assert codes_of("a:b") <= pair
    missing_codes = codes_of("?c") - pair
    assert len(missing_codes) == 1  # the traits of a reference are not those of a base


@pytest.mark.parametrize(
    ("text", "separate_texts"),
    [
        pytest.param("//a@[::1]?", ["//a@b", "//[::1]", "//a@[v1.b]"], id="components"),
        pytest.param('a "', ['ab"', "a b"], id="faults"),
    ],
)
def test_a_combination_of_traits_is_new_even_if_each_trait_is_known(codes_of, text, separate_texts):
    taken_separately = set().union(*map(codes_of, separate_texts))
    assert codes_of(text) - taken_separately != set()


def test_the_transitions_of_texts_are_counted_without_their_traits(transitions, codes_of):
    codes = set().union(*map(codes_of, ("http://a", "//b", '"')))
    count = transitions.count_taken(codes)
    assert count > 0
    assert count < len(codes)


def test_a_few_texts_do_not_take_all_transitions(transitions, codes_of):
    assert transitions.count_taken(codes_of("http://a")) < transitions.total


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
    assert shape_of_answers("", SHORT, []) == shape_of_answers("", LONG, [])


def test_shapes_depend_on_the_differences():
    divergence = Divergence(0, 1, "host", -1, "unlike")
    assert shape_of_answers("", SHORT, []) != shape_of_answers("", SHORT, [divergence])


def test_shapes_depend_on_the_components_that_are_present():
    assert shape_of_answers("", SHORT, []) != shape_of_answers("", EMPTY, [])
