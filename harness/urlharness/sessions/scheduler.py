"""The scheduler: it distributes questions to one or more workers and returns the results in order."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from itertools import islice
from operator import length_hint
from typing import Protocol

from urlharness.protocol.failures import Abnormal, AdapterDead, Budget
from urlharness.protocol.messages import Question, Reply
from urlharness.sessions.process import Poller, Process

#: How many questions may be asked ahead of the oldest question without a result. Their results have to wait
#: for it, because results are returned in order.
LOOKAHEAD = 1 << 16
#: No question is asked while the waiting replies have more bytes than this.
BUFFER_LIMIT = 1 << 25
#: If the waiting replies exceed the limit by this factor, the process is ended. The questions in flight are
#: asked again, one at a time.
OVERFLOW_FACTOR = 4
#: Replies of up to this many bytes are not counted: even `LOOKAHEAD` such replies do not exceed
#: `BUFFER_LIMIT`.
SMALL_REPLY = 512

_UNLIMITED = 1 << 62

#: A question and its index among all questions.
IndexedQuestion = tuple[int, Question]
#: The result of a question and the index of the question.
IndexedResult = tuple[int, Reply | Abnormal]
Steps = Generator[Sequence[IndexedResult], None, None]


class QuestionQueue:
    """The questions that are still to be asked, and the sizes of the replies that wait to be returned.

    `oldest_open` is the index of the oldest question whose result has not been returned. All later results
    wait for it. `taken` is the number of questions that workers have taken, and `exhausted` is true if none
    is left. `large_replies` maps the index of each waiting reply above `SMALL_REPLY` bytes to its size.
    `seconds` maps the index of a question to the time for which the harness waited for its answer alone.
    `ends` maps the index of a question to the first end of a process that the question survived: it was the
    oldest question in flight, and it was asked again.
    """

    def __init__(
        self,
        questions: Iterable[Question],
        workers: int = 1,
        seconds: dict[int, float] | None = None,
        ends: dict[int, str] | None = None,
    ) -> None:
        self.seconds: dict[int, float] = {} if seconds is None else seconds
        self.ends: dict[int, str] = {} if ends is None else ends
        self.oldest_open = 0
        self.taken = 0
        self.exhausted = False
        self.large_replies: dict[int, int] = {}
        self._buffered = 0  # bytes of the large replies
        self._overflowed = False
        # a worker takes at most a quarter of its share at once; otherwise the other workers may be idle while
        # this worker still has many questions at the end
        count = length_hint(questions, _UNLIMITED)
        self._share = _UNLIMITED if workers == 1 else max(1, count // (4 * workers))
        self._questions = enumerate(questions)

    def limited_window(self, window: int) -> int:
        """Return how many questions a worker may have in flight. `window` is the window of its adapter."""
        return 1 if self._overflowed else min(window, self._share)

    def take(self, count: int) -> list[IndexedQuestion]:
        """Remove and return the next `count` questions.

        Return fewer if fewer are left, or if too many replies wait for the result of `oldest_open`.
        """
        if self._buffered > BUFFER_LIMIT:
            return []
        allowed_count = min(count, LOOKAHEAD - (self.taken - self.oldest_open))
        questions = list(islice(self._questions, allowed_count))
        self.taken += len(questions)
        self.exhausted = self.exhausted or len(questions) < allowed_count
        return questions

    def add_reply(self, index: int, size: int) -> None:
        """Count the bytes of a waiting reply.

        If the reply to this question is already counted, replace it.
        """
        self._buffered += size - self.large_replies.get(index, 0)
        self.large_replies[index] = size

    def remove_reply(self, index: int) -> None:
        """Stop counting a reply, because it is about to be returned."""
        self._buffered -= self.large_replies.pop(index, 0)

    def overflows(self) -> bool:
        """Return True if the waiting replies exceed the limit by `OVERFLOW_FACTOR`.

        Once this has happened, the window is 1 for the rest of the questions.
        """
        overflows = self._buffered > OVERFLOW_FACTOR * BUFFER_LIMIT
        self._overflowed |= overflows
        return overflows

    def take_unsettled(self) -> Iterator[int]:
        """Yield the index of every question whose result has not been returned.

        Questions that no worker has taken yet are taken, so none is left for a second call.
        """
        yield from range(self.oldest_open, self.taken)
        yield from (index for index, _ in self._questions)


class Worker(Protocol):
    """Asks a process questions. The next step is due at `deadline`, even if no pipe is ready by then."""

    deadline: float
    process: Process

    def steps(self, queue: QuestionQueue) -> Steps:
        """Answer the questions of the queue, step by step. Yield the new results of each step.

        A step never blocks. Raise AdapterDead if the program cannot be used any more. If the generator is
        closed early, the questions in flight get no result.
        """

    def drain(self) -> Sequence[IndexedResult]:
        """Return and forget the results that were still held back when the generator of steps was closed."""

    def finish(self) -> None:
        """Prepare the end of the process, for example by sending `bye`."""


def schedule(
    workers: Sequence[Worker],
    questions: Iterable[Question],
    budget: Budget,
    poller: Poller,
    seconds: dict[int, float] | None = None,
    ends: dict[int, str] | None = None,
) -> Iterator[IndexedResult]:
    """Yield (index, reply or failure) for each question, in order.

    Once the adapter is given up, each question without a result gets the outcome `aborted`, and the reason is
    in `budget.exhausted`. The workers fill
    two mappings by the index of the question, before its answer is yielded: `seconds` with the time that the
    answer took, and `ends` with the reason why a process ended at a question that was asked again.
    """
    queue = QuestionQueue(questions, len(workers), seconds, ends)
    waiting: dict[int, Reply | Abnormal] = {}
    running = [worker.steps(queue) for worker in workers]
    try:
        budget.check(poller.now())
        while running:
            progress = _run_step(running, waiting)
            yield from _take_in_order(waiting, queue, budget)
            if running:
                budget.check(poller.now())
                longest_wait = 0.0 if progress else _seconds_to_wait(workers, budget, poller.now())
                poller.wait(longest_wait)
    except AdapterDead as dead:
        budget.exhausted = str(dead)
    finally:
        for steps in running:
            steps.close()
        for worker in workers:
            waiting.update(worker.drain())
    aborted = Abnormal("aborted", budget.exhausted)
    for index in queue.take_unsettled():
        yield index, waiting.pop(index, aborted)


def _run_step(running: list[Steps], waiting: dict[int, Reply | Abnormal]) -> bool:
    """Run one step of each worker and add the results to `waiting`. Return True if there are any results.

    Remove workers that have finished from `running`.
    """
    progress = False
    for steps in tuple(running):
        results = next(steps, None)
        if results is None:
            running.remove(steps)
        elif results:
            waiting.update(results)
            progress = True
    return progress


def _take_in_order(
    waiting: dict[int, Reply | Abnormal], queue: QuestionQueue, budget: Budget
) -> Iterator[IndexedResult]:
    """Yield the waiting results in order, up to the first question without a result.

    Count abnormal outcomes in `budget`. If they exhaust it, forget all later results.
    """
    while queue.oldest_open in waiting:
        index = queue.oldest_open
        answer = waiting.pop(index)
        if queue.large_replies:
            queue.remove_reply(index)
        queue.oldest_open += 1
        yield index, answer
        if type(answer) is Abnormal:
            budget.count_abnormal(index, answer)
            if budget.exhausted:  # drop later results, as if their questions had not been asked
                waiting.clear()


def _seconds_to_wait(workers: Sequence[Worker], budget: Budget, now: float) -> float:
    """Return the seconds after which the next step is due even if no pipe is ready."""
    due = min(budget.deadline, *(worker.deadline for worker in workers))
    return min(due - now, *(worker.process.poll_interval for worker in workers))
