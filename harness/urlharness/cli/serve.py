"""`urlconform serve`: an in-process adapter behind the wire protocol."""

from __future__ import annotations

import os

import click

from urlharness.adapters.registry import InProcess, Program, find
from urlharness.exitcodes import Exit
from urlharness.serve import serve as serve_adapter
from urlharness.session import AdapterDead


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("name", metavar="ADAPTER")
def serve(name: str) -> int:
    """Answer protocol questions (version 1, one JSON object a line) on stdin until `bye` or the end."""
    adapter = find(name)
    match adapter:
        case InProcess():
            serve_adapter(*adapter.load())
        case Program():
            command = adapter.command()
            try:
                os.execvp(command[0], command)  # noqa: S606 - it speaks the protocol by itself
            except OSError as error:
                raise AdapterDead(f"{command[0]}: {error.strerror}") from None
        case _:
            raise click.BadParameter("a program per case cannot be served", param_hint="ADAPTER")
    return Exit.PASSED
