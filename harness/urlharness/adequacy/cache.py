"""Tasks in several processes, and their results in the user's cache by digest of inputs and source code."""

from __future__ import annotations

import hashlib
import os
import pickle
import signal
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from functools import cache
from importlib import resources
from multiprocessing import active_children
from pathlib import Path
from typing import Any, TypeVar, cast

from urlharness.system.cache import cache_folder

_T = TypeVar("_T")

#: (package, folder in it) of the source files on which results depend.  A caller names its own beside them.
_SOURCES = (
    ("urloracle", ""),
    ("urlharness", "generate"),
    ("urlharness", "corpus"),
    ("urlharness", "adequacy"),
)
#: Days after which a result that was not used is deleted.
_DAYS = 30
_SECONDS_PER_DAY = 86_400


def cached(compute: Callable[[], _T], *inputs: object) -> _T:
    """Return the cached result for these inputs.  If there is none, compute the result and cache it.

    `inputs` name the computation and all its inputs except the source code, which always counts.
    """
    key = key_of(*inputs)
    loaded = load(key)
    if loaded is not None:
        return cast("_T", loaded)
    computed = compute()
    save(key, computed)
    return computed


def key_of(*inputs: object) -> str:
    """Return the digest of the inputs and the source code, 64 hex digits."""
    return digest(source_digest(_SOURCES), inputs)


def digest(*values: object) -> str:
    """Return the SHA-256 of values: equal for equal values, in every process."""
    return hashlib.sha256(_canonical(values).encode("utf-8", "backslashreplace")).hexdigest()


def load(key: str) -> object:
    """Return the result with this key, or None."""
    path = _directory() / key
    with suppress(OSError, EOFError, pickle.UnpicklingError, AttributeError, ImportError, IndexError):
        loaded: object = pickle.loads(path.read_bytes())  # noqa: S301 - the user's own files
        os.utime(path)
        return loaded
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
        _delete_unused(directory)


@cache
def _delete_unused(directory: Path) -> None:
    """Delete results that were not used for `_DAYS` days.  Each process does this only once."""
    for path in directory.iterdir():
        with suppress(OSError):
            if path.stat().st_mtime < time.time() - _DAYS * _SECONDS_PER_DAY:
                path.unlink()


def _directory() -> Path:
    return cache_folder() / "adequacy"


def _canonical(content: object) -> str:
    """Return a value as text in which sets and mappings are sorted."""
    if isinstance(content, frozenset | set):
        members = sorted(map(_canonical, content))
        return f"{{{','.join(members)}}}"
    if isinstance(content, Mapping):
        pairs = sorted(f"{_canonical(key)}:{_canonical(content[key])}" for key in content)
        return f"{{{','.join(pairs)}}}"
    if isinstance(content, tuple | list):
        return f"({','.join(map(_canonical, content))})"
    return repr(content)


@cache
def source_digest(folders: tuple[tuple[str, str], ...]) -> str:
    """Return the digest of the source code and the grammars in folders of packages: (package, folder)."""
    hashed = hashlib.sha256()
    for package, folder in folders:
        root = Path(str(resources.files(package))) / folder
        for path in sorted(root.rglob("*")):
            if path.is_file() and path.suffix in (".py", ".bnf", ".abnf", ".json"):
                hashed.update(f"{package} {path.relative_to(root)}\n".encode() + path.read_bytes())
    return hashed.hexdigest()


# ---- tasks

#: A function to call with the number of finished tasks and the number of all tasks.
Progress = Callable[[int, int], None]

#: The number of mutants per task.
CHUNK = 60


@contextmanager
def open_pool(processes: int) -> Iterator[ProcessPoolExecutor]:
    """Open a pool whose processes are killed, without messages, if this process is interrupted."""
    with ProcessPoolExecutor(
        processes, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN)
    ) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in active_children():
                process.kill()
            raise


class Tasks:
    """Submits tasks to a pool unless their results are in the cache, and reports how many are finished.

    `folders` are (package, folder in it) of source files on which the results depend too, beside those of
    `key_of`.
    """

    def __init__(
        self, pool: ProcessPoolExecutor, report: Progress, folders: tuple[tuple[str, str], ...] = ()
    ) -> None:
        self._pool = pool
        self._report = report
        self._sources = source_digest(folders)
        self._finished = 0
        self._total = 0

    def submit(self, function: Callable[..., Any], digest_of_texts: str, *arguments: object) -> Future[Any]:
        """Submit a task, unless the cache has its result.

        `digest_of_texts` is that of all vectors or tests that the task uses. It is a part of the key of the
        result: if it missed some of them, a result from before their change would be taken.
        """
        key = key_of(function.__name__, digest_of_texts, arguments, self._sources)
        loaded = load(key)
        if loaded is None:
            return self._pool.submit(_run_and_save, key, function, *arguments)
        finished: Future[Any] = Future()
        finished.set_result(loaded)
        return finished

    def submit_chunks(
        self,
        function: Callable[..., Any],
        digest_of_texts: str,
        key: tuple[str, str, bool],
        mutants: Sequence[Any],
        *arguments: object,
    ) -> list[Future[Any]]:
        """Submit a task for each chunk of mutants of the subject with this key, as `submit` does."""
        chunks = [mutants[start : start + CHUNK] for start in range(0, len(mutants), CHUNK)]
        return [self.submit(function, digest_of_texts, key, chunk, *arguments) for chunk in chunks]

    def as_completed(self, futures: Sequence[Future[Any]]) -> Iterator[Future[Any]]:
        """Yield the futures as they finish, and report each."""
        self._total += len(futures)
        for future in as_completed(futures):
            self._finished += 1
            self._report(self._finished, self._total)
            yield future


def _run_and_save(key: str, function: Callable[..., Any], *arguments: object) -> Any:
    """Run a task, write its result to the cache under the key, and return it."""
    computed = function(*arguments)
    save(key, computed)
    return computed
