"""One adapter process: pipelining, matching by id, isolating the culprit, restart."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from operator import itemgetter
from pathlib import Path

import msgspec

from urlharness.engine.diagnosis import ended, kept, not_started, telling_line
from urlharness.engine.process import Failure, Process, Watch
from urlharness.engine.scheduler import LIGHT, Item, Settled, Steps, Supply, schedule
from urlharness.jsonio import ascii_line, ascii_lines
from urlharness.limits import Abnormal, AdapterDead, Limits, Patience
from urlharness.protocol.errors import NO_REPLY, no_hello, no_reply, stray
from urlharness.protocol.messages import (
    PROTOCOL,
    Bye,
    HarnessHello,
    Hello,
    Question,
    Reply,
    decode_hello,
    decode_reply,
    ids,
)

# -------------------- holding: Answers held back until no wrong id can put them in doubt any more.


class UnconfirmedReplies:
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


# -------------------- session: A session with an adapter program: questions pipelined over pipes, answers matched by id.


_QUEUED = 1 << 18  # octets that wait to be written: an adapter that reads nothing is sent no more


_AT_ONCE = 32  # questions that are encoded before that is looked at


_replace = msgspec.structs.replace


class _Stray(Failure):
    """A reply to a question that is not open: others may have come under wrong ids as well."""


class Session:
    """One adapter program, started again as often as its limits allow."""

    def __init__(
        self,
        command: Sequence[str],
        limits: Limits,
        harness: str,
        sibling: Session | None = None,
        folder: Path | None = None,
    ) -> None:
        """Start the program in its folder, or in the current one, and read its hello; raises AdapterDead.

        A sibling is a session with the same program, whose hello, watch and patience are shared; this one is
        started when there is something to ask.
        """
        self.watch: Watch = Watch() if sibling is None else sibling.watch
        self.patience: Patience = Patience(limits, self.watch.now()) if sibling is None else sibling.patience
        self.deadline = math.inf
        self._command = list(command)
        self._limits = limits
        self._greeting = ascii_line(HarnessHello([PROTOCOL], harness))
        self._folder = folder
        self._process = Process(self._command, self.watch, folder)
        self._unread: list[bytes] = []  # what came together with the hello
        self._ids = ids()
        self._last = 0  # the id that was used last
        self._starts = 0
        self._asked = 0  # since the last start
        self._flying: dict[int, Item] = {}  # by id, oldest first
        self._held = UnconfirmedReplies()
        self._supply = Supply(())  # of what is asked
        self._before = 0  # how many of them were, when nothing was in flight
        self._alone = deque[Item]()  # to be asked one at a time
        self._isolating = False  # what is in flight was asked alone
        self._said: Hello | None = None if sibling is None else sibling.hello
        if sibling is None:
            self._await_hello()

    @property
    def hello(self) -> Hello:
        """What the program said of itself when it was first started."""
        assert self._said is not None
        return self._said

    @property
    def restarts(self) -> int:
        """How often the program had to be started again."""
        return max(0, self._starts - 1)

    @property
    def _lone(self) -> bool:
        """True where one question was put in flight, when nothing was, and none since."""
        return self._asked - self._before == 1

    @property
    def nap(self) -> float:
        """Seconds after which the next step is due, whatever the pipes say."""
        return self._process.nap

    def ask(self, questions: Iterable[Question]) -> Iterator[Settled]:
        """What became of each question, by its place, in the order of the questions."""
        return schedule([self], questions, self.patience, self.watch)

    def unsaid(self) -> Sequence[Settled]:
        """What was answered and held back when the steps were closed."""
        return self._held.release()

    def close(self) -> None:
        """Say goodbye and end the process."""
        if self._process.running:
            self._process.write(ascii_line(Bye()))
            self._process.stop()

    def steps(self, supply: Supply) -> Steps:
        """Settle questions, never waiting: after each step what it settled; raises AdapterDead."""
        settled: list[Settled] = []
        self._supply = supply
        try:
            while True:
                if not self._process.running:
                    if settled:
                        yield settled
                        settled = []
                    self._alone.extend(() if self._alone else supply.take(1))
                    if self._alone:
                        yield from self._starting()
                try:
                    self._send(supply)
                    if not self._flying:
                        settled += self._held.release()  # there is nothing that could tell more
                        if supply.done:
                            break
                    yield settled
                    settled = []
                    self._receive(settled)
                except Failure as failure:
                    settled += self._failed(failure)
        finally:
            if self._flying:  # nobody waits for the replies any more
                self._process.kill()
            self._flying.clear()
            self._alone.clear()
        if settled:
            yield settled

    def _send(self, supply: Supply) -> None:
        """Put questions in flight: one where the guilty is looked for, else many, up to the window."""
        flying, idle = self._flying, not self._flying
        if idle:
            self._before = self._asked
        if self._alone:
            if idle:
                self._isolating = True
                self._put([self._alone.popleft()])
        elif self._process.running and (idle or not self._isolating):
            self._isolating = False
            window = supply.window(self.hello.window)
            if len(flying) <= window // 2:
                while (free := window - len(flying)) > 0 and self._process.queued < _QUEUED:
                    items = supply.take(min(free, _AT_ONCE))
                    if not items:
                        break
                    self._put(items)
        if idle:
            self.deadline = self.watch.now() + self._limits.case if flying else math.inf
        self._process.flush()

    def _put(self, items: Sequence[Item]) -> None:
        numbered = list(zip(islice(self._ids, len(items)), items, strict=True))
        self._flying.update(numbered)
        self._last = numbered[-1][0]
        self._asked += len(items)
        questions = [_replace(question, id=number) for number, (_, question) in numbered]
        self._process.write(ascii_lines(questions))

    def _receive(self, settled: list[Settled]) -> None:
        """Take the replies that have come; raises Failure where none came in time, or one is no reply."""
        lines = self._read(self._limits.case)
        line = b""
        flying, held = self._flying, self._held.latest
        try:
            for line in lines:
                reply = decode_reply(line)
                item = flying.pop(reply.id)
                held.append((item, reply))
                if len(line) > LIGHT:
                    self._supply.hold(item[0], len(line))
        except NO_REPLY as error:
            raise Failure("garbage", no_reply(line, error)) from None
        except KeyError:
            raise _Stray("garbage", stray(reply.id, self._last, line)) from None
        if lines:
            self.deadline = self.watch.now() + self._limits.case
            if not flying and self._lone:
                settled += self._held.release()
            else:
                beyond = self._last + 1
                settled += self._held.sure(next(iter(flying), beyond), beyond)
            if self._supply.heavy and self._supply.overfull() and len(flying) > 1:
                raise Failure("garbage", "more than can be kept")  # for which no question is to blame

    def _read(self, seconds: float) -> list[bytes]:
        """The lines that have come, perhaps none; raises Failure where none came within so many seconds."""
        lines, self._unread = self._unread, []
        if lines or not self._process.running:
            return lines
        lines = self._process.turn()
        if not lines and self.watch.now() >= self.deadline:
            self.watch.wait(0.0)  # it may have come while nobody looked
            lines = self._process.turn(look=True)
            if not lines:
                raise self._process.overdue(seconds)
        return lines

    def _failed(self, failure: Failure) -> list[Settled]:
        """End the program; what is settled now: the answers, unless in doubt, and the question to blame.

        Where another may be to blame, what was in flight is asked again, and so is what is in doubt.
        """
        stderr = self._process.kill()
        items = list(self._flying.values())
        self._flying.clear()
        guilty = self._asked == 1 and bool(items)
        self.patience.ended(failure.detail, guilty=guilty)
        if guilty:
            return [(items[0][0], Abnormal(failure.outcome, failure.detail, kept(stderr)))]
        sure: list[Settled] = []
        if isinstance(failure, _Stray):
            if self._lone and not items:  # it was answered before anything went wrong
                sure = self._held.latest_alone()
            items = sorted(items + self._held.doubt(), key=itemgetter(0))
        self._alone.extendleft(reversed(items))
        return sure + self._held.release()

    def _await_hello(self) -> None:
        try:
            for _ in self._starting():
                due = min(self.deadline, self.patience.ends)
                self.watch.wait(min(due - self.watch.now(), self.nap))
                self.patience.look(self.watch.now())
        except BaseException:
            self._process.kill()
            raise

    def _starting(self) -> Steps:
        """Start the program and take its hello, never waiting; raises AdapterDead."""
        self.patience.look(self.watch.now())
        self._starts += 1
        self._asked = 0
        self._unread = []
        try:
            self._process.start()
        except OSError as error:
            raise AdapterDead(not_started(self._command, str(error.strerror), self._folder)) from None
        self._process.write(self._greeting)
        self._process.flush()
        self.deadline = self.watch.now() + self._limits.start
        lines: list[bytes] = []
        try:
            while not lines:
                yield ()
                lines = self._read(self._limits.start)
            said = decode_hello(lines[0])
        except Failure as failure:
            raise self._dead(f"no hello: {failure.detail}", failure.status) from None
        except NO_REPLY as error:
            raise self._dead(no_hello(lines[0], error)) from None
        except GeneratorExit:
            self._process.kill()
            raise
        self._unread = lines[1:]
        self._said = self._said or said

    def _dead(self, reason: str, status: int | None = None) -> AdapterDead:
        stderr = self._process.kill()
        wrote = f"; it wrote: {telling_line(stderr)}" if stderr.strip() else ""
        hint = "" if status is None else ended(self._command, status, self._folder)
        return AdapterDead(f"{reason}{wrote}{hint}", stderr)
