"""Locks of open files, by which processes keep each other from writing the same file.

Some file systems have no locks, such as shared folders of other machines, and Windows has none of this kind.
There, nobody is kept from anything: two processes that write at once are rare, and it would be worse if
nothing could be written.
"""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from types import ModuleType
from typing import IO

_fcntl: ModuleType | None
try:
    _fcntl = import_module("fcntl")
except ImportError:  # Windows
    _fcntl = None


def acquire_lock(file: int | IO[bytes], *, wait: bool = False) -> bool:
    """Lock an open file until it is closed or unlocked. Return False if another process holds the lock.

    If `wait` is True, wait until the lock is free. Where there are no locks, return True.
    """
    if _fcntl is None:
        return True
    operation = _fcntl.LOCK_EX if wait else _fcntl.LOCK_EX | _fcntl.LOCK_NB
    try:
        _fcntl.flock(file, operation)
    except BlockingIOError:
        return False
    except OSError:
        pass  # a file system without locks
    return True


def release_lock(file: int | IO[bytes]) -> None:
    """Unlock an open file for all processes that have it open."""
    if _fcntl is None:
        return
    with suppress(OSError):  # a file system without locks
        _fcntl.flock(file, _fcntl.LOCK_UN)
