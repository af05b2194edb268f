"""Packed tables have the states of their sources."""

from __future__ import annotations

import struct
from dataclasses import replace

import pytest

from urloracle.automata.dfa import SINK, Automaton, determinize, minimize
from urloracle.automata.packed import CLASSES, COMPONENTS, MAGIC, MAGIC_WITH_RANGES, pack, unpack
from urloracle.automata.positions import position_automaton
from urloracle.automata.split_table import DISCARD, SplitTable, build_split_table
from urloracle.grammar.alphabet import ALPHABET, ASCII, FORMATTING, PRIVATE, STAND_INS, UCS
from urloracle.grammar.expression import Capture, Characters, Repetition, Sequence
from urloracle.grammar.grammar import Grammar
from urloracle.rfcs import SPECIFICATIONS
from urloracle.splitting import split_table


def moves_by_letter(automaton: Automaton, state: int) -> list[int]:
    """Return the next state for each letter."""
    row = automaton.table[state]
    return [row[automaton.classes[char]] if char in automaton.classes else SINK for char in ALPHABET]


def stores_by_letter(table: SplitTable, state: int) -> list[tuple[int, int]]:
    """Return the next state and the slot for each byte and each range beyond ASCII.

    What is written on the way to the sink is not read.
    """
    kinds = (*table.classes, *table.beyond)
    pairs = [(table.table[state][kind], table.stores[state][kind]) for kind in kinds]
    return [(target, slot if target != SINK else DISCARD) for target, slot in pairs]


def assert_same_states(unpacked: Automaton, automaton: Automaton) -> None:
    """Assert that an unpacked automaton is equal to its source, state by state."""
    assert len(unpacked.table) == len(automaton.table)
    assert unpacked.start == automaton.start
    assert unpacked.accepting == automaton.accepting
    for state in range(len(automaton.table)):
        assert moves_by_letter(unpacked, state) == moves_by_letter(automaton, state)


def assert_same_splits(unpacked: SplitTable, split: SplitTable) -> None:
    """Assert that an unpacked split table is equal to its source, state by state."""
    assert unpacked.finals == split.finals
    assert unpacked.offsets == split.offsets
    assert unpacked.start == split.start
    assert unpacked.slots == split.slots
    for state in range(len(split.table)):
        assert stores_by_letter(unpacked, state) == stores_by_letter(split, state)


@pytest.mark.parametrize("rule", ["mailtourl", "newsurl", "fileurl"])
def test_an_unpacked_table_has_the_same_states(rule):
    automaton = SPECIFICATIONS["rfc1738"].languages[rule].automaton
    unpacked, _ = unpack(pack(automaton))
    assert_same_states(unpacked, automaton)


def test_a_table_packed_without_a_split_table_has_none():
    automaton = SPECIFICATIONS["rfc1738"].languages["newsurl"].automaton
    _, unpacked_split = unpack(pack(automaton))
    assert unpacked_split is None


@pytest.mark.parametrize("rule", ["mailtourl", "newsurl", "fileurl"])
def test_an_unpacked_table_has_the_same_split_table(rule):
    automaton = SPECIFICATIONS["rfc1738"].languages[rule].automaton
    split = split_table("rfc1738", rule)
    _, unpacked_split = unpack(pack(automaton, split), split.components)
    assert_same_splits(unpacked_split, split)


@pytest.mark.parametrize("rule", ["mailtourl", "newsurl", "fileurl"])
def test_a_split_table_beside_it_does_not_change_the_states_of_a_table(rule):
    automaton = SPECIFICATIONS["rfc1738"].languages[rule].automaton
    split = split_table("rfc1738", rule)
    unpacked, _ = unpack(pack(automaton, split), split.components)
    assert_same_states(unpacked, automaton)


def automaton_with_classes(classes: int) -> Automaton:
    """Return an automaton whose every character has a class and a state; the state of the first loops."""
    rows = [(SINK,) * classes, tuple(range(2, classes + 2)), (2, *[SINK] * (classes - 1))]
    rows += [(SINK,) * classes] * (classes - 1)
    return Automaton(
        {char: kind for kind, char in enumerate(ASCII[33 : 33 + classes])}, rows, 1, frozenset({2})
    )


def test_as_many_classes_as_there_is_room_for_are_packed():
    """Every other character has a class of its own, so one less than there is room for."""
    automaton = automaton_with_classes(CLASSES - 1)
    unpacked, _ = unpack(pack(automaton))
    assert_same_states(unpacked, automaton)


def test_too_many_classes_are_refused():
    with pytest.raises(ValueError, match=f"{CLASSES + 1} classes; there is room for {CLASSES}"):
        pack(automaton_with_classes(CLASSES))


def test_too_many_components_are_refused():
    split = split_table("rfc1738", "mailtourl")
    wide = replace(split, components=("x",) * (COMPONENTS + 1))
    with pytest.raises(ValueError, match=f"{COMPONENTS + 1} components; there is room for {COMPONENTS}"):
        pack(SPECIFICATIONS["rfc1738"].languages["mailtourl"].automaton, wide)


def test_an_unpacked_start_state_accepts_although_no_transition_leads_to_it():
    """The empty text is therefore accepted."""
    automaton = Automaton({"a": 0}, [(SINK,), (2,), (SINK,)], 1, frozenset({1}))
    unpacked, _ = unpack(pack(automaton))
    assert unpacked.accepting == {1}


#: A component of characters beyond ASCII between two letters; its split table tells the ranges apart.
BEYOND = Sequence(
    (
        Characters(frozenset("a")),
        Capture("x", Repetition(Characters(UCS - FORMATTING), 0, None)),
        Characters(frozenset("b") | PRIVATE),
    )
)


@pytest.fixture(scope="module")
def tables_with_ranges() -> tuple[Automaton, SplitTable]:
    """The automaton and the split table of `BEYOND`."""
    subset_automaton, _ = determinize(position_automaton(Grammar({}, {}, {}), BEYOND))
    return minimize(subset_automaton), build_split_table(("x",), BEYOND)


def test_an_unpacked_table_with_ranges_has_the_same_states(tables_with_ranges):
    automaton, split = tables_with_ranges
    unpacked, _ = unpack(pack(automaton, split), ("x",))
    assert_same_states(unpacked, automaton)


def test_an_unpacked_table_with_ranges_has_the_same_split_table(tables_with_ranges):
    automaton, split = tables_with_ranges
    _, unpacked_split = unpack(pack(automaton, split), ("x",))
    assert_same_splits(unpacked_split, split)


by_text_beyond_ascii = pytest.mark.parametrize(
    "text", ["ab", "a\u00e9\U0001f600b", "a\ue123", "a\u202eb", "a\u0080b", "\u00e9"], ids=ascii
)


@by_text_beyond_ascii
def test_an_unpacked_table_with_ranges_finds_the_same_longest_viable_prefix(tables_with_ranges, text):
    automaton, split = tables_with_ranges
    unpacked, _ = unpack(pack(automaton, split), ("x",))
    assert unpacked.longest_viable_prefix(text).length == automaton.longest_viable_prefix(text).length


@by_text_beyond_ascii
def test_an_unpacked_split_table_with_ranges_splits_a_text_alike(tables_with_ranges, text):
    automaton, split = tables_with_ranges
    _, unpacked_split = unpack(pack(automaton, split), ("x",))
    assert unpacked_split.split(text) == split.split(text)


def number_of_layout(packed: bytes) -> int:
    """Return the first number of a packed table, which names its layout."""
    (number,) = struct.unpack_from("=I", packed)
    return number


def test_a_table_with_ranges_has_the_layout_with_ranges(tables_with_ranges):
    automaton, _ = tables_with_ranges
    assert number_of_layout(pack(automaton)) == MAGIC_WITH_RANGES


def test_a_table_of_ascii_has_the_layout_without_ranges():
    automaton = SPECIFICATIONS["rfc1738"].languages["newsurl"].automaton
    assert number_of_layout(pack(automaton)) == MAGIC


def packed_ranges(packed: bytes) -> list[tuple[int, int]]:
    """Return first and last character of the ranges: after eight numbers comes that of the ranges."""
    end_of_header = struct.calcsize("=8I")
    (count,) = struct.unpack_from("=I", packed, end_of_header)
    begin = end_of_header + struct.calcsize("=I")
    ranges = struct.iter_unpack("=3I", packed[begin : begin + count * struct.calcsize("=3I")])
    return [(first, last) for first, last, _ in ranges]


def test_neighbouring_ranges_with_the_same_classes_are_joined(tables_with_ranges):
    """The formatting characters (RFC 3987, section 4.1) divide ranges, and U+F900 follows private ones."""
    ranges = packed_ranges(pack(*tables_with_ranges))
    assert ranges[:5] == [
        (0xA0, 0x200D),
        (0x2010, 0x2029),
        (0x202F, 0xD7FF),
        (0xE000, 0xF8FF),
        (0xF900, 0xFDCF),
    ]


def test_a_packed_table_has_no_ranges_without_a_class(tables_with_ranges):
    """Formatting characters have no class in `BEYOND`, every other range has one."""
    ranges = packed_ranges(pack(*tables_with_ranges))
    assert len(ranges) == len(STAND_INS) - len(FORMATTING)
