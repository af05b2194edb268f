"""One way to ask every kind of adapter: open it, read its hello, put questions, take replies."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Iterable, Iterator
from types import FrameType
from typing import Any, Protocol

import msgspec

from urlharness.adapters.registry import Adapter, InProcess, Program, ProgramPerCase
from urlharness.limits import Abnormal, AdapterDead, Limits, Patience
from urlharness.protocol import Hello, Question, Reply
from urlharness.serve import exited, hello_of, reply_of, told
from urlharness.settling import Settled
from urlharness.shards import programs, served, sessions


class Asker(Protocol):
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


def open_adapter(adapter: Adapter, limits: Limits, harness: str) -> Asker:
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
