"""Transition coverage: which transitions of a minimal automaton a suite takes, exactly."""

from __future__ import annotations

from typing import NamedTuple

from urlharness.adequacy.suites import Suite
from urloracle.automaton import ASCII, SINK, Automaton


class Coverage(NamedTuple):
    """How many of the live transitions, and of those into the sink, are taken.

    A transition is a state and a class of characters.  Characters that no word has are one class more; all of
    its transitions reject.
    """

    live: int
    live_covered: int
    rejecting: int
    rejecting_covered: int

    def plus(self, other: Coverage) -> Coverage:
        """The sums."""
        return Coverage(*(one + two for one, two in zip(self, other, strict=True)))


NONE = Coverage(0, 0, 0, 0)


def coverage(automaton: Automaton, suite: Suite) -> Coverage:
    """The coverage of a minimal automaton by a suite."""
    covered = suite.covered(automaton)
    outside = [] if len(automaton.classes) == len(ASCII) else [-1]
    kinds = [*range(len(automaton.table[SINK])), *outside]
    live: set[tuple[int, int]] = set()
    rejecting: set[tuple[int, int]] = set()
    for state, row in enumerate(automaton.table):
        if state != SINK:
            for kind in kinds:
                dead = kind < 0 or row[kind] == SINK
                (rejecting if dead else live).add((state, kind))
    return Coverage(len(live), len(live & covered), len(rejecting), len(rejecting & covered))
