"""`urlconform serve`: an in-process adapter behind the wire protocol."""

from __future__ import annotations

import os
from pathlib import Path

import click

from urlharness.adapters.registry import InProcess, Program, find
from urlharness.exchange import listening
from urlharness.exitcodes import Exit
from urlharness.serve import serve as serve_adapter
from urlharness.session import AdapterDead
from urlharness.starting import not_started


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("name", metavar="ADAPTER")
@click.option("--apart", is_flag=True, hidden=True)  # for a run, whose child process this is
@click.option("--record", type=click.Path(path_type=Path), hidden=True)
def serve(name: str, apart: bool, record: Path | None) -> int:
    """Answer protocol questions (version 1, one JSON object a line) on stdin until `bye` or the end."""
    adapter = find(name)
    match adapter:
        case InProcess():
            serve_adapter(adapter.load if record is None else listening(adapter, record), abnormal=apart)
        case Program():
            command = adapter.command()
            try:
                os.execvp(command[0], command)  # noqa: S606 - it speaks the protocol by itself
            except OSError as error:
                raise AdapterDead(not_started(command, str(error.strerror))) from None
        case _:
            raise click.BadParameter("a program per case cannot be served", param_hint="ADAPTER")
    return Exit.PASSED
