"""Texts of a run made safe to show: every one of them may come from a hostile adapter."""

from __future__ import annotations

import re

#: Parts of an RFC that have no number, as a corpus labels them; readers know them by their headings.
_UNNUMBERED = frozenset(("front", "appendix", "references", "addresses", "index"))
#: What a build server takes for a command wherever it stands in a line of its log, as in `##[error]`.
_COMMAND = re.compile(r"##(?=\w*\[)")
#: What GitHub takes for one at the beginning of a line.
_COMMAND_AT_START = re.compile(r"^( *):(?=:)")


def plain(text: str) -> str:
    """A text for a terminal: everything that is no printable character is spelled out."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else f"\\u{{{ord(char):x}}}" for char in text)


def logged(text: str) -> str:
    """A text for a line of a log: plain, and no command to the build server that shows it.

    GitHub takes a line that begins with `::` for a command, and other servers what begins with `##[`.
    """
    return _COMMAND_AT_START.sub(r"\1\\u{3a}", _COMMAND.sub(r"#\\u{23}", plain(text)))


def clipped(text: str, limit: int) -> str:
    """No more than `limit` characters of a text, and how many were left out."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]}… (and {len(text) - limit:,} characters more)"


def rfc(spec: str) -> str:
    """A specification as readers call it: RFC 3986."""
    return f"RFC {spec.removeprefix('rfc')}"


def section(label: str, title: str) -> tuple[str, str]:
    """A section as readers know it, number and title; a part without a number is its heading alone."""
    return (title or label.capitalize(), "") if label in _UNNUMBERED else (label, title)


def place(label: str, title: str) -> str:
    """Where something stands, in a sentence: section 3.2, or the heading of a part without a number."""
    return section(label, title)[0] if label in _UNNUMBERED else f"section {label}"


def counted(number: int, one: str, more: str = "") -> str:
    """A number with its noun: 1 case, 1,065 cases."""
    return f"{number:,} {one if number == 1 else more or one + 's'}"
