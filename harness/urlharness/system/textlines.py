"""Files of lines, which contain any bytes: their lines, and what the suffixes of their names mean.

A line ends at LF or CRLF only, since a URL may contain any other character that is a line break elsewhere. A
file in UTF-16 is refused, and so is a line that is too long: a small compressed file can expand to a line of
many gigabytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count
from pathlib import Path
from typing import IO, Literal

Format = Literal["text", "csv", "parquet"]

#: The formats of files by the suffixes of their names. All other files are lines of text.
FORMATS: Mapping[str, Format] = {".parquet": "parquet", ".pq": "parquet", ".csv": "csv", ".tsv": "csv"}

#: The compressions of files by the last suffixes of their names.
COMPRESSIONS = {".gz": "gzip", ".bz2": "bz2", ".zst": "zstd", ".lz4": "lz4"}

#: What files with other suffixes contain. As lines of text they would be nothing but invalid URLs.
_OTHER_CONTENTS: Mapping[str, str] = {
    ".json": "JSON",
    ".jsonl": "JSON Lines",
    ".ndjson": "JSON Lines",
    ".avro": "Avro",
    ".orc": "ORC",
    ".xlsx": "a spreadsheet",
    ".ods": "a spreadsheet",
    ".xz": "compressed with xz",
    ".br": "compressed with Brotli",
    ".zip": "an archive",
    ".7z": "an archive",
    ".tar": "an archive",
    ".tgz": "an archive",
}

#: What a file is that begins with these bytes, whatever its name says.
_BEGINNINGS: Mapping[bytes, str] = {
    b"\xfd7zXZ\x00": "compressed with xz",
    b"\x1f\x8b": "compressed with gzip",
    b"BZh": "compressed with bzip2",
    b"\x28\xb5\x2f\xfd": "compressed with Zstandard",
    b"\x04\x22\x4d\x18": "compressed with LZ4",
    b"PK\x03\x04": "a zip archive or a spreadsheet",
    b"7z\xbc\xaf\x27\x1c": "an archive",
    b"PAR1": "Parquet",
    b"ORC": "ORC",
    b"Obj\x01": "Avro",
    b"SQLite format 3\x00": "a database of SQLite",
    b"\x7fELF": "a program",
    b"%PDF-": "PDF",
    b"\x89PNG\r\n": "an image",
}

#: What to do with a file that is not text.
_GIVE_TEXT = "give lines of text, CSV or Parquet, or --format text to judge its lines as they are"

#: The number of bytes at the beginning of a file that show whether it is text.
LOOKED_AT = 1 << 16

#: The maximum length of a line in bytes.
LONGEST_LINE = 1 << 24

#: A longer line is counted up to this number of bytes, so that an endless one is refused, too.
MOST_COUNTED = 1 << 30

#: The byte order marks of UTF-8 and UTF-16.
MARK = b"\xef\xbb\xbf"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")

_BLOCK = 1 << 20


class NotText(ValueError):
    """The bytes of a stream are not lines of text; the message names the line."""


def suffixes(name: str) -> tuple[str, str]:
    """Return (suffix of the format, suffix of the compression) of a file name. Each may be empty."""
    path = Path(name.lower())
    compressed = path.suffix if path.suffix in COMPRESSIONS else ""
    return Path(path.name.removesuffix(compressed)).suffix, compressed


def is_plain_text(name: str) -> bool:
    """Return True if a file of this name is neither compressed nor a table."""
    form, compressed = suffixes(name)
    return not compressed and form not in FORMATS


def refuse_other_contents(name: str) -> None:
    """Raise NotText if the suffix of a file name says that it has neither lines of text nor a table."""
    suffix, _ = suffixes(name)
    content = _OTHER_CONTENTS.get(suffix)
    if content is not None:
        raise NotText(f"the file is {content}, which is not read; give lines of text, CSV or Parquet")


def refuse_binary(beginning: bytes) -> None:
    """Raise NotText if the first bytes of a file, up to `LOOKED_AT`, show that it is not text.

    They are those of another format, or have a NUL, which no text has: each line would be an invalid URL.
    """
    for magic, content in _BEGINNINGS.items():
        if beginning.startswith(magic):
            raise NotText(f"the file is {content}, which its name does not say; {_GIVE_TEXT}")
    if beginning.startswith(_UTF_16):
        return  # `without_mark` says what to do
    offset = beginning.find(b"\0")
    if offset >= 0:
        raise NotText(f"the file is binary, with a NUL at offset {offset:,}; {_GIVE_TEXT}")


def without_mark(beginning: bytes) -> bytes:
    """Return the beginning of a file without its UTF-8 byte order mark. Raise NotText for UTF-16."""
    if beginning.startswith(_UTF_16):
        raise NotText("line 1: the file is UTF-16; convert it to UTF-8")
    return beginning.removeprefix(MARK)


def line_too_long(number: int, size: int) -> NotText:
    """Return the error for a line of `size` bytes. If it has more than `MOST_COUNTED`, it was not counted."""
    length = f"more than {MOST_COUNTED:,}" if size > MOST_COUNTED else f"{size:,}"
    return NotText(f"line {number} has {length} bytes; at most {LONGEST_LINE:,} are read")


def text_lines(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of a stream without their ends. Raise NotText for UTF-16 and for a line too long.

    A UTF-8 byte order mark at the start is skipped.
    """
    for number in count(1):
        line = stream.readline(LONGEST_LINE + 1)
        if number == 1:
            line = without_mark(line)
        if not line:
            return
        if line.endswith(b"\n"):
            yield line[:-1].removesuffix(b"\r")
        elif len(line) <= LONGEST_LINE:
            yield line
        else:
            raise line_too_long(number, len(line) + _count_rest_of_line(stream))


def _count_rest_of_line(stream: IO[bytes]) -> int:
    """Read the rest of a line, and return its size in bytes. Read only a little more than `MOST_COUNTED`."""
    size = 0
    while size <= MOST_COUNTED and (piece := stream.readline(_BLOCK)):
        if piece.endswith(b"\n"):
            return size + len(piece) - 1
        size += len(piece)
    return size
