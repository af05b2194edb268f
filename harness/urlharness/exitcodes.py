"""The exit codes of the command line, and the version that it tells."""

from __future__ import annotations

from enum import IntEnum
from functools import cache
from importlib import import_module


class Exit(IntEnum):
    """The exit code of a command; CI systems read nothing else.

    A file that cannot be written, for example on a full disk, is USAGE.
    """

    PASSED = 0
    FAILED = 1
    USAGE = 2
    ADAPTER_DEAD = 3
    STALE = 4
    NOTHING_RAN = 5
    INVALID_FILE = 6
    INTERRUPTED = 130


@cache
def package_version() -> str:
    """Return the version of the installed distribution; reading its metadata takes some milliseconds."""
    found: str = import_module("importlib.metadata").version("urlconform")
    return found
