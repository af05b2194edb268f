"""Suites notice a wrong verdict, and count the transitions that they take."""

from __future__ import annotations

import pytest

from urlauthor.adequacy.faults import Coverage, coverage
from urlauthor.adequacy.suites import Suite
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
def test_notices(verdicts, noticed):
    assert Suite(verdicts).notices(AUTOMATON) is noticed


def test_agrees_with_the_automaton_text_by_text():
    texts = ["", "a", "b", "ab", "aab", "abb", "x", "ax", "b\x7f"]
    truth = {text: AUTOMATON.accepts(text) for text in texts}
    assert not Suite(truth).notices(AUTOMATON)
    for text in texts:
        assert Suite({**truth, text: not truth[text]}).notices(AUTOMATON)


def test_coverage_is_exact():
    """Two live states; one has an outgoing transition, and in both all other characters lead to the sink."""
    assert coverage(AUTOMATON, Suite({"ab": True})) == Coverage(2, 2, 4, 0)
    assert coverage(AUTOMATON, Suite({"b": True, "ba": False})) == Coverage(2, 1, 4, 1)
    assert coverage(AUTOMATON, Suite({"!": False, "b!": False})) == Coverage(2, 1, 4, 2)
    assert AUTOMATON.table[SINK] == (SINK, SINK)


def test_texts_beyond_the_sink_cover_nothing():
    assert coverage(AUTOMATON, Suite({"!ab": False})) == Coverage(2, 0, 4, 1)
