"""Files of JSON Lines that no memory has to hold: written in batches, read again at the place of a line."""

from __future__ import annotations

import hashlib
import shutil
import signal
import threading
import weakref
from array import array
from collections import deque
from collections.abc import Callable, ItemsView, Iterator, Mapping, Sequence, ValuesView
from contextlib import contextmanager, suppress
from operator import attrgetter
from pathlib import Path
from typing import IO, Any, Generic, TypeVar

import msgspec

from urlharness.jsonio import _CHUNK, LineReader, ascii_json, no_command

#: Lines that are written at once, and seconds for which one may wait for others.
_BATCH = 512


_PATIENCE = 0.05


#: So many lines on from the last one an id is looked for, before all ids are put into a table.
_NEAR = 4096


#: Not every platform has a terminal that hangs up.
_ENDS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


_T = TypeVar("_T")


class LostLine(Exception):
    """A line that is not what it was when its file was first read; the message names the file."""


class Places:
    """At which offset of a file the record of each id begins; 16 octets for each.

    Whoever asks for ids in the order of the file, or for some of them, finds the next one nearby; for any
    other order a table of all ids is made, about 100 octets for each.
    """

    def __init__(self) -> None:
        self.offsets = array("Q")
        self._hashes = array("q")
        self._last = 0
        self._table: dict[int, int] | None = None

    def add(self, key: str, offset: int) -> None:
        """The next record; ids are told apart by 64 bits of their hash."""
        self.offsets.append(offset)
        self._hashes.append(hash(key))
        self._table = None

    def find(self, key: str) -> int | None:
        """The number of the record with this id, counted from 0; None where there is none."""
        wanted = hash(key)
        if self._table is None:
            for start in (self._last, 0):
                with suppress(ValueError):
                    self._last = self._hashes.index(wanted, start, start + _NEAR)
                    return self._last
            self._table = {known: place for place, known in enumerate(self._hashes)}
        return self._table.get(wanted)


class LinesOnDisk(Mapping[str, _T]):
    """Records by their ids, each decoded when it is asked for."""

    def __init__(self, path: Path, kind: type[_T], key: str, places: Places) -> None:
        """`key` says which attribute of a record of this kind is its id."""
        self._path, self._reader = path, LineReader(path)
        self._decode = msgspec.json.Decoder(kind).decode
        self._key = attrgetter(key)
        self._places = places

    def __getitem__(self, key: str) -> _T:
        place = self._places.find(key)
        if place is None:
            raise KeyError(key)
        return self._record(place)

    def __contains__(self, key: object) -> bool:
        return isinstance(key, str) and self._places.find(key) is not None

    def __len__(self) -> int:
        return len(self._places.offsets)

    def __iter__(self) -> Iterator[str]:
        return (self._key(record) for record in self.records())

    def records(self) -> Iterator[_T]:
        """Every record, in the order of the file."""
        return map(self._record, range(len(self._places.offsets)))

    def values(self) -> ValuesView[_T]:
        """The records, each decoded once."""
        return _Values(self)

    def items(self) -> ItemsView[str, _T]:
        """The records with their ids, each decoded once."""
        return _Items(self)

    def _record(self, place: int) -> _T:
        line = self._reader.line(self._places.offsets[place])
        try:
            return self._decode(line)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            raise LostLine(f"{self._path}: it was written over while it was read") from None

    def _pairs(self) -> Iterator[tuple[str, _T]]:
        return ((self._key(record), record) for record in self.records())


class _Values(ValuesView[_T], Generic[_T]):
    def __init__(self, mapping: LinesOnDisk[_T]) -> None:
        super().__init__(mapping)
        self._lines = mapping

    def __iter__(self) -> Iterator[_T]:
        return self._lines.records()


class _Items(ItemsView[str, _T], Generic[_T]):
    def __init__(self, mapping: LinesOnDisk[_T]) -> None:
        super().__init__(mapping)
        self._lines = mapping

    def __iter__(self) -> Iterator[tuple[str, _T]]:
        return self._lines._pairs()  # noqa: SLF001 - its own view


class LinesRead:
    """The whole lines of a file one after the other, with their ends.

    `number` and `offset` are those of the line at hand, and `digest` is the SHA-256 of all before it; `torn`
    is the number of a last line that has no end, 0 where there is none, and `rest` are its octets.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.number = self.offset = self.torn = 0
        self.rest = b""
        self._state = hashlib.sha256()
        self._unseen: list[bytes] = []

    def __iter__(self) -> Iterator[bytes]:
        with self._path.open("rb") as stream:
            for self.number, octets in enumerate(stream, 1):
                if not octets.endswith(b"\n"):
                    self.torn, self.rest = self.number, octets
                    return
                yield octets
                self.offset += len(octets)
                self._unseen.append(octets)
                if len(self._unseen) >= _BATCH:
                    self._take()

    @property
    def place(self) -> str:
        """The file and the line at hand, for a message."""
        return f"{self._path}: line {self.number}"

    @property
    def digest(self) -> str:
        """In hex digits."""
        self._take()
        return self._state.hexdigest()

    def _take(self) -> None:
        self._state.update(b"".join(self._unseen))
        self._unseen.clear()


def copy(source: Path, target: Path) -> None:
    """Write a file into a pipe or a device, some of it at a time; raises OSError that names the target."""
    try:
        with source.open("rb") as octets, target.open("wb") as stream:
            shutil.copyfileobj(octets, stream, _CHUNK)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(target)) from None


class LineWriter:
    """Writes records as lines of ASCII, and takes the SHA-256 of all that is written.

    Lines are written some hundreds at once, but none waits for long, whatever its writer waits for; a signal
    tears no line.  After one that could not be written, on a full disk for one, nothing is.
    """

    def __init__(self, stream: IO[bytes], written: Callable[[Sequence[Any]], None]) -> None:
        """`written` is told of the records whose lines have been written."""
        self._stream = stream
        self._told = written
        self._state = hashlib.sha256()
        self._encode = msgspec.json.Encoder().encode_lines
        self._waiting: deque[Any] = deque()
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._problem: OSError | None = None
        threading.Thread(target=_flush_often, args=(weakref.ref(self), self._closed), daemon=True).start()

    @property
    def digest(self) -> str:
        """The SHA-256 of what is written, in hex digits."""
        return self._state.hexdigest()

    def write(self, record: Any) -> None:
        """Write a record as a line; raises OSError that names the file."""
        self._waiting.append(record)
        if len(self._waiting) >= _BATCH or self._problem is not None:
            self.flush()

    def flush(self) -> None:
        """Hand all lines to the operating system; raises OSError that names the file."""
        with uninterrupted(), self._lock:
            records = [self._waiting.popleft() for _ in range(len(self._waiting))]
            octets = no_command(ascii_json(self._encode(records)))
            if self._problem is None:
                try:
                    self._stream.write(octets)
                    self._stream.flush()
                except OSError as error:
                    self._problem = error
            if self._problem is not None:
                name = getattr(self._stream, "name", None)
                raise OSError(self._problem.errno, self._problem.strerror, name)
            self._state.update(octets)
            self._told(records)

    def close(self) -> None:
        """Write what waits, and close the file; raises OSError that names the file."""
        self._closed.set()
        try:
            self.flush()
        finally:
            with suppress(OSError):  # it has been raised
                self._stream.close()


def _flush_often(writer: weakref.ref[LineWriter], closed: threading.Event) -> None:
    """Write what waits, until the writer is closed, gone, or cannot write."""
    while not closed.wait(_PATIENCE):
        alive = writer()
        if alive is None:
            return
        if alive._waiting:  # noqa: SLF001 - its other half
            try:
                alive.flush()
            except (OSError, ValueError):
                return  # whoever writes next is told; ValueError: of a file that somebody has closed
        del alive


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Signals that end a run come behind the body, so that what belongs together is done together."""
    if threading.current_thread() is not threading.main_thread():  # no other thread is ever interrupted
        yield
        return
    came: list[signal.Signals] = []
    before = {one: how for one in _ENDS if (how := signal.getsignal(one)) is not signal.SIG_IGN}
    try:
        for number in before:
            signal.signal(number, lambda number, _: came.append(signal.Signals(number)))
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in came:
            signal.raise_signal(number)
