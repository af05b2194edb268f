"""Results of earlier analyses in the user's cache directory, by digest of their inputs and source code."""

from __future__ import annotations

import hashlib
import os
import pickle
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TypeVar, cast

from urlharness.adapters.cache import cache_folder

_T = TypeVar("_T")

#: (package, folder in it) of the source files on which results depend.
_SOURCES = (
    ("urloracle", ""),
    ("urlharness", "generate"),
    ("urlharness", "corpus"),
    ("urlauthor", "adequacy"),
)
#: Days after which a result that was not used is deleted.
_DAYS = 30


def kept(compute: Callable[[], _T], *inputs: object) -> _T:
    """Return the cached result for these inputs.  If there is none, compute the result and cache it.

    `inputs` name the computation and all its inputs except the source code, which always counts.
    """
    key = key_of(*inputs)
    found = load(key)
    if found is None:
        found = compute()
        save(key, found)
    return cast("_T", found)


def key_of(*inputs: object) -> str:
    """Return the digest of the inputs and the source code, 64 hex digits."""
    return digest(_sources(), inputs)


def digest(*values: object) -> str:
    """Return the SHA-256 of values: equal for equal values, in every process."""
    return hashlib.sha256(_canonical(values).encode("utf-8", "backslashreplace")).hexdigest()


def load(key: str) -> object:
    """Return the result with this key, or None."""
    path = _directory() / key
    with suppress(OSError, EOFError, pickle.UnpicklingError, AttributeError, ImportError, IndexError):
        found: object = pickle.loads(path.read_bytes())  # noqa: S301 - the user's own files
        os.utime(path)
        return found
    return None


def save(key: str, result: object) -> None:
    """Write a result to the cache, and delete results that were not used for a month.

    Do nothing if the cache cannot be written.
    """
    directory = _directory()
    with suppress(OSError):
        directory.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=directory, delete=False) as file:
            file.write(pickle.dumps(result))
        Path(file.name).replace(directory / key)
        _forget_unused(directory)


@cache
def _forget_unused(directory: Path) -> None:
    """Delete results that were not used for `_DAYS` days.  Each process does this only once."""
    for path in directory.iterdir():
        with suppress(OSError):
            if path.stat().st_mtime < time.time() - _DAYS * 86_400:
                path.unlink()


def _directory() -> Path:
    return cache_folder() / "adequacy"


def _canonical(value: object) -> str:
    """Return a value as text in which sets and mappings are sorted."""
    if isinstance(value, frozenset | set):
        return f"{{{','.join(sorted(map(_canonical, value)))}}}"
    if isinstance(value, Mapping):
        return f"{{{','.join(sorted(f'{_canonical(k)}:{_canonical(v)}' for k, v in value.items()))}}}"
    if isinstance(value, tuple | list):
        return f"({','.join(map(_canonical, value))})"
    return repr(value)


@cache
def _sources() -> str:
    """Return the digest of the source code and the grammars."""
    found = hashlib.sha256()
    for package, folder in _SOURCES:
        root = Path(str(resources.files(package))) / folder
        for path in sorted(root.rglob("*")):
            if path.is_file() and path.suffix in (".py", ".bnf", ".abnf", ".json"):
                found.update(f"{package} {path.relative_to(root)}\n".encode() + path.read_bytes())
    return found.hexdigest()
