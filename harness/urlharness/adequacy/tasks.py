"""Tasks in several processes, whose results are kept in the user's cache."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import active_children
from typing import Any

from urlharness.adequacy import cache

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
    `cache.key_of`.
    """

    def __init__(
        self, pool: ProcessPoolExecutor, report: Progress, folders: tuple[tuple[str, str], ...] = ()
    ) -> None:
        self._pool = pool
        self._report = report
        self._sources = cache.source_digest(folders)
        self._finished = 0
        self._total = 0

    def submit(self, function: Callable[..., Any], texts: str, *arguments: object) -> Future[Any]:
        """Submit a task; `texts` is the digest of the vectors or tests that it uses."""
        key = cache.key_of(function.__name__, texts, arguments, self._sources)
        loaded = cache.load(key)
        if loaded is None:
            return self._pool.submit(_run_and_save, key, function, *arguments)
        finished: Future[Any] = Future()
        finished.set_result(loaded)
        return finished

    def submit_chunks(
        self,
        function: Callable[..., Any],
        texts: str,
        key: tuple[str, str, bool],
        mutants: Sequence[Any],
        *arguments: object,
    ) -> list[Future[Any]]:
        """Submit a task for each chunk of mutants of the subject with this key."""
        chunks = [mutants[start : start + CHUNK] for start in range(0, len(mutants), CHUNK)]
        return [self.submit(function, texts, key, chunk, *arguments) for chunk in chunks]

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
    cache.save(key, computed)
    return computed
