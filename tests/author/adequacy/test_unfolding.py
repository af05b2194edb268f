"""An automaton that is made as it is walked does what the whole one does, and no more than is asked."""

from __future__ import annotations

from itertools import product

import pytest

from urlauthor.adequacy.kill import shortest_difference
from urlauthor.adequacy.subjects import SPECS, subjects, unfold
from urloracle.automata.dfa import determinize
from urloracle.automata.positions import position_automaton
from urloracle.grammar.expression import Characters, Reference, Repetition, Sequence
from urloracle.grammar.grammar import Grammar
from urloracle.rfcs import specification


TEXTS = ["".join(letters) for size in range(4) for letters in product("aZ0:/?#@[]%.", repeat=size)]


@pytest.mark.parametrize("spec", SPECS)
def test_the_same_answers(spec):
    subject = subjects(spec)[0]
    positions = position_automaton(specification(spec).grammar, Reference(subject.rule))
    fold = subject.rule.lower() in subject.grammar.fold_scheme
    whole, lazy = determinize(positions, fold_scheme=fold)[0], unfold(positions, fold_scheme=fold)
    for text in TEXTS:
        assert (lazy.accepts(text), lazy.longest_viable_prefix(text)[0]) == (
            whole.accepts(text),
            whole.longest_viable_prefix(text)[0],
        )
    assert shortest_difference(whole, lazy) is None
    assert (len(lazy.table), len(lazy.accepting)) == (len(whole.table), len(whole.accepting))


def test_a_mistake_that_needs_millions_of_subsets():
    """The n-th letter from the end: 2 to the n subsets, of which a short text needs a few."""
    letter, other = Characters(frozenset("a")), Characters(frozenset("ab"))
    far = Sequence((Repetition(other, 0, None), letter, Repetition(other, 24, 24)))
    lazy = unfold(position_automaton(Grammar({}, {}, {}, (), frozenset()), far), fold_scheme=False)
    assert lazy.accepts("a" + "b" * 24)
    assert not lazy.accepts("b" * 25)
    assert len(lazy.table) < 100
