"""Functions that only some systems have, and what to do without them.

On macOS everything runs. Windows can neither fork a process nor end one with all that it has started, on
which adapters that are programs depend: there the oracle, the corpus and what runs in this process work.
"""

from __future__ import annotations

import os
import select

#: What starts, observes and ends programs, none of which Windows has.
_FOR_PROGRAMS = ((os, "killpg"), (os, "posix_spawn"), (select, "poll"))


def usable_processors() -> int:
    """Return the number of processors that this process may use, or of all if the system does not say."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def can_start_programs() -> bool:
    """Return True if this system can start adapters that are programs, and end them for certain."""
    return all(hasattr(module, name) for module, name in _FOR_PROGRAMS)


def can_fork() -> bool:
    """Return True if this system can copy a process with all that it has loaded."""
    return hasattr(os, "fork")


def user_id() -> int:
    """Return the number of the user, or 0 on a system without such numbers."""
    return os.geteuid() if hasattr(os, "geteuid") else 0
