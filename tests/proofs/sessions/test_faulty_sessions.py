"""Each session with a planted fault gives other results with a misbehaving adapter than the right session."""

from __future__ import annotations

import contextlib
import itertools
import math
import os
import signal

import pytest

from urlharness.protocol.failures import Abnormal, AdapterDead
from urlharness.protocol.messages import decode_reply
from urlharness.sessions.guard import guard
from urlharness.sessions.process import Process, ProcessFailure
from urlharness.sessions.session import Session


class _Faulty(Session):
    """A session with a faulty process class."""

    process_class: type[Process] = Process

    def _await_hello(self) -> None:
        self.process = self.process_class(self._command, self.poller)
        super()._await_hello()


class MatchesByOrder(Session):
    """Takes any reply for the one to the oldest question."""

    def _receive(self, settled):
        for line in self._read(self._limits.case):
            reply = decode_reply(line)
            settled.append((self._in_flight.pop(min(self._in_flight))[0], reply))


class BlamesTheOldest(Session):
    """Blames the oldest question in flight and asks only the others again."""

    def _recover(self, failure):
        stderr = self.process.kill()
        (index, _), *others = self._in_flight.values()
        self._in_flight.clear()
        self._retries.extend(others)
        return [(index, Abnormal(failure.outcome, failure.detail, stderr))]


class BlamesAll(Session):
    """Blames every question in flight."""

    def _recover(self, failure):
        stderr = self.process.kill()
        places = [index for index, _ in self._in_flight.values()]
        self._in_flight.clear()
        return [(index, Abnormal(failure.outcome, failure.detail, stderr)) for index in places]


class SkipsGarbage(Session):
    """Skips every line that is not a reply."""

    def _read(self, seconds):
        return [line for line in super()._read(seconds) if line.startswith(b'{"') or self._sent == 0]


class RestartsItsTimerForEachByte(_Faulty):
    """Restarts its timer with every byte that comes."""

    class process_class(Process):  # noqa: N801 - an attribute of the session
        def timeout_failure(self, _seconds):
            return ProcessFailure("timeout", "never") if not self.partial_line else _NotYet("timeout", "")

    def _read(self, seconds):
        try:
            return super()._read(seconds)
        except _NotYet:
            self.deadline = self.poller.now() + self._limits.case
            return []


class _NotYet(ProcessFailure):
    """A timeout that is put off."""


class KillsOnlyTheLeader(_Faulty):
    """Kills the program, but not what it started."""

    class process_class(Process):  # noqa: N801
        def kill(self):
            if self._popen is not None:
                self._popen.kill()
                self._popen.wait()
                guard.report_end(self._inode)
                self._close()
            return ""


class KeepsThePartialLine(_Faulty):
    """Keeps the partial line of the last process for the next one."""

    class process_class(Process):  # noqa: N801
        def start(self):
            rest = self.partial_line
            super().start()
            self.partial_line += rest


class IgnoresTheExitCode(_Faulty):
    """Takes every exit for exit code 0."""

    class process_class(Process):  # noqa: N801
        def _exit_failure(self, _status):
            return super()._exit_failure(0)


class LosesRepliesBeforeGarbage(Session):
    """Loses the replies that came together with garbage."""

    def _receive(self, settled):
        try:
            super()._receive(settled)
        except ProcessFailure:
            settled.clear()
            self._unconfirmed.take_all()
            raise


class ConfirmsEveryReply(Session):
    """Takes a reply for final as soon as it comes."""

    def _receive(self, settled):
        try:
            super()._receive(settled)
        finally:
            settled += self._unconfirmed.release()


class KeepsRepliesOfABrokenProcess(Session):
    """Takes the replies of a process for final although it did not answer all questions."""

    def _recover(self, failure):
        replies = self._unconfirmed.release()
        return replies + super()._recover(failure)


class NeverPauses(Session):
    """Takes replies for final as soon as all older questions are answered."""

    def _receive(self, settled):
        super()._receive(settled)
        oldest = min((index for index, _ in self._in_flight.values()), default=math.inf)
        newer, self._unconfirmed.newer = self._unconfirmed.newer, []
        for question, reply in newer:
            if question[0] < oldest:
                settled.append((question[0], reply))
            else:
                self._unconfirmed.newer.append((question, reply))


class CountsUp(Session):
    """Gives consecutive ids, which an adapter that counts gets right by accident."""

    def _await_hello(self):
        self._ids = itertools.count(1)
        super()._await_hello()


#: A faulty session, a misbehaving adapter that shows the fault, and the window of the adapter.
PLANTED = [
    (MatchesByOrder, "out_of_order", 4),
    (BlamesTheOldest, "crashes_at_the_5th", 4),
    (BlamesTheOldest, "answers_then_crashes", 1),
    (BlamesAll, "hangs", 64),
    (BlamesAll, "crashes_at_the_5th", 1),
    (SkipsGarbage, "banner_before_the_answer", 1),
    (RestartsItsTimerForEachByte, "drips_too_long", 1),
    (KillsOnlyTheLeader, "leaves_a_child", 4),
    (KeepsThePartialLine, "half_a_line_then_exit", 1),
    (IgnoresTheExitCode, "sigsegv", 1),
    (LosesRepliesBeforeGarbage, "noise_behind_every_answer", 1),
    (ConfirmsEveryReply, "shifts_waiting_ids", 4),
    (ConfirmsEveryReply, "shifts_waiting_ids", 64),
    (ConfirmsEveryReply, "one_id_for_two", 64),
    (KeepsRepliesOfABrokenProcess, "loses_an_answer_and_runs_ahead", 4),
    (KeepsRepliesOfABrokenProcess, "loses_an_answer_and_lags", 64),
    (NeverPauses, "loses_an_answer_and_lags", 4),
    (CountsUp, "counts_its_replies", 1),
    (CountsUp, "answers_what_is_to_come", 1),
]


def outcomes(examine, script, window, session_class, patience):
    """Return the outcomes by name, or the exception that ended the run."""
    try:
        answers = examine(script, window, session_class, patience=patience)
        return {name: outcome for name, (outcome, _) in answers.items()}
    except (AdapterDead, AssertionError, ValueError) as error:
        return error


@pytest.mark.sampled(5)
@pytest.mark.parametrize(
    ("session_class", "script", "window"),
    [
        pytest.param(session_class, script, window, id=f"{session_class.__name__}-{script}-{window}")
        for session_class, script, window in PLANTED
    ],
)
@pytest.mark.usefixtures("children")
def test_a_session_with_a_fault_has_other_outcomes(examine, session_class, script, window):
    right = outcomes(examine, script, window, Session, 20)
    assert isinstance(right, dict)
    assert outcomes(examine, script, window, session_class, 0.2) != right


@pytest.fixture
def children(signs):
    """Kill the processes that an adapter has started and a faulty session has left."""
    yield
    path = signs.with_name("children")
    pids = path.read_text("ascii").split() if path.exists() else []
    for pid in map(int, pids):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
