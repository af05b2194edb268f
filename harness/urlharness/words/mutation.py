"""Edits of words with the help of an automaton: edits that leave the language, near misses, splices.

Each text outside the language comes with the offset of the error, so callers need not parse it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, chain
from random import Random
from typing import Literal, NamedTuple

from urlharness.words.paths import CharacterClass, character_classes
from urlharness.words.sampling import below, numbers
from urloracle.automata.dfa import SINK, Automaton

EditKind = Literal["replace", "insert", "delete", "cut", "append", "splice"]

#: The kinds of edits that only remove characters.
_SHORTER: tuple[EditKind, ...] = ("delete", "cut")

_HALF = (1 << 32) - 1


class Edit(NamedTuple):
    """An edit of a valid text: at offset `at`, `inserted` replaces `removed`."""

    kind: EditKind
    at: int
    removed: str = ""
    inserted: str = ""

    def apply(self, text: str) -> str:
        """Return the text after the edit."""
        return text[: self.at] + self.inserted + text[self.at + len(self.removed) :]


class Broken(NamedTuple):
    """A text outside the language, and the edit that made it from a word.

    `offset` is that of the first character that cannot continue a word, or the length of the text if it ends
    too early. `kind` is the name of the class of this character, or None at the end of the text. `state` is
    the state of the automaton at `offset`.
    """

    text: str
    offset: int
    kind: str | None
    state: int
    edit: Edit


class Mutator:
    """Edits words of one automaton."""

    def __init__(self, automaton: Automaton) -> None:
        self._start, self._accepting = automaton.start, automaton.accepting
        self._rows = [
            {char: row[number] for char, number in automaton.classes.items() if row[number] != SINK}
            for row in automaton.table
        ]
        self.classes = character_classes(automaton)
        self._names = {char: one.name for one in self.classes for char in one.members}
        self._forbidden: dict[int, tuple[CharacterClass, ...]] = {}

    def class_of(self, char: str) -> str:
        """Return the name of the class of a character."""
        named = self._names.get(char)
        if named is None:
            return "no UTF-8" if "\ud800" <= char <= "\udfff" else "beyond ASCII"
        return named

    def state(self, prefix: str) -> int:
        """Return the state after a prefix of a word."""
        rows, state = self._rows, self._start
        for char in prefix:
            state = rows[state][char]
        return state

    def states(self, prefix: str) -> list[int]:
        """Return the state before each character of a prefix of a word, and the state after the last one."""
        return list(accumulate(prefix, lambda state, char: self._rows[state][char], initial=self._start))

    def breaks(self, word: str, random: Random) -> Broken | None:
        """Break a word by one random edit. Return None if no edit breaks it."""
        return self.broken(word, *numbers(random, 2))

    def broken(self, word: str, first: int, second: int) -> Broken | None:
        """Break a word by the edit that two numbers of 64 bits choose. Return None if no edit breaks it.

        The halves of the numbers choose the offset, the kind of edit, the class of the character that is
        inserted, and the character. If no edit breaks the word at the offset, the next offset is tried.
        """
        size = len(word) + 1
        place = (first & _HALF) * size >> 32
        for at in chain(range(place, size), range(place)):
            state = self.state(word[:at])
            forbidden = self.forbidden(state)
            kinds: list[EditKind] = []
            if forbidden:
                kinds += ("insert", "replace") if at < len(word) else ("append",)
            if at < len(word):
                kinds += (kind for kind in _SHORTER if self._is_short(word, at, state, kind))
            if kinds:
                kind = kinds[(first >> 32) * len(kinds) >> 32]
                if kind in _SHORTER:
                    return self._short(word, at, state, kind)
                one = forbidden[(second & _HALF) * len(forbidden) >> 32].members
                return self._out(word, at, state, one[(second >> 32) * len(one) >> 32], kind)
        return None

    def all_breaks(self, word: str) -> Iterator[Broken]:
        """Yield every way to break a word by one edit."""
        for at, state in enumerate(self.states(word)):
            for char in chain.from_iterable(one.members for one in self.forbidden(state)):
                if at == len(word):
                    yield self._out(word, at, state, char, "append")
                else:
                    yield self._out(word, at, state, char, "insert")
                    yield self._out(word, at, state, char, "replace")
            for kind in _SHORTER if at < len(word) else ():
                if self._is_short(word, at, state, kind):
                    yield self._short(word, at, state, kind)

    def near_misses(self, prefix: str) -> Iterator[Broken]:
        """Yield a prefix of a word once for each forbidden class, followed by a character of this class.

        If the prefix is not a word, also yield it alone.
        """
        state = self.state(prefix)
        for one in self.forbidden(state):
            yield self._out(prefix, len(prefix), state, one.members[0], "append")
        if state not in self._accepting:
            yield Broken(prefix, len(prefix), None, state, Edit("cut", len(prefix)))

    def splice(self, one: str, other: str, random: Random) -> tuple[str, Edit] | None:
        """Join the beginning of one word to the end of another at a state that both pass.

        Return (word, edit). The word differs from both given words. Return None if there is no such word.
        """
        joints = list(self._joints(one, other))
        if not joints:
            return None
        return _spliced(one, other, *joints[below(random, len(joints))])

    def all_splices(self, one: str, other: str) -> Iterator[tuple[str, Edit]]:
        """Yield (word, edit) for every way to join the beginning of one word to the end of another."""
        return (_spliced(one, other, *joint) for joint in self._joints(one, other))

    def _joints(self, one: str, other: str) -> Iterator[tuple[int, int]]:
        places: dict[int, list[int]] = {}
        for at, state in enumerate(self.states(other)):
            places.setdefault(state, []).append(at)
        for at, state in enumerate(self.states(one)):
            for place in places.get(state, ()):
                if one[:at] != other[:place] and one[at:] != other[place:]:
                    yield at, place

    def forbidden(self, state: int) -> tuple[CharacterClass, ...]:
        """Return the classes of characters that cannot continue a word in a state."""
        found = self._forbidden.get(state)
        if found is None:
            allowed = self._rows[state]
            found = tuple(one for one in self.classes if one.members[0] not in allowed)
            self._forbidden[state] = found
        return found

    def _out(self, word: str, at: int, state: int, char: str, kind: EditKind) -> Broken:
        """Insert or append a forbidden character, or replace a character by it, as `kind` says."""
        edit = Edit(kind, at, word[at] if kind == "replace" else "", char)
        return Broken(edit.apply(word), at, self._names[char], state, edit)

    def _is_short(self, word: str, at: int, state: int, kind: EditKind) -> bool:
        """Return True if deleting the character at `at`, or everything from there, breaks the word there."""
        after = "" if kind == "cut" else word[at + 1 : at + 2]
        return after not in self._rows[state] if after else state not in self._accepting

    def _short(self, word: str, at: int, state: int, kind: EditKind) -> Broken:
        """Delete the character at `at`, or everything from there, as `kind` says."""
        edit = Edit(kind, at, word[at:] if kind == "cut" else word[at])
        after = edit.apply(word)[at : at + 1]
        return Broken(edit.apply(word), at, self._names[after] if after else None, state, edit)


def _spliced(one: str, other: str, at: int, place: int) -> tuple[str, Edit]:
    edit = Edit("splice", at, one[at:], other[place:])
    return edit.apply(one), edit
