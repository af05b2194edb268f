"""Characters for the letters beyond ASCII, so that texts contain more than the first character of a range.

An automaton reads a whole range of characters as one letter (see `urloracle.grammar.alphabet`). A program
that is tested has no such letters: it may be wrong about the last character of a range, about those beyond
U+FFFF, about combining characters or about those that are written from right to left. So each letter has some
members here, and texts are made of these.

The formatting characters of RFC 3987, section 4.1, have no members. The grammar allows them and the section
forbids them, so a program may accept or refuse them (R-3987-06), and a text with one has no certain label.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import cycle
from math import lcm

from urlharness.words.sampling import Weigh
from urloracle.automata.dfa import Automaton
from urloracle.grammar.alphabet import FORMATTING, RANGES, range_index, stand_ins

#: Characters inside the ranges, besides the edges, the most readable first.
_INSIDE = (
    "\u00e9\u03b1"  # letters
    "\u0301"  # a combining accent
    "\u05d0\u0627"  # letters that are written from right to left
    "\u65e5\uac00"  # an ideograph, and a syllable that can be decomposed
    "\u3002\uff0f\uff1a\uff1f"  # look like a full stop and like the delimiters / : ?
    "\ufb4f\ufeff"  # a ligature from right to left, and a mark without width
    "\U00010300\U0001f600"  # beyond U+FFFF, where UTF-16 has two surrogates
    "\U00010800\U0001d165"  # the same, from right to left and combining
    "\U00020b9f"
)


def _members_of_letters() -> dict[str, str]:
    """Return the members of each letter beyond ASCII but the formatting ones."""
    members: dict[str, str] = {}
    edges = "".join(f"{chr(span.first)}{chr(span.last)}" for span in RANGES)
    for char in _INSIDE + edges:
        letter = stand_ins(char)
        if letter not in FORMATTING:
            members[letter] = members.get(letter, "") + char
    return members


#: The members of each letter beyond ASCII, the most readable first, the edges of the range last.
MEMBERS: Mapping[str, str] = _members_of_letters()

#: All members, in the order in which they are preferred.
ALL_MEMBERS = "".join(sorted("".join(MEMBERS.values()), key=lambda char: (char not in _INSIDE, char)))


def _just_outside() -> Iterator[str]:
    """Yield the characters next to a range that are in no range. Surrogates are left out."""
    for span in RANGES:
        for code in (span.first - 1, span.last + 1):
            is_surrogate = 0xD800 <= code <= 0xDFFF
            if code <= 0x10FFFF and range_index(code) is None and not is_surrogate:
                yield chr(code)


#: Characters that no IRI contains: those just outside the ranges, a control, a replacement, and a tag.
OUTSIDE = "".join(dict.fromkeys((*_just_outside(), "\x80", "\ufffd", "\U000e0001")))


def with_members(automaton: Automaton) -> Automaton:
    """Return an automaton that has, in place of each letter beyond ASCII, its members.

    It has no words with formatting characters.
    """
    if not automaton.reads_beyond_ascii:
        return automaton
    classes = {}
    for letter, kind in automaton.classes.items():
        for char in _members(letter):
            classes[char] = kind
    return replace(automaton, classes=classes)


def weigh_members(weigh: Weigh) -> Weigh:
    """Return weights of members. The members of a letter share its weight equally."""
    common = lcm(*map(len, MEMBERS.values()))

    def weigh_characters(state: int) -> Mapping[str, int]:
        weights = {}
        for letter, weight in weigh(state).items():
            members = _members(letter)
            for char in members:
                weights[char] = weight * common // len(members)
        return weights

    return weigh_characters


def vary_members(words: Iterable[str], kinds: Iterable[str]) -> Iterator[str]:
    """Yield words in which members take turns: each one is replaced by the next one of its kind.

    A kind contains characters that may replace each other in a word.
    """
    turns = {}
    for kind in kinds:
        members = [char for char in kind if not char.isascii()]
        turns.update(dict.fromkeys(members, cycle(members)))
    for word in words:
        yield "".join(next(turns[char]) if char in turns else char for char in word)


def _members(letter: str) -> str:
    """Return the members of a letter: of one of ASCII, the letter itself, and of a formatting one, none."""
    return letter if letter.isascii() else MEMBERS.get(letter, "")
