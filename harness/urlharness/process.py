"""A child process in a group of its own: lines in and out without blocking, an end that can be told apart."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Literal

from urlharness.protocol import LINE_LIMIT

_CHUNK = 1 << 18
_STDERR_KEPT = 4096
_HEARTBEAT = 0.2  # how often a silent child is asked whether it still lives
_KEPT_VARIABLES = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "JAVA_HOME", "XDG_CACHE_HOME")


class Failure(Exception):
    """The process is of no use any more; `outcome` names what it did."""

    def __init__(self, outcome: Literal["timeout", "crash", "garbage", "no-answer"], detail: str) -> None:
        super().__init__(detail)
        self.outcome = outcome
        self.detail = detail


class Process:
    """One program, which may be started again and again; it sees a clean environment and no shell."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._popen: subprocess.Popen[bytes] | None = None
        self._stdin = self._stdout = self._stderr = -1
        self._outgoing = bytearray()
        self._rest = b""
        self._lines = deque[bytes]()
        self._errors = b""

    @property
    def running(self) -> bool:
        """True from `start` to `kill` or `stop`."""
        return self._popen is not None

    @property
    def stderr(self) -> str:
        """The last of what it wrote on stderr."""
        return self._errors.decode("utf-8", "replace")

    def start(self) -> None:
        """Start the program; raises OSError where there is none of that name."""
        self._outgoing.clear()
        self._lines.clear()
        self._rest = self._errors = b""
        self._popen = subprocess.Popen(  # noqa: S603 - a command that the user named, and no shell
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env=environment(),
            start_new_session=True,
        )
        streams = (self._popen.stdin, self._popen.stdout, self._popen.stderr)
        self._stdin, self._stdout, self._stderr = (stream.fileno() for stream in streams if stream)
        for number in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(number, False)

    def write(self, octets: bytes) -> None:
        """Queue octets; they are written while lines are read."""
        self._outgoing += octets

    def read_lines(self, seconds: float) -> Iterator[bytes]:
        """The complete lines that arrive next, at least one; raises Failure after so many seconds.

        Those that the caller does not take come first the next time.
        """
        deadline = time.monotonic() + seconds
        while not self._lines:
            self._flush()
            left = deadline - time.monotonic()
            if left <= 0:
                raise Failure("timeout", f"no answer within {seconds:g} s")
            ready = self._wait(min(left, _HEARTBEAT))
            if self._stderr in ready:
                self._keep_errors()
            if self._stdout in ready:
                self._lines.extend(self._read())
            elif not ready and self._popen is not None and self._popen.poll() is not None:
                raise self._end()  # it is gone, and something else holds its output open
        while self._lines:
            yield self._lines.popleft()

    def kill(self) -> str:
        """End the whole process group at once; the last of what it wrote on stderr."""
        if self._popen is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._popen.pid, signal.SIGKILL)
            self._popen.wait()
            self._keep_errors()
            for stream in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
                if stream is not None:
                    stream.close()
            self._popen = None
        return self.stderr

    def stop(self) -> None:
        """Write what is queued, close its input, wait a moment for it to end, then end it."""
        if self._popen is not None:
            self._flush()
            if self._popen.stdin is not None:
                self._popen.stdin.close()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._popen.wait(0.5)
            self.kill()

    def _wait(self, seconds: float) -> set[int]:
        poller = select.poll()
        poller.register(self._stdout, select.POLLIN)
        if self._stderr >= 0:
            poller.register(self._stderr, select.POLLIN)
        if self._outgoing:
            poller.register(self._stdin, select.POLLOUT)
        return {number for number, _ in poller.poll(seconds * 1000)}

    def _flush(self) -> None:
        try:
            while self._outgoing:
                del self._outgoing[: os.write(self._stdin, self._outgoing)]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            self._outgoing.clear()  # the end of stdout will tell what happened

    def _read(self) -> list[bytes]:
        chunk = os.read(self._stdout, _CHUNK)
        if not chunk:
            raise self._end()
        *lines, self._rest = (self._rest + chunk).split(b"\n")
        if len(self._rest) > LINE_LIMIT or any(len(line) > LINE_LIMIT for line in lines):
            raise Failure("garbage", f"a line of more than {LINE_LIMIT} octets")
        return [line for line in lines if line.strip()]

    def _keep_errors(self) -> None:
        """Take what has come on stderr, once, since it may be endless; only its end is kept."""
        with contextlib.suppress(BlockingIOError):
            if self._stderr >= 0:
                chunk = os.read(self._stderr, _CHUNK)
                self._errors = (self._errors + chunk)[-_STDERR_KEPT:]
                if not chunk:
                    self._stderr = -1

    def _end(self) -> Failure:
        """Why stdout ended."""
        assert self._popen is not None
        try:
            status = self._popen.wait(1.0)
        except subprocess.TimeoutExpired:
            return Failure("no-answer", "it closed its output and went on")
        if status < 0:
            return Failure("crash", f"killed by {signal_name(-status)}")
        if status > 0:
            return Failure("crash", f"exit code {status}")
        tail = f" after {excerpt(self._rest)}" if self._rest else ""
        return Failure("no-answer", f"it ended without an answer{tail}")


def environment() -> dict[str, str]:
    """The environment of every adapter program: the paths, the home and the locale of this one."""
    return {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}


def excerpt(line: bytes) -> str:
    """The beginning of a line, quoted."""
    return repr(line[:80].decode("utf-8", "replace")) + ("..." if len(line) > 80 else "")


def signal_name(number: int) -> str:
    """The name of a signal, such as SIGSEGV."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
