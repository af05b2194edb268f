"""The scheduler: bounded memory, results in order, the budget, fair shares."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import pytest

from urlharness.protocol.failures import Abnormal, AdapterDead, Budget
from urlharness.protocol.limits import USUAL, Limits
from urlharness.protocol.messages import Question, Reply
from urlharness.sessions.process import Poller
from urlharness.sessions.scheduler import BUFFER_LIMIT, LOOKAHEAD, SMALL_REPLY, QuestionQueue, schedule

QUESTION = Question(id=0, op="normalize", spec="rfc3986", url="a:b")
VALID = Reply(0, "ok")


class FakeWorker:
    """Answers the questions in the order of the steps, each of which is a list of results or an exception."""

    deadline = 0.0
    process = SimpleNamespace(poll_interval=0.0)

    def __init__(self, *steps, held=()):
        self._steps = steps
        self._held = held
        self.closed = False

    def steps(self, queue):
        queue.take(10)
        try:
            for step in self._steps:
                if isinstance(step, Exception):
                    raise step
                yield step
        finally:
            self.closed = True

    def drain(self):
        return self._held


def scheduled(*workers, questions=4, limits=USUAL):
    poller = Poller()
    return list(schedule(workers, [QUESTION] * questions, Budget(limits, poller.now()), poller))


#: The most questions that `take_all` takes: more than a queue gives if its lookahead is bounded.
MOST_TAKEN = 500 * 1000


def take_all(queue: QuestionQueue) -> int:
    """Take questions as long as the queue gives some, but at most `MOST_TAKEN`, and return their number."""
    return sum(len(queue.take(500)) for _ in range(MOST_TAKEN // 500))


def test_the_lookahead_is_bounded():
    queue = QuestionQueue(itertools.repeat(QUESTION))
    assert LOOKAHEAD < MOST_TAKEN
    number_taken = take_all(queue)
    assert number_taken == LOOKAHEAD


class RestlessWorker(FakeWorker):
    """Answers every question but the oldest, and is given up when there are no more for it to take."""

    taken = 0

    def steps(self, queue):
        while questions := queue.take(500):
            self.taken += len(questions)
            yield [(index, VALID) for index, _ in questions if index != 0]
        raise AdapterDead("gone")


def test_questions_do_not_run_ahead_of_an_oldest_one_that_is_never_answered(monkeypatch):
    monkeypatch.setattr("urlharness.sessions.scheduler.LOOKAHEAD", 1234)
    worker = RestlessWorker()
    scheduled(worker, questions=5000)
    assert worker.taken == 1234


def test_the_lookahead_moves_with_the_oldest_open_question():
    queue = QuestionQueue(itertools.repeat(QUESTION))
    take_all(queue)
    answered = 7
    queue.oldest_open += answered
    number_taken = take_all(queue)
    assert number_taken == answered
    assert not queue.exhausted


MEBIBYTE = 2**20
#: The number of replies of a mebibyte that may wait.
MOST_WAITING = BUFFER_LIMIT // MEBIBYTE

#: Far more replies of a mebibyte than may wait.
FAR_TOO_MANY = 6 * MOST_WAITING


@pytest.fixture
def full_queue():
    """A queue in which `FAR_TOO_MANY` replies wait."""
    queue = QuestionQueue(itertools.repeat(QUESTION))
    for index in range(FAR_TOO_MANY):
        queue.take(1)
        queue.add_reply(index, MEBIBYTE)
    return queue


def test_a_reply_that_was_dropped_and_asked_again_counts_once():
    queue = QuestionQueue(itertools.repeat(QUESTION))
    for index in range(MOST_WAITING):
        queue.add_reply(index, MEBIBYTE)
        queue.add_reply(index, MEBIBYTE)
    questions = queue.take(1)
    assert len(questions) == 1


def test_questions_are_taken_until_too_many_bytes_of_replies_wait():
    queue = QuestionQueue(itertools.repeat(QUESTION))
    for index in range(MOST_WAITING):
        questions = queue.take(1)
        assert len(questions) == 1
        queue.add_reply(index, MEBIBYTE)
    queue.add_reply(MOST_WAITING, MEBIBYTE)
    questions_beyond_the_limit = queue.take(1)
    assert len(questions_beyond_the_limit) == 0


def test_no_question_is_taken_while_too_many_bytes_of_replies_wait(full_queue):
    questions = full_queue.take(1)
    assert len(questions) == 0


def test_far_too_many_bytes_of_waiting_replies_are_an_overflow(full_queue):
    assert full_queue.overflows()


def test_the_window_is_one_after_an_overflow(full_queue):
    full_queue.overflows()  # notes that it has happened
    assert full_queue.limited_window(64) == 1


def test_a_reply_that_no_longer_waits_is_not_counted(full_queue):
    for index in range(FAR_TOO_MANY):
        full_queue.remove_reply(index)
    assert full_queue.large_replies == {}


def test_questions_are_taken_again_when_no_reply_waits(full_queue):
    for index in range(FAR_TOO_MANY):
        full_queue.remove_reply(index)
    questions = full_queue.take(1)
    assert len(questions) == 1


def test_the_small_replies_of_the_lookahead_fit_the_buffer():
    assert LOOKAHEAD * SMALL_REPLY <= BUFFER_LIMIT


@pytest.mark.parametrize(("workers", "window"), [(1, 64), (2, 5), (40, 1)])
def test_no_worker_takes_more_than_a_quarter_of_its_share(workers, window):
    """Two workers share 40 questions by 20 each, forty by one each. A single worker has no limit."""
    assert QuestionQueue([QUESTION] * 40, workers).limited_window(64) == window


def test_results_come_in_order():
    results = scheduled(FakeWorker([(2, VALID)], [], [(1, VALID), (3, VALID)], [(0, VALID)]))
    assert [index for index, _ in results] == [0, 1, 2, 3]


def test_a_dead_adapter_aborts_what_is_open_and_keeps_confirmed_replies():
    results = scheduled(FakeWorker([(0, VALID)], AdapterDead("gone"), held=[(2, VALID)]))
    assert results == [
        (0, VALID),
        (1, Abnormal("aborted", "gone")),
        (2, VALID),
        (3, Abnormal("aborted", "gone")),
    ]


def test_nothing_after_the_last_allowed_failure_counts():
    crash = Abnormal("crash", "exit code 1")
    results = scheduled(FakeWorker([(0, crash), (1, crash), (2, VALID)]), limits=Limits(restarts=1))
    assert [reply.outcome for _, reply in results] == ["crash", "crash", "aborted", "aborted"]


def test_a_caller_that_stops_early_closes_the_workers():
    worker = FakeWorker([(0, VALID)], [(1, VALID)])
    poller = Poller()
    results = schedule([worker], [QUESTION] * 4, Budget(Limits(), poller.now()), poller)
    assert next(results) == (0, VALID)
    results.close()
    assert worker.closed
