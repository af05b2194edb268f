"""The cases of one adapter divided among several processes, and its answers as if there were one.

Each process takes the next questions when it has room for them; the answers come back in the order of the
questions.  Which process answers is left to chance, and tells for no adapter whose answers depend on nothing
but the question.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from urlharness.adapters.registry import BUNDLED, InProcess, ProgramPerCase
from urlharness.limits import AdapterDead, Limits, Patience
from urlharness.percase import ProgramRuns
from urlharness.process import Watch
from urlharness.protocol import Hello, Question
from urlharness.serve import abnormality
from urlharness.session import Session
from urlharness.settling import Settled, settle
from urlharness.starting import not_served
from urlharness.wiretap import tapped

_ENDLESS = sys.maxsize
_SERVE = "import sys; sys.path[:] = {path!a}; sys.argv[1:] = {words!a}; import urlharness.cli as c; c.main()"


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


class Apart:
    """A function in processes of its own: what they say that it did is its outcome, and ended none."""

    def __init__(self, asker: Session | Shards) -> None:
        self.hello: Hello = asker.hello
        self._asker = asker

    @property
    def restarts(self) -> int:
        """How often a process had to be started again."""
        return self._asker.restarts

    def ask(self, questions: Iterable[Question]) -> Iterator[Settled]:
        """What became of each question, by its place, in the order of the questions."""
        for place, got in self._asker.ask(questions):
            yield place, got if isinstance(got, tuple) else abnormality(got) or got

    def close(self) -> None:
        """End every process."""
        self._asker.close()


class _Serving(Session):
    """A session with a child process of ours, which says itself why it serves nothing."""

    def _dead(self, reason: str, status: int | None = None) -> AdapterDead:
        dead = super()._dead(reason)  # without a status: what hints at a program is none at a function
        return AdapterDead(not_served(status, dead.stderr) or str(dead), dead.stderr)


def sessions(
    command: Sequence[str],
    limits: Limits,
    harness: str,
    folder: Path | None = None,
    kind: type[Session] = Session,
) -> Session | Shards:
    """A session with a program, or as many as `limits.jobs` says; raises AdapterDead.

    Only the first is started at once, and the others when there is something to ask.  They run in `folder`,
    or in the current one.
    """
    first = kind(command, limits, harness, folder=folder)
    if limits.jobs == 1:
        return first
    more = [kind(command, limits, harness, first, folder) for _ in range(limits.jobs - 1)]
    return Shards([first, *more], first.patience, first.watch)


def served(adapter: InProcess, limits: Limits, harness: str) -> Session | Shards | Apart | None:
    """An in-process adapter in processes of its own; None where it is a value here that no name leads to.

    It is not given up, however many questions end it: as in this process.  Raises AdapterDead.
    """
    if BUNDLED.get(adapter.name) is not adapter and not adapter.apart:
        return None
    command = serving(adapter)
    if adapter.record is not None:
        command = tapped(adapter.record, command)
    asker = sessions(command, limits._replace(restarts=_ENDLESS), harness, kind=_Serving)
    return Apart(asker) if adapter.apart else asker


def serving(adapter: InProcess) -> list[str]:
    """The command of a child process that serves it; that one imports from where this process does."""
    path = [str(entry) for entry in sys.path]
    if adapter.folder is not None:  # the current one stands last, for it would be put first otherwise
        path = [str(adapter.folder), *path, str(Path.cwd())]
    words = ["serve", adapter.name]
    if adapter.apart:
        words.append("--apart")
    return [sys.executable, "-c", _SERVE.format(path=path, words=words)]


def programs(adapter: ProgramPerCase, limits: Limits) -> Shards:
    """A program per case, as many at a time as `limits.jobs` says; raises AdapterDead."""
    watch = Watch()
    runs = [
        ProgramRuns(adapter.name, adapter.command, limits, watch, adapter.folder) for _ in range(limits.jobs)
    ]
    return Shards(runs, Patience(limits._replace(restarts=_ENDLESS), watch.now()), watch)
