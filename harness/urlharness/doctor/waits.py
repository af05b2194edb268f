"""How long lines were waited for: one of them, and the quickest of each kind."""

from __future__ import annotations

from typing import NamedTuple


class Wait(NamedTuple):
    """How long a line was waited for, in seconds, and what it is: hello or answer."""

    seconds: float = 0.0
    what: str = "answer"


class Pace(NamedTuple):
    """Seconds of the quickest start and of the quickest answer, 0 where there was none."""

    start: float = 0.0
    answer: float = 0.0

    def with_wait(self, wait: Wait) -> Pace:
        """With one more of either."""
        if wait.what == "hello":
            return self._replace(start=min(self.start or wait.seconds, wait.seconds))
        return self._replace(answer=min(self.answer or wait.seconds, wait.seconds))

    def quicker(self, other: Pace) -> Pace:
        """The quicker of each."""
        found = self
        for wait in (Wait(other.start, "hello"), Wait(other.answer)):
            found = found.with_wait(wait) if wait.seconds else found
        return found
