"""A conversation with an adapter program: octets written in pieces, lines read with a deadline, all kept.

The session of a run writes whole lines and gives up at the first fault; a doctor cuts lines, waits, and asks
what is wrong.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import select
import signal
import struct
import subprocess
import termios
import time
from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from urlharness.doctor.waits import Pace, Wait
from urlharness.lastwords import has_stack, telling_line
from urlharness.process import STDERR_KEPT, environment, excerpt, signal_name
from urlharness.protocol import LINE_LIMIT
from urlharness.starting import ended, last_line, not_served

_CHUNK = 1 << 18
_MOST = 1 << 24  # octets that are taken without being asked for
_KEPT_BACK = (
    "it is not flushed, or all of stdin is read before the first answer "
    "(readlines(), readFileSync(0), <STDIN> in a list)"
)
_LAST_CHANCE = 2.0  # seconds for what is left in a buffer


class Rule(NamedTuple):
    """What the page of the protocol says, and under which heading."""

    says: str
    section: str = "The protocol, version 1"


FUNCTION = Rule(
    "`python:MODULE:FUNCTION` is a function that takes a question (a dict) and gives a reply (a dict)",
    "Four ways in",
)


class Fault(Exception):
    """The adapter did not do what the protocol asks; the message says what it did.

    `silent` where it does nothing while its input is open, `kept_back` where it does when that is closed;
    `rule` where it is another than that of the check.
    """

    def __init__(
        self, message: str, *, silent: bool = False, kept_back: bool = False, rule: Rule | None = None
    ) -> None:
        super().__init__(message)
        self.kept_back = kept_back
        self.silent = silent
        self.rule = rule


class Garbage(Fault):
    """A line that is no reply."""


class NotStarted(Fault):
    """There is no such program, or it may not be run; nothing was said to it."""


class Step(NamedTuple):
    """What was done to the adapter: octets written, and seconds waited after them."""

    octets: bytes
    seconds: float = 0.0


class Talk:
    """One start of a program; raises OSError where there is none of that name."""

    def __init__(self, command: Sequence[str], *, served: bool = False) -> None:
        """`served`: the program is a child of ours that serves a function."""
        self.steps: list[Step] = []
        self.stderr_octets = 0
        self._stderr = b""
        self._pending = bytearray()
        self._rest = b""
        self._lines = deque[bytes]()
        self._command = command
        self._served = served
        self._spoke = False
        self.slowest = Wait()
        self.pace = Pace()
        self._taken = 0  # octets of stdout since a line was last asked for
        self._popen = subprocess.Popen(  # noqa: S603 - a command that the user named, and no shell
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env=environment(),
            start_new_session=True,
        )
        assert self._popen.stdin
        assert self._popen.stdout
        assert self._popen.stderr
        self._stdin = self._popen.stdin
        self._stdout = self._popen.stdout
        self._errors = self._popen.stderr
        self._open = {self._stdout.fileno(), self._errors.fileno()}
        for stream in (self._stdin, self._stdout, self._errors):
            os.set_blocking(stream.fileno(), False)

    @property
    def stderr(self) -> str:
        """The last line of what it wrote on stderr."""
        return last_line(self._written())

    @property
    def traced(self) -> bool:
        """True where stderr has what looks like an uncaught exception."""
        return has_stack(self._written())

    @property
    def cause(self) -> str:
        """The line of what it wrote on stderr that names an error, else the last one."""
        return telling_line(self._written())

    def _written(self) -> str:
        return self._stderr.decode("utf-8", "replace")

    def write(self, octets: bytes, pause: float = 0.0) -> None:
        """Write octets as they are, then wait for so many seconds."""
        self.steps.append(Step(octets, pause))
        self._pending += octets
        self._pump(0)
        if pause:
            deadline = time.monotonic() + pause
            while (left := deadline - time.monotonic()) > 0:
                self._pump(left)

    def alone(self) -> None:
        """Note that what was written last was read before anything else was: whoever repeats it waits."""
        self.steps[-1] = self.steps[-1]._replace(seconds=1.0)

    def line(self, seconds: float, what: str = "answer") -> bytes:
        """The next line that is not empty, which is `what`; raises Fault where none comes in time."""
        begun = time.monotonic()
        deadline = begun + seconds
        self._taken = 0
        while not self._lines:
            left = deadline - time.monotonic()
            if left <= 0:
                raise self._silence(seconds, what)
            self._pump(left)
            if not self._lines and self._stdout.fileno() not in self._open:
                raise self._end(max(left, 1.0))
        wait = Wait(time.monotonic() - begun, what)
        self.slowest, self.pace = max(self.slowest, wait), self.pace.with_wait(wait)
        return self._lines.popleft()

    def arrived(self) -> bool:
        """True where a line is there already."""
        if not self._lines:
            self._pump(0)
        return bool(self._lines)

    def more(self, seconds: float) -> bytes | None:
        """A line that nobody asked for, None where none comes in this time."""
        deadline = time.monotonic() + seconds
        while not self._lines and (left := deadline - time.monotonic()) > 0 and self._open:
            self._pump(left)
        return self._lines.popleft() if self._lines else None

    def end_input(self) -> None:
        """Close its input."""
        with contextlib.suppress(OSError):
            self._stdin.close()

    def status(self, seconds: float) -> int | None:
        """Its exit status, None where it is still there after so many seconds."""
        deadline = time.monotonic() + seconds
        while self._popen.poll() is None and (left := deadline - time.monotonic()) > 0:
            self._pump(min(left, 0.02))
        return self._popen.poll()

    def finish(self, seconds: float) -> tuple[int | None, bytes]:
        """Let it read what is written, and end: its exit status, None if it does not end, and its output."""
        deadline = time.monotonic() + seconds
        while self._popen.poll() is None and (left := deadline - time.monotonic()) > 0:
            self._pump(min(left, 0.02))
            if not self._pending:
                self.end_input()
        while self._take(self._stdout.fileno()):
            pass
        return self._popen.poll(), b"\n".join((*self._lines, self._rest))

    def kill(self) -> None:
        """End it, and whatever it has started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._popen.pid, signal.SIGKILL)
        self._popen.wait()
        self._take(self._errors.fileno())
        for stream in (self._stdin, self._stdout, self._errors):
            with contextlib.suppress(OSError):
                stream.close()

    def _pump(self, seconds: float) -> None:
        """Write what is pending and take what has come, or wait for either for so many seconds."""
        poller = select.poll()
        for number in self._open:
            poller.register(number, select.POLLIN)
        if self._pending and not self._stdin.closed:
            poller.register(self._stdin.fileno(), select.POLLOUT)
        for number, _ in poller.poll(min(seconds, 0.2) * 1000):
            if number in self._open:
                self._take(number)
            else:
                try:
                    del self._pending[: os.write(number, self._pending)]
                except BlockingIOError:
                    pass
                except BrokenPipeError:
                    self._pending.clear()  # how it ended tells what happened

    def _take(self, number: int) -> bool:
        """Take what has come on its stdout or stderr; False where nothing has."""
        if number not in self._open:
            return False
        try:
            chunk = os.read(number, _CHUNK)
        except BlockingIOError:
            return False
        if not chunk:
            self._open.discard(number)
        elif number == self._errors.fileno():
            self.stderr_octets += len(chunk)
            self._stderr = (self._stderr + chunk)[-STDERR_KEPT:]
        else:
            *lines, self._rest = (self._rest + chunk).split(b"\n")
            if any(len(line) > LINE_LIMIT for line in (*lines, self._rest)):
                raise Fault(f"it writes a line of more than {LINE_LIMIT} octets")
            self._lines.extend(line for line in lines if line.strip())
            self._taken += len(chunk)
            self._spoke = True
            if self._taken > _MOST:
                raise Fault(f"it writes without end: more than {_MOST} octets")
        return bool(chunk)

    def _silence(self, seconds: float, what: str) -> Fault:
        """Why nothing came: an answer that arrives once its input ends was kept back in a buffer."""
        said = f"no {what} within {seconds:g} s"
        if self._rest:
            return Fault(f"{said}, only the beginning of a line: {excerpt(self._rest)}", silent=True)
        if self._unread():
            return Fault(f"{said}; it has not read what was written", silent=True)
        self.end_input()
        if self.more(_LAST_CHANCE) is not None:
            why = f"{said}; it came when the input was closed: {_KEPT_BACK}"
            return Fault(why, silent=True, kept_back=True)
        return Fault(said, silent=True)

    def _unread(self) -> bool:
        """True where some of what was written lies in the pipe; what is kept back there is no answer."""
        if self._pending or self._stdin.closed:
            return bool(self._pending)
        left = fcntl.ioctl(self._stdin.fileno(), termios.FIONREAD, struct.pack("i", 0))
        return any(left)

    def _end(self, seconds: float) -> Fault:
        """How it ended: it was asked, and its output is closed."""
        status = self.status(seconds)
        if self._served and (why := not_served(status, self._written())):
            return Fault(why, rule=FUNCTION)
        wrote = f"; it wrote: {self.cause}" if self.cause else ""
        tail = f" after {excerpt(self._rest)}" if self._rest else ""
        if status is None:
            return Fault(f"it closed its output and went on{tail}{wrote}")
        how = f"with exit code {status}" if status >= 0 else f"by {signal_name(-status)}"
        hint = "" if self._spoke or self._served else ended(self._command, status)
        return Fault(f"it ended {how} without an answer{tail}{wrote}{hint}")
