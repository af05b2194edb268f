"""A results file is written by one run at a time."""

from __future__ import annotations

import fcntl
from pathlib import Path
from typing import IO

from urlharness.results import ResultsError


def alone(path: Path) -> IO[bytes]:
    """Open a results file for writing, empty, once no other run does; raises ResultsError where one does.

    It is so until the file is closed.  Of a file system without locks nobody is kept out.
    """
    stream = path.open("ab")
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        stream.close()
        raise ResultsError(f"{path}: another run is writing it") from None
    except OSError:
        pass  # a file system without locks
    stream.truncate(0)
    return stream
