"""Timeouts, the restart budget, abnormal outcomes, interrupts, and the environment of adapters."""

from __future__ import annotations

import math
import os
import signal
from types import FrameType
from typing import Annotated, Literal, NamedTuple

import msgspec

#: The range of timeouts in seconds, which the clocks and timers of every platform accept.
LEAST_SECONDS = 0.001
MOST_SECONDS = 1_000_000

#: The most processes in which an adapter is asked.
MOST_JOBS = 256

#: The numbers that users set.
Seconds = Annotated[float, msgspec.Meta(ge=LEAST_SECONDS, le=MOST_SECONDS)]
Jobs = Annotated[int, msgspec.Meta(ge=1, le=MOST_JOBS)]
AtLeastOne = Annotated[int, msgspec.Meta(ge=1)]

#: The detail of a question that got a hello instead of a reply.
HELLO_AGAIN = "it says hello twice"

#: An adapter is given up if each of its first 3 questions gets a hello.
_HELLOS = 3

_KEPT_VARIABLES = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "JAVA_HOME", "XDG_CACHE_HOME")


class Abnormal(NamedTuple):
    """The result of a question without a valid answer; `stderr` is the end of the adapter's stderr."""

    outcome: Literal["timeout", "crash", "garbage", "no-answer", "aborted"]
    detail: str
    stderr: str = ""


class AdapterDead(Exception):
    """The adapter cannot be started, does not say hello, or is given up; the message says why.

    `stderr` is the end of what the adapter wrote there if it was started but did not say hello.
    """

    def __init__(self, message: str, stderr: str = "") -> None:
        super().__init__(message)
        self.stderr = stderr


class Limits(NamedTuple):
    """The limits of an adapter.

    Three are times in seconds: `start` until the hello, `case` for one case, `total` from the first start to
    the end of all cases (None means no limit). `restarts` is the restart budget. `jobs` processes share the
    questions.
    """

    start: float = 30.0
    case: float = 5.0
    restarts: int = 300
    total: float | None = None
    jobs: int = 1

    @property
    def unusual(self) -> tuple[float | None, float | None]:
        """The seconds for one case and for the start, each None if it is the default."""
        case = None if self.case == USUAL.case else self.case
        return case, None if self.start == USUAL.start else self.start


#: The default limits.
USUAL = Limits()


class Budget:
    """Counts how much of its limits an adapter has used, in all its processes.

    `exhausted` says why the adapter is given up, or is empty. All times are seconds of one clock.
    """

    def __init__(self, limits: Limits, now: float) -> None:
        self.deadline = math.inf if limits.total is None else now + limits.total
        self.exhausted = ""
        self._total = limits.total
        self._restarts = limits.restarts
        self._abnormal = 0
        self._hellos = 0
        self._ended = 0
        self._blamed = 0

    def count_abnormal(self, index: int, result: Abnormal) -> None:
        """Count a question that ended the process.

        Call this in the order of the questions: then the adapter is given up at the same question for every
        window and number of processes.
        """
        self._abnormal += 1
        self._exhaust(self._abnormal > self._restarts, f"; the last time: {result.detail}")
        self._hellos += result.detail == HELLO_AGAIN
        if self._hellos == self._abnormal == index + 1 == _HELLOS and not self.exhausted:
            self.exhausted = HELLO_AGAIN

    def count_end(self, reason: str, *, blamed: bool) -> None:
        """Count a process that had to be ended; `blamed` is true if a question is to blame.

        A blamed question explains up to three ends, because isolating it may end the process twice more. Any
        further ends are caused by a program that breaks after answering.
        """
        self._ended += 1
        self._blamed += blamed
        unexplained = self._ended - 3 * self._blamed
        why = f", and no question is to blame; the last time: {reason}"
        self._exhaust(unexplained > self._restarts + 2, why)

    def check(self, now: float) -> None:
        """Raise AdapterDead if the adapter is given up or the time for all cases is over."""
        if now >= self.deadline and not self.exhausted:
            self.exhausted = f"the time limit of {self._total:g} s for all cases was reached"
        if self.exhausted:
            raise AdapterDead(self.exhausted)

    def _exhaust(self, exceeded: bool, more: str) -> None:
        if exceeded and not self.exhausted:
            self.exhausted = f"it had to be started again more than {self._restarts} times{more}"


class Interrupted(KeyboardInterrupt):
    """Raised if a signal, such as Ctrl-C, ends the command; libraries raise only KeyboardInterrupt."""


def interrupt(_number: int, _frame: FrameType | None) -> None:
    """Raise Interrupted; this function is the handler of a signal."""
    raise Interrupted


def raise_interrupted() -> None:
    """Make Ctrl-C raise Interrupted, unless it has another handler or is ignored.

    Call this in the main thread.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupt)


def environment() -> dict[str, str]:
    """Return the few environment variables of this process that adapter programs get."""
    return {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
