"""The exit codes of the command line, and the version of the package."""

from __future__ import annotations

from enum import IntEnum
from functools import cache
from importlib import import_module


class Exit(IntEnum):
    """The exit code of a command; a file that cannot be written is USAGE."""

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
