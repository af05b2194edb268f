"""Packed tables: the automaton and the split table of one rule as bytes, which the C engine runs in place.

The layout is written here and read by `_native.c`.  All numbers have the byte order of the machine.

    header     8 x uint32: MAGIC, states, start, split states, split start, components, slots, size in bytes
    classes    256 x uint8: the class of each byte in the automaton
    classes    256 x uint8: the class of each byte in the split table
    states     of the automaton, then of the split table: each 32 cells, one for each class, of 2 x uint32:
               next state << 8 | slot to write (DISCARD in the automaton), LOOPS of the next state
    accepting  for each state of the automaton one uint8: 1 if it accepts, otherwise 0
    finals     for each state of the split table 17 x uint8: 1 if a text can end there, otherwise 0; then the
               slots of begin and end of each component
    offsets    8 x uint8: what to add to the beginning of each component

LOOPS is a uint32 with one bit per class.  A bit is set if the class leads from the state to itself and the
slot is DISCARD: the engine skips runs of such characters.  Class 0 leads from every state to the sink.  The
sink is state 0, and its LOOPS is 0.  Byte 0 and all bytes above 127 have class 0.  A rule without components
has no split states.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from itertools import compress
from typing import NamedTuple

from urloracle.automata.dfa import SINK, Automaton
from urloracle.automata.split_table import DISCARD, SplitTable

#: The number of this layout: a changed layout needs another number.
MAGIC = 0x55524C32
CLASSES = 32
COMPONENTS = 8
_BYTES = 256
_HEADER = struct.Struct("=8I")
_STATE = struct.Struct(f"={2 * CLASSES}I")
_FINALS = 1 + 2 * COMPONENTS

#: `cells[state][class]` is the pair (next state, slot).
Cells = Sequence[Sequence[tuple[int, int]]]


def pack(automaton: Automaton, split: SplitTable | None = None) -> bytes:
    """Return the packed table of a rule.  Raise ValueError if the layout has no room for it."""
    class_of_byte = [automaton.classes.get(chr(byte)) for byte in range(_BYTES)]
    cells = [[(target, DISCARD) for target in row] for row in automaton.table]
    count = len(cells)
    classes, states = _pack_states(class_of_byte, cells)
    accepting = bytes(state in automaton.accepting for state in range(count))
    part = _SplitPart() if split is None else _pack_split_table(split)
    offsets = part.offsets.ljust(COMPONENTS, b"\0")
    body = b"".join((classes, part.classes, states, part.states, accepting, part.finals, offsets))
    size = _HEADER.size + len(body)
    split_header = (part.state_count, part.start, part.width, part.slots)
    return _HEADER.pack(MAGIC, count, automaton.start, *split_header, size) + body


class _SplitPart(NamedTuple):
    """The part of a split table that a packed table contains: none if the rule has no components."""

    state_count: int = 0
    start: int = 0
    width: int = 0
    slots: int = 0
    classes: bytes = bytes(_BYTES)
    states: bytes = b""
    finals: bytes = b""
    offsets: bytes = b""


def _pack_split_table(split: SplitTable) -> _SplitPart:
    """Return the parts of a packed split table.  Raise ValueError if the layout has no room for it."""
    width = len(split.components)
    if width > COMPONENTS:
        raise ValueError(f"{width} components; there is room for {COMPONENTS}")
    cells = []
    for targets, slots in zip(split.table, split.stores, strict=True):
        cells.append(list(zip(targets, slots, strict=True)))
    classes, states = _pack_states(split.classes, cells)
    finals = []
    for final in split.finals:
        can_end = bool(final)
        finals.append(bytes((can_end, *final)).ljust(_FINALS, b"\0"))
    return _SplitPart(
        state_count=len(cells),
        start=split.start,
        width=width,
        slots=split.slots,
        classes=classes,
        states=states,
        finals=b"".join(finals),
        offsets=bytes(split.offsets),
    )


def unpack(packed: bytes, components: tuple[str, ...] = ()) -> tuple[Automaton, SplitTable | None]:
    """Return the automaton and the split table of a packed table; the split table is None if there is none.

    Classes that `pack` has merged stay merged.  `components` are the names for the split table.
    """
    _, count, start, split_count, split_start, width, slots, _ = _HEADER.unpack_from(packed)
    body = _Cursor(packed, _HEADER.size)
    # the parts are taken in the order of the layout
    classes = body.take(_BYTES)
    split_classes = body.take(_BYTES)
    states = body.take(count * _STATE.size)
    split_states = body.take(split_count * _STATE.size)
    verdicts = body.take(count)
    finals = [body.take(_FINALS) for _ in range(split_count)]
    offsets = body.take(width)

    class_of = {chr(byte): kind for byte, kind in enumerate(classes) if kind}
    table = [_targets(row) for row in _unpack_cells(states)]
    accepting = frozenset(compress(range(count), verdicts))
    automaton = Automaton(class_of, table, start, accepting)
    if not split_count:
        return automaton, None
    cells = _unpack_cells(split_states)
    split = SplitTable(
        components=components,
        classes=tuple(split_classes),
        table=tuple(map(_targets, cells)),
        stores=tuple(map(_slots, cells)),
        finals=tuple(_final_slots(final, width) for final in finals),
        offsets=tuple(offsets),
        start=split_start,
        slots=slots,
    )
    return automaton, split


class _Cursor:
    """Reads the parts of a packed table one after the other."""

    def __init__(self, packed: bytes, position: int) -> None:
        self._packed = packed
        self._position = position

    def take(self, size: int) -> bytes:
        begin = self._position
        self._position += size
        return self._packed[begin : self._position]


def _targets(row: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    return tuple(target for target, _ in row)


def _slots(row: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    return tuple(slot for _, slot in row)


def _final_slots(final: bytes, width: int) -> tuple[int, ...]:
    """Return two slots for each component, or none if no text ends in the state."""
    can_end = final[0]
    if not can_end:
        return ()
    return tuple(final[1 : 1 + 2 * width])


def _unpack_cells(states: bytes) -> list[list[tuple[int, int]]]:
    """Return the pairs (next state, slot) of packed states, without the LOOPS."""
    rows = _STATE.iter_unpack(states)
    return [[(cell >> 8, cell & 0xFF) for cell in row[::2]] for row in rows]


def _pack_states(by_byte: Sequence[int | None], cells: Cells) -> tuple[bytes, bytes]:
    """Return (the class of each byte, the packed states).  Raise ValueError if there are too many classes.

    `by_byte` contains the class of each byte in the rows of `cells`, or None for a byte without a class.
    Classes with equal columns are merged, and class 0 leads to the sink.
    """
    sinks = ((SINK, DISCARD),) * len(cells)
    numbers = {sinks: 0}
    merged = []
    for column in zip(*cells, strict=True):
        effective = tuple((target, slot if target else DISCARD) for target, slot in column)
        merged.append(numbers.setdefault(effective, len(numbers)))
    if len(numbers) > CLASSES:
        raise ValueError(f"{len(numbers)} classes; there is room for {CLASSES}")
    classes = bytes(0 if kind is None else merged[kind] for kind in by_byte)
    rows = list(zip(*numbers, strict=True))  # which turns the merged columns back into rows
    loops = [_loops(state, row) for state, row in enumerate(rows)]
    states = b"".join(_pack_state(row, loops) for row in rows)
    return classes, states


def _loops(state: int, row: Sequence[tuple[int, int]]) -> int:
    """Return the LOOPS of a state: a bit for each class that changes nothing."""
    if state == SINK:
        return 0
    return sum(1 << kind for kind, cell in enumerate(row) if cell == (state, DISCARD))


def _pack_state(row: Sequence[tuple[int, int]], loops: Sequence[int]) -> bytes:
    numbers: list[int] = []
    for target, slot in row:
        numbers += ((target << 8) | slot, loops[target])
    padding = [0] * (2 * CLASSES - len(numbers))
    return _STATE.pack(*numbers, *padding)
