"""Helpers to read and write JSON: ASCII output, reasons for decoding errors, atomic writes, timestamps."""

from __future__ import annotations

import codecs
import datetime as dt
import os
import re
import shutil
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, get_args, get_type_hints

import msgspec

from urlharness.files import linked_path

_ESCAPES = "urlharness.jsonio"

#: The errors of decoding bytes that are not JSON, or not of the expected type.
NOT_JSON = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)

# reject 30 and 31 February, the 31st of a month of 30 days, and 29 February unless the year is a leap year
_NO_SUCH_DAY = (
    "(?!.{5}(?:02-3|(?:0[469]|11)-31))"
    "(?!(?:..(?:[02468][1235679]|[13579][01345789])|(?:[02468][1235679]|[13579][01345789])00)-02-29)"
)
_DATE = "[12][0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"
_MINUTE = "(?:[01][0-9]|2[0-3]):[0-5][0-9]"

#: An ISO 8601 date-time to the second. `(?!\n)` is for Python, where `$` also matches before a final \n.
TIMESTAMP_PATTERN = f"^{_NO_SUCH_DAY}{_DATE}T{_MINUTE}:[0-5][0-9][+-]{_MINUTE}$(?!\\n)"

#: A date-time with its offset from UTC, such as 2026-11-22T15:35:46+00:00.
Timestamp = Annotated[str, msgspec.Meta(pattern=TIMESTAMP_PATTERN)]


def ascii_json(data: bytes) -> bytes:
    """Escape U+007F and all non-ASCII characters of a JSON text."""
    if not data.isascii():
        data = data.decode("utf-8").encode("ascii", _ESCAPES)
    return data.replace(b"\x7f", b"\\u007f") if b"\x7f" in data else data


def _json_escapes(error: UnicodeError) -> tuple[str, int]:
    """Return (JSON escapes of the characters that could not be encoded, position after them).

    JSON escapes stand for UTF-16 code units.
    """
    assert isinstance(error, UnicodeEncodeError)
    digits = error.object[error.start : error.end].encode("utf-16-be").hex()
    return "".join(f"\\u{digits[at : at + 4]}" for at in range(0, len(digits), 4)), error.end


codecs.register_error(_ESCAPES, _json_escapes)

_encode_lines = msgspec.json.Encoder().encode_lines


def ascii_lines(messages: Sequence[object]) -> bytes:
    """Encode messages as lines of JSON, ASCII only."""
    return ascii_json(_encode_lines(messages))


def ascii_line(message: object) -> bytes:
    """Encode a message as one line of JSON, ASCII only."""
    return ascii_lines([message])


def no_command(data: bytes) -> bytes:
    """Escape `##` in JSON texts, because build servers read it as a command anywhere in a log."""
    return data.replace(b"##", b"#\\u0023") if b"#" in data else data


def decoding_error(data: bytes, error: Exception, kind: Any, lists: Collection[str] = ()) -> str:
    """Return the reason why a JSON text does not decode as `kind`. `error` is one of `NOT_JSON`.

    If the text names another schema, such as a later version, the reason says so. Otherwise, the reason is
    the message of `error`. If this message points to an entry of one of the `lists`, the id of the entry is
    added.
    """
    if isinstance(error, RecursionError):
        return "nested too deeply"
    content = _decoded(data)
    if content is None:  # perhaps JSON Lines
        content = _decoded(data.partition(b"\n")[0])
    if not isinstance(content, dict):
        return str(error)
    expected = get_args(get_type_hints(kind).get("schema"))
    schema = content.get("schema")
    if expected and isinstance(schema, str) and schema not in expected:
        return f"its schema is {schema[:40]!r}; this program reads {' and '.join(expected)}"
    return f"{error}{_entry(content, str(error), lists)}"


def _decoded(data: bytes) -> Any:
    try:
        return msgspec.json.decode(data)
    except NOT_JSON:
        return None


def _entry(content: dict[str, Any], message: str, lists: Collection[str]) -> str:
    """Return ` ('ID')` for the entry whose index is in the message, or an empty string if there is none.

    `message` comes from a decoding error. `lists` are the names of the lists whose entries have an id.
    """
    index = re.search(rf"\$\.({'|'.join(lists)})\[(\d+)\]", message) if lists else None
    if index is None:
        return ""
    entry = content[index[1]][int(index[2])]
    return f" ({entry.get('id', 'no id')!r})" if isinstance(entry, dict) else ""


@contextmanager
def errors_named(path: Path | str) -> Iterator[None]:
    """Add the name of a file to each OSError of the body that names none, as that of a full disk does."""
    try:
        yield
    except OSError as error:
        if error.filename is not None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None


def write_atomically(path: Path, text: str) -> None:
    """Write an ASCII file completely or not at all. A device or pipe is written directly.

    Raise OSError if the file cannot be written. For a regular file, the error names the file.
    """
    if path.exists() and not path.is_file():  # a device or a pipe
        path.write_text(text, encoding="ascii")
        return
    real = linked_path(path)  # write through a symbolic link
    temporary = real.with_name(f".{real.name}.{os.getpid()}")
    try:
        temporary.unlink(missing_ok=True)  # of a process that was killed, or a link
        with temporary.open("x", encoding="ascii") as stream:
            stream.write(text)
        if real.exists():
            shutil.copymode(real, temporary)
        temporary.replace(real)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        temporary.unlink(missing_ok=True)


def now_utc() -> str:
    """Return the current time in UTC, to the second."""
    return dt.datetime.now(dt.UTC).isoformat(timespec="seconds")


def in_utc(timestamp: str) -> str:
    """Convert a timestamp to UTC without an offset. Return any other text unchanged."""
    try:
        found = dt.datetime.fromisoformat(timestamp).astimezone(dt.UTC)
    except (ValueError, OverflowError):
        return timestamp
    return found.replace(tzinfo=None).isoformat(timespec="seconds")


def decoded_as_json(value: Any) -> Any:
    """Convert the answer to `decode` to JSON data.

    Bytes become a string if they are UTF-8, otherwise an object with their hex digits.
    """
    match value:
        case bytes():
            try:
                return value.decode("utf-8")
            except UnicodeDecodeError:
                return {"hex": value.hex()}
        case dict():
            return {name: decoded_as_json(part) for name, part in value.items()}
        case list() | tuple():
            return [decoded_as_json(part) for part in value]
        case _:
            return value
