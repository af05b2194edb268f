"""From what was done to an adapter to one line of shell that does it again, where a run would do it."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence

from urlharness.called import called
from urlharness.doctor.manylines import printed
from urlharness.doctor.shellwords import quoted
from urlharness.doctor.talk import Step
from urlharness.process import environment
from urlharness.starting import is_no_program

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
    if is_no_program(command):
        return f"head -n 1 {shlex.quote(command[0])} | cat -A"
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
