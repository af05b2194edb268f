"""From a failure to one line on stderr and an exit code."""

from __future__ import annotations

import click

from urlharness.exitcodes import Exit


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
    from urlharness.baseline import BaselineError
    from urlharness.configuration import ConfigurationError
    from urlharness.corpus import CorpusError
    from urlharness.linefiles import LostLine
    from urlharness.listing import NothingJudged
    from urlharness.policy import PolicyError
    from urlharness.results import ResultsError
    from urlharness.selection import SelectionError
    from urlharness.serve import ProtocolError
    from urlharness.session import AdapterDead

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
    from urlharness.cli.readers import say
    from urlharness.report.texts import logged

    say(logged(f"urlconform: {message}"))
    return code
