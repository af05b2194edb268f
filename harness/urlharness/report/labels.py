"""Names of implementations in little room: what tells one from the others is never left out."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import pairwise, takewhile

from urlharness.report.texts import shapeless

#: Stands for what is left out.
LEFT_OUT = "\N{HORIZONTAL ELLIPSIS}"
#: Room of a head of a column, and of a name in a sentence: that of so many letters.
HEAD, WORD = 20, 80

#: What ends a part of a command: a name is cut there rather than within a word.
_ENDS = " /:"
#: Room of a character that is spelled out as its code point.
_SPELLED = 8


def labels(names: Sequence[str], room: int = HEAD) -> list[str]:
    """A label for each of the names of a page, no two of them equal; a name that has room is its own.

    Of the others the common beginning is left out and then the middle; where that makes two of them equal,
    all are cut around the place where they part; and what is equal even so gets a number.
    """
    long = list(dict.fromkeys(name for name in names if _width(name) > room))
    short = {name for name in names if _width(name) <= room}
    for made in (_unprefixed(long, room), _parted(long, names, room)):
        if len(set(made)) == len(long) and short.isdisjoint(made):
            break
    else:
        made = list(_numbered(made, short, room))
    of = dict(zip(long, made, strict=True))
    return [of.get(name, name) for name in names]


def _unprefixed(long: Sequence[str], room: int) -> list[str]:
    common = _cut_at(reduce(_shared, long)) if len(long) > 1 else 0
    return [_middle((LEFT_OUT if common else "") + name[common:], room) for name in long]


def _parted(long: Sequence[str], names: Sequence[str], room: int) -> list[str]:
    """Each from the part of it on that no other has; between neighbours in the alphabet names share most."""
    parts = dict.fromkeys(names, 0)
    for one, other in pairwise(sorted(parts)):
        shared = len(_shared(one, other))
        parts[one], parts[other] = max(parts[one], shared), max(parts[other], shared)
    return [_around(name, parts[name], room) for name in long]


def _around(name: str, part: int, room: int) -> str:
    """What stands around a place of a name, from the beginning of its word if that has room."""
    start = _cut_at(name[:part])
    if _width(name[start : part + 1]) > room // 2:
        start = part
    rest = (LEFT_OUT if start else "") + name[start:]
    return rest if _width(rest) <= room else _begin(rest, room - 1) + LEFT_OUT


def _numbered(made: Sequence[str], taken: set[str], room: int) -> Iterator[str]:
    """Labels that are all different, by numbers behind those that are not."""
    known = set(taken)
    for label in made:
        found, number = label, 1
        while found in known:
            number += 1
            found = f"{_begin(label, room - len(str(number)) - 1)} {number}"
        known.add(found)
        yield found


def _middle(text: str, room: int) -> str:
    """A text without its middle; of what is left two thirds are its end, where commands differ."""
    if _width(text) <= room:
        return text
    first = _begin(text, (room - 1) // 3)
    last = _begin(text[:0:-1], room - 1 - _width(first))[::-1]
    return f"{first.removesuffix(LEFT_OUT)}{LEFT_OUT}{last}"


def _begin(text: str, room: int) -> str:
    """So much of the beginning of a text as there is room for."""
    for end, char in enumerate(text):
        room -= _width(char)
        if room < 0:
            return text[:end]
    return text


def _shared(one: str, other: str) -> str:
    """The beginning that two texts have in common."""
    return one[: sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))]


def _cut_at(text: str) -> int:
    """Where the last word of a text begins."""
    return max(text.rfind(end) for end in _ENDS) + 1


def _width(text: str) -> int:
    """How many letters would take as much room."""
    if text.isascii() and text.isprintable():
        return len(text)
    return sum(
        (_SPELLED if shapeless(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1)
        for char in text
    )
