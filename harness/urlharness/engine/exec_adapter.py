"""A program for each case: the question on its stdin; exit code 0 and an answer on its stdout accept it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from urlharness.corpus.model import OPERATIONS
from urlharness.engine.diagnosis import KEPT, kept, missing, not_started, telling_line
from urlharness.engine.process import Failure, Process, Watch
from urlharness.engine.scheduler import Steps, Supply
from urlharness.limits import Abnormal, AdapterDead, Limits
from urlharness.protocol.errors import NO_REPLY, no_answer
from urlharness.protocol.messages import LINE_LIMIT, Hello, Implementation, Question, Reply


class ProgramRuns:
    """One program after the other, each with a question; several such conversations may share a watch."""

    restarts = 0  # no program outlives its question

    def __init__(
        self, name: str, command: Sequence[str], limits: Limits, watch: Watch, folder: Path | None = None
    ) -> None:
        """`name` is that of the adapter, which runs in `folder`, or in the current one.

        Raises AdapterDead where there is no such program.
        """
        if missing(command[0], folder):
            raise AdapterDead(not_started(command, "no such program", folder))
        self.deadline = math.inf
        self.hello = Hello(
            protocol=1,
            implementation=Implementation(name, "unknown"),
            ops=list(OPERATIONS),
            specs=[],
            features=["absent-vs-empty"],
        )
        self._command = command
        self._seconds = limits.case
        self._watch = watch
        self._folder = folder
        self._process = Process(command, watch, folder)

    @property
    def nap(self) -> float:
        """Seconds after which the next step is due, whatever the pipes say."""
        return self._process.nap

    def close(self) -> None:
        """End what still runs."""
        self._process.kill()

    def unsaid(self) -> tuple[()]:
        """Nothing: no answer is held back."""
        return ()

    def steps(self, supply: Supply) -> Steps:
        """Settle questions one after the other, never waiting: after each step what it settled."""
        while not supply.done:
            for place, question in supply.take(1):
                yield from self._run(supply, place, question)
            yield ()

    def _run(self, supply: Supply, place: int, question: Question) -> Steps:
        try:
            self._process.start()
        except OSError as error:
            yield [
                (place, Abnormal("aborted", not_started(self._command, str(error.strerror), self._folder)))
            ]
            return
        try:
            self._process.write(asked(msgspec.to_builtins(question)), last=True)
            self._process.flush()
            self.deadline = self._watch.now() + self._seconds
            out = bytearray()
            while True:
                yield ()
                try:
                    self._read(out)
                except Failure as failure:
                    out += self._process.rest
                    end = failure
                    break
        finally:
            stderr = self._process.kill()
            self.deadline = math.inf
        supply.hold(place, len(out))
        yield [(place, _settled(end, bytes(out), stderr))]

    def _read(self, out: bytearray) -> None:
        """Add the lines that have come; raises Failure at the end of the program or of its time."""
        late = self._watch.now() >= self.deadline
        if late:
            self._watch.wait(0.0)  # it may have ended while nobody looked
        for line in self._process.turn(look=late):
            out += line + b"\n"
        if len(out) > LINE_LIMIT:
            raise Failure("garbage", f"more than {LINE_LIMIT} octets of output")
        if late:
            raise self._process.overdue(self._seconds)


def asked(question: Mapping[str, Any]) -> bytes:
    """What a program reads, whoever asks it: a question as a `run` of the protocol without its `id`."""
    message = {"type": "run", **question}
    message.pop("id", None)
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def _settled(end: Failure, out: bytes, err: str) -> Reply | Abnormal:
    """The reply that the end of a program and its output stand for."""
    match end.status:
        case 0:
            try:
                answer: dict[str, Any] = msgspec.json.decode(out, type=dict) if out.strip() else {}
                return msgspec.convert({"status": "ok", **answer, "id": 0}, Reply)
            except NO_REPLY as error:
                return Abnormal("garbage", no_answer(out.strip(), error), kept(err))
        case 1:
            return Reply(0, "reject", telling_line(err)[:KEPT])
        case 3:
            return Reply(0, "unsupported", telling_line(err)[:KEPT])
        case _:
            return Abnormal(end.outcome, end.detail, kept(err))
