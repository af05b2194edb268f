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

# creates a named tuple three times as fast as a call of its class
_new = tuple.__new__


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
        self._forbidden = [
            tuple(one for one in self.classes if one.members[0] not in allowed) for allowed in self._rows
        ]
        #: By state: the kinds of edits that break a word before its end, without and with deletion.
        self._kinds = [tuple(self._before_end(state)) for state in range(len(self._rows))]

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
        size = len(word)
        at = place = (first & _HALF) * (size + 1) >> 32
        rows, state = self._rows, self.state(word[:at])
        while True:
            if kinds := self._kinds_at(word, at, state):
                kind = kinds[(first >> 32) * len(kinds) >> 32]
                if kind in _SHORTER:
                    return self._short(word, at, state, kind)
                forbidden = self._forbidden[state]
                one = forbidden[(second & _HALF) * len(forbidden) >> 32].members
                return self._out(word, at, state, one[(second >> 32) * len(one) >> 32], kind)
            at, state = (at + 1, rows[state][word[at]]) if at < size else (0, self._start)
            if at == place:
                return None

    def all_breaks(self, word: str) -> Iterator[Broken]:
        """Yield every way to break a word by one edit."""
        for at, state in enumerate(self.states(word)):
            kinds = self._kinds_at(word, at, state)
            for char in chain.from_iterable(one.members for one in self.forbidden(state)):
                yield from (self._out(word, at, state, char, kind) for kind in kinds if kind not in _SHORTER)
            yield from (self._short(word, at, state, kind) for kind in kinds if kind in _SHORTER)

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
        return self._forbidden[state]

    def _before_end(self, state: int) -> Iterator[tuple[EditKind, ...]]:
        longer: tuple[EditKind, ...] = ("insert", "replace") if self._forbidden[state] else ()
        cut: tuple[EditKind, ...] = () if state in self._accepting else ("cut",)
        yield (*longer, *cut)
        yield (*longer, "delete", *cut)

    def _kinds_at(self, word: str, at: int, state: int) -> tuple[EditKind, ...]:
        """Return the kinds of edits that break a word at an offset."""
        if at == len(word):
            return ("append",) if self._forbidden[state] else ()
        after = word[at + 1 : at + 2]
        return self._kinds[state][after not in self._rows[state] if after else state not in self._accepting]

    def _out(self, word: str, at: int, state: int, char: str, kind: EditKind) -> Broken:
        """Insert or append a forbidden character, or replace a character by it, as `kind` says."""
        removed = word[at] if kind == "replace" else ""
        text = f"{word[:at]}{char}{word[at + len(removed) :]}"
        return _new(Broken, (text, at, self._names[char], state, _new(Edit, (kind, at, removed, char))))

    def _short(self, word: str, at: int, state: int, kind: EditKind) -> Broken:
        """Delete the character at `at`, or everything from there, as `kind` says."""
        removed = word[at:] if kind == "cut" else word[at]
        text = word[:at] + word[at + len(removed) :]
        after = text[at : at + 1]
        edit = _new(Edit, (kind, at, removed, ""))
        return _new(Broken, (text, at, self._names[after] if after else None, state, edit))


def _spliced(one: str, other: str, at: int, place: int) -> tuple[str, Edit]:
    edit = Edit("splice", at, one[at:], other[place:])
    return edit.apply(one), edit
