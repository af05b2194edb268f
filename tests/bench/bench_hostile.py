"""Time over length on texts made to be slow, up to ten million characters: one row for each worst case.

bench_hostile.py [--json FILE] [--svg FILE] [--spec RFC] [--question NAME] [--only TEXT] [--quick] [--all]

A row's growth is the slope of its time over its length, both logarithmic: 1 is linear, 2 quadratic.  Every
family is measured up to 100,000 characters; the slowest of each question, and those that seem to grow, up to
ten million; --screen, --slowest and --largest make it less, --quick much less.  A row ends where its next
length would take longer than the question is given, and what is then known of its growth is a lower bound.
"""

from __future__ import annotations

import argparse
import json
import math
import platform
import signal
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

from curve import Line, svg
from hostile_families import FAMILIES, Call, Family, Question, ask, questions
from rich.console import Console
from rich.progress import track
from rich.table import Table

from urloracle import engine
from urloracle.rfcs import SPECIFICATIONS

SIZES = (250, 1_000, 10_000, 100_000, 1_000_000, 10_000_000)
SUPERLINEAR = 1.15

#: Seconds that the clock tells from none.
_TOLD = 5e-5

#: A call of fewer seconds is made again, so often at most.
_SHORT = 0.02
_RUNS = 3

#: The length of a text that is asked before the clock runs: patterns are made when they are first needed.
_WARM = 250


class Effort(NamedTuple):
    """Every family is measured up to `screen` characters, the slowest few of each question to `largest`.

    A question that is asked of the longest texts may take `patience` seconds, instead of its own; the others
    are left out where `brief` is set and they are not asked for by name.
    """

    screen: int = 100_000
    largest: int = SIZES[-1]
    slowest: int = 5
    patience: float | None = None
    brief: bool = False


_QUICK = Effort(screen=1_000, largest=100_000, slowest=1, brief=True)


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
    def slowness(self) -> tuple[int, float]:
        """The key by which rows are compared: the longest text, then the time for a character of it."""
        return max(self.seconds), self.per_character

    @property
    def growth(self) -> float:
        """The slope of log time over log length, by least squares over lengths where the clock can tell."""
        times = [(size, needed) for size, needed in self.seconds.items() if needed > _TOLD]
        points = [(math.log(size), math.log(needed)) for size, needed in times[-3:]]
        if len(points) < 2:
            return 1.0
        mean_x = sum(x for x, _ in points) / len(points)
        mean_y = sum(y for _, y in points) / len(points)
        spread = sum((x - mean_x) ** 2 for x, _ in points)
        return sum((x - mean_x) * (y - mean_y) for x, y in points) / spread

    @property
    def superlinear(self) -> bool:
        return self.growth > SUPERLINEAR

    def asdict(self) -> dict[str, Any]:
        return {**asdict(self), "ns_per_character": self.per_character, "growth": self.growth}


class TooLong(Exception):
    """A call that went on for longer than a row is worth."""


def _give_up(*_: object) -> None:
    raise TooLong


def seconds(call: Call, text: str) -> float:
    """Return the processor's seconds for one answer or refusal: the best of several where it is short."""
    times: list[float] = []
    while len(times) < _RUNS and sum(times) < _SHORT:
        start = process_time()
        ask(call, text)
        times.append(process_time() - start)
    return min(times)


def extend(row: Row, family: Family, question: Question, size: int) -> None:
    """Measure one length more, unless it would take too long."""
    if row.seconds and not row.stopped:
        last = max(row.seconds)
        expected = row.seconds[last] * (size / last) ** max(1.0, row.growth)
        row.stopped = expected > question.patience
    if row.stopped:
        return
    text = family.text(size)
    signal.setitimer(signal.ITIMER_REAL, 2 * question.patience)
    start = process_time()
    try:
        row.seconds[size] = seconds(question.call, text)
    except TooLong:
        row.stopped = True
        spent = process_time() - start
        if spent > question.patience:  # otherwise the machine was busy, which says nothing of the text
            row.seconds[size] = spent
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


Measured = tuple[Row, Family, Question]


def rows(specs: list[str], names: list[str], only: str, effort: Effort) -> list[Row]:
    """Measure every family under every question that it concerns; the slowest at greater lengths, too."""
    measured: list[Measured] = []
    cases = list(_cases(specs, names, only, effort))
    for spec, question, family in track(cases, "families", transient=True):
        row = Row(spec, question.name, family.name, family.written, {})
        ask(question.call, family.text(_WARM))
        for size in SIZES:
            if question.smallest <= size <= min(effort.screen, effort.largest, question.largest):
                extend(row, family, question, size)
        if row.seconds:
            measured.append((row, family, question))
    slowest = list(_slowest(measured, effort.slowest))
    for row, family, question in track(slowest, "the slowest", transient=True):
        for size in SIZES:
            if effort.screen < size <= min(effort.largest, question.largest):
                extend(row, family, question, size)
    return sorted((row for row, *_ in measured), key=lambda row: (-row.growth, -row.per_character))


def _cases(
    specs: list[str], names: list[str], only: str, effort: Effort
) -> Iterator[tuple[str, Question, Family]]:
    for spec in specs:
        for question in questions(SPECIFICATIONS[spec]):
            if names and not question.name.startswith(tuple(names)):
                continue
            if question.largest < SIZES[-1]:
                if effort.brief and not names:
                    continue
            elif effort.patience is not None:
                question = replace(question, patience=effort.patience)  # noqa: PLW2901
            for family in FAMILIES:
                if family.concerns(spec, question.name) and only in f"{spec} {question.name} {family.name}":
                    yield spec, question, family


def _slowest(measured: list[Measured], count: int) -> Iterator[Measured]:
    for _, group in groupby(measured, key=lambda entry: (entry[0].spec, entry[0].question)):
        ranked = sorted(group, key=lambda entry: -entry[0].per_character)
        yield from ranked[:count]
        yield from (entry for entry in ranked[count:] if entry[0].superlinear)


def worst(rows: list[Row]) -> list[Row]:
    """Return the superlinear rows, and the slowest row of each question at its greatest length."""
    slowest: dict[tuple[str, str], Row] = {}
    for row in rows:
        key = row.spec, row.question
        slowest[key] = max(slowest.get(key, row), row, key=lambda row: row.slowness)
    return [row for row in rows if row.superlinear or row is slowest[row.spec, row.question]]


def lines(rows: list[Row]) -> Iterator[Line]:
    """Yield a named line per question: a superlinear row, otherwise the slowest at the greatest length.

    The other rows that reach the greatest length get lines without a name.
    """
    named: dict[str, Row] = {}
    for row in worst(rows):
        before = named.setdefault(row.question, row)
        if not before.superlinear and row.slowness > before.slowness:
            named[row.question] = row
    for row in rows:
        has_name = named[row.question] is row
        if has_name or max(row.seconds) == SIZES[-1]:
            yield Line(f"{row.spec} {row.question}" if has_name else "", row.family, row.seconds)


def show(rows: list[Row]) -> Table:
    """Return the rows, the worst first."""
    table = Table("RFC", "question", "family", *(f"{size:,}" for size in SIZES), "growth", "")
    for row in rows:
        cells = (f"{row.seconds[size] / size * 1e9:,.0f}" if size in row.seconds else "·" for size in SIZES)
        mark = "superlinear" if row.superlinear else ""
        mark += " (at least)" if row.stopped and row.superlinear else ""
        table.add_row(row.spec, row.question, row.family, *cells, f"{row.growth:.2f}", mark)
    table.caption = "nanoseconds a character, by length in characters"
    return table


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw time over length")
    parser.add_argument("--spec", action="append", choices=list(SPECIFICATIONS), help="this RFC (repeatable)")
    parser.add_argument(
        "--question", action="append", default=[], metavar="NAME", help="questions that begin so (repeatable)"
    )
    parser.add_argument("--only", default="", metavar="TEXT", help="rows whose RFC, question, family hold it")
    parser.add_argument("--all", action="store_true", help="print every row")
    parser.add_argument("--quick", action="store_true", help="every family at 1,000 characters, few beyond")
    parser.add_argument("--screen", type=int, metavar="N", help="longest text of every family")
    parser.add_argument("--slowest", type=int, metavar="N", help="families of a question beyond that length")
    parser.add_argument("--patience", type=float, metavar="SECONDS", help="how long a call may take")
    parser.add_argument("--largest", type=int, metavar="N", help="longest text")
    options = parser.parse_args()
    stated = {name: extent for name, extent in vars(options).items() if extent is not None}
    effort = (_QUICK if options.quick else Effort())._replace(
        **{name: stated[name] for name in Effort._fields if name in stated}
    )
    signal.signal(signal.SIGALRM, _give_up)
    measured = rows(options.spec or list(SPECIFICATIONS), options.question, options.only, effort)
    console = Console(width=None if sys.stdout.isatty() else 170)
    console.print(show(measured if options.all else worst(measured)))
    worse = [row for row in measured if row.superlinear]
    console.print(f"{len(measured)} rows, {len(worse)} of them superlinear (growth above {SUPERLINEAR})")
    if options.json:
        figures = {
            "schema": 1,
            "python": platform.python_version(),
            "sizes": SIZES,
            "rows": [row.asdict() for row in measured],
        }
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    if options.svg:
        options.svg.write_text(svg(list(lines(measured)), engine()), encoding="utf-8")


if __name__ == "__main__":
    main()
