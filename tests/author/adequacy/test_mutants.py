"""Mutation operators: the mutants that each makes of an expression, all of them different."""

from __future__ import annotations

import pytest

from urlauthor.adequacy.mutants import mutations
from urlauthor.adequacy.subjects import subjects
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
    expressions = [
        m.expression for m in mutations(expression, GRAMMAR.character_class, _kin) if m.operator == operator
    ]
    assert sorted(map(repr, expressions)) == sorted(map(repr, expected))


def test_each_delimiter_is_replaced_by_the_others():
    mutants = list(mutations(SLASH, GRAMMAR.character_class, _kin))
    assert {m.operator for m in mutants} == {"swap-delimiter"}
    assert {next(iter(m.expression.members)) for m in mutants} == set(":?#[]@;=&,.%")


def test_a_class_has_one_character_more_or_less():
    mutants = list(mutations(Characters(frozenset("ab")), GRAMMAR.character_class, _kin))
    removed = {m.character: m.expression.members for m in mutants if m.operator == "remove-character"}
    added = {m.character: m.expression.members for m in mutants if m.operator == "add-character"}
    assert removed == {"a": {"b"}, "b": {"a"}}
    assert len(added) == 95 + 7 - 2
    assert all(members == {"a", "b", char} for char, members in added.items())


def test_single_characters_beside_longer_words_form_a_class():
    """The class of `"/" | "@" | a b` is `/` and `@`."""
    expression = Alternation((SLASH, AT, Sequence((A, B))))
    expressions = {
        m.expression for m in mutations(expression, GRAMMAR.character_class, _kin) if m.character == "!"
    }
    assert expressions == {Alternation((Characters(frozenset("/@!")), Sequence((A, B))))}


@pytest.mark.parametrize("spec", ["rfc1808", "rfc2396"])
def test_no_mutant_is_made_twice(spec):
    check_no_mutant_twice(spec)


def check_no_mutant_twice(spec):
    """Nor is any the rule as it stands."""
    for subject in subjects(spec):
        keys = [(mutant.rule, mutant.expression) for mutant in subject.mutants]
        assert len(set(keys)) == len(keys)
        assert all(subject.grammar[rule] != expression for rule, expression in keys)
