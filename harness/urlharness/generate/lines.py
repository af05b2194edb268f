"""A generated case as a line of JSON, ASCII only, and the digest of lines that pass by."""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from urlharness.corpus import Case
from urlharness.protocol import ascii_line


class Counted(NamedTuple):
    """How many cases there were, and their SHA-256."""

    cases: int
    digest: str


class Digest:
    """The count and digest of the lines that pass by."""

    def __init__(self) -> None:
        self._state = hashlib.sha256()
        self._cases = 0

    def add(self, octets: bytes) -> None:
        """Count the line of a case."""
        self._state.update(octets)
        self._cases += 1

    @property
    def counted(self) -> Counted:
        """What has passed so far."""
        return Counted(self._cases, self._state.hexdigest())


def line(case: Case) -> bytes:
    """A case as a line: its vector, and before it specification and section."""
    place = b'{"spec":"%b","section":"%b",' % (case.spec.encode(), case.section.encode())
    return place + ascii_line(case.vector)[1:]
