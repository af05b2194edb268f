"""The exit codes of the command line."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """What a command ends with; CI systems read nothing else.

    A file that cannot be written, on a full disk for one, is USAGE.
    """

    PASSED = 0
    FAILED = 1
    USAGE = 2
    ADAPTER_DEAD = 3
    STALE = 4
    NOTHING_RAN = 5
    INVALID_FILE = 6
    INTERRUPTED = 130
