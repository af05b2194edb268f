"""A proof that a split table gives the split of its bracketed language, for all texts at once.

Table and language walk together.  It is known which slot holds the place of each bracket passed, if any does,
and which slots have never been stored into: there are finitely many such situations.
"""

from __future__ import annotations

from typing import NamedTuple

from urloracle.automata.dfa import SINK
from urloracle.automata.split_table import DISCARD, END, SplitTable
from urloracle.grammar.alphabet import STAND_INS

from .ambiguity import BracketedLanguage

LOST = -1  # in place of a slot: none holds the place of the bracket any more


class Situation(NamedTuple):
    """`places` has the slot of each bracket, None for one not passed; `last` is what was stored into last."""

    state: int
    word: int
    places: tuple[int | None, ...]
    empty: frozenset[int]
    last: int


def disagreement(split_table: SplitTable, language: BracketedLanguage) -> str | None:
    """Return a text of an unambiguous language that the table splits otherwise, or None if there is none.

    If the table refuses a text, return the beginning at which it does.
    """
    shifted = [number for offset in split_table.offsets for number in (offset, 0)]
    kinds = {
        (kind, kind_of(split_table, char)): char
        for char, kind in language.automaton.classes.items()
        if kind in language.letters
    }
    empty = frozenset(range(split_table.slots)) - {DISCARD, END}
    start = Situation(split_table.start, language.automaton.start, (None,) * len(shifted), empty, LOST)
    texts = {start: ""}
    queue = [start]
    for reading in queue:
        for passed in language.ends[reading.word]:
            places = _passed(reading, passed, END, shifted)
            if not _reads(split_table.finals[reading.state], places, reading.empty):
                return texts[reading]
        for (letter, kind), char in kinds.items():
            slot = split_table.stores[reading.state][kind]
            state = split_table.table[reading.state][kind]
            for arrow in language.arrows[reading.word][letter]:
                if state == SINK:
                    return texts[reading] + char
                lost = reading._replace(
                    places=tuple(
                        LOST if bracket_slot == slot else bracket_slot for bracket_slot in reading.places
                    ),
                    last=LOST if reading.last == slot else reading.last,
                )
                places = _passed(lost, arrow.brackets, slot, shifted)
                following = Situation(state, arrow.target, places, reading.empty - {slot}, slot)
                if following not in texts:
                    texts[following] = texts[reading] + char
                    queue.append(following)
    return None


def kind_of(split_table: SplitTable, letter: str) -> int:
    """Return the class of a letter in a table."""
    if letter.isascii():
        return split_table.classes[ord(letter)]
    return split_table.beyond[STAND_INS.index(letter)]


def _passed(reading: Situation, brackets: str, slot: int, shifted: list[int]) -> tuple[int | None, ...]:
    """Return the places of passed brackets: noted in `slot`, or one character ago if they are shifted."""
    places = list(reading.places)
    for bracket in map(ord, brackets):
        places[bracket] = reading.last if shifted[bracket] else slot
    return tuple(places)


def _reads(final: tuple[int, ...], places: tuple[int | None, ...], empty: frozenset[int]) -> bool:
    """True where the slots read at an end are those of the places, and empty for what is absent."""
    pairs = zip(final[::2], final[1::2], places[::2], places[1::2], strict=True)
    return bool(final) and all(
        end in empty if opening is None else (begin, end) == (opening, closing)
        for begin, end, opening, closing in pairs
    )
