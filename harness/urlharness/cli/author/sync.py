"""The command `sync` of `vectors`, which updates a pinned file of the bundle."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from urlharness.cli.files import refuse_overwriting
from urlharness.exitcodes import Exit
from urlharness.jsonio import WholeFile
from urlharness.text import logged

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("sync", short_help="Update a pinned file of the bundle.")
@click.argument("source", metavar="PATH|URL")
@click.option(
    "-o", "--output", metavar="FILE", type=_FILE, required=True, help="The pinned file, which is replaced."
)
@click.option(
    "--digest",
    default="",
    metavar="HEX",
    help="The digest that the bundle must have: vectors.lock has it.",
)
def sync(source: str, output: Path, digest: str) -> int:
    """Replace FILE by a file of another version of the bundle, and list the cases that changed.

    PATH or URL is a folder with a bundle, from which the file with the name of FILE is taken, or such a file
    in it, such as BUNDLE/urlvectors-rfc3986.json. Its digest must be that of manifest.json beside it.

    Exit with 4 if FILE changed, and with 6, and without changing it, if a digest is wrong.
    """
    from urlharness.bundle.sync import FetchError, PinnedFile, compare_pinned, fetch_checked, parse_pinned

    folder, name = _folder_and_name(source, output)
    refuse_overwriting("-o", [output], {"the bundle": Path(folder) / name})
    old_content = output.read_bytes() if output.exists() else b""
    old = PinnedFile("", {})
    if old_content:
        old = parse_pinned(old_content, str(output))
    try:
        content = fetch_checked(folder, name, digest)
    except FetchError as error:
        raise click.UsageError(str(error)) from None
    if content == old_content:
        click.echo(f"{output} is unchanged: corpus {logged(old.version)}", err=True)
        return Exit.PASSED
    new = parse_pinned(content, name)
    with WholeFile(output) as stream:
        stream.write(content)
    changes = compare_pinned(old, new)
    for change in changes:
        click.echo(f"{change.id}: {change.kind}")
    counts = Counter(change.kind for change in changes)
    parts = [f"{count:,} {kind}" for kind, count in sorted(counts.items())]
    counts_in_words = ", ".join(parts) or "no case changed"
    click.echo(f"{output} written: corpus {logged(new.version)}, {counts_in_words}", err=True)
    return Exit.STALE


def _folder_and_name(source: str, output: Path) -> tuple[str, str]:
    """Return the folder of a bundle, which may be a URL, and the name of the file to take from it.

    `source` is the folder or the file. In a folder, the file has the name of `output`.
    """
    folder, _, name = source.rpartition("/")
    if name.endswith(".json"):
        return folder or ".", name
    return source, output.name
