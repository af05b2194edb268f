"""The exchange with an adapter as it was: every line in both directions, with the octets of the wire."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Literal, NamedTuple

from urlharness.adapters.registry import Adapter, InProcess, Program, ProgramPerCase
from urlharness.engine.diagnosis import missing, not_started
from urlharness.engine.wiretap import tapped
from urlharness.limits import AdapterDead

_PIECE = re.compile(rb"([<>=!]) (\d+)\n")


class Line(NamedTuple):
    """A line that went to the adapter (`->`) or came from it (`<-`); `ended` where it has its end of line."""

    direction: Literal["->", "<-"]
    octets: bytes
    ended: bool = True


class Exchange(NamedTuple):
    """What went over the wire, in the order in which the lines ended.

    `status` is what the last program exited with, None where it was ended; `problem` is why it could not be
    run, as the system says it.
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

    Between harness and program stands a tap.  A function is served by a child process, as in a run; so is a
    bundled one, which a run asks where it is.
    """
    match adapter:
        case Program():
            command = _tapped(adapter.command(), log, adapter.folder)
            return replace(adapter, command=lambda: command)
        case ProgramPerCase():
            return replace(adapter, command=_tapped(adapter.command, log, adapter.folder))
        case InProcess():
            return replace(adapter, apart=True, record=log)


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


def _tapped(command: list[str], log: Path, folder: Path | None) -> list[str]:
    if missing(command[0], folder):
        raise AdapterDead(not_started(command, "no such program", folder))
    return tapped(log, command)
