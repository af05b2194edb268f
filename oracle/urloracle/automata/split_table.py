"""Split tables: an automaton that notes, in one pass, where each component of a text begins and ends.

A table is the automaton of a rule whose transitions also store the position of the character they read into
one slot.  A pass over a text of `n` characters (or octets: the texts of a rule are ASCII) is

    slots = [-1] * table.slots
    state = table.start
    for position, character in enumerate(text):
        kind = table.classes[character]               # 0 for what stands in no text of the rule
        slots[table.stores[state][kind]] = position   # one store for each; DISCARD takes what is not noted
        state = table.table[state][kind]              # SINK is never left
    slots[END] = n

The text is valid where `table.finals[state]` is not empty: it then has two slots for each component, in the
order of `components`.  The second one holds the end of the component, and -1 where it is absent; what the
first one holds, plus the component's number of `offsets` (0 or 1), is the beginning of one that is present.
Delimiters belong to no component.

The caller has to do two things more, both for RFC 1738: choose the table by the scheme, and cut the one
component `fieldspecs` of prospero into fields.

The construction is that of tagged automata (Laurikari 2000).  A text may have several readings; a state knows
where each stands and in which slots it has noted its brackets.  The order of the readings is that of
backtracking, which the pattern of a rule has as well: alternatives in the order of print, repetitions as long
as may be.  No slot is ever copied to another, since a state also knows which slot a reading uses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, count

from urloracle.automata.dfa import SINK
from urloracle.automata.tagged_dfa import START, Origin, Preference, preference
from urloracle.automata.tagged_nfa import OrderedAutomaton, ordered_automaton
from urloracle.grammar.expression import Expression

#: The slots of every table; those from NOTED on hold positions that a pass has noted.
DISCARD, END, NOTED = range(3)


_UNKNOWN = 0  # in place of a slot: it is not going to be read


_NOW = -1  # in place of a slot: the position of the character that is being read


#: The slot of each bracket: of the opening one of a component, then of its closing one, and so on.
_Slots = tuple[int, ...]


@dataclass(frozen=True)
class SplitTable:
    """A deterministic table that splits the texts of a rule; see the module for what a pass does with it.

    `classes` has the class of each of 256 characters; `table` the next state and `stores` the slot, both by
    state and class; `finals` by state two slots for each component, or nothing; `offsets` by component what
    is added to its beginning; `slots` is the number of slots.
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
        """Beginning and end of each component, None where it is absent; None for an invalid text."""
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
        """The text of each component, None where it is absent; None altogether for an invalid text."""
        spans = self.spans(text)
        return None if spans is None else tuple(span and text[slice(*span)] for span in spans)


def table_of(components: tuple[str, ...], expression: Expression) -> SplitTable:
    """The table of an expression without references whose captures bear the names of the components."""
    automaton = ordered_automaton(expression, components)
    asked = frozenset(range(2 * len(components))) - automaton.same.keys()
    return _smaller(_Notes(components, automaton, preference(automaton, asked)).table())


@dataclass
class _Notes:
    """The states of a preference, told apart by the slots in which each reading has noted its brackets."""

    components: tuple[str, ...]
    automaton: OrderedAutomaton
    preference: Preference

    def table(self) -> SplitTable:
        unnoted = tuple(_own(bracket) for bracket in range(2 * len(self.components)))
        first = (START, (self._read_later(START, 0, unnoted),))
        numbers: dict[tuple[int, tuple[_Slots, ...]], int] = {(SINK, ()): SINK, first: START}
        queue, table, stores = list(numbers), [], []
        for state, noted in queue:
            row, slots = [], []
            for target, origins in self.preference.steps[state]:
                after = [
                    self._read_later(target, number, _note(noted, origin, _NOW))
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
        openings = [self.automaton.same.get(b, b) for b in range(0, len(unnoted), 2)]
        return SplitTable(
            self.components,
            self.automaton.classes,
            tuple(table),
            tuple(stores),
            tuple(tuple(self._final(*state)) for state in queue),
            tuple(int(bracket in self.automaton.eager) for bracket in openings),
            START,
            0,
        )

    def _read_later(self, state: int, reading: int, slots: _Slots) -> _Slots:
        """The slots of the brackets that the reading is asked for at some end.

        The beginning of a component that is absent is never asked for; it may as well be in the slot of that
        name, which is where it is when the component is present.
        """
        needed = self.preference.needed[state][reading]
        passed = self.preference.passed[state][reading]
        return tuple(
            _UNKNOWN
            if bracket not in needed or (bracket % 2 == 0 and bracket not in passed)
            else slot or _own(bracket)
            for bracket, slot in enumerate(slots)
        )

    def _final(self, state: int, noted: tuple[_Slots, ...]) -> Iterator[int]:
        origin = self.preference.ends[state]
        if origin is None:
            return
        slots = _note(noted, origin, END)
        for bracket in range(len(slots)):
            one = self.automaton.same.get(bracket, bracket)
            yield slots[one] or _own(one)


def _own(bracket: int) -> int:
    """The slot of the bracket's name: it keeps -1, which says absent, as long as some reading needs that."""
    return NOTED + bracket


def _note(noted: tuple[_Slots, ...], origin: Origin, slot: int) -> _Slots:
    """The slots of a reading that passes brackets."""
    slots = noted[origin.reading]
    return tuple(slot if bracket in origin.brackets else old for bracket, old in enumerate(slots))


def _free_slot(readings: list[_Slots]) -> int:
    """A slot for the position just noted that no reading needs: that of a bracket noted, where it is free.

    Opening brackets come first: nothing needs their slots while their components are absent.
    """
    now = {bracket for slots in readings for bracket, slot in enumerate(slots) if slot == _NOW}
    if not now:
        return DISCARD
    taken = {slot for slots in readings for slot in slots}
    own = map(_own, sorted(now, key=lambda bracket: (bracket % 2, bracket)))
    return next(slot for slot in chain(own, count(_own(len(readings[0])))) if slot not in taken)


def _smaller(made: SplitTable) -> SplitTable:
    """The table with states merged that do the same for ever (Moore), and classes; slots numbered anew."""
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
    """For each number the place where it occurs first."""
    places: dict[int, int] = {}
    for place, number in enumerate(numbers):
        places.setdefault(number, place)
    return [places[number] for number in range(len(places))]


def _numbered(items: Iterable[object]) -> list[int]:
    """The number of each item among the different ones, in the order in which they occur."""
    numbers: dict[object, int] = {}
    return [numbers.setdefault(item, len(numbers)) for item in items]
