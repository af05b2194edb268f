"""The adapters by name: the bundled ones, and `python:`, `jsonl:` and `exec:` for one's own."""

from __future__ import annotations

import importlib
import shlex
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from urlharness.adapters import builds, python
from urlharness.adapters.python import Answer
from urlharness.text import well_formed


class UnknownAdapter(ValueError):
    """A name that no adapter has."""


class NotInstalled(Exception):
    """An adapter whose runtime this machine does not have; the message says which."""


@dataclass(frozen=True)
class InProcess:
    """An adapter that is a function in Python: it takes a question and gives a reply.

    `folder` is where its module was looked up, if not where every module is.  With `apart` it is not asked
    in this process, but served by a child that finds it by its name; `record` is where what goes to that one,
    and comes from it, is written down.
    """

    name: str
    load: Callable[[], tuple[dict[str, Any], Answer]]
    folder: Path | None = None
    apart: bool = False
    record: Path | None = None


@dataclass(frozen=True)
class Program:
    """An adapter that is a program speaking the wire protocol; `command` raises NotInstalled.

    `folder` is the directory that it runs in; None is the current one.
    """

    name: str
    command: Callable[[], list[str]]
    folder: Path | None = None


@dataclass(frozen=True)
class ProgramPerCase:
    """An adapter that is a program run once for each question, in `folder` or in the current directory."""

    name: str
    command: list[str]
    folder: Path | None = None


Adapter = InProcess | Program | ProgramPerCase


#: Of the adapters of one's own, what stands behind the colon.
_OWN = {
    "python": ("the function", "MODULE:FUNCTION, such as python:mine:answer"),
    "jsonl": ("the command", "COMMAND, such as jsonl:'python3 adapter.py'"),
    "exec": ("the command", "COMMAND, such as exec:./one.sh"),
}


_HERE = Path(__file__).resolve().parent


def _module(name: str) -> Callable[[], tuple[dict[str, Any], Answer]]:
    def load() -> tuple[dict[str, Any], Answer]:
        module = importlib.import_module(f"urlharness.adapters.{name}")
        return module.hello(), module.answer

    return load


def _node() -> list[str]:
    return [require("node", "Node.js"), str(_HERE / "node_url.mjs")]


def _java() -> list[str]:
    return builds.command(require("java", "a Java runtime"), _HERE / "JavaNetUri.java")


def require(program: str, what: str) -> str:
    """The path of a program; raises NotInstalled that says what is missing."""
    path = shutil.which(program)
    if path is None:
        raise NotInstalled(f"{what} ({program}) is not on the PATH")
    return path


BUNDLED: Mapping[str, Adapter] = {
    adapter.name: adapter
    for adapter in (
        InProcess("reference", _module("reference")),
        InProcess("urllib", _module("urllib_parse")),
        Program("node-url", _node),
        Program("java-net-uri", _java),
    )
}


def find(name: str, folder: Path | None = None) -> Adapter:
    """The adapter of a name, as users give it; raises UnknownAdapter.

    `folder` is where one of one's own is looked up and run: that of the configuration that names it, or the
    current directory.
    """
    if name in BUNDLED:
        return BUNDLED[name]
    shown = well_formed(name)
    kind, colon, rest = name.partition(":")
    if colon and rest.strip():
        match kind:
            case "python":
                module, _, function = rest.partition(":")
                if not module or not function:
                    raise UnknownAdapter(f"{shown}: expected python:MODULE:FUNCTION")
                load = partial(python.load, module, function, folder)
                return InProcess(shown, load, folder, apart=True)
            case "jsonl":
                command = _split(rest)
                return Program(shown, lambda: command, folder)
            case "exec":
                return ProgramPerCase(shown, _split(rest), folder)
    if kind in _OWN and colon:
        raise UnknownAdapter(f"{kind}: {_OWN[kind][0]} is empty; expected {kind}:{_OWN[kind][1]}")
    known = ", ".join(BUNDLED)
    raise UnknownAdapter(
        f"no adapter named {name!r}; there are {known}, "
        "and python:MODULE:FUNCTION, jsonl:COMMAND, exec:COMMAND"
    )


def _split(command: str) -> list[str]:
    """A command as a shell would split it; there is at least the program."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UnknownAdapter(f"cannot split the command {command!r}: {error}") from None
    if not words:
        raise UnknownAdapter(f"no program in the command {command!r}")
    return words
