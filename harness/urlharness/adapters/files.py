"""The files of an adapter of one's own, as far as its name tells: what must not be written over."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Iterator, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

from urlharness.adapters.registry import BUNDLED, Adapter, InProcess, Program, ProgramPerCase


def files_of(adapter: Adapter) -> Iterator[Path]:
    """Files that are there: those that a command has among its words, or the module of a function.

    What a program opens besides, and what a module imports, is not known.  A bundled adapter has none.
    """
    if BUNDLED.get(adapter.name) is adapter:
        return
    match adapter:
        case Program():
            yield from _of_command(adapter.command(), adapter.folder or Path())
        case ProgramPerCase():
            yield from _of_command(adapter.command, adapter.folder or Path())
        case InProcess(apart=True):  # of the others no name leads to a module
            yield from _of_module(adapter.name.split(":")[1], adapter.folder or Path())


def _of_command(command: Sequence[str], folder: Path) -> Iterator[Path]:
    program, *words = command
    if "/" not in program:  # it is looked for on the PATH, and nowhere else
        if found := shutil.which(program):
            yield Path(found)
    else:
        words.insert(0, program)
    for word in words:
        for part in _parts(word):
            if os.path.isfile(path := folder / part):  # noqa: PTH113 - False for a name that none can have
                yield path


def _parts(word: str) -> Iterator[str]:
    """What may be a file of a word: itself, what an option is set to, the words of `bash -c '…'`."""
    yield word
    yield word.rpartition("=")[2]
    try:
        within = shlex.split(word)
    except ValueError:
        return
    if len(within) > 1:
        for inner in within:
            yield from (inner, inner.rpartition("=")[2])


def _of_module(name: str, folder: Path) -> Iterator[Path]:
    """The file of a module and those of its packages, found without running any of them."""
    place = [str(folder.resolve()), *sys.path]
    for part in name.split("."):  # a name without its package wants none that is loaded
        spec = _found(part, place)
        if spec is None:
            return
        if spec.has_location and spec.origin is not None:
            yield Path(spec.origin)
        place = list(spec.submodule_search_locations or ())


def _found(name: str, place: list[str]) -> ModuleSpec | None:
    try:
        return PathFinder.find_spec(name, place)
    except (ImportError, ValueError):
        return None
