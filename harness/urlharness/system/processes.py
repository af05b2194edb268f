"""Python processes of the harness. They import what this process imports, and end when it ends."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection, Pipe
from queue import SimpleQueue
from typing import Any, NamedTuple


def python_command(statements: str) -> list[str]:
    """Return the command of a Python process that runs statements.

    Python would let such a process import modules of the current folder before all others. This one imports
    from where this process imports.
    """
    path = [str(entry) for entry in sys.path]
    return [sys.executable, "-c", f"import sys; sys.path[:] = {path!a}; {statements}"]


class WorkerEnded(Exception):
    """A worker has ended without an answer, for example because the system had no memory left."""


class PythonWorker:
    """A process that calls one function as often as it is asked to.

    The function, its arguments and its answers get to the other side by pickling. The process is in a session
    of its own, so a signal of the terminal such as that of Ctrl-C reaches only this process, which decides
    what happens. When this process ends, even if it is killed, the connection is closed and the worker ends.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        """Start the process. Raise WorkerEnded if it ends before it has got the function."""
        self._asked = 0
        self._answered = 0
        self._connection, connection_of_worker = Pipe()
        with connection_of_worker:
            number = connection_of_worker.fileno()
            self._process = subprocess.Popen(  # noqa: S603 - our own program
                python_command(f"from urlharness.system.processes import work; work({number})"),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=[number],
                start_new_session=True,
            )
        self._send(function)

    def ask(self, *arguments: Any) -> int:
        """Let the worker call the function, and return the number of this call.

        Raise WorkerEnded if the worker has ended.
        """
        self._send(arguments)
        self._asked += 1
        return self._asked

    def wait_for_answer(self, number: int) -> Any:
        """Return what the call with this number returned, or raise what it raised.

        Call this method with ascending numbers, because it drops the answers of earlier calls. Raise
        WorkerEnded if the worker ends without an answer.
        """
        answer: Any = None
        while self._answered < number:
            try:
                answer = self._connection.recv()
            except (EOFError, OSError):
                raise WorkerEnded from None
            self._answered += 1
        if isinstance(answer, _Raised):
            raise answer.error
        return answer

    def close(self) -> None:
        """End the process, whatever it does."""
        self._connection.close()
        self._process.kill()
        self._process.wait()

    def _send(self, message: object) -> None:
        """Send the function, or the arguments of a call. Raise WorkerEnded if the worker has ended."""
        try:
            self._connection.send(message)
        except OSError:
            raise WorkerEnded from None


class _Raised(NamedTuple):
    """The message that a worker sends in place of an answer if the function raised an exception."""

    error: Exception


def work(descriptor: int) -> None:
    """Run a worker, whose connection is an open descriptor. The first message is the function."""
    connection = Connection(descriptor)
    try:
        function = connection.recv()
    except (EOFError, OSError):  # the other side has ended before it has begun
        return
    calls: SimpleQueue[Sequence[Any]] = SimpleQueue()
    # a thread, because the worker must also end while it computes
    threading.Thread(target=_receive, args=(connection, calls), daemon=True).start()
    while True:
        arguments = calls.get()
        try:
            answer = function(*arguments)
        except Exception as error:  # noqa: BLE001 - the other side raises it
            answer = _Raised(error)
        connection.send(answer)


def _receive(connection: Connection, calls: SimpleQueue[Sequence[Any]]) -> None:
    """Put the arguments of calls into the queue, and end this process when the other side is gone."""
    try:
        while True:
            calls.put(connection.recv())
    except (EOFError, OSError):
        os._exit(0)  # sys.exit would end only this thread
