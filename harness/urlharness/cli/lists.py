"""The lists of known failures of a run: the file of each adapter, or the one that it could have."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import NamedTuple

from urlharness.report.filenames import file_name

#: How a list is called that there is not yet, after the name of its adapter where there are several.
_NEW = "baseline"


class Lists(NamedTuple):
    """The names of the adapters that are gated, the file of each that has a list, and who named the files.

    `configured` is True where the configuration did: `--baseline` takes the place of all of them then.
    """

    names: Sequence[str]
    files: Mapping[str, Path]
    configured: bool = False

    def new(self, name: str) -> Path:
        """A file for the list of an adapter that has none; nothing is there yet."""
        stem = f"{self._plain(name)}.{_NEW}" if self._several else _NEW
        free = (Path(file) for file in _numbered(stem) if not Path(file).exists())
        return next(free)

    def options(self, name: str, file: Path) -> str:
        """What the run is to be typed with once the list of an adapter stands in a file, for a shell."""
        before = self.files if self.configured else {}
        words = [f"{one}={of}" if self._several else str(of) for one, of in {name: file, **before}.items()]
        return " ".join(f"--baseline {shlex.quote(word)}" for word in words)

    @property
    def _several(self) -> bool:
        return len(self.names) > 1

    def _plain(self, name: str) -> str:
        """The name as one of a file, apart from those of the others."""
        taken: dict[str, str] = {}
        return {one: file_name(one, taken) for one in self.names}[name]


def _numbered(stem: str) -> Iterator[str]:
    yield f"{stem}.json"
    yield from (f"{stem}-{number}.json" for number in count(2))
