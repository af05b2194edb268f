"""The corpus that a command writes to: one that was named, or that of a source tree."""

from __future__ import annotations

from pathlib import Path

import click

_INSTALLED = {"site-packages", "dist-packages"}


def refuse_installed(directory: Path | None) -> None:
    """Raise UsageError where no directory is named and the corpus is that of an installed package.

    What is written there is gone with the next installation, and no review sees it.
    """
    from urlharness.corpus import corpus_dir

    if directory is None and _INSTALLED & set(corpus_dir().resolve().parts):
        raise click.UsageError(
            f"the corpus in {corpus_dir()} belongs to an installed package and is not written to: "
            "name another (--vectors DIR), or install the source tree in place (pip install -e .)"
        )
