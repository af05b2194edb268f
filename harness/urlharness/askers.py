"""One way to ask every kind of adapter: open it, read its hello, put questions, take replies."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator, Sequence
from types import FrameType
from typing import Any, Protocol

import msgspec

from urlharness.adapters.registry import Adapter, InProcess, Program, ProgramPerCase
from urlharness.operations import OPERATIONS
from urlharness.process import environment, signal_name
from urlharness.protocol import Hello, Implementation, Question, Reply, encode, well_formed
from urlharness.session import Abnormal, AdapterDead, Limits, Session


class Asker(Protocol):
    """An adapter that has said hello."""

    hello: Hello

    @property
    def restarts(self) -> int:
        """How often it had to be started again."""

    def ask(self, questions: Sequence[Question]) -> Iterator[tuple[int, Reply | Abnormal]]:
        """The reply to each question, by its index."""

    def close(self) -> None:
        """End it."""


def open_adapter(adapter: Adapter, limits: Limits, harness: str) -> Asker:
    """Start an adapter; raises NotInstalled, UnknownAdapter and AdapterDead."""
    match adapter:
        case InProcess():
            return _FunctionAsker(adapter, limits)
        case Program():
            return Session(adapter.command(), limits, harness)
        case ProgramPerCase():
            return _CommandAsker(adapter, limits)


class _Late(BaseException):
    """Raised inside a function that takes too long; no library catches it by accident."""


class _OneByOne:
    """What settles one question at a time, and has no process to keep alive between them."""

    restarts = 0

    def ask(self, questions: Sequence[Question]) -> Iterator[tuple[int, Reply | Abnormal]]:
        for index, question in enumerate(questions):
            yield index, self._settle(question)

    def close(self) -> None:
        pass

    def _settle(self, question: Question) -> Reply | Abnormal:
        raise NotImplementedError


class _FunctionAsker(_OneByOne):
    def __init__(self, adapter: InProcess, limits: Limits) -> None:
        hello, self._answer = adapter.load()
        self._seconds = limits.case
        try:
            self.hello = msgspec.convert({**hello, "type": "hello"}, Hello)
            encode(self.hello)
        except (msgspec.ValidationError, TypeError, ValueError) as error:
            raise AdapterDead(f"its hello is not one: {error}") from None

    def _settle(self, question: Question) -> Reply | Abnormal:
        asked = msgspec.to_builtins(question)
        asked.pop("id", None)
        try:
            with _time_limit(self._seconds):
                answer = self._answer(asked)
        except _Late:
            return Abnormal("timeout", f"no answer within {self._seconds:g} s")
        except SystemExit as end:
            return Abnormal("crash", f"it called exit({end.code!r})")
        except Exception as error:  # noqa: BLE001 - whatever the library raises is its answer
            return Reply(0, "error", well_formed(f"{type(error).__name__}: {error}"))
        try:
            reply = msgspec.convert({**answer, "id": 0}, Reply)
            encode(reply)
        except (msgspec.ValidationError, TypeError, ValueError) as error:
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


class _CommandAsker(_OneByOne):
    """A program per case: exit 0 and an answer on stdout accepts, 1 rejects, 3 is unsupported."""

    def __init__(self, adapter: ProgramPerCase, limits: Limits) -> None:
        self._command = adapter.command
        if shutil.which(self._command[0]) is None:
            raise AdapterDead(f"{self._command[0]}: no such program")
        self._seconds = limits.case
        self.hello = Hello(
            protocol=1,
            implementation=Implementation(adapter.name, "unknown"),
            ops=list(OPERATIONS),
            specs=[],
            features=["absent-vs-empty"],
        )

    def _settle(self, question: Question) -> Reply | Abnormal:
        asked = msgspec.to_builtins(question)
        asked.pop("id", None)
        try:
            child = subprocess.Popen(  # noqa: S603 - a command that the user named, and no shell
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment(),
                start_new_session=True,
            )
        except OSError as error:
            return Abnormal("aborted", f"{self._command[0]}: {error.strerror}")
        try:
            out, err = child.communicate(json.dumps(asked).encode() + b"\n", timeout=self._seconds)
        except subprocess.TimeoutExpired:
            return Abnormal("timeout", f"no answer within {self._seconds:g} s")
        finally:
            _end(child)
        return _settled(child.returncode, out, err[-4096:].decode("utf-8", "replace"))


def _end(child: subprocess.Popen[bytes]) -> None:
    """End a program and what it left running, without waiting for those that hold its output open."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    for stream in (child.stdin, child.stdout, child.stderr):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()
    child.wait()


def _settled(status: int, out: bytes, err: str) -> Reply | Abnormal:
    """The reply that an exit status and the output of a program stand for."""
    message = err.strip().splitlines()[-1] if err.strip() else ""
    match status:
        case 0:
            try:
                answer: dict[str, Any] = msgspec.json.decode(out, type=dict) if out.strip() else {}
                return msgspec.convert({"status": "ok", **answer, "id": 0}, Reply)
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                return Abnormal("garbage", f"not an answer: {error}", err)
        case 1:
            return Reply(0, "reject", message)
        case 3:
            return Reply(0, "unsupported", message)
        case _:
            what = f"exit code {status}" if status > 0 else f"killed by {signal_name(-status)}"
            return Abnormal("crash", what, err)
