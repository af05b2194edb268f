"""The choice of texts to add: greedy, few, and none that can be left out."""

from __future__ import annotations

import pytest

from urlharness.adequacy.additions import SHARES, choose_additions, curve
from urlharness.adequacy.mistakes import Candidate, Catalogue, Mistake


def catalogue_of(kinds, notices):
    """Return a catalogue with mistakes of these kinds, and texts that notice mistakes with these numbers."""
    mistakes = tuple(
        Mistake(number, kind, f"rule-{kind}", f"3.{kind}", "bound", "", ("w",))
        for number, kind in enumerate(kinds)
    )
    candidates = tuple(
        Candidate((text,), True, sum(1 << number for number in numbers)) for text, numbers in notices.items()
    )
    return Catalogue("rfc3986", "URI", mistakes, candidates)


def chosen_texts(catalogue, noticed=0, limit=1000):
    """Return the texts that are chosen; `noticed` has a bit for each mistake that the tests notice."""
    return [addition.inputs[0] for addition in choose_additions(catalogue, noticed, limit)]


def kinds_noticed_by(catalogue, texts):
    """Return the kinds that texts notice, without bits."""
    kinds = set()
    for candidate in catalogue.candidates:
        if candidate.inputs[0] in texts:
            kinds |= {
                mistake.kind
                for number, mistake in enumerate(catalogue.mistakes)
                if candidate.notices & 1 << number
            }
    return kinds


#: The kinds of the mistakes, the mistakes that each text notices, and the texts to choose.
CHOICES = {
    "most-kinds-first": ([0, 1, 2], {"a": [0], "bb": [1, 2]}, ["bb", "a"]),
    "kinds-before-mistakes": ([0, 0, 0, 1, 2], {"a": [0, 1, 2], "b": [3, 4]}, ["b", "a"]),
    "then-most-mistakes": ([0, 0, 1], {"a": [0], "b": [0, 1], "c": [2]}, ["b", "c"]),
    "then-the-shortest": ([0], {"aa": [0], "b": [0]}, ["b"]),
    "then-the-first": ([0], {"b": [0], "a": [0]}, ["a"]),
    "superfluous": ([0, 1, 2, 3, 4, 5], {"abc": [1, 2, 3, 4], "d": [0, 1, 2], "e": [3, 4, 5]}, ["d", "e"]),
    "nothing-to-notice": ([], {"a": []}, []),
}


@pytest.mark.parametrize("name", CHOICES)
def test_texts_are_chosen_by_kinds_then_mistakes_then_length(name):
    kinds, notices, expected = CHOICES[name]
    assert chosen_texts(catalogue_of(kinds, notices)) == expected


def test_what_the_tests_notice_needs_no_text():
    catalogue = catalogue_of([0, 1], {"a": [0], "b": [1]})
    assert chosen_texts(catalogue, noticed=0b01) == ["b"]


def test_one_mistake_of_a_kind_stands_for_the_kind():
    catalogue = catalogue_of([0, 0, 1], {"a": [1], "b": [2]})
    assert chosen_texts(catalogue, noticed=0b01) == ["b"]


def test_no_more_texts_are_chosen_than_wanted():
    catalogue = catalogue_of([0, 1, 2], {"a": [0], "b": [1], "c": [2]})
    assert chosen_texts(catalogue, limit=2) == ["a", "b"]


def test_no_chosen_text_can_be_left_out(scheme_catalogue):
    texts = chosen_texts(scheme_catalogue)
    assert kinds_noticed_by(scheme_catalogue, texts) == set(range(scheme_catalogue.kind_count))
    for text in texts:
        rest = [remaining for remaining in texts if remaining != text]
        assert kinds_noticed_by(scheme_catalogue, rest) != set(range(scheme_catalogue.kind_count)), text


def second_choice(catalogue, limit):
    """Choose texts by sets of kinds and mistakes: a second implementation, without bits."""
    kinds = {}
    mistakes = {}
    for candidate in catalogue.candidates:
        numbers = [number for number in range(len(catalogue.mistakes)) if candidate.notices >> number & 1]
        mistakes[candidate.inputs] = set(numbers)
        kinds[candidate.inputs] = {catalogue.mistakes[number].kind for number in numbers}
    choice = []
    noticed_kinds = set()
    noticed_mistakes = set()
    while len(choice) < limit and len(noticed_kinds) < catalogue.kind_count:
        ranking = sorted(
            kinds,
            key=lambda inputs: (
                -len(kinds[inputs] - noticed_kinds),
                -len(mistakes[inputs] - noticed_mistakes),
                len("".join(inputs)),
                inputs,
            ),
        )
        choice.append(ranking[0])
        noticed_kinds |= kinds[ranking[0]]
        noticed_mistakes |= mistakes[ranking[0]]
        for inputs in [*choice]:
            rest = [remaining for remaining in choice if remaining != inputs]
            if kinds[inputs] <= set().union(*map(kinds.get, rest)):
                choice.remove(inputs)
    return [inputs[0] for inputs in choice]


def test_a_second_implementation_chooses_the_same_texts(scheme_catalogue):
    assert chosen_texts(scheme_catalogue, limit=20) == second_choice(scheme_catalogue, 20)


def test_the_curve_says_how_many_texts_reach_each_share():
    catalogue = catalogue_of([0, 1, 2, 3], {"ab": [0, 1], "c": [2], "d": [3]})
    assert curve(catalogue, 0) == {50: 1, 75: 2, 90: 3, 100: 3}


def test_a_share_that_the_tests_reach_needs_no_text():
    catalogue = catalogue_of([0, 1], {"a": [0], "b": [1]})
    assert curve(catalogue, 0b01) == {50: 0, 75: 1, 90: 1, 100: 1}


def test_a_rule_without_mistakes_is_complete():
    assert curve(catalogue_of([], {}), 0) == dict.fromkeys(SHARES, 0)


def test_an_addition_says_what_it_notices_beyond_the_texts_before_it():
    catalogue = catalogue_of([0, 1, 1, 2], {"ab": [0, 1, 2], "bc": [2, 3]})
    _, second = choose_additions(catalogue, 0, 2)
    assert second.kinds == 1
    assert second.mistakes == 1
    assert second.section == "3.2"
    assert second.rules == {"rule-2": 1}
