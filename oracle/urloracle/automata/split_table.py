"""Split tables: a transducer that finds, in one pass, where each component of a text begins and ends.

A table is the DFA of a rule whose transitions also store the current position in one slot.  A pass over a
text of `n` characters (or bytes, if the rule derives only texts of ASCII) is

    slots = [-1] * table.slots
    state = table.start
    for position, character in enumerate(text):
        kind = table.classes[character]               # 0 for a character that no text of the rule contains
        slots[table.stores[state][kind]] = position   # one store each time; DISCARD is never read
        state = table.table[state][kind]              # SINK is never left
    slots[END] = n

The text is valid if `table.finals[state]` is not empty. This entry lists two slots for each component, in the
order of `components`. The second slot contains the end of the component, or -1 if the component is absent.
The value of the first slot plus the component's entry in `offsets` (0 or 1) is the beginning of the
component. Delimiters do not belong to a component.

A character beyond ASCII has the class that `beyond` lists for its range (see `grammar.alphabet`), or class 0.

For RFC 1738 the caller chooses the table by the scheme, and divides `fieldspecs` of prospero into fields.
Each state of the table combines a state of the tagged DFA with a record of which slot contains the position
of each tag. Therefore a transition only stores a position, and never copies slots. If a text is ambiguous,
the table prefers the same reading as the `re` patterns: alternatives in the printed order, repetitions as
long as possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, count
from typing import NamedTuple

from urloracle.automata.dfa import SINK
from urloracle.automata.tagged import (
    START,
    Origin,
    TaggedDFA,
    TaggedNFA,
    TaggedTransition,
    tagged_dfa,
    tagged_nfa,
)
from urloracle.grammar.alphabet import RANGES, range_index
from urloracle.grammar.expression import Expression

#: The slots of every table.  The slots from NOTED on contain stored positions.
DISCARD, END, NOTED = range(3)
_UNKNOWN = 0  # instead of a slot: the tag will not be read
_NOW = -1  # instead of a slot: the current position

#: The slot of each tag.
_Slots = tuple[int, ...]


@dataclass(frozen=True)
class SplitTable:
    """A table that splits the texts of a rule.  The docstring of the module says how to run it.

    `classes` maps each of 256 characters to its class, and `beyond` lists the classes of the ranges beyond
    ASCII.  `table[state][class]` is the next state, `stores[state][class]` the slot to write.
    `finals[state]` is empty or lists two slots for each component.  `offsets` lists the number, 0 or 1, to
    add to the beginning of each component.  `slots` is the number of slots.
    """

    components: tuple[str, ...]
    classes: tuple[int, ...]
    table: tuple[tuple[int, ...], ...]
    stores: tuple[tuple[int, ...], ...]
    finals: tuple[tuple[int, ...], ...]
    offsets: tuple[int, ...]
    start: int
    slots: int
    beyond: tuple[int, ...] = (0,) * len(RANGES)

    def spans(self, text: str) -> tuple[tuple[int, int] | None, ...] | None:
        """Return the pair (begin, end) of each component, or None if the text is invalid.

        An absent component has None in place of the pair.
        """
        slots = [-1] * self.slots
        state = self.start
        for position, character in enumerate(text):
            kind = self.classes[ord(character)] if character.isascii() else self._kind_beyond(character)
            slots[self.stores[state][kind]] = position
            state = self.table[state][kind]
        slots[END] = len(text)
        final = self.finals[state]
        if not final:
            return None
        spans: list[tuple[int, int] | None] = []
        for opening, closing, offset in zip(final[::2], final[1::2], self.offsets, strict=True):
            begin = slots[opening] + offset
            end = slots[closing]
            spans.append((begin, end) if end >= 0 else None)
        return tuple(spans)

    def kind_of(self, character: str) -> int:
        """Return the class of a character."""
        return self.classes[ord(character)] if character.isascii() else self._kind_beyond(character)

    def _kind_beyond(self, character: str) -> int:
        """Return the class of a character beyond ASCII."""
        index = range_index(ord(character))
        return 0 if index is None else self.beyond[index]

    def split(self, text: str) -> tuple[str | None, ...] | None:
        """Return the text of each component, or None if the text is invalid.

        An absent component has None in place of its text.
        """
        spans = self.spans(text)
        if spans is None:
            return None
        return tuple(None if span is None else text[slice(*span)] for span in spans)


def build_split_table(components: tuple[str, ...], expression: Expression) -> SplitTable:
    """Return the split table of an expression whose captures have the names of the components.

    The expression must not contain references.
    """
    automaton = tagged_nfa(expression, components)
    stored_tags = frozenset(range(2 * len(components))) - automaton.same.keys()
    readings = tagged_dfa(automaton, stored_tags)
    return _minimized(_Builder(components, automaton, readings).table())


class _State(NamedTuple):
    """A state of the table: a state of the tagged DFA, and for each of its readings the slots of the tags."""

    state: int
    stored: tuple[_Slots, ...]


@dataclass
class _Builder:
    """Builds a split table from the tagged automata of a rule."""

    components: tuple[str, ...]
    automaton: TaggedNFA
    readings: TaggedDFA

    def table(self) -> SplitTable:
        """Return the table, with a state for each combination that some text leads to."""
        unset = tuple(_reserved(tag) for tag in range(2 * len(self.components)))
        first = _State(START, (self._without_unread(START, 0, unset),))
        numbers = {_State(SINK, ()): SINK, first: START}
        queue = list(numbers)
        table = []
        stores = []
        for state in queue:  # which grows in the loop
            targets = []
            slots = []
            for transition in self.readings.transitions[state.state]:
                following, slot = self._step(state, transition)
                if following not in numbers:
                    numbers[following] = len(queue)
                    queue.append(following)
                targets.append(numbers[following])
                slots.append(slot)
            table.append(tuple(targets))
            stores.append(tuple(slots))
        finals = [tuple(self._final_slots(state)) for state in queue]
        openings = [self._stored_tag(tag) for tag in range(0, len(unset), 2)]
        offsets = [int(tag in self.automaton.eager) for tag in openings]
        return SplitTable(
            components=self.components,
            classes=self.automaton.classes,
            table=tuple(table),
            stores=tuple(stores),
            finals=tuple(finals),
            offsets=tuple(offsets),
            start=START,
            slots=0,  # `_minimized` counts them
            beyond=self.automaton.beyond,
        )

    def _step(self, state: _State, transition: TaggedTransition) -> tuple[_State, int]:
        """Return the state after a transition, and the slot in which the transition stores the position."""
        target = transition.target
        readings = []
        for number, origin in enumerate(transition.origins):
            slots = _slots_after(state.stored, origin, _NOW)
            readings.append(self._without_unread(target, number, slots))
        free = _free_slot(readings)
        placed = [tuple(free if slot == _NOW else slot for slot in slots) for slots in readings]
        return _State(target, tuple(placed)), free

    def _without_unread(self, state: int, reading: int, slots: _Slots) -> _Slots:
        """Return the slots of a reading, with _UNKNOWN for each tag whose slot will not be read.

        These are the tags that are not needed, and the opening tags that are not yet passed.
        """
        needed = self.readings.needed[state][reading]
        passed = self.readings.passed[state][reading]
        remembered = []
        for tag, slot in enumerate(slots):
            opens_later = tag % 2 == 0 and tag not in passed
            if tag not in needed or opens_later:
                remembered.append(_UNKNOWN)
            else:
                remembered.append(slot or _reserved(tag))  # _UNKNOWN is 0: the tag was not passed
        return tuple(remembered)

    def _final_slots(self, state: _State) -> Iterator[int]:
        """Yield two slots for each component, or nothing if no text ends in the state."""
        origin = self.readings.ends[state.state]
        if origin is None:
            return
        slots = _slots_after(state.stored, origin, END)
        for tag in map(self._stored_tag, range(len(slots))):
            yield slots[tag] or _reserved(tag)  # _UNKNOWN is 0: the tag was not passed

    def _stored_tag(self, tag: int) -> int:
        """Return the tag itself, or the tag that always has the same position and is stored instead."""
        return self.automaton.same.get(tag, tag)


def _reserved(tag: int) -> int:
    """Return the slot that is reserved for a tag.

    That of a closing tag contains -1 while its component is absent. That of an opening tag may contain any
    position until then (see `_free_slot`).
    """
    return NOTED + tag


def _slots_after(stored: tuple[_Slots, ...], origin: Origin, slot: int) -> _Slots:
    """Return the slots of the reading that continues another one: its new tags are in `slot`."""
    slots = stored[origin.reading]
    return tuple(slot if tag in origin.tags else old for tag, old in enumerate(slots))


def _free_slot(readings: list[_Slots]) -> int:
    """Return a slot that no reading needs, in which the current position can be stored.

    Return DISCARD if no reading stores the position.  The reserved slots of opening tags are tried first,
    because nothing reads them while their components are absent.
    """
    new_tags = set[int]()
    used = set[int]()
    for slots in readings:
        used.update(slots)
        new_tags.update(tag for tag, slot in enumerate(slots) if slot == _NOW)
    if not new_tags:
        return DISCARD
    opening_first = sorted(new_tags, key=lambda tag: (tag % 2, tag))
    unreserved = count(_reserved(len(readings[0])))
    candidates = chain(map(_reserved, opening_first), unreserved)
    return next(slot for slot in candidates if slot not in used)


def _minimized(table: SplitTable) -> SplitTable:
    """Return the table with equivalent states (Moore) and classes merged, and slots renumbered."""
    blocks = _blocks(table)
    states = _first_indexes(blocks)  # one of each block
    class_count = len(table.table[0])
    kinds = _number_by_first_occurrence(_column(table, blocks, states, kind) for kind in range(class_count))
    columns = _first_indexes(kinds)
    used = {DISCARD, END}
    for state in states:
        used.update(table.stores[state], table.finals[state])
    number = {slot: position for position, slot in enumerate(sorted(used))}

    rows = []
    stores = []
    finals = []
    for state in states:
        targets = table.table[state]
        slots = table.stores[state]
        rows.append(tuple(blocks[targets[kind]] for kind in columns))
        stores.append(tuple(number[slots[kind]] for kind in columns))
        finals.append(tuple(number[slot] for slot in table.finals[state]))
    return SplitTable(
        components=table.components,
        classes=tuple(kinds[kind] for kind in table.classes),
        table=tuple(rows),
        stores=tuple(stores),
        finals=tuple(finals),
        offsets=table.offsets,
        start=blocks[table.start],
        slots=len(number),
        beyond=tuple(kinds[kind] for kind in table.beyond),
    )


def _blocks(table: SplitTable) -> list[int]:
    """Return the number of the block of each state; states of one block are equivalent.

    At first, states with equal finals share a block.  A block is split as long as two of its states lead to
    different blocks or store in different slots.
    """
    blocks = _number_by_first_occurrence(table.finals)
    while True:
        signatures = []
        for block, targets, slots in zip(blocks, table.table, table.stores, strict=True):
            blocks_of_targets = tuple(blocks[target] for target in targets)
            signatures.append((block, blocks_of_targets, slots))
        refined = _number_by_first_occurrence(signatures)
        if max(refined) == max(blocks):
            return blocks
        blocks = refined


def _column(
    table: SplitTable, blocks: list[int], states: list[int], kind: int
) -> tuple[tuple[int, int], ...]:
    """Return what a class does in each of the states: the block to which it leads, and the slot."""
    column = []
    for state in states:
        target = table.table[state][kind]
        column.append((blocks[target], table.stores[state][kind]))
    return tuple(column)


def _first_indexes(numbers: Iterable[int]) -> list[int]:
    """Return, for each number from 0, the index of its first occurrence."""
    indexes: dict[int, int] = {}
    for index, number in enumerate(numbers):
        indexes.setdefault(number, index)
    return [indexes[number] for number in range(len(indexes))]


def _number_by_first_occurrence(keys: Iterable[object]) -> list[int]:
    """Number the keys by first occurrence; equal keys have equal numbers."""
    numbers: dict[object, int] = {}
    return [numbers.setdefault(key, len(numbers)) for key in keys]
