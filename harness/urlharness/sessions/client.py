"""Clients that ask adapters questions. They have the same interface for every kind of adapter.

An adapter is a function, a program that answers all questions, or a program that is started for each
question.
"""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import FrameType

import msgspec

from urlharness.adapters.registry import BUNDLED, Adapter, InProcess, Program, ProgramPerCase
from urlharness.exitcodes import Exit
from urlharness.protocol.failures import Abnormal, AdapterDead, Budget
from urlharness.protocol.limits import Limits
from urlharness.protocol.messages import Question, Reply
from urlharness.protocol.server import abnormal_outcome, call_function, exit_in_words, hello_of
from urlharness.sessions.exec_adapter import ExecWorker
from urlharness.sessions.process import Poller, Recording, stop_processes
from urlharness.sessions.scheduler import IndexedResult, schedule
from urlharness.sessions.session import Session
from urlharness.system.processes import python_command

_UNLIMITED = sys.maxsize
# the command is imported before the folder of the adapter can hide a module that it needs
_SERVE = (
    "import urlharness.cli.author.serve, urlharness.cli as program; "
    "sys.path[:] = {path!a}; sys.argv[1:] = {words!a}; program.main()"
)
_ERROR_PREFIX = "urlconform: "  # the beginning of the error messages of `urlconform serve`


def open_client(adapter: Adapter, limits: Limits, harness: str, recording: Recording | None = None) -> Client:
    """Start an adapter. Raise NotInstalled, UnknownAdapter or AdapterDead if that fails.

    A function that is given by name, `python:MODULE:FUNCTION`, always runs in a child process. A bundled
    adapter does so only if there are several jobs or a recording. A function object always runs in this
    process. The restart budget does not apply to functions in child processes and to `exec:` programs.
    """
    match adapter:
        case InProcess():
            # only these functions can be loaded by name in a child process
            served = adapter.in_child or BUNDLED.get(adapter.name) is adapter
            if served and (adapter.in_child or limits.jobs > 1 or recording is not None):
                return open_sessions(
                    serve_command(adapter),
                    limits._replace(restarts=_UNLIMITED),
                    harness,
                    recording=recording,
                    pool=ServedFunction if adapter.in_child else ClientPool,
                    session=_ServeSession,
                )
            return _FunctionClient(adapter, limits)
        case Program():
            folder = adapter.working_folder()
            return open_sessions(adapter.command(), limits, harness, folder, recording)
        case ProgramPerCase():
            poller = Poller()
            command = adapter.command
            workers = [
                ExecWorker(adapter.name, command, limits, poller, adapter.folder, recording)
                for _ in range(limits.jobs)
            ]
            return ClientPool(workers, Budget(limits._replace(restarts=_UNLIMITED), poller.now()), poller)


class ClientPool:
    """An adapter that runs in child processes. Several workers share the questions."""

    def __init__(
        self, workers: Sequence[Session] | Sequence[ExecWorker], budget: Budget, poller: Poller
    ) -> None:
        self.hello = workers[0].hello
        #: The seconds that answers took, by the index of the question. A caller may remove them.
        self.seconds: dict[int, float] = {}
        #: Why a process ended at a question that was asked again, and what it wrote, by the question's index.
        self.ends: dict[int, str] = {}
        self._workers = workers
        self._budget = budget
        self._poller = poller

    @property
    def restarts(self) -> int:
        """The number of times that processes were started again."""
        return sum(worker.restarts for worker in self._workers)

    def ask(self, questions: Iterable[Question]) -> Iterator[IndexedResult]:
        """Yield (index, reply or failure) for each question, in order."""
        self.seconds.clear()
        self.ends.clear()
        return schedule(self._workers, questions, self._budget, self._poller, self.seconds, self.ends)

    def close(self) -> None:
        """End every process.

        If the total time has run out, kill the processes at once. Otherwise give them time to exit first.
        """
        try:
            for worker in self._workers:
                worker.finish()
        finally:
            stop_processes([worker.process for worker in self._workers], self._poller, self._budget.deadline)


class ServedFunction(ClientPool):
    """A function in child processes.

    The processes keep running if the function calls exit or gives an invalid answer. `ask` yields these
    events as abnormal outcomes.
    """

    def ask(self, questions: Iterable[Question]) -> Iterator[IndexedResult]:
        """Yield (index, reply or failure) for each question, in order."""
        for index, answer in super().ask(questions):
            if isinstance(answer, Abnormal):
                yield index, answer
            else:
                yield index, abnormal_outcome(answer) or answer


class _ServeSession(Session):
    """A session with `urlconform serve`.

    The reason why it cannot serve a function is read from its stderr.
    """

    interpreter = True

    def _give_up(self, reason: str, status: int | None = None) -> AdapterDead:
        """Kill the process and return the error, with the message of `serve` if there is one."""
        dead = super()._give_up(reason, status)
        return AdapterDead(serve_error(status, dead.stderr) or str(dead), dead.stderr)


def serve_error(status: int | None, stderr: str) -> str:
    """Return the error message of `urlconform serve` in its stderr, or an empty string if there is none.

    `status` is the exit code. The module of the function may write to stderr before and after the message.
    """
    if status != Exit.ADAPTER_DEAD:
        return ""
    for line in reversed(stderr.split("\n")):
        _, prefix, message = line.partition(_ERROR_PREFIX)
        if prefix:
            return message
    return ""


def open_sessions(
    command: Sequence[str],
    limits: Limits,
    harness: str,
    folder: Path | None = None,
    recording: Recording | None = None,
    *,
    pool: type[ClientPool] = ClientPool,
    session: type[Session] = Session,
) -> ClientPool:
    """Return a pool of `limits.jobs` sessions with a program. Raise AdapterDead if it cannot be started.

    The first session starts the program at once. Each other session starts it when it gets a question.
    """
    first = session(command, limits, harness, folder=folder, recording=recording)
    siblings = []
    for _ in range(limits.jobs - 1):
        sibling = session(command, limits, harness, folder=folder, sibling=first)
        siblings.append(sibling)
    return pool([first, *siblings], first.budget, first.poller)


def serve_command(adapter: InProcess) -> list[str]:
    """Return the command that serves an adapter in a child process, with the import paths of this process."""
    path = list(map(str, sys.path))
    if adapter.folder is not None:  # `serve` puts the current folder first unless the path contains it
        path = [str(adapter.folder), *path, str(Path.cwd())]
    words = ["serve", adapter.name]
    if adapter.in_child:
        words.append("--apart")
    return python_command(_SERVE.format(path=path, words=words))


class _Timeout(BaseException):
    """Raised inside a function that takes too long.

    It is not an Exception, because a library might catch it.
    """


class _FunctionClient:
    """A function in this process. It is asked one question after the other."""

    restarts = 0

    def __init__(self, adapter: InProcess, limits: Limits) -> None:
        self._budget = Budget(limits, time.monotonic())
        hello, self._respond = adapter.load()
        self._seconds = limits.case
        self.hello = hello_of(hello)
        self.seconds: dict[int, float] = {}
        self.ends: dict[int, str] = {}  # stays empty: no process of its own can end

    def ask(self, questions: Iterable[Question]) -> Iterator[IndexedResult]:
        """Yield (index, reply or failure) for each question, in order."""
        for index, question in enumerate(questions):
            try:
                self._budget.check(time.monotonic())  # once the time has run out, it fails for every question
                begun = time.monotonic()
                answer = self._answer_to(question)
                self.seconds = {index: time.monotonic() - begun}
                yield index, answer
            except AdapterDead as dead:
                yield index, Abnormal("aborted", str(dead))

    def close(self) -> None:
        """Do nothing, because there is no process to end."""

    def _answer_to(self, question: Question) -> Reply | Abnormal:
        """Return the reply of the function, or the abnormal outcome that it caused.

        Raise AdapterDead if the total time runs out before the function answers.
        """
        fields = msgspec.to_builtins(question)
        fields.pop("id", None)
        try:
            with _time_limit(min(self._seconds, self._budget.deadline - time.monotonic())):
                # any id will do, because nothing else is in flight
                return call_function(self._respond, fields, 0, KeyboardInterrupt, SystemExit, _Timeout)
        except _Timeout:
            self._budget.check(time.monotonic())
            return Abnormal("timeout", f"no answer within {self._seconds:g} s")
        except ValueError as error:
            return Abnormal("garbage", str(error))
        except SystemExit as end:
            return Abnormal("crash", exit_in_words(end))


#: A client for any kind of adapter.
Client = ClientPool | _FunctionClient


@contextlib.contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Raise _Timeout in the body of the `with` statement after this time.

    This works only in the main thread, because only that thread gets signals. In others, and on Windows,
    which has no alarm, do nothing.
    """
    has_alarm = hasattr(signal, "setitimer")
    if not has_alarm or threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise _Timeout

    previous = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
