"""The kernels: offsets by a table, the effect of a wrong table, and compiling without a cache."""

from __future__ import annotations

import numba
import numpy as np

from urlharness.batch import kernels
from urlharness.batch.kernels import final_states, rejecting_offsets
from urlharness.batch.tables import table
from urloracle.rfcs import SPECIFICATIONS

from .conftest import transition_cover


def kernel_offsets(table, words):
    """Return the error offset of each word that the kernels find with a table."""
    octets = [word.encode() for word in words]
    data = np.frombuffer(b"".join(octets), np.uint8)
    offsets = np.cumsum([0, *map(len, octets)], dtype=np.int32)
    data.flags.writeable = offsets.flags.writeable = False
    states, places = np.empty(len(words), np.uint16), np.empty(len(words), np.int32)
    final_states(data, offsets, 0, len(words), table.following, table.start, states)
    rejecting_offsets(
        data, offsets, 0, len(words), table.following, table.start, table.accepting, states, places
    )
    return places.tolist()


def test_a_planted_transition_is_seen():
    """If a transition leads to the sink, or no longer does, some word of the cover has another offset."""
    automaton = SPECIFICATIONS["rfc3986"].automaton("URI")
    words = list(transition_cover(automaton))
    transitions = table(automaton)
    right = kernel_offsets(transitions, words)
    for index, state in (
        (transitions.start << 8 | ord("A"), 0),
        (transitions.start << 8 | ord("%"), transitions.start),
    ):
        faulty = transitions.following.copy()
        faulty[index] = state
        faulty.flags.writeable = False
        assert kernel_offsets(transitions._replace(following=faulty), words) != right


def test_a_planted_acceptance_is_seen():
    """A state that accepts too much, or too little."""
    specification = SPECIFICATIONS["rfc3986"]
    automaton = specification.automaton("URI-reference")
    words = list(transition_cover(automaton))
    acceptance = table(automaton)
    for shift in (-1, 1):
        assert kernel_offsets(
            acceptance._replace(accepting=acceptance.accepting + shift), words
        ) != kernel_offsets(acceptance, words)


def test_kernels_are_compiled_without_a_writable_cache(monkeypatch):
    """Kernels are compiled even if no cache folder is writable."""
    njit = numba.njit

    def without_cache(*, cache=False, **options):
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return njit(**options)

    monkeypatch.setattr(numba, "njit", without_cache)
    assert kernels.kernel(lambda number: number + 1)(1) == 2
