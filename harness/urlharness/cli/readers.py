"""Readers of our output that go away: what is left goes nowhere, and the exit code is what it would be."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import click


def gone(error: BaseException) -> bool:
    """True for a broken pipe, and for the exit that click makes of one, which it leaves in stdout alone.

    Any other stdout is that of a library, and says nothing.
    """
    if isinstance(error, SystemExit):
        return type(sys.stdout).__name__.endswith("PacifyFlushWrapper")
    return isinstance(error, BrokenPipeError)


def say(line: str) -> None:
    """Print a line on stderr, which nobody may read any more."""
    with may_leave():
        click.echo(line, err=True)


@contextmanager
def may_leave(path: Path | None = None) -> Iterator[None]:
    """Go on behind the body where its reader goes away; that of a file is told on stderr."""
    try:
        yield
    except BrokenPipeError:
        _nowhere()
        if path is not None:
            say(f"urlconform: {path}: its reader went away, and has not all of it")


def _nowhere() -> None:
    """Let what waits for a reader that has gone, and what comes after it, go nowhere."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            with suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        except AttributeError:
            pass  # closed by who called
