"""A package."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from urlharness.limits import environment
from urlharness.shell import called, quoted


class Step(NamedTuple):
    """What was done to the adapter: octets written, and seconds waited after them."""

    octets: bytes
    seconds: float = 0.0


# -------------------- doctor.manylines: Many lines that differ in little, as few commands of bash that print them: what they share is said once.


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


# -------------------- doctor.repeating: From what was done to an adapter to one line of shell that does it again, where a run would do it.


_LONGEST = 2000  # characters of a line that anybody would paste


_STATUS = 'echo "exit code $?"'


def clean(command: Sequence[str], also: Sequence[str] = ()) -> str:
    """A command as words of bash, with the environment that the harness gives it, and with more of ours."""
    if _odd(command[0]):
        return " ".join((f"'{command[0]}'", *map(shlex.quote, command[1:])))
    # Python changes the locale of this process: the shell has another one
    kept = (
        f"{name}={shlex.quote(value)}" if name.startswith(("LANG", "LC_")) else f'{name}="${name}"'
        for name, value in environment().items()
    )  # fmt: skip
    return " ".join(("env -i", *kept, *(f'{name}="${name}"' for name in also), shlex.join(command)))


def served(name: str) -> str:
    """The command that serves a function, as words of bash, as its child process is run in a run."""
    path = ["PYTHONPATH"] if "PYTHONPATH" in os.environ else []  # that one imports from where we do
    return clean([*called(), "serve", name], path)


def _odd(name: str) -> bool:
    """True for the name of a program that `env` would take for something else."""
    return "=" in name or name.startswith("-")


def unstarted(command: Sequence[str]) -> str:
    """A line that shows why a program does not start; the first line of a file that bash would run."""
    return f"{clean(command) if _odd(command[0]) else f'env {shlex.join(command)}'} </dev/null"


def piped(steps: Sequence[Step], command: str, *, wait: bool = False) -> str:
    """A shell line (bash) that writes the steps to a command; with `wait` its input stays open a while."""
    merged = _merged(steps)
    line = _piped(merged, command, wait)
    lines = sum(step.octets.count(b"\n") for step in merged)
    left = lines
    while len(line) > _LONGEST and left > 1:
        left //= 2
        line = f"{_piped(_last(merged, left), command, wait)} # the last {left} of {lines:,} lines"
    return line


def one_by_one(questions: Sequence[bytes], command: str) -> str:
    """A shell line that runs a command for each question, and tells how it ended."""
    if len(questions) == 1:
        return f"{piped([Step(questions[0])], command)}; {_STATUS}"
    different = [*dict.fromkeys(questions)]
    words = " ".join(quoted(question.decode("ascii").rstrip("\n")) for question in different)
    line = f"for q in {words}; do printf '%s\\n' \"$q\" | {command}; {_STATUS}; done"
    if len(line) > _LONGEST and len(different) > 1:
        return one_by_one(different[-(len(different) // 2) :], command)
    return line if len(different) == len(questions) else f"for n in 1 2; do {line}; done"


def _piped(steps: Sequence[Step], command: str, wait: bool) -> str:
    writes = [written for step in steps for written in _writes(step)]
    if wait:
        writes.append("sleep 3")
    if not writes:
        return f"{command} </dev/null"
    joined = writes[0] if len(writes) == 1 else "{ " + "; ".join(writes) + "; }"
    return f"{joined} | {command}"


def _merged(steps: Sequence[Step]) -> list[Step]:
    """Steps without a wait between them as one."""
    merged: list[Step] = []
    gathered: list[bytes] = []
    for step in steps:
        gathered.append(step.octets)
        if step.seconds:
            merged.append(Step(b"".join(gathered), step.seconds))
            gathered = []
    return [*merged, Step(b"".join(gathered))] if gathered else merged


def _last(steps: Sequence[Step], count: int) -> list[Step]:
    """The first line, which is the greeting, and so many of the last ones."""
    kept: list[Step] = []
    for step in reversed(steps):
        *lines, rest = step.octets.split(b"\n")
        taken = lines[max(0, len(lines) - count) :]
        if step is steps[0] and len(taken) < len(lines):
            taken = [lines[0], *taken]
        count = max(0, count - len(taken))
        kept.append(Step(b"".join(line + b"\n" for line in taken) + rest, step.seconds))
    return kept[::-1]


def _writes(step: Step) -> list[str]:
    text = step.octets.decode("utf-8", "surrogateescape")
    *lines, rest = text.split("\n")
    writes = printed(lines) if lines else []
    if rest:
        writes.append(f"printf %s {quoted(rest)}")
    if step.seconds:
        writes.append(f"sleep {step.seconds:g}")
    return writes
