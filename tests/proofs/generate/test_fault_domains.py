"""The suites notice every fault of their domain: faults are planted in automata at random, and counted.

The domains: without extra states any redirected transition and any flipped acceptance, of classes
(`complete`) or of single characters (`bytes`); with one extra state (`k1`) any one state too many as well.
"""

from __future__ import annotations

import runpy
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import pytest

from urlharness.generate.tiers.hsi import EVERY, hsi_suite, representatives, separating_families
from urloracle.automata.dfa import SINK
from urloracle.rfcs import specification

faults = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("faults.py"))))

#: Rules by the size of their automata; for the large ones a suite has many words.
SMALL = [
    ("rfc1738", "mailtourl"),
    ("rfc1808", "URL"),
    ("rfc2396", "URI-reference"),
    ("rfc2396", "relativeURI"),
]
MIDDLE = [("rfc1738", "httpurl"), ("rfc1738", "newsurl"), ("rfc1738", "nntpurl")]
LARGE = [("rfc3986", "URI-reference"), ("rfc2732", "URI-reference")]


class Domain(NamedTuple):
    """The claim of a tier: it notices faults of these kinds in automata with at most so many extra states.

    The faults concern classes of characters, or every character.
    """

    extra_states: int
    every_character: bool
    faults: tuple[str, ...]


TIERS = {
    "complete": Domain(0, every_character=False, faults=("redirect", "flip")),
    "bytes": Domain(0, every_character=True, faults=("redirect", "flip")),
    "k1": Domain(1, every_character=False, faults=("redirect", "flip", "extra")),
}
#: The number of faults with an extra state that are planted.
EXTRA_STATES = 40
#: For each tier its automata, and how many faults of each kind are planted in each of them.
PLANTED = [
    ("complete", [*SMALL, *MIDDLE], 80),
    ("complete", LARGE, 15),
    ("bytes", SMALL, 15),
    ("k1", SMALL, 60),
    ("k1", MIDDLE[-1:], 15),
]
DOMAIN = [
    pytest.param(tier, spec, rule, fault, number, id=f"{tier}-{spec}-{rule}-{fault}")
    for tier, rules, number in PLANTED
    for spec, rule in rules
    for fault in TIERS[tier].faults
]


@cache
def prepared(tier, spec, rule):
    """Return the machine of a rule, and the suite of a tier for it."""
    domain = TIERS[tier]
    automaton = specification(spec).automaton(rule)
    alphabet = EVERY if domain.every_character else representatives(automaton)
    sound = faults.machine(automaton, alphabet)
    return sound, faults.Suite(hsi_suite(automaton, domain.extra_states, alphabet=alphabet), sound)


@pytest.mark.sampled(9)
@pytest.mark.parametrize(("tier", "spec", "rule", "fault", "number"), DOMAIN)
def test_every_fault_of_the_domain_is_noticed(tier, spec, rule, fault, number):
    """Each fault changes the verdict on some text; the suite has such a text."""
    sound, suite = prepared(tier, spec, rule)
    assert faults.killed(suite, sound, getattr(faults, fault), number, seed=1) == number


@pytest.mark.parametrize(("spec", "rule"), [*SMALL, *MIDDLE])
def test_a_suite_for_no_extra_state_misses_faults_with_one(spec, rule):
    """These faults are therefore not trivial."""
    sound, suite = prepared("complete", spec, rule)
    assert faults.killed(suite, sound, faults.extra, EXTRA_STATES, seed=1) < EXTRA_STATES


def without_epsilon(automaton):
    """Return families without the empty word, which is easily forgotten."""
    return tuple(
        tuple(word for word in family if word) or family for family in separating_families(automaton)
    )


#: The number of faults of acceptance that are planted.
FLIPS = 30


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("spec", "rule"), [*SMALL, *MIDDLE, *LARGE])
def test_families_without_the_empty_word_miss_faults(spec, rule):
    """Without it, acceptance is tested only by chance."""
    automaton = specification(spec).automaton(rule)
    sound, _ = prepared("complete", spec, rule)
    poor = faults.Suite(hsi_suite(automaton, families=without_epsilon(automaton)), sound)
    assert faults.killed(poor, sound, faults.flip, FLIPS, seed=1) < FLIPS


@pytest.fixture
def sound_machine():
    """A machine without a fault."""
    automaton = specification("rfc1808").automaton("URL")
    return faults.machine(automaton, representatives(automaton))


def test_a_change_without_effect_is_no_fault(sound_machine):
    """A second sink changes no verdict."""
    with_second_sink = sound_machine._replace(rows=(*sound_machine.rows, dict(sound_machine.rows[0])))
    assert not faults.differ(sound_machine, with_second_sink)


def test_a_sink_that_accepts_is_a_fault(sound_machine):
    with_accepting_sink = sound_machine._replace(accepting=sound_machine.accepting | {SINK})
    assert faults.differ(sound_machine, with_accepting_sink)
