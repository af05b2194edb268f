"""Texts as words of bash."""

from __future__ import annotations

import re
import shlex

_RUN = re.compile(r"(.)\1{255,}", re.DOTALL)
_PLAIN = re.compile(r"[\x20-\x7e]*")


def quoted(text: str) -> str:
    """A text as a word of bash; a long run of one character is made there, not pasted."""
    words, at = [], 0
    for run in _RUN.finditer(text):
        words.append(_word(text[at : run.start()]))
        words.append(f"\"$(head -c {len(run[0])} /dev/zero | tr '\\0' {_word(run[1])})\"")
        at = run.end()
    words.append(_word(text[at:]))
    return "".join(words) or "''"


def _word(text: str) -> str:
    if not text:
        return ""
    if _PLAIN.fullmatch(text):
        return shlex.quote(text)
    octets = text.encode("utf-8", "surrogateescape")
    escaped = "".join(
        chr(octet) if 32 <= octet < 127 and octet not in b"'\\" else f"\\x{octet:02x}" for octet in octets
    )
    return f"$'{escaped}'"
