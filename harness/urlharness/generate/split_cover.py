"""Texts that take every transition of a split table, and show by components or verdict where it leads.

A verdict does not show all that a grammar distinguishes: in RFC 2396 a question mark and an exclamation mark
have the same verdict everywhere, and different components.  The split table distinguishes them.  Its suite is
made as those of automata are: an access text to each state, a character, and texts that separate the state
that it leads to from others, by where components would begin and end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from urlharness.generate.hsi import ORDER, families_of
from urloracle.automata.dfa import SINK, Automaton
from urloracle.automata.split_table import SplitTable

#: A state of the table and one of the automaton that the same text leads to; both are the sink or neither is.
_State = tuple[int, int]
#: The class of a character in the table and in the automaton, or None if no member has the character.
_Kind = tuple[int, int] | None

_DEAD: _State = (SINK, SINK)


def split_cover(table: SplitTable, automaton: Automaton, *, every_character: bool = False) -> Iterator[str]:
    """Yield the texts of the suite, each once, in a fixed order.

    Valid texts are those of the automaton; the table splits its language, or more.  Of the characters that
    table and automaton treat alike the first in `ORDER` is used, or with `every_character` all of them.
    Characters that no member has are included.
    """
    kinds: dict[str, _Kind] = {
        char: (table.classes[ord(char)], automaton.classes[char]) if char in automaton.classes else None
        for char in ORDER
    }
    first: dict[_Kind, str] = {}
    for char, kind in kinds.items():
        first.setdefault(kind, char)
    representatives = {char: kind for kind, char in first.items()}
    numbers, access, rows = _explore(table, automaton, representatives)
    outputs: dict[object, list[int]] = {}
    for (split, state), number in numbers.items():
        output = table.finals[split] if state in automaton.accepting else None
        outputs.setdefault(output, []).append(number)
    families = families_of(rows, [frozenset(states) for states in outputs.values()])
    seen = set()
    for number, beginning in enumerate(access):
        if beginning is None:  # the sink: nothing continues from there
            continue
        for char, kind in (kinds if every_character else representatives).items():
            for end in families[rows[number][first[kind]]]:
                text = beginning + char + end
                if text not in seen:
                    seen.add(text)
                    yield text


def _explore(
    table: SplitTable, automaton: Automaton, letters: Mapping[str, _Kind]
) -> tuple[Mapping[_State, int], Sequence[str | None], Sequence[Mapping[str, int]]]:
    """Return the numbers of the states, a shortest text to each, and its next states; the sink is 0."""
    start = (table.start, automaton.start)
    numbers = {_DEAD: 0, start: 1}
    access: list[str | None] = [None, ""]
    rows: list[dict[str, int]] = [dict.fromkeys(letters, 0)]
    queue = [start]
    for split, state in queue:
        row: dict[str, int] = {}
        for char, kind in letters.items():
            target = _DEAD if kind is None else (table.table[split][kind[0]], automaton.table[state][kind[1]])
            if SINK in target:
                target = _DEAD
            if target not in numbers:
                numbers[target] = len(numbers)
                access.append(f"{access[numbers[split, state]]}{char}")
                queue.append(target)
            row[char] = numbers[target]
        rows.append(row)
    return numbers, access, rows
