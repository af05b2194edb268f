"""Timeouts, restart budget, abnormal outcomes, interrupts."""

from __future__ import annotations

import math
import os
import signal
from types import FrameType
from typing import Annotated, Literal, NamedTuple

import msgspec

# -------------------- limits: How far an adapter may go, how far that may be set, and what becomes of a question where it goes further.


class Abnormal(NamedTuple):
    """What happened instead of an answer, and the last of what the adapter wrote on stderr."""

    outcome: Literal["timeout", "crash", "garbage", "no-answer", "aborted"]
    detail: str
    stderr: str = ""


#: Seconds that a limit may have: the clocks and timers of every platform take them.
LEAST_SECONDS = 0.001


MOST_SECONDS = 1_000_000


#: In so many processes an adapter may be asked.
MOST_JOBS = 256


#: What becomes of a question where a hello came in place of a reply.
HELLO_AGAIN = "it says hello twice"


_HELLOS = 3  # so many first questions, and it is given up: it does so whenever it is started


class AdapterDead(Exception):
    """An adapter that cannot be started, does not say hello, or is given up; the message says why.

    `stderr` is the last of what it wrote there, where it was started and said no hello.
    """

    def __init__(self, message: str, stderr: str = "") -> None:
        super().__init__(message)
        self.stderr = stderr


class Limits(NamedTuple):
    """Seconds for the start, for one case and for all of them; how often it may be started again; processes.

    `total` counts from the first start; None is no limit.  `jobs` is how many processes share the questions.
    """

    start: float = 30.0
    case: float = 5.0
    restarts: int = 300
    total: float | None = None
    jobs: int = 1

    @property
    def unusual(self) -> tuple[float | None, float | None]:
        """The seconds for one case and for the start, each None where it is the usual one."""
        case = None if self.case == USUAL.case else self.case
        return case, None if self.start == USUAL.start else self.start


#: What an adapter has where nothing is said.
USUAL = Limits()


class Budget:
    """What an adapter has used of its limits, all its processes together.

    `exhausted` is the reason why the adapter is given up, or an empty string. Times are seconds of one clock.
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
        """Count a question that ended its process; call this in the order of the questions.

        The order makes the last question before giving up the same for any window and any number of processes.
        """
        self._abnormal += 1
        self._exhaust(self._abnormal > self._restarts, f"; the last time: {result.detail}")
        self._hellos += result.detail == HELLO_AGAIN
        if self._hellos == self._abnormal == index + 1 == _HELLOS and not self.exhausted:
            self.exhausted = HELLO_AGAIN

    def count_end(self, reason: str, *, blamed: bool) -> None:
        """Count a process that had to be ended; `blamed` if a question is to blame for it.

        Each blamed question may cost two more ends until it is isolated. Ends beyond that come from a program
        that breaks after it has answered.
        """
        self._ended += 1
        self._blamed += blamed
        unexplained = self._ended - 3 * self._blamed
        why = f", and no question is to blame; the last time: {reason}"
        self._exhaust(unexplained > self._restarts + 2, why)

    def check(self, now: float) -> None:
        """Raise AdapterDead if the adapter is given up or the time for all cases is over."""
        if now >= self.deadline and not self.exhausted:
            self.exhausted = f"the {self._total:g} s for all cases were over"
        if self.exhausted:
            raise AdapterDead(self.exhausted)

    def _exhaust(self, exceeded: bool, more: str) -> None:
        if exceeded and not self.exhausted:
            self.exhausted = f"it had to be started again more than {self._restarts} times{more}"


# -------------------- facts: The facts of a case that a score depends on: a million cases are counted as a few kinds.


Seconds = Annotated[float, msgspec.Meta(ge=LEAST_SECONDS, le=MOST_SECONDS)]


# -------------------- interrupts: An interrupt that comes from outside, as against one that a library raises by itself.


class Interrupted(KeyboardInterrupt):
    """A signal that ends the command, such as that of Ctrl-C."""


def interrupt(_number: int, _frame: FrameType | None) -> None:
    """End the command: the handler of a signal."""
    raise Interrupted


def tell_interrupts() -> None:
    """From now on Ctrl-C raises Interrupted, unless it is taken or ignored; for the main thread."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupt)


# -------------------- process: A child process in a group of its own: lines in and out without blocking, an end that can be told apart.


_KEPT_VARIABLES = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "JAVA_HOME", "XDG_CACHE_HOME")


def environment() -> dict[str, str]:
    """The environment of every adapter program: what of this one is kept."""
    return {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
