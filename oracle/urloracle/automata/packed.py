"""Packed tables: the automaton and the split table of one rule as bytes, which the C engine runs in place.

The layout is written here and read by `_native.c`.  All numbers have the byte order of the machine.

    header     8 x uint32: MAGIC or MAGIC_WITH_RANGES, states, start, split states, split start, components,
               slots, size in bytes
    ranges     only after MAGIC_WITH_RANGES: uint32, the number of ranges, then for each range 3 x uint32:
               first and last code point, class in the automaton << 8 | class in the split table
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

The engine reads UTF-8.  Where a byte above 127 leads to the sink, it decodes the character and takes the
class of its range.  Positions in slots are those of bytes.  A component can begin at the byte after a stored
position only if the character there has one byte, which `tagged` guarantees.  The ranges are those of
`grammar.alphabet` that have a class, in order; adjacent ones with equal classes are joined.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from itertools import compress
from typing import NamedTuple

from urloracle.automata.dfa import SINK, Automaton
from urloracle.automata.split_table import DISCARD, SplitTable
from urloracle.grammar.alphabet import RANGES, STAND_INS, Range

#: The number of this layout, and that of the layout with ranges.  A changed layout needs other numbers.
MAGIC = 0x55524C32
MAGIC_WITH_RANGES = 0x55524C33
CLASSES = 32
COMPONENTS = 8
_BYTES = 256
_ASCII_BYTES = 128
_NO_CLASSES = (0,) * len(RANGES)
_HEADER = struct.Struct("=8I")
_COUNT = struct.Struct("=I")
_RANGE = struct.Struct("=3I")
_STATE = struct.Struct(f"={2 * CLASSES}I")
_FINALS = 1 + 2 * COMPONENTS

#: `cells[state][class]` is the pair (next state, slot).
Cells = Sequence[Sequence[tuple[int, int]]]


def pack(automaton: Automaton, split: SplitTable | None = None) -> bytes:
    """Return the packed table of a rule.  Raise ValueError if the layout has no room for it."""
    class_of_byte = [automaton.classes.get(chr(byte)) for byte in range(_ASCII_BYTES)]
    class_of_byte += [None] * (_BYTES - _ASCII_BYTES)
    class_of_range = [automaton.classes.get(letter) for letter in STAND_INS]
    cells = [[(target, DISCARD) for target in row] for row in automaton.table]
    state_count = len(cells)
    packed = _pack_states(class_of_byte, class_of_range, cells)
    part = _SplitPart() if split is None else _pack_split_table(split)

    ranges = _pack_ranges(packed.beyond, part.beyond)
    accepting = bytes(state in automaton.accepting for state in range(state_count))
    offsets = part.offsets.ljust(COMPONENTS, b"\0")
    sections = (
        ranges,
        packed.classes,
        part.classes,
        packed.states,
        part.states,
        accepting,
        part.finals,
        offsets,
    )
    body = b"".join(sections)
    header = _HEADER.pack(
        MAGIC_WITH_RANGES if ranges else MAGIC,
        state_count,
        automaton.start,
        part.state_count,
        part.start,
        part.width,
        part.slots,
        _HEADER.size + len(body),
    )
    return header + body


def _pack_ranges(classes: bytes, split_classes: bytes) -> bytes:
    """Return the packed ranges, or nothing if no range has a class.

    The arguments contain the class of each range of the alphabet, in the automaton and in the split table.
    """
    ranges: list[tuple[Range, int]] = []
    for span, kind, split_kind in zip(RANGES, classes, split_classes, strict=True):
        both_classes = kind << 8 | split_kind
        if not both_classes:
            continue
        if ranges:
            before, classes_before = ranges[-1]
            if both_classes == classes_before and before.last + 1 == span.first:
                ranges[-1] = (Range(before.first, span.last), both_classes)
                continue
        ranges.append((span, both_classes))
    if not ranges:
        return b""
    packed = (_RANGE.pack(span.first, span.last, both_classes) for span, both_classes in ranges)
    return _COUNT.pack(len(ranges)) + b"".join(packed)


class _SplitPart(NamedTuple):
    """The part of a split table that a packed table contains: none if the rule has no components."""

    state_count: int = 0
    start: int = 0
    width: int = 0
    slots: int = 0
    classes: bytes = bytes(_BYTES)
    beyond: bytes = bytes(len(RANGES))
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
    classes, beyond, states = _pack_states(split.classes, split.beyond, cells)
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
        beyond=beyond,
        states=states,
        finals=b"".join(finals),
        offsets=bytes(split.offsets),
    )


def unpack(packed: bytes, components: tuple[str, ...] = ()) -> tuple[Automaton, SplitTable | None]:
    """Return the automaton and the split table of a packed table; the split table is None if there is none.

    Classes that `pack` has merged stay merged.  `components` are the names for the split table.
    """
    magic, count, start, split_count, split_start, width, slots, _ = _HEADER.unpack_from(packed)
    body = _Cursor(packed, _HEADER.size)
    beyond, split_beyond = _unpack_ranges(body) if magic == MAGIC_WITH_RANGES else (_NO_CLASSES, _NO_CLASSES)
    # the parts are taken in the order of the layout
    classes = body.take(_BYTES)
    split_classes = body.take(_BYTES)
    states = body.take(count * _STATE.size)
    split_states = body.take(split_count * _STATE.size)
    verdicts = body.take(count)
    finals = [body.take(_FINALS) for _ in range(split_count)]
    offsets = body.take(width)

    class_of = {chr(byte): kind for byte, kind in enumerate(classes) if kind}
    class_of |= {letter: kind for letter, kind in zip(STAND_INS, beyond, strict=True) if kind}
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
        beyond=split_beyond,
    )
    return automaton, split


def _unpack_ranges(body: _Cursor) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the classes of the ranges of the alphabet in the automaton, and in the split table."""
    (count,) = _COUNT.unpack(body.take(_COUNT.size))
    packed = list(_RANGE.iter_unpack(body.take(count * _RANGE.size)))
    classes = []
    split_classes = []
    for span in RANGES:
        kind, split_kind = divmod(_packed_classes(span, packed), 1 << 8)  # as `_pack_ranges` joins them
        classes.append(kind)
        split_classes.append(split_kind)
    return tuple(classes), tuple(split_classes)


def _packed_classes(span: Range, packed: Iterable[tuple[int, int, int]]) -> int:
    """Return the two classes of a range of the alphabet as one number, or 0 if it has none.

    `packed` contains (first code point, last code point, classes) of each range of a packed table.
    """
    for first, last, classes in packed:
        if first <= span.first <= last:
            return classes
    return 0


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
    return [_unpack_row(row[::2]) for row in _STATE.iter_unpack(states)]


def _unpack_row(numbers: tuple[int, ...]) -> list[tuple[int, int]]:
    return [(number >> 8, number & 0xFF) for number in numbers]


class _PackedStates(NamedTuple):
    """The states of an automaton, and in them the class of each byte and of each range beyond ASCII."""

    classes: bytes
    beyond: bytes
    states: bytes


def _pack_states(
    class_of_byte: Sequence[int | None], class_of_range: Sequence[int | None], cells: Cells
) -> _PackedStates:
    """Return the packed states, and the classes in them.

    `class_of_byte` and `class_of_range` contain the class of each byte and of each range beyond ASCII in the
    rows of `cells`, or None for one without a class.  Classes with equal columns are merged, and class 0
    leads to the sink.  Raise ValueError if there are too many classes.
    """
    sinks = ((SINK, DISCARD),) * len(cells)
    numbers = {sinks: 0}  # the merged classes, by their columns
    merged = []
    for column in zip(*cells, strict=True):
        # what is stored on the way to the sink is never read
        effective = tuple((target, slot if target != SINK else DISCARD) for target, slot in column)
        merged.append(numbers.setdefault(effective, len(numbers)))
    if len(numbers) > CLASSES:
        raise ValueError(f"{len(numbers)} classes; there is room for {CLASSES}")

    classes = bytes(0 if kind is None else merged[kind] for kind in class_of_byte)
    beyond = bytes(0 if kind is None else merged[kind] for kind in class_of_range)
    rows = list(zip(*numbers, strict=True))  # which turns the merged columns back into rows
    loops = [_loops(state, row) for state, row in enumerate(rows)]
    states = b"".join(_pack_state(row, loops) for row in rows)
    return _PackedStates(classes, beyond, states)


def _loops(state: int, row: Sequence[tuple[int, int]]) -> int:
    """Return the LOOPS of a state: a bit for each class that changes nothing."""
    if state == SINK:
        return 0
    return sum(1 << kind for kind, cell in enumerate(row) if cell == (state, DISCARD))


def _pack_state(row: Sequence[tuple[int, int]], loops: Sequence[int]) -> bytes:
    """Return a packed state; `loops` contains the LOOPS of every state."""
    numbers: list[int] = []
    for target, slot in row:
        numbers += (target << 8 | slot, loops[target])
    padding = [0] * (2 * CLASSES - len(numbers))
    return _STATE.pack(*numbers, *padding)
