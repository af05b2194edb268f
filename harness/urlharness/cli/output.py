"""The output of a command: console, progress, error messages with exit codes, and broken pipes.

- stdout belongs to the command. What an adapter prints goes to stderr, so that it is no part of a table.
- A reader that closes stdout early, as `head` does, is no failure. The command goes on without output,
  because its exit code still matters.
- Progress is drawn on stderr, on terminals only, and only if something takes long. Commands that take
  minutes also write a line from time to time if stderr is no terminal.
- An expected error is one line on stderr. Any other error is a defect, so it ends with a traceback.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Literal, TextIO

import click
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
    TimeRemainingColumn,
)
from rich.table import Column
from rich.text import Text

from urlharness.exitcodes import Exit
from urlharness.text import logged, plain, without_commands
from urlharness.wording import os_reason

#: The width if stdout is not a terminal. It is large, because lines must not break.
_PIPE_WIDTH = 400

#: Seconds before progress is shown.
_DELAY = 2.0

#: Seconds between lines of progress.
_LINE_INTERVAL = 10.0

#: How many times per second progress is drawn.
_REFRESH = 5

#: The maximum number of columns for the name of an adapter or file, and for a bar.
_NAME_WIDTH = 40
_BAR_WIDTH = 24

#: The file descriptors of the standard streams.
_STDOUT = 1
_STDERR = 2

#: What click raises for a group without its command: the message is the help. Click 8.1 has no such error.
_HELP_OF_GROUP: tuple[type[Exception], ...] = tuple(
    filter(None, [getattr(click.exceptions, "NoArgsIsHelpError", None)])
)

#: A function to call with the name of an adapter or file, the amount done, and the total (None: unknown).
OnProgress = Callable[[str, int, int | None], None]


class _Console(Console):
    """A console whose lines are no commands to a build server, and which survives a closed pipe."""

    def print(self, *objects: Any, **options: Any) -> None:
        """Print objects. No text is a command to a build server, wherever a page has broken its lines."""
        super().print(*map(_without_commands, objects), **options)

    def on_broken_pipe(self) -> None:
        """Stop writing, but do not end the command, because its exit code still matters."""
        self.quiet = True
        _redirect_to_nowhere(sys.stdout)


def _without_commands(content: object) -> object:
    """Return a text that is no command to a build server, or any other content unchanged.

    A text that has to be escaped loses the styles of its parts, because an escape moves what follows it.
    """
    if not isinstance(content, Text):
        return content
    line = without_commands(content.plain)
    if line == content.plain:
        return content
    return Text(line, content.style)


def console() -> Console:
    """Return the console on stdout. With NO_COLOR, it writes no escape sequences at all."""
    width = None if sys.stdout.isatty() else _PIPE_WIDTH
    colours: Literal["auto"] | None = None if os.environ.get("NO_COLOR") else "auto"
    return _Console(width=width, color_system=colours, highlight=False, markup=False, emoji=False)


class _Bars(Progress):
    """Progress bars that update only when they are drawn, because a run reports every case."""

    def __init__(self, *columns: ProgressColumn) -> None:
        self._tasks_by_name: dict[str, TaskID] = {}
        self._done: dict[str, int] = {}
        self._totals: dict[str, int | None] = {}
        super().__init__(*columns, console=Console(stderr=True), transient=True, refresh_per_second=_REFRESH)

    def add(self, name: str, total: int | None) -> None:
        """Add the bar of a task that has not begun. `total` is None if it is unknown."""
        self._tasks_by_name[name] = self.add_task(plain(name), start=False, total=total)

    def report(self, name: str, done: int, total: int | None) -> None:
        """Note how much of a task is done. The first report of a task adds and starts its bar.

        The total may grow, because some tasks follow from the results of others.
        """
        if name not in self._done:
            if name not in self._tasks_by_name:
                self.add(name, total)
            self.start_task(self._tasks_by_name[name])
        self._done[name] = done
        self._totals[name] = total

    def get_renderables(self) -> Iterable[RenderableType]:
        """Update the bars by what was reported, and return them. The thread that draws them calls this."""
        for name, done in tuple(self._done.items()):  # copied, because a report may come meanwhile
            self.update(self._tasks_by_name[name], completed=done, total=self._totals[name])
        return super().get_renderables()


class _Count(ProgressColumn):
    """The column of numbers beside a bar."""

    def render(self, task: Task) -> Text:
        """Return the number of cases that are done, of how many if that is known, and the rate."""
        total = f" of {task.total:,.0f}" if task.total else ""
        speed = task.finished_speed or task.speed
        if not speed and task.elapsed:
            speed = task.completed / task.elapsed
        rate = f" {speed:,.0f}/s" if speed else ""
        return Text(f"{task.completed:,.0f}{total}{rate}", style="progress.download")


@contextmanager
def progress(
    first: str = "", total: int | None = None, *, sizes: bool = False, lines: bool = False
) -> Iterator[OnProgress]:
    """Yield a function that the body calls to report progress. Show the progress as bars on stderr.

    The bars are shown if the body takes long and stderr is a terminal. There is a bar for `first` even before
    its first report. With `sizes`, the numbers are bytes. With `lines`, a line is written every ten seconds
    if there are no bars.
    """
    if not is_animated():
        yield _ProgressLines().report if lines else _ignore_progress
        return
    one_row = Column(no_wrap=True)
    name_column = Column(no_wrap=True, overflow="ellipsis", max_width=_NAME_WIDTH)
    bars = _Bars(
        TextColumn("{task.description}", markup=False, table_column=name_column),
        BarColumn(bar_width=None, table_column=Column(max_width=_BAR_WIDTH)),
        DownloadColumn(table_column=one_row) if sizes else _Count(one_row),
        TimeRemainingColumn(compact=True, elapsed_when_finished=True, table_column=one_row),
    )
    if first:
        bars.add(first, total)
    with _shown_late(bars):
        yield bars.report


def _ignore_progress(_name: str, _done: int, _total: int | None) -> None:
    """Show nothing."""


class _ProgressLines:
    """Progress as lines on stderr, with at least `_LINE_INTERVAL` seconds before each of them."""

    def __init__(self) -> None:
        self._last_time = time.monotonic()

    def report(self, name: str, done: int, total: int | None) -> None:
        """Write how much of a task is done, unless the last line is too recent."""
        now = time.monotonic()
        if now - self._last_time < _LINE_INTERVAL:
            return
        self._last_time = now
        share = f"{done:,}" if total is None else f"{done:,} of {total:,}"
        print_stderr(logged(f"{name}: {share}"))


@contextmanager
def busy(activity: str) -> Iterator[None]:
    """Show an activity if the body takes long and stderr is a terminal. With NO_COLOR, show nothing."""
    if not is_animated():
        yield
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    spinner = Progress(*columns, console=Console(stderr=True), transient=True, refresh_per_second=_REFRESH)
    spinner.add_task(activity, total=None)
    with _shown_late(spinner):
        yield


def is_animated() -> bool:
    """Return True if stderr is a terminal and NO_COLOR, which forbids escape sequences, is not set."""
    return sys.stderr.isatty() and not os.environ.get("NO_COLOR")


@contextmanager
def _shown_late(bars: Progress) -> Iterator[None]:
    """Show the bars if the body takes longer than `_DELAY`."""
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
def printing_to_stderr() -> Iterator[None]:
    """Send what the body prints to stderr, because an adapter must not write into tables and reports.

    Afterwards the streams and the current directory are restored, even if the body replaced them.
    """
    stdout = sys.stdout
    stderr = sys.stderr
    folder = os.open(".", os.O_RDONLY)
    try:
        with _stdout_to_stderr(stdout):
            yield
    finally:
        sys.stdout = stdout
        sys.stderr = stderr
        os.fchdir(folder)
        os.close(folder)


@contextmanager
def _stdout_to_stderr(stdout: TextIO) -> Iterator[None]:
    """Let descriptor 1 lead to stderr during the body. `stdout` is the buffered stream on it."""
    try:
        os.fstat(_STDERR)
        copy_of_stdout = os.dup(_STDOUT)
    except OSError:  # the caller closed one of the descriptors
        yield
        return
    was_terminal = os.isatty(copy_of_stdout)
    stdout.flush()
    os.dup2(_STDERR, _STDOUT)
    try:
        yield
    finally:
        for stream in {stdout, sys.stdout}:
            with suppress(OSError, ValueError, AttributeError):  # the body may have closed or replaced it
                stream.flush()
        has_lost_terminal = was_terminal and not os.isatty(copy_of_stdout)
        if not has_lost_terminal:
            os.dup2(copy_of_stdout, _STDOUT)
        os.close(copy_of_stdout)


def report_error(error: BaseException) -> int:
    """Print an expected error as one line on stderr and return its exit code. Raise any other error again."""
    # a broken pipe is not a failure; commands with a gate catch it earlier and keep their exit code
    if _is_broken_pipe(error):
        _redirect_to_nowhere(sys.stdout)
        return Exit.PASSED
    if isinstance(error, OSError):  # what is in the buffer may be what cannot be written
        _redirect_to_nowhere(sys.stdout)
    if isinstance(error, _HELP_OF_GROUP):
        print_stderr(str(error))
        return Exit.USAGE
    message, code = _message_and_code(error)
    print_stderr(logged(f"urlconform: {message}"))
    return code


def _is_broken_pipe(error: BaseException) -> bool:
    """Return True if an error says that the reader of stdout is gone.

    Click turns a broken pipe into SystemExit and wraps the stream. Any other SystemExit is from a library.
    """
    if isinstance(error, SystemExit):
        return type(sys.stdout).__name__.endswith("PacifyFlushWrapper")
    return isinstance(error, BrokenPipeError)


def _message_and_code(error: BaseException) -> tuple[str, Exit]:
    """Return (message, exit code) of an expected error. Raise any other error again."""
    match error:
        case click.ClickException():
            return _click_message(error), Exit.USAGE
        # Python 3.11 wraps an exception that is raised in __set_name__
        case click.Abort() | KeyboardInterrupt() | RuntimeError(__cause__=KeyboardInterrupt()):
            return "interrupted", Exit.INTERRUPTED
        case OSError():
            return f"{error.filename or 'output'}: {os_reason(error)}", Exit.USAGE
    from urlharness.adapters.registry import NotInstalled, UnknownAdapter
    from urlharness.config import ConfigurationError
    from urlharness.corpus.model import CorpusError
    from urlharness.corpus.selection import SelectionError
    from urlharness.fuzz import DamageError, FuzzError
    from urlharness.gate.baseline import BaselineError
    from urlharness.gate.policy import PolicyError
    from urlharness.gate.update import NothingJudged
    from urlharness.protocol.failures import AdapterDead
    from urlharness.protocol.server import ProtocolError
    from urlharness.results.model import ResultsError

    match error:
        case CorpusError() | ResultsError() | BaselineError() | DamageError():
            return str(error), Exit.INVALID_FILE
        case UnknownAdapter() | SelectionError() | ProtocolError() | PolicyError():
            return str(error), Exit.USAGE
        case ConfigurationError() | FuzzError():
            return str(error), Exit.USAGE
        case AdapterDead():
            return str(error), Exit.ADAPTER_DEAD
        case NothingJudged():
            return str(error), Exit.NOTHING_RAN
        case NotInstalled():
            return f"not installed: {error}", Exit.NOTHING_RAN
    raise error


def _click_message(error: click.ClickException) -> str:
    """Return the message of an error of click as one line. A usage error names the help of its command."""
    message = " ".join(error.format_message().split())
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is None:
        return message
    return f"{message} (see {context.command_path} --help)"


def print_stderr(line: str) -> None:
    """Print a line on stderr. Do nothing if the reader of stderr is gone."""
    with ignoring_broken_pipe():
        click.echo(line, err=True)


@contextmanager
def ignoring_broken_pipe(path: Path | None = None) -> Iterator[None]:
    """End the body quietly if the reader of its output is gone.

    `path` is the file to which the body writes, or None for a standard stream. If it is given, stderr gets a
    warning. A standard stream whose reader is gone leads to /dev/null from then on.
    """
    try:
        yield
    except BrokenPipeError:
        open_streams = [stream for stream in (sys.stdout, sys.stderr) if stream is not None]
        for stream in open_streams:
            try:
                stream.flush()
            except BrokenPipeError:
                _redirect_to_nowhere(stream)
        if path is not None:
            print_stderr(f"urlconform: {path}: the reader closed the output before the end of the report")


def _redirect_to_nowhere(stream: TextIO) -> None:
    """Redirect a stream, with the text in its buffer, to /dev/null because its reader is gone."""
    with suppress(OSError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
