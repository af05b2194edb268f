"""The automaton of a rule as the arrays that the kernels read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from urloracle.automaton import SINK, Automaton

_BYTES = 256
_MOST = 1 << 16  # states that two bytes can tell apart


class Table(NamedTuple):
    """A complete automaton over bytes, laid out for the kernels.

    `following[state << 8 | byte]` is the next state, as uint16; state 0 is the sink; the states from
    `accepting` on accept.  Bytes above 127 lead to the sink.
    """

    following: Any
    start: int
    accepting: int


def table(automaton: Automaton) -> Table:
    """The table of an automaton; its states are numbered anew, the accepting ones last."""
    states = range(len(automaton.table))
    order = sorted(states, key=lambda state: (state in automaton.accepting, state))
    assert order[SINK] == SINK  # the sink accepts nothing
    number = {state: place for place, state in enumerate(order)}
    rows = [[number[following] for following in automaton.table[state]] for state in order]
    following = byte_table(automaton.classes, rows)
    return Table(following, number[automaton.start], len(rows) - len(automaton.accepting))


def byte_table(classes: Mapping[str, int], rows: Sequence[Sequence[int]]) -> Any:
    """The next states by state and byte, one array, from those by state and class of characters."""
    if len(rows) > _MOST:
        raise ValueError(f"an automaton of {len(rows)} states; the engine has room for {_MOST}")
    by_class = np.array(rows, np.uint16)
    following = np.full((len(rows), _BYTES), SINK, np.uint16)
    for character, number in classes.items():
        following[:, ord(character)] = by_class[:, number]
    return following.reshape(-1)
