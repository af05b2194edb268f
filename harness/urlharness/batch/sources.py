"""Parquet, CSV, text as streams of batches (pyarrow readers)."""

from __future__ import annotations

import csv
import io
import itertools
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple, Self

import numpy as np
import pyarrow as pa
from pyarrow import csv as arrow_csv
from pyarrow import parquet

from urlharness.batch.tables import is_text

# -------------------- batch.streams: Streams of octets as the readers of files want them: counted and decompressed.


#: Bytes of a file that are read at a time.
BLOCK = 1 << 23


_COMPRESSIONS = {".gz": "gzip", ".bz2": "bz2", ".zst": "zstd", ".lz4": "lz4"}


class Counted(io.RawIOBase):
    """A buffered stream that tells how many bytes have been read of it."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self.position = 0

    def readable(self) -> bool:
        """It is."""
        return True

    def read(self, size: int = -1) -> bytes:
        """The next bytes, fewer than `size` only at the end."""
        pieces, left = [], size
        # piece by piece: within one long read of a pipe nobody would hear of Ctrl-C
        while left and (octets := self._stream.read1(left)):
            pieces.append(octets)
            left -= len(octets)
            self.position += len(octets)
        return b"".join(pieces)


def suffixes(name: str) -> tuple[str, str]:
    """The suffix that names the format of a file, and that of its compression; each may be empty."""
    path = Path(name.lower())
    compressed = path.suffix if path.suffix in _COMPRESSIONS else ""
    return Path(path.name.removesuffix(compressed)).suffix, compressed


def decompressed(stream: Counted, name: str) -> Any:
    """The stream, decompressed where the name of its file says so."""
    _, compressed = suffixes(name)
    if not compressed:
        return stream
    return pa.CompressedInputStream(pa.PythonFile(stream, mode="r"), _COMPRESSIONS[compressed])


# -------------------- batch.lines: Lines of a stream as Arrow arrays: one ends at LF or CRLF, the last one where the stream does.


_LF, _CR = 10, 13


_MARK = b"\xef\xbb\xbf"


_WIDE = (b"\xff\xfe", b"\xfe\xff")


#: Bytes of a line or record: well below what offsets of 32 bits reach.
LONGEST = 1 << 30


class NotText(ValueError):
    """A stream whose octets are no lines of text; the message says where."""


def lines(stream: Any, block: int | None = None) -> Iterator[Any]:
    """The lines of a stream as binary arrays, about a block of bytes in each.

    A byte order mark of UTF-8 at the begin is no part of the first line.  Raises NotText for UTF-16 and for
    a line longer than a gibibyte.
    """
    block = block or BLOCK
    first = bytes(stream.read(max(block, len(_MARK))))
    if first.startswith(_WIDE):
        raise NotText("line 1: the file is UTF-16; URLs are judged in ASCII or UTF-8")
    octets = first.removeprefix(_MARK)
    number, pieces = 1, list[bytes]()
    while octets := octets or bytes(stream.read(block)):
        cut = octets.rfind(b"\n") + 1
        if cut:
            array = _split(b"".join([*pieces, octets[:cut]]))
            number += len(array)
            yield array
            pieces = []
        pieces.append(octets[cut:])
        if sum(map(len, pieces)) > LONGEST:
            raise NotText(f"line {number}: longer than {LONGEST >> 30} GiB")
        octets = b""
    if last := b"".join(pieces):
        yield pa.array([last], pa.binary())


def _split(octets: bytes) -> Any:
    """The lines of octets that end with a line end."""
    data = np.frombuffer(octets, np.uint8)
    ends = np.flatnonzero(data == _LF)
    kept = data != _LF
    returned = (ends > 0) & (data[ends - 1] == _CR)
    kept[ends[returned] - 1] = False
    offsets = np.zeros(len(ends) + 1, np.int32)
    offsets[1:] = ends - np.arange(len(ends)) - np.cumsum(returned)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(data[kept])]
    return pa.Array.from_buffers(pa.binary(), len(ends), buffers)


# -------------------- batch.records: Records of a CSV stream, as many whole ones at a time as a block holds: fields may have line ends.


def records(stream: Any, block: int | None = None) -> Iterator[bytes]:
    """The octets of a stream in pieces that end where a record does; NotText for a record without end."""
    rest = b""
    while octets := bytes(stream.read(block or BLOCK)):
        rest += octets
        cut = _last_end(rest)
        if cut:
            yield rest[:cut]
            rest = rest[cut:]
        elif len(rest) > LONGEST:
            raise NotText(f"a record longer than {LONGEST >> 30} GiB: is a quote missing?")
    if rest:
        yield rest


def _last_end(octets: bytes) -> int:
    """Where the last whole record ends: behind a line end before which the quotes are even in number."""
    quotes, end = octets.count(b'"'), len(octets)
    while (end := octets.rfind(b"\n", 0, end)) >= 0:
        if (quotes - octets.count(b'"', end)) % 2 == 0:
            return end + 1
    return 0


# -------------------- batch.sources: Files of URLs as a stream of batches: parquet, CSV, or a URL a line; never a whole file at once.


Format = Literal["text", "csv", "parquet"]


_ROWS = 1 << 16  # of a batch of parquet


_FORMATS: dict[str, Format] = {".parquet": "parquet", ".pq": "parquet", ".csv": "csv", ".tsv": "csv"}


_USUAL = ("url", "uri")  # columns taken for the URLs where none is named


class FileError(Exception):
    """A file that cannot be read, or is not of its format; the message names the file and the place."""


class ColumnError(Exception):
    """A column that is not there, holds no texts, or is not told among several; the message names it."""


class Batch(NamedTuple):
    """Some rows of a file: the column of URLs as an Arrow array, and the columns asked for by their names."""

    urls: Any
    columns: dict[str, Any]


class Source:
    """One file, `-` for stdin, as batches of rows; close it by leaving its context.

    `column` names the URLs; without it a column `url` or `uri` is taken, or the only one that holds texts.
    With `whole` the batches have all columns, otherwise that one.  Raises FileError and ColumnError, now
    and from `batches`.  `types` has the types of the columns; `size` is None where it is not known.
    """

    def __init__(self, name: str, form: Format | None, column: str | None, *, whole: bool) -> None:
        self.name = "stdin" if name == "-" else name
        self.form: Format = form or _FORMATS.get(suffixes(name)[0], "text")
        self.size: int | None = None
        self._batches: Iterator[Batch]
        self._whole = whole
        self._stack = ExitStack()
        self._done = 0
        try:
            with self._failures():
                self._open(name, column)
        except BaseException:
            self._stack.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @property
    def position(self) -> int:
        """How many of the bytes are done with, about."""
        return self._done if self.form == "parquet" else self._counted.position

    def batches(self) -> Iterator[Batch]:
        """The rows of the file, some at a time."""
        with self._failures():
            yield from self._batches

    def _open(self, name: str, column: str | None) -> None:
        stream: IO[bytes] = sys.stdin.buffer
        if name != "-":
            path = Path(name)
            stream = self._stack.enter_context(path.open("rb"))
            self.size = path.stat().st_size if path.is_file() else None
        self._counted = Counted(stream)
        match self.form:
            case "text":
                self._open_text(name, column)
            case "csv":
                self._open_csv(name, column)
            case "parquet":
                self._open_parquet(stream, column)

    def _open_text(self, name: str, column: str | None) -> None:
        if column is not None:
            raise ColumnError(f"{self.name} is text, a URL a line; it has no column {column!r}")
        self.column = _USUAL[0]
        self.types = {self.column: pa.string()}
        arrays = lines(decompressed(self._counted, name))
        self._batches = (Batch(array, {self.column: array}) for array in arrays)

    def _open_csv(self, name: str, column: str | None) -> None:
        delimiter = "\t" if suffixes(name)[0] == ".tsv" else ","
        pieces = records(decompressed(self._counted, name))
        first = next(pieces, b"")
        text = io.StringIO(first.decode("utf-8-sig", "replace"), newline="")
        names = next(csv.reader(text, delimiter=delimiter), [])
        if not names:
            raise FileError(f"{self.name}: line 1: a CSV file begins with the names of its columns")
        self.column = _choose(self.name, names, names, column)
        self.types = dict.fromkeys(names if self._whole else [self.column], pa.string())
        self._batches = self._csv(itertools.chain([first], pieces), names, delimiter)

    def _csv(self, pieces: Iterable[bytes], names: list[str], delimiter: str) -> Iterator[Batch]:
        kinds = {**self.types, self.column: pa.binary()}  # of any octets
        parsing = arrow_csv.ParseOptions(delimiter=delimiter, newlines_in_values=True)
        converting = arrow_csv.ConvertOptions(
            column_types=kinds,
            include_columns=list(kinds),
            strings_can_be_null=True,
            null_values=[""],
            quoted_strings_can_be_null=False,
        )
        rows = 0
        for piece in pieces:
            reading = arrow_csv.ReadOptions(
                use_threads=False,  # of several threads none knows the number of a row
                block_size=len(piece) + 1,
                column_names=names if rows else None,
            )
            try:
                table = arrow_csv.read_csv(pa.BufferReader(piece), reading, parsing, converting)
            except pa.ArrowInvalid as problem:
                raise FileError(f"{self.name}: {_numbered(problem, rows)}") from None
            rows += table.num_rows + (not rows)  # the names are a row as well
            for batch in table.to_batches():
                yield self._batch(batch)

    def _open_parquet(self, stream: Any, column: str | None) -> None:
        if not stream.seekable():
            spooled = self._stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - the stack closes it
            shutil.copyfileobj(stream, spooled)
            stream = spooled
        opened = parquet.ParquetFile(stream, pre_buffer=False, buffer_size=1 << 16)
        schema = opened.schema_arrow
        named = [field.name for field in schema if is_text(field.type)]
        self.column = _choose(self.name, schema.names, named, column)
        wanted = schema.names if self._whole else [self.column]
        self.types = {name: schema.field(name).type for name in wanted}
        self._batches = self._parquet(opened, list(wanted))

    def _parquet(self, opened: Any, wanted: list[str]) -> Iterator[Batch]:
        done, total = 0, max(opened.metadata.num_rows, 1)
        for rows in opened.iter_batches(_ROWS, columns=wanted):
            done += rows.num_rows
            self._done = (self.size or 0) * done // total
            yield self._batch(rows)

    def _batch(self, rows: Any) -> Batch:
        return Batch(rows.column(self.column), {name: rows.column(name) for name in self.types})

    @contextmanager
    def _failures(self) -> Iterator[None]:
        """Have every failure to read name the file."""
        try:
            yield
        except (NotText, pa.ArrowException) as problem:
            raise FileError(f"{self.name}: {_first_line(problem)}") from None
        except OSError as problem:
            raise FileError(f"{self.name}: {problem.strerror or _first_line(problem)}") from None


def _choose(name: str, names: Sequence[str], texts: Sequence[str], wanted: str | None) -> str:
    """The column of URLs."""
    listed = ", ".join(names)
    if wanted is not None:
        if wanted not in names:
            raise ColumnError(f"{name} has no column {wanted!r}; there are {listed}")
        if wanted not in texts:
            raise ColumnError(f"{name}: column {wanted!r} holds no texts")
        return wanted
    usual = [one for one in texts if one.lower() in _USUAL]
    for found in (usual, texts):
        if len(found) == 1:
            return found[0]
    raise ColumnError(f"{name}: name the column of the URLs with --column; there are {listed}")


def _numbered(problem: BaseException, rows: int) -> str:
    """What is wrong, with the number of the row in the file, not in the piece."""
    return re.sub(r"Row #(\d+)", lambda match: f"Row #{int(match[1]) + rows}", _first_line(problem))


def _first_line(problem: BaseException) -> str:
    return (str(problem).splitlines() or [type(problem).__name__])[0]
