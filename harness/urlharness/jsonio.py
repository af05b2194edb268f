"""JSON in and out: ASCII only, decode errors with place and id, atomic writes, timestamps."""

from __future__ import annotations

import codecs
import datetime as dt
import json
import os
import re
import shutil
import weakref
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import inspect

# -------------------- asciijson: JSON in ASCII alone, which every JSON reader reads, and no terminal or log takes for more than data.


_NAME = "urlharness.asciijson"


def ascii_json(octets: bytes) -> bytes:
    """JSON texts with every character escaped that is not ASCII or has no shape.

    JSON writes control characters below U+0020 as escapes already; those left are U+007F to U+009F, line ends
    of Unicode, and what turns the direction of writing.  Octets that hold none of them are returned as they
    are.
    """
    if not octets.isascii():
        octets = octets.decode("utf-8").encode("ascii", _NAME)
    return octets.replace(b"\x7f", b"\\u007f") if b"\x7f" in octets else octets


def no_command(octets: bytes) -> bytes:
    """JSON texts without `##`, which begins a command to a build server wherever it stands in a log."""
    return octets.replace(b"##", b"#\\u0023") if b"#" in octets else octets


def _escaped(error: UnicodeError) -> tuple[str, int]:
    """The characters that cannot be encoded as escapes of JSON, in UTF-16 as JSON has it."""
    assert isinstance(error, UnicodeEncodeError)
    digits = error.object[error.start : error.end].encode("utf-16-be").hex()
    return "".join(f"\\u{digits[at : at + 4]}" for at in range(0, len(digits), 4)), error.end


codecs.register_error(_NAME, _escaped)


# -------------------- entries: What a decoder of JSON does not say: which entry an error speaks of, and which key is repeated.


def entry_of(octets: bytes, message: str, lists: Collection[str]) -> str:
    """The id of the entry in one of these lists, in quotes and brackets behind a space, or that it has none.

    Empty where the error is elsewhere, or the file no JSON further down.
    """
    index = re.search(rf"\$\.({'|'.join(lists)})\[(\d+)\]", message)
    if index is None:
        return ""
    try:
        entry = msgspec.json.decode(octets)[index[1]][int(index[2])]
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return ""
    return f" ({entry.get('id', 'no id')!r})" if isinstance(entry, dict) else ""


class _Repeated(Exception):
    """A key that an object has twice."""


def repeated_key(octets: bytes) -> str | None:
    """The first key that an object of a JSON text has twice, of which a decoder keeps the last; else None.

    The text has been decoded before, so that it is JSON and not nested too deeply.
    """
    try:
        json.loads(octets, object_pairs_hook=_once, parse_int=str, parse_float=str)
    except _Repeated as error:
        return str(error)
    return None


def _once(pairs: Sequence[tuple[str, Any]]) -> None:
    """Raises _Repeated where a key is repeated; no value is of interest."""
    seen = set[str]()
    for key, _ in pairs:
        if key in seen:
            raise _Repeated(key)
        seen.add(key)


# -------------------- linefiles: Files of JSON Lines that no memory has to hold: written in batches, read again at the place of a line.


_CHUNK = 1 << 18


class LineReader:
    """The lines of a file by the offset at which they begin; the file may be deleted meanwhile."""

    def __init__(self, path: Path) -> None:
        self._number = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        weakref.finalize(self, os.close, self._number)
        self._start = 0
        self._chunk = b""

    def line(self, offset: int) -> bytes:
        """The line that begins there, without its end."""
        start = offset - self._start
        end = self._chunk.find(b"\n", start) if 0 <= start < len(self._chunk) else -1
        size = _CHUNK
        while end < 0:
            self._start, start = offset, 0
            self._chunk = os.pread(self._number, size, offset)
            end = self._chunk.find(b"\n")
            if end < 0 and len(self._chunk) < size:
                end = len(self._chunk)
            size *= 2
        return self._chunk[start:end]


# -------------------- moments: When a run started: an ISO 8601 date-time with its offset, in results files and as readers see it.


# 30 and 31 February, the 31st of a month of 30 days, and 29 February of a year that is no leap year
_NO_SUCH_DAY = (
    "(?!.{5}(?:02-3|(?:0[469]|11)-31))"
    "(?!(?:..(?:[02468][1235679]|[13579][01345789])|(?:[02468][1235679]|[13579][01345789])00)-02-29)"
)


_DATE = "[12][0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"


_MINUTE = "(?:[01][0-9]|2[0-3]):[0-5][0-9]"


#: A moment to the second; its end keeps Python from passing over a line end, and says no more in JSON Schema.
PATTERN = f"^{_NO_SUCH_DAY}{_DATE}T{_MINUTE}:[0-5][0-9][+-]{_MINUTE}$(?!\\n)"


#: The text of a moment, such as 2026-11-22T15:35:46+00:00.
Moment = Annotated[str, msgspec.Meta(pattern=PATTERN)]


_REGEX = f"`str` matching regex {PATTERN!r}"


_IN_WORDS = "a moment with its offset from UTC, as 2026-11-22T15:35:46+00:00"


def in_words(error: str) -> str:
    """What a decoder says, with words for the pattern where it speaks of that."""
    return error.replace(_REGEX, _IN_WORDS)


def now() -> str:
    """The present moment, to the second and in UTC."""
    return dt.datetime.now(dt.UTC).isoformat(timespec="seconds")


def in_utc(moment: str) -> str:
    """A moment in UTC, without its offset: 2026-11-22T15:35:46; a text that is none as it is."""
    try:
        found = dt.datetime.fromisoformat(moment).astimezone(dt.UTC)
    except (ValueError, OverflowError):
        return moment
    return found.replace(tzinfo=None).isoformat(timespec="seconds")


# -------------------- protocol: The wire protocol, version 1: one JSON object a line, each message a typed record.


def ascii_line(message: msgspec.Struct) -> bytes:
    """A message as the harness writes it: one line, ASCII only."""
    return ascii_lines([message])


_encode_lines = msgspec.json.Encoder().encode_lines


def ascii_lines(messages: Sequence[msgspec.Struct]) -> bytes:
    """Messages as the harness writes them: a line each, ASCII only."""
    return ascii_json(_encode_lines(messages))


# -------------------- versions: A file of another version is told as such, where a decoder only says that it knows no such schema.


class _Named(msgspec.Struct):
    """The one field by which a file says what it is."""

    schema: str


def decoding_error(octets: bytes, error: Exception, kind: Any) -> str:
    """What is wrong with a text that could not be decoded as a `kind`.

    Where it names another version of that schema, such as urlresults-2, this is said in place of the error.
    """
    try:
        named = msgspec.json.decode(octets, type=_Named).schema
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return in_words(str(error))
    ours = _schema(kind)
    name, _, version = named.rpartition("-")
    if named == ours or name != ours.rpartition("-")[0] or not (version.isascii() and version.isdigit()):
        return in_words(str(error))
    return f"it is of another version, {name}-{version[:9]}; this program reads {ours}"


def _schema(kind: Any) -> str:
    """The schema that a kind of file is of; empty where it names none."""
    found = inspect.type_info(kind)
    if not isinstance(found, inspect.StructType):
        return ""
    types = [field.type for field in found.fields if field.encode_name == "schema"]
    return str(types[0].values[0]) if types and isinstance(types[0], inspect.LiteralType) else ""


# -------------------- whole_files: A file is written whole, or stays as it was: what people wrote into it is nobody's to lose.


def write_atomically(path: Path, text: str) -> None:
    """Write a text of ASCII; raises OSError, which names the file, and then what was there is there still."""
    if path.exists() and not path.is_file():  # a device or a pipe
        path.write_text(text, encoding="ascii")
        return
    real = path.resolve()  # a link stays one
    beside = real.with_name(f".{real.name}.{os.getpid()}")
    try:
        beside.write_text(text, encoding="ascii")
        if real.exists():
            shutil.copymode(real, beside)
        beside.replace(real)
    except OSError as error:
        beside.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from None
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
