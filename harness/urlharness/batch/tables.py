"""Columns, DFAs and split tables as the arrays that the kernels read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from pyarrow import types

from urlharness.batch.kernels import INVALID, copy_spans, write_starting_states
from urlharness.batch.utf8 import ByteTransitions, byte_transitions
from urloracle.automata.dfa import SINK, Automaton
from urloracle.automata.split_table import DISCARD, END, SplitTable
from urloracle.grammar.alphabet import ASCII, STAND_INS
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
    """The texts of one Arrow array: text i is `octets[offsets[i]:offsets[i + 1]]`.

    `octets` is uint8, and `offsets` is int32 or int64. `nulls` is a Boolean array, or None if no text is
    null.
    """

    octets: Any
    offsets: Any
    nulls: Any

    def __len__(self) -> int:
        return len(self.offsets) - 1


def as_arrow(column: Any) -> Any:
    """Return a column as an Arrow array or chunked array. Raise TypeError if it is not an Arrow object."""
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
    with_layout = (types.is_string, types.is_large_string, types.is_binary, types.is_large_binary)
    with_cast = (is_kind for is_kind, _ in _CASTS)
    return any(is_kind(kind) for is_kind in (*with_layout, *with_cast))


def as_bytes(array: Any) -> Any:
    """Return an Arrow array of texts as one of bytes, without copying them.

    Files may hold strings that are not UTF-8, which Arrow does not convert to Python.
    """
    kind = array.type
    if types.is_dictionary(kind):
        values = as_bytes(array.dictionary)
        return pa.DictionaryArray.from_arrays(array.indices, values, ordered=kind.ordered)
    for is_kind, binary in _BINARY:
        if is_kind(kind):
            return array.cast(binary)
    return array


def column_texts(array: Any) -> ColumnTexts:
    """Return the texts of an Arrow array. Raise TypeError if it is a dictionary or holds no texts."""
    if not is_text(array.type) or types.is_dictionary(array.type):
        raise TypeError(f"a column of type {array.type} holds no texts")
    laid_out = _with_offsets(array)
    is_large = types.is_large_string(laid_out.type) or types.is_large_binary(laid_out.type)
    offset_type = np.int64 if is_large else np.int32
    if len(laid_out) == 0:
        return ColumnTexts(np.empty(0, np.uint8), np.zeros(1, offset_type), None)
    _, offset_buffer, byte_buffer = laid_out.buffers()
    first = laid_out.offset
    offsets = np.frombuffer(offset_buffer, offset_type, first + len(laid_out) + 1)[first:]
    octets = np.empty(0, np.uint8)
    if byte_buffer is not None and byte_buffer.size:
        octets = np.frombuffer(byte_buffer, np.uint8)
    # all buffers get one numba type, so each kernel is compiled once
    octets.flags.writeable = False
    offsets.flags.writeable = False
    nulls = laid_out.is_null().to_numpy(zero_copy_only=False) if laid_out.null_count else None
    return ColumnTexts(octets, offsets, nulls)


def _with_offsets(array: Any) -> Any:
    """Return an array in a layout of bytes and offsets, cast if its type has another one."""
    for is_kind, kind in _CASTS:
        if is_kind(array.type):
            return array.cast(kind)
    return array


def offsets_of(sizes: Any, offset_type: Any = np.int64) -> Any:
    """Return the offsets of texts of these sizes, one after the other, and the end of the last one."""
    offsets = np.zeros(len(sizes) + 1, offset_type)
    np.cumsum(sizes, out=offsets[1:])
    return offsets


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
    split_rules = {name.lower(): name for name in SPLITTINGS[spec.id].components}
    name = rule.lower()
    if spec.by_scheme is not None and name == spec.by_scheme.lower():
        return tuple(split_rules.values())
    if name in split_rules:
        return (split_rules[name],)
    if name in spec.whole:
        return (spec.default_rule,)
    raise Unsupported(f"{spec.title} has no components for {rule}")


def joined_splitter(spec: Specification, rules: tuple[str, ...]) -> Splitter:
    """Return the split tables of the rules joined into one."""
    split_tables = {rule: ready_split_table(spec, rule) for rule in rules}
    all_components: dict[str, None] = {}
    for split_table in split_tables.values():
        all_components |= dict.fromkeys(split_table.components)
    components = tuple(all_components)
    slots = max(split_table.slots for split_table in split_tables.values())
    assert slots < _BYTES  # a slot is a byte of an entry; one more slot is never written

    starts = {}
    entries = []
    finals = []
    first = 0  # the number that state 0 of a table gets in the joined one
    for rule, split_table in split_tables.items():
        starts[rule] = first + split_table.start
        states, stores, _ = _transitions_of_split_table(split_table)
        assert (states[0] == 0).all()  # the sink is never left
        numbers = states + np.uint32(first)
        entries_of_rule = numbers << np.uint32(8) | stores
        entries.append(entries_of_rule.reshape(-1))
        finals.append(_final_slots(split_table, components, slots, len(states)))
        first += len(states)
    following = np.concatenate(entries)
    final_slots = np.concatenate(finals)
    following.flags.writeable = False
    final_slots.flags.writeable = False
    return Splitter(components, following, final_slots, starts, slots + 1)


def _transitions_of_split_table(split_table: SplitTable) -> ByteTransitions:
    """Return the transitions of a split table over bytes. They store slots."""
    classes = dict(zip(ASCII, split_table.classes, strict=False))  # of 256 classes, the first 128
    classes_beyond = zip(STAND_INS, split_table.beyond, strict=True)
    classes |= {letter: kind for letter, kind in classes_beyond if kind}
    return byte_transitions(classes, split_table.table, split_table.stores)


def states_by_scheme(column: ColumnTexts, spec: Specification, starts: Mapping[str, int]) -> Any:
    """Return the start state of each text: the one in `starts` for the rule of its scheme.

    If the scheme is unknown, it is the start state for the rule of unknown schemes. A prefix tree of the
    schemes, in upper and lower case (R-1738-03), recognizes the scheme.
    """
    assert spec.unknown_scheme is not None  # RFC 1738, which has rules by scheme
    nodes = _scheme_prefixes(spec.schemes)
    node_count = len(nodes) + 1  # node 0 is the sink
    following = np.zeros((node_count, _BYTES), np.uint16)
    for prefix, node in nodes.items():
        if not prefix:
            continue
        parent = nodes[prefix[:-1]]
        letter = prefix[-1]
        following[parent, ord(letter.lower())] = node
        following[parent, ord(letter.upper())] = node
    start_of_scheme = np.zeros(node_count, np.uint16)
    for scheme, rule in spec.schemes.items():
        node = nodes[f"{scheme}:"]
        start_of_scheme[node] = starts[rule]

    states = np.empty(len(column), np.uint16)
    default = starts[spec.unknown_scheme]
    write_starting_states(
        column.octets, column.offsets, following.reshape(-1), nodes[""], start_of_scheme, default, states
    )
    return states


def _scheme_prefixes(schemes: Iterable[str]) -> dict[str, int]:
    """Number the nodes of the prefix tree of schemes from 1: the empty prefix, and those up to each colon."""
    prefixes: dict[str, None] = {"": None}
    for scheme in schemes:
        word = f"{scheme}:"
        prefixes |= dict.fromkeys(word[:length] for length in range(1, len(word) + 1))
    return {prefix: number for number, prefix in enumerate(prefixes, 1)}


def component_spans(components: tuple[str, ...], column: ColumnTexts, bounds: Any) -> Any:
    """Return an Arrow struct of (begin, end) structs, one per component. An invalid text gives null."""
    offset_type = pa.from_numpy_dtype(bounds.dtype)
    fields = []
    for begins, ends in zip(bounds[::2], bounds[1::2], strict=True):
        arrays = [pa.array(begins, offset_type), pa.array(ends, offset_type)]
        fields.append(pa.StructArray.from_arrays(arrays, ["begin", "end"]))
    return pa.StructArray.from_arrays(fields, components, mask=_lacks_components(bounds, column.nulls))


def component_strings(components: tuple[str, ...], column: ColumnTexts, bounds: Any) -> Any:
    """Return the components as a struct of strings. Absent components and invalid texts give null."""
    string_type = pa.large_string() if column.offsets.dtype == np.int64 else pa.string()
    fields = []
    for begins, ends in zip(bounds[::2], bounds[1::2], strict=True):
        targets = offsets_of(ends - begins, column.offsets.dtype)
        copied = np.empty(targets[-1], np.uint8)
        copy_spans(column.octets, column.offsets, begins, targets, copied)
        _, validity = pa.array(begins >= 0).buffers()
        buffers = [validity, pa.py_buffer(targets), pa.py_buffer(copied)]
        fields.append(pa.Array.from_buffers(string_type, len(column), buffers))
    return pa.StructArray.from_arrays(fields, components, mask=_lacks_components(bounds, column.nulls))


def _lacks_components(bounds: Any, nulls: Any) -> Any:
    """Return a mask of the texts without components, which are invalid or null."""
    is_invalid = bounds[0] == INVALID
    return pa.array(is_invalid if nulls is None else is_invalid | nulls)


def _final_slots(table: SplitTable, components: tuple[str, ...], absent: int, states: int) -> Any:
    """Return an array of (begin slot, 0 or 1 to add to its value, end slot) by state and component.

    The entries of a state in which no valid text ends are all 0. A component that the table does not have
    gets the slot `absent`, which is never written. `states` is the number of all states: no text ends in
    those that the table does not have, which are inside a character.
    """
    final_slots = np.zeros((states, len(components), 3), np.uint8)
    columns = [components.index(name) for name in table.components]
    for state, final in enumerate(table.finals):
        if final:
            final_slots[state] = absent, 0, absent
            for column, begin, shift, end in zip(
                columns, final[::2], table.offsets, final[1::2], strict=True
            ):
                final_slots[state, column] = begin, shift, end
    return final_slots.reshape(states, -1)


class Table(NamedTuple):
    """A complete DFA over bytes, in the layout that the kernels read.

    `following[state << 8 | byte]` is the next state, as uint16. State 0 is the sink. The states from `inside`
    up to, but excluding, `accepting` are inside a character of several bytes. All states from `accepting` up
    are accepting.
    """

    following: Any
    start: int
    inside: int
    accepting: int


def dfa_table(automaton: Automaton) -> Table:
    """Return the table of an automaton, in which the accepting states have the highest numbers."""
    transitions, _, characters = byte_transitions(automaton.classes, automaton.table)
    accepting = sorted(automaton.accepting)
    rejecting = [state for state in range(characters) if state not in automaton.accepting]
    order = np.array([*rejecting, *range(characters, len(transitions)), *accepting])
    assert order[SINK] == SINK  # the sink is not accepting
    new_number = np.empty(len(order), np.uint32)
    new_number[order] = np.arange(len(order))
    following = _flat(new_number[transitions[order]])
    return Table(following, int(new_number[automaton.start]), len(rejecting), len(order) - len(accepting))


def byte_table(classes: Mapping[str, int], rows: Sequence[Sequence[int]]) -> Any:
    """Expand a transition table by character class into one flat array by state and byte.

    The rows of the states inside a character come after the others.
    """
    return _flat(byte_transitions(classes, rows).following)


def _flat(following: Any) -> Any:
    """Return the next states by state and byte as one array of the type that the kernels read.

    Raise ValueError if there are more states than numbers of this type.
    """
    states = len(following)
    if states > _MOST:
        raise ValueError(f"the automaton has {states} states; the batch engine supports at most {_MOST}")
    return following.astype(np.uint16).reshape(-1)
