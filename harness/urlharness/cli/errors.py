"""Exception -> message on stderr and exit code; broken pipes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import click

from urlharness.exitcodes import Exit


def exit_code_of(error: BaseException) -> int:
    """Print one line on stderr and return the exit code; an unexpected error is raised again."""
    match error:
        case click.exceptions.Exit():
            return error.exit_code
        case click.ClickException():
            return _print_error(_usage(error), Exit.USAGE)
        case click.Abort() | KeyboardInterrupt():
            return _print_error("interrupted", Exit.INTERRUPTED)
        case RuntimeError(__cause__=KeyboardInterrupt()):  # Python 3.11 wraps what is raised in __set_name__
            return _print_error("interrupted", Exit.INTERRUPTED)
    return _expected(error)


def _expected(error: BaseException) -> int:
    from urlharness.adapters.registry import NotInstalled, UnknownAdapter
    from urlharness.config import ConfigurationError
    from urlharness.corpus.model import CorpusError
    from urlharness.corpus.selection import SelectionError
    from urlharness.gate.baseline import BaselineError
    from urlharness.gate.policy import PolicyError
    from urlharness.gate.update import NothingJudged
    from urlharness.limits import AdapterDead
    from urlharness.protocol.server import ProtocolError
    from urlharness.results.model import ResultsError

    match error:
        case CorpusError() | ResultsError() | BaselineError():
            return _print_error(str(error), Exit.INVALID_FILE)
        case UnknownAdapter() | SelectionError() | ProtocolError() | PolicyError() | ConfigurationError():
            return _print_error(str(error), Exit.USAGE)
        case AdapterDead():
            return _print_error(str(error), Exit.ADAPTER_DEAD)
        case NothingJudged():
            return _print_error(str(error), Exit.NOTHING_RAN)
        case NotInstalled():
            return _print_error(f"not installed: {error}", Exit.NOTHING_RAN)
        case OSError():
            return _print_error(f"{error.filename or 'output'}: {error.strerror}", Exit.USAGE)
    raise error


def _usage(error: click.ClickException) -> str:
    """Return the message of a usage error as one line, with the command whose help says more."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    message = " ".join(error.format_message().split())
    return f"{message} (see {context.command_path} --help)" if context else message


def _print_error(message: str, code: Exit) -> Exit:
    from urlharness.text import logged

    print_stderr(logged(f"urlconform: {message}"))
    return code


def is_broken_pipe(error: BaseException) -> bool:
    """Return True for a broken pipe, and for the SystemExit that click makes of one."""
    if isinstance(
        error, SystemExit
    ):  # click marks it by the stream alone; other exits are those of libraries
        return type(sys.stdout).__name__.endswith("PacifyFlushWrapper")
    return isinstance(error, BrokenPipeError)


def print_stderr(line: str) -> None:
    """Print a line on stderr, even if its reader has gone."""
    with ignoring_broken_pipe():
        click.echo(line, err=True)


@contextmanager
def ignoring_broken_pipe(path: Path | None = None) -> Iterator[None]:
    """Leave the body if the reader of its output goes away; if that is a file, say so on stderr."""
    try:
        yield
    except BrokenPipeError:
        _discard_output()
        if path is not None:
            print_stderr(f"urlconform: {path}: the reader went away before the end of the report")


def _discard_output() -> None:
    """Send to /dev/null what is buffered for a reader that has gone, and all that follows."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            with suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        except AttributeError:
            pass  # the caller closed it
