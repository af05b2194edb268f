"""Lines to paste: a command as it is run where its adapter is, with files as seen from there."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from os.path import relpath
from pathlib import Path
from typing import NamedTuple

from urlharness.adapters.registry import Adapter


class Place(NamedTuple):
    """Where a command is run: the folder, as seen from the current one, and empty for that one itself."""

    folder: str = ""

    def seen(self, path: Path | str) -> str:
        """A path, which is relative to the current folder or absolute, as seen from there."""
        return relpath(path, self.folder) if self.folder else str(path)

    @property
    def around(self) -> tuple[str, str]:
        """What a line for a shell has before and behind a command that is run there."""
        # -P: the folder was found from where we are, whatever links led here
        return (f"(cd -P {shlex.quote(self.folder)} && ", ")") if self.folder else ("", "")

    def line(self, words: Sequence[str]) -> str:
        """The line for a shell that runs a command there."""
        before, behind = self.around
        return f"{before}{shlex.join(words)}{behind}"


def patience(timeout: float | None, start_timeout: float | None) -> list[str]:
    """The options of `urlconform repro` for seconds that are not the usual ones (None)."""
    seconds = {"--timeout": timeout, "--start-timeout": start_timeout}
    return [word for name, value in seconds.items() if value is not None for word in (name, f"{value:.15g}")]


#: The current folder.
HERE = Place()


def place_of(adapters: Iterable[Adapter]) -> Place:
    """Where adapters are looked up by their names: here, or in the folder of the configuration that has them.

    Bundled ones are found everywhere.
    """
    folders = (adapter.folder for adapter in adapters)
    found = next((folder for folder in folders if folder is not None), None)
    return Place("" if found is None or found == Path.cwd() else relpath(found))
