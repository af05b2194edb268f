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
from typing import IO, Any, NamedTuple, Self, assert_never

import numpy as np
import pyarrow as pa
from pyarrow import csv as arrow_csv
from pyarrow import parquet
from pyarrow.types import is_dictionary

from urlharness.batch.tables import as_bytes, is_text
from urlharness.system import textlines
from urlharness.system.textlines import COMPRESSIONS, FORMATS, MARK, Format, NotText, suffixes, without_mark
from urlharness.text import clipped, plain
from urlharness.wording import os_reason

#: The names of columns to try if the user names no column.
_USUAL_NAMES = ("url", "uri")
#: The number of bytes of text or CSV to read at once. A CSV record must fit into one block.
BLOCK = 1 << 23
#: The number of rows of Parquet to read at once.
_ROWS = 1 << 16
#: The maximum length of the names of columns in an error message.
_LONGEST_NAMES = 200

#: The characters that divide columns in CSV files of some programs.
_DELIMITERS = ";\t|,"
_LF = ord("\n")
_CR = ord("\r")


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
        """Return the next `size` bytes, or fewer at the end of the stream.

        If `size` is negative, return all bytes that are left.
        """
        pieces = []
        missing = size
        # read pieces, because Ctrl-C cannot interrupt one long read of a pipe
        while missing:
            piece = self._stream.read1(missing)
            if not piece:
                break
            pieces.append(piece)
            missing -= len(piece)
            self.position += len(piece)
        return b"".join(pieces)


class _Replayed(io.RawIOBase):
    """A stream that first returns the bytes `first`, which were already read from `stream`.

    Arrow reads it in pieces, never the rest at once: `size` is not negative.
    """

    def __init__(self, first: bytes, stream: Any) -> None:
        self._first = first
        self._stream = stream

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        piece = self._first[:size]
        self._first = self._first[len(piece) :]
        return piece or bytes(self._stream.read(size))


def line_arrays(stream: Any, block: int | None = None) -> Iterator[Any]:
    """Yield the lines of a stream as binary arrays, each of about `block` bytes (default: BLOCK).

    A line ends at LF or CRLF. A UTF-8 byte order mark at the start is skipped. Raise NotText for UTF-16 and
    for a line longer than `LONGEST_LINE`. Arrow's CSV reader is not used, because a line may contain any
    byte.
    """
    size = block or BLOCK
    line_number = 1
    pieces: list[bytes] = []  # of the line that has begun
    for content in _blocks(stream, size):
        end_of_lines = content.rfind(b"\n") + 1
        _refuse_long_line(line_number, sum(map(len, pieces)), content, stream, size)
        if end_of_lines:
            array = _split_lines(b"".join([*pieces, content[:end_of_lines]]))
            line_number += len(array)
            yield array
            pieces = []
        pieces.append(content[end_of_lines:])
    last_line = b"".join(pieces)
    if last_line:
        yield pa.array([last_line], pa.binary())


def _blocks(stream: Any, size: int) -> Iterator[bytes]:
    """Yield the bytes of a stream in blocks, without a byte order mark at the start."""
    content = without_mark(bytes(stream.read(max(size, len(MARK)))))
    if content:
        yield content
    while content := bytes(stream.read(size)):
        yield content


def _refuse_long_line(number: int, size_before: int, content: bytes, stream: Any, block: int) -> None:
    """Raise NotText with the size of the line that continues in `content`, if it is too long.

    `number` is the number of the line and `size_before` the number of its bytes before `content`. To find the
    size, the rest of the line is read from the stream, but not stored.
    """
    size = size_before
    piece = content
    while piece:
        end = piece.find(b"\n")
        size += len(piece) if end < 0 else end
        if size <= textlines.LONGEST_LINE:
            return
        if end >= 0 or size > textlines.MOST_COUNTED:
            break
        piece = bytes(stream.read(block))
    raise textlines.line_too_long(number, size)


def _split_lines(content: bytes) -> Any:
    """Split bytes into lines. The last byte must be LF."""
    octets = np.frombuffer(content, np.uint8)
    ends = np.flatnonzero(octets == _LF)
    ends_with_cr = (ends > 0) & (octets[ends - 1] == _CR)
    is_content = octets != _LF
    is_content[ends[ends_with_cr] - 1] = False
    offsets = np.zeros(len(ends) + 1, np.int32)
    lfs_before = np.arange(len(ends))
    crs_before = np.cumsum(ends_with_cr)
    offsets[1:] = ends - lfs_before - crs_before
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(octets[is_content])]
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
        suffix, _ = suffixes(name)
        self.form: Format = form or FORMATS.get(suffix, "text")
        self.size: int | None = None
        self._batches: Iterator[Batch]
        self._whole = whole
        self._stack = ExitStack()
        self._bytes_read = 0  # of Parquet, estimated
        try:
            with self._as_file_errors():
                if form is None:
                    textlines.refuse_other_contents(name)
                self._open(name, form, column)
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
        return self._bytes_read if self.form == "parquet" else self._counted.position

    def batches(self) -> Iterator[Batch]:
        """Yield the rows of the file in batches."""
        with self._as_file_errors():
            yield from self._batches

    def _open(self, name: str, form: Format | None, column: str | None) -> None:
        """Open the file, or stdin if its name is `-`. Raise NotText if it is binary, unless it has a `form`.

        Like the three methods for the formats, set `column`, `types` and the batches.
        """
        stream: IO[bytes] = sys.stdin.buffer
        if name != "-":
            path = Path(name)
            stream = self._stack.enter_context(path.open("rb"))
            self.size = path.stat().st_size if path.is_file() else None
        self._counted = CountedStream(stream)
        match self.form:
            case "text":
                stream_of_text = self._decompressed(name)
                if form is None:
                    stream_of_text = _checked_text(stream_of_text)
                self._open_text(stream_of_text, column)
            case "csv":
                suffix, _ = suffixes(name)
                delimiter = "\t" if suffix == ".tsv" else ","
                self._open_csv(self._decompressed(name), delimiter, column)
            case "parquet":
                self._open_parquet(stream, column)
            case _:
                assert_never(self.form)

    def _decompressed(self, name: str) -> Any:
        """Return the stream, decompressed if the file name ends with the suffix of a compression."""
        _, compression = suffixes(name)
        if not compression:
            return self._counted
        return pa.CompressedInputStream(pa.PythonFile(self._counted, mode="r"), COMPRESSIONS[compression])

    def _open_text(self, stream: Any, column: str | None) -> None:
        """Open a file of lines, whose only column is called `url`. Raise ColumnError if `column` is given."""
        if column is not None:
            raise ColumnError(f"{self.name} is text with one URL per line; it has no column {column!r}")
        self.column = _USUAL_NAMES[0]
        self.types = {self.column: pa.string()}
        self._batches = (Batch(array, {self.column: array}) for array in line_arrays(stream))

    def _open_csv(self, stream: Any, delimiter: str, column: str | None) -> None:
        """Open a CSV file. Its first block is read twice: here for the names of the columns, and by Arrow."""
        first_block = bytes(stream.read(BLOCK))
        textlines.refuse_binary(first_block[: textlines.LOOKED_AT])
        names = self._names_of_columns(first_block, delimiter)
        if column is None:
            _refuse_other_delimiter(self.name, names, delimiter)
        self.column = _url_column(self.name, names, names, column)
        self.types = dict.fromkeys(names if self._whole else [self.column], pa.string())
        column_types = {**self.types, self.column: pa.binary()}  # a URL may hold any bytes

        # with threads, errors have no row numbers
        reading = arrow_csv.ReadOptions(use_threads=False, block_size=BLOCK)
        parsing = arrow_csv.ParseOptions(delimiter=delimiter, newlines_in_values=True)
        conversion = arrow_csv.ConvertOptions(
            column_types=column_types,
            include_columns=list(column_types),
            strings_can_be_null=True,
            null_values=[""],
            quoted_strings_can_be_null=False,
        )
        file = pa.PythonFile(_Replayed(first_block, stream), mode="r")
        reader = arrow_csv.open_csv(file, reading, parsing, conversion)
        self._batches = map(self._batch, reader)

    def _names_of_columns(self, first_block: bytes, delimiter: str) -> list[str]:
        """Return the names of the columns of a CSV file, which begins with `first_block`.

        Raise FileError if its first line does not have them.
        """
        text = io.StringIO(first_block.decode("utf-8-sig", "replace"), newline="")
        try:
            names = next(csv.reader(text, delimiter=delimiter), [])
        except csv.Error as problem:  # such as a name of more than `csv.field_size_limit()` characters
            raise FileError(f"{self.name}: line 1: cannot read the names of the columns: {problem}") from None
        if not names:
            raise FileError(f"{self.name}: line 1: a CSV file must begin with the names of its columns")
        return names

    def _open_parquet(self, stream: Any, column: str | None) -> None:
        """Open a Parquet file, whose end is read first: a pipe is copied to a temporary file.

        Raise ColumnError if the file has no column of texts, or not this one.
        """
        file = stream if stream.seekable() else self._spooled(stream)
        schema = parquet.read_schema(file)
        dictionaries = [field.name for field in schema if is_dictionary(field.type)]
        # read as they are: the cast to another type of indices refuses texts that are not UTF-8
        reader = parquet.ParquetFile(
            file, read_dictionary=dictionaries, pre_buffer=False, buffer_size=1 << 16
        )
        text_columns = [field.name for field in schema if is_text(field.type)]
        if not text_columns:
            raise ColumnError(f"{self.name} has no column of texts: {_listed(schema.names)}")
        self.column = _url_column(self.name, schema.names, text_columns, column)
        columns = list(schema.names) if self._whole else [self.column]
        self.types = {name: _type_when_read(schema.field(name).type) for name in columns}
        self._batches = self._parquet_batches(reader, columns)

    def _spooled(self, stream: Any) -> Any:
        """Return a temporary file with the content of a stream. The context of the source closes it."""
        file = self._stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - the stack closes it
        shutil.copyfileobj(stream, file)
        return file

    def _parquet_batches(self, reader: Any, columns: list[str]) -> Iterator[Batch]:
        """Yield the rows of a Parquet file, and estimate how many bytes were read."""
        rows_read = 0
        total = max(reader.metadata.num_rows, 1)
        for rows in reader.iter_batches(_ROWS, columns=columns):
            rows_read += rows.num_rows
            self._bytes_read = (self.size or 0) * rows_read // total
            yield self._batch(rows)

    def _batch(self, rows: Any) -> Batch:
        """Return rows of Arrow as a batch."""
        urls = as_bytes(rows.column(self.column))
        columns = {name: rows.column(name) for name in self.types}
        return Batch(urls, columns)

    @contextmanager
    def _as_file_errors(self) -> Iterator[None]:
        """Turn each read error into a FileError that names the file."""
        try:
            yield
        except (NotText, pa.ArrowException) as problem:
            raise FileError(f"{self.name}: {_first_line(problem)}") from None
        except OSError as problem:
            why = os_reason(problem) if problem.strerror else _first_line(problem)
            raise FileError(f"{self.name}: {why}") from None


def _checked_text(stream: Any) -> Any:
    """Return a stream with the same bytes. Raise NotText if the first ones show that it is not text."""
    beginning = bytes(stream.read(textlines.LOOKED_AT))
    textlines.refuse_binary(beginning)
    return _Replayed(beginning, stream)


def _refuse_other_delimiter(file: str, names: Sequence[str], delimiter: str) -> None:
    """Raise ColumnError if the only column of a CSV file seems to be several ones with another delimiter."""
    if len(names) > 1:
        return
    words = {"\t": "a tab", ",": "a comma"}
    for character in _DELIMITERS:
        if character in names[0]:
            dividing = words.get(character, repr(character))
            why = f"has one column, {plain(_listed(names))}, because {dividing} is no delimiter"
            raise ColumnError(
                f"{file} {why}; it must be {words[delimiter]}, or name this column with --column"
            )


def _url_column(file: str, names: Sequence[str], text_columns: Sequence[str], asked_name: str | None) -> str:
    """Return the name of the column of URLs. Raise ColumnError if it is missing or ambiguous."""
    choices = _listed(names)
    if asked_name is not None:
        if names.count(asked_name) > 1:
            raise ColumnError(f"{file} has {names.count(asked_name)} columns {asked_name!r}")
        if asked_name not in names:
            raise ColumnError(f"{file} has no column {asked_name!r}; choose from {choices}")
        if asked_name not in text_columns:
            raise ColumnError(f"{file}: column {asked_name!r} holds no texts")
        return asked_name
    usual_columns = [name for name in text_columns if name.lower() in _USUAL_NAMES]
    for candidates in (usual_columns, text_columns):
        if len(candidates) == 1:
            return candidates[0]
    raise ColumnError(f"{file}: cannot tell which column holds URLs; choose one with --column: {choices}")


def _type_when_read(column_type: Any) -> Any:
    """Return the type with which a column of a Parquet file is read: dictionaries get indices of 32 bits."""
    if not is_dictionary(column_type):
        return column_type
    return pa.dictionary(pa.int32(), column_type.value_type, column_type.ordered)


def _listed(names: Sequence[str]) -> str:
    """Join the names of columns for a message, which is cut if it is very long."""
    return clipped(", ".join(names), _LONGEST_NAMES)


def _first_line(problem: BaseException) -> str:
    """Return the first line of a message, or the name of the type of an error without a message."""
    lines = str(problem).splitlines()
    return lines[0] if lines else type(problem).__name__
