"""`urlconform vectors export`: the corpus as plain JSON in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import click

from urlharness.corpus.export import ExportError, write_export
from urlharness.corpus.loader import load
from urlharness.corpus.model import Tier, corpus_dir
from urlharness.corpus.selection import Selection, spec_name
from urlharness.exitcodes import Exit
from urlharness.generate.digests import tier_streams

_DIRECTORY = click.Path(path_type=Path, exists=True, file_okay=False)


@click.command("export")
@click.argument("target", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--spec", "specs", multiple=True, metavar="SPEC", help="Only this RFC, such as rfc3986.")
@click.option("--section", "sections", multiple=True, metavar="N", help="Only this section and all below it.")
@click.option("--tier", "tiers", type=click.Choice(["core", *get_args(Tier)]), multiple=True,
              default=["core"], show_default=True,
              help="Which tiers; generated ones go into tiers/.")  # fmt: skip
@click.option("--force", is_flag=True, help="Replace an earlier export.")
@click.option("--vectors", "directory", type=_DIRECTORY, help="The corpus in this directory.")
def export(
    target: Path,
    specs: tuple[str, ...],
    sections: tuple[str, ...],
    tiers: tuple[str, ...],
    force: bool,
    directory: Path | None,
) -> int:
    """Write the corpus to DIR as plain JSON, for use without Python, with a README that explains it."""
    root = directory or corpus_dir()
    selection = Selection(tuple(map(spec_name, specs)), sections)
    try:
        generated = tier_streams([tier for tier in get_args(Tier) if tier in tiers], selection)
        streams = {stream.part: stream.cases() for stream in generated}
        count = write_export(
            root, load(root), target, selection, force=force, core="core" in tiers, streams=streams
        )
    except ExportError as error:
        raise click.UsageError(str(error)) from None
    click.echo(f"{target}: {count} vectors")
    return Exit.PASSED
