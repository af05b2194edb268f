"""Locks of open files, by which processes keep each other from writing the same file.

Some file systems have no locks, such as shared folders of other machines. On these, nobody is kept from
anything: two processes that write at once are rare, and it would be worse if nothing could be written there.
"""

from __future__ import annotations

import fcntl
from contextlib import suppress
from typing import IO


def acquire_lock(file: int | IO[bytes], *, wait: bool = False) -> bool:
    """Lock an open file until it is closed or unlocked. Return False if another process holds the lock.

    If `wait` is True, wait until the lock is free. On a file system without locks, return True.
    """
    operation = fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB
    try:
        fcntl.flock(file, operation)
    except BlockingIOError:
        return False
    except OSError:
        pass  # a file system without locks
    return True


def release_lock(file: int | IO[bytes]) -> None:
    """Unlock an open file for all processes that have it open."""
    with suppress(OSError):  # a file system without locks
        fcntl.flock(file, fcntl.LOCK_UN)
