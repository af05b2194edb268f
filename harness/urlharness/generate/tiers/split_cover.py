"""Texts that check every transition of a split table by their verdict or their components.

Verdicts do not show every distinction of a grammar: in RFC 2396, a question mark instead of an exclamation
mark never changes the verdict, but it changes the components. The split table distinguishes these characters.
Each text of the suite consists of an access text to a state, a character, and a text that separates the next
state from others, by verdict or by where components begin and end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from urlharness.generate.tiers.hsi import families_of
from urlharness.words.paths import ORDER
from urloracle.automata.dfa import SINK, Automaton
from urloracle.automata.split_table import SplitTable

#: The states of table and automaton after the same text. Either both are the sink, or neither is.
_State = tuple[int, int]
#: The classes of a character in table and automaton, or None if no text of the rule contains the character.
_CharacterClasses = tuple[int, int] | None

_DEAD: _State = (SINK, SINK)


def split_cover(table: SplitTable, automaton: Automaton, *, every_character: bool = False) -> Iterator[str]:
    """Yield the texts of the suite, each once, in a fixed order.

    The automaton decides which texts are valid. The table must split at least these texts. Of characters that
    neither table nor automaton distinguishes, only the first in `ORDER` is used, or all of them if
    `every_character`. Characters that no text of the rule contains are also used.
    """
    kinds: dict[str, _CharacterClasses] = {
        char: (table.classes[ord(char)], automaton.classes[char]) if char in automaton.classes else None
        for char in ORDER
    }
    first: dict[_CharacterClasses, str] = {}
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
        if beginning is None:  # skip the sink, because no valid text passes through it
            continue
        for char, kind in (kinds if every_character else representatives).items():
            for end in families[rows[number][first[kind]]]:
                text = beginning + char + end
                if text not in seen:
                    seen.add(text)
                    yield text


def _explore(
    table: SplitTable, automaton: Automaton, letters: Mapping[str, _CharacterClasses]
) -> tuple[Mapping[_State, int], Sequence[str | None], Sequence[Mapping[str, int]]]:
    """Return (number of each state, shortest texts to the states, next states by character).

    The shortest texts and the next states are in the order of the numbers. The sink has number 0.
    """
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
