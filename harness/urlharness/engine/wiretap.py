"""A tap between the harness and an adapter: octets pass on as they come, and each piece is written down.

A program of its own, run by its path with the standard library alone: `wiretap.py LOG COMMAND...`.  It ends
as the command does, by the same exit code or signal.  A piece in the log is a line with its direction and
length, and its octets; of direction `=` it is the exit status, of `!` why the command could not be run.
"""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

_CHUNK = 1 << 16


_LATE = 0.2  # seconds for what was written and not read


def tapped(log: Path, command: Sequence[str]) -> list[str]:
    """A command with the tap before it, which writes to the log."""
    return [sys.executable, "-I", "-S", str(Path(__file__).resolve()), str(log), *command]


def main(log: str, *command: str) -> int:
    """Run the command behind the tap; its exit status."""
    number = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    lock = threading.Lock()

    def write(direction: bytes, octets: bytes) -> None:
        with lock:
            _write(number, b"%b %d\n" % (direction, len(octets)) + octets)

    try:
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)  # noqa: S603
    except OSError as error:
        write(b"!", str(error.strerror).encode())
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
        return 127
    assert child.stdin
    assert child.stdout
    inward, outward = child.stdin, child.stdout.fileno()

    def feed() -> None:
        try:
            while chunk := os.read(0, _CHUNK):
                write(b">", chunk)
                _write(inward.fileno(), chunk)
        except BrokenPipeError:
            pass
        finally:
            inward.close()

    feeder = threading.Thread(target=feed, daemon=True)
    feeder.start()
    try:
        while chunk := os.read(outward, _CHUNK):
            write(b"<", chunk)
            _write(1, chunk)
    except BrokenPipeError:
        pass
    os.close(1)
    status = child.wait()
    feeder.join(_LATE)  # a question that it did not read is written down, too
    write(b"=", b"%d" % status)
    return status


def _write(number: int, octets: bytes) -> None:
    view = memoryview(octets)
    while view:
        view = view[os.write(number, view) :]


if __name__ == "__main__":
    status = main(*sys.argv[1:])
    if status < 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if -status not in (signal.SIGKILL, signal.SIGSTOP):
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status)  # the thread may still wait for input that never comes
