"""The letters of mutants: finer than those of the oracle, and texts themselves."""

from __future__ import annotations

import pytest

from urlharness.adequacy.subjects import Subject
from urlharness.words.letters import (
    BEYOND,
    OUTER,
    PRINTED,
    NoSuchLetters,
    coarser_expression,
    finer,
    finer_grammar,
    letter_of,
    letters_in,
    letters_of_text,
    with_finer_letters,
)
from urloracle.grammar.alphabet import PRIVATE, STAND_INS, UCS, stand_ins
from urloracle.grammar.expression import Characters
from urloracle.rfcs import specification

RFC3987 = specification("rfc3987")


def test_the_printed_ranges_are_those_of_the_two_rules():
    """RFC 3987, section 2.2: 17 of `ucschar`, 3 of `iprivate`."""
    assert len(PRINTED) == 17 + 3


@pytest.mark.parametrize("printed", PRINTED, ids=lambda part: f"U+{part.first:04X}")
def test_the_ends_of_a_printed_range_are_letters_of_their_own(printed):
    ends = {chr(printed.first), chr(printed.last)}
    inside = chr(printed.first + 2)
    assert ends <= letters_in(printed)
    assert {letter_of(char) for char in ends} == ends
    assert letter_of(inside) not in ends


@pytest.mark.parametrize(
    ("text", "letters"),
    [
        pytest.param("a/b", "a/b", id="ascii"),
        pytest.param("\u00e9\u03b1", "\u00a1\u00a1", id="inside-of-one-range"),
        pytest.param("\ud7ff\ud7fe", "\ud7ff\u202f", id="end-of-a-range"),
        pytest.param("\ufdd0\U000e0001", "\ufdd0\U000e0001", id="outside"),
        pytest.param("\u202a\u202e", "\u202a\u202a", id="formatting"),
    ],
)
def test_a_text_is_read_by_its_letters(text, letters):
    assert letters_of_text(text) == letters


def test_a_letter_is_one_of_the_characters_that_it_stands_for():
    assert [letter for letter in BEYOND if letter_of(letter) != letter] == []


def test_the_letters_outside_are_in_no_range():
    assert set(OUTER).isdisjoint(finer(frozenset(STAND_INS)))


def test_an_automaton_with_finer_letters_gives_the_same_verdicts():
    automaton = RFC3987.automaton("IRI-reference")
    fine = with_finer_letters(automaton)
    classes = {letter: fine.classes[letter] for letter in BEYOND}
    assert classes == {letter: automaton.classes[stand_ins(letter)] for letter in BEYOND}


def test_an_automaton_of_ascii_stays_as_it_is():
    automaton = specification("rfc3986").automaton("URI")
    assert with_finer_letters(automaton) is automaton


def test_a_grammar_can_be_made_finer_and_coarser_again():
    grammar = RFC3987.grammar
    finer_rules = finer_grammar(grammar).rules
    coarser_rules = {name: coarser_expression(expression) for name, expression in finer_rules.items()}
    assert coarser_rules == dict(grammar.rules)


def test_a_range_without_its_end_has_no_coarser_expression():
    members = finer(UCS | PRIVATE) - {"\ud7ff"}
    with pytest.raises(NoSuchLetters):
        coarser_expression(Characters(members))


# ---- mutants


@pytest.fixture(scope="module")
def mutants():
    return Subject(RFC3987, "IRI-reference").mutants


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(("ucschar", "drop-range", "\U00010000"), id="range-dropped"),
        pytest.param(("ucschar", "range-end", "\ud7ff"), id="last-character-missing"),
        pytest.param(("ucschar", "range-end", "\u00a0"), id="first-character-missing"),
        pytest.param(("ucschar", "range-end", "\u009f"), id="first-character-too-early"),
        pytest.param(("ucschar", "range-end", "\U000efffe"), id="last-character-too-late"),
        pytest.param(("ucschar", "add-character", "\ufffd"), id="special-character"),
        pytest.param(("iprivate", "drop-range", "\ue000"), id="private-range-dropped"),
    ],
)
def test_classes_have_mutants_of_their_ranges(mutants, change):
    """A change is a rule, an operator and a character."""
    assert change in {(mutant.rule, mutant.operator, mutant.character) for mutant in mutants}


def test_private_characters_are_added_to_classes_without_them(mutants):
    rules = {mutant.rule for mutant in mutants if mutant.operator == "add-private"}
    assert rules >= {"ipchar", "iuserinfo", "ireg-name", "ucschar"}
    assert "iquery" not in rules


def test_no_mutant_has_a_surrogate(mutants):
    assert [mutant for mutant in mutants if "\ud800" <= mutant.character <= "\udfff"] == []


def test_each_end_of_a_range_counts_for_itself_where_the_rule_has_ranges_alone(mutants):
    subject = Subject(RFC3987, "IRI-reference")
    ends = [mutant for mutant in mutants if (mutant.rule, mutant.operator) == ("ucschar", "range-end")]
    assert len({subject.kind(mutant) for mutant in ends}) == len(ends)


def test_the_ends_of_ranges_are_alike_where_a_class_refers_to_the_rule(mutants):
    subject = Subject(RFC3987, "IRI-reference")
    kinds = {
        subject.kind(mutant)
        for mutant in mutants
        if (mutant.rule, mutant.operator) == ("ipchar", "drop-range")
    }
    assert len(kinds) == 1


@pytest.mark.parametrize("spec", ["rfc1808", "rfc3986"])
def test_rfcs_of_ascii_have_no_mutants_of_ranges(spec):
    rule = specification(spec).default_rule
    operators = {mutant.operator for mutant in Subject(specification(spec), rule).mutants}
    assert operators.isdisjoint({"range-end", "drop-range", "add-private"})
