"""Automata of rules of a grammar some of whose productions are changed, made without reading a file again.

Rules that no change reaches go in as their minimal automata, made once; the others are built once for each
set of changes, and copied where they occur again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from urlharness.adequacy.unfolding import unfold
from urloracle.automaton import SINK, Automaton, determinize, minimize
from urloracle.expression import Alternation, Capture, Characters, Expression, Reference, Repetition, Sequence
from urloracle.grammar import Grammar
from urloracle.positions import Position, PositionAutomaton, members

#: The changed right-hand sides, by folded name of the rule.
Changes = Mapping[str, Expression]

_UNCHANGED: Changes = {}


class _Fragment(NamedTuple):
    first: int
    last: int
    nullable: bool


class _Part(NamedTuple):
    """An automaton as positions: each says what leads into a state, as Glushkov's do."""

    sets: tuple[frozenset[str], ...]
    follow: tuple[int, ...]
    fragment: _Fragment


class Compiler:
    """Automata of the rules of one grammar under changes."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar
        self._parts: dict[str, _Part] = {}

    def automaton(self, rule: str, changes: Changes = _UNCHANGED) -> Automaton:
        """The subset automaton of a rule, not minimal and made as it is walked; state 0 is the sink."""
        return unfold(self._positions(rule, changes), fold_scheme=self._folds(rule))

    def minimal(self, rule: str, changes: Changes = _UNCHANGED) -> Automaton:
        """The minimal automaton of a rule."""
        return minimize(determinize(self._positions(rule, changes), fold_scheme=self._folds(rule))[0])

    def _positions(self, rule: str, changes: Changes) -> PositionAutomaton:
        builder = _Builder(self, changes, {})
        return builder.positions(builder.build(changes.get(rule.lower(), self.grammar[rule])))

    def _folds(self, rule: str) -> bool:
        return rule.lower() in self.grammar.fold_scheme

    def part(self, name: str) -> _Part:
        """The positions of a rule that no change reaches."""
        if name not in self._parts:
            builder = _Builder(self, _UNCHANGED, {})
            positions = builder.positions(builder.build(self.grammar[name]))
            self._parts[name] = _part(minimize(determinize(positions)[0]))
        return self._parts[name]


@dataclass
class _Builder:
    compiler: Compiler
    changes: Changes
    parts: dict[str, _Part]
    sets: list[frozenset[str]] = field(default_factory=list)
    follow: list[int] = field(default_factory=list)

    def positions(self, fragment: _Fragment) -> PositionAutomaton:
        """The positions built so far, begun and ended as a fragment is."""
        positions = tuple(Position(characters, (), ()) for characters in self.sets)
        return PositionAutomaton(
            positions, fragment.first, fragment.last, tuple(self.follow), fragment.nullable
        )

    def build(self, expression: Expression) -> _Fragment:
        match expression:
            case Characters(characters):
                self.sets.append(characters)
                self.follow.append(0)
                bit = 1 << (len(self.sets) - 1)
                return _Fragment(bit, bit, nullable=False)
            case Reference(name):
                return self._rule(name.lower())
            case Sequence(items):
                fragment = _Fragment(0, 0, nullable=True)
                for item in items:
                    fragment = self._join(fragment, self.build(item))
                return fragment
            case Alternation(items):
                folded = self._class(expression)
                if folded is not None:
                    return self.build(Characters(folded))
                parts = [self.build(item) for item in items]
                first = last = 0
                for part in parts:
                    first, last = first | part.first, last | part.last
                return _Fragment(first, last, any(part.nullable for part in parts))
            case Capture(_, item):
                return self.build(item)
            case Repetition(item, minimum, maximum):
                return self._repetition(item, minimum, maximum)

    def _rule(self, name: str) -> _Fragment:
        grammar, changes = self.compiler.grammar, self.changes
        folded = self._class(Reference(name))
        if folded is not None:
            return self.build(Characters(folded))
        if changes and grammar.reachable(name).isdisjoint(changes):
            return self._embed(self.compiler.part(name))
        if name not in self.parts:
            builder = _Builder(self.compiler, changes, self.parts)
            fragment = builder.build(changes[name] if name in changes else grammar[name])
            self.parts[name] = _Part(tuple(builder.sets), tuple(builder.follow), fragment)
        return self._embed(self.parts[name])

    def _class(self, expression: Expression) -> frozenset[str] | None:
        """The characters of an expression every word of which is one character, under the changes."""
        match expression:
            case Characters(characters):
                return characters
            case Reference(name):
                folded = name.lower()
                if folded in self.changes:
                    return self._class(self.changes[folded])
                if self.compiler.grammar.reachable(folded).isdisjoint(self.changes):
                    return self.compiler.grammar.character_class(expression)
                return self._class(self.compiler.grammar[folded])
            case Alternation(items):
                sets = [self._class(item) for item in items]
                known = [one for one in sets if one is not None]
                return frozenset[str]().union(*known) if len(known) == len(sets) else None
            case _:
                return None

    def _embed(self, part: _Part) -> _Fragment:
        base = len(self.sets)
        self.sets += part.sets
        self.follow += [bits << base for bits in part.follow]
        first, last, nullable = part.fragment
        return _Fragment(first << base, last << base, nullable)

    def _join(self, left: _Fragment, right: _Fragment) -> _Fragment:
        for position in members(left.last):
            self.follow[position] |= right.first
        return _Fragment(
            left.first | right.first if left.nullable else left.first,
            right.last | left.last if right.nullable else right.last,
            left.nullable and right.nullable,
        )

    def _repetition(self, item: Expression, minimum: int, maximum: int | None) -> _Fragment:
        fragment = _Fragment(0, 0, nullable=True)
        if maximum is None:
            for _ in range(minimum - 1):
                fragment = self._join(fragment, self.build(item))
            loop = self.build(item)
            for position in members(loop.last):
                self.follow[position] |= loop.first
            return self._join(fragment, loop._replace(nullable=loop.nullable or minimum == 0))
        for _ in range(minimum):
            fragment = self._join(fragment, self.build(item))
        tail = _Fragment(0, 0, nullable=True)
        for _ in range(maximum - minimum):  # x[x[x]]: built from the inside out
            tail = self._join(self.build(item), tail)._replace(nullable=True)
        return self._join(fragment, tail)


def _part(automaton: Automaton) -> _Part:
    """One position for each state and set of characters that leads into it."""
    ways: list[dict[int, frozenset[str]]] = []
    for row in automaton.table:
        into: dict[int, set[str]] = {}
        for char, kind in automaton.classes.items():
            if row[kind] != SINK:
                into.setdefault(row[kind], set()).add(char)
        ways.append({target: frozenset(characters) for target, characters in into.items()})
    numbers: dict[tuple[int, frozenset[str]], int] = {}
    for way in ways:
        for pair in way.items():
            numbers.setdefault(pair, len(numbers))
    after = [sum(1 << numbers[pair] for pair in way.items()) for way in ways]
    last = sum(1 << number for (target, _), number in numbers.items() if target in automaton.accepting)
    start = automaton.start
    fragment = _Fragment(after[start], last, start in automaton.accepting)
    return _Part(tuple(c for _, c in numbers), tuple(after[target] for target, _ in numbers), fragment)
