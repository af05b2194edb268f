"""Mutants are compiled without files, lazily, and equal the automata of the changed grammars."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import product
from random import Random

import pytest

from urlharness.adequacy.kill import shortest_difference
from urlharness.adequacy.subjects import SPECS, Subject, subjects, unfold
from urloracle.automata.dfa import determinize
from urloracle.automata.positions import position_automaton
from urloracle.grammar.expression import Alternation, Characters, Reference, Repetition, Sequence
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
    for mutant in Random(2).sample(subject.mutants, 6):  # each takes a determinization of the whole rule
        check_changes(subject, mutant.changes)


def check_changes(subject, changes):
    automaton = subject.compiler.automaton(subject.rule, changes)
    assert shortest_difference(automaton, _anew(subject, changes)) is None, changes


def test_two_changes_at_once_are_those_of_the_changed_grammar():
    """One change lets a blank into a path, the other lets `[` into a fragment."""
    subject = subjects_by_key()["rfc3986", "URI-reference", False]
    unreserved = subject.grammar.character_class(Reference("unreserved"))
    with_bracket = Alternation((Reference("pchar"), Characters(frozenset("/?["))))
    changes = {
        "unreserved": Characters(unreserved | {" "}),
        "fragment": Repetition(with_bracket, 0, None),
    }
    check_changes(subject, changes)


def test_a_mutant_with_a_blank_in_a_class_differs_from_the_grammar_by_a_blank():
    """RFC 3986 appendix A: no character class has a blank; with one in `unreserved` a blank is a path."""
    subject = subjects_by_key()["rfc3986", "URI-reference", False]
    unreserved = subject.grammar.character_class(Reference("unreserved"))
    mutant = subject.compiler.automaton(subject.rule, {"unreserved": Characters(unreserved | {" "})})
    assert shortest_difference(subject.automaton, mutant) == " "


def test_a_seed_gives_the_same_pairs_of_mutants_everywhere():
    subject = subjects_by_key()["rfc3986", "URI-reference", False]
    pairs = subject.pairs(2, seed=1)
    assert [(first.rule, second.rule) for first, second in pairs] == [
        ("alpha", "ipv6address"),
        ("query", "port"),
    ]


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize("spec", SPECS)
def test_another_seed_gives_other_pairs_of_mutants(spec):
    subject = subjects(spec)[0]
    assert subject.pairs(20, seed=1) != subject.pairs(20, seed=2)


@pytest.mark.parametrize("spec", SPECS)
def test_the_mutants_of_a_pair_change_two_rules(spec):
    pairs = list(subjects(spec)[0].pairs(20, seed=1))
    assert len(pairs) == 20
    assert [first.rule for first, second in pairs if first.rule == second.rule] == []


TEXTS = ["".join(letters) for size in range(4) for letters in product("aZ0:/?#@[]%.", repeat=size)]


@pytest.fixture
def automata(spec):
    """The automaton of the first subject of an RFC, compiled completely and lazily."""
    subject = subjects(spec)[0]
    positions = position_automaton(specification(spec).grammar, Reference(subject.rule))
    fold = subject.rule.lower() in subject.grammar.fold_scheme
    complete, _ = determinize(positions, fold_scheme=fold)
    return complete, unfold(positions, fold_scheme=fold)


by_rfc = pytest.mark.parametrize("spec", SPECS)


@by_rfc
def test_a_lazy_automaton_gives_the_verdicts_of_the_complete_one(automata):
    complete, lazy = automata
    for text in TEXTS:
        assert lazy.accepts(text) == complete.accepts(text), text


@by_rfc
def test_a_lazy_automaton_gives_the_viable_prefixes_of_the_complete_one(automata):
    complete, lazy = automata
    for text in TEXTS:
        prefix = lazy.longest_viable_prefix(text)
        assert prefix.length == complete.longest_viable_prefix(text).length, text


@by_rfc
def test_a_lazy_automaton_accepts_the_language_of_the_complete_one(automata):
    complete, lazy = automata
    assert shortest_difference(complete, lazy) is None


@by_rfc
def test_a_lazy_automaton_that_was_walked_completely_has_all_states(automata):
    complete, lazy = automata
    shortest_difference(complete, lazy)  # walks through both
    assert len(lazy.table) == len(complete.table)
    assert len(lazy.accepting) == len(complete.accepting)


#: The letter this far from the end decides, so there are 2 to the 25 subsets of positions.
DISTANCE = 24
#: A text of 25 letters needs a few states for each letter.
FEW_STATES = 100


@pytest.fixture
def automaton_of_many_subsets():
    letter = Characters(frozenset("a"))
    both_letters = Characters(frozenset("ab"))
    tail = Repetition(both_letters, DISTANCE, DISTANCE)
    expression = Sequence((Repetition(both_letters, 0, None), letter, tail))
    return unfold(position_automaton(Grammar({}, {}, {}), expression), fold_scheme=False)


#: Texts of the automaton, and whether it accepts them.
SHORT_TEXTS = [("a" + "b" * DISTANCE, True), ("b" * (DISTANCE + 1), False)]


@pytest.mark.parametrize(("text", "accepted"), SHORT_TEXTS)
def test_an_automaton_of_exponentially_many_states_judges_a_short_text(
    automaton_of_many_subsets, text, accepted
):
    assert automaton_of_many_subsets.accepts(text) is accepted


@pytest.mark.parametrize("text", [text for text, _ in SHORT_TEXTS])
def test_a_short_text_needs_few_of_exponentially_many_states(automaton_of_many_subsets, text):
    automaton_of_many_subsets.accepts(text)
    assert len(automaton_of_many_subsets.table) < FEW_STATES
