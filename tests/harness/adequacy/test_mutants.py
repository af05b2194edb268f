"""Mutation operators: the mutants that each makes of an expression, all of them different."""

from __future__ import annotations

import pytest

from urlharness.adequacy.mutants import mutations
from urlharness.adequacy.subjects import subjects
from urloracle.grammar.expression import (
    EMPTY,
    Alternation,
    Characters,
    Reference,
    Repetition,
    Sequence,
    literal,
    optional,
)
from urloracle.grammar.grammar import Grammar

A, B, C = (Reference(name) for name in "abc")
SLASH, AT = (Characters(frozenset(char)) for char in "/@")
MANY = Repetition(A, 0, None)
GRAMMAR = Grammar(
    {name: Sequence((Characters(frozenset(name)), Characters(frozenset("x")))) for name in "abc"},
    {name: name for name in "abc"},
    dict.fromkeys("abc", "1"),
)

# an expression, an operator, and everything that the operator makes of it
TABLE = {
    "drop-alternative": (
        Alternation((A, B, C)),
        [Alternation((B, C)), Alternation((A, C)), Alternation((A, B))],
    ),
    "drop-element": (Sequence((A, B)), [B, A]),
    "make-optional": (Sequence((A, B)), [Sequence((optional(A), B)), Sequence((A, optional(B)))]),
    "duplicate": (Sequence((A, B)), [Sequence((A, A, B)), Sequence((A, B, B))]),
    "swap-neighbours": (Sequence((A, B, C)), [Sequence((B, A, C)), Sequence((A, C, B))]),
    "optional-required": (optional(A), [A]),
    "optional-never": (optional(A), [EMPTY]),
    "optional-repeated": (optional(A), [MANY]),
    "bound": (
        Repetition(A, 1, 3),
        [Repetition(A, *bounds) for bounds in ((0, 3), (1, 4), (1, None), (1, 2), (2, 3))],
    ),
    "literal-drop": (
        literal("ab", fold_case=False),
        [literal("b", fold_case=False), literal("a", fold_case=False)],
    ),
    "literal-substitute": (
        literal("ab", fold_case=False),
        [literal("xb", fold_case=False), literal("ax", fold_case=False)],
    ),
    "literal-case": (
        literal("ab", fold_case=False),
        [literal("ab", fold_case=True), literal("AB", fold_case=False)],
    ),
    "replace-reference": (Repetition(A, 2, 2), [Repetition(B, 2, 2), Repetition(C, 2, 2)]),
}


def _kin(name):
    return [character for character in "abc" if character != name]


@pytest.mark.parametrize("operator", TABLE)
def test_each_operator_makes_its_mutants_of_an_expression(operator):
    expression, expected = TABLE[operator]
    expressions = [mutant.expression for mutant in _mutants(expression) if mutant.operator == operator]
    assert sorted(map(repr, expressions)) == sorted(map(repr, expected))


def _mutants(expression):
    return list(mutations(expression, GRAMMAR.character_class, _kin))


def test_a_delimiter_is_replaced_by_each_of_the_others():
    replacements = [mutant.expression for mutant in _mutants(SLASH)]
    assert sorted(map(repr, replacements)) == sorted(
        repr(Characters(frozenset(delimiter))) for delimiter in ":?#[]@;=&,.%"
    )


def test_the_only_operator_on_a_delimiter_is_its_replacement():
    assert {mutant.operator for mutant in _mutants(SLASH)} == {"swap-delimiter"}


def _members_by_character(operator):
    """Return the members of each mutant of the class `ab` by the character that an operator changes."""
    mutants = _mutants(Characters(frozenset("ab")))
    return {mutant.character: mutant.expression.members for mutant in mutants if mutant.operator == operator}


def test_each_character_of_a_class_is_removed():
    assert _members_by_character("remove-character") == {"a": {"b"}, "b": {"a"}}


def test_one_character_is_added_to_a_class():
    members_by_character = _members_by_character("add-character")
    assert members_by_character != {}
    assert members_by_character == {character: {"a", "b", character} for character in members_by_character}


def test_every_printable_character_and_some_control_characters_are_added_to_a_class():
    """The class is `a` and `b`, which cannot be added to it."""
    printable = {chr(code) for code in range(0x20, 0x7F)}
    control_characters = {"\x00", "\x01", "\t", "\n", "\r", "\x1f", "\x7f"}
    added = _members_by_character("add-character").keys()
    assert added == (printable | control_characters) - {"a", "b"}


def test_single_characters_beside_longer_words_form_a_class():
    """The class of `"/" | "@" | a b` is `/` and `@`."""
    mutants = _mutants(Alternation((SLASH, AT, Sequence((A, B)))))
    with_exclamation_mark = {mutant.expression for mutant in mutants if mutant.character == "!"}
    assert with_exclamation_mark == {Alternation((Characters(frozenset("/@!")), Sequence((A, B))))}


@pytest.mark.parametrize("spec", ["rfc1808", "rfc2396"])
def test_no_mutant_is_made_twice(spec):
    check_no_mutant_twice(spec)


@pytest.mark.parametrize("spec", ["rfc1808", "rfc2396"])
def test_no_mutant_is_the_rule_as_it_stands(spec):
    mutants = [(subject, mutant) for subject in subjects(spec) for mutant in subject.mutants]
    assert mutants != []
    unchanged = [
        mutant.rule for subject, mutant in mutants if mutant.expression == subject.grammar[mutant.rule]
    ]
    assert unchanged == []


def check_no_mutant_twice(spec):
    for subject in subjects(spec):
        keys = [(mutant.rule, mutant.expression) for mutant in subject.mutants]
        assert keys
        assert len(set(keys)) == len(keys)
