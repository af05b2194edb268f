"""DFAs: subset construction over character classes, minimization, products."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from operator import itemgetter
from typing import NamedTuple

from urloracle.automata.positions import PositionAutomaton, members

ASCII = tuple(map(chr, range(128)))
SINK = 0


class Prefix(NamedTuple):
    """The longest prefix of a text that can be extended to a member: its length, and the state after it."""

    length: int
    state: int


@dataclass(frozen=True)
class Automaton:
    """A complete DFA over ASCII; state 0 is the sink.

    `classes` maps characters to their classes, and `table[state][class]` is the next state.  A character
    without a class leads to the sink.
    """

    classes: Mapping[str, int]
    table: Sequence[tuple[int, ...]]
    start: int
    accepting: AbstractSet[int]

    def accepts(self, text: str) -> bool:
        """Return True if the text is a member of the language."""
        length, state = self.longest_viable_prefix(text)
        return length == len(text) and state in self.accepting

    def longest_viable_prefix(self, text: str) -> Prefix:
        """Return the longest prefix of the text that can be extended to a member.

        If no prefix can be extended, return the empty prefix and the start state.
        """
        rows, state, length = self._rows, self.start, 0
        try:
            for length, character in enumerate(text):  # noqa: B007 - the handler returns it
                state = rows[state][character]
        except KeyError:  # the character leads to the sink
            return Prefix(length, state)
        return Prefix(len(text), state)

    def allowed(self, state: int) -> frozenset[str]:
        """Return the characters that lead from the state to a state other than the sink."""
        return frozenset(self._rows[state])

    @cached_property
    def _rows(self) -> tuple[dict[str, int], ...]:
        return tuple(
            {char: row[number] for char, number in self.classes.items() if row[number] != SINK}
            for row in self.table
        )

    def shortest_member(self) -> str | None:
        """Return a shortest member, or None if the language is empty."""
        representatives = {number: char for char, number in reversed(list(self.classes.items()))}
        seen = {self.start}
        queue = deque([(self.start, "")])
        while queue:
            state, word = queue.popleft()
            if state in self.accepting:
                return word
            for number, following in enumerate(self.table[state]):
                if following != SINK and following not in seen:
                    seen.add(following)
                    queue.append((following, word + representatives[number]))
        return None


def determinize(
    positions: PositionAutomaton, *, fold_scheme: bool = False
) -> tuple[Automaton, tuple[int, ...]]:
    """Return the subset automaton of a rule, and for each state the bit set of positions that can come next.

    If `fold_scheme`, letters before the first colon are case-insensitive (R-1738-03).
    """
    subsets = Subsets(positions, fold_scheme=fold_scheme)
    table = [subsets.row(number) for number, _ in enumerate(subsets.states)]  # `row` appends to `states`
    automaton = Automaton(subsets.classes, tuple(table), subsets.start, frozenset(subsets.accepting))
    return automaton, tuple(candidates for candidates, _, _ in subsets.states)


class Subsets:
    """The states of a subset automaton that were found so far.

    The states are numbered in the order of discovery; state 0 is the sink.  A state consists of the positions
    that can come next and of two flags: whether it accepts, and whether the text read so far has no colon.
    """

    start = 1

    def __init__(self, positions: PositionAutomaton, *, fold_scheme: bool) -> None:
        self.classes, self._masks, self._folded = _character_classes(positions, fold_scheme=fold_scheme)
        self._colon = self.classes.get(":", -1)
        self._follow, self._last = positions.follow, positions.last
        initial = (positions.first, positions.nullable, fold_scheme)
        self.states = [(0, False, False), initial]
        self.accepting = {self.start} if positions.nullable else set[int]()
        self._numbers = {(0, False, False): SINK, initial: self.start}
        self._unions: dict[int, int] = {}  # maps positions just read to the next positions

    def row(self, number: int) -> tuple[int, ...]:
        """Return the next state for each class.  A state that was not seen before gets the next number."""
        candidates, _, before_colon = self.states[number]
        row = []
        for kind, mask in enumerate(self._folded if before_colon else self._masks):
            reached = candidates & mask
            if not reached:
                row.append(SINK)
                continue
            following = self._unions.get(reached)
            if following is None:
                following = 0
                for position in members(reached):
                    following |= self._follow[position]
                self._unions[reached] = following
            state = (following, bool(reached & self._last), before_colon and kind != self._colon)
            known = self._numbers.get(state)
            if known is None:
                known = self._numbers[state] = len(self.states)
                self.states.append(state)
                if state[1]:
                    self.accepting.add(known)
            row.append(known)
        return tuple(row)


def minimize(automaton: Automaton) -> Automaton:
    """Return the minimal automaton of the same language (Moore's partition refinement)."""
    table = automaton.table
    blocks = [int(state in automaton.accepting) for state in range(len(table))]
    # SINK twice, because an itemgetter with a single index does not return a tuple
    readers: list[Callable[[list[int]], object]] = [itemgetter(*row, SINK, SINK) for row in table]
    count = len(set(blocks))
    while True:
        signatures: dict[object, int] = {}
        blocks = [
            signatures.setdefault((block, reader(blocks)), len(signatures))
            for block, reader in zip(blocks, readers, strict=True)
        ]
        if len(signatures) == count:
            break
        count = len(signatures)
    representative: dict[int, int] = {}
    for state, block in enumerate(blocks):
        representative.setdefault(block, state)
    smaller = tuple(
        tuple(blocks[following] for following in table[representative[block]]) for block in range(count)
    )
    accepting = frozenset(blocks[state] for state in automaton.accepting)
    return Automaton(automaton.classes, smaller, blocks[automaton.start], accepting)


def product(left: Automaton, right: Automaton, accept: Callable[[bool, bool], bool]) -> Automaton:
    """Return an automaton that accepts a text if `accept(left accepts it, right accepts it)` is true.

    The automaton need not be minimal.
    """
    pairs = {char: (left.classes.get(char, -1), right.classes.get(char, -1)) for char in ASCII}
    kinds = {pair: number for number, pair in enumerate(sorted(set(pairs.values()) - {(-1, -1)}))}
    classes = {char: kinds[pair] for char, pair in pairs.items() if pair in kinds}
    start = (left.start, right.start)
    numbers, queue, table = {(SINK, SINK): SINK, start: 1}, [(SINK, SINK), start], []
    for one, two in queue:
        row = []
        for a, b in kinds:
            state = (left.table[one][a] if a >= 0 else SINK, right.table[two][b] if b >= 0 else SINK)
            if state not in numbers:
                numbers[state] = len(queue)
                queue.append(state)
            row.append(numbers[state])
        table.append(tuple(row))
    verdicts = [accept(one in left.accepting, two in right.accepting) for one, two in queue]
    return Automaton(classes, table, 1, frozenset(compress(range(len(queue)), verdicts)))


def difference(left: Automaton, right: Automaton) -> Automaton:
    """Return the automaton of the left language without the members of the right language."""
    return product(left, right, lambda one, two: one and not two)


def union(left: Automaton, right: Automaton) -> Automaton:
    """Return the automaton of the union of both languages."""
    return product(left, right, lambda one, two: one or two)


def _character_classes(
    positions: PositionAutomaton, *, fold_scheme: bool
) -> tuple[dict[str, int], list[int], list[int]]:
    """Return (classes, masks, folded masks).

    `classes` maps characters to classes.  The masks contain, for each class, the positions that read its
    characters.  The folded masks do the same inside the scheme, where letters can be case-insensitive.
    """
    bits = dict.fromkeys(ASCII, 0)
    for number, position in enumerate(positions.positions):
        for char in position.members:
            bits[char] |= 1 << number
    kinds: dict[tuple[int, int, bool], int] = {}
    classes: dict[str, int] = {}
    for char, taken in bits.items():
        folded = bits[char.lower()] if fold_scheme else taken
        if taken or folded:
            kind = (taken, folded, fold_scheme and char == ":")
            classes[char] = kinds.setdefault(kind, len(kinds))
    return classes, [taken for taken, _, _ in kinds], [folded for _, folded, _ in kinds]
