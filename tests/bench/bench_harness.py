"""Speed of the harness: cases a second to an adapter that does nothing, with a result written for each.

    python tests/bench/bench_harness.py [--quick] [--json FILE]

The same adapter is asked one question at a time and with many in flight, through the same pipes, by turns in
this run; beside it stands a process for each case.  Time is that of the clock: waiting is what it is about.
So the ratios hold on a busy machine, more or less, and cases a second only on a quiet one; its load is noted.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median, quantiles
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table
from urlmix import urls

from urlharness.adapters.registry import find
from urlharness.corpus.model import Case, Corpus, Expected, Requirement, Vector
from urlharness.protocol.limits import Limits
from urlharness.runner import open_results, run

_ADAPTER = Path(__file__).with_name("trivial_adapter.py")
_WIDE = 512  # questions in flight

#: What is to be reached: times the same adapter asked one at a time, and cases a second.
GOALS = {"msgspec": 8.0, "json": 3.0}
RATE = 100_000


class Way(NamedTuple):
    """A way to ask: its title, its adapter, how many cases a run has, and what it is compared with."""

    title: str
    adapter: str
    cases: int
    against: str = ""


def ways(scale: int) -> list[Way]:
    """Return every way; those that are compared come after what they are compared with."""
    ordered: list[Way] = []
    for codec in GOALS:
        program = f"jsonl:{sys.executable} {_ADAPTER} {codec}"
        single = f"one at a time, adapter with {codec}"
        ordered.append(Way(single, f"{program} 1", 1000 * scale))
        ordered.append(
            Way(f"{_WIDE} in flight, adapter with {codec}", f"{program} {_WIDE}", 10_000 * scale, single)
        )
    first = ordered[0].title
    ordered.append(Way("a process for each case: true", "exec:true", 20 * scale, first))
    ordered.append(
        Way("a process for each case: python -IS", f"exec:{sys.executable} -IS -c 0", 10 * scale, first)
    )
    return ordered


def corpus(count: int) -> Corpus:
    """Return a corpus of so many valid texts, each to be validated."""
    requirement = Requirement("rfc3986-3-bench", "3", 0, "", "note", "It is a URI.")
    valid = Expected(valid=True)
    cases = [
        Case(
            "rfc3986",
            "3",
            Vector(
                f"rfc3986-3-{number}", requirement.id, "note", "validate", valid, "required", "URI", url=text
            ),
            "bench",
        )
        for number, text in enumerate(urls(count))
    ]
    return Corpus(cases, {requirement.id: requirement}, {}, "", "bench")


def seconds(way: Way, vectors: Corpus, folder: Path) -> tuple[float, float]:
    """Return the seconds from the hello to the last result on disk: by the clock, and of this process."""
    cases = vectors.cases[: way.cases]
    path = folder / "results.jsonl"
    writer = open_results(path.open("wb"), vectors, cases)
    writer.flush()
    clock, processor = 0.0, 0.0

    def told(_name: str, done: int, _total: int) -> None:
        nonlocal clock, processor
        if done == 1:  # the start of the adapter is left out
            clock, processor = time.perf_counter(), time.process_time()

    participant = run(find(way.adapter), cases, writer, Limits(), progress=told)
    spent = time.perf_counter() - clock, time.process_time() - processor
    writer.close()
    if participant.state != "ran" or path.read_bytes().count(b'"outcome":"pass"') != len(cases):
        raise SystemExit(f"{way.adapter}: it did not pass every case")
    return spent


def measure(rounds: int, scale: int) -> list[dict[str, Any]]:
    """Measure every way by turns, round by round."""
    ordered = ways(scale)
    vectors = corpus(max(way.cases for way in ordered))
    times_of: dict[str, list[tuple[float, float]]] = {way.title: [] for way in ordered}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(rounds):
            for way in ordered:
                clock, processor = seconds(way, vectors, Path(folder))
                times_of[way.title].append((clock / way.cases, processor / way.cases))
    rows = []
    for way in ordered:
        row = {"name": way.title, "cases": way.cases, "against": way.against}
        row["best"] = 1 / min(clock for clock, _ in times_of[way.title])
        row["median"] = 1 / median(clock for clock, _ in times_of[way.title])
        row["own"] = 1e6 * min(processor for _, processor in times_of[way.title])
        if way.against:
            pairs = zip(times_of[way.against], times_of[way.title], strict=True)
            ratios = [slow / fast for (slow, _), (fast, _) in pairs]
            deciles = quantiles(ratios, n=10, method="inclusive") if len(ratios) > 1 else ratios
            row |= {"ratio": median(ratios), "low": deciles[0], "high": deciles[-1]}
        rows.append(row)
    return rows


def goals(rows: Sequence[dict[str, Any]]) -> list[tuple[str, str, str, bool]]:
    """Return for each goal what, at least how much, how much it was, and whether that is enough."""
    judged = []
    for codec, least in GOALS.items():
        row = next(row for row in rows if row["name"].endswith(codec) and row["against"])
        measured = f"{row['ratio']:.1f} ({row['low']:.1f} to {row['high']:.1f})"
        judged.append((f"{row['name']}, times one at a time", f"{least:g}", measured, row["ratio"] >= least))
    best = next(row for row in rows if row["name"].endswith("msgspec") and row["against"])
    judged.append(
        ("cases a second, results written", f"{RATE:,}", f"{best['best']:,.0f}", best["best"] >= RATE)
    )
    return judged


def machine() -> dict[str, Any]:
    """Return the processor, the Python, the date and the load that the figures belong to."""
    names = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        if line.startswith("model name")
    ]
    return {
        "cpu": f"{names[0]}, {len(names)} cores" if names else platform.machine(),
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "date": datetime.now(UTC).date().isoformat(),
        "load": os.getloadavg()[0],
    }


def times(ratio: float) -> str:
    """Return a ratio as text, as a fraction where it is small."""
    return f"{ratio:.2f}" if ratio >= 0.1 else f"1/{1 / ratio:.0f}"


def show(figures: dict[str, Any], console: Console) -> None:
    """Print the tables."""
    table = Table(
        "how it is asked", "cases/s, best", "median", "own µs a case", "times", "80 % of the rounds"
    )
    for row in figures["harness"]:
        compared = ("", "")
        if row["against"]:
            compared = times(row["ratio"]), f"{times(row['low'])} to {times(row['high'])}"
        table.add_row(
            row["name"], f"{row['best']:,.0f}", f"{row['median']:,.0f}", f"{row['own']:.1f}", *compared
        )
    console.print(table)
    judged = Table("goal", "at least", "measured", "")
    for goal, least, measured, met in goals(figures["harness"]):
        judged.add_row(goal, least, measured, "met" if met else "missed")
    console.print(judged)
    console.print(f"load of the machine before: {figures['machine']['load']:.1f}")


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a run of some seconds")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures")
    options = parser.parse_args()
    rounds, scale = (3, 2) if options.quick else (9, 10)
    figures = {"schema": 1, "machine": machine(), "rounds": rounds, "harness": measure(rounds, scale)}
    show(figures, Console(width=None if sys.stdout.isatty() else 150))
    if options.json is not None:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
