"""Records of a CSV stream, as many whole ones at a time as a block holds: fields may have line ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from urlharness.batch.lines import LONGEST, NotText
from urlharness.batch.streams import BLOCK


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
