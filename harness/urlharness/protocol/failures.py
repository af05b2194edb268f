"""How asking an adapter fails: no valid answer to a question, or an adapter that can be asked no more."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

from urlharness.protocol.limits import Limits

#: The detail of the result if an adapter answers a question with a hello instead of a reply.
HELLO_AGAIN = "it says hello twice"

#: An adapter is given up if it answers each of its first 3 questions with a hello.
_HELLOS = 3


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


class Interrupted(KeyboardInterrupt):
    """A signal, such as that of Ctrl-C, ends the command.

    Libraries raise only KeyboardInterrupt, so handlers can distinguish the two.
    """


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
        self._exhaust_if(self._abnormal > self._restarts, f"; the last time: {result.detail}")
        self._hellos += result.detail == HELLO_AGAIN
        # each question so far was answered with a hello
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
        explanation = f", and no question is to blame; the last time: {reason}"
        # the last two ends may still turn out to be those of a question
        self._exhaust_if(unexplained > self._restarts + 2, explanation)

    def check(self, now: float) -> None:
        """Raise AdapterDead if the adapter is given up, or if the time for all cases has run out."""
        if now >= self.deadline and not self.exhausted:
            self.exhausted = f"the time limit of {self._total:g} s for all cases was reached"
        if self.exhausted:
            raise AdapterDead(self.exhausted)

    def _exhaust_if(self, exceeded: bool, explanation: str) -> None:
        """Give the adapter up if its restarts are exceeded. The first reason stays."""
        if exceeded and not self.exhausted:
            self.exhausted = f"it had to be started again more than {self._restarts} times{explanation}"
