"""Answers held back until no wrong id can put them in doubt any more.

An adapter that gives an answer the id of another question does so while that one is in flight, and is found
out when the reply to that other question comes.  So an answer is sure when all that was in flight beside it
is answered, and something that was asked later too.  Where one question is in flight at a time, it is sure
at once.
"""

from __future__ import annotations

from collections.abc import Sequence

from urlharness.protocol import Reply
from urlharness.settling import Item, Settled


class Held:
    """The answers of one process that are not sure yet."""

    def __init__(self) -> None:
        #: Answers with their questions, as they come.
        self.latest: list[tuple[Item, Reply]] = []
        self._earlier: list[tuple[Item, Reply]] = []
        self._mark = 0  # the earlier ones came before any id from here on was used

    def sure(self, oldest: int, beyond: int) -> Sequence[Settled]:
        """The answers that have become sure; `oldest` is the id of the oldest question that is open.

        `beyond` is above every id that was used, and not above any other; it is `oldest` where none is open.
        """
        if oldest < self._mark or not self.latest:
            return ()
        ripe, self._earlier, self.latest = self._earlier, self.latest, []
        self._mark = beyond
        return _settled(ripe)

    def release(self) -> list[Settled]:
        """All answers: nothing speaks against them."""
        ripe = _settled(self._earlier + self.latest)
        self.clear()
        return ripe

    def latest_alone(self) -> list[Settled]:
        """The latest answer, which came while nothing else was in flight; it is kept no longer."""
        return _settled([self.latest.pop()]) if self.latest else []

    def doubt(self) -> list[Item]:
        """The questions whose answers cannot be trusted; the answers are forgotten."""
        items = [item for item, _ in self._earlier + self.latest]
        self.clear()
        return items

    def clear(self) -> None:
        """Forget all answers."""
        self.latest, self._earlier = [], []


def _settled(answers: Sequence[tuple[Item, Reply]]) -> list[Settled]:
    return [(item[0], reply) for item, reply in answers]
