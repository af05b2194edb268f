"""Mutants are compiled without files, lazily, and equal the automata of the changed grammars."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import product
from random import Random

import pytest

from urlauthor.adequacy.kill import shortest_difference
from urlauthor.adequacy.subjects import SPECS, Subject, subjects, unfold
from urloracle.automata.dfa import determinize
from urloracle.automata.positions import position_automaton
from urloracle.grammar.expression import Characters, Reference, Repetition, Sequence
from urloracle.grammar.grammar import Grammar
from urloracle.rfcs import specification


@cache
def subjects_by_key() -> Mapping[tuple[str, str, bool], Subject]:
    """Return the subjects of all RFCs."""
    return {subject.key: subject for spec in SPECS for subject in subjects(spec)}


def _anew(subject, changes):
    grammar = replace(subject.grammar, rules={**subject.grammar.rules, **changes})
    fold = subject.rule.lower() in grammar.fold_scheme
    return determinize(position_automaton(grammar, Reference(subject.rule)), fold_scheme=fold)[0]


@pytest.mark.parametrize("key", [("rfc1808", "URL", False), ("rfc1738", "newsurl", True)], ids=str)
def test_mutants_are_those_of_the_changed_grammar(key):
    check_mutants(subjects_by_key()[key])


def check_mutants(subject):
    assert shortest_difference(subject.automaton, _anew(subject, {})) is None
    for mutant in Random(2).sample(subject.mutants, 6):
        automaton = subject.compiler.automaton(subject.rule, mutant.changes)
        assert shortest_difference(automaton, _anew(subject, mutant.changes)) is None, mutant


def test_a_pair_makes_two_changes_at_once():
    subject = subjects_by_key()["rfc3986", "URI-reference", False]
    for first, second in subject.pairs(5, seed=3):
        changes = {**first.changes, **second.changes}
        assert (
            shortest_difference(subject.compiler.automaton(subject.rule, changes), _anew(subject, changes))
            is None
        )


def test_a_change_is_seen():
    """RFC 3986 appendix A: no character class has a blank; with one in `unreserved` a blank is a path."""
    subject = subjects_by_key()["rfc3986", "URI-reference", False]
    unreserved = subject.grammar.character_class(Reference("unreserved"))
    mutant = subject.compiler.automaton(subject.rule, {"unreserved": Characters(unreserved | {" "})})
    assert shortest_difference(subject.automaton, mutant) == " "


@pytest.mark.parametrize("spec", SPECS)
def test_the_same_seed_gives_the_same_pairs(spec):
    subject = subjects(spec)[0]
    assert subject.pairs(20, seed=1) == subject.pairs(20, seed=1) != subject.pairs(20, seed=2)
    assert all(first.rule != second.rule for first, second in subject.pairs(20, seed=1))


TEXTS = ["".join(letters) for size in range(4) for letters in product("aZ0:/?#@[]%.", repeat=size)]


@pytest.mark.parametrize("spec", SPECS)
def test_a_lazy_automaton_answers_as_the_whole_one(spec):
    subject = subjects(spec)[0]
    positions = position_automaton(specification(spec).grammar, Reference(subject.rule))
    fold = subject.rule.lower() in subject.grammar.fold_scheme
    whole = determinize(positions, fold_scheme=fold)[0]
    lazy = unfold(positions, fold_scheme=fold)
    for text in TEXTS:
        assert lazy.accepts(text) == whole.accepts(text)
        assert lazy.longest_viable_prefix(text)[0] == whole.longest_viable_prefix(text)[0]
    assert shortest_difference(whole, lazy) is None
    assert len(lazy.table) == len(whole.table)
    assert len(lazy.accepting) == len(whole.accepting)


def test_a_mutant_with_exponentially_many_subsets_is_compiled_lazily():
    """The n-th letter from the end: 2 to the n subsets, of which a short text needs a few."""
    letter, both_letters = Characters(frozenset("a")), Characters(frozenset("ab"))
    far = Sequence((Repetition(both_letters, 0, None), letter, Repetition(both_letters, 24, 24)))
    lazy = unfold(position_automaton(Grammar({}, {}, {}), far), fold_scheme=False)
    assert lazy.accepts("a" + "b" * 24)
    assert not lazy.accepts("b" * 25)
    assert len(lazy.table) < 100
