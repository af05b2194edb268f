"""The verdict on an IRI by a second method, which knows nothing of the letters of the automata.

It reads the ranges from the text of the ABNF, writes each character of an IRI as `~` or `|`, and leaves the
rest to RFC 3986.
"""

from __future__ import annotations

import re
from importlib import resources

_ABNF = (resources.files("urloracle") / "grammars" / "rfc3987.abnf").read_text("ascii")


def ranges_of(rule: str) -> list[tuple[int, int]]:
    """Return the ranges of a rule, as the ABNF prints them."""
    production = re.search(rf"^{rule} +=(.*?)\n\n", _ABNF, re.MULTILINE | re.DOTALL)
    assert production is not None
    return [(int(low, 16), int(high, 16)) for low, high in re.findall(r"%x(\w+)-(\w+)", production[1])]


UCSCHAR = ranges_of("ucschar")
IPRIVATE = ranges_of("iprivate")


def is_in(char: str, ranges: list[tuple[int, int]]) -> bool:
    return any(low <= ord(char) <= high for low, high in ranges)


def query_of(text: str) -> range:
    """Return the offsets of the query."""
    begin = text.partition("#")[0].find("?")
    return range(0) if begin < 0 else range(begin + 1, len(text.partition("#")[0]))


def with_stand_ins_of_ascii(text: str) -> str:
    """Return a text of RFC 3986 that is valid where the IRI is: `~` for a character, `|` for a wrong one.

    A character in brackets is always wrong, because a future address has none.
    """
    query = query_of(text)
    written = []
    brackets = False
    for offset, char in enumerate(text):
        brackets = char == "[" or (brackets and char != "]")
        allowed = is_in(char, UCSCHAR) or (is_in(char, IPRIVATE) and offset in query)
        written.append(char if char.isascii() else "~" if allowed and not brackets else "|")
    return "".join(written)
