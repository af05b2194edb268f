"""The texts of an option `--texts`: URLs in a file, as `check` reads them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import click

from urlharness.system.textlines import NotText, is_plain_text, refuse_other_contents, text_lines
from urlharness.text import logged
from urlharness.wording import os_reason


def read_texts(name: str) -> list[str]:
    """Return the URLs in a file: lines, or a column of a CSV or Parquet file. The name `-` is stdin.

    Bytes that are no UTF-8 become U+FFFD, with a note on stderr. Raise ClickException if the file cannot be
    read.
    """
    if not is_plain_text(name):
        return _read_table(name)
    file = "stdin" if name == "-" else name
    try:
        refuse_other_contents(name)
        with _open_or_stdin(name) as stream:
            lines = list(text_lines(stream))
    except OSError as problem:
        raise click.ClickException(f"{file}: {os_reason(problem)}") from None
    except NotText as problem:
        raise click.ClickException(f"{file}: {problem}") from None
    texts = [_as_text(line) for line in lines]
    _note_replaced_bytes(file, lines, texts)
    return texts


def _note_replaced_bytes(file: str, lines: Sequence[bytes], texts: Sequence[str]) -> None:
    """Print a note on stderr if bytes were replaced in some lines. It names the first of these."""
    line_numbers = []
    for number, (line, text) in enumerate(zip(lines, texts, strict=True), 1):
        if text.encode() != line:
            line_numbers.append(number)
    if not line_numbers:
        return
    lines_in_words = f"line {line_numbers[0]}"
    if len(line_numbers) > 1:
        lines_in_words = f"{len(line_numbers):,} lines, first {lines_in_words}"
    note = f"urlconform: {file}: {lines_in_words}: U+FFFD stands for bytes that are no UTF-8"
    click.echo(logged(note), err=True)


@contextmanager
def _open_or_stdin(name: str) -> Iterator[IO[bytes]]:
    """Open a file for the body. Stdin, the name `-`, stays open."""
    if name == "-":
        yield sys.stdin.buffer
    else:
        with Path(name).open("rb") as stream:
            yield stream


def _read_table(name: str) -> list[str]:
    """Return the URLs in a table or a compressed file, which only the libraries of `check` can read.

    Rows without a URL are left out. Raise ClickException if these libraries are not installed, or if the file
    cannot be read.
    """
    # imported late, because that takes longer than to ask a library about some lines
    try:
        from urlharness.batch.sources import ColumnError, FileError, Source
    except ImportError as missing:
        raise click.ClickException(str(missing)) from None
    try:
        with Source(name, form=None, column=None, whole=False) as source:
            rows: list[str | bytes | None] = []
            for batch in source.batches():
                rows += batch.urls.to_pylist()
    except (FileError, ColumnError) as problem:
        raise click.ClickException(str(problem)) from None
    return [_as_text(row) for row in rows if row is not None]


def _as_text(url: str | bytes) -> str:
    """Return a URL as text. U+FFFD stands for bytes that are no UTF-8."""
    return url.decode("utf-8", "replace") if isinstance(url, bytes) else url
