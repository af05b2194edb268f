"""What the doctor examines: a program that speaks the protocol, or one that is run for each question."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import msgspec

from urlharness.adapters.registry import Adapter, InProcess, Program, ProgramPerCase
from urlharness.doctor.repeating import clean, one_by_one, piped, unstarted
from urlharness.doctor.repeating import served as serving_line
from urlharness.doctor.rubbish import rubbish
from urlharness.doctor.talk import Fault, NotStarted, Rule, Step, Talk
from urlharness.doctor.waits import Pace, Wait
from urlharness.operations import OPERATIONS
from urlharness.percase import asked
from urlharness.process import excerpt, signal_name
from urlharness.protocol import PROTOCOL, Hello, Implementation, Reply, decode_hello, decode_reply
from urlharness.shards import serving
from urlharness.starting import not_started
from urlharness.wrong_lines import instead_of_hello

Question = Mapping[str, Any]


class Patience(NamedTuple):
    """Seconds for the start, for one answer and for a measurement of speed; below `slow` it is slow.

    The start is shorter than that of a run, since whoever asks the doctor waits for what it says.
    """

    start: float = 10.0
    answer: float = 5.0
    measuring: float = 0.5
    slow: float = 100.0  # questions a second: of the core a minute and more
    lengthy: float = 60.0  # seconds for all checks: beyond them those that repeat are left out


def ascii_json(message: Mapping[str, Any]) -> bytes:
    """A message as the harness writes it: one line, ASCII alone."""
    return json.dumps(message, separators=(",", ":")).encode("ascii") + b"\n"


_OWN_ID = Rule("a reply has the id of its question")

GREETING = ascii_json({"type": "hello", "protocol": [PROTOCOL], "harness": "urlconform doctor"})


class Speaking:
    """A program that speaks the protocol; an adapter in this process is served as one."""

    def __init__(self, command: list[str], patience: Patience, *, served: str = "") -> None:
        self.command = command
        self.patience = patience
        self.served = bool(served)
        self._shown = serving_line(served) if served else clean(command)
        self._started = True
        self.hello = Hello(1, Implementation("unknown", ""), [], [])
        self.stderr_octets = 0
        self.stderr = ""
        self.slowest = Wait()
        self.pace = Pace()
        self._talk: Talk | None = None
        self._last_id = 0
        self.steps: list[Step] = []  # what was done to the last process

    def start(self) -> Talk:
        """A fresh process that was not spoken to."""
        self.end()
        self._last_id = 0
        self.steps = []
        try:
            self._talk = Talk(self.command, served=self.served)
        except OSError as error:
            self._started = False
            raise NotStarted(not_started(self.command, str(error.strerror))) from None
        self.steps = self._talk.steps
        return self._talk

    def greet(self) -> Talk:
        """A fresh process that has said hello."""
        talk = self.start()
        talk.write(GREETING)
        line = talk.line(self.patience.start, "hello")
        try:
            decode_hello(line)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            why = instead_of_hello(line, error)
            raise Fault(f"this time no hello: {why}: {excerpt(line)}") from None
        return talk

    def ask(self, *questions: Question) -> list[Reply]:
        """The replies to questions, one after the other; a process that has said hello goes on."""
        talk = self._talk or self.greet()
        replies = []
        for question in questions:
            message = self.message(question)
            talk.write(ascii_json(message))
            replies.append(self.reply(talk, {message["id"]}))
        return replies

    def message(self, question: Question) -> dict[str, Any]:
        """A question with the next id, or with its own."""
        self._last_id += 1
        return {"type": "run", "id": self._last_id, **question}

    def reply(self, talk: Talk, waiting: set[int]) -> Reply:
        """The next reply, to one of those ids; raises Fault."""
        line = talk.line(self.patience.answer)
        try:
            found = decode_reply(line)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise rubbish(line, error, served=self.served) from None
        if found.id not in waiting:
            but = f"not asked (but {min(waiting)})" if waiting else "answered already, or not asked"
            raise Fault(f"a reply to {found.id}, which is {but}: {excerpt(line)}", rule=_OWN_ID)
        return found

    def end(self) -> None:
        """End the process, if there is one."""
        if self._talk is not None:
            self._talk.kill()
            self.stderr_octets += self._talk.stderr_octets
            self.stderr = self._talk.stderr or self.stderr
            self.slowest = max(self.slowest, self._talk.slowest)
            self.pace = self.pace.quicker(self._talk.pace)
            self._talk = None

    def repetition(self, *, wait: bool) -> str:
        """A shell line that does again what was done to the last process."""
        if not self._started:
            return unstarted(self.command)
        return piped(self.steps, self._shown, wait=wait)


class PerCase:
    """A program that is run for each question."""

    def __init__(self, command: list[str], patience: Patience) -> None:
        self.command = command
        self.patience = patience
        self.served = False
        self.hello = Hello(
            1, Implementation("a program per case", ""), list(OPERATIONS), [], [], ["absent-vs-empty"]
        )
        self.stderr_octets = 0
        self.stderr = ""
        self.slowest = Wait()
        self.pace = Pace()
        self._asked: list[Question] = []  # what shows the finding of the last check
        self._ends = 0
        self._started = True
        self.raised = ""  # what the first exception said that came with an exit code of 1

    def ask(self, *questions: Question) -> list[Reply]:
        """The replies to questions, each of a process of its own."""
        before = self._asked
        if self._ends > 1 or questions[0]["op"] not in (earlier["op"] for earlier in before):
            before = []  # those of another check, or of another operation, are no part of what is found
        self._ends = 0
        replies = []
        for question in questions:
            self._asked = [question]  # a Fault is about this one
            replies.append(self._reply(question))
        self._asked = [*before, *questions]
        return replies

    def _reply(self, question: Question) -> Reply:
        try:
            talk = Talk(self.command)
        except OSError as error:
            self._started = False
            raise NotStarted(not_started(self.command, str(error.strerror))) from None
        begun = time.monotonic()
        try:
            talk.write(asked(question))
            status, out = talk.finish(self.patience.answer)
        finally:
            talk.kill()
            wait = Wait(time.monotonic() - begun)
            self.slowest, self.pace = max(self.slowest, wait), self.pace.with_wait(wait)
            self.stderr_octets += talk.stderr_octets
            self.stderr = talk.stderr or self.stderr
        if status is None:
            raise Fault(f"no answer within {self.patience.answer:g} s", silent=True)
        if status == 1 and talk.traced:
            self.raised = self.raised or talk.cause
        return _reply(status, out, talk.cause)

    def end(self) -> None:
        """Nothing goes on between the questions; two ends in a row are between two checks."""
        self._ends += 1

    def repetition(self, *, wait: bool) -> str:  # noqa: ARG002 - as of the other
        """A shell line that asks again what the check has asked."""
        if not self._started:
            return unstarted(self.command)
        return one_by_one([*map(asked, self._asked)], clean(self.command))


def _reply(status: int, out: bytes, message: str) -> Reply:
    """The reply that an exit status and an output stand for; raises Fault."""
    match status:
        case 0:
            try:
                answer: dict[str, Any] = msgspec.json.decode(out, type=dict) if out.strip() else {}
                return msgspec.convert({"status": "ok", **answer, "id": 0}, Reply)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                raise Fault(f"exit code 0, and no answer on stdout: {error}: {excerpt(out)}") from None
        case 1:
            return Reply(0, "reject", message)
        case 3:
            return Reply(0, "unsupported", message)
    how = f"exit code {status} is neither 0, 1 nor 3" if status > 0 else f"killed by {signal_name(-status)}"
    raise Fault(f"{how}; it wrote: {message}" if message else how)


Subject = Speaking | PerCase


def subject_of(adapter: Adapter, patience: Patience) -> Subject:
    """What an adapter is to the doctor; raises NotInstalled."""
    match adapter:
        case Program():
            return Speaking(adapter.command(), patience)
        case ProgramPerCase():
            return PerCase(adapter.command, patience)
        case InProcess():
            # as in a run, but for what a run alone is told: the doctor hears what anybody would
            return Speaking(serving(replace(adapter, apart=False)), patience, served=adapter.name)
