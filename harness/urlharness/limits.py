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


class Patience:
    """What an adapter has used up of its limits, all of its processes together; `lost` is why it is given up.

    Times are those of one clock, in seconds.
    """

    def __init__(self, limits: Limits, now: float) -> None:
        self.ends = math.inf if limits.total is None else now + limits.total
        self.lost = ""
        self._total = limits.total
        self._restarts = limits.restarts
        self._abnormal = 0
        self._hellos = 0
        self._ended = 0
        self._guilty = 0

    def count(self, place: int, got: Abnormal) -> None:
        """Count a question that ended a program, in the order of the questions; `place` is among those asked.

        The order makes the last one that is allowed the same for any window and any number of processes.
        """
        self._abnormal += 1
        self._lose(self._abnormal > self._restarts, f"; the last time: {got.detail}")
        self._hellos += got.detail == HELLO_AGAIN
        if self._hellos == self._abnormal == place + 1 == _HELLOS and not self.lost:
            self.lost = HELLO_AGAIN

    def ended(self, why: str, *, guilty: bool) -> None:
        """Count a program that had to be ended, for the fault of a question or not.

        Until a guilty question is found it takes up to two more ends, for which nobody is to blame.  What
        goes beyond is the noise of a program that answers and then breaks.
        """
        self._ended += 1
        self._guilty += guilty
        noise = self._ended - 3 * self._guilty > self._restarts + 2
        self._lose(noise, f", and no question is to blame; the last time: {why}")

    def look(self, now: float) -> None:
        """Raises AdapterDead where the adapter is given up, or the time for all cases is over."""
        if now >= self.ends and not self.lost:
            self.lost = f"the {self._total:g} s for all cases were over"
        if self.lost:
            raise AdapterDead(self.lost)

    def _lose(self, beyond: bool, more: str = "") -> None:
        if beyond and not self.lost:
            self.lost = f"it had to be started again more than {self._restarts} times{more}"


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
