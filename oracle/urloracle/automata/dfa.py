"""Deterministic automata: how the language of a rule is decided, minimized, combined and compared.

A DFA reads a text once and is in one state after each character, so a verdict takes time proportional to the
text.  It reads letters: a character beyond ASCII is read as the letter of its range (see `grammar.alphabet`).
A rule becomes a DFA by the subset construction: a state is the set of positions of the rule (see `positions`)
that can come next.  Letters that no position tells apart form a class, and the table has a column for each
class instead of each letter.

Moore's partition refinement gives the smallest DFA of a language: states are equivalent if they agree on
acceptance and each class leads them to equivalent states.  The product of two DFAs runs both at once, and
accepts by what both say: union, difference and intersection are such products.  Two languages are equal if
neither difference has a member.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from operator import itemgetter
from threading import Lock
from typing import NamedTuple

from urloracle.automata.positions import PositionAutomaton, members
from urloracle.grammar.alphabet import ALPHABET, stand_ins

SINK = 0
_ABSENT = -1  # the class of a letter that an automaton of a product does not know


class Prefix(NamedTuple):
    """The longest prefix of a text that can be extended to a member: its length, and the state after it."""

    length: int
    state: int


@dataclass(frozen=True)
class Automaton:
    """A complete DFA over the letters of the alphabet; state 0 is the sink.

    `classes` maps letters to their classes, and `table[state][class]` is the next state.  A letter without a
    class leads to the sink.
    """

    classes: Mapping[str, int]
    table: Sequence[tuple[int, ...]]
    start: int
    accepting: AbstractSet[int]

    @property
    def reads_beyond_ascii(self) -> bool:
        """True if the automaton has letters beyond ASCII."""
        return not all(map(str.isascii, self.classes))

    def accepts(self, text: str) -> bool:
        """Return True if the text is a member of the language."""
        length, state = self.longest_viable_prefix(text)
        return length == len(text) and state in self.accepting

    def longest_viable_prefix(self, text: str) -> Prefix:
        """Return the longest prefix of the text that can be extended to a member.

        If no prefix can be extended, return the empty prefix and the start state.
        """
        rows = self._rows
        state = self.start
        length = 0
        try:
            for length, character in enumerate(text):  # noqa: B007 - the handler returns it
                state = rows[state][character]
        except KeyError:  # the character leads to the sink, or it is read as another letter
            if stand_ins(text[length]) not in rows[state]:
                return Prefix(length, state)
        else:
            return Prefix(len(text), state)
        # a text of ASCII alone does not come here, so that none of them pays for the translation
        for offset, letter in enumerate(stand_ins(text[length:]), length):
            following = rows[state].get(letter)
            if following is None:
                return Prefix(offset, state)
            state = following
        return Prefix(len(text), state)

    def state_after(self, state: int, text: str) -> int:
        """Return the state to which a text leads from a state."""
        reached = state
        for char in stand_ins(text):
            kind = self.classes.get(char)
            if kind is None:
                return SINK
            reached = self.table[reached][kind]
        return reached

    def allowed(self, state: int) -> frozenset[str]:
        """Return the letters that lead from the state to a state other than the sink."""
        return frozenset(self._rows[state])

    @cached_property
    def _rows(self) -> tuple[dict[str, int], ...]:
        """The next states other than the sink, by state and letter."""
        return tuple(targets_by_letter(row, self.classes) for row in self.table)

    def shortest_member(self) -> str | None:
        """Return a shortest member, or None if the language is empty."""
        representatives: dict[int, str] = {}  # the first letter of each class
        for letter, number in self.classes.items():
            representatives.setdefault(number, letter)
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


def targets_by_letter(row: tuple[int, ...], classes: Mapping[str, int]) -> dict[str, int]:
    """Return the next states other than the sink by letter; `row` contains the next state for each class."""
    return {letter: row[kind] for letter, kind in classes.items() if row[kind] != SINK}


def determinize(
    positions: PositionAutomaton, *, fold_scheme: bool = False
) -> tuple[Automaton, tuple[int, ...]]:
    """Return the subset automaton of a rule, and for each state the bit set of positions that can come next.

    If `fold_scheme`, letters before the first colon are case-insensitive (R-1738-03).
    """
    subsets = Subsets(positions, fold_scheme=fold_scheme)
    table = []
    next_positions = []
    for number, (candidates, _, _) in enumerate(subsets.states):  # to which `row` adds the states it finds
        table.append(subsets.row(number))
        next_positions.append(candidates)
    automaton = Automaton(subsets.classes, tuple(table), subsets.start, frozenset(subsets.accepting))
    return automaton, tuple(next_positions)


class Subsets:
    """The states of a subset automaton that were found so far.

    The states are numbered in the order of discovery; state 0 is the sink.  A state consists of the positions
    that can come next and of two flags: whether it accepts, and whether the text read so far has no colon.
    """

    start = 1

    def __init__(self, positions: PositionAutomaton, *, fold_scheme: bool) -> None:
        characters = _character_classes(positions, fold_scheme=fold_scheme)
        self.classes = characters.classes
        self._masks = characters.masks
        self._folded = characters.folded_masks
        self._colon = self.classes.get(":", -1)
        self._follow = positions.follow
        self._last = positions.last
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
                following = self._unions[reached] = self._positions_after(reached)
            accepts = bool(reached & self._last)
            state = (following, accepts, before_colon and kind != self._colon)
            target = self._numbers.get(state)
            if target is None:
                target = self._numbers[state] = len(self.states)
                self.states.append(state)
                if accepts:
                    self.accepting.add(target)
            row.append(target)
        return tuple(row)

    def _positions_after(self, positions: int) -> int:
        """Return the bit set of the positions that can come next after any of the given ones."""
        following = 0
        for position in members(positions):
            following |= self._follow[position]
        return following


class LazyAutomaton:
    """The subset automaton of a rule, of which only the states are computed that a text reaches.

    A text reaches few states: all vectors of the corpus together reach a quarter of them.  Several threads
    may use one automaton.
    """

    def __init__(self, positions: PositionAutomaton, *, fold_scheme: bool) -> None:
        """`fold_scheme` is as in `determinize`."""
        self._subsets = Subsets(positions, fold_scheme=fold_scheme)
        #: The next states other than the sink, by state and letter.  A row is empty until it is computed.
        self._rows: list[dict[str, int]] = [{}, {}]
        self._computed = {SINK}
        self._computing = Lock()

    def accepts(self, text: str) -> bool:
        """Return True if the text is a member of the language."""
        length, state = self.longest_viable_prefix(text)
        return length == len(text) and state in self._subsets.accepting

    def longest_viable_prefix(self, text: str) -> Prefix:
        """Return the longest prefix of the text that can be extended to a member, as `Automaton` does."""
        rows = self._rows
        state = Subsets.start
        length = 0
        letters = text  # a text of ASCII alone is not translated
        remaining = enumerate(text)
        while True:
            try:
                for length, letter in remaining:  # noqa: B007 - the handler needs it
                    state = rows[state][letter]
                return Prefix(len(text), state)
            except KeyError:
                # the letter leads to the sink, or the row has not been computed, or it is a character that is
                # read as another letter
                following = self._row(state).get(stand_ins(letters[length]))
            if following is None:
                return Prefix(length, state)
            state = following
            if letters is text and not letter.isascii():
                letters = stand_ins(text)
                remaining = enumerate(islice(letters, length + 1, None), length + 1)

    def allowed(self, state: int) -> frozenset[str]:
        """Return the letters that lead from the state to a state other than the sink."""
        return frozenset(self._row(state))

    def candidates(self, state: int) -> int:
        """Return the bit set of the positions that can come next in a state."""
        candidates, _, _ = self._subsets.states[state]
        return candidates

    def compute(self) -> None:
        """Compute all states."""
        for state, _ in enumerate(self._rows):  # which grow in the loop
            self._row(state)

    def _row(self, state: int) -> dict[str, int]:
        """Return the row of a state, which is computed if it has not been."""
        if state in self._computed:
            return self._rows[state]
        with self._computing:  # two threads would give two numbers to one state
            row = targets_by_letter(self._subsets.row(state), self._subsets.classes)
            # readers take no lock and may hold the list: it grows in place before the row is in it
            self._rows += [{} for _ in range(len(self._rows), len(self._subsets.states))]
            self._rows[state] = row
            self._computed.add(state)
        return row


def minimize(automaton: Automaton) -> Automaton:
    """Return the minimal automaton of the same language (Moore's partition refinement)."""
    blocks = _equivalent_states(automaton)

    representatives: dict[int, int] = {}
    for state, block in enumerate(blocks):
        representatives.setdefault(block, state)

    table = []
    for block in range(len(representatives)):
        targets = automaton.table[representatives[block]]
        table.append(tuple(blocks[target] for target in targets))
    start = blocks[automaton.start]
    accepting = frozenset(blocks[state] for state in automaton.accepting)
    return Automaton(automaton.classes, tuple(table), start, accepting)


def _equivalent_states(automaton: Automaton) -> list[int]:
    """Return the number of the block of each state; the states of a block are equivalent.

    At first a block contains the states that accept, and another those that do not.  A block is divided until
    each class leads all of its states to one block.
    """
    table = automaton.table
    blocks = [int(state in automaton.accepting) for state in range(len(table))]
    # For each state a function that returns the blocks of its targets: an itemgetter is faster than a loop.
    # SINK is added twice, because an itemgetter with a single index does not return a tuple.
    readers: list[Callable[[list[int]], object]] = [itemgetter(*row, SINK, SINK) for row in table]
    count = len(set(blocks))
    while True:
        signatures: dict[object, int] = {}
        divided = []
        for block, targets in zip(blocks, readers, strict=True):
            signature = (block, targets(blocks))
            divided.append(signatures.setdefault(signature, len(signatures)))
        if len(signatures) == count:
            return divided
        blocks = divided
        count = len(signatures)


def product(left: Automaton, right: Automaton, accept: Callable[[bool, bool], bool]) -> Automaton:
    """Return an automaton that accepts a text if `accept(left accepts it, right accepts it)` is true.

    The automaton need not be minimal.
    """
    classes, pairs_of_classes = _common_classes(left, right)
    sinks = (SINK, SINK)
    start = (left.start, right.start)
    numbers = {sinks: SINK, start: 1}
    queue = [sinks, start]
    table = []
    for left_state, right_state in queue:  # which grows in the loop
        row = []
        for left_class, right_class in pairs_of_classes:
            left_target = left.table[left_state][left_class] if left_class != _ABSENT else SINK
            right_target = right.table[right_state][right_class] if right_class != _ABSENT else SINK
            target = (left_target, right_target)
            if target not in numbers:
                numbers[target] = len(queue)
                queue.append(target)
            row.append(numbers[target])
        table.append(tuple(row))

    accepting = set()
    for number, (left_state, right_state) in enumerate(queue):
        if accept(left_state in left.accepting, right_state in right.accepting):
            accepting.add(number)
    return Automaton(classes, table, numbers[start], frozenset(accepting))


def _common_classes(left: Automaton, right: Automaton) -> tuple[dict[str, int], list[tuple[int, int]]]:
    """Return the class of each letter in a product, and the pair of classes for which each class stands.

    The letters of a class have one class in the left automaton and one in the right.  One of the two can be
    _ABSENT.
    """
    pairs = {}
    for letter in ALPHABET:
        pair = (left.classes.get(letter, _ABSENT), right.classes.get(letter, _ABSENT))
        if pair != (_ABSENT, _ABSENT):
            pairs[letter] = pair
    ordered = sorted(set(pairs.values()))
    numbers = {pair: number for number, pair in enumerate(ordered)}
    classes = {letter: numbers[pair] for letter, pair in pairs.items()}
    return classes, ordered


def difference(left: Automaton, right: Automaton) -> Automaton:
    """Return the automaton of the left language without the members of the right language."""
    return product(left, right, lambda in_left, in_right: in_left and not in_right)


def union(left: Automaton, right: Automaton) -> Automaton:
    """Return the automaton of the union of both languages."""
    return product(left, right, lambda in_left, in_right: in_left or in_right)


class _CharacterClasses(NamedTuple):
    """The classes of the letters that positions read.

    `classes` maps letters to classes: those of the alphabet and, if positions read others, such as a part of
    a range, those too.  `masks` contains, for each class, the positions that read its letters.
    `folded_masks` contains those that read them inside the scheme, where letters can be case-insensitive; a
    letter beyond ASCII is a range, which has no case.
    """

    classes: dict[str, int]
    masks: list[int]
    folded_masks: list[int]


def _character_classes(positions: PositionAutomaton, *, fold_scheme: bool) -> _CharacterClasses:
    """Return the classes of the letters; a letter that no position reads has none."""
    bits = dict.fromkeys(ALPHABET, 0)
    for number, position in enumerate(positions.positions):
        for char in position.members:
            bits[char] = bits.get(char, 0) | 1 << number
    kinds: dict[tuple[int, int, bool], int] = {}
    classes: dict[str, int] = {}
    for char, mask in bits.items():
        folded = bits.get(char.lower(), mask) if fold_scheme else mask
        if mask or folded:
            # the colon gets a class of its own, by which `Subsets.row` recognizes the end of the scheme
            kind = (mask, folded, fold_scheme and char == ":")
            classes[char] = kinds.setdefault(kind, len(kinds))
    masks = [mask for mask, _, _ in kinds]
    folded_masks = [folded for _, folded, _ in kinds]
    return _CharacterClasses(classes, masks, folded_masks)
