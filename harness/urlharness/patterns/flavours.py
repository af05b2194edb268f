r"""The flavours of regular expressions: how each writes characters, groups and both ends of the text.

A flavour is a row of `FLAVOURS`. What a flavour cannot say raises `CannotSay` with its limit.

`^` and `$` are used only where they stand for the ends of the text alone. In Python, PCRE2 and Java `$` also
matches before a final line feed, so these flavours end with `\Z` or `\z`. In ECMAScript without the flag `m`,
and in POSIX without REG_NEWLINE, `$` matches at the end alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

from urloracle.grammar.alphabet import Range, only_character, spans

FlavourName = Literal["python", "pcre2", "re2", "rust", "go", "java", "ecmascript", "posix", "json-schema"]
FLAVOUR_NAMES: tuple[FlavourName, ...] = get_args(FlavourName)

#: What characters mean in every flavour outside of a bracket expression, so that a backslash is needed.
_SYNTAX = frozenset("\\^$.*+?()[]{}|")
#: The same in POSIX, where a backslash before another character is undefined (section 9.4.2 of its base).
_POSIX_SYNTAX = frozenset("\\^$.*+?()[{|")
#: What characters mean in a bracket expression of some flavour. Java and Rust nest sets with `[`.
_SET_SYNTAX = frozenset("\\^[]")
#: The ranges of ASCII that are written as ranges; other characters are listed, so that people can read them.
_READABLE_RANGES = (Range(0x30, 0x39), Range(0x41, 0x5A), Range(0x61, 0x7A))
#: A range of more characters than that is a range of ASCII as such, and written as one.
_MOST_LISTED = 70
#: A range of so many characters is listed.
_LARGEST_WITHOUT_HYPHEN = 2
_FIRST_VISIBLE = 0x20
_LAST_VISIBLE = 0x7E
_LAST_ASCII = 0x7F
_LAST_OF_BMP = 0xFFFF
_FIRST_HIGH = 0xD800
#: The low surrogates.
_LOW = Range(0xDC00, 0xDFFF)


class CannotSay(ValueError):
    """A flavour cannot say a rule. The text is the reason, with the limit of the flavour."""


class Numeral(NamedTuple):
    """The forms in which a flavour writes code points that are no visible characters of ASCII.

    Each is a format of one code point: of ASCII, up to U+FFFF, and above. It is None if the flavour cannot
    write such a character.
    """

    narrow: str | None
    wide: str | None
    astral: str | None


_BRACED = Numeral("\\x{:02X}", "\\x{{{:X}}}", "\\x{{{:X}}}")


@dataclass(frozen=True, kw_only=True)
class Flavour:
    """A flavour of regular expressions.

    - `name`, `title`: its name for programs, and for people
    - `begin`, `end`: the ends of a text
    - `numeral`: how characters are written by their code points
    - `opening`: the beginning of a group; if it is `(`, every group has a number
    - `named`: the format of the beginning of a named group, or None if groups have numbers alone
    - `name_of_group`: what a name of a group must not contain
    - `has_groups`: False if no program asks the flavour for groups
    - `repetitions`: the largest number in braces, or None if none is too large
    - `nested`: True if nested repetitions are multiplied before they are compared with `repetitions`
    - `backtracks`: False if its engines are automata, which take linear time for every pattern
    - `is_possessive`: True if repetitions of groups are possessive where the next character decides whether
      they go on. Otherwise its engines keep a frame of the stack for each repetition, up to its limit.
    - `is_posix`: True if a backslash is a character in a bracket expression
    - `is_utf16`: True if its engines read two surrogates where a text has a character above U+FFFF
    - `use`: how a program has to use the pattern
    """

    name: FlavourName
    title: str
    begin: str
    end: str
    use: str
    numeral: Numeral = _BRACED
    opening: str = "(?:"
    named: str | None = None
    name_of_group: re.Pattern[str] = re.compile(r"\W", re.ASCII)
    has_groups: bool = True
    repetitions: int | None = None
    nested: bool = False
    backtracks: bool = True
    is_possessive: bool = False
    is_posix: bool = False
    is_utf16: bool = False

    def literal(self, character: str) -> str:
        """Return the pattern of one character. Raise CannotSay if the flavour cannot write it."""
        if not _is_visible(ord(character)):
            return self._numeral(ord(character))
        syntax = _POSIX_SYNTAX if self.is_posix else _SYNTAX
        return f"\\{character}" if character in syntax else character

    def characters(self, letters: frozenset[str]) -> str:
        """Return the pattern of any one of the characters that letters of the alphabet stand for.

        Raise CannotSay if the flavour cannot write one of them, or if there is none.
        """
        if not letters:
            raise CannotSay("no text can match an empty set of characters")
        character = only_character(letters)
        if character is not None:
            return self.literal(character)
        alternatives = list(self._alternatives(spans(letters)))
        if len(alternatives) == 1:
            return alternatives[0]
        return f"{self.opening}{'|'.join(alternatives)})"

    def _alternatives(self, ranges: Sequence[Range]) -> Iterator[str]:
        """Yield the bracket expression of ranges; in UTF-16, two of surrogates for those above U+FFFF."""
        astral = [span for span in ranges if span.first > _LAST_OF_BMP]
        if not astral or not self.is_utf16:
            yield self._bracketed(ranges)
            return
        if len(astral) < len(ranges):
            yield self._bracketed(ranges[: -len(astral)])
        for high, low in surrogate_pairs(astral):
            yield self._bracketed(high) + self._bracketed([low])

    def _bracketed(self, ranges: Sequence[Range]) -> str:
        """Return the bracket expression of ranges, or the only character."""
        first = ranges[0]
        if len(ranges) == 1 and first.size == 1:
            return self.literal(chr(first.first))
        others = ""
        listed = ""
        for span in ranges:
            if _is_listed(span):
                listed += "".join(map(chr, range(span.first, span.last + 1)))
            else:
                others += self._range(span)
        parts = ""
        for readable in _READABLE_RANGES:
            parts += "".join(self._range(span) for span in _runs(listed, readable))
        parts += others
        punctuation = "".join(char for char in listed if not char.isalnum())
        return self._with_punctuation(parts, punctuation)

    def _with_punctuation(self, parts: str, punctuation: str) -> str:
        """Return a bracket expression of ranges and other characters, where a hyphen comes last.

        In POSIX, a closing bracket has to be the first character, and a circumflex must not be.
        """
        hyphen = "-" if "-" in punctuation else ""
        others = punctuation.replace("-", "")
        if not self.is_posix:
            escaped = "".join(f"\\{char}" if char in _SET_SYNTAX else char for char in others)
            return f"[{parts}{escaped}{hyphen}]"
        if "]" in others:
            parts = f"]{parts}"
            others = others.replace("]", "")
        if not parts and others.startswith("^"):
            others = f"{others[1:]}{hyphen}^"
            hyphen = ""
        return f"[{parts}{others}{hyphen}]"

    def _range(self, span: Range) -> str:
        """Return a range as in a bracket expression."""
        first = self._range_end(span.first)
        if span.size == 1:
            return first
        hyphen = "-" if span.size > _LARGEST_WITHOUT_HYPHEN else ""
        return f"{first}{hyphen}{self._range_end(span.last)}"

    def _range_end(self, code: int) -> str:
        """Return a character as the end of a range in a bracket expression."""
        return chr(code) if _is_visible(code) else self._numeral(code)

    def _numeral(self, code: int) -> str:
        """Return a character by its code point. Raise CannotSay if the flavour has no such escape."""
        if code <= _LAST_ASCII:
            numeral = self.numeral.narrow
        elif code <= _LAST_OF_BMP:
            numeral = self.numeral.wide
        else:
            numeral = self.numeral.astral
        if numeral is None:
            raise CannotSay(f"{self.title} has no escape for characters such as U+{code:04X}")
        return numeral.format(code)


def _is_visible(code: int) -> bool:
    """Return True if a code point is a visible character of ASCII, or the space."""
    return _FIRST_VISIBLE <= code <= _LAST_VISIBLE


def _is_listed(span: Range) -> bool:
    """Return True if the characters of a range are listed in a bracket expression."""
    return _is_visible(span.first) and _is_visible(span.last) and span.size <= _MOST_LISTED


def _runs(characters: str, within: Range) -> Iterator[Range]:
    """Yield the ranges that characters in order have in common with another range."""
    return iter(spans(char for char in characters if within.first <= ord(char) <= within.last))


def surrogate_pairs(ranges: Iterable[Range]) -> list[tuple[list[Range], Range]]:
    """Return the pairs of surrogates of ranges above U+FFFF.

    A pair consists of the ranges of high surrogates, and the range of low surrogates that can follow each of
    them.
    """
    highs_by_low: dict[Range, list[Range]] = {}
    for span in ranges:
        for high, low in _divide_by_high(span):
            highs = highs_by_low.setdefault(low, [])
            if highs and highs[-1].last + 1 == high.first:
                highs[-1] = Range(highs[-1].first, high.last)
            else:
                highs.append(high)
    return [(highs, low) for low, highs in highs_by_low.items()]


def _divide_by_high(span: Range) -> Iterator[tuple[Range, Range]]:
    """Yield pairs (high surrogates, low surrogates) for a range of code points above U+FFFF."""
    first_high, first_low = _halves(span.first)
    last_high, last_low = _halves(span.last)
    if first_high == last_high:
        yield Range(first_high, first_high), Range(first_low, last_low)
        return
    if first_low != _LOW.first:
        yield Range(first_high, first_high), Range(first_low, _LOW.last)
        first_high += 1
    whole_last = last_high if last_low == _LOW.last else last_high - 1
    if first_high <= whole_last:
        yield Range(first_high, whole_last), _LOW
    if whole_last != last_high:
        yield Range(last_high, last_high), Range(_LOW.first, last_low)


def _halves(code: int) -> tuple[int, int]:
    """Return the high and the low surrogate of a code point above U+FFFF."""
    high, low = divmod(code - _LAST_OF_BMP - 1, _LOW.size)
    return _FIRST_HIGH + high, _LOW.first + low


FLAVOURS: Mapping[FlavourName, Flavour] = {
    flavour.name: flavour
    for flavour in (
        Flavour(
            name="python",
            title="Python",
            begin="\\A",
            end="\\Z",
            use="re.search or re.fullmatch",
            numeral=Numeral("\\x{:02X}", "\\u{:04X}", "\\U{:08X}"),
            named="(?P<{}>",
        ),
        Flavour(
            name="pcre2",
            title="PCRE2",
            begin="\\A",
            end="\\z",
            use="characters beyond ASCII need the option UTF, such as preg_match's u",
            named="(?<{}>",
            is_possessive=True,
        ),
        Flavour(
            name="re2",
            title="RE2",
            begin="\\A",
            end="\\z",
            use="RE2::PartialMatch or RE2::FullMatch",
            named="(?P<{}>",
            repetitions=1000,
            nested=True,
            backtracks=False,
        ),
        Flavour(
            name="rust",
            title="Rust's regex",
            begin="\\A",
            end="\\z",
            use="Regex::new, is_match",
            named="(?P<{}>",
            backtracks=False,
        ),
        Flavour(
            name="go",
            title="Go's regexp",
            begin="\\A",
            end="\\z",
            use="regexp.MustCompile, MatchString",
            named="(?P<{}>",
            repetitions=1000,
            nested=True,
            backtracks=False,
        ),
        Flavour(
            name="java",
            title="Java",
            begin="\\A",
            end="\\z",
            use="Pattern.compile without flags, find or matches",
            named="(?<{}>",
            name_of_group=re.compile(r"[\W_]", re.ASCII),
            is_possessive=True,
        ),
        Flavour(
            name="ecmascript",
            title="ECMAScript",
            begin="^",
            end="$",
            use="new RegExp(pattern), without the flags m, u and v",
            numeral=Numeral("\\x{:02X}", "\\u{:04X}", None),
            named="(?<{}>",
            is_utf16=True,
        ),
        Flavour(
            name="posix",
            title="POSIX extended",
            begin="^",
            end="$",
            use="regcomp with REG_EXTENDED and without REG_NEWLINE, or grep -E, in the locale C",
            numeral=Numeral(None, None, None),
            opening="(",
            repetitions=255,
            is_posix=True,
        ),
        Flavour(
            name="json-schema",
            title="JSON Schema",
            begin="^",
            end="$",
            use="the keyword pattern, which is ECMAScript with the flag u",
            numeral=Numeral("\\x{:02X}", "\\u{:04X}", "\\u{{{:X}}}"),
            has_groups=False,
        ),
    )
}
