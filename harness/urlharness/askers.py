"""One way to ask every kind of adapter: open it, read its hello, put questions, take replies."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections.abc import Iterable, Iterator
from types import FrameType
from typing import Protocol

import msgspec

from urlharness.adapters.registry import Adapter, InProcess, Program, ProgramPerCase
from urlharness.limits import Abnormal, AdapterDead, Limits, Patience
from urlharness.protocol import Hello, Question, Reply, encode, well_formed
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

    With several jobs an in-process adapter is served by child processes; one that has no name to be found by
    is asked in this process all the same.
    """
    match adapter:
        case InProcess():
            children = served(adapter, limits, harness) if limits.jobs > 1 else None
            return children or _FunctionAsker(adapter, limits)
        case Program():
            return sessions(adapter.command(), limits, harness)
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
        try:
            self.hello = msgspec.convert({**hello, "type": "hello"}, Hello)
            encode(self.hello)
        except (msgspec.ValidationError, TypeError, ValueError, RecursionError) as error:
            raise AdapterDead(f"its hello is not one: {error}") from None

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
                answer = self._answer(asked)
        except _Late:
            self._patience.look(time.monotonic())
            return Abnormal("timeout", f"no answer within {self._seconds:g} s")
        except SystemExit as end:
            return Abnormal("crash", f"it called exit({end.code!r})")
        except Exception as error:  # noqa: BLE001 - whatever the library raises is its answer
            return Reply(0, "error", well_formed(f"{type(error).__name__}: {error}"))
        try:
            reply = msgspec.convert({**answer, "id": 0}, Reply)
            encode(reply)
        except (msgspec.ValidationError, TypeError, ValueError, RecursionError) as error:
            return Abnormal("garbage", f"not a reply: {well_formed(str(error))}")
        return reply


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
