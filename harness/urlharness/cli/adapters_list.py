"""The list of the bundled adapters, each with its state on this machine."""

from __future__ import annotations

from typing import Literal

import click
import msgspec

from urlharness.adapters.registry import BUNDLED, Adapter, NotInstalled, UnknownAdapter
from urlharness.asciijson import ascii_json
from urlharness.askers import open_adapter
from urlharness.exitcodes import Exit
from urlharness.protocol import Hello, well_formed
from urlharness.session import AdapterDead, Limits

_WIDE = 80  # columns in which there is room for what each offers


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
        click.echo(ascii_json(msgspec.json.encode(listed)))
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

    out = console()
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    titles = ("adapter", "state", "implementation", "operations", "claims")
    shown = titles if out.width >= _WIDE else titles[:3]
    for title in shown:  # a name is there to be typed
        longest = max(len(one.name) for one in listed) if title == "adapter" else None
        table.add_column(title, min_width=longest, overflow="fold")
    for one in listed:
        said = [one.message]
        if one.hello is not None:
            about = one.hello.implementation
            said = [
                f"{about.name} {about.version}",
                " ".join(one.hello.ops),
                " ".join(one.hello.specs) or "none",
            ]
        table.add_row(*[one.name, one.state, *map(plain, said)][: len(shown)])
    out.print(table)
    out.print(
        "and of your own: python:MODULE:FUNCTION, jsonl:COMMAND, exec:COMMAND (urlconform adapters new)",
        soft_wrap=True,
    )
