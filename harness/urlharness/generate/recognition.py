"""Automata that check labels: a second construction, which shares no code with `urloracle.automata`.

Thompson's construction turns each expression into states with empty transitions. Sets of these states are the
states of the automaton, which is not minimal. States from which no text is accepted become the sink.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from urlharness.batch.tables import byte_table
from urloracle.grammar.alphabet import ASCII
from urloracle.grammar.expression import (
    Alternation,
    Capture,
    Characters,
    Expression,
    Reference,
    Repetition,
    Sequence,
)
from urloracle.grammar.grammar import Grammar


class JoinedAutomata(NamedTuple):
    """Automata of several rules in one table by state and byte.

    State 0 is the sink of all automata. `starts` maps each rule to the start state of its automaton.
    """

    following: NDArray[np.uint16]
    accepting: NDArray[np.bool_]
    starts: Mapping[str, int]


def join_automata(grammar: Grammar, rules: Iterable[str]) -> JoinedAutomata:
    """Return the automata of some rules in one table."""
    starts: dict[str, int] = {}
    rows: list[dict[str, int]] = [{}]
    accepting = [False]
    for rule in rules:
        states = _states_before_ends(*_determinized(grammar, rule))
        shift = len(rows) - 1  # of the numbers of states, of which 1 is the start state; all share the sink
        starts[rule] = shift + 1
        for row, accepts in states:
            rows.append({char: shift + target for char, target in row.items()})
            accepting.append(accepts)
    classes = {char: number for number, char in enumerate(ASCII)}
    following = byte_table(classes, [_targets_of_ascii(row) for row in rows])
    return JoinedAutomata(following, np.array(accepting), starts)


def _targets_of_ascii(row: Mapping[str, int]) -> list[int]:
    """Return the next state for each character of ASCII: the sink, which is 0, if the row has none."""
    return [row.get(char, 0) for char in ASCII]


class _Thompson:
    """States with empty transitions.

    A state may also read one of some characters. This transition leads to the state with the next number.
    """

    def __init__(self, grammar: Grammar) -> None:
        self._grammar = grammar
        self.empty: list[list[int]] = []
        self.reads: list[frozenset[str]] = []

    def add_state(self, reads: frozenset[str] = frozenset()) -> int:
        """Add a state, and return its number. If it reads characters, the caller adds the next state, too."""
        self.empty.append([])
        self.reads.append(reads)
        return len(self.reads) - 1

    def build(self, expression: Expression) -> tuple[int, int]:
        """Add the states of an expression. Return (first state, last state)."""
        match expression:
            case Characters(members):
                start = self.add_state(members)
                return start, self.add_state()
            case Reference(name):
                return self.build(self._grammar[name])
            case Capture(_, captured):
                return self.build(captured)
            case Sequence(parts):
                return self._join([self.build(part) for part in parts])
            case Alternation(alternatives):
                start = self.add_state()
                spans = [self.build(alternative) for alternative in alternatives]
                end = self.add_state()
                for first, last in spans:
                    self.empty[start].append(first)
                    self.empty[last].append(end)
                return start, end
            case Repetition(repeated, minimum, maximum):
                optional_count = 0 if maximum is None else maximum - minimum
                spans = [self.build(repeated) for _ in range(minimum)]
                spans += [self._add_optional(repeated) for _ in range(optional_count)]
                if maximum is None:
                    first, last = self._add_optional(repeated)
                    self.empty[last].append(first)
                    spans.append((first, last))
                return self._join(spans)

    def _add_optional(self, expression: Expression) -> tuple[int, int]:
        """Add the states of an expression that may be left out. Return (first state, last state)."""
        start = self.add_state()
        first, last = self.build(expression)
        end = self.add_state()
        self.empty[start] += first, end
        self.empty[last].append(end)
        return start, end

    def _join(self, parts: list[tuple[int, int]]) -> tuple[int, int]:
        """Join parts one after the other. A part and the returned whole are (first state, last state)."""
        start = end = self.add_state()
        for first, last in parts:
            self.empty[end].append(first)
            end = last
        return start, end

    def closure(self, states: Iterable[int], end: int) -> frozenset[int]:
        """Return the states that empty transitions reach, if they read characters or are the end."""
        reached = set(states)
        queue = list(reached)
        for state in queue:  # which grows in the loop
            new = [target for target in self.empty[state] if target not in reached]
            reached.update(new)
            queue += new
        return frozenset(state for state in reached if self.reads[state] or state == end)


def _determinized(grammar: Grammar, rule: str) -> tuple[list[dict[str, int]], list[bool]]:
    """Return (next state by character, whether the state accepts), two lists by state.

    State 1 is the start state, and number 0 is not used. If the scheme may be in upper case (R-1738-03),
    letters before the first colon are read as lower-case letters.
    """
    states = _Thompson(grammar)
    start, end = states.build(Reference(rule))
    fold = rule.lower() in grammar.fold_scheme
    read_sets = {*states.reads}
    kinds = _kinds(read_sets)
    kinds_by_set = {members: _kinds_within(members, kinds) for members in read_sets}
    closure = cache(lambda targets: states.closure(targets, end))
    first = (states.closure([start], end), fold)
    numbers = {first: 1}
    rows: list[dict[str, int]] = [{}]
    accepting = [False]
    queue = [first]
    for subset, before_colon in queue:  # which grows in the loop, in the order of the numbers
        row: dict[str, int] = {}
        for kind, targets in _targets_by_kind(states, subset, kinds_by_set).items():
            target = (closure(frozenset(targets)), before_colon and kind != ":")
            if target not in numbers:
                numbers[target] = len(numbers) + 1
                queue.append(target)
            row.update(dict.fromkeys(kind, numbers[target]))
        if before_colon:
            row = {char: row[char.lower()] for char in ASCII if char.lower() in row}
        rows.append(row)
        accepting.append(end in subset)
    return rows, accepting


def _targets_by_kind(
    states: _Thompson, subset: Iterable[int], kinds_by_set: Mapping[frozenset[str], Iterable[str]]
) -> dict[str, set[int]]:
    """Return the states that a set of states reaches by each kind of characters.

    `kinds_by_set` maps each set of characters that a state reads to the kinds in this set.
    """
    reached: dict[str, set[int]] = {}
    for state in subset:
        for kind in kinds_by_set[states.reads[state]]:
            # a state that reads a character leads to the one with the next number
            reached.setdefault(kind, set()).add(state + 1)
    return reached


def _kinds(sets: Iterable[frozenset[str]]) -> list[str]:
    """Return ASCII in groups of characters that are in the same sets. The colon has a group of its own."""
    kinds: dict[tuple[object, ...], str] = {}
    for char in ASCII:
        key = (char == ":", *(char in members for members in sets))
        kinds[key] = kinds.get(key, "") + char
    return list(kinds.values())


def _kinds_within(members: frozenset[str], kinds: Iterable[str]) -> list[str]:
    """Return the kinds in a set of characters. Of each kind, the set has all characters or none."""
    return [kind for kind in kinds if kind[0] in members]


def _states_before_ends(
    rows: list[dict[str, int]], accepting: list[bool]
) -> Iterator[tuple[dict[str, int], bool]]:
    """Yield (transitions, whether the state accepts) for each state from 1.

    Leave out transitions after which no text is accepted.
    """
    sources: dict[int, list[int]] = {}
    for source, row in enumerate(rows):
        for target in row.values():
            sources.setdefault(target, []).append(source)
    before_ends = {state for state, accepts in enumerate(accepting) if accepts}
    queue = list(before_ends)
    for state in queue:  # which grows in the loop
        new = [source for source in sources.get(state, ()) if source not in before_ends]
        before_ends.update(new)
        queue += new
    for row, accepts in zip(rows[1:], accepting[1:], strict=True):
        yield {char: target for char, target in row.items() if target in before_ends}, accepts
