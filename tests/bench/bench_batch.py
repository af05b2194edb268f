"""Speed of the batch engine as ratios to `urllib.parse.urlsplit`, uncached, on the same URLs in this run."""

from __future__ import annotations

import argparse
import contextlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from urllib.parse import urlsplit

import pyarrow as pa
from rich.console import Console
from rich.table import Table
from urlmix import urls

from urlharness.batch import Engine

_SPECS = ("rfc3986", "rfc2396", "rfc1808", "rfc1738")
_ROUNDS = 9
_COUNT = 200_000
_TIMES = 10  # as long is the column on which one thread and two are compared
_PARTS = ("accepts", "offsets", "spans", "split", "judge")

#: What a process spends that has compiled nothing yet, and one that finds what another has compiled.
_FIRST = """
import time
start = time.perf_counter()
import pyarrow as pa
from urlharness.batch import Engine
engine = Engine("rfc3986")
column = pa.array(["http://a/b"])
loaded = time.perf_counter()
engine.judge(column)
judged = time.perf_counter()
engine.spans(column)
print(loaded - start, judged - loaded, time.perf_counter() - judged)
"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spec", action="append", choices=_SPECS, help="this RFC (repeatable)")
    parser.add_argument("--rounds", type=int, default=_ROUNDS, metavar="N", help="the best of so many runs")
    options = parser.parse_args()
    console = Console()
    texts = urls(_COUNT)
    column = pa.array(texts)
    split = getattr(urlsplit, "__wrapped__", urlsplit)

    def peer() -> None:
        for text in texts:
            with contextlib.suppress(ValueError):
                split(text)

    long = pa.concat_arrays([column] * _TIMES)
    title = f"{_COUNT:,} URLs (threads: {len(long):,}), Python {sys.version.split()[0]}"
    table = Table("RFC", "what", "M URLs/s", "times urlsplit", "two threads / one", title=title)
    for spec in options.spec or _SPECS:
        single, double = Engine(spec), Engine(spec, threads=2)
        works: dict[str, Callable[[], object]] = {"urlsplit": peer}
        for name in _PARTS:
            works[name] = partial(getattr(single, name), column)
            works[f"{name} 1"] = partial(getattr(single, name), long)
            works[f"{name} 2"] = partial(getattr(double, name), long)
        times = _shortest(works, options.rounds)
        for name in _PARTS:
            ratio, gain = times["urlsplit"] / times[name], times[f"{name} 1"] / times[f"{name} 2"]
            millions = _COUNT / times[name] / 1e6
            table.add_row(spec, name, f"{millions:.1f}", f"{ratio:.1f}", f"{gain:.2f}")
    console.print(table)

    table = Table("a process that", "loads, s", "first judge, s", "first spans, s")
    with tempfile.TemporaryDirectory() as cache:
        for title in ("compiles", "finds it compiled"):
            environment = {"NUMBA_CACHE_DIR": cache, "PYTHONPATH": ":".join(sys.path)}
            done = subprocess.run(
                [sys.executable, "-c", _FIRST], capture_output=True, text=True, check=True, env=environment
            )
            table.add_row(title, *(f"{float(number):.2f}" for number in done.stdout.split()))
    console.print(table)


def _shortest(works: dict[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Return the shortest of so many runs of each, in seconds; by turns, so that they share busy moments."""
    best = dict.fromkeys(works, float("inf"))
    for _ in range(rounds):
        for name, work in works.items():
            start = time.perf_counter()
            work()
            best[name] = min(best[name], time.perf_counter() - start)
    return best


if __name__ == "__main__":
    main()
