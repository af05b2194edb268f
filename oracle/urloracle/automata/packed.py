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
from itertools import accumulate, compress, pairwise

from urloracle.automata.dfa import SINK, Automaton
from urloracle.automata.split_table import DISCARD, SplitTable

#: The number of this layout: a changed layout needs another number.
MAGIC = 0x55524C32
CLASSES, COMPONENTS = 32, 8
_BYTES = 256
_HEADER = struct.Struct("=8I")
_STATE = struct.Struct(f"={2 * CLASSES}I")
_FINALS = 1 + 2 * COMPONENTS

#: `cells[state][class]` is the pair (next state, slot).
Cells = Sequence[Sequence[tuple[int, int]]]


def pack(automaton: Automaton, split: SplitTable | None = None) -> bytes:
    """Return the packed table of a rule.  Raise ValueError if the layout has no room for it."""
    targets = [[(target, DISCARD) for target in row] for row in automaton.table]
    classes, states = _states([automaton.classes.get(chr(byte)) for byte in range(_BYTES)], targets)
    accepting = bytes(state in automaton.accepting for state in range(len(targets)))
    counts, split_classes, split_states, finals, offsets = (0, 0, 0, 0), bytes(_BYTES), b"", b"", b""
    if split is not None:
        width = len(split.components)
        if width > COMPONENTS:
            raise ValueError(f"{width} components; there is room for {COMPONENTS}")
        cells = [list(zip(*rows, strict=True)) for rows in zip(split.table, split.stores, strict=True)]
        split_classes, split_states = _states(split.classes, cells)
        finals = b"".join(bytes((bool(final), *final)).ljust(_FINALS, b"\0") for final in split.finals)
        counts, offsets = (len(cells), split.start, width, split.slots), bytes(split.offsets)
    body = b"".join((classes, split_classes, states, split_states, accepting, finals))
    body += offsets.ljust(COMPONENTS, b"\0")
    return _HEADER.pack(MAGIC, len(targets), automaton.start, *counts, _HEADER.size + len(body)) + body


def unpack(packed: bytes, components: tuple[str, ...] = ()) -> tuple[Automaton, SplitTable | None]:
    """Return the automaton and the split table of a packed table; the split table is None if there is none.

    Classes that `pack` has merged stay merged.  `components` are the names for the split table.
    """
    _, count, start, split_count, split_start, width, slots, _ = _HEADER.unpack_from(packed)
    places = accumulate((_HEADER.size, _BYTES, _BYTES, count * _STATE.size, split_count * _STATE.size, count))
    parts = [packed[begin:end] for begin, end in pairwise((*places, len(packed)))]
    classes, split_classes, states, split_states, verdicts, rest = parts
    kinds = {chr(byte): kind for byte, kind in enumerate(classes) if kind}
    table = [tuple(target for target, _ in row) for row in _cells(states)]
    automaton = Automaton(kinds, table, start, frozenset(compress(range(count), verdicts)))
    if not split_count:
        return automaton, None
    cells, finals = _cells(split_states), [rest[i * _FINALS :][:_FINALS] for i in range(split_count)]
    split = SplitTable(
        components,
        tuple(split_classes),
        tuple(tuple(target for target, _ in row) for row in cells),
        tuple(tuple(slot for _, slot in row) for row in cells),
        tuple(tuple(final[1 : 1 + 2 * width]) if final[0] else () for final in finals),
        tuple(rest[split_count * _FINALS :][:width]),
        split_start,
        slots,
    )
    return automaton, split


def _cells(states: bytes) -> list[list[tuple[int, int]]]:
    return [[(cell >> 8, cell & 0xFF) for cell in row[::2]] for row in _STATE.iter_unpack(states)]


def _states(by_byte: Sequence[int | None], cells: Cells) -> tuple[bytes, bytes]:
    """Return (the class of each byte, the packed states).

    `by_byte` contains the class of each byte in the rows of `cells`, or None for a byte without a class.
    Classes with equal columns are merged, and class 0 leads to the sink.
    """
    numbers = {((SINK, DISCARD),) * len(cells): 0}
    merged = [
        numbers.setdefault(
            tuple((target, slot if target else DISCARD) for target, slot in column), len(numbers)
        )
        for column in zip(*cells, strict=True)
    ]
    if len(numbers) > CLASSES:
        raise ValueError(f"{len(numbers)} classes; there is room for {CLASSES}")
    classes = bytes(0 if kind is None else merged[kind] for kind in by_byte)
    rows = list(zip(*numbers, strict=True))
    loops = []
    for state, row in enumerate(rows):
        loops.append(sum(1 << kind for kind, cell in enumerate(row) if state and cell == (state, DISCARD)))
    packed = []
    for row in rows:
        written = [number for target, slot in row for number in (target << 8 | slot, loops[target])]
        packed.append(_STATE.pack(*written, *[0] * (2 * CLASSES - len(written))))
    return classes, b"".join(packed)
