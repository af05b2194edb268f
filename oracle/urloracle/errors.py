"""The exception for an invalid text, with everything known about the error as fields."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from string import ascii_lowercase, ascii_uppercase, digits
from typing import TYPE_CHECKING, Any

_WIDTH = 72
_RANGES = {"a-z": ascii_lowercase, "A-Z": ascii_uppercase, "0-9": digits, "a-f": "abcdef", "A-F": "ABCDEF"}
_NAMED = {" ": "blank", '"': "double quote", "\t": "tab", "\n": "LF", "\r": "CR"}

#: Invisible characters: Default_Ignorable_Code_Point of Unicode, and the blank Braille pattern.
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


#: A function of (text, rule) that returns position, expected characters, rules and section of the error.
Find = Callable[[str, str], tuple[int, frozenset[str], tuple[str, ...], str]]
_ARGUMENTS = ("text", "spec", "rule", "position", "expected", "rules", "section", "reason")


class InvalidURL(ValueError):
    """A text is not in the language of a rule.

    `text` was checked against `rule` of the RFC `spec` (such as rfc3986).  `position` is the offset (in code
    points) of the first character that cannot continue a valid text, or the length of the text if the text
    ends too early.  `expected` contains the characters that are possible at this offset.  `rules` lists the
    rules that contain these characters, outermost first.  `section` is the section that defines the innermost
    rule that contains all of them.  If the text breaks a condition other than its syntax, `reason` says so in
    words; otherwise it is empty.
    """

    text: str
    spec: str
    rule: str
    position: int
    expected: frozenset[str]
    rules: tuple[str, ...]
    section: str
    reason: str

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
        super().__init__(text, spec, rule, position, expected, rules, section, reason)
        self.text, self.spec, self.rule, self.position = text, spec, rule, position
        self.expected, self.rules, self.section, self.reason = expected, rules, section, reason

    def _settle(self) -> dict[str, Any]:
        """Compute the attributes that are not yet computed, and return all attributes."""
        attributes, given = super().__dict__, super().args
        if _is_late(given):
            text, spec, rule, find = given
            arguments = (text, spec, rule, *find(text, rule), "")
            for name, value in zip(_ARGUMENTS, arguments, strict=True):
                attributes.setdefault(name, value)
            super().__init__(*arguments)  # last: another thread finds all attributes or computes them itself
        return attributes

    if not TYPE_CHECKING:  # these methods compute the attributes before they return any

        def __getattr__(self, name: str) -> Any:
            given = super().args
            if name in _ARGUMENTS[:3] and _is_late(given):
                return given[_ARGUMENTS.index(name)]
            if name in _ARGUMENTS and name in self._settle():
                return super().__dict__[name]
            message = f"{type(self).__name__!r} object has no attribute {name!r}"
            raise AttributeError(message, name=name, obj=self)

        @property
        def __dict__(self) -> dict[str, Any]:
            return self._settle()

        @property
        def args(self) -> tuple[Any, ...]:
            """All arguments of the constructor."""
            self._settle()
            return super().args

        @args.setter
        def args(self, values: Iterable[Any]) -> None:
            self._settle()
            ValueError.args.__set__(self, values)

        def __reduce__(self) -> str | tuple[Any, ...]:
            self._settle()
            return super().__reduce__()

        def __repr__(self) -> str:
            self._settle()
            return super().__repr__()

    def __str__(self) -> str:
        title = f"RFC {self.spec.removeprefix('rfc')}"
        return f"not a valid {self.rule} of {title}: {self.problem}\n{self.caret()}"

    @property
    def problem(self) -> str:
        """The error in one clause, with the expected characters and the section unless there is a reason."""
        if self.reason:
            return self.reason
        where = f"section {self.section}" if self.section else "no section"
        return f"{self.fault}; expected {describe(self.expected)} ({where})"

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
        return f"{_name(self.text[self.position])} at offset {self.position}"

    def asdict(self) -> dict[str, Any]:
        """Return the error as a JSON object with the fields at, expected, rules, section and message."""
        return {
            "at": self.position,
            "expected": "".join(sorted(self.expected)),
            "rules": list(self.rules),
            "section": self.section,
            "message": self.problem,
        }

    def caret(self) -> str:
        """Return two lines: the text around the position, and a caret below the position."""
        start = max(0, self.position - _WIDTH // 2)
        shown = [_visible(char) for char in self.text[start : start + _WIDTH]]
        indent = sum(map(len, shown[: self.position - start]))
        lead = "..." if start else ""
        tail = "..." if start + _WIDTH < len(self.text) else ""
        return f"  {lead}{''.join(shown)}{tail}\n  {' ' * (len(lead) + indent)}^"


def _is_late(arguments: tuple[Any, ...]) -> bool:
    """Return True if `refusal` made the error with these arguments and its details are not yet computed."""
    return len(arguments) == 4 and callable(arguments[3])


def refusal(text: str, spec: str, rule: str, find: Find) -> InvalidURL:
    """Return an error whose details are computed on first access.

    The error calls `find(text, rule)` when an attribute other than text, spec and rule is read first.
    """
    return InvalidURL.__new__(InvalidURL, text, spec, rule, find)


def without_scheme(text: str, spec: str, rule: str, what: str) -> InvalidURL:
    """Return the error for a relative reference in a place where a URL must be absolute.

    `what` names the place in the message, such as "a base".
    """
    reason = f"{what} must be absolute, but this one has no scheme"
    return InvalidURL(text, spec, rule, 0, rules=("scheme",), reason=reason)


def describe(characters: frozenset[str]) -> str:
    """Describe a set of characters: ranges of letters and digits first, then single characters.

    The empty set means that the text must end.
    """
    if not characters:
        return "the end"
    left, parts = set(characters), []
    for name, group in _RANGES.items():
        if left >= set(group):
            parts.append(name)
            left -= set(group)
    return " ".join([*parts, *(_NAMED.get(char, char) for char in sorted(left))])


def _name(char: str) -> str:
    if char.isascii() and char.isprintable():
        return _NAMED.get(char, repr(char))
    return f"U+{ord(char):04X}"


def _visible(char: str) -> str:
    """Return the character, or an escape if it is invisible or a combining mark."""
    if char.isascii():
        shown = char.isprintable()
    else:
        mark = unicodedata.category(char).startswith("M")
        shown = char.isprintable() and not mark and _UNSEEN.match(char) is None
    return char if shown else f"\\u{{{ord(char):x}}}"
