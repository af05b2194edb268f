"""The command `export` of `vectors`, which writes the corpus for use without Python."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import click

from urlharness.cli.options import ExistingPath
from urlharness.corpus import formattests
from urlharness.corpus.export import ExportError, write_export
from urlharness.corpus.loader import load
from urlharness.corpus.model import Tier, corpus_dir
from urlharness.corpus.selection import Selection, spec_name
from urlharness.exitcodes import Exit
from urlharness.generate.tiers.digests import tier_streams
from urlharness.text import logged

#: The format of an export for the JSON Schema Test Suite.
_SUITE = "json-schema-test-suite"


@click.command("export", short_help="Write the corpus as plain JSON, or as tests for JSON Schema.")
@click.argument("target", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--spec", "specs", multiple=True, metavar="SPEC", help="Only this RFC, such as rfc3986.")
@click.option(
    "--section", "sections", multiple=True, metavar="N", help="Only this section and its subsections."
)
@click.option(
    "--tier",
    "tiers",
    type=click.Choice(["core", *get_args(Tier)]),
    multiple=True,
    default=["core"],
    show_default=True,
    help="The tiers to write; generated tiers go into tiers/.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["plain", _SUITE]),
    default="plain",
    show_default=True,
    help="plain: files of the corpus; json-schema-test-suite: tests of the formats uri and uri-reference.",
)
@click.option("--force", is_flag=True, help="Replace an earlier export.")
@click.option(
    "--vectors",
    "directory",
    type=ExistingPath(path_type=Path, file_okay=False),
    help="Use the corpus in this directory.",
)
def export(
    target: Path,
    specs: tuple[str, ...],
    sections: tuple[str, ...],
    tiers: tuple[str, ...],
    form: str,
    force: bool,
    directory: Path | None,
) -> int:
    """Write the corpus to DIR as plain JSON, for use without Python, with a README that explains it.

    With --format json-schema-test-suite, write which texts are a URI or a URI-reference by RFC 3986, in the
    files that the JSON Schema Test Suite has for these formats.
    """
    root = directory or corpus_dir()
    selection = Selection(tuple(map(spec_name, specs)), sections)
    try:
        if form == _SUITE:
            return _export_format_tests(root, target, selection, tiers, force=force)
        generated = tier_streams([tier for tier in get_args(Tier) if tier in tiers], selection)
        streams = {stream.part: stream.cases() for stream in generated}
        count = write_export(
            root, load(root), target, selection, force=force, core="core" in tiers, streams=streams
        )
    except ExportError as error:
        raise click.UsageError(str(error)) from None
    click.echo(logged(f"{target}: {count} vectors"))
    return Exit.PASSED


def _export_format_tests(
    root: Path, target: Path, selection: Selection, tiers: tuple[str, ...], *, force: bool
) -> int:
    """Write tests for the JSON Schema Test Suite, and print how many there are and what is left out."""
    if tiers != ("core",):
        raise click.UsageError(f"--format {_SUITE} has no generated tiers: omit --tier")
    other_specs = [spec for spec in selection.specs if spec != formattests.SPEC]
    if other_specs:
        names = ", ".join(other_specs)
        raise click.UsageError(f"--format {_SUITE} asks {formattests.SPEC} only, not {names}")
    export = formattests.write_format_tests(root, load(root), target, selection, force=force)
    counts = export.counts
    numbers = ", ".join(f"{count} of {name}" for name, count in counts.items())
    line = f"{target}: {sum(counts.values())} tests: {numbers}"
    if export.left_out:
        reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(export.left_out.items()))
        line += f" (left out: {reasons})"
    click.echo(logged(line))
    return Exit.PASSED
