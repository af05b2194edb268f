"""Suites notice a wrong verdict, and count the transitions that they take."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from urlauthor.adequacy.faults import Coverage, coverage
from urlauthor.adequacy.resolution import corpus_pairs
from urlauthor.adequacy.subjects import subjects
from urlauthor.adequacy.suites import Suite, _verdicts, corpus_texts, is_taken_over, lent_texts
from urlharness.corpus.loader import load
from urlharness.corpus.model import Corpus
from urloracle.automata.dfa import SINK, Automaton

#: The texts `a*b`.
AUTOMATON = Automaton({"a": 0, "b": 1}, ((0, 0), (1, 2), (0, 0)), 1, frozenset((2,)))


@pytest.mark.parametrize(
    ("verdicts", "noticed"),
    [
        ({"b": True, "ab": True, "ba": False, "c": False, "": False}, False),
        ({"b": False}, True),
        ({"a": True}, True),
        ({"ba": True}, True),
        ({"c": True}, True),
        ({"cb": True}, True),
        ({"": True}, True),
        ({}, False),
    ],
    ids=str,
)
def test_a_suite_notices_an_automaton_with_another_verdict(verdicts, noticed):
    assert Suite(verdicts).notices(AUTOMATON) is noticed


def test_agrees_with_the_automaton_text_by_text():
    texts = ["", "a", "b", "ab", "aab", "abb", "x", "ax", "b\x7f"]
    truth = {text: AUTOMATON.accepts(text) for text in texts}
    assert not Suite(truth).notices(AUTOMATON)
    for text in texts:
        assert Suite({**truth, text: not truth[text]}).notices(AUTOMATON)


def test_agrees_with_the_automaton_on_random_suites():
    """Whatever the graph is: exactly a suite with a wrong verdict notices."""
    random = Random(1)
    for _ in range(500):
        texts = {"".join(random.choices("abx", k=random.randrange(6))) for _ in range(random.randrange(20))}
        truth = {text: AUTOMATON.accepts(text) for text in texts}
        suite = Suite(truth)
        assert not suite.notices(AUTOMATON)
        assert bool(suite) == bool(texts)
        for text in texts:
            assert Suite({**truth, text: not truth[text]}).notices(AUTOMATON)


def test_an_automaton_without_words_fails_on_the_members_only():
    nothing = Automaton({}, ((),), SINK, frozenset())
    assert Suite({"ab": True, "b": False}).notices(nothing)
    assert not Suite({"ab": False, "": False}).notices(nothing)


def test_equal_endings_are_one_node():
    """The size of a suite is that of its graph: 4 ** 6 texts have one node per length."""
    texts = ["".join(word) for word in product("abcd", repeat=6)]
    assert len(Suite(dict.fromkeys(texts, False))._nodes) == 7
    assert Suite(dict.fromkeys(texts, True)).members == tuple(texts)


def test_the_verdicts_of_each_word_are_those_of_the_automata():
    accepts_b = Automaton({"a": 0, "b": 1}, ((0, 0), (1, 1)), 1, frozenset((1,)))  # any text of a and b
    words = sorted("".join(word) for size in range(4) for word in product("abx", repeat=size))
    verdicts = dict(_verdicts(words, [AUTOMATON, accepts_b]))
    assert verdicts == {word: (AUTOMATON.accepts(word), accepts_b.accepts(word)) for word in words}


def test_rfc_2732_borrows_vectors_that_it_answers_alike():
    """RFC 2732 section 3: a bracket is no character of RFC 2396, and reserved here."""
    corpus = load()
    (subject,) = (subject for subject in subjects("rfc2732") if not subject.overlaid)
    lent = lent_texts(corpus, subject)
    assert lent
    assert all(
        subject.spec.automaton(lent_text.rule).accepts(lent_text.text) == lent_text.valid
        for lent_text in lent
    )
    assert len(lent_texts(corpus, subject, witnesses=False)) < len(lent)
    assert lent_texts(corpus, subjects("rfc3986")[0]) == []
    assert is_taken_over(subject, "scheme")
    assert not is_taken_over(subject, "host")


def test_coverage_counts_states_and_transitions_exactly():
    """Two live states; one has an outgoing transition, and in both all other characters lead to the sink."""
    assert coverage(AUTOMATON, Suite({"ab": True})) == Coverage(2, 2, 4, 0)
    assert coverage(AUTOMATON, Suite({"b": True, "ba": False})) == Coverage(2, 1, 4, 1)
    assert coverage(AUTOMATON, Suite({"!": False, "b!": False})) == Coverage(2, 1, 4, 2)
    assert AUTOMATON.table[SINK] == (SINK, SINK)


def test_texts_beyond_the_sink_cover_nothing():
    assert coverage(AUTOMATON, Suite({"!ab": False})) == Coverage(2, 0, 4, 1)


def test_long_texts_are_left_out(make_case):
    """They would take their time in every mutant."""
    subject = next(
        subject for subject in subjects("rfc3986") if subject.key[:2] == ("rfc3986", "URI-reference")
    )
    rule = {"rule": "URI-reference"}
    resolve = {"op": "resolve", "base": "a:/b"}
    cases = [make_case(f"rfc3986-3-x{length}", url="a" * length, **rule) for length in (1024, 1025)]
    corpus = Corpus(cases, {}, {}, "", "")
    assert [len(member.text) for member in corpus_texts(corpus, subject)] == [1024]
    pairs = [
        make_case(f"rfc3986-3-x{length}", reference="a" * length, expect={"result": "a:/a"}, **resolve)
        for length in (1020, 1021)
    ]
    assert [len(pair.reference) for pair in corpus_pairs(pairs, "rfc3986")] == [1020]
