"""Suites notice a wrong verdict, and count the transitions that they take."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from urlharness.adequacy.resolution import corpus_pairs
from urlharness.adequacy.subjects import subjects
from urlharness.adequacy.suites import Suite, _verdicts, corpus_texts, is_taken_over, lent_texts
from urlharness.corpus.loader import load
from urlharness.corpus.model import Corpus
from urloracle.automata.dfa import SINK, Automaton

#: The texts `a*b`.
AUTOMATON = Automaton({"a": 0, "b": 1}, ((0, 0), (1, 2), (0, 0)), 1, frozenset((2,)))


@pytest.mark.parametrize(
    "verdicts", [{"b": False}, {"a": True}, {"ba": True}, {"c": True}, {"cb": True}, {"": True}], ids=str
)
def test_a_suite_notices_an_automaton_with_another_verdict(verdicts):
    assert Suite(verdicts).notices(AUTOMATON)


@pytest.mark.parametrize(
    "verdicts", [{"b": True, "ab": True, "ba": False, "c": False, "": False}, {}], ids=["equal", "empty"]
)
def test_a_suite_without_another_verdict_does_not_notice_an_automaton(verdicts):
    assert not Suite(verdicts).notices(AUTOMATON)


def _random_texts(random):
    """Return up to twenty texts, some of them with a character that the automaton does not know."""
    return {"".join(random.choices("abx", k=random.randrange(6))) for _ in range(random.randrange(20))}


TEXTS_OF_SUITES = [
    {"", "a", "b", "ab", "aab", "abb", "x", "ax", "b\x7f"},
    *(_random_texts(Random(seed)) for seed in range(500)),
]


def test_a_suite_with_the_verdicts_of_an_automaton_does_not_notice_it():
    for texts in TEXTS_OF_SUITES:
        verdicts = {text: AUTOMATON.accepts(text) for text in texts}
        assert not Suite(verdicts).notices(AUTOMATON), verdicts


def test_a_suite_with_one_other_verdict_notices_an_automaton():
    for texts in TEXTS_OF_SUITES:
        verdicts = {text: AUTOMATON.accepts(text) for text in texts}
        for text, verdict in verdicts.items():
            wrong_verdicts = {**verdicts, text: not verdict}
            assert Suite(wrong_verdicts).notices(AUTOMATON), wrong_verdicts


@pytest.mark.parametrize(
    ("verdicts", "true"),
    [({}, False), ({"": False}, True), ({"b": True}, True)],
    ids=["empty", "invalid-text", "valid-text"],
)
def test_a_suite_is_true_exactly_if_it_has_texts(verdicts, true):
    assert bool(Suite(verdicts)) is true


@pytest.mark.parametrize(
    ("verdicts", "noticed"),
    [({"ab": True, "b": False}, True), ({"ab": False, "": False}, False)],
    ids=["members", "no-members"],
)
def test_only_a_suite_with_members_notices_an_automaton_without_words(verdicts, noticed):
    automaton = Automaton({}, ((),), SINK, frozenset())
    assert Suite(verdicts).notices(automaton) is noticed


def test_texts_with_equal_endings_share_the_nodes_of_a_suite():
    """The size of a suite is that of its graph: one node for each length from 0 to 6."""
    texts = ["".join(word) for word in product("abcd", repeat=6)]
    assert len(Suite(dict.fromkeys(texts, False))._nodes) == 7


def test_the_members_of_a_suite_are_its_valid_texts_in_the_order_of_its_verdicts():
    assert Suite({"b": True, "a": False, "ab": True, "": True}).members == ("b", "ab", "")


def test_the_verdicts_of_each_word_are_those_of_the_automata():
    accepts_b = Automaton({"a": 0, "b": 1}, ((0, 0), (1, 1)), 1, frozenset((1,)))  # any text of a and b
    words = sorted("".join(word) for size in range(4) for word in product("abx", repeat=size))
    verdicts = dict(_verdicts(words, [AUTOMATON, accepts_b]))
    assert verdicts == {word: (AUTOMATON.accepts(word), accepts_b.accepts(word)) for word in words}


@pytest.fixture(scope="module")
def subject_of_rfc2732():
    (subject,) = (subject for subject in subjects("rfc2732") if not subject.overlaid)
    return subject


def test_rfc2732_borrows_only_texts_that_it_answers_alike(subject_of_rfc2732):
    """RFC 2732 section 3: a bracket is no character of RFC 2396, and reserved here."""
    lent = lent_texts(load(), subject_of_rfc2732)
    assert lent
    for lent_text in lent:
        automaton = subject_of_rfc2732.spec.automaton(lent_text.rule)
        assert automaton.accepts(lent_text.text) == lent_text.valid, lent_text.text


def test_rfc2732_borrows_fewer_texts_without_the_witnesses_of_mutants(subject_of_rfc2732):
    corpus = load()
    without_witnesses = lent_texts(corpus, subject_of_rfc2732, witnesses=False)
    assert len(without_witnesses) < len(lent_texts(corpus, subject_of_rfc2732))


def test_rfc3986_borrows_no_texts():
    assert lent_texts(load(), subjects("rfc3986")[0]) == []


@pytest.mark.parametrize(
    ("rule", "taken_over"), [("scheme", True), ("host", False)], ids=["unchanged", "changed"]
)
def test_rfc2732_takes_over_only_rules_that_it_does_not_change(subject_of_rfc2732, rule, taken_over):
    assert is_taken_over(subject_of_rfc2732, rule) is taken_over


#: Longer texts would take their time in every mutant.
LONGEST_TEXT = 1024


def test_texts_of_the_corpus_above_the_longest_length_are_left_out(make_case):
    subject = next(subject for subject in subjects("rfc3986") if subject.rule == "URI-reference")
    cases = [
        make_case(f"rfc3986-3-x{length}", url="a" * length, rule="URI-reference")
        for length in (LONGEST_TEXT, LONGEST_TEXT + 1)
    ]
    corpus = Corpus(cases, {}, {}, "", "")
    assert [len(question.text) for question in corpus_texts(corpus, subject)] == [LONGEST_TEXT]


def test_resolutions_of_the_corpus_above_the_longest_length_are_left_out(make_case):
    """Base and reference count together."""
    base = "a:/b"
    longest_reference = LONGEST_TEXT - len(base)
    cases = [
        make_case(
            f"rfc3986-3-x{length}",
            op="resolve",
            base=base,
            reference="a" * length,
            expect={"result": "a:/a"},
        )
        for length in (longest_reference, longest_reference + 1)
    ]
    assert [len(pair.reference) for pair in corpus_pairs(cases, "rfc3986")] == [longest_reference]
