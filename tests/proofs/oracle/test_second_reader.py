"""Every rule has the language that a second reader and automata-lib give it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from urloracle.language import Language
from urloracle.rfcs import SPECIFICATIONS

from .second_reader import disagreement, second_reader

# `url` of RFC 1738 is left out: the library needs ten seconds for it, and its alternatives are all here
CASES = [(spec.id, rule) for spec in SPECIFICATIONS.values() for rule in spec.grammar if rule != "url"]


@pytest.mark.parametrize(("spec", "rule"), CASES)
def test_same_language(spec, rule):
    """Two readers, two constructions, one language; the folding of schemes is not in the text (R-1738-03)."""
    printed = replace(SPECIFICATIONS[spec].grammar, fold_scheme=frozenset())
    ours = Language(printed, rule).automaton
    theirs, symbols = second_reader(spec).compile(rule)
    assert disagreement(ours, theirs, symbols) is None
    # the library's minimal automata are partial: it counts no sink, which ours always has
    assert len(theirs.states) + 1 == len(ours.table)


def test_disagreement_is_seen():
    """The comparison finds the shortest text that two different rules part on."""
    theirs, symbols = second_reader("rfc3986").compile("segment-nz")
    ours = SPECIFICATIONS["rfc3986"].language("segment-nz-nc").automaton
    assert disagreement(ours, theirs, symbols) == ":"
