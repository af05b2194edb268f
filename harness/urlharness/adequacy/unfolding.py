"""The subset automaton of a mutant, made only as far as texts and comparisons walk.

A mistake in a grammar may need millions of subsets, and shows after a few characters.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

from urloracle.automaton import SINK, Automaton, Prefix, Subsets
from urloracle.positions import PositionAutomaton


class _Rows(Sequence[tuple[int, ...]]):
    """The rows of a table, each made when it is first asked for."""

    def __init__(self, subsets: Subsets) -> None:
        self._subsets = subsets
        self._made: dict[int, tuple[int, ...]] = {}

    @overload
    def __getitem__(self, state: int) -> tuple[int, ...]: ...
    @overload
    def __getitem__(self, state: slice) -> Sequence[tuple[int, ...]]: ...
    def __getitem__(self, state: int | slice) -> tuple[int, ...] | Sequence[tuple[int, ...]]:
        if isinstance(state, slice):
            return [self[number] for number in range(*state.indices(len(self)))]
        row = self._made.get(state)
        if row is None:
            row = self._made[state] = self._subsets.row(state)
        return row

    def __len__(self) -> int:
        return len(self._subsets.states)


class Unfolded(Automaton):
    """An automaton of which `table` and `accepting` grow while it is walked; not to be minimized."""

    def longest_viable_prefix(self, text: str) -> Prefix:
        """The longest prefix after which some position is left."""
        state = self.start
        for length, character in enumerate(text):
            kind = self.classes.get(character)
            following = SINK if kind is None else self.table[state][kind]
            if following == SINK:
                return Prefix(length, state)
            state = following
        return Prefix(len(text), state)


def unfold(positions: PositionAutomaton, *, fold_scheme: bool) -> Unfolded:
    """The subset automaton of positions, nothing of it made yet; state 0 is the sink."""
    subsets = Subsets(positions, fold_scheme=fold_scheme)
    return Unfolded(subsets.classes, _Rows(subsets), subsets.start, subsets.accepting)
