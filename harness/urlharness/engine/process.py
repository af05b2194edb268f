"""A child process in a group of its own: lines in and out without blocking, an end that can be told apart.

What it keeps is bounded: the end of stderr and one line of stdout; of stdin `queued` tells how much waits.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from urlharness.limits import environment
from urlharness.protocol.messages import LINE_LIMIT
from urlharness.text import excerpt, signal_name

_CHUNK = 1 << 16  # what a pipe holds


#: So many octets of stderr are kept of a process: an error stands above its stack.
STDERR_KEPT = 1 << 16


_HEARTBEAT = 0.2  # how often a silent child is asked whether it still lives


_GRACE = 2.0  # for a child to end by itself


_PARTING = 1.0  # for one that has closed its output


class Failure(Exception):
    """The process is of no use any more; `outcome` names what it did, `status` is what it exited with."""

    def __init__(
        self,
        outcome: Literal["timeout", "crash", "garbage", "no-answer"],
        detail: str,
        status: int | None = None,
    ) -> None:
        super().__init__(detail)
        self.outcome = outcome
        self.detail = detail
        self.status = status


class Watch:
    """The time, and one wait for the pipes of any number of processes."""

    def __init__(self) -> None:
        self.ready: set[int] = set()
        self._poll = select.poll()

    def now(self) -> float:
        """Seconds of a clock that never goes back."""
        return time.monotonic()

    def add(self, pipe: int, events: int = select.POLLIN) -> None:
        """Wait for this pipe too."""
        self._poll.register(pipe, events)

    def drop(self, pipe: int) -> None:
        """Wait for this pipe no longer."""
        self._poll.unregister(pipe)
        self.ready.discard(pipe)

    def wait(self, seconds: float) -> None:
        """Wait until a pipe is `ready`, or for so many seconds."""
        self.ready = {pipe for pipe, _ in self._poll.poll(max(0.0, seconds) * 1000)}


class Process:
    """One program, which may be started again and again; it sees a clean environment and no shell."""

    def __init__(self, command: Sequence[str], watch: Watch, folder: Path | None = None) -> None:
        """`folder` is the directory that it runs in; None is the current one."""
        self._command = command
        self._folder = folder
        self._watch = watch
        self._popen: subprocess.Popen[bytes] | None = None
        self._stdin = self._stdout = self._stderr = -1
        self._outgoing = bytearray()
        self._blocked = self._deaf = self._last_words = False
        self._rest = bytearray()
        self._errors = bytearray()
        self._nap = _HEARTBEAT
        self._silent = 0.0

    @property
    def running(self) -> bool:
        """True from `start` to `kill` or `stop`."""
        return self._popen is not None

    @property
    def stderr(self) -> str:
        """The last of what it wrote on stderr."""
        return self._errors.decode("utf-8", "replace")

    @property
    def rest(self) -> bytes:
        """The line of stdout that has no end yet."""
        return bytes(self._rest)

    @property
    def queued(self) -> int:
        """Octets that are still to be written."""
        return len(self._outgoing)

    @property
    def nap(self) -> float:
        """Seconds after which `turn` is to be called even where no pipe is ready."""
        return self._nap

    def start(self) -> None:
        """Start the program; raises OSError where there is none of that name."""
        self._outgoing.clear()
        self._rest.clear()
        self._errors.clear()
        self._blocked = self._deaf = self._last_words = False
        self._nap = _HEARTBEAT
        self._popen = subprocess.Popen(  # noqa: S603 - a command that the user named, and no shell
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env=environment(),
            cwd=self._folder,
            start_new_session=True,
        )
        streams = (self._popen.stdin, self._popen.stdout, self._popen.stderr)
        self._stdin, self._stdout, self._stderr = (stream.fileno() for stream in streams if stream)
        for pipe in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(pipe, False)
        self._watch.add(self._stdout)
        self._watch.add(self._stderr)

    def write(self, octets: bytes, *, last: bool = False) -> None:
        """Queue octets, which are written whenever it takes them; after the last ones its input ends."""
        self._outgoing += octets
        self._last_words |= last

    def turn(self, *, look: bool = False) -> list[bytes]:
        """Write and read what is possible without waiting; the complete lines that came, blank ones left out.

        Whether the program still lives is looked at where no pipe of the watch is ready, or with `look`.
        Raises Failure when it has ended or closed its output, and all that it wrote is read, and for a line
        that is too long.
        """
        ready = self._watch.ready
        self.flush()
        if self._stderr in ready:
            self._keep_errors()
        if self._stdout in ready:
            chunk = self._take()
            if chunk is None or chunk:
                return self._lines(chunk or b"")
            self._watch.drop(self._stdout)
            self._stdout = -1
            self._nap = 0.001
            self._silent = self._watch.now()
        elif ready and self._stdout >= 0 and not look:
            return []
        return self._look()

    def overdue(self, seconds: float) -> Failure:
        """What it means that no line came within so many seconds."""
        if self._stdout < 0:
            return Failure("no-answer", "it closed its output and went on")
        closed = "; it closed its input" if self._deaf else ""
        return Failure("timeout", f"no answer within {seconds:g} s{closed}")

    def kill(self) -> str:
        """End the whole process group at once; the last of what it wrote on stderr."""
        if self._popen is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._popen.pid, signal.SIGKILL)
            self._popen.wait()
            if self._stderr >= 0:
                self._keep_errors()
            self._close()
        return self.stderr

    def stop(self) -> None:
        """Write what is queued, end its input, give it a moment to end by itself, then end it."""
        if self._popen is not None:
            self.write(b"", last=True)
            self.flush()
            ends = self._watch.now() + _GRACE
            with contextlib.suppress(Failure):
                while (left := ends - self._watch.now()) > 0:
                    self._watch.wait(min(left, self._nap))
                    self.turn()  # what it says in parting is taken, lest it wait for that for ever
            self.kill()

    def flush(self) -> None:
        """Write of what is queued as much as it takes now."""
        if self._outgoing and (not self._blocked or self._stdin in self._watch.ready):
            self._write()
        said = self._last_words and not self._outgoing
        if said and self._popen is not None and self._popen.stdin is not None:
            self._popen.stdin.close()
            self._stdin = -1

    def _write(self) -> None:
        try:
            while self._outgoing:
                del self._outgoing[: os.write(self._stdin, self._outgoing)]
        except BlockingIOError:
            if not self._blocked:
                self._watch.add(self._stdin, select.POLLOUT)
                self._blocked = True
            return
        except BrokenPipeError:
            self._deaf = True  # what it still says, and how it ends, will tell what happened
            self._outgoing.clear()
        if self._blocked:
            self._watch.drop(self._stdin)
            self._blocked = False

    def _lines(self, chunk: bytes) -> list[bytes]:
        end = chunk.rfind(b"\n")
        if end < 0:
            lines = []
            self._rest += chunk
        else:
            lines = (bytes(self._rest) + chunk[:end]).split(b"\n")
            self._rest = bytearray(chunk[end + 1 :])
        if len(self._rest) > LINE_LIMIT or (lines and len(lines[0]) > LINE_LIMIT):
            raise Failure("garbage", f"a line of more than {LINE_LIMIT} octets")
        return [line for line in lines if line and not line.isspace()]

    def _look(self) -> list[bytes]:
        """What is left to read of a program that has ended, even where its output is still held open."""
        assert self._popen is not None
        status = self._popen.poll()
        if status is None:
            self._nap = min(2 * self._nap, _HEARTBEAT)
            if self._stdout < 0 and not self._last_words and self._watch.now() >= self._silent + _PARTING:
                raise self.overdue(_PARTING)  # after its last words, how it ends may be its answer
            return []
        if self._stdout >= 0 and (chunk := self._take()):
            return self._lines(chunk)
        raise self._end(status)

    def _take(self) -> bytes | None:
        """What has come on stdout: nothing at its end, None where nothing has come."""
        try:
            return os.read(self._stdout, _CHUNK)
        except BlockingIOError:
            return None

    def _keep_errors(self) -> None:
        """Take what has come on stderr, once, since it may be endless; only its end is kept."""
        with contextlib.suppress(BlockingIOError):
            chunk = os.read(self._stderr, _CHUNK)
            self._errors += chunk
            del self._errors[:-STDERR_KEPT]
            if not chunk:
                self._watch.drop(self._stderr)
                self._stderr = -1

    def _close(self) -> None:
        assert self._popen is not None
        watched = [self._stdout, self._stderr, *([self._stdin] if self._blocked else [])]
        for pipe in watched:
            if pipe >= 0:
                self._watch.drop(pipe)
        for stream in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            if stream is not None:
                stream.close()
        self._stdin = self._stdout = self._stderr = -1
        self._outgoing.clear()
        self._popen = None

    def _end(self, status: int) -> Failure:
        """How it ended."""
        if status < 0:
            return Failure("crash", f"killed by {signal_name(-status)}", status)
        if status > 0:
            return Failure("crash", f"exit code {status}", status)
        tail = f" after {excerpt(self.rest)}" if self._rest else ""
        return Failure("no-answer", f"it ended without an answer{tail}", status)
