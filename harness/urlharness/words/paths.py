"""Paths in an automaton: character classes, shortest words to a state, and from a state to acceptance."""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from urloracle.automata.dfa import ASCII, SINK, Automaton
from urloracle.errors import describe

#: Readable characters, which are preferred as representatives of their class.
_READABLE = f"{string.ascii_lowercase}{string.digits}{string.ascii_uppercase}"
#: All of ASCII, the most readable characters first.
ORDER = _READABLE + "".join(
    sorted(set(ASCII) - set(_READABLE), key=lambda char: (not "!" <= char <= "~", char))
)
#: Characters beyond ASCII that programs mistake for ASCII: controls, a blank, letters that fold to ASCII,
#: characters that are `/` or `@` when truncated to eight bits, a digit, full stops, full-width delimiters.
BEYOND = (
    "\x85\xa0\xe9\xff\u0131\u212a\u012f\u0140\u0660\u3002\uff0e\uff0f\uff1a\uff20\u200d\u2028\ufeff\U0010ffff"
)
#: Bytes that are not UTF-8, as `surrogateescape` decodes them.
BYTES = "\udc80\udcc3\udcff"


class CharacterClass(NamedTuple):
    """Characters that an automaton does not distinguish, the most readable first. `name` describes them."""

    name: str
    members: str


def character_classes(automaton: Automaton) -> tuple[CharacterClass, ...]:
    """Return the classes of the automaton, then classes of characters that no word contains."""
    columns = list(zip(*automaton.table, strict=True))
    dead = (SINK,) * len(automaton.table)
    classes: dict[tuple[int, ...], list[str]] = {dead: []}
    for char in ORDER:
        number = automaton.classes.get(char)
        classes.setdefault(dead if number is None else columns[number], []).append(char)
    outside = classes.pop(dead)
    controls = [char for char in outside if not char.isprintable()]
    blank = [char for char in outside if char == " "]
    found = [*classes.values(), [char for char in outside if char not in {*controls, " "}], blank]
    named = [CharacterClass(describe(frozenset(members)), "".join(members)) for members in found if members]
    if controls:
        named.append(CharacterClass("control", "".join(controls)))
    return (*named, CharacterClass("beyond ASCII", BEYOND), CharacterClass("no UTF-8", BYTES))


class LabelledTransition(NamedTuple):
    """A transition between two states, with the most readable character of its class."""

    source: int
    character: str
    target: int


class Paths:
    """The transitions of an automaton that lie on a path to acceptance, and shortest words along them."""

    def __init__(self, automaton: Automaton) -> None:
        self.automaton = automaton
        letters = [
            (kind.members[0], automaton.classes[kind.members[0]])
            for kind in character_classes(automaton)
            if kind.members[0] in automaton.classes
        ]
        #: By state: the next state by character, one character for each class.
        self.steps: list[dict[str, int]] = [
            {char: row[number] for char, number in letters if row[number] != SINK} for row in automaton.table
        ]
        #: By state: a shortest word from the state to acceptance.
        self.suffixes: Mapping[int, str] = self._suffixes()
        self.steps = [
            {char: target for char, target in row.items() if target in self.suffixes} for row in self.steps
        ]
        #: By state: a shortest word to the state.
        self.prefixes: Mapping[int, str] = self._prefixes()

    def transitions(self) -> Iterator[LabelledTransition]:
        """Yield all transitions in the order of their states."""
        for source in self.prefixes:
            for char, target in self.steps[source].items():
                yield LabelledTransition(source, char, target)

    def follow(self, state: int, text: str) -> int:
        """Return the state that the text leads to from `state`, or SINK if no word can continue with it."""
        automaton = self.automaton
        for char in text:
            number = automaton.classes.get(char)
            if number is None:
                return SINK
            state = automaton.table[state][number]
        return state

    def _suffixes(self) -> dict[int, str]:
        before: dict[int, list[tuple[str, int]]] = {}
        for source, row in enumerate(self.steps):
            for char, target in row.items():
                before.setdefault(target, []).append((char, source))
        found = dict.fromkeys(sorted(self.automaton.accepting), "")
        queue = list(found)
        for state in queue:
            for char, source in before.get(state, ()):
                if source not in found:
                    found[source] = char + found[state]
                    queue.append(source)
        return found

    def _prefixes(self) -> dict[int, str]:
        start = self.automaton.start
        found = {start: ""} if start in self.suffixes else {}
        queue = list(found)
        for state in queue:
            for char, target in self.steps[state].items():
                if target not in found:
                    found[target] = found[state] + char
                    queue.append(target)
        return found
