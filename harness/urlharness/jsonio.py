"""Helpers to read and write JSON: ASCII output, reasons for decoding errors, atomic writes, timestamps."""

from __future__ import annotations

import codecs
import datetime as dt
import os
import re
import shutil
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Any, BinaryIO, get_args, get_type_hints

import msgspec

from urlharness.system.files import linked_path

_ESCAPES = "urlharness.jsonio"

#: The errors of decoding bytes that are not JSON, or not of the expected type.
NOT_JSON = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)

#: The maximum number of symbolic links to follow, as in Linux.
_MOST_LINKS = 40

#: The maximum number of characters of a file's name in the name of its part file.
_MAX_STEM_LENGTH = 50

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


def ascii_json(encoded: bytes) -> bytes:
    """Escape U+007F and all non-ASCII characters of a JSON text."""
    # most texts need no escape: the tests cost less than the replacements
    ascii_text = encoded
    if not encoded.isascii():
        ascii_text = encoded.decode("utf-8").encode("ascii", _ESCAPES)
    if b"\x7f" in ascii_text:
        ascii_text = ascii_text.replace(b"\x7f", b"\\u007f")
    return ascii_text


def _json_escapes(error: UnicodeError) -> tuple[str, int]:
    """Return (JSON escapes of the characters that could not be encoded, position after them).

    JSON escapes stand for UTF-16 code units.
    """
    assert isinstance(error, UnicodeEncodeError)
    digits = error.object[error.start : error.end].encode("utf-16-be").hex()
    escapes = [f"\\u{digits[start : start + 4]}" for start in range(0, len(digits), 4)]
    return "".join(escapes), error.end


codecs.register_error(_ESCAPES, _json_escapes)

_encode_lines = msgspec.json.Encoder().encode_lines


def ascii_lines(messages: Sequence[object]) -> bytes:
    """Encode messages as lines of JSON, ASCII only."""
    return ascii_json(_encode_lines(messages))


def ascii_line(message: object) -> bytes:
    """Encode a message as one line of JSON, ASCII only."""
    return ascii_lines([message])


def escaped_commands(encoded: bytes) -> bytes:
    """Escape `##` in JSON texts, because build servers read it as a command anywhere in a log."""
    return encoded.replace(b"##", b"#\\u0023") if b"#" in encoded else encoded


def decoding_error(encoded: bytes, error: Exception, kind: Any, lists: Collection[str] = ()) -> str:
    """Return the reason why a JSON text does not decode as `kind`. `error` is one of `NOT_JSON`.

    If the text names another schema, such as a later version, the reason says so. Otherwise, the reason is
    the message of `error`. If this message points to an entry of one of the `lists`, the id of the entry is
    added.
    """
    if isinstance(error, RecursionError):
        return "nested too deeply"
    content = _content_or_none(encoded)
    if content is None:  # perhaps JSON Lines
        first_line, _, _ = encoded.partition(b"\n")
        content = _content_or_none(first_line)
    if not isinstance(content, dict):
        return str(error)
    expected = get_args(get_type_hints(kind).get("schema"))
    schema = content.get("schema")
    if expected and isinstance(schema, str) and schema not in expected:
        return f"its schema is {schema[:40]!r}; this program reads {' and '.join(expected)}"
    return f"{error}{_entry_id(content, str(error), lists)}"


def _content_or_none(encoded: bytes) -> Any:
    """Return the content of a JSON text, or None if it is not JSON."""
    try:
        return msgspec.json.decode(encoded)
    except NOT_JSON:
        return None


def _entry_id(content: dict[str, Any], message: str, lists: Collection[str]) -> str:
    """Return ` ('ID')` for the entry whose index is in the message, or an empty string if there is none.

    `message` comes from a decoding error. `lists` are the names of the lists whose entries have an id.
    """
    if not lists:
        return ""
    match = re.search(rf"\$\.({'|'.join(lists)})\[(\d+)\]", message)
    if match is None:
        return ""
    name, index = match.groups()
    entry = content[name][int(index)]
    if not isinstance(entry, dict):
        return ""
    identifier = entry.get("id", "no id")
    return f" ({identifier!r})"


@contextmanager
def errors_named(path: Path | str) -> Iterator[None]:
    """Add the name of a file to each OSError of the body that names none, as that of a full disk does."""
    try:
        yield
    except OSError as error:
        if error.filename is not None:
            raise
        raise OSError(error.errno, error.strerror, str(path)) from None


def descriptor_of(path: Path) -> int | None:
    """Return the number of the open descriptor that a path names, such as 1 for /dev/stdout, or None."""
    target = path
    for _ in range(_MOST_LINKS):
        folder = Path(os.path.realpath(target.parent))
        if str(folder) in ("/dev/fd", f"/proc/{os.getpid()}/fd") and target.name.isdecimal():
            return int(target.name)
        if not target.is_symlink():
            return None
        target = folder / target.readlink()
    return None


class WholeFile:
    """A file that is written completely or not at all.

    `stream` takes the bytes. They are written to a part file in the same folder. `keep` moves it to the path,
    and `discard` deletes it. As a context manager, the file is kept unless the body raises. Devices, pipes
    and open descriptors such as /dev/stdout are written directly.

    Raise OSError with the name of the file if it cannot be written.
    """

    # of the class, because `__del__` is called even if `__init__` has failed
    _has_part = False
    _is_stdout = False

    def __init__(self, path: Path) -> None:
        """Open a part file, or what is at `path`, if it is no file. Raise OSError with the name `path`."""
        self._path = path
        self._part: Path | None = None
        with self._errors_named():
            self._target = linked_path(path)  # write through a symbolic link
            self.stream: BinaryIO = self._open()

    def keep(self) -> None:
        """Put the bytes at the path, where they replace an earlier file."""
        try:
            with self._errors_named():
                self.stream.flush()
                if self._part is not None:
                    self.stream.close()
                    if self._target.exists():
                        shutil.copymode(self._target, self._part)
                    self._part.replace(self._target)
                    self._has_part = False
        finally:
            self.discard()

    def discard(self) -> None:
        """Close the stream, and delete the bytes unless they are kept or went to a device."""
        if not self._is_stdout:
            with suppress(OSError):  # bytes in the buffer of a full disk
                self.stream.close()
        self._remove_part()

    def __del__(self) -> None:
        self._remove_part()  # an interrupt can come before the context is entered

    def __enter__(self) -> BinaryIO:
        return self.stream

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        """Keep the file, or discard it if the body raised. An OSError of the body then names the file."""
        if error is None:
            self.keep()
            return
        self.discard()
        if isinstance(error, OSError):
            with self._errors_named():
                raise error

    def _open(self) -> BinaryIO:
        """Open the stream that takes the bytes: stdout, a device, or a new part file."""
        descriptor = descriptor_of(self._path)
        if descriptor == 1:  # other lines go to the open stream, too; opening it again would truncate a file
            self._is_stdout = True
            sys.stdout.flush()
            return sys.stdout.buffer
        if descriptor is not None:
            return os.fdopen(os.dup(descriptor), "wb")
        if self._path.exists() and not self._path.is_file():  # a device or a pipe
            return self._path.open("wb")
        self._part = self._target.with_name(f".{self._target.name[:_MAX_STEM_LENGTH]}.{os.getpid()}.part")
        self._part.unlink(missing_ok=True)
        self._has_part = True
        return self._part.open("xb")  # exclusively, because another user could have put a link there

    def _remove_part(self) -> None:
        """Delete the part file if it has neither been moved nor deleted yet."""
        if self._has_part and self._part is not None:
            self._has_part = False
            self._part.unlink(missing_ok=True)

    @contextmanager
    def _errors_named(self) -> Iterator[None]:
        """Name the file in each OSError of the body that names no file, or only the part file."""
        try:
            yield
        except OSError as error:
            names_another_file = error.filename not in (None, str(self._part))
            filename = error.filename if names_another_file else str(self._path)
            raise OSError(error.errno, error.strerror, filename) from None


def write_atomically(path: Path, text: str, encoding: str = "ascii") -> None:
    """Write a text completely or not at all, as `WholeFile` does. Raise OSError with the name of the file."""
    content = text.encode(encoding)
    with WholeFile(path) as stream:
        stream.write(content)


def now_utc() -> str:
    """Return the current time in UTC, to the second."""
    return dt.datetime.now(dt.UTC).isoformat(timespec="seconds")


def in_utc(timestamp: str) -> str:
    """Convert a timestamp to UTC without an offset. Return any other text unchanged.

    A timestamp without an offset is taken as local time.
    """
    try:
        moment = dt.datetime.fromisoformat(timestamp).astimezone(dt.UTC)
    except (ValueError, OverflowError):
        return timestamp
    return moment.replace(tzinfo=None).isoformat(timespec="seconds")


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
