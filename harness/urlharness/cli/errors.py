"""Exception -> message on stderr and exit code; broken pipes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import click

from urlharness.exitcodes import Exit

# -------------------- cli.failure: From a failure to one line on stderr and an exit code.


def exit_code_of(error: BaseException) -> int:
    """Say what happened and return the code; an error that nobody foresaw is raised again."""
    match error:
        case click.exceptions.Exit():
            return error.exit_code
        case click.ClickException():
            return _say(_usage(error), Exit.USAGE)
        case click.Abort() | KeyboardInterrupt():
            return _say("interrupted", Exit.INTERRUPTED)
        case RuntimeError(__cause__=KeyboardInterrupt()):  # Python 3.11 wraps what comes in __set_name__
            return _say("interrupted", Exit.INTERRUPTED)
    return _foreseen(error)


def _foreseen(error: BaseException) -> int:
    from urlharness.adapters.registry import NotInstalled, UnknownAdapter
    from urlharness.config import ConfigurationError
    from urlharness.corpus.model import CorpusError
    from urlharness.corpus.selection import SelectionError
    from urlharness.gate.baseline import BaselineError
    from urlharness.gate.policy import PolicyError
    from urlharness.gate.update import NothingJudged
    from urlharness.limits import AdapterDead
    from urlharness.protocol.server import ProtocolError
    from urlharness.results.linefiles import LostLine
    from urlharness.results.model import ResultsError

    match error:
        case CorpusError() | ResultsError() | BaselineError() | LostLine():
            return _say(str(error), Exit.INVALID_FILE)
        case UnknownAdapter() | SelectionError() | ProtocolError() | PolicyError() | ConfigurationError():
            return _say(str(error), Exit.USAGE)
        case AdapterDead():
            return _say(str(error), Exit.ADAPTER_DEAD)
        case NothingJudged():
            return _say(str(error), Exit.NOTHING_RAN)
        case NotInstalled():
            return _say(f"not installed: {error}", Exit.NOTHING_RAN)
        case OSError():
            return _say(f"{error.filename or 'output'}: {error.strerror}", Exit.USAGE)
    raise error


def _usage(error: click.ClickException) -> str:
    """A wrong use in one line, with the command whose help tells more."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    message = " ".join(error.format_message().split())
    return f"{message} (see {context.command_path} --help)" if context else message


def _say(message: str, code: Exit) -> Exit:
    from urlharness.text import logged

    say(logged(f"urlconform: {message}"))
    return code


# -------------------- cli.readers: Readers of our output that go away: what is left goes nowhere, and the exit code is what it would be.


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
