"""A session with one adapter program. Questions are pipelined, but a fault in one never affects another.

The guarantee: if an adapter mistreats one question, every other question still gets the result that it would
get from a well-behaved adapter. A hang, a crash, or a reply that is late, invalid, missing or has a wrong id
never changes the verdict on another case. Five rules ensure this.

1. A reply belongs to the question with the same id, whatever the order of replies. No id is used twice, not
   even after a restart. Therefore a late reply never belongs to a later question. Ids rise in random steps.
   Therefore an adapter that counts, or adds to an id, does not produce the id of another question by
   accident.
2. A reply to a question that was asked alone is final. All other replies are held back until nothing is in
   flight, because an adapter that loses one answer may send later answers with the ids of other questions.
   From time to time, the session stops sending until nothing is in flight.
3. A crash, a timeout or garbage ends the process group. If several questions were in flight, any of them may
   have caused the failure, so none is blamed. The session asks these questions again, one at a time, oldest
   first. It also repeats all questions whose replies arrived after the last moment when nothing was in
   flight.
4. A question is blamed only if a fresh process was asked no other question, because then nothing else can
   have caused the failure. A question that fails after other questions is asked again in a fresh process.
   Therefore a bad question ends at most three processes: one in the pipeline, one in which it is asked alone
   after others, and a fresh one.
5. A reply with an id that is not in flight shows that the adapter mixes up ids, perhaps for some time.
   Therefore replies are held back until nothing is in flight for the second time. After an unexpected id, the
   session repeats the questions of all these replies as in rule 3.

One fault is not detected: an adapter that swaps the ids of two questions in flight looks like an adapter
that answers both wrong. With window 1, an adapter cannot do that.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from itertools import islice
from operator import itemgetter
from pathlib import Path

from msgspec.structs import replace

from urlharness.jsonio import ascii_line, ascii_lines
from urlharness.protocol import messages
from urlharness.protocol.errors import DECODE_ERRORS, hello_error, reply_error, unexpected_id_error
from urlharness.protocol.failures import Abnormal, AdapterDead, Budget
from urlharness.protocol.limits import Limits
from urlharness.protocol.messages import Hello, Reply
from urlharness.sessions.process import (
    Poller,
    Process,
    ProcessFailure,
    Recording,
    stderr_tail,
    with_error_line,
)
from urlharness.sessions.scheduler import SMALL_REPLY, IndexedQuestion, IndexedResult, QuestionQueue, Steps

_UNSENT_LIMIT = 1 << 18  # no question is sent while more bytes than this wait for the adapter to read
_BATCH = 32  # the maximum number of questions that are encoded between two checks of that limit

# sending pauses after this many questions or seconds, until nothing is in flight
_PAUSE_AFTER = 1024
_PAUSE_AFTER_SECONDS = 0.25


class _UnexpectedId(ProcessFailure):
    """A reply with an id that is not in flight. Earlier replies may also have had wrong ids."""


class UnconfirmedReplies:
    """Holds replies back until nothing is in flight for the second time. Then their ids are confirmed."""

    def __init__(self) -> None:
        #: The replies that arrived after the last moment when nothing was in flight, with their questions.
        self.newer: list[tuple[IndexedQuestion, Reply]] = []
        self._older: list[tuple[IndexedQuestion, Reply]] = []

    def take_confirmed(self) -> Sequence[IndexedResult]:
        """Return and forget the older replies. The newer replies become the older ones.

        Call this when nothing is in flight.
        """
        if not self.newer and not self._older:
            return ()
        confirmed = self._older
        self._older = self.newer
        self.newer = []
        return _results(confirmed)

    def release(self) -> list[IndexedResult]:
        """Return and forget all replies."""
        replies = self._older + self.newer
        self._older = []
        self.newer = []
        return _results(replies)

    def release_last(self) -> list[IndexedResult]:
        """Return and forget only the last reply."""
        return _results([self.newer.pop()]) if self.newer else []

    def keep_older_than(self, question: IndexedQuestion) -> None:
        """Forget the newer replies whose questions were asked after this question."""
        index, _ = question
        older_questions = []
        for earlier, reply in self.newer:
            earlier_index, _ = earlier
            if earlier_index < index:
                older_questions.append((earlier, reply))
        self.newer = older_questions

    def take_newer(self) -> list[IndexedQuestion]:
        """Forget the newer replies and return their questions."""
        questions = [question for question, _ in self.newer]
        self.newer = []
        return questions

    def take_all(self) -> list[IndexedQuestion]:
        """Forget all replies and return their questions."""
        self.newer = self._older + self.newer
        self._older = []
        return self.take_newer()


def _results(replies: Sequence[tuple[IndexedQuestion, Reply]]) -> list[IndexedResult]:
    """Return the replies with the indexes of their questions."""
    return [(index, reply) for (index, _), reply in replies]


class Session:
    """One adapter program. It is restarted as often as its limits allow."""

    #: True if the program is the Python interpreter of this process.
    interpreter = False

    def __init__(
        self,
        command: Sequence[str],
        limits: Limits,
        harness: str,
        *,
        folder: Path | None = None,
        recording: Recording | None = None,
        sibling: Session | None = None,
    ) -> None:
        """Start the program and read its hello. Raise AdapterDead if that fails.

        `harness` is the name of the harness in its own hello. A session with a sibling uses the poller and
        the budget of the sibling. It does not start the program before it gets a question.
        """
        self.poller: Poller = Poller() if sibling is None else sibling.poller
        self.budget: Budget = Budget(limits, self.poller.now()) if sibling is None else sibling.budget
        self.deadline = math.inf
        self._command = list(command)
        self._limits = limits
        self._greeting = ascii_line(messages.HarnessHello([messages.PROTOCOL], harness))
        self.process = Process(self._command, self.poller, folder, recording, interpreter=self.interpreter)
        self._unread: list[bytes] = []  # lines that arrived together with the hello
        self._ids = messages.ids()
        self._last_id = 0
        self._starts = 0
        self._sent = 0  # questions since the last start
        self._sent_when_idle = 0  # the value of `_sent` at the last moment when nothing was in flight
        self._pause_at = 0.0  # the time when sending pauses
        self._waited_before = 0.0  # the value of `poller.waited` when the wait for the next reply began
        self._in_flight: dict[int, IndexedQuestion] = {}  # by id, oldest first
        self._unconfirmed = UnconfirmedReplies()
        self._queue = QuestionQueue(())
        self._retries = deque[IndexedQuestion]()  # questions to ask again, one at a time
        self._retrying = False  # the question in flight is a retry
        #: The hello of the running process.
        self.hello: Hello
        if sibling is None:
            self._await_hello()

    @property
    def restarts(self) -> int:
        """The number of times that the program was started again."""
        return max(0, self._starts - 1)

    def drain(self) -> Sequence[IndexedResult]:
        """Return and forget the replies that were still held back when the generator of steps was closed."""
        return self._unconfirmed.release()

    def finish(self) -> None:
        """Send `bye` if the process is running."""
        if self.process.running:
            self.process.write(ascii_line(messages.Bye()))

    def steps(self, queue: QuestionQueue) -> Steps:
        """Answer the questions of the queue without blocking. Yield the new results of each step.

        Raise AdapterDead if the program cannot be started again.
        """
        results: list[IndexedResult] = []
        self._queue = queue
        try:
            while True:
                if not self.process.running:
                    if results:
                        yield results
                        results = []
                    if not self._retries:
                        self._retries.extend(queue.take(1))
                    if self._retries:
                        yield from self._start()
                try:
                    results += self._send(queue)
                    if queue.exhausted and not self._in_flight:
                        break
                    yield results
                    results = []
                    self._receive(results)
                except ProcessFailure as failure:
                    results += self._recover(failure)
        finally:
            if self._in_flight:  # the caller closed the generator early, or an error ended it
                self.process.kill()
                self._unconfirmed.keep_older_than(next(iter(self._in_flight.values())))
            self._in_flight.clear()
            self._retries.clear()
        if results:
            yield results

    @property
    def _asked_alone(self) -> bool:
        """True if exactly one question was sent after the last moment when nothing was in flight."""
        return self._sent - self._sent_when_idle == 1

    def _send(self, queue: QuestionQueue) -> Sequence[IndexedResult]:
        """Send one retry, or questions of the queue until the window is full. Return confirmed replies.

        Send a retry only if nothing is in flight. During a pause, send nothing.
        """
        in_flight = self._in_flight
        idle = not in_flight
        now = self.poller.now()
        confirmed: Sequence[IndexedResult] = ()
        if idle:
            confirmed = self._unconfirmed.take_confirmed()
            self._sent_when_idle = self._sent
            self._pause_at = now + _PAUSE_AFTER_SECONDS
        if self._retries:
            if idle:
                self._retrying = True
                self._put_in_flight([self._retries.popleft()])
        elif self.process.running and (idle or not (self._retrying or self._must_pause(now))):
            self._retrying = False
            window = queue.limited_window(self.hello.window)
            if len(in_flight) <= window // 2:
                while (free := window - len(in_flight)) > 0 and len(self.process.unsent) < _UNSENT_LIMIT:
                    questions = queue.take(min(free, _BATCH))
                    if not questions:
                        break
                    self._put_in_flight(questions)
        if idle:  # as it was before sending
            self._waited_before = self.poller.waited
            self.deadline = now + self._limits.case if in_flight else math.inf
            if not in_flight:  # no later reply can reveal mixed-up ids
                confirmed = (*confirmed, *self._unconfirmed.release())
        self.process.flush()
        return confirmed

    def _must_pause(self, now: float) -> bool:
        """Return True if the session must not send until nothing is in flight."""
        return self._sent - self._sent_when_idle >= _PAUSE_AFTER or now >= self._pause_at

    def _put_in_flight(self, questions: Sequence[IndexedQuestion]) -> None:
        """Put questions in flight: give them new ids, and queue them for the process."""
        numbered = list(zip(islice(self._ids, len(questions)), questions, strict=True))
        self._in_flight.update(numbered)
        self._last_id, _ = numbered[-1]
        self._sent += len(questions)
        self.process.write(ascii_lines([replace(question, id=number) for number, (_, question) in numbered]))

    def _receive(self, results: list[IndexedResult]) -> None:
        """Read the replies that have arrived. Append final replies to `results` and hold back the others.

        Raise ProcessFailure if a reply is invalid, if no reply arrived in time, if the process has ended, or
        if the waiting replies are too large.
        """
        lines = self._read(self._limits.case)
        line = b""
        in_flight = self._in_flight
        unconfirmed = self._unconfirmed.newer
        count = len(unconfirmed)
        try:
            for line in lines:
                reply = messages.decode_reply(line)
                question = in_flight.pop(reply.id)
                unconfirmed.append((question, reply))
                if len(line) > SMALL_REPLY:
                    index, _ = question
                    self._queue.add_reply(index, len(line))
        except DECODE_ERRORS as error:
            raise ProcessFailure("garbage", reply_error(line, error)) from None
        except KeyError:
            raise _UnexpectedId("garbage", unexpected_id_error(reply.id, self._last_id, line)) from None
        if lines:
            # the first of several replies is the one that was waited for
            first_question, _ = unconfirmed[count]
            self._note_time(first_question)
            self.deadline = self.poller.now() + self._limits.case
            if not in_flight and self._asked_alone:
                results += self._unconfirmed.release()
            if self._queue.large_replies and self._queue.overflows() and len(in_flight) > 1:
                raise ProcessFailure("garbage", "more replies than can be kept")  # no question is to blame

    def _note_time(self, question: IndexedQuestion) -> None:
        """Note how long the harness has waited for the answer to a question. The next wait begins."""
        index, _ = question
        waited = self.poller.waited
        self._queue.seconds[index] = waited - self._waited_before
        self._waited_before = waited

    def _read(self, seconds: float) -> list[bytes]:
        """Return the lines that have arrived. Raise ProcessFailure if none arrived before the deadline.

        `seconds` is the time limit that the failure mentions.
        """
        lines = self._unread
        self._unread = []
        if lines or not self.process.running:
            return lines
        lines = self.process.pump()
        if not lines and self.poller.now() >= self.deadline:
            self.poller.wait(0.0)  # a line may have arrived since the pipes were last polled
            lines = self.process.pump(check_exit=True)
            if not lines:
                raise self.process.timeout_failure(seconds)
        return lines

    def _recover(self, failure: ProcessFailure) -> list[IndexedResult]:
        """End the process, count its end, and schedule the retries. Return the results that are certain.

        If only one question can have caused the failure, the failure is the result of this question.
        """
        stderr = self.process.kill()
        questions = list(self._in_flight.values())
        self._in_flight.clear()
        blamed = self._sent == 1 and bool(questions)
        self.budget.count_end(failure.detail, blamed=blamed)
        if blamed:
            (question,) = questions
            self._note_time(question)
            index, _ = question
            return [(index, Abnormal(failure.outcome, failure.detail, stderr_tail(stderr)))]
        if questions:
            oldest, _ = questions[0]
            count = f" ({len(questions)} questions in flight)" if len(questions) > 1 else ""
            self._queue.ends.setdefault(oldest, f"{failure.detail}{count}\n{stderr_tail(stderr)}")
        certain: list[IndexedResult] = []
        if isinstance(failure, _UnexpectedId):
            # the only question was answered before the unexpected reply
            if self._asked_alone and not questions:
                certain = self._unconfirmed.release_last()
            questions += self._unconfirmed.take_all()
        elif questions:
            questions += self._unconfirmed.take_newer()
        self._retries.extendleft(sorted(questions, key=itemgetter(0), reverse=True))
        return certain + self._unconfirmed.release()

    def _await_hello(self) -> None:
        """Start the program and wait for its hello. Raise AdapterDead if that fails."""
        try:
            for _ in self._start():
                due = min(self.deadline, self.budget.deadline)
                self.poller.wait(min(due - self.poller.now(), self.process.poll_interval))
                self.budget.check(self.poller.now())
        except BaseException:
            self.process.kill()
            raise

    def _start(self) -> Steps:
        """Start the program and read its hello. Yield nothing in each step while waiting for the hello.

        Raise AdapterDead if that fails.
        """
        self.budget.check(self.poller.now())
        self._starts += 1
        self._sent = 0
        self._unread = []
        self.process.start()
        self.process.write(self._greeting)
        self.process.flush()
        self.deadline = self.poller.now() + self._limits.start
        lines: list[bytes] = []
        try:
            while not lines:
                yield ()
                lines = self._read(self._limits.start)
            self.hello = messages.decode_hello(lines[0])
        except ProcessFailure as failure:
            raise self._give_up(f"no hello: {failure.detail}", failure.status) from None
        except DECODE_ERRORS as error:
            raise self._give_up(hello_error(lines[0], error)) from None
        except GeneratorExit:
            self.process.kill()
            raise
        self._unread = lines[1:]

    def _give_up(self, reason: str, status: int | None = None) -> AdapterDead:  # noqa: ARG002 - for subclasses
        """Kill the process and return the error that says why it cannot be used.

        `status` is the exit status of the process, or None if it has not exited.
        """
        stderr = self.process.kill()
        return AdapterDead(with_error_line(reason, stderr), stderr)
