"""The command `serve`, which answers protocol questions from stdin by an adapter."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from traceback import print_exception
from typing import NoReturn

import click

from urlharness.adapters.registry import InProcess, Program, find
from urlharness.cli.interrupts import InterruptHandler
from urlharness.exitcodes import Exit
from urlharness.protocol.failures import AdapterDead
from urlharness.protocol.server import serve as serve_adapter
from urlharness.sessions.process import start_error


@click.command()
@click.argument("name", metavar="ADAPTER")
@click.option("--apart", is_flag=True, hidden=True)  # set by a run that started this process
def serve(name: str, apart: bool) -> int:
    """Answer protocol questions (version 1, a JSON object per line) from stdin until `bye` or end of file."""
    adapter = find(name)
    match adapter:
        case InProcess():
            _serve_function(adapter, is_child_of_run=apart)
        case Program():
            _become_program(adapter)
        case _:
            why = "an `exec:` adapter cannot be served, because it runs a program for each case"
            raise click.BadParameter(why, param_hint="ADAPTER")
    return Exit.PASSED


def _serve_function(adapter: InProcess, *, is_child_of_run: bool) -> None:
    """Answer questions by a function of Python. Raise AdapterDead if it cannot be loaded or ends.

    If a run has started this process, it gets the cause on stderr, whose last lines it shows.
    """
    InterruptHandler().install_for_ctrl_c()
    # Loaded before the folder of the function is on the path, so that no module there replaces them.
    import multiprocessing.connection  # noqa: F401

    import urlharness.cli.output  # noqa: F401

    try:
        serve_adapter(adapter.load, report_abnormal=is_child_of_run)
    except AdapterDead as dead:
        if is_child_of_run and dead.__cause__ is not None:
            with suppress(Exception):  # the adapter may have replaced the stream
                sys.stdout.flush()
            print_exception(dead.__cause__)
        raise


def _become_program(adapter: Program) -> NoReturn:
    """Replace this process by the program, which speaks the protocol. Raise AdapterDead if that fails."""
    command = adapter.command()
    folder = adapter.working_folder()
    try:
        if folder is not None:
            os.chdir(folder)
        os.execvp(command[0], command)  # noqa: S606 - it speaks the protocol
    except OSError as error:
        raise AdapterDead(start_error(command, error)) from None
