"""A session with an adapter program: questions pipelined over pipes, answers matched by id.

A late, crashed, hung or garbage reply never shifts another case's verdict: whatever goes wrong, the process
group is killed, a fresh one is started, and the questions that were in flight are asked again one at a time.
Only the first question of a fresh process is ever blamed: before any other, an earlier one may be at fault
that answered first and crashed, or wrote rubbish, a moment later.  Ids are never used twice.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from urlharness.process import Failure, Process, excerpt
from urlharness.protocol import (
    PROTOCOL,
    Bye,
    HarnessHello,
    Hello,
    Question,
    Reply,
    ascii_line,
    decode_hello,
    decode_reply,
)


class Abnormal(NamedTuple):
    """What happened instead of an answer, and the last of what the adapter wrote on stderr."""

    outcome: Literal["timeout", "crash", "garbage", "no-answer", "aborted"]
    detail: str
    stderr: str = ""


class AdapterDead(Exception):
    """An adapter that cannot be started, or does not say hello; the message says what it did."""


class Limits(NamedTuple):
    """Seconds for the start and for one case, and how often a program may be started again."""

    start: float = 30.0
    case: float = 5.0
    restarts: int = 300


class Session:
    """One adapter program, started again as often as its limits allow."""

    def __init__(self, command: Sequence[str], limits: Limits, harness: str) -> None:
        self._command = list(command)
        self._limits = limits
        self._greeting = ascii_line(HarnessHello([PROTOCOL], harness))
        self._process = Process(self._command)
        self._next_id = 1
        self._starts = 0
        self._asked = 0  # since the last start
        self.hello = self._start()

    def ask(self, questions: Sequence[Question]) -> Iterator[tuple[int, Reply | Abnormal]]:
        """The reply to each question, by its index; in the order in which they are settled."""
        waiting, alone = deque(range(len(questions))), deque[int]()
        flying: dict[int, int] = {}  # id -> index, oldest first
        while waiting or alone or flying:
            try:
                if not self._process.running:
                    self._restart()
            except AdapterDead as dead:
                for index in (*flying.values(), *alone, *waiting):
                    yield index, Abnormal("aborted", str(dead), self._process.stderr)
                return
            try:
                self._send(questions, waiting, alone, flying)
                for reply in self._receive(flying):
                    yield flying.pop(reply.id), reply
            except Failure as failure:
                stderr = self._process.kill()
                if self._asked == 1 and flying:
                    yield flying.popitem()[1], Abnormal(failure.outcome, failure.detail, stderr)
                else:
                    alone.extend(flying.values())
                    flying.clear()

    @property
    def restarts(self) -> int:
        """How often the program had to be started again."""
        return self._starts - 1

    def close(self) -> None:
        """Say goodbye and end the process."""
        if self._process.running:
            self._process.write(ascii_line(Bye()))
        self._process.stop()

    def _send(
        self,
        questions: Sequence[Question],
        waiting: deque[int],
        alone: deque[int],
        flying: dict[int, int],
    ) -> None:
        queue, window = (alone, 1) if alone else (waiting, self.hello.window)
        if alone and flying:
            return
        while queue and len(flying) < window:
            index = queue.popleft()
            flying[self._next_id] = index
            self._asked += 1
            self._process.write(ascii_line(msgspec.structs.replace(questions[index], id=self._next_id)))
            self._next_id += 1

    def _receive(self, flying: dict[int, int]) -> Iterator[Reply]:
        """The replies that arrive next; raises Failure where none arrives in time or one is no reply."""
        for line in self._process.read_lines(self._limits.case):
            try:
                reply = decode_reply(line)
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                raise Failure("garbage", f"not a reply: {error}: {excerpt(line)}") from None
            if reply.id not in flying:
                raise Failure("garbage", f"a reply to {reply.id}, which is not asked: {excerpt(line)}")
            yield reply

    def _restart(self) -> None:
        if self._starts > self._limits.restarts:
            raise AdapterDead(f"it had to be started again more than {self._limits.restarts} times")
        self._start()

    def _start(self) -> Hello:
        self._starts += 1
        self._asked = 0
        try:
            self._process.start()
        except OSError as error:
            raise AdapterDead(f"{self._command[0]}: {error.strerror}") from None
        try:
            self._process.write(self._greeting)
            line = next(self._process.read_lines(self._limits.start))
            return decode_hello(line)
        except Failure as failure:
            reason = f"no hello: {failure.detail}"
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            spoken = _protocol_of(line)
            what = f"it speaks protocol {spoken}, not {PROTOCOL}" if spoken not in (None, PROTOCOL) else ""
            no_hello = f"its first line is no hello of protocol {PROTOCOL}: {error}: {excerpt(line)}"
            reason = what or no_hello
        stderr = self._process.kill().strip()
        raise AdapterDead(f"{reason}; it wrote: {stderr.splitlines()[-1]}" if stderr else reason)


def _protocol_of(line: bytes) -> Any:
    """The protocol that a hello speaks of, None where it is none."""
    try:
        hello = msgspec.json.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return hello.get("protocol") if isinstance(hello, dict) else None
