"""Untrusted text made safe for terminals, logs and file names.

Any text of a run may come from a hostile adapter.
"""

from __future__ import annotations

import hashlib
import re
import string
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

#: The maximum number of characters of a file name, without a digest.
LONGEST_FILE_NAME = 60

#: The maximum number of bytes of an excerpt.
_EXCERPT = 80

#: Text that build servers read as a command anywhere in a line of a log, as in `##[error]`.
_COMMAND = re.compile(r"##(?=\w*\[)")

#: Text that GitHub reads as a command at the beginning of a line.
_COMMAND_AT_START = re.compile(r"^( *):(?=:)", re.MULTILINE)

_ASCII_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)

_OUTER_SPACES = re.compile("^ +| +$")

#: Invisible characters: Default_Ignorable_Code_Point of Unicode, some of which Python calls printable, and
#: the blank Braille pattern.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)


def ascii_lower(text: str) -> str:
    """Return a text with its ASCII letters in lower case. `str.lower` maps others to ASCII letters, too."""
    return text.translate(_ASCII_LOWER)


def is_well_formed(text: str) -> bool:
    """Return True if a text has no lone surrogates, so that UTF-8 and JSON can represent it."""
    return text.isascii() or not any("\ud800" <= char <= "\udfff" for char in text)


def well_formed(text: str) -> str:
    """Escape the lone surrogates of a text, because JSON cannot represent them."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def excerpt(line: bytes) -> str:
    """Return the first 80 bytes of a line in quotation marks, with `...` if the line is longer."""
    beginning = line[:_EXCERPT].decode("utf-8", "replace")
    quoted = repr(beginning)
    return f"{quoted}..." if len(line) > _EXCERPT else quoted


@lru_cache(maxsize=4096)
def needs_escape(char: str) -> bool:
    """Return True if a character is invisible or combines with the character before it."""
    is_mark = unicodedata.category(char).startswith("M")
    return is_mark or not char.isprintable() or _INVISIBLE.match(char) is not None


def plain(text: str) -> str:
    r"""Escape the invisible characters and combining marks of a text, so that a terminal can show it.

    A byte that is no UTF-8, decoded by `surrogateescape`, becomes `\xff`.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escape(char) if needs_escape(char) else char for char in text)


def _escape(char: str) -> str:
    """Return the escape of a character, or of a byte that is no UTF-8."""
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:  # how `surrogateescape` decodes a byte that is no UTF-8
        return f"\\x{code - 0xDC00:02x}"
    return f"\\u{{{code:x}}}"


def visible(text: str) -> str:
    r"""Escape a text like `plain`, and also all characters outside ASCII and the spaces at its ends.

    This is for URLs and their components, in which `\u{212a}` looks like the letter K.
    """
    escaped = plain(text)
    if not escaped.isascii():
        escaped = "".join(char if char.isascii() else _escape(char) for char in escaped)
    return _OUTER_SPACES.sub(_escape_spaces, escaped)


def _escape_spaces(spaces: re.Match[str]) -> str:
    """Return an escape for each of the matched spaces."""
    return r"\u{20}" * len(spaces[0])


def logged(text: str) -> str:
    """Escape a text like `plain`, and also escape what a build server would read as a command."""
    return without_commands(plain(text))


def without_commands(lines: str) -> str:
    """Escape what a build server would read as a command in lines without other control characters."""
    without_hashes = _COMMAND.sub(r"#\\u{23}", lines)
    return _COMMAND_AT_START.sub(r"\1\\u{3a}", without_hashes)


def escaped_json(text: str) -> str:
    """Escape what a build server would read as a command in a JSON text. The value stays the same."""
    return _COMMAND.sub(r"#\\u0023", text)


def clipped(text: str, limit: int) -> str:
    """Cut a text that is longer than `limit`, and append the number of characters left out."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]}… (and {len(text) - limit:,} characters more)"


def short_names(names: Iterable[str], limit: int, cut: str = "…") -> Mapping[str, str]:
    """Map each name to a form for reports: escaped, at most `limit` characters long, and unique.

    A long name is cut in the middle, where `cut` is inserted. Names that would be equal get a digest.
    """
    short_forms = {name: _shortened(logged(name), limit, cut) for name in names}
    counts = Counter(short_forms.values())
    unique_forms = {}
    for name, short_form in short_forms.items():
        unique_forms[name] = short_form
        if counts[short_form] > 1:
            digest = _digest(name)
            beginning = _shortened(short_form, limit - len(digest) - 1, cut)
            unique_forms[name] = f"{beginning} {digest}"
    return unique_forms


def _shortened(text: str, limit: int, cut: str) -> str:
    """Return a text of at most `limit` characters, but at least one; a longer text is cut in the middle."""
    if len(text) <= limit:
        return text
    head = (limit - len(cut) + 1) // 2
    tail = limit - len(cut) - head
    if tail <= 0:  # no room for both ends
        return text[: max(1, limit)]
    return f"{text[:head]}{cut}{text[-tail:]}"


def file_name(text: str, names_in_folder: dict[str, str]) -> str:
    """Return a file name for a text, such as the name of an adapter: letters, digits and `-._`.

    If the file name differs from the text, a digest is added. A digest is also added if the file name differs
    only in case from an earlier one, because some file systems ignore case. `names_in_folder` remembers
    the names of one folder between calls.
    """
    allowed = re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.")
    name = allowed[:LONGEST_FILE_NAME] or "unnamed"
    # only an unchanged name is remembered: all others have a digest, and so differ from it
    needs_digest = name != text or names_in_folder.setdefault(name.lower(), text) != text
    if needs_digest:
        return f"{name}-{_digest(text)}"
    return name


def _digest(text: str) -> str:
    """Return the first eight hex digits of the SHA-256 of a text, which may have lone surrogates."""
    encoded = text.encode("utf-8", "surrogatepass")
    return hashlib.sha256(encoded).hexdigest()[:8]
