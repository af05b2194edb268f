"""Time over length on texts made to be slow, up to ten million characters: one row for each worst case.

python tests/bench/bench_hostile.py [--json FILE] [--svg FILE] [--spec RFC] [--only TEXT] [--largest N]

A row's growth is the slope of its time over its length, both logarithmic: 1 is linear, 2 quadratic.  Every
family is measured up to a million characters, and at ten million the slowest of each question.  A row ends
where its next length would take longer than a minute.
"""

from __future__ import annotations

import argparse
import json
import math
import platform
import signal
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from time import process_time
from typing import Any

from curve import svg
from hostile_families import FAMILIES, Family, ask, questions
from rich.console import Console
from rich.progress import track
from rich.table import Table

from urloracle.specifications import SPECIFICATIONS

SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
SUPERLINEAR = 1.15

# seconds: what the next length of a row may be expected to take, and what any call may take
_PATIENCE = 60.0
_SHORT = 0.05

# how many families of a question are measured at the greatest length
_SLOWEST = 3


@dataclass
class Row:
    """The seconds that a question takes on texts of a family, by length in characters."""

    spec: str
    question: str
    family: str
    text: str
    seconds: dict[int, float]
    stopped: bool = False

    @property
    def per_character(self) -> float:
        """Nanoseconds for each character of the longest text."""
        longest = max(self.seconds)
        return self.seconds[longest] / longest * 1e9

    @property
    def growth(self) -> float:
        """The slope of log time over log length, by least squares over lengths where the clock can tell."""
        known = [(math.log(size), math.log(taken)) for size, taken in self.seconds.items() if taken > 5e-5]
        known = known[-3:]
        if len(known) < 2:
            return 1.0
        mean_x = sum(x for x, _ in known) / len(known)
        mean_y = sum(y for _, y in known) / len(known)
        spread = sum((x - mean_x) ** 2 for x, _ in known)
        return sum((x - mean_x) * (y - mean_y) for x, y in known) / spread

    @property
    def superlinear(self) -> bool:
        return self.growth > SUPERLINEAR

    def asdict(self) -> dict[str, Any]:
        return {**asdict(self), "ns_per_character": self.per_character, "growth": self.growth}


class TooLong(Exception):
    """A call that went on for longer than a row is worth."""


def _give_up(*_: object) -> None:
    raise TooLong


def seconds(call: Callable[[str], object], text: str) -> float:
    """The processor's seconds for one answer, refusals included: the best of several where it is short."""
    taken: list[float] = []
    while len(taken) < 5:
        start = process_time()
        ask(call, text)
        taken.append(process_time() - start)
        if sum(taken) > _SHORT and len(taken) > (1 if taken[0] < 1 else 0):
            break
    return min(taken)


def extend(row: Row, family: Family, call: Callable[[str], object], size: int) -> None:
    """Measure one length more, unless it would take too long."""
    if row.stopped:
        return
    if row.seconds:
        last = max(row.seconds)
        row.stopped = row.seconds[last] * (size / last) ** max(1.0, row.growth) > _PATIENCE
    if row.stopped:
        return
    signal.setitimer(signal.ITIMER_REAL, 2 * _PATIENCE)
    try:
        row.seconds[size] = seconds(call, family.text(size))
    except TooLong:
        row.stopped = True
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


Measured = tuple[Row, Family, Callable[[str], object], int]


def rows(specs: list[str], only: str, largest: int) -> list[Row]:
    """Every family under every question that it concerns, then the slowest of each at the greatest length."""
    found: list[Measured] = []
    chosen = list(_cases(specs, only))
    for spec, question, family in track(chosen, "families", transient=True):
        row = Row(spec, question.name, family.name, family.written, {})
        for size in SIZES[:-1]:
            if size <= min(largest, question.largest):
                extend(row, family, question.call, size)
        if row.seconds:
            found.append((row, family, question.call, min(largest, question.largest)))
    if largest >= SIZES[-1]:
        slowest = list(_slowest(found))
        for row, family, call, limit in track(slowest, "ten million characters", transient=True):
            if limit >= SIZES[-1]:
                extend(row, family, call, SIZES[-1])
    return sorted((row for row, *_ in found), key=lambda row: (-row.growth, -row.per_character))


def _cases(specs: list[str], only: str) -> Iterator[tuple[str, Any, Family]]:
    for spec in specs:
        for question in questions(SPECIFICATIONS[spec]):
            for family in FAMILIES:
                if family.concerns(spec, question.name) and only in f"{spec} {question.name} {family.name}":
                    yield spec, question, family


def _slowest(found: list[Measured]) -> Iterator[Measured]:
    def question(measured: Measured) -> tuple[str, str]:
        return measured[0].spec, measured[0].question

    for _, group in groupby(found, key=question):
        ranked = sorted(group, key=lambda measured: -measured[0].per_character)
        yield from ranked[:_SLOWEST]
        yield from (measured for measured in ranked[_SLOWEST:] if measured[0].superlinear)


def show(found: list[Row]) -> Table:
    """The rows, the worst first."""
    table = Table("RFC", "question", "family", *(f"{size:,}" for size in SIZES), "growth", "")
    for row in found:
        cells = (f"{row.seconds[size] / size * 1e9:,.0f}" if size in row.seconds else "·" for size in SIZES)
        mark = "superlinear" if row.superlinear else "stopped" if row.stopped else ""
        table.add_row(row.spec, row.question, row.family, *cells, f"{row.growth:.2f}", mark)
    table.caption = "nanoseconds a character, by length in characters"
    return table


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw time over length")
    parser.add_argument("--spec", action="append", choices=list(SPECIFICATIONS), help="this RFC (repeatable)")
    parser.add_argument("--only", default="", metavar="TEXT", help="rows whose RFC, question, family hold it")
    parser.add_argument("--largest", type=int, default=SIZES[-1], metavar="N", help="longest text")
    options = parser.parse_args()
    signal.signal(signal.SIGALRM, _give_up)
    found = rows(options.spec or list(SPECIFICATIONS), options.only, options.largest)
    Console().print(show(found))
    worse = [row for row in found if row.superlinear]
    print(f"{len(found)} rows, {len(worse)} of them superlinear (growth above {SUPERLINEAR})")
    if options.json:
        figures = {
            "schema": 1,
            "python": platform.python_version(),
            "sizes": SIZES,
            "rows": [row.asdict() for row in found],
        }
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    if options.svg:
        lines = [(f"{row.spec} {row.question}", row.family, row.seconds) for row in found]
        options.svg.write_text(svg(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
