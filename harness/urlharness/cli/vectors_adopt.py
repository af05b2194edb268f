"""`urlconform vectors adopt`: witnesses of mutants made into vectors."""

from __future__ import annotations

import json
from pathlib import Path

import click

from urlharness.cli.writing import refuse_installed
from urlharness.exitcodes import Exit

_DIRECTORY = click.Path(path_type=Path, exists=True, file_okay=False)


@click.command("adopt")
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--write", is_flag=True, help="Write the files; else only their sizes are told.")
@click.option("--vectors", "directory", type=_DIRECTORY, help="The corpus in this directory.")
def adopt(file: Path, write: bool, directory: Path | None) -> int:
    """Make vectors of the candidates in FILE, which `vectors adequacy --survivors` wrote.

    They go into a file of their own for each RFC; what the corpus asks already is left out.
    """
    from urlharness.authoring.adopting import AdoptingError, adopted
    from urlharness.corpus import SPECS, corpus_dir, load

    if write:
        refuse_installed(directory)
    root = directory or corpus_dir()
    corpus = load(root)
    try:
        grouped = json.loads(file.read_bytes())
        for spec, candidates in grouped.items():
            if spec not in SPECS:
                raise AdoptingError(f"no RFC {spec!r}")
            path, text, count = adopted(root, corpus, spec, candidates)
            click.echo(f"{path.relative_to(root)}: {count} new of {len(candidates)} candidates")
            if write and count:
                path.write_text(text, encoding="ascii")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise click.UsageError(f"{file}: {error}") from None
    return Exit.PASSED
