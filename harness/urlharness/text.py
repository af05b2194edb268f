"""Untrusted text made safe for terminals and logs; excerpts; names of files."""

from __future__ import annotations

import hashlib
import re
import signal
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

# -------------------- protocol: The wire protocol, version 1: one JSON object a line, each message a typed record.


def well_formed(text: str) -> str:
    """The text with lone surrogates spelled out, which no JSON may hold."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


# -------------------- process: A child process in a group of its own: lines in and out without blocking, an end that can be told apart.


def excerpt(line: bytes) -> str:
    """The beginning of a line, quoted."""
    return repr(line[:80].decode("utf-8", "replace")) + ("..." if len(line) > 80 else "")


def signal_name(number: int) -> str:
    """The name of a signal, such as SIGSEGV."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


# -------------------- report.texts: Texts of a run made safe to show: every one of them may come from a hostile adapter.


#: Parts of an RFC that have no number, as a corpus labels them; readers know them by their headings.
_UNNUMBERED = frozenset(("front", "appendix", "references", "addresses", "index"))


#: What a build server takes for a command wherever it stands in a line of its log, as in `##[error]`.
_COMMAND = re.compile(r"##(?=\w*\[)")


#: What GitHub takes for one at the beginning of a line.
_COMMAND_AT_START = re.compile(r"^( *):(?=:)")


#: Default_Ignorable_Code_Point of Unicode, of which some are printable to Python, and the blank of Braille.
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def shapeless(char: str) -> bool:
    """True of a character that a reader would not see, or would see as a part of another one.

    So it is with all that is not printable, with what Unicode lets be ignored, and with marks, which change
    the shape of the character before them.
    """
    mark = unicodedata.category(char).startswith("M")
    return mark or not char.isprintable() or _UNSEEN.match(char) is not None


@lru_cache(maxsize=4096)
def _spelled(code: int) -> str:
    char = chr(code)
    return f"\\u{{{code:x}}}" if shapeless(char) else char


class _Spelling:
    """Every code point as `str.translate` looks it up."""

    def __getitem__(self, code: int) -> str:
        return _spelled(code)


_SPELLING = _Spelling()


def plain(text: str) -> str:
    """A text for a terminal: every character without a shape of its own is spelled out."""
    if text.isascii() and text.isprintable():
        return text
    return text.translate(_SPELLING)


def logged(text: str) -> str:
    """A text for a line of a log: plain, and no command to the build server that shows it.

    GitHub takes a line that begins with `::` for a command, and other servers what begins with `##[`.
    """
    return _COMMAND_AT_START.sub(r"\1\\u{3a}", _COMMAND.sub(r"#\\u{23}", plain(text)))


def escaped(text: str) -> str:
    """A JSON text that is equal as JSON, and no command to a build server: there it has an escape of JSON."""
    return _COMMAND.sub(r"#\\u0023", text)


def clipped(text: str, limit: int) -> str:
    """No more than `limit` characters of a text, and how many were left out."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]}… (and {len(text) - limit:,} characters more)"


def shortened(text: str, limit: int, cut: str = "…") -> str:
    """A text of at most `limit` characters: of a longer one the two ends, and `cut` for what is between."""
    if len(text) <= limit:
        return text
    head = (limit - len(cut) + 1) // 2
    tail = limit - len(cut) - head
    return f"{text[:head]}{cut}{text[-tail:]}" if tail > 0 else text[: max(1, limit)]


def names(given: Iterable[str], limit: int, cut: str = "…") -> Mapping[str, str]:
    """Each name as a report shows it: logged, of at most `limit` characters, and no two of them alike.

    Names that would be are told apart by their digests.
    """
    shown = {name: shortened(logged(name), limit, cut) for name in given}
    taken = Counter(shown.values())
    for name, short in shown.items():
        if taken[short] > 1:
            told = digest(name)
            room = limit - len(told) - 1
            shown[name] = f"{shortened(short, room, cut)} {told}"
    return shown


def digest(text: str) -> str:
    """Eight hex digits by which a text can be told from others."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]


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


# -------------------- report.filenames: Names of files that are made from any text, such as the name of an adapter.


_LONGEST = 60  # characters that are taken from the text


def file_name(text: str, taken: dict[str, str]) -> str:
    """A name of letters, digits and `-._`, the same for the same text and another for another.

    One that is not the text itself has its digest, whatever else is written; so has one that differs from
    another of them only by its capitals, which not every file system tells apart.  `taken` is what one call
    after another remembers, for names that stand in one folder.
    """
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.")[:_LONGEST] or "unnamed"
    changed = name != text or taken.setdefault(name.lower(), text) != text
    return f"{name}-{digest(text)}" if changed else name
