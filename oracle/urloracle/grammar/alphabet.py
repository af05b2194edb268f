"""The letters of the automata: the characters of ASCII, and one letter for each range beyond ASCII.

No grammar tells the 55,000 characters from U+00A0 to U+D7FF apart, so the automata need no letter for each of
them.  `RANGES` divides the characters beyond ASCII into ranges of characters that every rule treats alike.
The letter of a range is its first character, the stand-in: U+E000, for example, stands for U+E000 to U+F8FF.

Character sets, classes and words of automata contain letters.  A text is read by its letters, which
`stand_ins` returns: one for each character, so that offsets stay offsets in code points.  What takes or shows
characters has to translate; whoever forgets it accepts U+00A0 and refuses U+00E9.

A range ends where a rule begins or ends: the rules `ucschar` and `iprivate` of RFC 3987, section 2.2, and the
seven formatting characters that section 4.1 forbids.  A character in no range stands in no rule.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple


class Range(NamedTuple):
    """The code points from `first` to `last`."""

    first: int
    last: int

    @property
    def size(self) -> int:
        """The number of code points."""
        return self.last - self.first + 1


#: The ranges beyond ASCII, in order.
RANGES = (
    Range(0xA0, 0x200D),
    Range(0x200E, 0x200F),  # LRM, RLM
    Range(0x2010, 0x2029),
    Range(0x202A, 0x202E),  # LRE, RLE, PDF, LRO, RLO
    Range(0x202F, 0xD7FF),
    Range(0xE000, 0xF8FF),  # private
    Range(0xF900, 0xFDCF),
    Range(0xFDF0, 0xFFEF),
    Range(0x10000, 0x1FFFD),
    Range(0x20000, 0x2FFFD),
    Range(0x30000, 0x3FFFD),
    Range(0x40000, 0x4FFFD),
    Range(0x50000, 0x5FFFD),
    Range(0x60000, 0x6FFFD),
    Range(0x70000, 0x7FFFD),
    Range(0x80000, 0x8FFFD),
    Range(0x90000, 0x9FFFD),
    Range(0xA0000, 0xAFFFD),
    Range(0xB0000, 0xBFFFD),
    Range(0xC0000, 0xCFFFD),
    Range(0xD0000, 0xDFFFD),
    Range(0xE1000, 0xEFFFD),
    Range(0xF0000, 0xFFFFD),  # private
    Range(0x100000, 0x10FFFD),  # private
)

ASCII = tuple(map(chr, range(128)))
#: The stand-ins of `RANGES`, in the same order.
STAND_INS = tuple(chr(part.first) for part in RANGES)
ALPHABET = (*ASCII, *STAND_INS)

#: The letters of the rules `iprivate` and `ucschar` of RFC 3987, section 2.2.
PRIVATE = frozenset("\ue000\U000f0000\U00100000")
UCS = frozenset(STAND_INS) - PRIVATE
#: The letters of the characters that control the direction of text (RFC 3987, section 4.1).
FORMATTING = frozenset("\u200e\u202a")

#: What each letter stands for, by its code point.
_SPANS = {code: Range(code, code) for code in range(128)} | {span.first: span for span in RANGES}
_FIRST_CODES = [part.first for part in RANGES]
_MOST_REMEMBERED = 10_000  # characters, so that hostile texts do not fill the memory


class _StandIns(dict[int, int]):
    """Maps a code point to that of its letter.  Most texts use few characters, which are remembered."""

    def __missing__(self, code: int) -> int:
        index = range_index(code)
        letter = code if index is None else RANGES[index].first
        if len(self) < _MOST_REMEMBERED:
            self[code] = letter
        return letter


_STAND_INS_BY_CODE = _StandIns()


def range_index(code: int) -> int | None:
    """Return the index in `RANGES` of the range with a code point, or None."""
    index = bisect_right(_FIRST_CODES, code) - 1
    return index if index >= 0 and code <= RANGES[index].last else None


def stand_ins(text: str) -> str:
    """Return the letters of a text: each character beyond ASCII replaced by the stand-in of its range.

    A character that is in no range stays as it is.
    """
    return text if text.isascii() else text.translate(_STAND_INS_BY_CODE)


def letters_between(first: int, last: int) -> frozenset[str] | None:
    """Return the letters of the code points from `first` to `last`.

    Return None if the code points are not made of whole ranges and characters of ASCII.
    """
    letters = set()
    code = first
    while code <= last:
        span = _SPANS.get(code)
        if span is None:
            return None
        letters.add(chr(code))
        code = span.last + 1
    return frozenset(letters) if letters and code == last + 1 else None


def span_of(letter: str) -> Range:
    """Return the range of the code points that a letter stands for."""
    code = ord(letter)
    return _SPANS.get(code) or Range(code, code)


def spans(letters: Iterable[str]) -> list[Range]:
    """Return the ranges of code points that letters stand for, in order; adjacent ranges are joined."""
    joined: list[Range] = []
    for span in map(span_of, sorted(letters)):
        if joined and joined[-1].last + 1 == span.first:
            joined[-1] = Range(joined[-1].first, span.last)
        else:
            joined.append(span)
    return joined


def only_character(letters: frozenset[str]) -> str | None:
    """Return the character of a set that contains only one, or None."""
    if len(letters) != 1:
        return None
    (letter,) = letters
    return letter if span_of(letter).size == 1 else None


class CharacterSet(frozenset[str]):
    """A set of characters, some of them beyond ASCII.

    It iterates and compares like the set of its letters: of a range beyond ASCII, it has the first character.
    `in` is true for every character of the range.
    """

    __slots__ = ()

    def __contains__(self, character: object) -> bool:
        letter = stand_ins(character) if isinstance(character, str) else character
        return super().__contains__(letter)

    @property
    def ranges(self) -> list[Range]:
        """The ranges of all its characters, in order."""
        return spans(self)


def character_set(letters: frozenset[str]) -> frozenset[str]:
    """Return a set of letters as a set of characters: itself if all of them are of ASCII."""
    return letters if all(map(str.isascii, letters)) else CharacterSet(letters)
