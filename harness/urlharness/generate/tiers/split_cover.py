"""Texts that check every transition of a split table by their verdict or their components.

Verdicts do not show every distinction of a grammar: in RFC 2396, a question mark instead of an exclamation
mark never changes the verdict, but it changes the components. The split table distinguishes these characters.
Each text of the suite consists of an access text to a state, a character, and a text that separates the next
state from others, by verdict or by where components begin and end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from urlharness.generate.tiers.hsi import families_of
from urlharness.words.members import ALL_MEMBERS
from urlharness.words.paths import ORDER
from urloracle.automata.dfa import SINK, Automaton
from urloracle.automata.split_table import SplitTable
from urloracle.grammar.alphabet import stand_ins

#: The states of table and automaton after the same text. Either both are the sink, or neither is.
_State = tuple[int, int]
#: The classes of a character in table and automaton, or None if no text of the rule contains the character.
_CharacterClasses = tuple[int, int] | None

_SINKS: _State = (SINK, SINK)


def split_cover(table: SplitTable, automaton: Automaton, *, every_character: bool = False) -> Iterator[str]:
    """Yield the texts of the suite, each once, in a fixed order.

    The automaton decides which texts are valid. The table must split at least these texts. Of characters that
    neither table nor automaton distinguishes, only the first in `ORDER` is used, or all of them if
    `every_character`. Characters that no text of the rule contains are also used.
    """
    order = ORDER + ALL_MEMBERS if automaton.reads_beyond_ascii else ORDER
    kinds = {char: _kind(table, automaton, char) for char in order}
    first_of_kind: dict[_CharacterClasses, str] = {}
    for char, kind in kinds.items():
        first_of_kind.setdefault(kind, char)
    representatives = {char: kind for kind, char in first_of_kind.items()}
    numbers, access_texts, rows = _explore(table, automaton, representatives)
    outputs: dict[object, list[int]] = {}
    for (split_state, state), number in numbers.items():
        output = table.finals[split_state] if state in automaton.accepting else None
        outputs.setdefault(output, []).append(number)
    families = families_of(rows, [frozenset(states) for states in outputs.values()])
    characters = kinds if every_character else representatives
    seen = set()
    for access_text, row in zip(access_texts, rows, strict=True):
        if access_text is None:  # skip the sink, because no valid text passes through it
            continue
        for char, kind in characters.items():
            for end in families[row[first_of_kind[kind]]]:
                text = access_text + char + end
                if text not in seen:
                    seen.add(text)
                    yield text


def _kind(table: SplitTable, automaton: Automaton, char: str) -> _CharacterClasses:
    """Return the classes of a character in table and automaton."""
    letter = stand_ins(char)
    if letter not in automaton.classes:
        return None
    return table.kind_of(char), automaton.classes[letter]


def _explore(
    table: SplitTable, automaton: Automaton, characters: Mapping[str, _CharacterClasses]
) -> tuple[Mapping[_State, int], Sequence[str | None], Sequence[Mapping[str, int]]]:
    """Return (number of each state, shortest texts to the states, next states by character).

    The shortest texts and the next states are in the order of the numbers. The sink has number 0.
    """
    start = (table.start, automaton.start)
    numbers = {_SINKS: 0, start: 1}
    access: list[str | None] = [None, ""]  # None for the sink, which is never in the queue
    rows: list[dict[str, int]] = [dict.fromkeys(characters, 0)]
    queue = [start]
    for source in queue:  # which grows in the loop
        row: dict[str, int] = {}
        for char, kind in characters.items():
            target = _target(table, automaton, source, kind)
            if target not in numbers:
                numbers[target] = len(numbers)
                access.append(f"{access[numbers[source]]}{char}")
                queue.append(target)
            row[char] = numbers[target]
        rows.append(row)
    return numbers, access, rows


def _target(table: SplitTable, automaton: Automaton, source: _State, kind: _CharacterClasses) -> _State:
    """Return the states after a character of a kind."""
    if kind is None:
        return _SINKS
    split_state, state = source
    split_kind, automaton_kind = kind
    target = (table.table[split_state][split_kind], automaton.table[state][automaton_kind])
    return _SINKS if SINK in target else target
