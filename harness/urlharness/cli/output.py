"""Where the commands write: a console that knows terminals, pipes and readers who went away."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from urlharness import runner

_PIPE_WIDTH = 400  # nobody looks at a width there, and lines must not break


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Stop writing without ending the command, whose exit code still counts."""
        self.quiet = True
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def console() -> Console:
    """The console on stdout."""
    width = None if sys.stdout.isatty() else _PIPE_WIDTH
    return _Console(width=width, highlight=False, markup=False, emoji=False)


@contextmanager
def progress(names: list[str], total: int) -> Iterator[runner.Progress]:
    """A bar for each adapter on a terminal's stderr; silence elsewhere."""
    if not sys.stderr.isatty():
        yield lambda *_: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        tasks = {name: bars.add_task(name, total=total) for name in names}
        yield lambda name, done, _: bars.update(tasks[name], completed=done)
