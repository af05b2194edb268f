"""A baseline is written over none of the files that it is made from, and over no configuration."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from urlharness.adapters.files import files_of
from urlharness.adapters.registry import BUNDLED, UnknownAdapter
from urlharness.cli.configured import adapter_named, configured_folder
from urlharness.cli.reports import project_files, same_file


def keep_sources(output: Path, source: str, vectors: Path | None) -> None:
    """Raises a usage error where a list made from `source` would overwrite a file that is read for it."""
    for what, file in _read(source, vectors):
        if same_file(output, file):
            raise click.BadParameter(f"{str(output)!r} would be written over {what}", param_hint="-o")


def _read(source: str, vectors: Path | None) -> Iterator[tuple[str, Path]]:
    """What each file is, as far as that is known; nothing of an adapter is run."""
    if configured_folder() is None and source not in BUNDLED and Path(source).exists():
        yield "the results that it is made of", Path(source)
    else:
        try:
            adapter = adapter_named(source)
        except UnknownAdapter:
            return  # whoever is about to ask it says so
        for file in files_of(adapter):
            yield f"a file of {adapter.name}", file
    if vectors is not None:
        yield "the file of --vectors", vectors
    yield from project_files()
