"""Transition coverage of minimal automata, and random faults that a suite should notice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import NamedTuple

from urlauthor.adequacy.kill import shortest_difference
from urlauthor.adequacy.suites import Count, Suite
from urloracle.automata.dfa import ASCII, SINK, Automaton


class Coverage(NamedTuple):
    """How many live and how many rejecting transitions an automaton has, and how many of them a suite takes.

    A transition is a pair of state and character class.  It is rejecting if it leads to the sink, otherwise
    live.  The characters that no word contains form a further class, whose transitions all reject.
    """

    live: int
    live_covered: int
    rejecting: int
    rejecting_covered: int

    def plus(self, other: Coverage) -> Coverage:
        """Return the sum of two coverages."""
        return Coverage(*(one + two for one, two in zip(self, other, strict=True)))


NONE = Coverage(0, 0, 0, 0)


def coverage(automaton: Automaton, suite: Suite) -> Coverage:
    """Return the coverage of a minimal automaton by a suite."""
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


#: The fault domain of each generated tier: the kinds of faults that it always notices.
DOMAINS: Mapping[str, tuple[str, ...]] = {
    "complete": ("transition", "acceptance"),
    "bytes": ("transition", "acceptance", "byte"),
    "k1": ("transition", "acceptance", "state"),
}


def explicit(automaton: Automaton) -> Automaton:
    """Return an equivalent automaton in which each ASCII character has a class.

    Characters with equal columns share a class.
    """
    columns = list(zip(*automaton.table, strict=True))
    unknown = (SINK,) * len(automaton.table)
    numbers: dict[tuple[int, ...], int] = {}
    classes = {}
    for char in ASCII:
        kind = automaton.classes.get(char)
        column = unknown if kind is None else columns[kind]
        classes[char] = numbers.setdefault(column, len(numbers))
    return Automaton(classes, tuple(zip(*numbers, strict=True)), automaton.start, automaton.accepting)


def _transition(automaton: Automaton, random: Random) -> Automaton:
    states = range(len(automaton.table))
    state, kind = random.choice(states), random.choice(sorted(set(automaton.classes.values())))
    return _redirected(automaton, state, kind, random.choice(states))


def _acceptance(automaton: Automaton, random: Random) -> Automaton:
    state = random.randrange(len(automaton.table))
    return Automaton(automaton.classes, automaton.table, automaton.start, automaton.accepting ^ {state})


def _byte(automaton: Automaton, random: Random) -> Automaton:
    char, width = random.choice(ASCII), len(automaton.table[SINK])
    table = tuple((*row, row[automaton.classes[char]]) for row in automaton.table)
    own = Automaton({**automaton.classes, char: width}, table, automaton.start, automaton.accepting)
    states = range(len(table))
    return _redirected(own, random.choice(states), width, random.choice(states))


def _state(automaton: Automaton, random: Random) -> Automaton:
    states = range(len(automaton.table))
    source, kind = random.choice(states), random.choice(sorted(set(automaton.classes.values())))
    twin, new = automaton.table[source][kind], len(automaton.table)
    accepting = automaton.accepting | ({new} if twin in automaton.accepting else set())
    copied = Automaton(
        automaton.classes, (*automaton.table, automaton.table[twin]), automaton.start, accepting
    )
    copied = _redirected(copied, source, kind, new)
    if random.random() < 0.5:
        return Automaton(copied.classes, copied.table, copied.start, copied.accepting ^ {new})
    wrong = random.choice(sorted(set(automaton.classes.values())))
    return _redirected(copied, new, wrong, random.choice(range(new + 1)))


def _redirected(automaton: Automaton, state: int, kind: int, target: int) -> Automaton:
    row = automaton.table[state]
    changed = (*row[:kind], target, *row[kind + 1 :])
    table = (*automaton.table[:state], changed, *automaton.table[state + 1 :])
    return Automaton(automaton.classes, table, automaton.start, automaton.accepting)


FAULTS: Mapping[str, Callable[[Automaton, Random], Automaton]] = {
    "transition": _transition,
    "acceptance": _acceptance,
    "byte": _byte,
    "state": _state,
}


def inject(automaton: Automaton, kind: str, number: int, seed: str) -> list[Automaton]:
    """Return `number` automata with one kind of fault.  The same seed gives the same automata.

    A fault may lead out of the old sink.  Therefore a new sink is added as state 0, and the numbers of all
    other states are increased by one.
    """
    random = Random(f"{seed} {kind}")  # noqa: S311 - not for security
    complete = explicit(automaton)
    return [_with_true_sink(FAULTS[kind](complete, random)) for _ in range(number)]


def _with_true_sink(faulty: Automaton) -> Automaton:
    table = ((SINK,) * len(faulty.table[SINK]), *(tuple(s + 1 for s in row) for row in faulty.table))
    return Automaton(faulty.classes, table, faulty.start + 1, frozenset(s + 1 for s in faulty.accepting))


def count_noticed(
    automaton: Automaton, suites: Mapping[str, Suite], number: int, seed: str
) -> dict[str, dict[str, Count]]:
    """Count the noticed faults by suite and kind.  Faults that change no verdict count as equivalent."""
    found: dict[str, dict[str, Count]] = {name: {} for name in suites}
    for kind in FAULTS:
        faulty = inject(automaton, kind, number, seed)
        live = [fault for fault in faulty if shortest_difference(automaton, fault) is not None]
        for name, suite in suites.items():
            if name == "k1" and kind not in DOMAINS["k1"]:
                continue  # too slow: each fault needs a walk through the largest suite
            killed = sum(suite.notices(fault) for fault in live)
            found[name][kind] = Count(killed, len(live), len(faulty) - len(live))
    return found
