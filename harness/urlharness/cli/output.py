"""Where the commands write: a console that knows terminals, pipes and readers who went away."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Literal

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)
from rich.text import Text

from urlharness import runner
from urlharness.report.texts import plain

_PIPE_WIDTH = 400  # nobody looks at a width there, and lines must not break
_PATIENCE = 2.0  # seconds before anybody wants to know how far it is
_STEP = 0.1  # seconds between two looks at it
_FIGURES = 48  # columns of a million cases, their rate and time
_LONGEST_NAME = 40
_LONGEST_BAR = 24


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Stop writing without ending the command, whose exit code still counts."""
        self.quiet = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def console() -> Console:
    """The console on stdout; with NO_COLOR it writes no escape at all, not for bold letters either."""
    width = None if sys.stdout.isatty() else _PIPE_WIDTH
    colours: Literal["auto"] | None = None if os.environ.get("NO_COLOR") else "auto"
    return _Console(width=width, color_system=colours, highlight=False, markup=False, emoji=False)


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        return Text("" if speed is None else f"{speed:,.0f}/s", style="cyan")


class _Count(ProgressColumn):
    def render(self, task: Task) -> Text:
        total = "" if not task.total else f" of {task.total:,.0f}"
        return Text(f"{task.completed:,.0f}{total}", style="progress.download")


class _Left(ProgressColumn):
    def render(self, task: Task) -> Text:
        if task.finished or not task.total:
            return Text(f"{_clock(task.finished_time or task.elapsed)}", style="progress.elapsed")
        return Text(f"{_clock(task.time_remaining)} left", style="progress.remaining")


def _clock(seconds: float | None) -> str:
    """Minutes and seconds, and hours where there are any."""
    if seconds is None:
        return "-:--"
    minutes, second = divmod(round(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"


def bars(names: Sequence[str]) -> tuple[Progress, list[TaskID]]:
    """A bar on stderr for each name: how much is done, how fast it goes, how long it will take.

    Names may be long commands, or hold anything at all.
    """
    where = Console(stderr=True)
    room = max(where.width - _FIGURES, 10)
    longest = min(max(map(len, names), default=0), room * 2 // 3, _LONGEST_NAME)
    name = TextColumn("{task.description}", markup=False)
    shown = Progress(
        name,
        BarColumn(bar_width=min(room - longest, _LONGEST_BAR)),
        _Count(),
        _Rate(),
        _Left(),
        console=where,
        transient=True,
        refresh_per_second=5,
    )
    return shown, [shown.add_task(_clipped(plain(one), longest), total=None, start=False) for one in names]


def _clipped(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"


@contextmanager
def patient(shown: Progress) -> Iterator[None]:
    """Show it once the body has taken a while; the body goes on whatever becomes of it."""
    timer = threading.Timer(_PATIENCE, shown.start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        shown.stop()


@contextmanager
def apart() -> Iterator[None]:
    """What the body prints goes to stderr: an adapter in this process writes into no table and no report."""
    try:
        os.fstat(2)
        stdout = os.dup(1)
    except OSError:  # closed by who called
        yield
        return
    terminal = os.isatty(stdout)
    sys.stdout.flush()
    os.dup2(2, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        if not terminal or os.isatty(stdout):  # else it has gone meanwhile
            os.dup2(stdout, 1)
        os.close(stdout)


@contextmanager
def busy(what: str) -> Iterator[None]:
    """Say on a terminal's stderr what takes its time; silence elsewhere."""
    if not sys.stderr.isatty():
        yield
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    shown = Progress(*columns, console=Console(stderr=True), transient=True, refresh_per_second=5)
    shown.add_task(what, total=None)
    with patient(shown):
        yield


@contextmanager
def progress(names: list[str], total: int) -> Iterator[runner.Progress]:
    """A bar for each adapter on a terminal's stderr where it takes a while; silence elsewhere."""
    if not sys.stderr.isatty():
        yield lambda *_: None
        return
    shown, numbers = bars(names)
    tasks = dict(zip(names, numbers, strict=True))
    for number in numbers:
        shown.update(number, total=total)
    waiting = list(names)
    due = 0.0

    def told(name: str, done: int, _: int) -> None:
        nonlocal due
        now = time.monotonic()
        if now < due and done < total:
            return  # a million cases are told, and nobody sees more than a few
        due = now + _STEP
        while name in waiting:
            passed = waiting.pop(0)
            shown.start_task(tasks[passed])
            shown.update(tasks[passed], visible=passed == name)  # the others did not start
        shown.update(tasks[name], completed=done)

    with patient(shown):
        yield told
