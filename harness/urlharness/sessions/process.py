"""A child process with non-blocking, line-based I/O.

The process runs in its own process group. Therefore it can be killed together with everything that it
started. Memory is bounded, because only one incomplete line of stdout and the end of stderr are kept.
"""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import subprocess
import time
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, NamedTuple

from urlharness.protocol.failures import AdapterDead
from urlharness.protocol.messages import LINE_LIMIT
from urlharness.sessions.guard import guard
from urlharness.system.portability import can_start_programs
from urlharness.text import clipped, excerpt
from urlharness.wording import os_reason, signal_name

#: The number of bytes at the end of stderr that are kept for each process.
STDERR_KEPT = 1 << 16

_PIPE_SIZE = 1 << 16
_TAIL_LINES = 20  # the maximum number of lines of stderr that a result contains
_TAIL_BYTES = 4096  # the maximum number of bytes of these lines
_LINE_SHOWN = 200  # the maximum number of characters of a line that explains an end
_FIRST_EXIT_CHECK = 0.001  # seconds from the end of stdout to the first check whether the process has exited
_EXIT_CHECK = 0.2  # seconds between checks whether a silent process has exited
_GRACE = 2.0  # seconds for processes to exit by themselves
_KILLED_GRACE = 10.0  # seconds to wait for a killed process, which a busy machine may not end at once
_SPARED_GRACE = 1.0  # seconds to wait for a process that the harness has no permission to kill
_LATE_GRACE = 30.0  # seconds to wait before the next start for a process that has not ended by then
_CLOSED_GRACE = 1.0  # seconds for a process to exit after it closed stdout

_ERROR = re.compile(r"(?=\S).*(?:error|exception|panic|fatal)", re.IGNORECASE)

#: The variables that an adapter program gets.
_PROGRAM_VARIABLES = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "JAVA_HOME", "XDG_CACHE_HOME")

#: The variables without which the Python interpreter of this process may not start again: those of the
#: dynamic linker, which finds libpython and the C libraries of extension modules, and those with which the
#: interpreter finds its standard library. VIRTUAL_ENV is not among them, because the interpreter finds its
#: environment by the path of its program.
_INTERPRETER_VARIABLES = (
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "DYLD_LIBRARY_PATH",
    "DYLD_FALLBACK_LIBRARY_PATH",
    "DYLD_FRAMEWORK_PATH",
    "DYLD_FALLBACK_FRAMEWORK_PATH",
    "DYLD_INSERT_LIBRARIES",
    "PYTHONHOME",
    "PYTHONPATH",
    "PYTHONPLATLIBDIR",
)

Direction = Literal["->", "<-"]


class ProcessFailure(Exception):
    """The process can no longer be used: it crashed, hangs or wrote garbage.

    `status` is the exit status, or None if the process has not exited.
    """

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


class WireLine(NamedTuple):
    """A line sent to a process (`->`) or received from it (`<-`).

    `data` excludes the line end. `complete` is false if the line had no line end.
    """

    direction: Direction
    data: bytes
    complete: bool = True


class Recording:
    """Everything that was written to a process and read from it."""

    def __init__(self) -> None:
        #: The exit status of the last process that has ended, or None if it was still running when killed.
        self.status: int | None = None
        self._chunks: list[tuple[Direction, bytes]] = []

    def add(self, direction: Direction, data: bytes) -> None:
        """Record bytes. Call this in the order in which they are written and read."""
        self._chunks.append((direction, data))

    def lines(self) -> list[WireLine]:
        """Return the lines of both directions, in the order in which they ended."""
        partial: dict[Direction, bytes] = {"->": b"", "<-": b""}
        lines: list[WireLine] = []
        for direction, chunk in self._chunks:
            *whole, partial[direction] = (partial[direction] + chunk).split(b"\n")
            lines += [WireLine(direction, line) for line in whole]
        lines += [WireLine(direction, rest, complete=False) for direction, rest in partial.items() if rest]
        return lines


class Poller:
    """A clock that can also wait for the pipes of any number of processes at once.

    `ready` contains the pipes that were ready after the last call of `wait`. `waited` is the number of
    seconds that all calls of `wait` have taken: unlike the time that has passed, it contains no time that the
    harness itself needs.
    """

    def __init__(self) -> None:
        self.ready: set[int] = set()
        self.waited = 0.0

    @cached_property
    def _poll(self) -> Any:
        """Observes the pipes. It is made for the first one, because Windows has none."""
        return select.poll()

    def now(self) -> float:
        """Return the time of a monotonic clock in seconds."""
        return time.monotonic()

    def add(self, pipe: int, *, for_writing: bool = False) -> None:
        """Let `wait` observe a pipe."""
        self._poll.register(pipe, select.POLLOUT if for_writing else select.POLLIN)

    def remove(self, pipe: int) -> None:
        """Let `wait` no longer observe a pipe."""
        self._poll.unregister(pipe)
        self.ready.discard(pipe)

    def wait(self, seconds: float) -> None:
        """Wait until at least one pipe is ready or the time has run out, and set `ready`."""
        begun = self.now()
        self.ready = {pipe for pipe, _ in self._poll.poll(max(0.0, seconds) * 1000)}
        self.waited += self.now() - begun


class Process:
    """A program that can be restarted. It runs without a shell and in a clean environment."""

    def __init__(
        self,
        command: Sequence[str],
        poller: Poller,
        folder: Path | None = None,
        recording: Recording | None = None,
        *,
        interpreter: bool = False,
    ) -> None:
        """Prepare the program without starting it.

        `folder` is its working directory (default: the current). `interpreter` is true if the program is the
        Python interpreter of this process.
        """
        self._command = command
        self._interpreter = interpreter
        self._folder = folder
        self._poller = poller
        self._recording = recording
        self._popen: subprocess.Popen[bytes] | None = None
        self._survivor: subprocess.Popen[bytes] | None = None  # the last process, if it outlived its killing
        self._inode = 0  # the inode of stdin, by which the guard identifies the process
        self._stdin = self._stdout = self._stderr = -1  # -1 stands for a closed pipe
        #: The last line of stdout while it is incomplete.
        self.partial_line = b""
        #: The bytes that are queued but not yet written to stdin.
        self.unsent = bytearray()
        self._errors = bytearray()
        #: The seconds after which `pump` must be called even if no pipe is ready.
        self.poll_interval = _EXIT_CHECK
        self._stdin_full = False
        self._stdin_ends = False  # close stdin once everything is written
        self._stdin_broken = False  # the process closed its stdin
        self._stdout_closed = 0.0  # the time when the process closed stdout

    @property
    def running(self) -> bool:
        """True from the call of `start` until the process is killed, even if the program has exited."""
        return self._popen is not None

    def start(self) -> None:
        """Start the program.

        Raise AdapterDead if that fails, or if the last process could not be killed.
        """
        if not can_start_programs():
            raise AdapterDead("adapters with a process of their own run on Linux and macOS only")
        self._wait_for_survivor()
        self.unsent.clear()
        self._errors.clear()
        self.partial_line = b""
        self._stdin_full = self._stdin_ends = self._stdin_broken = False
        self.poll_interval = _EXIT_CHECK
        stdin, self._stdin = os.pipe()
        self._inode = os.fstat(stdin).st_ino
        guard.announce(self._inode)
        try:
            self._popen = subprocess.Popen(  # noqa: S603 - the command of the user, without a shell
                self._command,
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                env=program_environment(interpreter=self._interpreter),
                cwd=self._folder,
                start_new_session=True,
            )
        except BaseException as error:
            guard.report_end(self._inode)
            os.close(self._stdin)
            if isinstance(error, OSError):
                raise AdapterDead(start_error(self._command, error)) from None
            raise
        finally:
            os.close(stdin)
        guard.report_start(self._inode, self._popen.pid)
        assert self._popen.stdout is not None  # both are pipes
        assert self._popen.stderr is not None
        self._stdout = self._popen.stdout.fileno()
        self._stderr = self._popen.stderr.fileno()
        for pipe in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(pipe, False)
        self._poller.add(self._stdout)
        self._poller.add(self._stderr)

    def _wait_for_survivor(self) -> None:
        """Wait until the last process has ended. Raise AdapterDead if it could not be killed."""
        if self._survivor is None:
            return
        try:
            self._survivor.wait(_LATE_GRACE)
        except subprocess.TimeoutExpired:
            raise AdapterDead(f"process {self._survivor.pid} could not be killed") from None
        self._survivor = None

    def write(self, data: bytes, *, last: bool = False) -> None:
        """Queue bytes, which `flush` writes as soon as the process reads.

        Close stdin after the `last` bytes.
        """
        self.unsent += data
        self._stdin_ends |= last
        if self._recording is not None and data:
            self._recording.add("->", data)

    def pump(self, *, check_exit: bool = False) -> list[bytes]:
        """Write and read without blocking. Return the complete lines that are not blank.

        Check whether the process has exited only if no pipe is ready, if stdout is closed, or if `check_exit`
        is true. Raise ProcessFailure if a line is too long, if the process has exited and all its output has
        been read, or if the process closed stdout some time ago but keeps running.
        """
        ready = self._poller.ready
        self.flush()
        if self._stderr in ready:
            self._read_stderr()
        if self._stdout in ready:
            chunk = self._read_stdout()
            if chunk is None:
                return []  # nothing has arrived yet
            if chunk:
                return self._split_lines(chunk)
            self._poller.remove(self._stdout)
            self._stdout = -1
            self._stdout_closed = self._poller.now()
            self.poll_interval = _FIRST_EXIT_CHECK
        elif ready and self._stdout >= 0 and not check_exit:
            return []
        return self._check_exit()

    def timeout_failure(self, seconds: float) -> ProcessFailure:
        """Return the failure of a process that did not write a line within this time.

        If it has closed its output, no line can come any more, and the outcome is `no-answer`.
        """
        if self._stdout < 0:
            return ProcessFailure("no-answer", "it closed its output, but kept running")
        closed = "; it closed its input" if self._stdin_broken else ""
        return ProcessFailure("timeout", f"no answer within {seconds:g} s{closed}")

    def kill(self) -> str:
        """Kill the process group and return the end of stderr."""
        if self._popen is not None:
            if self._recording is not None:
                self._recording.status = self._popen.poll()
            grace = _KILLED_GRACE
            try:
                os.killpg(self._popen.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            except PermissionError:
                grace = _SPARED_GRACE
            guard.report_end(self._inode)
            try:
                self._popen.wait(grace)
            except subprocess.TimeoutExpired:
                self._survivor = self._popen
            if self._stderr >= 0:
                self._read_stderr()
            self._close()
        return self._errors.decode("utf-8", "replace")

    def flush(self) -> None:
        """Write queued bytes until the pipe is full. After the last bytes, close stdin."""
        if self.unsent and (not self._stdin_full or self._stdin in self._poller.ready):
            self._write_stdin()
        if self._stdin_ends and not self.unsent and self._stdin >= 0:
            os.close(self._stdin)
            self._stdin = -1

    def _write_stdin(self) -> None:
        """Write queued bytes until the pipe is full. If the process has closed its end, drop them."""
        try:
            while self.unsent:
                del self.unsent[: os.write(self._stdin, self.unsent)]
        except BlockingIOError:
            if not self._stdin_full:
                self._poller.add(self._stdin, for_writing=True)
                self._stdin_full = True
            return
        except BrokenPipeError:
            self._stdin_broken = True  # the last output or the exit status of the process will show the cause
            self.unsent.clear()
        if self._stdin_full:
            self._poller.remove(self._stdin)
            self._stdin_full = False

    def _read_stdout(self) -> bytes | None:
        """Return the bytes that have arrived, b"" at the end of stdout, or None if nothing has arrived."""
        try:
            chunk = os.read(self._stdout, _PIPE_SIZE)
        except BlockingIOError:
            return None
        if self._recording is not None and chunk:
            self._recording.add("<-", chunk)
        return chunk

    def _read_stderr(self) -> None:
        """Read one chunk of stderr. Keep only the last bytes of stderr, because it may be endless."""
        with contextlib.suppress(BlockingIOError):
            chunk = os.read(self._stderr, _PIPE_SIZE)
            self._errors += chunk
            del self._errors[:-STDERR_KEPT]
            if not chunk:
                self._poller.remove(self._stderr)
                self._stderr = -1

    def _split_lines(self, chunk: bytes) -> list[bytes]:
        """Return the lines that a chunk completes, except blank ones.

        Raise ProcessFailure if a line is too long, even an incomplete one.
        """
        *lines, self.partial_line = (self.partial_line + chunk).split(b"\n")
        # lines between the first and the last are shorter than the chunk, which is below the limit
        if any(len(line) > LINE_LIMIT for line in (*lines[:1], self.partial_line)):
            raise ProcessFailure("garbage", f"a line of more than {LINE_LIMIT} bytes")
        return [line for line in lines if line and not line.isspace()]

    def _check_exit(self) -> list[bytes]:
        """If the process has exited, return the lines that are left in stdout. If not, return an empty list.

        Do not wait for the end of stdout, because a child of the exited process may keep it open. Raise
        ProcessFailure if the process has exited and nothing is left in stdout. Raise it, too, if the process
        keeps running after it closed stdout.
        """
        assert self._popen is not None
        status = self._popen.poll()
        if status is None:
            self.poll_interval = min(2 * self.poll_interval, _EXIT_CHECK)
            closed = self._stdout < 0 and self._poller.now() >= self._stdout_closed + _CLOSED_GRACE
            if closed and not self._stdin_ends:  # if stdin has ended, the exit code may still be the answer
                raise self.timeout_failure(_CLOSED_GRACE)
            return []
        if self._stdout >= 0 and (chunk := self._read_stdout()):
            return self._split_lines(chunk)
        raise self._exit_failure(status)

    def _exit_failure(self, status: int) -> ProcessFailure:
        """Return the failure of a process that has exited, although it was expected to run."""
        if status < 0:
            return ProcessFailure("crash", f"killed by {signal_name(-status)}", status)
        if status > 0:
            return ProcessFailure("crash", f"exit code {status}", status)
        tail = f" after {excerpt(self.partial_line)}" if self.partial_line else ""
        return ProcessFailure("no-answer", f"it ended without an answer{tail}", status)

    def _close(self) -> None:
        """Close all pipes of the process, which has ended or could not be killed, and forget it."""
        assert self._popen is not None
        for pipe in (self._stdout, self._stderr, self._stdin if self._stdin_full else -1):
            if pipe >= 0:
                self._poller.remove(pipe)
        for stream in (self._popen.stdout, self._popen.stderr):
            if stream is not None:
                stream.close()
        if self._stdin >= 0:
            os.close(self._stdin)
        self._stdin = self._stdout = self._stderr = -1
        self.unsent.clear()
        self._popen = None


def stop_processes(processes: Sequence[Process], poller: Poller, deadline: float) -> None:
    """Close the stdin of all processes and give them time to exit, but not beyond the deadline.

    Then kill them.
    """
    running = [process for process in processes if process.running]
    until = min(poller.now() + _GRACE, deadline)
    try:
        for process in running:
            process.write(b"", last=True)
            process.flush()
        ending = list(running)
        while ending and (seconds := until - poller.now()) > 0:
            poller.wait(min(seconds, *(process.poll_interval for process in ending)))
            for process in tuple(ending):
                try:
                    process.pump()  # the process may be unable to exit until its output is read
                except ProcessFailure:
                    process.kill()
                    ending.remove(process)
    finally:
        for process in running:
            process.kill()


def program_environment(*, interpreter: bool = False) -> dict[str, str]:
    """Return the environment for adapter programs: a few variables of this process.

    If `interpreter` is true, the program is the Python interpreter of this process, and also gets the
    variables that the interpreter needs to start.
    """
    names = (*_PROGRAM_VARIABLES, *_INTERPRETER_VARIABLES) if interpreter else _PROGRAM_VARIABLES
    return {name: os.environ[name] for name in names if name in os.environ}


def start_error(command: Sequence[str], error: OSError) -> str:
    """Return the message `PROGRAM: reason` for a program that could not be started."""
    return f"{command[0]}: {os_reason(error)}"


def stderr_tail(stderr: str) -> str:
    """Return the last 20 lines of stderr, at most 4096 bytes."""
    end = "\n" if stderr.endswith("\n") else ""
    tail = "\n".join(stderr.removesuffix("\n").split("\n")[-_TAIL_LINES:]) + end
    return tail.encode()[-_TAIL_BYTES:].decode("utf-8", "ignore")


def error_line(stderr: str) -> str:
    """Return the last line of stderr that is not indented and contains a word such as `error` or `exception`.

    If there is no such line, return the last line.
    """
    lines = stderr.rstrip().split("\n")
    for line in reversed(lines):
        if _ERROR.match(line):
            return line.strip()
    return lines[-1].strip()


def with_error_line(reason: str, stderr: str) -> str:
    """Return a reason with the error line of stderr, unless there is none or the reason contains it."""
    line = error_line(stderr)
    return reason if line in reason else f"{reason}; it wrote: {clipped(line, _LINE_SHOWN)}"
