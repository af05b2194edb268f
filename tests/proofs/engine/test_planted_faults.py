"""Engines with a fault planted in them: the table of misbehaving adapters tells each from the right one."""

from __future__ import annotations

import itertools
import os

import pytest

from urlharness.engine.process import ProcessFailure, Process
from urlharness.engine.session import Session
from urlharness.limits import Abnormal, AdapterDead
from urlharness.protocol.messages import decode_reply


class _Faulty(Session):
    """A session whose process is of another class."""

    process: type[Process] = Process

    def _await_hello(self) -> None:
        self._process = self.process(self._command, self.poller)
        super()._await_hello()


class MatchesByOrder(Session):
    """Takes whatever comes for the answer to the oldest question."""

    def _receive(self, settled):
        for line in self._read(self._limits.case):
            reply = decode_reply(line)
            settled.append((self._in_flight.pop(min(self._in_flight))[0], reply))


class BlamesTheOldest(Session):
    """Blames the oldest question in flight, and asks only the others again."""

    def _recover(self, failure):
        stderr = self._process.kill()
        (place, _), *others = self._in_flight.values()
        self._in_flight.clear()
        self._retries.extend(others)
        return [(place, Abnormal(failure.outcome, failure.detail, stderr))]


class BlamesAll(Session):
    """Blames every question in flight."""

    def _recover(self, failure):
        stderr = self._process.kill()
        places = [place for place, _ in self._in_flight.values()]
        self._in_flight.clear()
        return [(place, Abnormal(failure.outcome, failure.detail, stderr)) for place in places]


class SkipsRubbish(Session):
    """Overlooks every line that is no reply."""

    def _read(self, seconds):
        return [line for line in super()._read(seconds) if line.startswith(b'{"') or self._sent == 0]


class WaitsForEachOctet(_Faulty):
    """Counts its time anew with every octet that comes."""

    class process(Process):  # noqa: N801 - an attribute of the session
        def timeout(self, _seconds):
            return ProcessFailure("timeout", "never") if not self._partial_line else _NotYet("timeout", "")

    def _read(self, seconds):
        try:
            return super()._read(seconds)
        except _NotYet:
            self.deadline = self.poller.now() + self._limits.case
            return []


class _NotYet(ProcessFailure):
    """A time limit that is put off."""


class KillsTheLeaderAlone(_Faulty):
    """Ends the program, and not what it has started."""

    class process(Process):  # noqa: N801
        def kill(self):
            if self._popen is not None:
                self._popen.kill()
                self._popen.wait()
                self._close()
            return self.stderr


class KeepsTheHalfLine(_Faulty):
    """Takes what the last program has left of a line for the beginning of the next one's."""

    class process(Process):  # noqa: N801
        def start(self):
            rest = self.partial_line
            super().start()
            self._partial_line += rest


class TrustsTheExitCode(_Faulty):
    """Takes every end for an orderly one."""

    class process(Process):  # noqa: N801
        def _exit_failure(self, _status):
            return super()._exit_failure(0)


class LosesTheLastWords(Session):
    """Forgets the replies that came in one go with rubbish."""

    def _receive(self, settled):
        try:
            super()._receive(settled)
        except ProcessFailure:
            settled.clear()
            self._unconfirmed.clear()
            raise


class DoubtsNoAnswer(Session):
    """Takes an answer for final as soon as it comes."""

    def _receive(self, settled):
        try:
            super()._receive(settled)
        finally:
            settled += self._unconfirmed.release()


class CountsUp(Session):
    """Gives consecutive ids, which an adapter that counts has right by luck."""

    def _await_hello(self):
        self._ids = itertools.count(1)
        super()._await_hello()


PLANTED = [
    (MatchesByOrder, "out_of_order", 4),
    (BlamesTheOldest, "crashes_at_the_5th", 4),
    (BlamesTheOldest, "answers_then_crashes", 1),
    (BlamesAll, "hangs", 64),
    (BlamesAll, "crashes_at_the_5th", 1),
    (SkipsRubbish, "banner_before_the_answer", 1),
    (WaitsForEachOctet, "drips_too_long", 1),
    (KillsTheLeaderAlone, "leaves_a_child", 4),
    (KeepsTheHalfLine, "half_a_line_then_exit", 1),
    (TrustsTheExitCode, "sigsegv", 1),
    (LosesTheLastWords, "noise_behind_every_answer", 1),
    (DoubtsNoAnswer, "shifts_waiting_ids", 4),
    (DoubtsNoAnswer, "shifts_waiting_ids", 64),
    (DoubtsNoAnswer, "one_id_for_two", 64),
    (CountsUp, "counts_its_replies", 1),
    (CountsUp, "answers_what_is_to_come", 1),
]


def outcomes(examine, script, window, engine, patience):
    """The outcomes by name, or what the run itself stumbled over."""
    try:
        found = examine(script, window, engine, patience=patience)
        return {name: outcome for name, (outcome, _) in found.items()}
    except (AdapterDead, AssertionError, ValueError) as stumbled:
        return stumbled


@pytest.mark.parametrize(
    ("engine", "script", "window"), [pytest.param(*row, id=f"{row[0].__name__}-{row[1]}") for row in PLANTED]
)
def test_a_planted_fault_is_seen(examine, signs, engine, script, window):
    right = outcomes(examine, script, window, Session, 20)
    assert isinstance(right, dict)
    assert outcomes(examine, script, window, engine, 0.2) != right
    children = signs.with_name("children")
    for pid in map(int, children.read_text("ascii").split()) if children.exists() else ():
        try:
            os.kill(pid, 9)
        except ProcessLookupError:
            continue
