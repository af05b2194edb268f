"""Tagged automata: languages, preferred readings, and tags that are stored once or later."""

from __future__ import annotations

import re
from itertools import product

import pytest

from urloracle.automata.tagged import START, tagged_dfa, tagged_nfa
from urloracle.grammar.expression import Alternation, Capture, Characters, Reference, Repetition, Sequence
from urloracle.grammar.grammar import UnknownRule

A, B, COLON = (Characters(frozenset(char)) for char in "ab:")
AB = Characters(frozenset("ab"))
WORDS = ["".join(word) for length in range(6) for word in product("ab:", repeat=length)]
ALL_TAGS = frozenset(range(4))

X_THEN_Y = Sequence((Capture("x", Repetition(A, 0, None)), Capture("y", Repetition(AB, 0, None))))
CHOICE = Sequence((Alternation((Capture("x", Sequence((A, B))), Capture("y", A))), Repetition(B, 0, 2)))
LOOP = Repetition(Sequence((Capture("x", AB), COLON)), 1, None)


def accepted(expression):
    """Return the words that the DFA accepts."""
    automaton = tagged_nfa(expression, ("x", "y"))
    dfa = tagged_dfa(automaton, ALL_TAGS - automaton.same.keys())
    texts = set()
    for word in WORDS:
        state = START
        for char in word:
            state = dfa.transitions[state][automaton.classes[ord(char)]].target
        if dfa.ends[state] is not None:
            texts.add(word)
    return texts


@pytest.mark.parametrize(
    ("expression", "pattern"),
    [(X_THEN_Y, "a*[ab]*"), (CHOICE, "(ab|a)b{0,2}"), (LOOP, "([ab]:)+")],
    ids=["sequence", "choice", "loop"],
)
def test_tags_do_not_change_the_language(expression, pattern):
    assert accepted(expression) == {word for word in WORDS if re.fullmatch(pattern, word)}


def test_the_preferred_reading_comes_first():
    """`a` belongs to x as long as possible; the second reading of `a` opens y (tag 2)."""
    automaton = tagged_nfa(X_THEN_Y, ("x", "y"))
    first, second = automaton.transitions[automaton.start][automaton.classes[ord("a")]]
    assert 2 not in first.tags
    assert 2 in second.tags
    dfa = tagged_dfa(automaton, ALL_TAGS)
    state = dfa.transitions[START][automaton.classes[ord("a")]].target
    assert dfa.ends[state].reading == 0


def test_readings_that_no_text_prefers_are_left_out():
    """Each text of `a*|a*` is read by the first alternative."""
    same = Repetition(A, 0, None)
    automaton = tagged_nfa(Alternation((Capture("x", same), Capture("y", same))), ("x", "y"))
    dfa = tagged_dfa(automaton, ALL_TAGS - automaton.same.keys())
    assert max(map(len, dfa.needed)) == 1


def test_captures_that_open_together_share_a_tag():
    automaton = tagged_nfa(Capture("x", Sequence((Capture("y", A), B))), ("x", "y"))
    assert automaton.same == {2: 0}


def test_a_capture_after_a_fixed_delimiter_is_opened_while_it_is_read():
    """Tag 2 opens y after every colon, so it is stored with the colon; tag 0 opens x before any character."""
    automaton = tagged_nfa(
        Sequence((Capture("x", Repetition(A, 0, None)), COLON, Capture("y", AB))), ("x", "y")
    )
    assert automaton.eager == {2}


def test_a_character_of_no_text_has_class_0():
    automaton = tagged_nfa(LOOP, ("x",))
    assert {chr(code) for code, kind in enumerate(automaton.classes) if kind} == set("ab:")
    assert automaton.classes[ord("a")] == automaton.classes[ord("b")] != automaton.classes[ord(":")]


def test_references_have_to_be_expanded():
    with pytest.raises(UnknownRule, match="no rule named 'r'"):
        tagged_nfa(Capture("x", Reference("r")), ("x",))
