"""Texts of URLs with letters beyond ASCII, for the tiers of one operation of an RFC on IRIs.

These tiers are made of URLs that RFC 3986 and its predecessors treat in different ways. An IRI is treated in
the same way if some of its letters are replaced by characters beyond ASCII, so the tiers of RFC 3987 have the
same URLs with other letters: from the right and from the left, inside and beyond U+FFFF, and a private one in
queries.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

#: The character that replaces each letter. Names with a meaning, such as localhost, have none of the letters.
_LETTERS: Mapping[str, str] = {
    "b": "\u65e5",
    "g": "\u00e9",
    "p": "\u05d0",
    "q": "\u03b1",
    "u": "\U00010300",
    "v": "\u0301",
    "y": "\ud7ff",
}
#: What stays: the scheme, triplets, addresses in brackets, and default file names.
_KEPT = r"\A[A-Za-z][A-Za-z0-9+.-]*:|%[0-9A-Fa-f]{2}|\[[^\]]*\]|index\.html"
#: The host of most URLs, the fragment of most URLs, and a query that is one letter.
_ALONE: Mapping[str, str] = {"//h": "//\u00fc", "#s": "#\uffef", "?q": "?\ue000", "?y": "?\U0010fffd"}
_REPLACED = re.compile(rf"({_KEPT})|(?://h|#s|\?[qy])(?![A-Za-z0-9.%])|[{''.join(_LETTERS)}]")


def with_letters_beyond_ascii(text: str) -> str:
    """Return a URL, or a component, with some letters replaced. The scheme of a URL stays."""

    def replace(match: re.Match[str]) -> str:
        unchanged: str | None = match[1]
        if unchanged is not None:
            return unchanged
        return _ALONE.get(match[0]) or _LETTERS[match[0]]

    return _REPLACED.sub(replace, text)
