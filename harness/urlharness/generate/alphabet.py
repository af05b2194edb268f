"""Which characters a suite is written in: one for each class, or every one of them.

Two characters are of one class where the automaton goes from every state to the same state with both.  All
characters that no member has are one class more.
"""

from __future__ import annotations

import string
from collections.abc import Iterable

from urloracle.automaton import ASCII, SINK, Automaton

#: Readable characters first: of a class its first one here is written.
_READABLE = f"{string.ascii_lowercase}{string.digits}{string.ascii_uppercase}"
ORDER = "".join(sorted(ASCII, key=lambda char: (char not in _READABLE, not "!" <= char <= "~", char)))
ORDER = _READABLE + ORDER[len(_READABLE) :]

#: Characters beyond ASCII that a program takes for one of ASCII when it folds case, asks whether something
#: is a letter or a digit, normalizes, cuts to eight bits, or strips what it cannot see.
BEYOND = (
    "\x80\x85\xa0\xad"  # controls, a blank and a hyphen of Latin-1
    "\xaa\xdf\xe9\xff"  # letters of Latin-1
    "\u0130\u0131\u017f\u212a"  # letters that fold to i, s and k
    "\u012f\u013a\u0140"  # / : and @ when cut to eight bits
    "\u0660\u0966\uff10"  # digits
    "\u2024\u3002\uff0e"  # dots
    "\uff0f\uff1a\uff1f\uff03\uff20\uff05\uff21"  # full width / : ? # @ % A
    "\u200d\u2028\ufeff\ufffd"  # unseen, a line's end, a byte order mark, a replacement
    "\U0001d7ce\U0010ffff"  # a digit and the last of all
)

#: Octets above 127, each by itself no UTF-8, as `surrogateescape` writes them.
OCTETS = "".join(map(chr, range(0xDC80, 0xDD00)))

#: All of ASCII, the characters beyond, and the octets.
EVERY = ORDER + BEYOND + OCTETS


def representatives(automaton: Automaton) -> str:
    """One character of each class, in the order of `ORDER`; classes with the same column are one."""
    columns = list(zip(*automaton.table, strict=True))
    unknown = (SINK,) * len(automaton.table)
    found: dict[tuple[int, ...], str] = {}
    for char in ORDER:
        number = automaton.classes.get(char)
        found.setdefault(unknown if number is None else columns[number], char)
    return "".join(found.values())


def rows(automaton: Automaton, alphabet: Iterable[str]) -> list[dict[str, int]]:
    """For each state the next state by character of the alphabet; SINK for what no member has."""
    places = [(char, automaton.classes.get(char)) for char in alphabet]
    return [
        {char: SINK if number is None else row[number] for char, number in places} for row in automaton.table
    ]
