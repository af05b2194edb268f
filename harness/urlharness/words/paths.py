"""Paths in an automaton: character classes, shortest words to a state, and from a state to acceptance."""

from __future__ import annotations

import string
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from urlharness.words.members import ALL_MEMBERS, OUTSIDE
from urloracle.automata.dfa import SINK, Automaton
from urloracle.errors import describe
from urloracle.grammar.alphabet import ASCII, FORMATTING, UCS, stand_ins

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


def characters_by_column(automaton: Automaton) -> dict[tuple[int, ...], list[str]]:
    """Group characters by where they lead: from each state to the same next state.

    The characters are ASCII in `ORDER`, and then the members of the letters beyond ASCII, if the automaton
    has any. Characters that no word contains are one group, whether they have a class or not.
    """
    columns = list(zip(*automaton.table, strict=True))
    forbidden_everywhere = _forbidden_column(automaton)
    groups: dict[tuple[int, ...], list[str]] = {}
    characters = ORDER + ALL_MEMBERS if automaton.reads_beyond_ascii else ORDER
    for char in characters:
        kind = automaton.classes.get(stand_ins(char))
        column = forbidden_everywhere if kind is None else columns[kind]
        groups.setdefault(column, []).append(char)
    return groups


def _forbidden_column(automaton: Automaton) -> tuple[int, ...]:
    """Return where a character leads that no word contains: from each state to the sink."""
    return (SINK,) * len(automaton.table)


def character_classes(automaton: Automaton) -> tuple[CharacterClass, ...]:
    """Return the classes of the automaton, then classes of characters that no word contains."""
    groups = characters_by_column(automaton)
    outside = groups.pop(_forbidden_column(automaton), [])
    outside_ascii = [char for char in outside if char.isascii()]
    visible = [char for char in outside_ascii if char.isprintable() and char != " "]
    blank = [char for char in outside_ascii if char == " "]
    controls = [char for char in outside_ascii if not char.isprintable()]
    beyond = BEYOND
    if automaton.reads_beyond_ascii:
        unread = (char for char in BEYOND if stand_ins(char) not in automaton.classes)
        unread_members = (char for char in outside if not char.isascii())
        beyond = "".join(dict.fromkeys((*unread, *OUTSIDE, *unread_members)))
    classes = []
    for members in filter(None, (*groups.values(), visible, blank)):
        letters = frozenset(map(stand_ins, members))
        if letters >= UCS - FORMATTING:  # no text is drawn with formatting characters (R-3987-06)
            letters |= FORMATTING
        name = describe(letters)
        classes.append(CharacterClass(name, "".join(members)))
    if controls:
        classes.append(CharacterClass("control", "".join(controls)))
    classes.append(CharacterClass("beyond ASCII", beyond))
    classes.append(CharacterClass("no UTF-8", BYTES))
    return tuple(classes)


class LabelledTransition(NamedTuple):
    """A transition between two states, with the most readable character of its class."""

    source: int
    character: str
    target: int


class Paths:
    """The transitions of an automaton that lie on a path to acceptance, and shortest words along them."""

    def __init__(self, automaton: Automaton) -> None:
        self.automaton = automaton
        self._kinds: dict[str, int] = {}
        for kind in character_classes(automaton):
            representative = kind.members[0]
            number = automaton.classes.get(stand_ins(representative))
            if number is not None:
                self._kinds[representative] = number
        all_steps = [self._steps_by_character(row) for row in automaton.table]
        #: By state: a shortest word from the state to acceptance. States without such a word are left out.
        self.suffixes: Mapping[int, str] = self._shortest_suffixes(all_steps)
        #: By state: the next state by character, one character for each class. No step leads to a dead end.
        self.steps = [self._live_steps(row) for row in all_steps]
        #: By state: a shortest word to the state.
        self.prefixes: Mapping[int, str] = self._shortest_prefixes()

    def transitions(self) -> Iterator[LabelledTransition]:
        """Yield all transitions in the order of their states."""
        for source in self.prefixes:
            for char, target in self.steps[source].items():
                yield LabelledTransition(source, char, target)

    def follow(self, state: int, text: str) -> int:
        """Return the state that the text leads to from `state`, or SINK if no word can continue with it."""
        return self.automaton.state_after(state, text)

    def _steps_by_character(self, row: Sequence[int]) -> dict[str, int]:
        return {char: row[kind] for char, kind in self._kinds.items() if row[kind] != SINK}

    def _live_steps(self, steps: Mapping[str, int]) -> dict[str, int]:
        """Return the steps after which a word can still be completed."""
        return {char: target for char, target in steps.items() if target in self.suffixes}

    def _shortest_suffixes(self, steps: Sequence[Mapping[str, int]]) -> dict[int, str]:
        """Return the shortest words from states to acceptance, by a breadth-first search from the end."""
        steps_to: dict[int, list[tuple[str, int]]] = {}
        for source, row in enumerate(steps):
            for char, target in row.items():
                steps_to.setdefault(target, []).append((char, source))
        suffixes = dict.fromkeys(sorted(self.automaton.accepting), "")
        queue = list(suffixes)
        for state in queue:  # which grows in the loop
            for char, source in steps_to.get(state, ()):
                if source not in suffixes:
                    suffixes[source] = char + suffixes[state]
                    queue.append(source)
        return suffixes

    def _shortest_prefixes(self) -> dict[int, str]:
        """Return the shortest words from the start to states, by a breadth-first search."""
        start = self.automaton.start
        prefixes = {start: ""} if start in self.suffixes else {}
        queue = list(prefixes)
        for state in queue:  # which grows in the loop
            for char, target in self.steps[state].items():
                if target not in prefixes:
                    prefixes[target] = prefixes[state] + char
                    queue.append(target)
        return prefixes
