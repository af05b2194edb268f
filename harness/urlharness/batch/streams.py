"""Streams of octets as the readers of files want them: counted and decompressed."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pyarrow as pa

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
