"""The mistakes of a rule, and what texts notice: the catalogue agrees with the automata of the mutants."""

from __future__ import annotations

import pytest

from urlharness.adequacy import cache
from urlharness.adequacy.mistakes import bits, find_catalogue, find_noticed
from urlharness.adequacy.subjects import Subject
from urloracle.rfcs import specification

SCHEME = Subject(specification("rfc3986"), "scheme")


def mutant_automaton(number):
    return SCHEME.compiler.automaton("scheme", SCHEME.mutants[number].changes)


def test_each_mistake_is_noticed_by_its_witness(scheme_catalogue):
    assert scheme_catalogue.mistakes
    for mistake in scheme_catalogue.mistakes:
        (text,) = mistake.witness
        assert mutant_automaton(mistake.mutant).accepts(text) != SCHEME.automaton.accepts(text), mistake


def test_a_mutant_that_is_no_mistake_derives_the_same_texts(scheme_catalogue):
    live = {mistake.mutant for mistake in scheme_catalogue.mistakes}
    texts = {candidate.inputs[0] for candidate in scheme_catalogue.candidates}
    accepted_texts = {text for text in texts if SCHEME.automaton.accepts(text)}
    equivalent = set(range(len(SCHEME.mutants))) - live
    assert equivalent
    for number in equivalent:
        automaton = mutant_automaton(number)
        assert {text for text in texts if automaton.accepts(text)} == accepted_texts, SCHEME.mutants[number]


def test_a_candidate_notices_the_mistakes_that_judge_it_otherwise(scheme_catalogue):
    automata = [mutant_automaton(mistake.mutant) for mistake in scheme_catalogue.mistakes]
    assert scheme_catalogue.candidates
    for candidate in scheme_catalogue.candidates:
        (text,) = candidate.inputs
        noticed = {
            number for number, automaton in enumerate(automata) if automaton.accepts(text) != candidate.answer
        }
        assert set(bits(candidate.notices)) == noticed, text


def test_the_candidates_notice_every_mistake(scheme_catalogue):
    noticed = 0
    for candidate in scheme_catalogue.candidates:
        noticed |= candidate.notices
    assert scheme_catalogue.mistakes
    assert set(bits(noticed)) == set(range(len(scheme_catalogue.mistakes)))


def test_tests_notice_what_their_texts_notice(scheme_catalogue, tasks):
    first, *_, last = scheme_catalogue.candidates
    texts = {candidate.inputs[0]: candidate.answer for candidate in (first, last)}
    assert find_noticed(scheme_catalogue, texts, tasks) == first.notices | last.notices


def test_automata_of_mistakes_are_compiled_once(scheme_catalogue, tasks, monkeypatch):
    monkeypatch.setattr("urlharness.adequacy.mistakes._subject", None)  # a compiler would be asked for it
    candidate = scheme_catalogue.candidates[1]  # of which no other test asks, so the cache has no answer
    (text,) = candidate.inputs
    assert find_noticed(scheme_catalogue, {text: candidate.answer}, tasks) == candidate.notices


def test_automata_that_the_cache_has_lost_are_compiled_again(scheme_catalogue, tasks, monkeypatch):
    load = cache.load
    monkeypatch.setattr(cache, "load", lambda key: None if isinstance(load(key), bytes) else load(key))
    candidate = scheme_catalogue.candidates[2]  # of which no other test asks, so the cache has no answer
    (text,) = candidate.inputs
    assert find_noticed(scheme_catalogue, {text: candidate.answer}, tasks) == candidate.notices


def test_without_tests_nothing_is_noticed(scheme_catalogue, tasks):
    assert find_noticed(scheme_catalogue, {}, tasks) == 0


def test_each_mistake_is_of_one_kind(scheme_catalogue):
    numbers = []
    for mistakes_of_kind in scheme_catalogue.mistakes_of_kind:
        numbers += bits(mistakes_of_kind)
    assert sorted(numbers) == list(range(len(scheme_catalogue.mistakes)))


@pytest.mark.parametrize(("rule", "section"), [("scheme", "3.1"), ("ALPHA", "1.3"), ("DIGIT", "1.3")])
def test_a_mistake_names_the_section_of_the_changed_rule(scheme_catalogue, rule, section):
    assert {mistake.section for mistake in scheme_catalogue.mistakes if mistake.rule == rule} == {section}


def test_a_catalogue_is_computed_once(scheme_catalogue, tasks, monkeypatch):
    monkeypatch.setattr("urlharness.adequacy.mistakes._make_catalogue", None)  # a call of it would fail
    assert find_catalogue("rfc3986", "scheme", tasks) == scheme_catalogue


@pytest.mark.parametrize(
    ("number", "positions"), [(0, []), (1, [0]), (0b1010, [1, 3]), (1 << 3000, [3000])], ids=str
)
def test_the_bits_of_a_number_are_the_lowest_first(number, positions):
    assert list(bits(number)) == positions
