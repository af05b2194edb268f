"""The list of the bundled adapters, each with its state on this machine."""

from __future__ import annotations

from typing import Literal

import click
import msgspec

from urlharness.adapters.registry import BUNDLED, Adapter, NotInstalled, UnknownAdapter
from urlharness.askers import open_adapter
from urlharness.exitcodes import Exit
from urlharness.protocol import Hello, well_formed
from urlharness.session import AdapterDead, Limits


class Listed(msgspec.Struct, frozen=True):
    """One adapter: its state here, why it does not run, and what it says of itself."""

    name: str
    state: Literal["ready", "not installed", "dead"]
    message: str = ""
    hello: Hello | None = None


def show(*, as_json: bool) -> Exit:
    """Print the list: a table, or JSON for programs."""
    listed = [_listed(name, adapter) for name, adapter in BUNDLED.items()]
    if as_json:
        click.echo(msgspec.json.encode(listed).decode())
    else:
        _print(listed)
    return Exit.PASSED


def _listed(name: str, adapter: Adapter) -> Listed:
    try:
        asker = open_adapter(adapter, Limits(), "urlconform")
    except NotInstalled as missing:
        return Listed(name, "not installed", well_formed(str(missing)))
    except (AdapterDead, UnknownAdapter) as dead:
        return Listed(name, "dead", well_formed(str(dead)))
    hello = asker.hello
    asker.close()
    return Listed(name, "ready", hello=hello)


def _print(listed: list[Listed]) -> None:
    from rich import box
    from rich.table import Table

    from urlharness.cli.output import console
    from urlharness.report.texts import plain

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in ("adapter", "state", "implementation", "operations", "claims"):
        table.add_column(title)
    for one in listed:
        if one.hello is None:
            table.add_row(one.name, one.state, plain(one.message))
        else:
            about = one.hello.implementation
            claims = plain(" ".join(one.hello.specs)) or "none"
            named = plain(f"{about.name} {about.version}")
            table.add_row(one.name, one.state, named, plain(" ".join(one.hello.ops)), claims)
    out = console()
    out.print(table)
    out.print(
        "and of your own: python:MODULE:FUNCTION, jsonl:COMMAND, exec:COMMAND (urlconform adapters new)"
    )
