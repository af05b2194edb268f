"""Lines of a stream as Arrow arrays: one ends at LF or CRLF, the last one where the stream does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from urlharness.batch.streams import BLOCK

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
