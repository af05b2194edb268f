"""Mutants are compiled without files, and comes to the same as reading the changed grammar anew."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from urlauthor.adequacy.kill import shortest_difference
from urlauthor.adequacy.subjects import SPECS, subjects
from urloracle.automata.dfa import determinize
from urloracle.automata.positions import position_automaton
from urloracle.grammar.expression import Characters, Reference


SUBJECTS = {subject.key: subject for spec in SPECS for subject in subjects(spec)}


def _anew(subject, changes):
    grammar = replace(subject.grammar, rules={**subject.grammar.rules, **changes})
    fold = subject.rule.lower() in grammar.fold_scheme
    return determinize(position_automaton(grammar, Reference(subject.rule)), fold_scheme=fold)[0]


@pytest.mark.parametrize("key", SUBJECTS, ids=str)
def test_mutants_are_those_of_the_changed_grammar(key):
    subject = SUBJECTS[key]
    assert shortest_difference(subject.automaton, _anew(subject, {})) is None
    for mutant in Random(2).sample(subject.mutants, 6):
        made = subject.compiler.automaton(subject.rule, mutant.changes)
        assert shortest_difference(made, _anew(subject, mutant.changes)) is None, mutant


def test_two_changes_at_once():
    subject = SUBJECTS["rfc3986", "URI-reference", False]
    for one, other in subject.pairs(5, seed=3):
        changes = {**one.changes, **other.changes}
        assert (
            shortest_difference(subject.compiler.automaton(subject.rule, changes), _anew(subject, changes))
            is None
        )


def test_a_change_is_seen():
    """RFC 3986 appendix A: no character class has a blank; with one in `unreserved` a blank is a path."""
    subject = SUBJECTS["rfc3986", "URI-reference", False]
    unreserved = subject.grammar.character_class(Reference("unreserved"))
    mutant = subject.compiler.automaton(subject.rule, {"unreserved": Characters(unreserved | {" "})})
    assert shortest_difference(subject.automaton, mutant) == " "


@pytest.mark.parametrize("spec", SPECS)
def test_the_same_seed_gives_the_same_pairs(spec):
    subject = subjects(spec)[0]
    assert subject.pairs(20, seed=1) == subject.pairs(20, seed=1) != subject.pairs(20, seed=2)
    assert all(one.rule != other.rule for one, other in subject.pairs(20, seed=1))
