"""The texts of a split cover take every transition, and show more than verdicts."""

from __future__ import annotations

from itertools import product

import pytest

from urlharness.generate.tiers.hsi import EVERY, hsi_suite
from urlharness.generate.tiers.split_cover import split_cover
from urloracle.rfcs import specification
from urloracle.splitting import split_table


@pytest.mark.parametrize("spec", ["rfc1808", "rfc2396", "rfc3986"])
def test_split_cover_takes_every_transition(spec):
    """Each class of characters in each state: in a valid text where some goes on, else in a refused one."""
    default = specification(spec).default_rule
    automaton = specification(spec).automaton(default)
    table = split_table(spec, default)
    texts = list(split_cover(table, automaton))
    assert len(texts) == len(set(texts))
    transitions = {True: set(), False: set()}
    for text in texts:
        valid = automaton.accepts(text)
        state = table.start
        for char in text:
            kind = table.classes[ord(char)]
            transitions[valid].add((state, kind))
            state = table.table[state][kind]
    everything = set(product(range(1, len(table.table)), range(len(table.table[0]))))
    going = {(state, kind) for state, kind in everything if table.table[state][kind]}
    assert going <= transitions[True]
    assert everything - going <= transitions[False]


def test_split_cover_finds_faults_that_verdicts_do_not():
    """RFC 1808, 2.2: query and path have the same verdicts, so an HSI suite does not separate them."""
    automaton = specification("rfc1808").automaton("URL")
    table = split_table("rfc1808", "URL")
    text = "?^"
    assert text in set(split_cover(table, automaton, every_character=True))
    assert text not in set(hsi_suite(automaton, alphabet=EVERY))


def test_the_split_cover_of_absoluteuri_takes_its_part_of_the_table():
    """The table of RFC 2396 splits every URI-reference; absoluteURI takes its own part of it."""
    automaton = specification("rfc2396").automaton("absoluteURI")
    texts = list(split_cover(split_table("rfc2396", "URI-reference"), automaton))
    valid = [text for text in texts if automaton.accepts(text)]
    assert len(valid) > 500
    assert "a:?a" in valid
    assert "?" in texts  # refused
