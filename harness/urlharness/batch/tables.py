"""Columns, DFAs and split tables as the arrays that the kernels read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from pyarrow import types

from urlharness.batch.kernels import INVALID, copy_spans, starting_states
from urloracle.automata.dfa import SINK, Automaton
from urloracle.automata.split_table import DISCARD, END, SplitTable
from urloracle.specification import Specification, Unsupported
from urloracle.splitting import SPLITTINGS, ready_split_table

_BYTES = 256
#: For Arrow types without a layout of bytes and offsets, the type to cast to.
_CASTS = (
    (types.is_string_view, pa.large_string()),
    (types.is_binary_view, pa.large_binary()),
    (types.is_fixed_size_binary, pa.large_binary()),
    (types.is_null, pa.string()),
)
#: For types of strings, the type of bytes with the same layout.
_BINARY = (
    (types.is_string, pa.binary()),
    (types.is_large_string, pa.large_binary()),
    (types.is_string_view, pa.binary_view()),
    (types.is_null, pa.binary()),
)
_MOST = 1 << 16  # states that a uint16 can number
assert (DISCARD, END) == (0, 1)  # the kernels rely on these values


class ColumnTexts(NamedTuple):
    """The texts of one Arrow array: text i is `data[offsets[i]:offsets[i + 1]]`.

    `data` is uint8, and `offsets` is int32 or int64. `nulls` is a Boolean array, or None if no text is null.
    """

    data: Any
    offsets: Any
    nulls: Any

    def __len__(self) -> int:
        return len(self.offsets) - 1


def arrow(column: Any) -> Any:
    """Return a column as an Arrow array or chunked array. Raise TypeError if it is of another type."""
    if isinstance(column, (pa.Array, pa.ChunkedArray)):
        return column
    if hasattr(column, "__arrow_c_stream__"):
        return pa.chunked_array(column)
    if hasattr(column, "__arrow_c_array__"):
        return pa.array(column)
    raise TypeError(f"expected an Arrow array of texts, not {type(column).__name__}; see pyarrow.array")


def is_text(kind: Any) -> bool:
    """Return True for string and binary types of every layout, and dictionaries of them."""
    if types.is_dictionary(kind):
        return is_text(kind.value_type)
    laid_out = (types.is_string, types.is_large_string, types.is_binary, types.is_large_binary)
    return any(is_kind(kind) for is_kind in (*laid_out, *(is_kind for is_kind, _ in _CASTS)))


def as_bytes(array: Any) -> Any:
    """Return an Arrow array of texts as one of bytes, without copying them.

    Files may hold strings that are not UTF-8, which Arrow does not convert to Python.
    """
    kind = array.type
    if types.is_dictionary(kind):
        values = as_bytes(array.dictionary)
        return pa.DictionaryArray.from_arrays(array.indices, values, ordered=kind.ordered)
    return next((array.cast(binary) for is_kind, binary in _BINARY if is_kind(kind)), array)


def texts(array: Any) -> ColumnTexts:
    """Return the texts of an Arrow array. Raise TypeError if it is a dictionary or holds no texts."""
    if not is_text(array.type) or types.is_dictionary(array.type):
        raise TypeError(f"a column of type {array.type} holds no texts")
    array = next((array.cast(kind) for is_kind, kind in _CASTS if is_kind(array.type)), array)
    large = types.is_large_string(array.type) or types.is_large_binary(array.type)
    if len(array) == 0:
        return ColumnTexts(np.empty(0, np.uint8), np.zeros(1, np.int64 if large else np.int32), None)
    _, offsets, data = array.buffers()
    count = array.offset + len(array) + 1
    bounds = np.frombuffer(offsets, np.int64 if large else np.int32, count)[array.offset :]
    content = np.frombuffer(data, np.uint8) if data is not None and data.size else np.empty(0, np.uint8)
    content.flags.writeable = False  # all buffers get one numba type, so each kernel is compiled once
    bounds.flags.writeable = False
    nulls = array.is_null().to_numpy(zero_copy_only=False) if array.null_count else None
    return ColumnTexts(content, bounds, nulls)


class Splitter(NamedTuple):
    """Several split tables joined into one. `components` lists the components of all of them.

    The kernel `split_texts` reads `following` and `finals`. `starts` maps rules to start states. `slots` is
    the number of slots.
    """

    components: tuple[str, ...]
    following: Any
    finals: Any
    starts: Mapping[str, int]
    slots: int


def splitting_rules(spec: Specification, rule: str) -> tuple[str, ...]:
    """Return the rules whose split tables divide the texts of a rule.

    If the rule has no split table of its own, these are one rule per scheme (RFC 1738), or the default rule
    for another rule of whole texts. Raise Unsupported if the rule has no components.
    """
    known = {name.lower(): name for name in SPLITTINGS[spec.id].components}
    asked = rule.lower()
    if spec.by_scheme is not None and asked == spec.by_scheme.lower():
        return tuple(known.values())
    if asked in known:
        return (known[asked],)
    if asked in spec.whole:
        return (spec.default_rule,)
    raise Unsupported(f"{spec.title} has no components for {rule}")


def splitter(spec: Specification, rules: tuple[str, ...]) -> Splitter:
    """Return the split tables of the rules joined into one."""
    tables = {rule: ready_split_table(spec, rule) for rule in rules}
    components = tuple(dict.fromkeys(name for made in tables.values() for name in made.components))
    slots = max(made.slots for made in tables.values())  # one more slot is never written
    assert slots < _BYTES  # a slot is a byte of an entry
    first, starts = 0, {}
    entries, finals = [], []
    for rule, made in tables.items():
        starts[rule] = first + made.start
        states, stores = np.array(made.table, np.uint32), np.array(made.stores, np.uint32)
        assert (states[0] == 0).all()  # the sink is never left
        by_class = (states + np.uint32(first)) << np.uint32(8) | stores
        entries.append(by_class[:, list(made.classes)].reshape(-1))
        finals.append(_finals(made, components, slots))
        first += len(made.table)
    following, ends = np.concatenate(entries), np.concatenate(finals)
    following.flags.writeable = ends.flags.writeable = False
    return Splitter(components, following, ends, starts, slots + 1)


def states_by_scheme(read: ColumnTexts, spec: Specification, starts: Mapping[str, int]) -> Any:
    """Return the start state of each text: the one in `starts` for the rule of its scheme.

    If the scheme is unknown, it is the start state for the rule of unknown schemes. A prefix tree of the
    schemes, in upper and lower case (R-1738-03), recognizes the scheme.
    """
    assert spec.unknown_scheme is not None  # RFC 1738, which has rules by scheme
    words = [f"{scheme}:" for scheme in spec.schemes]
    prefixes = dict.fromkeys(word[:length] for word in words for length in range(1, len(word) + 1))
    numbers = {prefix: number for number, prefix in enumerate(("", *prefixes), 1)}
    rows = np.zeros((len(numbers) + 1, _BYTES), np.uint16)
    tables = np.zeros(len(numbers) + 1, np.uint16)
    for prefix in prefixes:
        before, last = numbers[prefix[:-1]], prefix[-1]
        rows[before, ord(last.lower())] = rows[before, ord(last.upper())] = numbers[prefix]
    for word in words:
        tables[numbers[word]] = starts[spec.schemes[word[:-1]]]
    found = np.empty(len(read), np.uint16)
    starting_states(read.data, read.offsets, rows.reshape(-1), 1, tables, starts[spec.unknown_scheme], found)
    return found


def spans(components: tuple[str, ...], read: ColumnTexts, bounds: Any) -> Any:
    """Return an Arrow struct of (begin, end) structs, one per component. An invalid text gives null."""
    kind = pa.from_numpy_dtype(bounds.dtype)
    names = ["begin", "end"]
    fields = [
        pa.StructArray.from_arrays([pa.array(begins, kind), pa.array(ends, kind)], names)
        for begins, ends in zip(bounds[::2], bounds[1::2], strict=True)
    ]
    return pa.StructArray.from_arrays(fields, components, mask=_absent(bounds, read.nulls))


def strings(components: tuple[str, ...], read: ColumnTexts, bounds: Any) -> Any:
    """Return the components as a struct of strings. Absent components and invalid texts give null."""
    kind = pa.large_string() if read.offsets.dtype == np.int64 else pa.string()
    fields = []
    for begins, ends in zip(bounds[::2], bounds[1::2], strict=True):
        targets = np.zeros(len(read) + 1, read.offsets.dtype)
        np.cumsum(ends - begins, out=targets[1:])
        copied = np.empty(targets[-1], np.uint8)
        copy_spans(read.data, read.offsets, begins, targets, copied)
        present = pa.array(begins >= 0)
        buffers = [present.buffers()[1], pa.py_buffer(targets), pa.py_buffer(copied)]
        fields.append(pa.Array.from_buffers(kind, len(read), buffers))
    return pa.StructArray.from_arrays(fields, components, mask=_absent(bounds, read.nulls))


def _absent(bounds: Any, nulls: Any) -> Any:
    """Return a mask of the texts without components, which are invalid or null."""
    absent = bounds[0] == INVALID
    return pa.array(absent if nulls is None else absent | nulls)


def _finals(made: SplitTable, components: tuple[str, ...], absent: int) -> Any:
    """Return an array of (begin slot, 0 or 1 to add to its value, end slot) by state and component.

    The entries of a state in which no valid text ends are all 0. A component that the table lacks gets the
    slot `absent`, which is never written.
    """
    found = np.zeros((len(made.table), len(components), 3), np.uint8)
    for state, final in enumerate(made.finals):
        if final:
            found[state] = absent, 0, absent
            for name, begin, more, end in zip(
                made.components, final[::2], made.offsets, final[1::2], strict=True
            ):
                found[state, components.index(name)] = begin, more, end
    return found.reshape(len(made.table), -1)


class Table(NamedTuple):
    """A complete DFA over bytes, in the layout that the kernels read.

    `following[state << 8 | byte]` is the next state, as uint16. State 0 is the sink. All states from
    `accepting` up are accepting. Bytes above 127 lead to the sink.
    """

    following: Any
    start: int
    accepting: int


def table(automaton: Automaton) -> Table:
    """Return the table of an automaton. States are renumbered so that the accepting states come last."""
    states = range(len(automaton.table))
    order = sorted(states, key=lambda state: (state in automaton.accepting, state))
    assert order[SINK] == SINK  # the sink is not accepting
    number = {state: place for place, state in enumerate(order)}
    rows = [[number[following] for following in automaton.table[state]] for state in order]
    following = byte_table(automaton.classes, rows)
    return Table(following, number[automaton.start], len(rows) - len(automaton.accepting))


def byte_table(classes: Mapping[str, int], rows: Sequence[Sequence[int]]) -> Any:
    """Expand a transition table by character class into one flat array by state and byte."""
    if len(rows) > _MOST:
        raise ValueError(f"the automaton has {len(rows)} states; the batch engine supports at most {_MOST}")
    by_class = np.array(rows, np.uint16)
    following = np.full((len(rows), _BYTES), SINK, np.uint16)
    for character, number in classes.items():
        following[:, ord(character)] = by_class[:, number]
    return following.reshape(-1)
