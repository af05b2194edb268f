"""The exceptions: for an invalid text, with all that is known about it, and for an undefined operation."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cached_property
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Any, NamedTuple

from urloracle.grammar.alphabet import FORMATTING, PRIVATE, UCS, Range, spans

_WIDTH = 72  # of the part of a text that `caret` shows
_RANGES = {"a-z": ascii_lowercase, "A-Z": ascii_uppercase, "0-9": digits, "a-f": "abcdef", "A-F": "ABCDEF"}
_NAMED = {" ": "blank", '"': "double quote", "\t": "tab", "\n": "LF", "\r": "CR"}

#: Invisible characters: Default_Ignorable_Code_Point of Unicode, and the blank Braille pattern.
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


class SyntaxFault(NamedTuple):
    """The place at which a text stops being valid, and what would be valid there, as in `InvalidURL`."""

    position: int
    expected: frozenset[str]
    rules: tuple[str, ...]
    section: str


#: A function of (text, rule) that finds the error in a text that the rule does not derive.
Diagnose = Callable[[str, str], SyntaxFault]


class InvalidURL(ValueError):
    """A text is not in the language of a rule.

    The fields say everything that is known about the error.  Their order is that of the constructor, and
    copies and pickles have all of them.  `args` contains only text, RFC and rule.
    """

    # An error of `refusal` has only a refusal, and finds a field when it is read for the first time: to find
    # the position takes longer than the verdict, and many callers only want the verdict.  The constructor
    # sets the fields themselves, so that the properties are not called.  A slot and a plain tuple cost such
    # callers nothing; an attribute in `__dict__` would add a tenth to the time of a refused text.
    __slots__ = ("_refusal",)
    _refusal: tuple[str, str, str, Diagnose]  # text, RFC, rule

    def __init__(
        self,
        text: str,
        spec: str,
        rule: str,
        position: int,
        expected: frozenset[str] = frozenset(),
        rules: tuple[str, ...] = (),
        section: str = "",
        reason: str = "",
    ) -> None:
        super().__init__(text, spec, rule)
        self.text = text
        self.spec = spec
        self.rule = rule
        self.position = position
        self.expected = expected
        self.rules = rules
        self.section = section
        self.reason = reason

    @cached_property
    def text(self) -> str:
        """The text that was checked."""
        return self._refusal[0]

    @cached_property
    def spec(self) -> str:
        """The identifier of the RFC, such as rfc3986."""
        return self._refusal[1]

    @cached_property
    def rule(self) -> str:
        """The rule that the text was checked against."""
        return self._refusal[2]

    @cached_property
    def position(self) -> int:
        """The offset (in code points) of the first character that cannot continue a valid text.

        It is the length of the text if the text ends too early.
        """
        return self._diagnosis.position

    @cached_property
    def expected(self) -> frozenset[str]:
        """The characters that are possible at this offset, or none if the text must end there.

        If some of them are beyond ASCII, the set is a `CharacterSet`.
        """
        return self._diagnosis.expected

    @cached_property
    def rules(self) -> tuple[str, ...]:
        """The rules that contain these characters, outermost first."""
        return self._diagnosis.rules

    @cached_property
    def section(self) -> str:
        """The section of the RFC that defines the innermost rule that contains all of these characters.

        Rules that only name letters and digits do not count, unless the text was checked against one.  For
        example, a cut triplet cites section 2.1 of RFC 3986, which defines `pct-encoded`.
        """
        return self._diagnosis.section

    @cached_property
    def reason(self) -> str:
        """The condition other than its syntax that the text breaks, in words, or an empty text."""
        return ""

    @cached_property
    def _diagnosis(self) -> SyntaxFault:
        # not of `self.text`, which an application may have changed to hide a password
        text, _, rule, diagnose = self._refusal
        return diagnose(text, rule)

    def __reduce__(self) -> tuple[Any, ...]:
        fields = (
            self.text,
            self.spec,
            self.rule,
            self.position,
            self.expected,
            self.rules,
            self.section,
            self.reason,
        )
        attributes = dict(vars(self))  # with notes, and whatever else an application has added
        attributes.pop("_diagnosis", None)
        return type(self), fields, attributes

    def __str__(self) -> str:
        title = f"RFC {self.spec.removeprefix('rfc')}"
        return f"not a valid {self.rule} of {title}: {self.problem}\n{self.caret()}"

    @property
    def problem(self) -> str:
        """The error in one clause, with the expected characters and the section unless there is a reason."""
        if self.reason:
            return self.reason
        source = f"section {self.section}" if self.section else "no section"
        return f"{self.fault}; expected {describe(self.expected)} ({source})"

    @property
    def fault(self) -> str:
        """The error without the expected characters.

        This is the reason, if there is one.  Otherwise it is the wrong character with its offset, or the
        statement that the text ends too early.
        """
        if self.reason:
            return self.reason
        if self.position >= len(self.text):
            return "it ends too early"
        wrong = self.text[self.position]
        return f"{_character_in_words(wrong)} at offset {self.position}"

    def asdict(self) -> dict[str, Any]:
        """Return the error as a JSON object with the fields at, expected, rules, section and message.

        If characters beyond ASCII are expected, `expected` has the first one of each range, and the field
        `expected_ranges` lists the first and the last code point of each.
        """
        fields = {
            "at": self.position,
            "expected": "".join(sorted(self.expected)),
            "rules": list(self.rules),
            "section": self.section,
            "message": self.problem,
        }
        beyond = [list(span) for span in spans(char for char in self.expected if not char.isascii())]
        return {**fields, "expected_ranges": beyond} if beyond else fields

    def caret(self) -> str:
        """Return two lines: the text around the position, and a caret below the position."""
        start = max(0, self.position - _WIDTH // 2)
        characters = [_visible(char) for char in self.text[start : start + _WIDTH]]
        indent = sum(map(len, characters[: self.position - start]))
        lead = "..." if start else ""
        tail = "..." if start + _WIDTH < len(self.text) else ""
        return f"  {lead}{''.join(characters)}{tail}\n  {' ' * (len(lead) + indent)}^"


class Unsupported(ValueError):
    """The RFC does not define the operation.  For example, RFC 1738 does not define resolution."""


def check_texts(*texts: object) -> None:
    """Raise TypeError if one of the texts is not a str."""
    for text in texts:
        if not isinstance(text, str):
            raise TypeError(f"the text must be a str, not {type(text).__name__}") from None


def refusal(text: str, spec: str, rule: str, diagnose: Diagnose) -> InvalidURL:
    """Return the error of a text that the rule of an RFC does not derive.

    The error calls `diagnose(text, rule)` once, when position, expected characters, rules or section are read
    for the first time.
    """
    error = InvalidURL.__new__(InvalidURL, text, spec, rule)
    error._refusal = (text, spec, rule, diagnose)  # noqa: SLF001 - of the class above
    return error


def missing_scheme(text: str, spec: str, rule: str, role: str) -> InvalidURL:
    """Return the error for a relative reference that must be an absolute URL because of its role.

    `role` names the role in the message, such as "a base".
    """
    reason = f"{role} must be absolute, but this one has no scheme"
    return InvalidURL(text, spec, rule, 0, rules=("scheme",), reason=reason)


def describe(characters: frozenset[str]) -> str:
    """Describe a set of characters: ranges of letters and digits first, then single characters.

    Ranges beyond ASCII come last, under the names of the rules of RFC 3987, section 2.2.  The empty set means
    that the text must end.
    """
    if not characters:
        return "the end"
    remaining = set(characters)
    parts = []
    for name, group in _RANGES.items():
        if remaining >= set(group):
            parts.append(name)
            remaining -= set(group)
    ascii_characters = sorted(filter(str.isascii, remaining))
    beyond = remaining.difference(ascii_characters)
    single = (_NAMED.get(char, char) for char in ascii_characters)
    return " ".join([*parts, *single, *_describe_ranges(beyond)])


def _describe_ranges(letters: set[str]) -> Iterator[str]:
    """Yield the names of the rules whose characters the letters beyond ASCII stand for, or their ranges.

    Profile `prose` of RFC 3987 has a rule `ucschar` without formatting characters.
    """
    remaining = set(letters)
    if remaining >= UCS - FORMATTING:
        formatting = " ".join(map(_range_in_words, spans(FORMATTING)))
        yield "ucschar" if remaining >= UCS else f"ucschar but {formatting}"
        remaining -= UCS
    if remaining >= PRIVATE:
        yield "iprivate"
        remaining -= PRIVATE
    yield from map(_range_in_words, spans(remaining))


def _range_in_words(span: Range) -> str:
    return f"U+{span.first:04X}" if span.size == 1 else f"U+{span.first:04X}-{span.last:04X}"


def _character_in_words(char: str) -> str:
    """Return the name of a character, the character in quotation marks, its byte (PEP 383) or its code."""
    if char.isascii() and char.isprintable():
        return _NAMED.get(char, quoted(char))
    byte = escaped_byte(char)
    return f"the byte {byte}" if byte else f"U+{ord(char):04X}"


def quoted(text: str) -> str:
    """Return a text in quotation marks.

    A backslash is itself, because a user who typed one would take two for another text. Only what cannot be
    shown, or ends a quotation, is escaped as in Python.
    """
    return f"'{text}'" if text.isprintable() and "'" not in text else repr(text)


def escaped_byte(char: str) -> str:
    r"""Return an escape such as `\xff` if a character stands for a byte that is no UTF-8 (PEP 383), or ""."""
    is_byte = len(char) == 1 and "\udc80" <= char <= "\udcff"
    return f"\\x{ord(char) - 0xDC00:02x}" if is_byte else ""


def _visible(char: str) -> str:
    """Return the character, or an escape if it is invisible or a combining mark."""
    if char.isascii():
        visible = char.isprintable()
    else:
        is_mark = unicodedata.category(char).startswith("M")
        visible = char.isprintable() and not is_mark and _UNSEEN.match(char) is None
    if visible:
        return char
    return escaped_byte(char) or f"\\u{{{ord(char):x}}}"
