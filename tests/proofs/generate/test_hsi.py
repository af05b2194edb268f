"""The suites of the tier `bytes`, taken through the automata of the rules."""

from __future__ import annotations

from itertools import product

import pytest

from urlharness.generate.tiers.hsi import every_character, hsi_suite, transition_rows
from urloracle.rfcs import specification

from ...harness.generate.tiers.hsi_rules import RULES  # noqa: TID252 - tests are not an installed package


@pytest.mark.parametrize(("spec", "rule"), RULES)
@pytest.mark.sampled(3, keep="rfc3986")
def test_the_suite_of_bytes_takes_each_character_in_each_state(spec, rule):
    automaton = specification(spec).automaton(rule)
    characters = every_character(automaton)
    rows = transition_rows(automaton, characters)
    transitions = set()
    for word in hsi_suite(automaton, alphabet=characters):
        state = automaton.start
        for char in word:
            transitions.add((state, char))
            state = rows[state][char]
    assert transitions == set(product(range(len(automaton.table)), characters))
