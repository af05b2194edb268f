"""Shards: texts that are drawn in numbered portions, each with its own seed, by one process or several.

A shard depends only on the seed and on its name and number. So the texts do not depend on the number of
processes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import partial
from itertools import chain, count
from random import Random
from typing import Any, TypeVar

from urlharness.system.processes import PythonWorker

#: The number of draws in a shard.
SIZE = 4096
#: After this number of known texts in a row, no more are drawn.
REPEATS = 1000

#: A function that makes a shard. Its arguments are the kind of the texts, and the number of the shard.
MakeShard = Callable[[str, int], Any]

_T = TypeVar("_T")


def random_of(seed: int, name: str, number: int) -> Random:
    """Return the random number generator of a shard."""
    return Random(f"{seed} {name} {number}")  # noqa: S311 - no secret


def distinct(
    first: Iterable[_T],
    shards: Iterable[Iterable[_T | None]],
    rest: Iterable[_T],
    key: Callable[[_T], Hashable],
) -> Iterator[_T]:
    """Yield each text once: the texts of `first`, then those of the shards, then those of `rest`.

    Two texts with an equal `key` count as one. The shards end after `REPEATS` draws in a row that gave None
    or a known text.
    """
    seen: set[Hashable] = set()
    yield from _unseen(first, key, seen)
    repeats = 0
    for text in chain.from_iterable(shards):
        text_key = None if text is None else key(text)
        if text is None or text_key in seen:
            repeats += 1
            if repeats == REPEATS:
                break
            continue
        repeats = 0
        seen.add(text_key)
        yield text
    yield from _unseen(rest, key, seen)


def _unseen(texts: Iterable[_T], key: Callable[[_T], Hashable], seen: set[Hashable]) -> Iterator[_T]:
    """Yield the texts whose keys are not in `seen`, and add the keys."""
    for text in texts:
        if key(text) not in seen:
            seen.add(key(text))
            yield text


class Shards:
    """Makes shards in this process or, if `jobs` is more than 1, in this number of other processes.

    The other processes get `make` by pickling. A shard that raises an exception raises it here.
    """

    def __init__(self, make: MakeShard, jobs: int = 1) -> None:
        self._make = make
        self._jobs = jobs
        self._workers: list[PythonWorker] = []

    def make_shards(self, name: str) -> Iterator[Any]:
        """Make the shards with this name and the numbers 1, 2 and so on. Yield them without end.

        Raise WorkerEnded if one of the other processes was killed.
        """
        if self._jobs == 1:
            yield from (self._make(name, number) for number in count(1))
            return
        while len(self._workers) < self._jobs:
            self._workers.append(PythonWorker(partial(_make_shard, self._make)))
        numbers = count(1)
        waiting: deque[tuple[PythonWorker, int]] = deque()
        while True:
            while len(waiting) < 2 * self._jobs:  # each process has a further shard to do
                number = next(numbers)
                worker = self._workers[number % self._jobs]
                waiting.append((worker, worker.ask(name, number)))
            worker, call = waiting.popleft()
            yield worker.wait_for_answer(call)

    def close(self) -> None:
        """End the processes."""
        while self._workers:
            self._workers.pop().close()


def _make_shard(make: MakeShard, name: str, number: int) -> Any:
    """Return a shard. A shard that is an iterator becomes a list, which can be pickled."""
    shard = make(name, number)
    return list(shard) if isinstance(shard, Iterator) else shard
