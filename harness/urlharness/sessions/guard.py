"""A guard process that kills the adapters that the harness has left running, even if the harness was killed.

The guard reads a pipe to which only the harness writes, and kills adapters when the pipe is closed. The
harness sends three messages about each adapter:

1. Before the start: the inode of the pipe that will be the stdin of the adapter.
2. After the start: the process group of the adapter.
3. After the end: that the adapter has ended, because the system may use the number of the group again.

If the harness is killed between the first two messages, the guard finds the process by the inode of its
stdin.

This file is also the program of the guard. Therefore it only imports modules that load quickly.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
from collections.abc import Iterable
from contextlib import suppress
from threading import Lock


class Guard:
    """Controls the guard process. The first announcement of an adapter starts it."""

    _pipe = -1
    _process = 0
    _starting = Lock()

    def announce(self, stdin: int) -> None:
        """Announce an adapter that is about to start. `stdin` is the inode of its stdin."""
        with self._starting:
            if self._pipe < 0:
                self._start()
        self._tell(stdin, 0)  # 0 stands for a group that is not known yet

    def report_start(self, stdin: int, group: int) -> None:
        """Tell the guard the process group of an announced adapter."""
        self._tell(stdin, group)

    def report_end(self, stdin: int) -> None:
        """Tell the guard that an adapter has ended.

        If `report_start` was not called for the adapter, the guard kills any process that has this stdin.
        """
        self._tell(stdin)

    def leave(self) -> None:
        """Let the guard kill the remaining adapters and end. Wait for its end, so that no zombie remains."""
        process = self._process
        self.forget()
        if process:
            with suppress(ChildProcessError, KeyboardInterrupt):
                os.waitpid(process, 0)

    def forget(self) -> None:
        """Stop using the guard.

        Call this in a forked process, because the guard belongs to the parent process.
        """
        if self._pipe >= 0:
            os.close(self._pipe)
        self._pipe = -1
        self._process = 0
        self._starting = Lock()  # another thread may have held the old one when the process was forked

    def _start(self) -> None:
        """Start the guard in a new session.

        Signals to the process group of the harness do not reach it there.
        """
        reading, self._pipe = os.pipe()
        nothing = (os.devnull, os.O_WRONLY, 0)
        with suppress(OSError):  # adapters also work without a guard
            self._process = os.posix_spawn(
                sys.executable,
                [sys.executable, "-I", "-S", __file__],
                os.environ,
                file_actions=[
                    (os.POSIX_SPAWN_DUP2, reading, 0),
                    (os.POSIX_SPAWN_OPEN, 1, *nothing),
                    (os.POSIX_SPAWN_OPEN, 2, *nothing),
                ],
                setsid=True,
            )
        os.close(reading)
        atexit.register(self.leave)
        os.register_at_fork(after_in_child=self.forget)

    def _tell(self, *numbers: int) -> None:
        """Send a message: the inode of a stdin and, unless the adapter has ended, its process group."""
        with suppress(OSError):  # the guard was killed or could not be started
            os.write(self._pipe, f"{' '.join(map(str, numbers))}\n".encode())


#: The guard of this process.
guard = Guard()


def watch(lines: Iterable[bytes]) -> None:
    """Read the messages of the harness until the harness has ended. Then kill the adapters that are left."""
    groups: dict[int, int] = {}  # by stdin; the group is 0 until the process has started
    for line in lines:
        stdin, *group = map(int, line.split())
        if group:
            groups[stdin] = group[0]
            continue
        last_group = groups.pop(stdin, None)
        if last_group == 0:  # it ended before its group was known
            _kill(_groups_of(stdin))
    for stdin, known_group in groups.items():
        _kill([known_group] if known_group else _groups_of(stdin))


def _groups_of(stdin: int) -> Iterable[int]:
    """Yield the groups of the processes whose stdin is the pipe with this inode."""
    if not os.path.isdir("/proc"):  # noqa: PTH112 - pathlib starts slowly
        return  # only Linux has this folder
    for name in filter(str.isdigit, os.listdir("/proc")):  # noqa: PTH208
        with suppress(OSError):
            if os.readlink(f"/proc/{name}/fd/0") == f"pipe:[{stdin}]":  # noqa: PTH115
                yield os.getpgid(int(name))


def _kill(groups: Iterable[int]) -> None:
    """Kill process groups, except those that have ended already."""
    for group in groups:
        with suppress(OSError):
            os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    os.chdir("/")
    watch(sys.stdin.buffer)
    os._exit(0)
