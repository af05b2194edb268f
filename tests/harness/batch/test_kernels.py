"""The kernels: offsets by a table, the effect of a wrong table, and compiling without a cache."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from urlharness.batch import kernels
from urlharness.batch.kernels import write_error_places, write_final_states
from urlharness.batch.tables import dfa_table
from urloracle.automata.dfa import SINK
from urloracle.rfcs import SPECIFICATIONS

from .conftest import transition_cover


def kernel_offsets(table, words):
    """Return the place of the error of each word, in bytes, that the kernels find with a table."""
    encoded_words = [word.encode("utf-8", "surrogateescape") for word in words]
    octets = np.frombuffer(b"".join(encoded_words), np.uint8)
    bounds = np.cumsum([0, *map(len, encoded_words)], dtype=np.int32)
    octets.flags.writeable = False
    bounds.flags.writeable = False
    states = np.empty(len(words), np.uint16)
    places = np.empty(len(words), np.int32)
    write_final_states(octets, bounds, 0, len(words), table.following, table.start, states)
    write_error_places(octets, bounds, 0, len(words), *table, states, places)
    return places.tolist()


URI = SPECIFICATIONS["rfc3986"].automaton("URI")


@pytest.mark.parametrize(
    ("character", "following"),
    [pytest.param("A", SINK, id="to-the-sink"), pytest.param("%", URI.start, id="not-to-the-sink")],
)
def test_a_planted_transition_changes_an_offset(character, following):
    """A row of the table has 256 entries, one for each byte."""
    words = list(transition_cover(URI))
    right_table = dfa_table(URI)
    faulty = right_table.following.copy()
    faulty[right_table.start << 8 | ord(character)] = following
    faulty.flags.writeable = False
    right_offsets = kernel_offsets(right_table, words)
    assert kernel_offsets(right_table._replace(following=faulty), words) != right_offsets


@pytest.mark.parametrize("shift", [-1, 1])
def test_a_planted_accepting_state_too_many_or_too_few_changes_an_offset(shift):
    """The accepting states come last in the table, from a number on."""
    automaton = SPECIFICATIONS["rfc3986"].automaton("URI-reference")
    words = list(transition_cover(automaton))
    right_table = dfa_table(automaton)
    faulty_table = right_table._replace(accepting=right_table.accepting + shift)
    assert kernel_offsets(faulty_table, words) != kernel_offsets(right_table, words)


#: A first byte of UTF-8 without the rest of its character, for each of them, as Python decodes it.
CUT_CHARACTERS = [chr(0xDC00 + lead) for lead in range(0xC2, 0xF5)]


@pytest.mark.parametrize("shift", [-1, 1])
def test_a_planted_state_inside_a_character_too_many_or_too_few_changes_a_place(shift):
    """The error of a cut character is at its first byte, and otherwise where the text ends."""
    automaton = SPECIFICATIONS["rfc3987"].automaton("IRI-reference")
    words = [*transition_cover(automaton), *CUT_CHARACTERS]
    right_table = dfa_table(automaton)
    faulty_table = right_table._replace(inside=right_table.inside + shift)
    assert kernel_offsets(faulty_table, words) != kernel_offsets(right_table, words)


def test_kernels_are_compiled_without_a_writable_cache(monkeypatch):
    """Kernels are compiled even if no cache folder is writable."""
    njit = numba.njit

    def without_cache(*, cache=False, **options):
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return njit(**options)

    monkeypatch.setattr(numba, "njit", without_cache)
    assert kernels.kernel(lambda number: number + 1)(1) == 2
