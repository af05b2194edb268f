"""Adapters that are served by a copy of this process, so that nothing is imported again."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
import traceback
import warnings
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

#: What the commands of `urlconform serve` have, and no other command.
_SERVES = "urlharness.cli.author.serve"


class ForkedProcess:
    """A copy of this process that runs the Python statements of a command.

    It has what `Process` uses of a Popen.
    """

    def __init__(self, command: Sequence[str], *, stdin: int, env: dict[str, str], cwd: Path | None) -> None:
        *_, statements = command
        stdout, child_stdout = os.pipe()
        stderr, child_stderr = os.pipe()
        with warnings.catch_warnings():
            # the other threads of a test run hold nothing that the copy needs
            warnings.simplefilter("ignore", DeprecationWarning)
            self.pid = os.fork()
        if self.pid == 0:
            _run_statements(statements, (stdin, child_stdout, child_stderr), env, cwd)
        os.close(child_stdout)
        os.close(child_stderr)
        self.stdout = os.fdopen(stdout, "rb", buffering=0)
        self.stderr = os.fdopen(stderr, "rb", buffering=0)
        self._status: int | None = None

    def poll(self) -> int | None:
        """Return the exit status, or None while the process runs."""
        if self._status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid != 0:
                self._status = os.waitstatus_to_exitcode(status)
        return self._status

    def wait(self, seconds: float) -> int:
        """Return the exit status when the process has ended. Raise TimeoutExpired."""
        deadline = time.monotonic() + seconds
        while (status := self.poll()) is None:
            if time.monotonic() > deadline:
                raise subprocess.TimeoutExpired("a copy of this process", seconds)
            time.sleep(0.001)
        return status


def _run_statements(
    statements: str, streams: tuple[int, int, int], env: dict[str, str], cwd: Path | None
) -> NoReturn:
    """Run statements in a new copy of this process as Python would, and end it."""
    status = 1
    try:
        os.setsid()
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
        os.closerange(3, 2**16)
        os.environ.clear()
        os.environ.update(env)
        if cwd is not None:
            os.chdir(cwd)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        sys.stdin = sys.__stdin__ = io.TextIOWrapper(io.FileIO(0, closefd=False))
        sys.stdout = sys.__stdout__ = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), write_through=True)
        sys.stderr = sys.__stderr__ = io.TextIOWrapper(
            io.FileIO(2, "w", closefd=False), errors="backslashreplace", write_through=True
        )
        exec(statements, {"__name__": "__main__"})
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    except BaseException:  # noqa: BLE001 - Python prints it and ends, too
        traceback.print_exc()
    finally:
        with suppress(Exception):
            sys.stdout.flush()
        os._exit(status)


def start(command: Sequence[str], *, start_new_session: bool, **options: Any) -> Any:
    """Start a process as Popen does; one that serves an adapter is a copy of this process."""
    if _SERVES in command[-1]:
        return ForkedProcess(command, stdin=options["stdin"], env=options["env"], cwd=options["cwd"])
    return subprocess.Popen(command, start_new_session=start_new_session, **options)
