"""Packed tables have the states of their sources."""

from __future__ import annotations

from dataclasses import replace

import pytest

from urloracle.automata.dfa import ASCII, SINK, Automaton
from urloracle.automata.packed import CLASSES, COMPONENTS, pack, unpack
from urloracle.automata.split_table import DISCARD, SplitTable
from urloracle.rfcs import SPECIFICATIONS
from urloracle.splitting import split_table


def byte_moves(automaton: Automaton, state: int) -> list[int]:
    """The next state for each byte."""
    row = automaton.table[state]
    return [
        row[automaton.classes[char]] if char in automaton.classes else SINK for char in map(chr, range(256))
    ]


def byte_stores(table: SplitTable, state: int) -> list[tuple[int, int]]:
    """The next state and the slot for each byte; what is written on the way to the sink is not read."""
    pairs = [(table.table[state][kind], table.stores[state][kind]) for kind in table.classes]
    return [(target, slot if target != SINK else DISCARD) for target, slot in pairs]


def assert_same(packed: bytes, automaton: Automaton, split: SplitTable | None) -> None:
    """The packed tables are equal to their sources, state by state."""
    unpacked, other_split = unpack(packed, split.components if split else ())
    assert len(unpacked.table) == len(automaton.table)
    assert unpacked.start == automaton.start
    assert unpacked.accepting == automaton.accepting
    for state in range(len(automaton.table)):
        assert byte_moves(unpacked, state) == byte_moves(automaton, state)
    assert (split is None) == (other_split is None)
    if split and other_split:
        assert other_split.finals == split.finals
        assert other_split.offsets == split.offsets
        assert other_split.start == split.start
        assert other_split.slots == split.slots
        for state in range(len(split.table)):
            assert byte_stores(other_split, state) == byte_stores(split, state)


@pytest.mark.parametrize("rule", ["mailtourl", "newsurl", "fileurl"])
def test_an_unpacked_table_has_the_same_states(rule):
    automaton = SPECIFICATIONS["rfc1738"].languages[rule].automaton
    assert_same(pack(automaton), automaton, None)


@pytest.mark.parametrize("rule", ["mailtourl", "newsurl", "fileurl"])
def test_an_unpacked_table_has_the_same_split_table(rule):
    automaton = SPECIFICATIONS["rfc1738"].languages[rule].automaton
    split = split_table("rfc1738", rule)
    assert_same(pack(automaton, split), automaton, split)


def letters(classes: int) -> Automaton:
    """An automaton whose every character has a class and a state; the state of the first loops."""
    rows = [(SINK,) * classes, tuple(range(2, classes + 2)), (2, *[SINK] * (classes - 1))]
    rows += [(SINK,) * classes] * (classes - 1)
    return Automaton(
        {char: kind for kind, char in enumerate(ASCII[33 : 33 + classes])}, rows, 1, frozenset({2})
    )


def test_as_many_classes_as_there_is_room_for_are_packed():
    """Every other character has a class of its own, so one less than there is room for."""
    automaton = letters(CLASSES - 1)
    assert_same(pack(automaton), automaton, None)


def test_too_many_classes_are_refused():
    with pytest.raises(ValueError, match=f"{CLASSES + 1} classes; there is room for {CLASSES}"):
        pack(letters(CLASSES))


def test_too_many_components_are_refused():
    split = split_table("rfc1738", "mailtourl")
    wide = replace(split, components=("x",) * (COMPONENTS + 1))
    with pytest.raises(ValueError, match=f"{COMPONENTS + 1} components; there is room for {COMPONENTS}"):
        pack(SPECIFICATIONS["rfc1738"].languages["mailtourl"].automaton, wide)


def test_an_unpacked_start_state_accepts_although_no_transition_leads_to_it():
    """So the empty text is accepted."""
    automaton = Automaton({"a": 0}, [(SINK,), (2,), (SINK,)], 1, frozenset({1}))
    unpacked, _ = unpack(pack(automaton))
    assert unpacked.accepting == {1}
