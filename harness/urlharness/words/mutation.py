"""Edits of words with the help of an automaton: edits that leave the language, near misses, splices.

The language is given by a minimal DFA, so a character is forbidden in a state exactly if no word continues
with it. An edit that puts a forbidden character somewhere, or ends a word where no word ends, leaves the
language; an edit of another kind leaves it only if what follows no longer fits. Each text outside the
language comes with the offset of the error, so callers need not parse it.

Two words that pass the same state can be spliced: the beginning of one and the end of the other are a word.

Words are read by their letters (see `urloracle.grammar.alphabet`), so they may contain any characters beyond
ASCII; the characters that edits insert are those of the classes (see `words.members`).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Literal, NamedTuple

from urlharness.words.paths import CharacterClass, character_classes
from urlharness.words.sampling import draw_below, draw_numbers
from urloracle.automata.dfa import Automaton, targets_by_letter
from urloracle.grammar.alphabet import stand_ins

EditKind = Literal["replace", "insert", "delete", "cut", "append", "splice"]

#: The kinds of edits that only remove characters.
_SHORTENING: tuple[EditKind, ...] = ("delete", "cut")

_HALF = (1 << 32) - 1  # the lower half of a number of 64 bits

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
    too early. `class_name` is that of the class of this character, or None at the end of the text. `state` is
    the state of the automaton at `offset`.
    """

    text: str
    offset: int
    class_name: str | None
    state: int
    edit: Edit


class BreakingKinds(NamedTuple):
    """The kinds of edits that break a word in a state.

    They are different at the end of the word and before it. Before the end, a deletion breaks the word only
    if what comes after the deleted character cannot follow in the state; then `with_deletion` has the kinds.
    """

    at_end: tuple[EditKind, ...]
    before_end: tuple[EditKind, ...]
    with_deletion: tuple[EditKind, ...]


class Mutator:
    """Edits words of one automaton."""

    def __init__(self, automaton: Automaton) -> None:
        self._start = automaton.start
        self._accepting = automaton.accepting
        #: By state: the next state by letter.
        self._rows = [targets_by_letter(row, automaton.classes) for row in automaton.table]
        self.classes = character_classes(automaton)
        self._class_names = {char: kind.name for kind in self.classes for char in kind.members}
        self._forbidden = [self._forbidden_after(allowed) for allowed in self._rows]
        self._breaking_kinds = [self._kinds_that_break(state) for state in range(len(self._rows))]

    def class_of(self, char: str) -> str:
        """Return the name of the class of a character."""
        name = self._class_names.get(char) or self._class_names.get(stand_ins(char))
        if name is None:
            return "no UTF-8" if "\ud800" <= char <= "\udfff" else "beyond ASCII"
        return name

    def forbidden_classes(self, state: int) -> tuple[CharacterClass, ...]:
        """Return the classes of characters that cannot continue a word in a state."""
        return self._forbidden[state]

    def breaking_kinds(self, state: int) -> BreakingKinds:
        """Return the kinds of edits that break a word in a state."""
        return self._breaking_kinds[state]

    def state_after(self, prefix: str) -> int:
        """Return the state after a prefix of a word. Raise KeyError if no word begins with it."""
        rows = self._rows
        state = self._start
        for letter in stand_ins(prefix):
            state = rows[state][letter]
        return state

    def states_along(self, prefix: str) -> list[int]:
        """Return the state before each character of a prefix of a word, and the state after the last one."""
        rows = self._rows
        state = self._start
        states = [state]
        for letter in stand_ins(prefix):
            state = rows[state][letter]
            states.append(state)
        return states

    def break_at_random(self, word: str, random: Random) -> Broken | None:
        """Break a word by one random edit. Return None if no edit breaks it."""
        return self.break_by(word, *draw_numbers(random, 2))

    def break_by(self, word: str, first: int, second: int) -> Broken | None:
        """Break a word by the edit that two numbers of 64 bits choose. Return None if no edit breaks it.

        The halves of the numbers choose the offset, the kind of edit, the class of the character that is
        inserted, and the character. If no edit breaks the word at the offset, the next offset is tried. A
        half h, a number of 32 bits, chooses item (h * n) >> 32 of n items.
        """
        size = len(word)
        chosen_offset = ((first & _HALF) * (size + 1)) >> 32
        at = chosen_offset
        state = self.state_after(word[:at])
        while True:
            kinds = self._kinds_at(word, at, state)
            if kinds:
                kind = kinds[((first >> 32) * len(kinds)) >> 32]
                if kind in _SHORTENING:
                    return self._shortened(word, at, state, kind)
                forbidden = self._forbidden[state]
                members = forbidden[((second & _HALF) * len(forbidden)) >> 32].members
                char = members[((second >> 32) * len(members)) >> 32]
                return self._with_forbidden(word, at, state, char, kind)
            if at < size:
                state = self._rows[state][stand_ins(word[at])]
                at += 1
            else:
                state = self._start
                at = 0
            if at == chosen_offset:
                return None

    def all_breaks(self, word: str) -> Iterator[Broken]:
        """Yield every way to break a word by one edit."""
        for at, state in enumerate(self.states_along(word)):
            kinds = self._kinds_at(word, at, state)
            shortening = [kind for kind in kinds if kind in _SHORTENING]
            inserting = [kind for kind in kinds if kind not in _SHORTENING]
            for forbidden in self._forbidden[state]:
                for char, kind in product(forbidden.members, inserting):
                    yield self._with_forbidden(word, at, state, char, kind)
            for kind in shortening:
                yield self._shortened(word, at, state, kind)

    def near_misses(self, prefix: str) -> Iterator[Broken]:
        """Yield a prefix of a word once for each forbidden class, followed by a character of this class.

        If the prefix is not a word, also yield it alone.
        """
        state = self.state_after(prefix)
        for forbidden in self._forbidden[state]:
            yield self._with_forbidden(prefix, len(prefix), state, forbidden.members[0], "append")
        if state not in self._accepting:
            yield Broken(prefix, len(prefix), None, state, Edit("cut", len(prefix)))

    def splice(self, first: str, second: str, random: Random) -> tuple[str, Edit] | None:
        """Join the beginning of a word to the end of another at a state that both pass.

        Return (word, edit of the first word). The word differs from both given words. Return None if there is
        no such word.
        """
        joints = list(self._joints(first, second))
        if not joints:
            return None
        return _spliced(first, second, *joints[draw_below(random, len(joints))])

    def all_splices(self, first: str, second: str) -> Iterator[tuple[str, Edit]]:
        """Yield (word, edit) for every way to join the beginning of a word to the end of another."""
        return (_spliced(first, second, *joint) for joint in self._joints(first, second))

    def _joints(self, first: str, second: str) -> Iterator[tuple[int, int]]:
        """Yield the offsets at which the two words can be spliced: in the first word, and in the second."""
        offsets_by_state: dict[int, list[int]] = {}
        for offset, state in enumerate(self.states_along(second)):
            offsets_by_state.setdefault(state, []).append(offset)
        for at, state in enumerate(self.states_along(first)):
            for offset in offsets_by_state.get(state, ()):
                if first[:at] != second[:offset] and first[at:] != second[offset:]:
                    yield at, offset

    def _forbidden_after(self, allowed: dict[str, int]) -> tuple[CharacterClass, ...]:
        """Return the classes whose characters cannot continue a word, given the letters that can."""
        return tuple(kind for kind in self.classes if stand_ins(kind.members[0]) not in allowed)

    def _kinds_that_break(self, state: int) -> BreakingKinds:
        """Return the kinds of edits that break a word in a state."""
        inserting: tuple[EditKind, ...] = ("insert", "replace") if self._forbidden[state] else ()
        cut: tuple[EditKind, ...] = () if state in self._accepting else ("cut",)
        return BreakingKinds(
            at_end=("append",) if self._forbidden[state] else (),
            before_end=(*inserting, *cut),
            with_deletion=(*inserting, "delete", *cut),
        )

    def _kinds_at(self, word: str, at: int, state: int) -> tuple[EditKind, ...]:
        """Return the kinds of edits that break a word at an offset."""
        kinds = self._breaking_kinds[state]
        if at == len(word):
            return kinds.at_end
        if at + 1 < len(word):
            deletion_breaks = stand_ins(word[at + 1]) not in self._rows[state]
        else:
            deletion_breaks = state not in self._accepting
        return kinds.with_deletion if deletion_breaks else kinds.before_end

    def _with_forbidden(self, word: str, at: int, state: int, char: str, kind: EditKind) -> Broken:
        """Insert or append a forbidden character, or replace a character by it, as `kind` says."""
        removed = word[at] if kind == "replace" else ""
        text = f"{word[:at]}{char}{word[at + len(removed) :]}"
        edit = _new(Edit, (kind, at, removed, char))
        return _new(Broken, (text, at, self._class_names[char], state, edit))

    def _shortened(self, word: str, at: int, state: int, kind: EditKind) -> Broken:
        """Delete the character at `at`, or everything from there, as `kind` says."""
        removed = word[at:] if kind == "cut" else word[at]
        text = word[:at] + word[at + len(removed) :]
        error_class = self.class_of(text[at]) if at < len(text) else None
        edit = _new(Edit, (kind, at, removed, ""))
        return _new(Broken, (text, at, error_class, state, edit))


def _spliced(first: str, second: str, at: int, offset: int) -> tuple[str, Edit]:
    """Return (word, edit): the first word up to `at`, continued by the second one from `offset`."""
    edit = Edit("splice", at, first[at:], second[offset:])
    return edit.apply(first), edit
