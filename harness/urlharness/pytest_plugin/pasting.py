"""The lines to paste: what asks a vector again, and what takes an entry out of the baseline."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from os.path import relpath
from pathlib import Path

from urlharness.adapters.registry import Adapter


def again(adapter: Adapter, identifier: str, vectors: Path | None) -> str:
    """The line that puts a vector to an adapter again, of the corpus that it came from."""
    return _there(adapter, ["repro", identifier, "-a", adapter.name, *_from(adapter, vectors)])


def again_in_pytest(adapter: Adapter, options: Sequence[str], node: str) -> str:
    """The same for an adapter that only a conftest knows: by the node, and the options that selected it."""
    return shlex.join(["pytest", "--urlconform", adapter.name, *options, node])


def shrink(adapter: Adapter, baseline: Path, vectors: Path | None) -> str:
    """The line that removes what has become right from a baseline."""
    file = _seen(adapter, baseline)
    return _there(
        adapter, ["baseline", "update", file, adapter.name, *_from(adapter, vectors), "--only-shrink"]
    )


def _there(adapter: Adapter, words: Sequence[str]) -> str:
    """A command as it is run where the adapter is."""
    line = shlex.join(["urlconform", *words])
    if adapter.folder in (None, Path.cwd()):
        return line
    return f"(cd {shlex.quote(relpath(_folder(adapter)))} && {line})"


def _from(adapter: Adapter, vectors: Path | None) -> list[str]:
    return [] if vectors is None else ["--vectors", _seen(adapter, vectors)]


def _seen(adapter: Adapter, path: Path) -> str:
    """A path as seen from where the adapter is run."""
    return relpath(path, _folder(adapter))


def _folder(adapter: Adapter) -> Path:
    return adapter.folder or Path.cwd()
