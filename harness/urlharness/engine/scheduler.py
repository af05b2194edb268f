"""Questions dealt out to one conversation or several, and what became of them brought back in their order."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from itertools import islice
from operator import length_hint
from typing import Protocol

from urlharness.engine.process import Watch
from urlharness.limits import Abnormal, AdapterDead, Patience
from urlharness.protocol.messages import Question, Reply

#: How far questions may be asked ahead of the oldest that is open, so that what waits for it stays small.
REACH = 1 << 16


#: Octets of replies that wait for the oldest: above them no question is asked any more.
HELD = 1 << 25


#: Times as much, and what is in flight is given up and asked again one at a time, the oldest first.
OVERFULL = 4


#: Replies of so few octets are not counted: as many as there may be stay below `HELD` too.
LIGHT = 512


_UNKNOWN = 1 << 62


#: A question behind its place among the questions.
Item = tuple[int, Question]


Settled = tuple[int, Reply | Abnormal]


Steps = Generator[Sequence[Settled], None, None]


class Supply:
    """The questions that are still to be asked; `floor` is the oldest that is open.

    `heavy` has the octets of each reply that waits for it, by the place of its question, unless they are few.
    """

    def __init__(self, questions: Iterable[Question], conversations: int = 1) -> None:
        self.floor = 0
        self.dealt = 0
        self.done = False  # nothing is left to be dealt
        self.heavy: dict[int, int] = {}
        self._held = 0  # octets of them together
        self._narrow = False
        # whoever takes the last questions keeps the others waiting: a quarter of a part at once is enough
        count = length_hint(questions, _UNKNOWN)
        self._share = _UNKNOWN if conversations == 1 else max(1, count // (4 * conversations))
        self._questions = enumerate(questions)

    def window(self, window: int) -> int:
        """How many questions one conversation may have in flight, where its adapter takes so many."""
        return 1 if self._narrow else min(window, self._share)

    def hold(self, place: int, octets: int) -> None:
        """Count a reply that waits."""
        self._held += octets - self.heavy.get(place, 0)
        self.heavy[place] = octets

    def let_go(self, place: int) -> None:
        """Count a reply no more."""
        self._held -= self.heavy.pop(place, 0)

    def overfull(self) -> bool:
        """True where so much waits that from now on one question may be in flight in each conversation."""
        full = self._held > OVERFULL * HELD
        self._narrow |= full
        return full

    def take(self, count: int) -> list[Item]:
        """So many questions, or fewer: because none is left, or because too much waits for the oldest one."""
        count = min(count, REACH - (self.dealt - self.floor)) if self._held <= HELD else 0
        items = list(islice(self._questions, count))
        self.dealt += len(items)
        self.done = self.done or len(items) < count
        return items

    def rest(self) -> Iterator[int]:
        """The places of all questions that are not settled."""
        yield from range(self.floor, self.dealt)
        yield from (place for place, _ in self._questions)


class Conversation(Protocol):
    """What settles questions with one process."""

    @property
    def deadline(self) -> float:
        """When its next step is due, whatever the pipes say."""

    @property
    def nap(self) -> float:
        """Seconds after which its next step is due."""

    def unsaid(self) -> Sequence[Settled]:
        """What it had settled and held back when its steps were closed; it is kept no longer."""

    def steps(self, supply: Supply) -> Steps:
        """Settle questions: after each step what it settled; a step never waits.

        Raises AdapterDead where the program is not to be had any more.  When it is closed early, what is in
        flight is given up.
        """


def schedule(
    conversations: Sequence[Conversation], questions: Iterable[Question], patience: Patience, watch: Watch
) -> Iterator[Settled]:
    """What became of each question, by its place, in the order of the questions.

    Once the adapter is given up, whatever is not settled is aborted.
    """
    supply = Supply(questions, len(conversations))
    early: dict[int, Reply | Abnormal] = {}
    running = [one.steps(supply) for one in conversations]
    try:
        patience.look(watch.now())
        while running:
            moved = _step(running, early)
            yield from _in_order(early, supply, patience)
            if running:
                patience.look(watch.now())
                watch.wait(0.0 if moved else _pause(conversations, patience, watch.now()))
    except AdapterDead as dead:
        patience.lost = str(dead)
    finally:
        for steps in running:
            steps.close()
        for one in conversations:
            early.update(one.unsaid())
    for place in supply.rest():
        yield place, early.pop(place) if place in early else Abnormal("aborted", patience.lost)


def _step(running: list[Steps], early: dict[int, Reply | Abnormal]) -> bool:
    """One step of each conversation, until it has no more; True where something was settled."""
    moved = False
    for steps in tuple(running):
        settled = next(steps, None)
        if settled is None:
            running.remove(steps)
        elif settled:
            early.update(settled)
            moved = True
    return moved


def _in_order(early: dict[int, Reply | Abnormal], supply: Supply, patience: Patience) -> Iterator[Settled]:
    """What is settled and has nothing open before it."""
    while supply.floor in early:
        got = early.pop(supply.floor)
        if supply.heavy:
            supply.let_go(supply.floor)
        supply.floor += 1
        yield supply.floor - 1, got
        if type(got) is Abnormal:
            patience.count(supply.floor - 1, got)
            if patience.lost:  # nothing beyond it is kept, as if it had not been asked
                early.clear()


def _pause(conversations: Sequence[Conversation], patience: Patience, now: float) -> float:
    """Seconds until the next step is due even where no pipe is ready."""
    due = min(patience.ends, *(one.deadline for one in conversations))
    return min(due - now, *(one.nap for one in conversations))
