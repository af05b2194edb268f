"""Edits of words by the automaton: one edge out of the language, a forbidden character next, splices.

Each result knows where the text leaves the language, so it needs no second reading; who uses it may check it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, chain
from random import Random
from typing import Literal, NamedTuple

from urlharness.words.paths import CharacterClass, character_classes
from urlharness.words.sampling import below
from urloracle.automata.dfa import SINK, Automaton

EditKind = Literal["replace", "insert", "delete", "cut", "append", "splice"]

#: After so many edits that do not leave the language, a word is given up.
_ATTEMPTS = 20


class Edit(NamedTuple):
    """What made a text from a valid one: at an offset, `removed` gave way to `inserted`."""

    kind: EditKind
    at: int
    removed: str = ""
    inserted: str = ""

    def apply(self, text: str) -> str:
        """Return the text after the edit; a splice removes the rest of the text."""
        return text[: self.at] + self.inserted + text[self.at + len(self.removed) :]


class Broken(NamedTuple):
    """A text outside the language: the offset of the first character with which no word continues.

    `kind` is the name of the class of that character, or None if the text ends too early; `state` is the
    state of the automaton before it.
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
        self._classes = character_classes(automaton)
        self._names = {char: one.name for one in self._classes for char in one.members}
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
        """Return the states before each character of a prefix of a word, and after the last."""
        return list(accumulate(prefix, lambda state, char: self._rows[state][char], initial=self._start))

    def breaks(self, word: str, random: Random) -> Broken | None:
        """Break a word by one random edit; return None if no edit was found."""
        for _ in range(_ATTEMPTS):
            at = below(random, len(word) + 1)
            state = self.state(word[:at])
            forbidden = self.forbidden(state)
            choice = random.getrandbits(2)
            if choice < 2 and forbidden:
                one = forbidden[below(random, len(forbidden))]
                char = one.members[below(random, len(one.members))]
                return self._out(word, at, state, char, insert=choice == 0)
            if (found := self._short(word, at, state, cut=choice == 3)) is not None:
                return found
        return None

    def all_breaks(self, word: str) -> Iterator[Broken]:
        """Yield every way to break a word by one edit."""
        for at, state in enumerate(self.states(word)):
            for char in chain.from_iterable(one.members for one in self.forbidden(state)):
                yield self._out(word, at, state, char, insert=True)
                if at < len(word):
                    yield self._out(word, at, state, char, insert=False)
            for cut in (False, True):
                if (found := self._short(word, at, state, cut=cut)) is not None:
                    yield found

    def near_misses(self, prefix: str) -> Iterator[Broken]:
        """Yield a prefix of a word with each forbidden class next, and alone if it may not end there."""
        state = self.state(prefix)
        for one in self.forbidden(state):
            yield self._out(prefix, len(prefix), state, one.members[0], insert=True)
        if state not in self._accepting:
            yield Broken(prefix, len(prefix), None, state, Edit("cut", len(prefix)))

    def splice(self, one: str, other: str, random: Random) -> tuple[str, Edit] | None:
        """Join the beginning of one word and the end of another in a state that both pass.

        The result is a word.  Return None if there is no state at which it differs from both.
        """
        places: dict[int, list[int]] = {}
        for at, state in enumerate(self.states(other)):
            places.setdefault(state, []).append(at)
        joints = [
            (at, place)
            for at, state in enumerate(self.states(one))
            for place in places.get(state, ())
            if one[:at] != other[:place] and one[at:] != other[place:]
        ]
        if not joints:
            return None
        at, place = joints[below(random, len(joints))]
        edit = Edit("splice", at, one[at:], other[place:])
        return edit.apply(one), edit

    def forbidden(self, state: int) -> tuple[CharacterClass, ...]:
        """Return the classes with which no word continues in a state."""
        found = self._forbidden.get(state)
        if found is None:
            allowed = self._rows[state]
            found = tuple(one for one in self._classes if one.members[0] not in allowed)
            self._forbidden[state] = found
        return found

    def _out(self, word: str, at: int, state: int, char: str, *, insert: bool) -> Broken:
        """Put a forbidden character in front of another one, or in its place."""
        kind: EditKind = "append" if at == len(word) else "insert" if insert else "replace"
        edit = Edit(kind, at, word[at : at + 1] if kind == "replace" else "", char)
        return Broken(edit.apply(word), at, self._names[char], state, edit)

    def _short(self, word: str, at: int, state: int, *, cut: bool) -> Broken | None:
        """Delete one character, or cut off the rest; return None if that does not leave the language here."""
        removed = word[at:] if cut else word[at : at + 1]
        after = word[at + len(removed) : at + len(removed) + 1]
        if not removed or (after in self._rows[state] if after else state in self._accepting):
            return None
        edit = Edit("cut" if cut else "delete", at, removed)
        return Broken(edit.apply(word), at, self._names[after] if after else None, state, edit)
