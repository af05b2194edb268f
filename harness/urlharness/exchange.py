"""The exchange with an adapter as it was: every line in both directions, with the octets of the wire."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from urlharness.adapters.registry import Adapter, InProcess, Program, ProgramPerCase
from urlharness.session import AdapterDead
from urlharness.starting import not_started

_TAP = str(Path(__file__).with_name("wiretap.py"))
_PIECE = re.compile(rb"([<>=!]) (\d+)\n")


class Line(NamedTuple):
    """A line that went to the adapter (`->`) or came from it (`<-`); `ended` where it has its end of line."""

    direction: Literal["->", "<-"]
    octets: bytes
    ended: bool = True


class Exchange(NamedTuple):
    """What went over the wire, in the order in which the lines ended.

    `status` is what the last program exited with, None where it was ended or is a function; `problem` is why
    it could not be run, as the system says it.
    """

    lines: list[Line]
    status: int | None = None
    problem: str = ""

    @property
    def answered(self) -> bool:
        """True where a line came from the adapter."""
        return any(line.direction == "<-" for line in self.lines)


def recorded(adapter: Adapter, log: Path) -> Adapter:
    """The adapter, whose exchange is written to a file; raises AdapterDead where there is no such program.

    Between harness and program stands a tap.  For a function the lines are those that it would be sent, and
    would send, if it were served; where a child process asks it, that one writes them down.
    """
    match adapter:
        case Program():
            command = _tapped(adapter.command(), log)
            return replace(adapter, command=lambda: command)
        case ProgramPerCase():
            return replace(adapter, command=_tapped(adapter.command, log))
        case InProcess(apart=True):
            return replace(adapter, record=log)
        case InProcess():
            return replace(adapter, load=listening(adapter, log))


def exchange(log: Path) -> Exchange:
    """A recorded exchange."""
    status, problem = None, ""
    rest: dict[Literal["->", "<-"], bytes] = {"->": b"", "<-": b""}
    lines: list[Line] = []
    recording = log.read_bytes() if log.exists() else b""
    at = 0
    while piece := _PIECE.match(recording, at):
        at = piece.end() + int(piece[2])
        octets = recording[piece.end() : at]
        match piece[1]:
            case b"=":
                status = int(octets)
            case b"!":
                problem = octets.decode()
            case _:
                direction: Literal["->", "<-"] = "->" if piece[1] == b">" else "<-"
                *whole, rest[direction] = (rest[direction] + octets).split(b"\n")
                lines += [Line(direction, line) for line in whole]
    lines += [Line(direction, octets, ended=False) for direction, octets in rest.items() if octets]
    return Exchange(lines, status, problem)


def _tapped(command: list[str], log: Path) -> list[str]:
    if shutil.which(command[0]) is None:
        raise AdapterDead(not_started(command, "no such program"))
    return [sys.executable, "-I", "-S", _TAP, str(log), *command]


Answer = Callable[[dict[str, Any]], dict[str, Any]]


def listening(adapter: InProcess, log: Path) -> Callable[[], tuple[dict[str, Any], Answer]]:
    """Loads a function that writes down what it is asked and what it gives."""

    def load() -> tuple[dict[str, Any], Answer]:
        hello, answer = adapter.load()

        def heard(question: dict[str, Any]) -> dict[str, Any]:
            _note(log, b">", {"type": "run", "id": 0, **question})
            reply = answer(question)
            _note(log, b"<", _with_id(reply))
            return reply

        return hello, heard

    return load


def _with_id(reply: object) -> object:
    """A reply as it would be sent; a function may give anything."""
    return {**reply, "id": 0} if isinstance(reply, dict) else reply


def _note(log: Path, direction: bytes, message: Any) -> None:
    try:
        octets = msgspec.json.encode(message)
    except (TypeError, ValueError, RecursionError):  # it is no JSON: how Python shows it
        octets = repr(message).encode("utf-8", "backslashreplace").replace(b"\n", b" ")
    with log.open("ab") as stream:
        stream.write(b"%b %d\n" % (direction, len(octets) + 1) + octets + b"\n")
