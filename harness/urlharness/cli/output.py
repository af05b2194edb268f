"""Console and progress: how the commands write on terminals and pipes."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Literal, TextIO

from rich.console import Console, RenderableType
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)
from rich.table import Column
from rich.text import Text

from urlharness.text import plain

#: The width where there is no terminal: lines must not break.
_PIPE_WIDTH = 400

#: Seconds before progress is shown.
_DELAY = 2.0

#: Columns of the name of an adapter or a file before it is cut.
_NAME = 40

#: Takes what is worked on, how much of it is done, and how much there is, or None if that is unknown.
OnProgress = Callable[[str, int, int | None], None]


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Stop writing without ending the command, whose exit code still counts."""
        self.quiet = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def console() -> Console:
    """Return the console on stdout; with NO_COLOR it writes no escape sequences, not even for bold."""
    width = None if sys.stdout.isatty() else _PIPE_WIDTH
    colours: Literal["auto"] | None = None if os.environ.get("NO_COLOR") else "auto"
    return _Console(width=width, color_system=colours, highlight=False, markup=False, emoji=False)


class _Bars(Progress):
    """Progress bars that are updated when they are drawn: a run reports far more often, for each case."""

    def __init__(self, *columns: ProgressColumn) -> None:
        self._named: dict[str, TaskID] = {}
        self._done: dict[str, int] = {}
        super().__init__(*columns, console=Console(stderr=True), transient=True, refresh_per_second=5)

    def add(self, name: str, total: int | None, *, visible: bool = True) -> None:
        """Add a bar that has not started."""
        self._named[name] = self.add_task(plain(name), start=False, total=total, visible=visible)

    def report(self, name: str, done: int, total: int | None) -> None:
        """Record how much is done."""
        if name not in self._done:
            if name not in self._named:
                self.add(name, total)
            self.start_task(self._named[name])
            self.update(self._named[name], visible=True)
        self._done[name] = done

    def get_renderables(self) -> Iterable[RenderableType]:
        """Take over what was recorded since the last time, and draw."""
        for name, done in tuple(self._done.items()):
            self.update(self._named[name], completed=done)
        return super().get_renderables()


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        if speed is None and task.elapsed:
            speed = task.completed / task.elapsed
        return Text("" if speed is None else f"{speed:,.0f}/s", style="cyan")


class _Count(ProgressColumn):
    def render(self, task: Task) -> Text:
        total = f" of {task.total:,.0f}" if task.total else ""
        return Text(f"{task.completed:,.0f}{total}", style="progress.download")


class _Left(ProgressColumn):
    def render(self, task: Task) -> Text:
        if task.finished or not task.total:
            return Text(_clock(task.finished_time or task.elapsed), style="progress.elapsed")
        return Text(f"{_clock(task.time_remaining)} left", style="progress.remaining")


def _clock(seconds: float | None) -> str:
    """Return minutes and seconds, with hours if there are any."""
    if seconds is None:
        return "-:--"
    minutes, second = divmod(round(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"


@contextmanager
def progress(
    names: Sequence[str] = (), total: int | None = None, *, sizes: bool = False
) -> Iterator[OnProgress]:
    """Yield a function that takes progress; if the work takes long, bars are shown on a terminal's stderr.

    The first of `names` is shown before anything is reported of it.  With `sizes` the numbers are bytes.
    """
    if not _animated():
        yield lambda *_: None
        return
    one_row = Column(no_wrap=True)
    bars = _Bars(
        TextColumn("{task.description}", markup=False, table_column=_name_column()),
        BarColumn(bar_width=None, table_column=Column(max_width=24)),
        DownloadColumn(table_column=one_row) if sizes else _Count(one_row),
        *([] if sizes else [_Rate(one_row)]),
        _Left(one_row),
    )
    for number, name in enumerate(names):
        bars.add(name, total, visible=number == 0)
    with _shown_late(bars):
        yield bars.report


def _name_column() -> Column:
    return Column(no_wrap=True, overflow="ellipsis", max_width=_NAME)


@contextmanager
def busy(what: str) -> Iterator[None]:
    """Say on a terminal's stderr what is being done, if it takes long; say nothing with NO_COLOR."""
    if not _animated():
        yield
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    spinner = Progress(*columns, console=Console(stderr=True), transient=True, refresh_per_second=5)
    spinner.add_task(what, total=None)
    with _shown_late(spinner):
        yield


def _animated() -> bool:
    """Return True if stderr is a terminal that may show moving things, which take escape sequences."""
    return sys.stderr.isatty() and not os.environ.get("NO_COLOR")


@contextmanager
def _shown_late(bars: Progress) -> Iterator[None]:
    """Show the bars once the body has taken a while."""
    timer = threading.Timer(_DELAY, bars.start)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        bars.stop()


@contextmanager
def prints_to_stderr() -> Iterator[None]:
    """Send to stderr what the body prints: an adapter in this process must not write into tables and reports.

    The streams and the current directory are restored, whatever the body did to them.
    """
    out, err = sys.stdout, sys.stderr
    here = os.open(".", os.O_RDONLY)
    try:
        with _stdout_to_stderr(out):
            yield
    finally:
        sys.stdout, sys.stderr = out, err
        os.fchdir(here)
        os.close(here)


@contextmanager
def _stdout_to_stderr(out: TextIO) -> Iterator[None]:
    """Redirect file descriptor 1 to 2; `out` is the stream that buffers for it."""
    try:
        os.fstat(2)
        stdout = os.dup(1)
    except OSError:  # the caller closed one of them
        yield
        return
    terminal = os.isatty(stdout)
    out.flush()
    os.dup2(2, 1)
    try:
        yield
    finally:
        for stream in {out, sys.stdout}:
            with suppress(OSError, ValueError, AttributeError):  # the body may have closed or replaced it
                stream.flush()
        if not terminal or os.isatty(stdout):  # otherwise the terminal has gone meanwhile
            os.dup2(stdout, 1)
        os.close(stdout)
