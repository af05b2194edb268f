"""The cases of one adapter divided among several processes, and its answers as if there were one.

Each process takes the next questions when it has room for them; the answers come back in the order of the
questions.  Which process answers is left to chance, and tells for no adapter whose answers depend on nothing
but the question.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence

from urlharness.adapters.registry import BUNDLED, InProcess, ProgramPerCase
from urlharness.limits import Limits, Patience
from urlharness.percase import ProgramRuns
from urlharness.process import Watch
from urlharness.protocol import Question
from urlharness.session import Session
from urlharness.settling import Settled, settle

_ENDLESS = sys.maxsize
_SERVE = "import sys; sys.path[:] = {path!r}; from urlharness.cli import main; main()"


class Shards:
    """Conversations with several processes of one adapter, behind the face of one."""

    def __init__(
        self, conversations: Sequence[Session] | Sequence[ProgramRuns], patience: Patience, watch: Watch
    ) -> None:
        self.hello = conversations[0].hello
        self._conversations = conversations
        self._patience = patience
        self._watch = watch

    @property
    def restarts(self) -> int:
        """How often a program had to be started again."""
        return sum(one.restarts for one in self._conversations)

    def ask(self, questions: Iterable[Question]) -> Iterator[Settled]:
        """What became of each question, by its place, in the order of the questions."""
        return settle(self._conversations, questions, self._patience, self._watch)

    def close(self) -> None:
        """End every process."""
        for one in self._conversations:
            one.close()


def sessions(command: Sequence[str], limits: Limits, harness: str) -> Session | Shards:
    """A session with a program, or as many as `limits.jobs` says; raises AdapterDead.

    Only the first is started at once, and the others when there is something to ask.
    """
    first = Session(command, limits, harness)
    if limits.jobs == 1:
        return first
    more = [Session(command, limits, harness, first) for _ in range(limits.jobs - 1)]
    return Shards([first, *more], first.patience, first.watch)


def served(adapter: InProcess, limits: Limits, harness: str) -> Session | Shards | None:
    """An in-process adapter in processes of its own; None where it is a value here that no name leads to.

    They import from where this process does.  It is not given up, however many questions end it: as in this
    process.
    """
    if BUNDLED.get(adapter.name) is not adapter and not adapter.name.startswith("python:"):
        return None
    command = [sys.executable, "-c", _SERVE.format(path=sys.path), "serve", adapter.name]
    return sessions(command, limits._replace(restarts=_ENDLESS), harness)


def programs(adapter: ProgramPerCase, limits: Limits) -> Shards:
    """A program per case, as many at a time as `limits.jobs` says; raises AdapterDead."""
    watch = Watch()
    runs = [ProgramRuns(adapter.name, adapter.command, limits, watch) for _ in range(limits.jobs)]
    return Shards(runs, Patience(limits._replace(restarts=_ENDLESS), watch.now()), watch)
