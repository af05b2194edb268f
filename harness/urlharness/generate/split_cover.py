"""Texts that take every transition of a split table, each completed to a valid text by the shortest way.

A verdict does not show all that a grammar distinguishes: RFC 2396 gives a question mark and an exclamation
mark the same verdict everywhere, and different components.  The split table tells them apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from urlharness.generate.alphabet import ORDER
from urloracle.automaton import SINK, Automaton
from urloracle.transducer import SplitTable

#: A state of the table and one of the automaton, which the same text leads to.
_State = tuple[int, int]


def split_cover(table: SplitTable, automaton: Automaton, *, every_character: bool = False) -> Iterator[str]:
    """For each state and character that some text goes on with, a shortest text; each once, in a fixed order.

    The texts are those of the automaton, whose language the table splits, or more.  Of characters that table
    and automaton treat alike the first in `ORDER` is taken, or with `every_character` all of them.
    """
    kinds = {
        char: (table.classes[ord(char)], automaton.classes[char])
        for char in ORDER
        if char in automaton.classes
    }
    representative = {kind: char for char, kind in reversed(kinds.items())}
    first = {char: kind for char, kind in kinds.items() if representative[kind] == char}
    rows: dict[_State, dict[str, _State]] = {}
    beginnings = {(table.start, automaton.start): ""}
    queue = list(beginnings)
    for state in queue:
        row = rows[state] = {}
        for char, (kind, number) in first.items():
            target = table.table[state[0]][kind], automaton.table[state[1]][number]
            if SINK not in target:
                row[char] = target
                if target not in beginnings:
                    beginnings[target] = beginnings[state] + char
                    queue.append(target)
    endings = _endings(rows, {state: "" for state in rows if state[1] in automaton.accepting})
    given = set()
    for state, beginning in beginnings.items():
        for char, alike in (kinds if every_character else first).items():
            reached = rows[state].get(representative[alike])
            if reached is not None:
                text = beginning + char + endings[reached]
                if text not in given:
                    given.add(text)
                    yield text


def _endings(rows: Mapping[_State, Mapping[str, _State]], found: dict[_State, str]) -> Mapping[_State, str]:
    """For each state a shortest text that ends in one of those that have one."""
    while len(found) < len(rows):
        longer: dict[_State, str] = {}
        for state, row in rows.items():
            if state not in found:
                for char, target in row.items():
                    if target in found:
                        longer.setdefault(state, char + found[target])
        found |= longer
    return found
