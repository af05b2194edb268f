"""Many lines that differ in little, as few commands of bash that print them: what they share is said once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from urlharness.doctor.shellwords import quoted

_READABLE = 1000  # characters that are pasted as they are
_SHARED = 40  # as many characters in common make two lines alike
_OFTEN = 4  # the same line so many times is told as such
_HEAD = '{"type":"run","id":'
_NUMBERED = re.compile(re.escape(_HEAD) + r"(\d{1,18})([,}].*)", re.DOTALL)


class _Line(NamedTuple):
    """A line, taken apart at its id; without one it is all `rest`."""

    number: int | None
    rest: str
    whole: str


class _Group(NamedTuple):
    """Lines that follow each other, and what is before and behind the place where they differ, if they do."""

    lines: list[_Line]
    before: str
    behind: str | None = None

    def joined(self, lines: list[_Line]) -> _Group | None:
        """With lines that are others, and all the same; None where they share too little."""
        rest = lines[0].rest
        if None in (self.lines[0].number, lines[0].number):
            return None
        before = _beginning(self.before, rest)
        behind = self.before[len(before) :] if self.behind is None else self.behind
        behind = _beginning(behind[::-1], rest[len(before) :][::-1])[::-1]
        if len(before) + len(behind) < _SHARED:
            return None
        return _Group(self.lines + lines, before, behind)


def printed(lines: Sequence[str]) -> list[str]:
    """Commands that print the lines; where they are few, one that has all of them as they are."""
    plain = _plain(lines)
    return [plain] if len(plain) <= _READABLE else list(_commands(lines))


def _plain(lines: Iterable[str]) -> str:
    return " ".join(("printf '%s\\n'", *map(quoted, lines)))


def _commands(lines: Sequence[str]) -> Iterator[str]:
    """One for each group; lines that share nothing are printed by one together."""
    for alone, groups in groupby(_groups(lines), lambda group: len(group.lines) == 1):
        if alone:
            yield _plain(line.whole for group in groups for line in group.lines)
        else:
            yield from map(_command, groups)


def _groups(lines: Sequence[str]) -> Iterator[_Group]:
    """The lines in groups as large as possible; a line that is often repeated is one of its own."""
    group: _Group | None = None
    for rest, same in groupby(map(_taken_apart, lines), itemgetter(1)):
        alike = list(same)
        joined = group.joined(alike) if group and len(alike) < _OFTEN else None
        if group and joined is None:
            yield group
        group = joined or _Group(alike, rest)
        if len(alike) >= _OFTEN:
            yield group
            group = None
    if group:
        yield group


def _beginning(one: str, other: str) -> str:
    """What two texts begin with."""
    shorter = min(len(one), len(other))
    return one[: next((at for at in range(shorter) if one[at] != other[at]), shorter)]


def _taken_apart(line: str) -> _Line:
    found = _NUMBERED.fullmatch(line)
    return _Line(int(found[1]), found[2], line) if found else _Line(None, line, line)


def _command(group: _Group) -> str:
    """A `printf`, which begins its format again for each line."""
    numbers = [line.number for line in group.lines if line.number is not None]
    if not numbers:
        return _plain(line.whole for line in group.lines)
    form = f"{_literal(_HEAD)}%d{_literal(group.before)}"
    if group.behind is None:
        return f"printf {quoted(form + _END)} {_counted(numbers)}"
    form += f"%s{_literal(group.behind)}"
    cut = slice(len(group.before), -len(group.behind) or None)
    words = (f"{line.number} {quoted(line.rest[cut])}" for line in group.lines)
    return " ".join((f"printf {quoted(form + _END)}", *words))


_END = "\\n"  # as `printf` writes the end of a line


def _literal(text: str) -> str:
    """A text in a format, where it stands for itself."""
    return text.replace("\\", "\\\\").replace("%", "%%")


def _counted(numbers: Sequence[int]) -> str:
    """Numbers as words of bash."""
    first, last = numbers[0], numbers[-1]
    if len(numbers) > 2 and list(numbers) == list(range(first, last + 1)):
        return f"{{{first}..{last}}}"
    return " ".join(map(str, numbers))
