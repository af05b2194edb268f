"""Tagged automata: languages, preferred readings, and tags that are stored once or later."""

from __future__ import annotations

import re
from itertools import product

import pytest

from urloracle.automata.tagged import START, tagged_dfa, tagged_nfa
from urloracle.grammar.alphabet import UCS
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
def test_tags_do_not_change_the_language_of_an_expression(expression, pattern):
    assert accepted(expression) == {word for word in WORDS if re.fullmatch(pattern, word)}


#: The tags of the captures x and y, in the order of the components: each opens and closes.
OPENS_X = 0
OPENS_Y = 2


def test_the_preferred_reading_of_a_tagged_automaton_comes_first():
    """`a` belongs to x as long as possible; only the second reading of `a` opens y."""
    automaton = tagged_nfa(X_THEN_Y, ("x", "y"))
    preferred, second = automaton.transitions[automaton.start][automaton.classes[ord("a")]]
    assert OPENS_Y not in preferred.tags
    assert OPENS_Y in second.tags


def test_a_text_ends_with_its_preferred_reading():
    automaton = tagged_nfa(X_THEN_Y, ("x", "y"))
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
    assert automaton.same == {OPENS_Y: OPENS_X}


def test_a_capture_after_a_fixed_delimiter_is_opened_while_it_is_read():
    """y is opened after every colon, so its tag is stored with the colon; x opens before any character."""
    automaton = tagged_nfa(
        Sequence((Capture("x", Repetition(A, 0, None)), COLON, Capture("y", AB))), ("x", "y")
    )
    assert automaton.eager == {OPENS_Y}


def test_only_characters_of_no_text_have_class_0():
    classes = tagged_nfa(LOOP, ("x",)).classes
    characters_of_texts = {chr(code) for code, number in enumerate(classes) if number != 0}
    assert characters_of_texts == set("ab:")


def test_characters_that_move_alike_have_one_class():
    classes = tagged_nfa(LOOP, ("x",)).classes
    assert classes[ord("a")] == classes[ord("b")]


def test_characters_that_move_differently_have_two_classes():
    classes = tagged_nfa(LOOP, ("x",)).classes
    assert classes[ord("a")] != classes[ord(":")]


def test_a_tagged_automaton_of_a_reference_is_refused():
    with pytest.raises(UnknownRule, match="no rule named 'r'"):
        tagged_nfa(Capture("x", Reference("r")), ("x",))


def test_a_component_that_begins_after_a_character_beyond_ascii_is_refused():
    """The engine takes the byte after the stored position for its beginning."""
    late = Sequence((Characters(UCS), Capture("x", Repetition(Characters(frozenset("a")), 0, None))))
    with pytest.raises(ValueError, match="a component begins after a character beyond ASCII"):
        tagged_nfa(late, ("x",))
