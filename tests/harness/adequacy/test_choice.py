"""Few texts notice every surviving mutant, and none of them notices nothing new."""

from __future__ import annotations

from string import ascii_lowercase

import pytest

from urlharness.adequacy import choice
from urlharness.adequacy.choice import CandidateText, Examined
from urlharness.adequacy.kill import Bench
from urlharness.adequacy.subjects import Subject
from urloracle.rfcs import specification

NEWS = Subject(specification("rfc1738"), "newsurl")


def _verdicts_on(*texts):
    """Return texts as those that notice a mutant by their verdict, not by their components."""
    return frozenset(CandidateText(text, components=False) for text in texts)


#: The texts that notice each mutant by its number, and the mutants that each text of the cover notices.
COVERS = {
    "one-for-all": (
        {1: _verdicts_on("a", "b"), 2: _verdicts_on("b"), 3: _verdicts_on("b", "c")},
        {"b": [1, 2, 3]},
    ),
    "shortest-of-equals": ({1: _verdicts_on("aa", "b")}, {"b": [1]}),
    "first-in-the-alphabet": ({1: _verdicts_on("b", "a")}, {"a": [1]}),
    "one-each": ({1: _verdicts_on("a"), 2: _verdicts_on("b")}, {"a": [1], "b": [2]}),
    "never-noticed": ({1: _verdicts_on(), 2: _verdicts_on("b")}, {"b": [2]}),
    "nothing": ({}, {}),
}


@pytest.mark.parametrize("name", COVERS)
def test_the_cover_has_few_texts_that_notice_all_mutants(name):
    noticed, cover = COVERS[name]
    assert choice.choose_cover(noticed) == {(text, False): mutants for text, mutants in cover.items()}


def _numbers_of_mutants(rule, operator, characters):
    """Return the numbers of the mutants of a rule that an operator makes with some characters."""
    return [
        number
        for number, mutant in enumerate(NEWS.mutants)
        if (mutant.rule, mutant.operator) == (rule, operator) and mutant.character in characters
    ]


def test_one_text_of_all_letters_covers_the_mutants_that_forget_a_letter():
    """RFC 1738 section 5: it is a group of news."""
    bench = Bench(NEWS, {"core": []}, ())
    forgetting = _numbers_of_mutants("lowalpha", "remove-character", ascii_lowercase)
    assert len(forgetting) == len(ascii_lowercase)
    survivors = [Examined(number, bench.examine_mutant(NEWS.mutants[number])) for number in forgetting]
    texts = choice.candidate_texts(bench, survivors)
    cover = choice.choose_cover(choice.find_kills(bench, survivors, texts))
    assert list(cover) == [(f"news:{ascii_lowercase}", False)]
