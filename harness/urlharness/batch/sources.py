"""Files of URLs, read batch by batch: Parquet, CSV, or one URL per line."""

from __future__ import annotations

import csv
import io
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple, Self

import numpy as np
import pyarrow as pa
from pyarrow import csv as arrow_csv
from pyarrow import parquet
from pyarrow.types import is_dictionary

from urlharness.batch.tables import as_bytes, is_text
from urlharness.system import textlines
from urlharness.system.textlines import COMPRESSIONS, FORMATS, MARK, Format, NotText, suffixes, without_mark
from urlharness.text import clipped
from urlharness.wording import os_reason

#: The names of columns to try if the user names no column.
_USUAL = ("url", "uri")
#: The number of bytes of text or CSV, and of rows of Parquet, to read at once. A CSV record must fit into one
#: block.
BLOCK, _ROWS = 1 << 23, 1 << 16
#: The maximum length of the names of columns in an error message.
_LONGEST_NAMES = 200
_LF, _CR = 10, 13


class FileError(Exception):
    """A file cannot be read, or its content does not match its format; the message names the file."""


class ColumnError(Exception):
    """The column of URLs is missing, ambiguous, or holds no texts; the message names file and columns."""


class Batch(NamedTuple):
    """Some rows of a file. `urls` is an Arrow array. `columns` maps names to the columns for the output."""

    urls: Any
    columns: dict[str, Any]


class CountedStream(io.RawIOBase):
    """A buffered stream that counts the bytes read from it."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self.position = 0

    def readable(self) -> bool:
        """Return True."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Return the next `size` bytes, or fewer at the end of the stream."""
        pieces, left = [], size
        # read pieces, because Ctrl-C cannot interrupt one long read of a pipe
        while left and (piece := self._stream.read1(left)):
            pieces.append(piece)
            left -= len(piece)
            self.position += len(piece)
        return b"".join(pieces)


class _Replayed(io.RawIOBase):
    """A stream that first returns the bytes `first`, which were already read from `stream`."""

    def __init__(self, first: bytes, stream: Any) -> None:
        self._first = first
        self._stream = stream

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        piece = self._first[:size]
        self._first = self._first[len(piece) :]
        return piece or bytes(self._stream.read(size))


def lines(stream: Any, block: int | None = None) -> Iterator[Any]:
    """Yield the lines of a stream as binary arrays, each of about `block` bytes.

    A line ends at LF or CRLF. A UTF-8 byte order mark at the start is skipped. Raise NotText for UTF-16 and
    for a line longer than `LONGEST_LINE`. Arrow's CSV reader is not used, because a line may contain any
    byte.
    """
    block = block or BLOCK
    data = without_mark(bytes(stream.read(max(block, len(MARK)))))
    number, pieces = 1, list[bytes]()
    while data := data or bytes(stream.read(block)):
        cut = data.rfind(b"\n") + 1
        _check_line(number, sum(map(len, pieces)), data, stream, block)
        if cut:
            array = _split(b"".join([*pieces, data[:cut]]))
            number += len(array)
            yield array
            pieces = []
        pieces.append(data[cut:])
        data = b""
    if last := b"".join(pieces):
        yield pa.array([last], pa.binary())


def _check_line(number: int, before: int, data: bytes, stream: Any, block: int) -> None:
    """Raise NotText with the size of the line that continues in `data`, if it is too long.

    `number` is the number of the line and `before` the number of its bytes before `data`. To find the size,
    the rest of the line is read from the stream, but not stored.
    """
    size = before
    while data:
        end = data.find(b"\n")
        size += len(data) if end < 0 else end
        if size <= textlines.LONGEST_LINE:
            return
        if end >= 0 or size > textlines.MOST_COUNTED:
            break
        data = bytes(stream.read(block))
    raise textlines.line_too_long(number, size)


def _split(text: bytes) -> Any:
    """Split bytes into lines. The last byte must be LF."""
    data = np.frombuffer(text, np.uint8)
    ends = np.flatnonzero(data == _LF)
    kept = data != _LF
    returned = (ends > 0) & (data[ends - 1] == _CR)
    kept[ends[returned] - 1] = False
    offsets = np.zeros(len(ends) + 1, np.int32)
    offsets[1:] = ends - np.arange(len(ends)) - np.cumsum(returned)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(data[kept])]
    return pa.Array.from_buffers(pa.binary(), len(ends), buffers)


class Source:
    """A file, or stdin for `-`, as batches of rows. Leaving its context closes the file.

    `column` names the column of URLs. The default is `url` or `uri`, or the only column of texts. If `whole`,
    batches include all columns, otherwise only the URLs. `types` maps columns to their types. `size` is the
    size of the file in bytes, or None if it is unknown. `__init__` and `batches` raise FileError if the file
    cannot be read, and `__init__` raises ColumnError if it cannot find the column.
    """

    def __init__(self, name: str, form: Format | None, column: str | None, *, whole: bool) -> None:
        self.name = "stdin" if name == "-" else name
        self.form: Format = form or FORMATS.get(suffixes(name)[0], "text")
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
        """The approximate number of bytes that were read."""
        return self._done if self.form == "parquet" else self._counted.position

    def batches(self) -> Iterator[Batch]:
        """Yield the rows of the file in batches."""
        with self._failures():
            yield from self._batches

    def _open(self, name: str, column: str | None) -> None:
        stream: IO[bytes] = sys.stdin.buffer
        if name != "-":
            path = Path(name)
            stream = self._stack.enter_context(path.open("rb"))
            self.size = path.stat().st_size if path.is_file() else None
        self._counted = CountedStream(stream)
        match self.form:
            case "text":
                self._open_text(self._decompressed(name), column)
            case "csv":
                self._open_csv(self._decompressed(name), "\t" if suffixes(name)[0] == ".tsv" else ",", column)
            case "parquet":
                self._open_parquet(stream, column)

    def _decompressed(self, name: str) -> Any:
        """Return the stream, decompressed if the file name ends with the suffix of a compression."""
        _, compressed = suffixes(name)
        if not compressed:
            return self._counted
        return pa.CompressedInputStream(pa.PythonFile(self._counted, mode="r"), COMPRESSIONS[compressed])

    def _open_text(self, stream: Any, column: str | None) -> None:
        if column is not None:
            raise ColumnError(f"{self.name} is text with one URL per line; it has no column {column!r}")
        self.column = _USUAL[0]
        self.types = {self.column: pa.string()}
        self._batches = (Batch(array, {self.column: array}) for array in lines(stream))

    def _open_csv(self, stream: Any, delimiter: str, column: str | None) -> None:
        first = bytes(stream.read(BLOCK))
        text = io.StringIO(first.decode("utf-8-sig", "replace"), newline="")
        try:
            names = next(csv.reader(text, delimiter=delimiter), [])
        except csv.Error as problem:  # such as a name of more than `csv.field_size_limit()` characters
            raise FileError(f"{self.name}: line 1: cannot read the names of the columns: {problem}") from None
        if not names:
            raise FileError(f"{self.name}: line 1: a CSV file must begin with the names of its columns")
        self.column = _choose(self.name, names, names, column)
        self.types = dict.fromkeys(names if self._whole else [self.column], pa.string())
        kinds = {**self.types, self.column: pa.binary()}  # a URL may hold any bytes
        opened = arrow_csv.open_csv(
            pa.PythonFile(_Replayed(first, stream), mode="r"),
            arrow_csv.ReadOptions(use_threads=False, block_size=BLOCK),  # or errors lack row numbers
            arrow_csv.ParseOptions(delimiter=delimiter, newlines_in_values=True),
            arrow_csv.ConvertOptions(
                column_types=kinds,
                include_columns=list(kinds),
                strings_can_be_null=True,
                null_values=[""],
                quoted_strings_can_be_null=False,
            ),
        )
        self._batches = map(self._batch, opened)

    def _open_parquet(self, stream: Any, column: str | None) -> None:
        if not stream.seekable():
            spooled = self._stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - the stack closes it
            shutil.copyfileobj(stream, spooled)
            stream = spooled
        schema = parquet.read_schema(stream)
        dictionaries = [field.name for field in schema if is_dictionary(field.type)]
        # read as they are: the cast to another type of indices refuses texts that are not UTF-8
        opened = parquet.ParquetFile(
            stream, read_dictionary=dictionaries, pre_buffer=False, buffer_size=1 << 16
        )
        named = [field.name for field in schema if is_text(field.type)]
        if not named:
            raise ColumnError(f"{self.name} has no column of texts: {_listed(schema.names)}")
        self.column = _choose(self.name, schema.names, named, column)
        wanted = schema.names if self._whole else [self.column]
        self.types = {name: _as_read(schema.field(name).type) for name in wanted}
        self._batches = self._parquet(opened, list(wanted))

    def _parquet(self, opened: Any, wanted: list[str]) -> Iterator[Batch]:
        done, total = 0, max(opened.metadata.num_rows, 1)
        for rows in opened.iter_batches(_ROWS, columns=wanted):
            done += rows.num_rows
            self._done = (self.size or 0) * done // total
            yield self._batch(rows)

    def _batch(self, rows: Any) -> Batch:
        return Batch(as_bytes(rows.column(self.column)), {name: rows.column(name) for name in self.types})

    @contextmanager
    def _failures(self) -> Iterator[None]:
        """Turn each read error into a FileError that names the file."""
        try:
            yield
        except (NotText, pa.ArrowException) as problem:
            raise FileError(f"{self.name}: {_first_line(problem)}") from None
        except OSError as problem:
            why = os_reason(problem) if problem.strerror else _first_line(problem)
            raise FileError(f"{self.name}: {why}") from None


def _choose(name: str, names: Sequence[str], texts: Sequence[str], wanted: str | None) -> str:
    """Return the name of the column of URLs. Raise ColumnError if it is missing or ambiguous."""
    listed = _listed(names)
    if wanted is not None:
        if names.count(wanted) > 1:
            raise ColumnError(f"{name} has {names.count(wanted)} columns {wanted!r}")
        if wanted not in names:
            raise ColumnError(f"{name} has no column {wanted!r}; choose from {listed}")
        if wanted not in texts:
            raise ColumnError(f"{name}: column {wanted!r} holds no texts")
        return wanted
    usual = [one for one in texts if one.lower() in _USUAL]
    for found in (usual, texts):
        if len(found) == 1:
            return found[0]
    raise ColumnError(f"{name}: cannot tell which column holds URLs; choose one with --column: {listed}")


def _as_read(kind: Any) -> Any:
    """Return the type with which a column of a Parquet file is read: dictionaries get indices of 32 bits."""
    return pa.dictionary(pa.int32(), kind.value_type, kind.ordered) if is_dictionary(kind) else kind


def _listed(names: Sequence[str]) -> str:
    """Join the names of columns for a message, which is cut if it is very long."""
    return clipped(", ".join(names), _LONGEST_NAMES)


def _first_line(problem: BaseException) -> str:
    return (str(problem).splitlines() or [type(problem).__name__])[0]
