"""Faults planted in automata, and whether a suite notices them.

A machine is an automaton over the characters of an alphabet, each with a transition of its own.  A change
that alters no verdict is no fault: `differ` walks through both machines to exclude it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import NamedTuple

from urlharness.generate.tiers.hsi import transition_rows
from urloracle.automata.dfa import Automaton


class Machine(NamedTuple):
    """An automaton: for each state the target of each character, the first state, and the accepting ones."""

    rows: tuple[dict[str, int], ...]
    start: int
    accepting: frozenset[int]


Fault = Callable[[Machine, Random], Machine]


def machine(automaton: Automaton, alphabet: str) -> Machine:
    """Return the machine of an automaton over an alphabet."""
    return Machine(tuple(transition_rows(automaton, alphabet)), automaton.start, automaton.accepting)


def redirect(old: Machine, random: Random) -> Machine:
    """Return a machine in which one transition leads elsewhere."""
    state = random.randrange(len(old.rows))
    target = random.randrange(len(old.rows))
    char = random.choice(list(old.rows[state]))
    return old._replace(rows=with_target(old, state, char, target))


def flip(old: Machine, random: Random) -> Machine:
    """Return a machine in which one state accepts that did not, or the other way round."""
    return old._replace(accepting=old.accepting ^ {random.randrange(len(old.rows))})


def extra(old: Machine, random: Random) -> Machine:
    """Return a machine in which a transition leads to a new state: a copy with one fault, or a random one."""
    state = random.randrange(len(old.rows))
    new = len(old.rows)
    char = random.choice(list(old.rows[state]))
    model = old.rows[state][char]
    row = dict(old.rows[model])
    accepts = model in old.accepting
    match random.randrange(3):
        case 0:
            accepts = not accepts
        case 1:
            row[random.choice(list(row))] = random.randrange(new + 1)
        case _:
            row = {character: random.randrange(new + 1) for character in row}
    accepting = old.accepting | {new} if accepts else old.accepting
    return Machine((*with_target(old, state, char, new), row), old.start, accepting)


def with_target(old: Machine, state: int, char: str, target: int) -> tuple[dict[str, int], ...]:
    """Return the rows of a machine with another target of one transition."""
    changed = list(old.rows)
    changed[state] = {**changed[state], char: target}
    return tuple(changed)


def differ(first: Machine, second: Machine) -> bool:
    """Return True if there is a text on which two machines give different verdicts."""
    start = (first.start, second.start)
    seen = {start}
    queue = [start]
    for left, right in queue:
        if (left in first.accepting) != (right in second.accepting):
            return True
        for char, target in first.rows[left].items():
            pair = (target, second.rows[right][char])
            if pair not in seen:
                seen.add(pair)
                queue.append(pair)
    return False


def faulty_machines(sound: Machine, fault: Fault, number: int, random: Random) -> Iterator[Machine]:
    """Yield a number of machines with a fault that changes some verdict."""
    count = 0
    while count < number:
        suspect = fault(sound, random)
        if differ(sound, suspect):
            count += 1
            yield suspect


class Suite:
    """The words of a suite as a tree, so that a machine reads common beginnings once."""

    def __init__(self, words: Iterable[str], sound: Machine) -> None:
        self._children: list[dict[str, int]] = [{}]
        self._verdicts: list[bool | None] = [None]
        self.words = 0
        for word in words:
            node = 0
            state = sound.start
            for char in word:
                state = sound.rows[state][char]
                following = self._children[node].get(char)
                if following is None:
                    following = self._children[node][char] = len(self._children)
                    self._children.append({})
                    self._verdicts.append(None)
                node = following
            self._verdicts[node] = state in sound.accepting
            self.words += 1

    def kills(self, suspect: Machine) -> bool:
        """Return True if a machine gives another verdict on a word of the suite."""
        pending = [(0, suspect.start)]
        while pending:
            node, state = pending.pop()
            verdict = self._verdicts[node]
            if verdict is not None and verdict != (state in suspect.accepting):
                return True
            row = suspect.rows[state]
            pending += [(child, row[char]) for char, child in self._children[node].items()]
        return False


def killed(suite: Suite, sound: Machine, fault: Fault, number: int, seed: int) -> int:
    """Return how many of `number` faulty machines the suite kills."""
    return sum(map(suite.kills, faulty_machines(sound, fault, number, Random(seed))))
