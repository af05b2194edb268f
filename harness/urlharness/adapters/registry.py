"""Find adapters by name: bundled adapters, and the user's own as `python:`, `jsonl:` and `exec:`."""

from __future__ import annotations

import importlib
import shlex
import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any

from urlharness.adapters import python
from urlharness.adapters.builds import BuildError, build, command, status
from urlharness.adapters.catalogue import FROM_CACHE, PROGRAMS, Implementation, Language, catalogue, clients
from urlharness.protocol.failures import AdapterDead
from urlharness.protocol.server import Responder
from urlharness.system.cache import empty_folder
from urlharness.text import well_formed
from urlharness.wording import os_reason

_HERE = Path(__file__).resolve().parent
_SYNTAX = {
    "python": "python:MODULE:FUNCTION",
    "jsonl": "jsonl:COMMAND, such as jsonl:'python3 adapter.py'",
    "exec": "exec:COMMAND, such as exec:./one.sh",
}
_JAVA = Language(
    name="java_net_uri",
    folder=PROGRAMS / "java_net_uri",
    needs=("javac",),
    packages=(),
    build=(("javac", "-d", "{out}", "{source}/JavaNetUri.java"),),
    run=(),
)
_JAVA_OPTIONS = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"]  # for a quick start


class UnknownAdapter(ValueError):
    """No adapter has this name, or a function cannot be an adapter. The message says why."""


class NotInstalled(Exception):
    """A library or program that an adapter needs is not installed. The message names it."""


@dataclass(frozen=True)
class InProcess:
    """An adapter that is a Python function from question to reply.

    `load` returns the hello and the function. Python looks for the module of the function in `folder` first.
    If `in_child` is true, a child process loads the adapter by its name and runs the function.
    """

    name: str
    load: Callable[[], tuple[dict[str, Any], Responder]]
    folder: Path | None = None
    in_child: bool = False


@dataclass(frozen=True)
class Program:
    """An adapter that is a program and speaks the wire protocol.

    `command` returns the command of the program, and may raise NotInstalled. `folder` is the working
    directory (default: the current one). If `is_ours` is true, the program was not given by the user. It
    starts in an empty folder, because interpreters look for modules and configuration in the current one.
    """

    name: str
    command: Callable[[], list[str]]
    folder: Path | None = None
    is_ours: bool = False

    def working_folder(self) -> Path | None:
        """Return the folder in which the program starts, or None for the current one.

        Raise AdapterDead if there is no empty folder for it.
        """
        if not self.is_ours:
            return self.folder
        try:
            return empty_folder()
        except OSError as error:
            reason = f"{error.filename}: {os_reason(error)}"
            raise AdapterDead(f"no folder to start {self.name} in: {reason}") from None


@dataclass(frozen=True)
class ProgramPerCase:
    """An adapter whose program is run once for each question.

    `folder` is the working directory (default: the current one).
    """

    name: str
    command: list[str]
    folder: Path | None = None


Adapter = InProcess | Program | ProgramPerCase


def find(name: str, folder: Path | None = None) -> Adapter:
    """Return the adapter with this name. Raise UnknownAdapter if there is no such adapter.

    `folder` (default: the current one) is the working directory of a program, or the folder of a module.
    """
    if name in BUNDLED:
        return BUNDLED[name]
    library = name.removesuffix(FROM_CACHE)
    only_cached = library != name
    implementations = {**catalogue(), **clients()}
    if library in implementations:
        command = partial(_command_of_installed, implementations[library], cached=only_cached)
        return Program(name, command, is_ours=True)
    kind, colon, code = name.partition(":")
    if colon and kind in _SYNTAX:
        return _adapter_of_user(kind, code, well_formed(name), folder)
    similar = get_close_matches(name, [*BUNDLED, *implementations], n=1)
    hint = f". Did you mean {similar[0]!r}?" if similar else ""
    bundled = ", ".join(BUNDLED)
    raise UnknownAdapter(
        f"no adapter named {name!r}; choose from {bundled}, the libraries that "
        f"`urlconform adapters list` names, and python:MODULE:FUNCTION, jsonl:COMMAND, exec:COMMAND{hint}"
    )


def _adapter_of_user(kind: str, code: str, printable_name: str, folder: Path | None) -> Adapter:
    """Return the adapter that is a function (`python`) or a program (`jsonl`, `exec`) of the user.

    Raise UnknownAdapter if `code`, what follows the kind, is not complete.
    """
    if not code.strip():
        raise UnknownAdapter(f"{printable_name.strip()} is not complete; expected {_SYNTAX[kind]}")
    if kind == "jsonl":
        words = _split_command(code)
        return Program(printable_name, lambda: words, folder)
    if kind == "exec":
        return ProgramPerCase(printable_name, _split_command(code), folder)
    module, _, function = code.partition(":")
    if not module or not function:
        raise UnknownAdapter(f"{printable_name}: expected {_SYNTAX[kind]}")
    load = partial(python.load, module, function, folder)
    return InProcess(printable_name, load, folder, in_child=True)


def names_code(name: str) -> bool:
    """Return True if a name says what code to run, as `jsonl:COMMAND` does.

    The names of bundled adapters, and of libraries and HTTP clients of the catalogue, do not.
    """
    return name not in BUNDLED and name.removesuffix(FROM_CACHE) not in {**catalogue(), **clients()}


def _command_of_installed(implementation: Implementation, *, cached: bool) -> list[str]:
    """Return the command of an implementation. Raise NotInstalled if the implementation cannot run here.

    If `cached` is true, use only the library in the install cache.
    """
    state, reason, _ = status(implementation, cached=cached)
    if state != "installed":
        raise NotInstalled(f"{reason}; urlconform adapters install {implementation.name}")
    return command(implementation, cached=cached)


def require_program(program: str, title: str) -> str:
    """Return the path of a program.

    Raise NotInstalled, with the `title`, if the program is not on the PATH.
    """
    path = shutil.which(program)
    if path is None:
        raise NotInstalled(f"{title} ({program}) is not on the PATH")
    return path


def _split_command(command: str) -> list[str]:
    """Split a command as a shell does. Raise UnknownAdapter if it cannot be split or is empty."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UnknownAdapter(f"cannot split the command {command!r}: {error}") from None
    if not words:
        raise UnknownAdapter(f"no program in the command {command!r}")
    return words


def _load_bundled(module_name: str) -> tuple[dict[str, Any], Responder]:
    module = importlib.import_module(f"urlharness.adapters.{module_name}")
    return module.hello(), module.answer


def _node_command() -> list[str]:
    return [require_program("node", "Node.js"), str(_HERE / "node_url.mjs")]


def _java_command() -> list[str]:
    """Return the command that runs the compiled adapter, or its source if it cannot be compiled here."""
    java = require_program("java", "a Java runtime")
    program = [str(_JAVA.folder / "JavaNetUri.java")]
    if shutil.which("javac"):
        with suppress(OSError, BuildError):
            program = ["-cp", str(build(_JAVA)), "JavaNetUri"]
    return [java, *_JAVA_OPTIONS, *program]


BUNDLED: Mapping[str, Adapter] = {
    adapter.name: adapter
    for adapter in (
        InProcess("reference", partial(_load_bundled, "reference")),
        InProcess("urllib", partial(_load_bundled, "urllib_parse")),
        Program("node-url", _node_command, is_ours=True),
        Program("java-net-uri", _java_command, is_ours=True),
    )
}


def available_adapters() -> list[Adapter]:
    """Return all bundled adapters except the reference, and the adapters of all installed libraries."""
    bundled = [adapter for name, adapter in BUNDLED.items() if name != "reference"]
    installed = []
    for name, implementation in catalogue().items():
        if status(implementation).state == "installed":
            installed.append(find(name))
    return [*bundled, *installed]
