"""Open any kind of adapter: in this process, in child processes, a program."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import Any, Protocol

import msgspec

from urlharness.adapters.registry import BUNDLED, Adapter, InProcess, Program, ProgramPerCase
from urlharness.engine.diagnosis import not_served
from urlharness.engine.exec_adapter import ProgramRuns
from urlharness.engine.process import Watch
from urlharness.engine.scheduler import Settled, schedule
from urlharness.engine.session import Session
from urlharness.engine.wiretap import tapped
from urlharness.limits import Abnormal, AdapterDead, Limits, Patience
from urlharness.protocol.messages import Hello, Question, Reply
from urlharness.protocol.server import abnormality, exited, hello_of, reply_of, told

# -------------------- shards: The cases of one adapter divided among several processes, and its answers as if there were one.


_ENDLESS = sys.maxsize


_SERVE = "import sys; sys.path[:] = {path!a}; sys.argv[1:] = {words!a}; import urlharness.cli as c; c.main()"


class ClientPool:
    """Conversations with several processes of one adapter, behind the face of one."""

    def __init__(
        self, conversations: Sequence[Session] | Sequence[ProgramRuns], patience: Patience, watch: Watch
    ) -> None:
        self.hello = conversations[0].hello
        self._conversations = conversations
        self._patience = patience
        self._watch = watch

    @property
    def restarts(self) -> int:
        """How often a program had to be started again."""
        return sum(one.restarts for one in self._conversations)

    def ask(self, questions: Iterable[Question]) -> Iterator[Settled]:
        """What became of each question, by its place, in the order of the questions."""
        return schedule(self._conversations, questions, self._patience, self._watch)

    def close(self) -> None:
        """End every process."""
        for one in self._conversations:
            one.close()


class Apart:
    """A function in processes of its own: what they say that it did is its outcome, and ended none."""

    def __init__(self, asker: Session | ClientPool) -> None:
        self.hello: Hello = asker.hello
        self._asker = asker

    @property
    def restarts(self) -> int:
        """How often a process had to be started again."""
        return self._asker.restarts

    def ask(self, questions: Iterable[Question]) -> Iterator[Settled]:
        """What became of each question, by its place, in the order of the questions."""
        for place, got in self._asker.ask(questions):
            yield place, got if isinstance(got, tuple) else abnormality(got) or got

    def close(self) -> None:
        """End every process."""
        self._asker.close()


class _Serving(Session):
    """A session with a child process of ours, which says itself why it serves nothing."""

    def _dead(self, reason: str, status: int | None = None) -> AdapterDead:
        dead = super()._dead(reason)  # without a status: what hints at a program is none at a function
        return AdapterDead(not_served(status, dead.stderr) or str(dead), dead.stderr)


def sessions(
    command: Sequence[str],
    limits: Limits,
    harness: str,
    folder: Path | None = None,
    kind: type[Session] = Session,
) -> Session | ClientPool:
    """A session with a program, or as many as `limits.jobs` says; raises AdapterDead.

    Only the first is started at once, and the others when there is something to ask.  They run in `folder`,
    or in the current one.
    """
    first = kind(command, limits, harness, folder=folder)
    if limits.jobs == 1:
        return first
    more = [kind(command, limits, harness, first, folder) for _ in range(limits.jobs - 1)]
    return ClientPool([first, *more], first.patience, first.watch)


def served(adapter: InProcess, limits: Limits, harness: str) -> Session | ClientPool | Apart | None:
    """An in-process adapter in processes of its own; None where it is a value here that no name leads to.

    It is not given up, however many questions end it: as in this process.  Raises AdapterDead.
    """
    if BUNDLED.get(adapter.name) is not adapter and not adapter.apart:
        return None
    command = serving(adapter)
    if adapter.record is not None:
        command = tapped(adapter.record, command)
    asker = sessions(command, limits._replace(restarts=_ENDLESS), harness, kind=_Serving)
    return Apart(asker) if adapter.apart else asker


def serving(adapter: InProcess) -> list[str]:
    """The command of a child process that serves it; that one imports from where this process does."""
    path = [str(entry) for entry in sys.path]
    if adapter.folder is not None:  # the current one stands last, for it would be put first otherwise
        path = [str(adapter.folder), *path, str(Path.cwd())]
    words = ["serve", adapter.name]
    if adapter.apart:
        words.append("--apart")
    return [sys.executable, "-c", _SERVE.format(path=path, words=words)]


def programs(adapter: ProgramPerCase, limits: Limits) -> ClientPool:
    """A program per case, as many at a time as `limits.jobs` says; raises AdapterDead."""
    watch = Watch()
    runs = [
        ProgramRuns(adapter.name, adapter.command, limits, watch, adapter.folder) for _ in range(limits.jobs)
    ]
    return ClientPool(runs, Patience(limits._replace(restarts=_ENDLESS), watch.now()), watch)


# -------------------- askers: One way to ask every kind of adapter: open it, read its hello, put questions, take replies.


class AdapterClient(Protocol):
    """An adapter that has said hello."""

    @property
    def hello(self) -> Hello:
        """What it said of itself."""

    @property
    def restarts(self) -> int:
        """How often it had to be started again."""

    def ask(self, questions: Iterable[Question]) -> Iterator[Settled]:
        """What became of each question, by its place, in the order of the questions."""

    def close(self) -> None:
        """End it."""


def open_client(adapter: Adapter, limits: Limits, harness: str) -> AdapterClient:
    """Start an adapter; raises NotInstalled, UnknownAdapter and AdapterDead.

    A function that has a name, `python:MODULE:FUNCTION`, is served by a child process, and with several jobs
    a bundled adapter is, too.  A function that is a value here is asked in this process, whatever the jobs.
    """
    match adapter:
        case InProcess():
            children = served(adapter, limits, harness) if limits.jobs > 1 or adapter.apart else None
            return children or _FunctionAsker(adapter, limits)
        case Program():
            return sessions(adapter.command(), limits, harness, adapter.folder)
        case ProgramPerCase():
            return programs(adapter, limits)


class _Late(BaseException):
    """Raised inside a function that takes too long; no library catches it by accident."""


class _FunctionAsker:
    """A function in this process, asked one question after the other."""

    restarts = 0

    def __init__(self, adapter: InProcess, limits: Limits) -> None:
        self._patience = Patience(limits, time.monotonic())
        hello, self._answer = adapter.load()
        self._seconds = limits.case
        self.hello = hello_of(hello)

    def ask(self, questions: Iterable[Question]) -> Iterator[Settled]:
        for index, question in enumerate(questions):
            try:
                self._patience.look(time.monotonic())
                yield index, self._settle(question)
            except AdapterDead as over:
                yield index, Abnormal("aborted", str(over))

    def close(self) -> None:
        pass

    def _settle(self, question: Question) -> Reply | Abnormal:
        """The reply of the function; raises AdapterDead where the time for all cases ends before its own."""
        asked = msgspec.to_builtins(question)
        asked.pop("id", None)
        try:
            with _time_limit(min(self._seconds, self._patience.ends - time.monotonic())):
                return self._given(asked)
        except _Late:
            self._patience.look(time.monotonic())
            return Abnormal("timeout", f"no answer within {self._seconds:g} s")

    def _given(self, asked: dict[str, Any]) -> Reply | Abnormal:
        """The reply, or what the function did instead; an exception and a mapping may have code of it."""
        try:
            answered = self._answer(asked)
        except (KeyboardInterrupt, _Late):
            raise
        except SystemExit as end:
            return Abnormal("crash", exited(end))
        except BaseException as error:  # noqa: BLE001 - whatever else the library raises is its answer
            return Reply(0, "error", told(error))
        try:
            return reply_of(answered, 0)
        except ValueError as error:
            return Abnormal("garbage", str(error))
        except SystemExit as end:
            return Abnormal("crash", exited(end))


@contextlib.contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Interrupt the body after so many seconds; on the main thread only, where signals arrive."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def late(_number: int, _frame: FrameType | None) -> None:
        raise _Late

    previous = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
