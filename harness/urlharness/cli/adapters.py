"""`urlconform adapters`: which adapters there are, and whether their runtimes are here."""

from __future__ import annotations

import click
from rich import box
from rich.table import Table

from urlharness.adapters.registry import BUNDLED, NotInstalled, UnknownAdapter
from urlharness.askers import open_adapter
from urlharness.cli.output import console
from urlharness.exitcodes import Exit
from urlharness.report.terminal import plain
from urlharness.session import AdapterDead, Limits


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def adapters() -> None:
    """List the adapters and their state on this machine."""


@adapters.command("list")
def list_() -> int:
    """Print each bundled adapter, what it wraps, and its state here."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in ("adapter", "implementation", "operations", "claims", "state"):
        table.add_column(title)
    for name, adapter in BUNDLED.items():
        try:
            asker = open_adapter(adapter, Limits(), "urlconform")
        except NotInstalled as missing:
            table.add_row(name, "", "", "", plain(f"not installed: {missing}"))
            continue
        except (AdapterDead, UnknownAdapter) as dead:
            table.add_row(name, "", "", "", plain(f"dead: {dead}"))
            continue
        hello = asker.hello
        asker.close()
        about = hello.implementation
        table.add_row(
            name,
            plain(f"{about.name} {about.version}"),
            " ".join(hello.ops),
            plain(" ".join(hello.specs)) or "none",
            "ready",
        )
    console().print(table)
    return Exit.PASSED
