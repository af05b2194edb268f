"""Transition coverage of minimal automata, and random faults that a suite should notice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from typing import NamedTuple

from urlharness.adequacy.kill import shortest_difference
from urlharness.adequacy.suites import Count, Suite
from urlharness.words.letters import BEYOND
from urloracle.automata.dfa import SINK, Automaton
from urloracle.grammar.alphabet import ASCII, FORMATTING


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
        return Coverage(
            self.live + other.live,
            self.live_covered + other.live_covered,
            self.rejecting + other.rejecting,
            self.rejecting_covered + other.rejecting_covered,
        )


NONE = Coverage(0, 0, 0, 0)

#: Stands for the class of the characters that have none, as in `Suite.covered`.
_WITHOUT_CLASS = -1


def coverage(automaton: Automaton, suite: Suite) -> Coverage:
    """Return the coverage of a minimal automaton by a suite."""
    covered = suite.covered(automaton)
    kinds = [*range(len(automaton.table[SINK]))]
    if any(char not in automaton.classes for char in ASCII):
        kinds.append(_WITHOUT_CLASS)
    live: set[tuple[int, int]] = set()
    rejecting: set[tuple[int, int]] = set()
    for state, row in enumerate(automaton.table):
        if state == SINK:
            continue
        for kind in kinds:
            is_rejecting = kind == _WITHOUT_CLASS or row[kind] == SINK
            transitions = rejecting if is_rejecting else live
            transitions.add((state, kind))
    return Coverage(len(live), len(live & covered), len(rejecting), len(rejecting & covered))


#: The fault domain of each generated tier: the kinds of faults that it always notices.
DOMAINS: Mapping[str, tuple[str, ...]] = {
    "complete": ("transition", "acceptance"),
    "bytes": ("transition", "acceptance", "byte"),
    "k1": ("transition", "acceptance", "state"),
}


def with_all_classes(automaton: Automaton) -> Automaton:
    """Return an equivalent automaton in which each ASCII character has a class.

    If the automaton reads characters beyond ASCII, so does the equivalent one.  Characters with equal columns
    share a class.
    """
    columns = list(zip(*automaton.table, strict=True))
    column_of_unknown = (SINK,) * len(automaton.table)
    number_by_column: dict[tuple[int, ...], int] = {}
    classes = {}
    characters = f"{ASCII}{BEYOND}" if automaton.reads_beyond_ascii else ASCII
    for char in characters:
        kind = automaton.classes.get(char)
        column = column_of_unknown if kind is None else columns[kind]
        classes[char] = number_by_column.setdefault(column, len(number_by_column))
    rows = tuple(zip(*number_by_column, strict=True))
    return Automaton(classes, rows, automaton.start, automaton.accepting)


# each function draws in a fixed order, so that a seed always gives the same faults


def _redirect_transition(automaton: Automaton, random: Random) -> Automaton:
    """Lead one transition to another state, or to the same one, which is no fault."""
    state = random.randrange(len(automaton.table))
    kind = random.choice(_kinds(automaton))
    return _redirected(automaton, state, kind, random.randrange(len(automaton.table)))


def _invert_acceptance(automaton: Automaton, random: Random) -> Automaton:
    """Make one state accepting that is not, or the other way round."""
    return _with_other_verdict(automaton, random.randrange(len(automaton.table)))


def _redirect_byte(automaton: Automaton, random: Random) -> Automaton:
    """Give one character a class of its own, and redirect one of its transitions."""
    char = random.choice([letter for letter in automaton.classes if letter not in FORMATTING])
    kind = len(automaton.table[SINK])
    table = tuple((*row, row[automaton.classes[char]]) for row in automaton.table)
    split = replace(automaton, classes={**automaton.classes, char: kind}, table=table)
    state = random.randrange(len(table))
    return _redirected(split, state, kind, random.randrange(len(table)))


def _add_wrong_state(automaton: Automaton, random: Random) -> Automaton:
    """Lead a transition into a copy of its target, and change the verdict or a transition of the copy."""
    source = random.randrange(len(automaton.table))
    kind = random.choice(_kinds(automaton))
    target = automaton.table[source][kind]
    copy = len(automaton.table)
    accepting = automaton.accepting
    if target in accepting:
        accepting |= {copy}
    table = (*automaton.table, automaton.table[target])
    with_copy = replace(automaton, table=table, accepting=accepting)
    redirected = _redirected(with_copy, source, kind, copy)
    if random.random() < 0.5:
        return _with_other_verdict(redirected, copy)
    wrong_kind = random.choice(_kinds(automaton))
    return _redirected(redirected, copy, wrong_kind, random.randrange(copy + 1))


def _kinds(automaton: Automaton) -> list[int]:
    """Return the numbers of the character classes."""
    return sorted(set(automaton.classes.values()))


def _with_other_verdict(automaton: Automaton, state: int) -> Automaton:
    """Return the automaton in which a state is accepting if it was not, or the other way round."""
    return replace(automaton, accepting=automaton.accepting ^ {state})


def _redirected(automaton: Automaton, state: int, kind: int, target: int) -> Automaton:
    """Return the automaton with another target of one transition."""
    row = automaton.table[state]
    changed = (*row[:kind], target, *row[kind + 1 :])
    table = (*automaton.table[:state], changed, *automaton.table[state + 1 :])
    return replace(automaton, table=table)


FAULTS: Mapping[str, Callable[[Automaton, Random], Automaton]] = {
    "transition": _redirect_transition,
    "acceptance": _invert_acceptance,
    "byte": _redirect_byte,
    "state": _add_wrong_state,
}


def faulty_automata(automaton: Automaton, kind: str, number: int, seed: str) -> list[Automaton]:
    """Return `number` automata with one kind of fault.  The same seed gives the same automata.

    A fault may lead out of the old sink.  Therefore a new sink is added as state 0, and the numbers of all
    other states are increased by one.
    """
    random = Random(f"{seed} {kind}")  # noqa: S311 - not for security
    complete = with_all_classes(automaton)
    return [_with_true_sink(FAULTS[kind](complete, random)) for _ in range(number)]


def _with_true_sink(faulty: Automaton) -> Automaton:
    """Return an equal automaton with a new state 0, which no fault has changed, before all others."""
    sink_row = (SINK,) * len(faulty.table[SINK])
    rows = [tuple(state + 1 for state in row) for row in faulty.table]
    accepting = frozenset(state + 1 for state in faulty.accepting)
    return Automaton(faulty.classes, (sink_row, *rows), faulty.start + 1, accepting)


def count_noticed(
    automaton: Automaton, suites: Mapping[str, Suite], number: int, seed: str
) -> dict[str, dict[str, Count]]:
    """Count the noticed faults by suite and kind.  Faults that change no verdict count as equivalent."""
    counts: dict[str, dict[str, Count]] = {name: {} for name in suites}
    for kind in FAULTS:
        faulty = faulty_automata(automaton, kind, number, seed)
        live = [fault for fault in faulty if shortest_difference(automaton, fault) is not None]
        equivalent = len(faulty) - len(live)
        for name, suite in suites.items():
            if name == "k1" and kind not in DOMAINS["k1"]:
                continue  # too slow: each fault needs a walk through the largest suite
            killed = sum(map(suite.notices, live))
            counts[name][kind] = Count(killed, len(live), equivalent)
    return counts
