"""The growth of the number of ways, and texts with two divisions."""

from __future__ import annotations

import math

import pytest

from urlharness.patterns.ambiguity import divided_text, growth
from urloracle.grammar.expression import Alternation, Capture, Characters, Repetition, Sequence, optional

A = Characters(frozenset("a"))
B = Characters(frozenset("b"))
AB = Characters(frozenset("ab"))


def some(element):
    return Repetition(element, 0, None)


def seq(*elements):
    return Sequence(elements)


def either(*elements):
    return Alternation(elements)


#: Expressions, and the exponent by which the number of ways grows.
GROWTH = {
    "characters": (A, 0),
    "loop": (some(A), 0),
    "bounded": (seq(optional(A), optional(A), A), 0),
    "two-alternatives": (either(seq(A, B), seq(A, A)), 0),
    "loops-of-other-letters": (seq(some(A), some(B)), 0),
    "loop-inside-a-loop": (some(seq(B, some(A))), 0),
    "loop-up-to-a-letter": (seq(some(AB), B), 0),
    "two-loops": (seq(some(A), some(A)), 1),
    "two-loops-with-a-letter-between": (seq(some(AB), B, some(AB)), 1),
    "two-loops-with-a-common-word": (seq(some(seq(A, B)), some(seq(A, B))), 1),
    "three-loops": (seq(some(A), some(A), some(A)), 2),
    "loops-on-two-branches": (either(seq(some(A), some(A)), some(A)), 1),
    "loop-of-a-loop": (some(some(A)), math.inf),
    "equal-alternatives": (some(either(seq(A, A), A)), math.inf),
    "loop-of-two-options": (some(seq(optional(A), optional(B))), math.inf),
    "two-ways-inside": (some(either(seq(A, B), seq(A, some(B)))), math.inf),
}


@pytest.mark.parametrize("name", GROWTH)
def test_the_number_of_ways_grows(name):
    expression, exponent = GROWTH[name]
    assert growth(expression) == exponent


HOST = Capture("host", some(A))
PORT = Capture("port", some(A))

#: Expressions, and a shortest text that has two divisions.
DIVIDED = {
    "one-capture": (HOST, None),
    "separated": (seq(HOST, B, PORT), None),
    "told-apart-by-the-end": (either(seq(HOST, B), PORT), None),
    "adjacent": (seq(HOST, PORT), "a"),
    "which-of-two": (either(Capture("host", A), Capture("port", A)), "a"),
    "empty-or-absent": (seq(A, optional(HOST)), "a"),
    "two-ways-with-equal-captures": (Capture("host", seq(some(A), some(A))), None),
    "later-difference": (seq(A, either(seq(B, HOST), seq(B, A, PORT))), "aba"),
}


@pytest.mark.parametrize("name", DIVIDED)
def test_a_text_with_two_divisions_is_found(name):
    expression, text = DIVIDED[name]
    assert divided_text(expression) == text
