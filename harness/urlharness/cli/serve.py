"""`urlconform serve`: an in-process adapter behind the wire protocol."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from traceback import print_exception

import click

from urlharness.adapters.registry import InProcess, Program, find
from urlharness.exitcodes import Exit
from urlharness.interrupts import tell_interrupts
from urlharness.serve import serve as serve_adapter
from urlharness.session import AdapterDead
from urlharness.starting import not_started


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("name", metavar="ADAPTER")
@click.option("--apart", is_flag=True, hidden=True)  # for a run, whose child process this is
def serve(name: str, apart: bool) -> int:
    """Answer protocol questions (version 1, one JSON object a line) on stdin until `bye` or the end."""
    adapter = find(name)
    match adapter:
        case InProcess():
            tell_interrupts()
            try:
                serve_adapter(adapter.load, abnormal=apart)
            except AdapterDead as dead:
                if apart and dead.__cause__ is not None:  # of its stderr, the end is kept
                    with suppress(Exception):  # the stream may be anything by now
                        sys.stdout.flush()
                    print_exception(dead.__cause__)
                raise
        case Program():
            command = adapter.command()
            try:
                os.execvp(command[0], command)  # noqa: S606 - it speaks the protocol by itself
            except OSError as error:
                raise AdapterDead(not_started(command, str(error.strerror))) from None
        case _:
            raise click.BadParameter("a program per case cannot be served", param_hint="ADAPTER")
    return Exit.PASSED
