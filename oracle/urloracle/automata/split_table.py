"""Split tables: a transducer that finds, in one pass, where each component of a text begins and ends.

A table is the DFA of a rule whose transitions also store the current position in one slot.  A pass over a
text of `n` characters (or bytes: the texts of a rule are ASCII) is

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

from urloracle.automata.dfa import SINK
from urloracle.automata.tagged import START, Origin, TaggedDFA, TaggedNFA, tagged_dfa, tagged_nfa
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

    `classes` maps each of 256 characters to its class.  `table[state][class]` is the next state,
    `stores[state][class]` the slot to write.  `finals[state]` is empty or lists two slots for each component.
    `offsets` lists the number, 0 or 1, to add to the beginning of each component.  `slots` is the number of
    slots.
    """

    components: tuple[str, ...]
    classes: tuple[int, ...]
    table: tuple[tuple[int, ...], ...]
    stores: tuple[tuple[int, ...], ...]
    finals: tuple[tuple[int, ...], ...]
    offsets: tuple[int, ...]
    start: int
    slots: int

    def spans(self, text: str) -> tuple[tuple[int, int] | None, ...] | None:
        """Return the pair (begin, end) of each component, or None if the text is invalid.

        An absent component has None in place of the pair.
        """
        slots, state = [-1] * self.slots, self.start
        for position, character in enumerate(text):
            code = ord(character)
            kind = self.classes[code] if code < len(self.classes) else 0
            slots[self.stores[state][kind]] = position
            state = self.table[state][kind]
        slots[END] = len(text)
        final = self.finals[state]
        if not final:
            return None
        pairs = zip(final[::2], final[1::2], self.offsets, strict=True)
        return tuple((slots[a] + offset, slots[b]) if slots[b] >= 0 else None for a, b, offset in pairs)

    def split(self, text: str) -> tuple[str | None, ...] | None:
        """Return the text of each component, or None if the text is invalid.

        An absent component has None in place of its text.
        """
        spans = self.spans(text)
        return None if spans is None else tuple(span and text[slice(*span)] for span in spans)


def build_split_table(components: tuple[str, ...], expression: Expression) -> SplitTable:
    """Return the split table of an expression whose captures have the names of the components.

    The expression must not contain references.
    """
    automaton = tagged_nfa(expression, components)
    asked = frozenset(range(2 * len(components))) - automaton.same.keys()
    return _minimized(_Builder(components, automaton, tagged_dfa(automaton, asked)).table())


@dataclass
class _Builder:
    """Builds a split table.

    A state is a pair: a state of the tagged DFA, and for each of its readings the slots of the tags.
    """

    components: tuple[str, ...]
    automaton: TaggedNFA
    readings: TaggedDFA

    def table(self) -> SplitTable:
        unset = tuple(_own(tag) for tag in range(2 * len(self.components)))
        first = (START, (self._read_later(START, 0, unset),))
        numbers: dict[tuple[int, tuple[_Slots, ...]], int] = {(SINK, ()): SINK, first: START}
        queue, table, stores = list(numbers), [], []
        for state, stored in queue:
            row, slots = [], []
            for target, origins in self.readings.transitions[state]:
                after = [
                    self._read_later(target, number, _store(stored, origin, _NOW))
                    for number, origin in enumerate(origins)
                ]
                slot = _free_slot(after)
                placed = tuple(tuple(slot if s == _NOW else s for s in one) for one in after)
                if (target, placed) not in numbers:
                    numbers[target, placed] = len(queue)
                    queue.append((target, placed))
                row.append(numbers[target, placed])
                slots.append(slot)
            table.append(tuple(row))
            stores.append(tuple(slots))
        openings = [self.automaton.same.get(b, b) for b in range(0, len(unset), 2)]
        return SplitTable(
            self.components,
            self.automaton.classes,
            tuple(table),
            tuple(stores),
            tuple(tuple(self._final(*state)) for state in queue),
            tuple(int(tag in self.automaton.eager) for tag in openings),
            START,
            0,
        )

    def _read_later(self, state: int, reading: int, slots: _Slots) -> _Slots:
        """Return the slots of a reading, with _UNKNOWN for each tag whose slot will not be read.

        These are the tags that are not needed, and the opening tags that are not yet passed.
        """
        needed = self.readings.needed[state][reading]
        passed = self.readings.passed[state][reading]
        return tuple(
            _UNKNOWN if tag not in needed or (tag % 2 == 0 and tag not in passed) else slot or _own(tag)
            for tag, slot in enumerate(slots)
        )

    def _final(self, state: int, stored: tuple[_Slots, ...]) -> Iterator[int]:
        origin = self.readings.ends[state]
        if origin is None:
            return
        slots = _store(stored, origin, END)
        for tag in range(len(slots)):
            one = self.automaton.same.get(tag, tag)
            yield slots[one] or _own(one)


def _own(tag: int) -> int:
    """Return the slot that is reserved for a tag.

    This slot contains -1 as long as the component of the tag may be absent.
    """
    return NOTED + tag


def _store(stored: tuple[_Slots, ...], origin: Origin, slot: int) -> _Slots:
    slots = stored[origin.reading]
    return tuple(slot if tag in origin.tags else old for tag, old in enumerate(slots))


def _free_slot(readings: list[_Slots]) -> int:
    """Return a slot that no reading needs, in which the current position can be stored.

    Return DISCARD if no reading stores the position.  The reserved slots of opening tags are tried first,
    because nothing reads them while their components are absent.
    """
    now = {tag for slots in readings for tag, slot in enumerate(slots) if slot == _NOW}
    if not now:
        return DISCARD
    taken = {slot for slots in readings for slot in slots}
    own = map(_own, sorted(now, key=lambda tag: (tag % 2, tag)))
    return next(slot for slot in chain(own, count(_own(len(readings[0])))) if slot not in taken)


def _minimized(made: SplitTable) -> SplitTable:
    """Return the table with equivalent states (Moore) and classes merged, and slots renumbered."""
    blocks = _numbered(made.finals)
    while True:
        refined = _numbered(
            (block, tuple(blocks[following] for following in row), slots)
            for block, row, slots in zip(blocks, made.table, made.stores, strict=True)
        )
        if max(refined) == max(blocks):
            break
        blocks = refined
    states = _first(blocks)
    kinds = _numbered(
        tuple((blocks[made.table[state][kind]], made.stores[state][kind]) for state in states)
        for kind in range(len(made.table[0]))
    )
    columns = _first(kinds)
    used = {slot for state in states for slot in (*made.stores[state], *made.finals[state])}
    name = {slot: number for number, slot in enumerate(sorted(used | {DISCARD, END}))}
    return SplitTable(
        made.components,
        tuple(kinds[kind] for kind in made.classes),
        tuple(tuple(blocks[made.table[state][kind]] for kind in columns) for state in states),
        tuple(tuple(name[made.stores[state][kind]] for kind in columns) for state in states),
        tuple(tuple(name[slot] for slot in made.finals[state]) for state in states),
        made.offsets,
        blocks[made.start],
        len(name),
    )


def _first(numbers: Iterable[int]) -> list[int]:
    """Return, for each number from 0, the index of its first occurrence."""
    places = {number: place for place, number in reversed(list(enumerate(numbers)))}
    return [places[number] for number in range(len(places))]


def _numbered(items: Iterable[object]) -> list[int]:
    """Number the items by first occurrence; equal items have equal numbers."""
    numbers: dict[object, int] = {}
    return [numbers.setdefault(item, len(numbers)) for item in items]
