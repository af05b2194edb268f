"""The nearest valid text: one edit away from an invalid one, where there is such a text.

The automaton is walked from both ends: forwards to every offset that the text reaches, backwards to the
states from which the rest of the text is accepted.  An edit fits where it joins the two.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from urloracle.automaton import SINK, Automaton

# the walk backwards costs states times characters; longer texts are not worth the wait
_LONGEST = 4096


class Repair(NamedTuple):
    """A valid text, and the edit that leads to it: what is done at which offset, with which character."""

    text: str
    edit: Literal["insert", "replace", "delete"]
    offset: int
    character: str


def nearest(automaton: Automaton, text: str, position: int) -> Repair | None:
    """A member one edit away from a text that goes wrong at the position; None if there is none.

    Nothing behind the position can help, so the offsets are tried from there to the beginning: at each a
    character deleted, then replaced, then inserted, the first in ASCII order.
    """
    if len(text) > _LONGEST:
        return None
    accepted = _accepting_suffixes(automaton, text)
    states = _states(automaton, text, position)
    for offset in range(position, -1, -1):
        state = states[offset]
        if offset < len(text):
            if state in accepted[offset + 1]:
                return Repair(text[:offset] + text[offset + 1 :], "delete", offset, text[offset])
            found = _joining(automaton, state, accepted[offset + 1])
            if found is not None:
                return Repair(text[:offset] + found + text[offset + 1 :], "replace", offset, found)
        found = _joining(automaton, state, accepted[offset])
        if found is not None:
            return Repair(text[:offset] + found + text[offset:], "insert", offset, found)
    return None


def _joining(automaton: Automaton, state: int, wanted: frozenset[int]) -> str | None:
    """The first character that leads from a state into a set of states."""
    row = automaton.table[state]
    fitting = (char for char, kind in automaton.classes.items() if row[kind] in wanted)
    return min(fitting, default=None)


def _states(automaton: Automaton, text: str, position: int) -> list[int]:
    """The state in front of each character up to the position."""
    states = [automaton.start]
    for char in text[:position]:
        states.append(automaton.table[states[-1]][automaton.classes[char]])
    return states


def _accepting_suffixes(automaton: Automaton, text: str) -> list[frozenset[int]]:
    """For each offset the states from which the rest of the text is accepted."""
    found = [frozenset(automaton.accepting)]
    for char in reversed(text):
        kind = automaton.classes.get(char)
        if kind is None or not found[-1]:
            found.append(frozenset())
            continue
        found.append(
            frozenset(
                state
                for state, row in enumerate(automaton.table)
                if row[kind] != SINK and row[kind] in found[-1]
            )
        )
    found.reverse()
    return found
