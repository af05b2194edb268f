"""Position automata: positions, what follows what, and the rules around each."""

from __future__ import annotations

import re
from itertools import product

import pytest

from urloracle.automata.positions import PositionAutomaton, RecursiveRule, members, position_automaton
from urloracle.grammar.expression import EMPTY, Alternation, Characters, Reference, Repetition, Sequence
from urloracle.grammar.grammar import Grammar, UnknownRule
from urloracle.language import Language

A, B, C = (Characters(frozenset(char)) for char in "abc")
WORDS = ["".join(word) for length in range(6) for word in product("abc", repeat=length)]


def grammar_of(**rules):
    return Grammar(rules, {name: name for name in rules}, dict.fromkeys(rules, "1"))


def accepts(automaton: PositionAutomaton, text: str) -> bool:
    """Follow the positions of a text."""
    reached = automaton.first
    ended = automaton.nullable
    for char in text:
        positions = [at for at in members(reached) if char in automaton.positions[at].members]
        ended = any(automaton.last >> at & 1 for at in positions)
        reached = 0
        for at in positions:
            reached |= automaton.follow[at]
    return ended


EXPRESSIONS = [
    (EMPTY, ""),
    (Sequence((A, Repetition(B, 0, 1), C)), "ab?c"),
    (Repetition(Alternation((A, Sequence((B, C)))), 0, None), "(a|bc)*"),
    (Repetition(Sequence((Repetition(A, 0, 1), B)), 2, None), "(a?b){2,}"),
    (Repetition(Alternation((A, Sequence((A, B)))), 1, 3), "(a|ab){1,3}"),
    (Sequence((Repetition(A, 0, 2), Repetition(A, 2, 2), Repetition(C, 0, None))), "a{0,2}aac*"),
]


@pytest.mark.parametrize(("expression", "pattern"), EXPRESSIONS, ids=[pattern for _, pattern in EXPRESSIONS])
def test_a_position_automaton_accepts_the_language_of_its_expression(expression, pattern):
    automaton = position_automaton(grammar_of(), expression)
    for word in WORDS:
        assert accepts(automaton, word) == bool(re.fullmatch(pattern, word)), word


@pytest.fixture
def positions_of_a_word():
    """The positions of a letter, which three rules derive, and of the end of a word."""
    rules = grammar_of(
        word=Sequence((Reference("LETTER"), Reference("end"))),
        letter=Alternation((Reference("low"), C)),
        low=Alternation((A, B)),
        end=Characters(frozenset(".")),
    )
    return position_automaton(rules, Reference("word")).positions


def test_an_alternation_of_single_characters_is_one_position(positions_of_a_word):
    letter, end = positions_of_a_word
    assert letter.members == frozenset("abc")
    assert end.members == frozenset(".")


def test_a_position_has_the_rules_around_it_from_the_outside_in(positions_of_a_word):
    letter, end = positions_of_a_word
    assert letter.stack == ("word", "letter")
    assert end.stack == ("word", "end")


def test_a_position_has_the_rules_that_were_folded_into_it(positions_of_a_word):
    letter, end = positions_of_a_word
    assert letter.folded == ("low",)
    assert end.folded == ()


@pytest.fixture
def automaton_of_a_rule_in_two_places():
    """The automaton of `acbac`, in which one rule derives both `ac`."""
    grammar = grammar_of(
        word=Sequence((Reference("first"), B, Reference("pair"))),
        first=Reference("pair"),
        pair=Sequence((A, C)),
    )
    return position_automaton(grammar, Reference("word"))


def test_a_rule_in_two_places_has_positions_of_its_own_in_each(automaton_of_a_rule_in_two_places):
    assert [position.stack for position in automaton_of_a_rule_in_two_places.positions] == [
        ("word", "first", "pair"),
        ("word", "first", "pair"),
        ("word",),
        ("word", "pair"),
        ("word", "pair"),
    ]


def test_each_copy_of_a_rule_is_followed_by_what_follows_its_place(automaton_of_a_rule_in_two_places):
    """A rule is built once and copied."""
    accepted_words = [word for word in WORDS if accepts(automaton_of_a_rule_in_two_places, word)]
    assert accepted_words == ["acbac"]


@pytest.mark.parametrize(("text", "accepted"), [("aa", True), ("a", False)])
def test_references_to_a_rule_ignore_case(text, accepted):
    grammar = grammar_of(rule=Sequence((Reference("X"), Reference("x"))), x=A)
    assert Language(grammar, "rule").accepts(text) is accepted


def test_a_rule_that_refers_to_itself_through_others_is_refused():
    """Its language need not be regular."""
    grammar = grammar_of(
        a=Sequence((A, Reference("b"))), b=Repetition(Reference("c"), 0, 1), c=Reference("A")
    )
    with pytest.raises(RecursiveRule, match="rule a refers to itself"):
        position_automaton(grammar, Reference("a"))


def test_a_reference_to_an_unknown_rule_is_an_error():
    with pytest.raises(UnknownRule, match="no rule named 'b'"):
        position_automaton(grammar_of(a=A), Sequence((Reference("a"), Reference("b"))))
