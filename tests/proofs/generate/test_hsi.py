"""The suites of the tier `bytes` take each character in each state."""

from __future__ import annotations

from itertools import product

import pytest

from urlharness.generate.tiers.hsi import EVERY, hsi_suite, transition_rows
from urloracle.rfcs import specification

from ...harness.generate.tiers.test_hsi import RULES  # noqa: TID252 - tests are not an installed package


@pytest.mark.parametrize(("spec", "rule"), RULES)
def test_every_character_has_its_transitions(spec, rule):
    """The suite of `bytes` takes each character in each state."""
    automaton = specification(spec).automaton(rule)
    rows = transition_rows(automaton, EVERY)
    transitions = set()
    for word in hsi_suite(automaton, alphabet=EVERY):
        state = automaton.start
        for char in word:
            transitions.add((state, char))
            state = rows[state][char]
    assert transitions == set(product(range(len(automaton.table)), EVERY))
