"""The exit codes of the command line."""

from enum import IntEnum


class Exit(IntEnum):
    """The exit codes of commands. USAGE also means that a file cannot be read or written."""

    PASSED = 0
    FAILED = 1
    USAGE = 2
    ADAPTER_DEAD = 3
    STALE = 4
    NOTHING_RAN = 5
    INVALID_FILE = 6
    INTERRUPTED = 130
