"""Timeouts, the restart budget, abnormal outcomes, interrupts, and the environment of adapters."""

from __future__ import annotations

import math
import os
import signal
from types import FrameType
from typing import Annotated, Literal, NamedTuple

import msgspec

#: The minimum and the maximum of timeouts in seconds. Clocks and timers of every platform accept this range.
LEAST_SECONDS = 0.001
MOST_SECONDS = 1_000_000

#: The maximum number of processes in which an adapter is asked.
MOST_JOBS = 256

#: The numbers that users set.
Seconds = Annotated[float, msgspec.Meta(ge=LEAST_SECONDS, le=MOST_SECONDS)]
Jobs = Annotated[int, msgspec.Meta(ge=1, le=MOST_JOBS)]
AtLeastOne = Annotated[int, msgspec.Meta(ge=1)]

#: The detail of the result if an adapter answers a question with a hello instead of a reply.
HELLO_AGAIN = "it says hello twice"

#: An adapter is given up if it answers each of its first 3 questions with a hello.
_HELLOS = 3

#: The variables that an adapter program gets.
_KEPT_VARIABLES = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "JAVA_HOME", "XDG_CACHE_HOME")

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


class Abnormal(NamedTuple):
    """The result of a question without a valid answer.

    `stderr` is the end of what the adapter wrote to stderr.
    """

    outcome: Literal["timeout", "crash", "garbage", "no-answer", "aborted"]
    detail: str
    stderr: str = ""


class AdapterDead(Exception):
    """The adapter cannot be started, does not say hello, or is given up. The message says why.

    If the adapter was started but did not say hello, `stderr` is the end of what it wrote to stderr.
    """

    def __init__(self, message: str, stderr: str = "") -> None:
        super().__init__(message)
        self.stderr = stderr


class Limits(NamedTuple):
    """The limits of an adapter.

    Three limits are times in seconds: `start` until the hello, `case` for one case, and `total` from the
    first start to the end of all cases (None: no limit). `restarts` is the restart budget. `jobs` is the
    number of processes that share the questions.
    """

    start: float = 30.0
    case: float = 5.0
    restarts: int = 300
    total: float | None = None
    jobs: int = 1

    @property
    def unusual(self) -> tuple[float | None, float | None]:
        """(Seconds for one case, seconds for the start). A number that is the default is None."""
        case = None if self.case == USUAL.case else self.case
        return case, None if self.start == USUAL.start else self.start


#: The default limits.
USUAL = Limits()


class Budget:
    """Counts how much of its limits an adapter has used, in all its processes together.

    `exhausted` is the reason why the adapter is given up, or empty if it is not. All times are seconds of the
    same clock.
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
        """Count a question that ended the process. `index` is the number of the question, from 0.

        Call this method in the order of the questions. Then the adapter is given up at the same question,
        whatever the window and the number of processes are.
        """
        self._abnormal += 1
        self._exhaust(self._abnormal > self._restarts, f"; the last time: {result.detail}")
        self._hellos += result.detail == HELLO_AGAIN
        if self._hellos == self._abnormal == index + 1 == _HELLOS and not self.exhausted:
            self.exhausted = HELLO_AGAIN

    def count_end(self, reason: str, *, blamed: bool) -> None:
        """Count a process that had to be ended. `blamed` is True if a question is to blame.

        A blamed question explains up to three ends, because a session may have to end the process twice more
        to isolate the question. Further ends mean that the program breaks after it has answered.
        """
        self._ended += 1
        self._blamed += blamed
        unexplained = self._ended - 3 * self._blamed
        why = f", and no question is to blame; the last time: {reason}"
        self._exhaust(unexplained > self._restarts + 2, why)

    def check(self, now: float) -> None:
        """Raise AdapterDead if the adapter is given up, or if the time for all cases has run out."""
        if now >= self.deadline and not self.exhausted:
            self.exhausted = f"the time limit of {self._total:g} s for all cases was reached"
        if self.exhausted:
            raise AdapterDead(self.exhausted)

    def _exhaust(self, exceeded: bool, more: str) -> None:
        if exceeded and not self.exhausted:
            self.exhausted = f"it had to be started again more than {self._restarts} times{more}"


class Interrupted(KeyboardInterrupt):
    """A signal, such as that of Ctrl-C, ends the command.

    Libraries raise only KeyboardInterrupt, so handlers can distinguish the two.
    """


def interrupt(_number: int, _frame: FrameType | None) -> None:
    """Handle a signal: raise Interrupted."""
    raise Interrupted


def raise_interrupted() -> None:
    """Make Ctrl-C raise Interrupted, unless this process handles it in another way or ignores it.

    Call this in the main thread.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupt)


def environment(*, interpreter: bool = False) -> dict[str, str]:
    """Return the environment for adapter programs: a few variables of this process.

    If `interpreter` is true, the program is the Python interpreter of this process, and also gets the
    variables that the interpreter needs to start.
    """
    names = (*_KEPT_VARIABLES, *_INTERPRETER_VARIABLES) if interpreter else _KEPT_VARIABLES
    return {name: os.environ[name] for name in names if name in os.environ}
