"""Where the commands write: a console that knows terminals, pipes and readers who went away."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import accumulate
from typing import Literal, TextIO

from rich.console import Console, RenderableType
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
from rich.table import Column
from rich.text import Text

from urlharness import runner
from urlharness.text import plain

_PIPE_WIDTH = 400  # nobody looks at a width there, and lines must not break


_PATIENCE = 2.0  # seconds before anybody wants to know how far it is


_NAME = 20, 40  # columns of a name before anything is left out for it, and at most


_BAR = 8, 24


_TIME = 13  # columns of what is left of ten hours, and of a million cases a second


_SPEED = 12


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


class _Bars(Progress):
    """Bars that look themselves how far it is, whenever they are shown: in a hang nobody tells them."""

    look: Callable[[], None] | None = None

    def get_renderables(self) -> Iterable[RenderableType]:
        if self.look is not None:
            self.look()
        return super().get_renderables()


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        speed = task.finished_speed or task.speed
        if speed is None and task.elapsed:
            speed = task.completed / task.elapsed
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


def _bars(names: Sequence[str], total: int) -> tuple[_Bars, list[TaskID]]:
    """A bar on stderr for each name: how much is done, how fast it goes, how long it will take.

    Names may be long commands, or hold anything at all.  A row is one row: on a narrow terminal the speed is
    left out, then the time, then the bar, and what is left of the name is shortened.
    """
    where = Console(stderr=True)
    names = [plain(one) for one in names]
    wanted = max(map(len, names), default=0)
    room = where.width - len(f"{total:,} of {total:,}") - 1
    name = max(1, min(wanted, _NAME[0], room))
    room -= name
    bar, left, speed = (room >= least for least in accumulate((_BAR[0] + 1, _TIME, _SPEED)))
    room -= left * _TIME + speed * _SPEED + bar * (_BAR[0] + 1)
    longer = max(0, min(wanted - name, _NAME[1] - name, room))
    columns = [
        TextColumn("{task.description}", markup=False),
        *([BarColumn(bar_width=min(_BAR[0] + room - longer, _BAR[1]))] if bar else []),
        _Count(_one_row()),
        *([_Rate(_one_row())] if speed else []),
        *([_Left(_one_row())] if left else []),
    ]
    shown = _Bars(*columns, console=where, transient=True, refresh_per_second=5)
    clipped = (_clipped(one, name + longer) for one in names)
    return shown, [shown.add_task(one, total=total, start=False) for one in clipped]


def _one_row() -> Column:
    return Column(no_wrap=True)


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
    """What the body prints goes to stderr: an adapter in this process writes into no table and no report.

    Behind the body the streams and the current directory are those before it, whatever became of them.
    """
    out, err = sys.stdout, sys.stderr
    here = os.open(".", os.O_RDONLY)
    try:
        with _on_stderr(out):
            yield
    finally:
        sys.stdout, sys.stderr = out, err
        os.fchdir(here)
        os.close(here)


@contextmanager
def _on_stderr(out: TextIO) -> Iterator[None]:
    """What goes to the number of stdout goes to that of stderr; `out` is what waits there."""
    try:
        os.fstat(2)
        stdout = os.dup(1)
    except OSError:  # closed by who called
        yield
        return
    terminal = os.isatty(stdout)
    out.flush()
    os.dup2(2, 1)
    try:
        yield
    finally:
        for stream in {out, sys.stdout}:
            with suppress(OSError, ValueError, AttributeError):  # it may be of a library, closed, or none
                stream.flush()
        if not terminal or os.isatty(stdout):  # else it has gone meanwhile
            os.dup2(stdout, 1)
        os.close(stdout)


def _animated() -> bool:
    """True where something may move on stderr: escapes put it there, and with NO_COLOR there is none."""
    return sys.stderr.isatty() and not os.environ.get("NO_COLOR")


@contextmanager
def busy(what: str) -> Iterator[None]:
    """Say on a terminal's stderr what takes its time; elsewhere, and with NO_COLOR, silence."""
    if not _animated():
        yield
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    shown = Progress(*columns, console=Console(stderr=True), transient=True, refresh_per_second=5)
    shown.add_task(what, total=None)
    with patient(shown):
        yield


@contextmanager
def progress(names: list[str], total: int) -> Iterator[runner.Progress]:
    """A bar for each adapter on a terminal's stderr, where it takes long; else, or with NO_COLOR, silence."""
    if not _animated():
        yield lambda *_: None
        return
    shown, numbers = _bars(names, total)
    tasks = dict(zip(names, numbers, strict=True))
    waiting = list(names)
    settled: dict[str, int] = {}

    def told(name: str, done: int, _: int) -> None:
        if name not in settled:
            while name in waiting:
                passed = waiting.pop(0)
                shown.start_task(tasks[passed])
                shown.update(tasks[passed], visible=passed == name)  # the others did not start
        settled[name] = done  # a million cases are told, and nobody sees more than a few

    def look() -> None:
        for name, done in tuple(settled.items()):
            shown.update(tasks[name], completed=done)

    shown.look = look
    with patient(shown):
        yield told
