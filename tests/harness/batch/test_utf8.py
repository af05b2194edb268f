"""Automata over the bytes of UTF-8 read what automata over characters read (RFC 3629, sections 3 and 4)."""

from __future__ import annotations

import pytest

from urlharness.batch.utf8 import byte_transitions, utf8_sequences
from urloracle.automata.dfa import SINK
from urloracle.grammar.alphabet import RANGES, Range

#: A range, and the sequences of byte ranges that are its characters.
SEQUENCES = [
    pytest.param(Range(0x41, 0x5A), [((0x41, 0x5A),)], id="one-byte"),
    pytest.param(Range(0xE9, 0xE9), [((0xC3, 0xC3), (0xA9, 0xA9))], id="one-character"),
    pytest.param(
        Range(0x7F, 0x80), [((0x7F, 0x7F),), ((0xC2, 0xC2), (0x80, 0x80))], id="between-two-lengths"
    ),
    pytest.param(
        Range(0xA0, 0x7FF),
        [((0xC2, 0xC2), (0xA0, 0xBF)), ((0xC3, 0xDF), (0x80, 0xBF))],
        id="first-byte-in-part",
    ),
    pytest.param(
        Range(0xF0000, 0xFFFFD),
        [
            ((0xF3, 0xF3), (0xB0, 0xBE), (0x80, 0xBF), (0x80, 0xBF)),
            ((0xF3, 0xF3), (0xBF, 0xBF), (0x80, 0xBE), (0x80, 0xBF)),
            ((0xF3, 0xF3), (0xBF, 0xBF), (0xBF, 0xBF), (0x80, 0xBD)),
        ],
        id="last-bytes-in-part",
    ),
]


@pytest.mark.parametrize(("span", "sequences"), SEQUENCES)
def test_a_range_of_characters_is_sequences_of_ranges_of_bytes(span, sequences):
    assert list(utf8_sequences(span)) == sequences


@pytest.mark.parametrize("span", RANGES, ids=lambda span: f"U+{span.first:04X}")
def test_the_sequences_of_a_range_have_its_characters_one_after_the_other(span):
    """From the first character of a sequence to its last one there are as many as it has."""
    following = span.first
    for sequence in utf8_sequences(span):
        first = ord(bytes(begin for begin, _ in sequence).decode())
        last = ord(bytes(end for _, end in sequence).decode())
        size = 1
        for begin, end in sequence:
            size *= end - begin + 1
        assert first == following
        assert size == last - first + 1
        following = last + 1
    assert following == span.last + 1


#: A DFA that reads a character of two ranges, and then `a`: 1 is the start, 2 between the two, 3 the end.
CLASSES = {"a": 0, "\u00a0": 1, "\u2010": 1, "\ue000": 2}
TABLE = [[SINK] * 3, [SINK, 2, SINK], [3, SINK, SINK], [SINK] * 3]


def state_after(transitions, text):
    """Return the state after bytes, from state 1 on."""
    state = 1
    for byte in text:
        state = int(transitions.following[state, byte])
    return state


@pytest.mark.parametrize(
    ("text", "state"),
    [
        pytest.param("\u00a0a".encode(), 3, id="first-of-a-range"),
        pytest.param("\u200da".encode(), 3, id="last-of-a-range"),
        pytest.param("\u2010a".encode(), 3, id="range-of-the-same-class"),
        pytest.param("\u009fa".encode(), SINK, id="before-the-range"),
        pytest.param("\u200ea".encode(), SINK, id="after-the-range"),
        pytest.param("\ue000".encode(), SINK, id="range-that-leads-to-the-sink"),
        pytest.param(b"\xe2a", SINK, id="cut-character"),
        pytest.param(b"\x80a", SINK, id="continuation-byte-alone"),
        pytest.param(b"\xe0\x82\xa0a", SINK, id="overlong"),
        pytest.param(b"\xc2\xa0", 2, id="after-the-character"),
    ],
)
def test_bytes_lead_where_their_characters_lead(text, state):
    assert state_after(byte_transitions(CLASSES, TABLE), text) == state


def test_the_states_between_characters_are_those_of_the_table():
    assert byte_transitions(CLASSES, TABLE).characters == len(TABLE)


def test_a_state_inside_a_character_comes_after_those_between_characters():
    transitions = byte_transitions(CLASSES, TABLE)
    assert state_after(transitions, b"\xc2") >= transitions.characters


def test_equal_states_inside_a_character_are_one():
    """C3 to DF can all be followed by the same bytes, and so can E1."""
    following = byte_transitions(CLASSES, TABLE).following
    assert following[1, 0xC3] == following[1, 0xDF]


def test_the_first_byte_of_a_character_stores_what_the_character_stores():
    stores = [[0] * 3, [0, 7, 0], [5, 0, 0], [0] * 3]
    transitions = byte_transitions(CLASSES, TABLE, stores)
    assert transitions.stores[1, 0xC2] == 7
    assert not transitions.stores[transitions.characters :].any()


def test_characters_with_one_first_byte_that_store_different_things_are_an_error():
    """U+E000 and U+F900 begin with EE and EF, U+F8FF and U+F900 both with EF."""
    classes = {"\ue000": 0, "\uf900": 1}
    with pytest.raises(ValueError, match=r"^characters that begin with 0xef store different things$"):
        byte_transitions(classes, [[SINK, SINK], [2, 2], [SINK, SINK]], [[0, 0], [3, 4], [0, 0]])
