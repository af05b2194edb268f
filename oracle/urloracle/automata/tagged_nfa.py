"""Ordered automata: the ways through an expression in the order in which backtracking would try them.

A way leads from character to character and says which brackets it passes between them: bracket `2 * k` opens
the component `k`, bracket `2 * k + 1` closes it.  A part without captures is one minimal automaton, which is
left as late as may be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from urloracle.automata.dfa import ASCII, SINK, Automaton, determinize, minimize
from urloracle.automata.positions import position_automaton
from urloracle.grammar.expression import (
    EMPTY,
    Alternation,
    Capture,
    Characters,
    Expression,
    Reference,
    Repetition,
    Sequence,
    captures,
)
from urloracle.grammar.grammar import Grammar

_NO_RULES = Grammar({}, {}, {})


class Way(NamedTuple):
    """A node, and the brackets to be noted with the character that leads to it."""

    target: int
    brackets: tuple[int, ...]


@dataclass(frozen=True)
class OrderedAutomaton:
    """`ways[node][class]` are the ways on with a character, the preferred one first.

    A bracket stands before the character that it is noted with; those of `eager` stand behind it.
    `ends[node]` are the brackets passed where the text ends, None where it may not end.  `same` maps a
    bracket that is never noted to one that always stands at the same place.  `classes` has the class, below
    `kinds`, of each of 256 characters; those of class 0 stand in no text.
    """

    classes: tuple[int, ...]
    kinds: int
    ways: tuple[Mapping[int, tuple[Way, ...]], ...]
    ends: tuple[tuple[int, ...] | None, ...]
    start: int
    eager: frozenset[int]
    same: Mapping[int, int]


@dataclass
class _Node:
    """Characters first, then the ways that take none, each with the bracket that it passes."""

    moves: list[tuple[frozenset[str], int]] = field(default_factory=list)
    exits: list[tuple[int | None, int]] = field(default_factory=list)


_END = 0


def ordered_automaton(expression: Expression, components: tuple[str, ...]) -> OrderedAutomaton:
    """The automaton of an expression without references, captures named after the components."""
    builder = _Builder({name: 2 * number for number, name in enumerate(components)})
    start = builder.build(expression, _END)
    nodes = builder.nodes
    classes, kinds, holding = _classes({characters for node in nodes for characters, _ in node.moves})
    moves = [{kind: to for chars, to in node.moves for kind in holding[chars]} for node in nodes]
    reached = {start}.union(*(row.values() for row in moves))
    closures = [list(_closure(nodes, number)) if number in reached else [] for number in range(len(nodes))]
    passed = [[brackets for node, brackets in closure if node == _END or moves[node]] for closure in closures]
    same = _same(chain.from_iterable(passed))
    eager = _eager(passed, start) - same.keys()
    ways: list[dict[int, list[Way]]] = [{} for _ in nodes]
    ends: list[tuple[int, ...] | None] = [None] * len(nodes)
    for number, closure in enumerate(closures):
        for node, brackets in closure:
            here = tuple(bracket for bracket in brackets if bracket not in eager and bracket not in same)
            if node == _END and ends[number] is None:
                ends[number] = here
            for kind, target in moves[node].items():
                ahead = tuple(bracket for bracket in passed[target][0] if bracket in eager)
                ways[number].setdefault(kind, []).append(Way(target, here + ahead))
    frozen = tuple({kind: tuple(on) for kind, on in found.items()} for found in ways)
    return OrderedAutomaton(classes, kinds, frozen, tuple(ends), start, eager, same)


def _same(strings: Iterable[tuple[int, ...]]) -> dict[int, int]:
    """Opening brackets that never stand without another one before them at the same place, and that one."""
    found: dict[int, int] = {}
    beside: dict[int, set[int]] = {}
    for brackets in strings:
        for number, bracket in enumerate(brackets):
            if bracket % 2 == 0:
                before = {other for other in brackets[:number] if other % 2 == 0}
                beside[bracket] = beside.get(bracket, before) & before
    for bracket, others in beside.items():
        if others:
            found[bracket] = min(others)
    return {bracket: found.get(other, other) for bracket, other in found.items()}


def _eager(passed: list[list[tuple[int, ...]]], start: int) -> frozenset[int]:
    """Opening brackets that are passed in any case, wherever they may be passed, but at the start."""
    certain, uncertain = set[int](), set[int]()
    for number, choices in enumerate(passed):
        if choices:
            always = set(choices[0]).intersection(*choices) if number != start else set[int]()
            certain |= always
            uncertain |= set().union(*choices) - always
    return frozenset(bracket for bracket in certain - uncertain if bracket % 2 == 0)


@dataclass
class _Builder:
    opening: Mapping[str, int]
    nodes: list[_Node] = field(default_factory=lambda: [_Node()])
    automata: dict[Expression, Automaton] = field(default_factory=dict)

    def build(self, expression: Expression, after: int) -> int:
        """The node at which the expression begins; `after` is the one behind it."""
        if not captures(expression) and not isinstance(expression, Characters):
            return after if expression == EMPTY else self._automaton(expression, after)
        match expression:
            case Characters(members):
                return self._node(_Node([(members, after)]))
            case Capture(name, item):
                opening = self.opening[name]
                closing = self._node(_Node(exits=[(opening + 1, after)]))
                return self._node(_Node(exits=[(opening, self.build(item, closing))]))
            case Sequence(items):
                for item in reversed(items):
                    after = self.build(item, after)
                return after
            case Alternation(items):
                return self._node(_Node(exits=[(None, self.build(item, after)) for item in items]))
            case Repetition(item, minimum, maximum):
                return self._repetition(item, minimum, maximum, after)
            case Reference(name):
                raise ValueError(f"reference to {name} is not expanded")

    def _repetition(self, item: Expression, minimum: int, maximum: int | None, after: int) -> int:
        if maximum is None:
            again = _Node()
            start = self._node(again)
            again.exits = [(None, self.build(item, start)), (None, after)]
        else:
            start = after
            for _ in range(maximum - minimum):
                start = self._node(_Node(exits=[(None, self.build(item, start)), (None, after)]))
        for _ in range(minimum):
            start = self.build(item, start)
        return start

    def _automaton(self, expression: Expression, after: int) -> int:
        if expression not in self.automata:
            self.automata[expression] = minimize(determinize(position_automaton(_NO_RULES, expression))[0])
        automaton = self.automata[expression]
        by_class: dict[int, set[str]] = {}
        for char, kind in automaton.classes.items():
            by_class.setdefault(kind, set()).add(char)
        offset = len(self.nodes)
        for state, row in enumerate(automaton.table):
            into: dict[int, set[str]] = {}
            for kind, following in enumerate(row):
                if following != SINK:
                    into.setdefault(following, set()).update(by_class[kind])
            moves = [(frozenset(chars), offset + following) for following, chars in into.items()]
            exits: list[tuple[int | None, int]] = [(None, after)] if state in automaton.accepting else []
            self._node(_Node(moves, exits))
        return offset + automaton.start

    def _node(self, node: _Node) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1


def _closure(nodes: list[_Node], start: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The nodes reached without a character, in order of preference, with the brackets passed on the way."""
    seen: set[int] = set()
    stack: list[tuple[int, tuple[int, ...]]] = [(start, ())]
    while stack:
        number, brackets = stack.pop()
        if number in seen:
            continue
        seen.add(number)
        yield number, brackets
        for bracket, target in reversed(nodes[number].exits):
            stack.append((target, brackets if bracket is None else (*brackets, bracket)))


def _classes(
    sets: set[frozenset[str]],
) -> tuple[tuple[int, ...], int, Mapping[frozenset[str], tuple[int, ...]]]:
    """Class of each of 256 characters, their number, and the classes that each of the sets consists of."""
    order = sorted(sets, key=sorted)
    kinds: dict[tuple[bool, ...], int] = {(False,) * len(order): 0}
    classes = [0] * 256
    for char in ASCII:
        classes[ord(char)] = kinds.setdefault(tuple(char in members for members in order), len(kinds))
    holding = {
        members: tuple(kind for inside, kind in kinds.items() if inside[number])
        for number, members in enumerate(order)
    }
    return tuple(classes), len(kinds), holding
