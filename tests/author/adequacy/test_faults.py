"""Faults injected into automata: each tier notices all of its domain, an incomplete suite does not."""

from __future__ import annotations

import pytest

from urlauthor.adequacy.faults import (
    DOMAINS,
    FAULTS,
    Coverage,
    count_noticed,
    coverage,
    faulty_automata,
    with_all_classes,
)
from urlharness.adequacy.kill import shortest_difference
from urlharness.adequacy.subjects import subjects
from urlharness.adequacy.suites import Suite
from urlharness.generate.tiers.hsi import ORDER, hsi_suite, separating_families
from urloracle.automata.dfa import Automaton

AUTOMATON = subjects("rfc1808")[0].automaton
WORDS = {
    "complete": lambda: hsi_suite(AUTOMATON),
    "bytes": lambda: hsi_suite(AUTOMATON, alphabet=ORDER),
    "k1": lambda: hsi_suite(AUTOMATON, 1),
}


#: Faults of each kind that are injected, and how many of them must change the language to say something.
INJECTED = 60
FEWEST_LIVE = 30
#: Chooses the faults that are injected.
SEED = "test"


def _suite(words):
    return Suite({word: AUTOMATON.accepts(word) for word in words})


@pytest.mark.parametrize("tier", DOMAINS)
def test_a_tier_notices_every_fault_of_its_domain(tier):
    counts = count_noticed(AUTOMATON, {tier: _suite(WORDS[tier]())}, INJECTED, SEED)[tier]
    for kind in DOMAINS[tier]:
        assert counts[kind].live >= FEWEST_LIVE, kind
        assert counts[kind].killed == counts[kind].live, kind


@pytest.mark.parametrize("kind", ["byte", "state"])
def test_the_complete_tier_misses_faults_beyond_its_domain(kind):
    assert kind not in DOMAINS["complete"]
    counts = count_noticed(AUTOMATON, {"complete": _suite(WORDS["complete"]())}, INJECTED, SEED)["complete"]
    assert counts[kind].killed < counts[kind].live


def _without_the_empty_word(family):
    return tuple(word for word in family if word)


def test_a_suite_that_forgets_the_empty_word_misses_faults_of_acceptance():
    """Without the empty word in the families, the state reached last is not tested for acceptance."""
    families = tuple(_without_the_empty_word(family) for family in separating_families(AUTOMATON))
    words = hsi_suite(AUTOMATON, families=families)
    counts = count_noticed(AUTOMATON, {"complete": _suite(words)}, INJECTED, SEED)["complete"]
    assert counts["acceptance"].killed < counts["acceptance"].live


@pytest.mark.parametrize("kind", FAULTS)
def test_one_seed_always_injects_the_same_faults(kind):
    assert faulty_automata(AUTOMATON, kind, 5, "a") == faulty_automata(AUTOMATON, kind, 5, "a")


@pytest.mark.parametrize("kind", FAULTS)
def test_another_seed_injects_other_faults(kind):
    assert faulty_automata(AUTOMATON, kind, 5, "a") != faulty_automata(AUTOMATON, kind, 5, "b")


def test_an_automaton_with_explicit_classes_accepts_the_same_words():
    explicit = with_all_classes(AUTOMATON)
    assert set(explicit.classes) > set(AUTOMATON.classes)
    assert shortest_difference(AUTOMATON, explicit) is None


#: The automaton of the texts `a*b`.
SMALL = Automaton({"a": 0, "b": 1}, ((0, 0), (1, 2), (0, 0)), 1, frozenset((2,)))


def _covered(*, live, rejecting):
    """Return the coverage of some transitions of the small automaton.

    Two of its transitions are live, on `a` and on `b` in the first state. Four are rejecting: on `a` and on
    `b` in the second state, and on any other character in both.
    """
    return Coverage(live=2, live_covered=live, rejecting=4, rejecting_covered=rejecting)


COVERED = [
    pytest.param({"ab": True}, _covered(live=2, rejecting=0), id="members"),
    pytest.param({"b": True, "ba": False}, _covered(live=1, rejecting=1), id="member-and-one-more-character"),
    pytest.param(
        {"!": False, "b!": False}, _covered(live=1, rejecting=2), id="foreign-character-in-each-state"
    ),
    pytest.param({"!ab": False}, _covered(live=0, rejecting=1), id="beyond-the-sink"),
]


@pytest.mark.parametrize(("verdicts", "covered"), COVERED)
def test_the_coverage_of_a_suite_counts_its_states_and_transitions(verdicts, covered):
    assert coverage(SMALL, Suite(verdicts)) == covered
