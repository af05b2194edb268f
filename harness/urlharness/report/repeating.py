"""The line for a shell that asks a case again, of the corpus that it came from."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from urlharness.results import Results


def repro_line(results: Results, identifier: str, implementation: str) -> str:
    """The line that puts a case of a run to an implementation again.

    A stored case of another corpus than the installed one is looked up where the run had it from: the line
    has its `--vectors`, as it was given.  Generated cases are of no file.
    """
    line = f"urlconform repro {shlex.quote(identifier)} -a {shlex.quote(implementation)}"
    vectors = _vectors(results.header.argv)
    return f"{line} --vectors {shlex.quote(vectors)}" if vectors and identifier in results.vectors else line


def _vectors(argv: Sequence[str]) -> str:
    """What `--vectors` of a command line says, the last time it says it; empty where it does not."""
    found = ""
    words = iter(argv)
    for word in words:
        if word == "--":
            break
        if word == "--vectors":
            found = next(words, found)
        elif word.startswith("--vectors="):
            found = word.removeprefix("--vectors=")
    return found
