"""Texts that take every transition of a split table and show by components or verdict where it leads.

A verdict does not show all that a grammar distinguishes: RFC 2396 gives a question mark and an exclamation
mark the same verdict everywhere, and different components.  The split table tells them apart.  Its suite is
made as those of automata are: a way to each state, a character, and the words that tell the state that it
leads to from others, by where components would begin and end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from urlharness.generate.hsi import ORDER, families_of
from urloracle.automata.dfa import SINK, Automaton
from urloracle.automata.split_table import SplitTable

#: A state of the table and one of the automaton, which the same text leads to; both are in the sink or none.
_State = tuple[int, int]


_LOST: _State = (SINK, SINK)


def split_cover(table: SplitTable, automaton: Automaton, *, every_character: bool = False) -> Iterator[str]:
    """The words of the suite; each once, in a fixed order.

    The valid ones are those of the automaton, whose language the table splits, or more.  Of characters that
    table and automaton treat alike the first in `ORDER` is taken, or with `every_character` all of them;
    those that no member has are among them.
    """
    kinds = {
        char: (table.classes[ord(char)], automaton.classes[char]) if char in automaton.classes else None
        for char in ORDER
    }
    first: dict[tuple[int, int] | None, str] = {}
    for char, kind in kinds.items():
        first.setdefault(kind, char)
    numbers, beginnings, rows = _explored(table, automaton, {char: kind for kind, char in first.items()})
    outputs: dict[object, list[int]] = {}
    for (split, state), number in numbers.items():
        shown = table.finals[split] if state in automaton.accepting else None
        outputs.setdefault(shown, []).append(number)
    families = families_of(rows, [frozenset(some) for some in outputs.values()])
    alphabet = kinds if every_character else {char: kind for kind, char in first.items()}
    given = set()
    for number, beginning in enumerate(beginnings):
        if beginning is None:  # of the sink: nothing goes on from there
            continue
        for char, kind in alphabet.items():
            reached = rows[number][first[kind]]
            for end in families[reached]:
                text = beginning + char + end
                if text not in given:
                    given.add(text)
                    yield text


def _explored(
    table: SplitTable, automaton: Automaton, letters: Mapping[str, tuple[int, int] | None]
) -> tuple[Mapping[_State, int], Sequence[str | None], Sequence[Mapping[str, int]]]:
    """The states with their numbers, a shortest text to each, and for each the next ones; the sink is 0."""
    start = (table.start, automaton.start)
    numbers = {_LOST: 0, start: 1}
    beginnings: list[str | None] = [None, ""]
    rows: list[dict[str, int]] = [dict.fromkeys(letters, 0)]
    queue = [start]
    for split, state in queue:
        row: dict[str, int] = {}
        for char, kind in letters.items():
            target = _LOST if kind is None else (table.table[split][kind[0]], automaton.table[state][kind[1]])
            if SINK in target:
                target = _LOST
            if target not in numbers:
                numbers[target] = len(numbers)
                beginnings.append(f"{beginnings[numbers[split, state]]}{char}")
                queue.append(target)
            row[char] = numbers[target]
        rows.append(row)
    return numbers, beginnings, rows
