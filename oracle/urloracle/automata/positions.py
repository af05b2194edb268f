"""The position automaton of a rule (Glushkov): one state per character set of the expanded rule.

No grammar here is recursive, so a rule expands to an expression over characters.  Each place in it where a
character set is written is a position.  A word of the rule is read along positions: it begins at one of the
first positions, goes on to one that can follow, and ends at one of the last.  This automaton needs no empty
transitions, and its states know where they are in the grammar: each position stores the names of the rules
that contain it, for error messages.  Sets of positions are integers used as bit sets.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

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


class RecursiveRule(ValueError):
    """A rule refers to itself, so its language need not be regular."""


def members(bits: int) -> Iterator[int]:
    """Yield the numbers in a bit set, ascending."""
    remaining = bits
    while remaining:
        lowest = remaining & -remaining
        yield lowest.bit_length() - 1
        remaining ^= lowest


class Position(NamedTuple):
    """One character set of the expanded expression, and the rules around it.

    `stack` lists the rules around it, outermost first.  `folded` lists the rules whose characters were merged
    into this set, such as `alpha`.
    """

    members: frozenset[str]
    stack: tuple[str, ...]
    folded: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PositionAutomaton:
    """A position automaton.  Sets of positions are integers used as bit sets.

    `first` is the set of the positions that can begin a word, and `last` the set of the positions that can
    end one.  `follow[n]` is the set of the positions that can follow position `n`.  `nullable` is true if the
    empty text is a word.
    """

    positions: tuple[Position, ...]
    first: int
    last: int
    follow: tuple[int, ...]
    nullable: bool


class _Fragment(NamedTuple):
    """The sets of first and last positions of a part of the expression; see `PositionAutomaton`."""

    first: int
    last: int
    nullable: bool


_NOTHING = _Fragment(0, 0, nullable=True)


def position_automaton(grammar: Grammar, expression: Expression) -> PositionAutomaton:
    """Return the automaton of an expression.

    Raise UnknownRule if a reference is undefined, and RecursiveRule if a rule refers to itself.
    """
    return _Builder(grammar).automaton(expression)


@dataclass
class _Builder:
    """Adds the positions of expressions, and what can follow each; its methods return fragments.

    `enclosing` lists the rules around the expression that is built, outermost first.
    """

    grammar: Grammar
    enclosing: tuple[str, ...] = ()
    positions: list[Position] = field(default_factory=list)
    follow: list[int] = field(default_factory=list)

    def automaton(self, expression: Expression) -> PositionAutomaton:
        """Build the automaton of an expression."""
        fragment = self.build(expression)
        positions = tuple(self.positions)
        follow = tuple(self.follow)
        return PositionAutomaton(positions, fragment.first, fragment.last, follow, fragment.nullable)

    def build(self, expression: Expression) -> _Fragment:
        """Add the positions of an expression."""
        match expression:
            case Characters(characters):
                return self._add_position(characters)
            case Reference(name):
                return self._build_rule(name)
            case Sequence(elements):
                fragment = _NOTHING
                for element in elements:
                    fragment = self._join(fragment, self.build(element))
                return fragment
            case Alternation(elements):
                folded = self.grammar.character_class(expression)
                if folded is not None:
                    return self._add_position(folded, self._merged_rules(expression))
                parts = [self.build(element) for element in elements]
                first = _union(part.first for part in parts)
                last = _union(part.last for part in parts)
                return _Fragment(first, last, any(part.nullable for part in parts))
            case Capture(_, element):
                return self.build(element)
            case Repetition(element, minimum, maximum):
                return self._build_repetition(element, minimum, maximum)

    def _add_position(self, characters: frozenset[str], folded: tuple[str, ...] = ()) -> _Fragment:
        """Add one position, without rules around it: `_add_copy` adds them."""
        self.positions.append(Position(characters, (), folded))
        self.follow.append(0)
        bit = 1 << (len(self.positions) - 1)
        return _Fragment(bit, bit, nullable=False)

    def _build_rule(self, name: str) -> _Fragment:
        """Add the positions of a rule. Raise RecursiveRule if it is inside itself."""
        printed = self.grammar.canonical_name(name)
        if printed in self.enclosing:
            raise RecursiveRule(f"rule {printed} refers to itself")
        # a rule such as `hex` is in hundreds of places: it is built once and copied
        built = self.grammar.automata.get(printed)
        if built is None:
            inside = _Builder(self.grammar, (*self.enclosing, printed))
            built = self.grammar.automata[printed] = inside.automaton(self.grammar[name])
        return self._add_copy(built, printed)

    def _add_copy(self, built: PositionAutomaton, rule: str) -> _Fragment:
        """Add the positions of a rule, each with the rule as the outermost around it."""
        offset = len(self.positions)
        for position in built.positions:
            self.positions.append(Position(position.members, (rule, *position.stack), position.folded))
        self.follow += [following << offset for following in built.follow]
        return _Fragment(built.first << offset, built.last << offset, built.nullable)

    def _merged_rules(self, expression: Expression) -> tuple[str, ...]:
        """Return the rules whose characters are merged into the one set of an expression."""
        match expression:
            case Reference(name):
                return (self.grammar.canonical_name(name), *self._merged_rules(self.grammar[name]))
            case Alternation(elements):
                return tuple(name for element in elements for name in self._merged_rules(element))
            case _:
                return ()

    def _join(self, left: _Fragment, right: _Fragment) -> _Fragment:
        """Return the fragment of one part and another after it, which can now follow."""
        for position in members(left.last):
            self.follow[position] |= right.first
        return _Fragment(
            left.first | right.first if left.nullable else left.first,
            right.last | left.last if right.nullable else right.last,
            left.nullable and right.nullable,
        )

    def _build_repetition(self, element: Expression, minimum: int, maximum: int | None) -> _Fragment:
        """Add the positions of each copy of a repeated element; the last copy is repeated if need be."""
        fragment = _NOTHING
        if maximum is None:
            for _ in range(minimum - 1):  # the loop is the last of the required copies
                fragment = self._join(fragment, self.build(element))
            loop = self.build(element)
            for position in members(loop.last):
                self.follow[position] |= loop.first
            return self._join(fragment, loop._replace(nullable=loop.nullable or minimum == 0))
        for _ in range(minimum):
            fragment = self._join(fragment, self.build(element))
        tail = _NOTHING
        for _ in range(maximum - minimum):  # up to three x are x[x[x]]; build the innermost first
            tail = self._join(self.build(element), tail)._replace(nullable=True)
        return self._join(fragment, tail)


def _union(sets: Iterator[int]) -> int:
    """Return the union of bit sets."""
    bits = 0
    for part in sets:
        bits |= part
    return bits
