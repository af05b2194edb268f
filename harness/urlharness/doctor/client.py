"""A low-level protocol client over engine.process: partial writes, recorded steps."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import msgspec

from urlharness.adapters.registry import Adapter, InProcess, Program, ProgramPerCase
from urlharness.corpus.model import OPERATIONS
from urlharness.doctor.pasting import Step, clean, one_by_one, piped, unstarted
from urlharness.doctor.pasting import served as serving_line
from urlharness.engine.client import serving
from urlharness.engine.diagnosis import ended, has_stack, last_line, not_served, not_started, telling_line
from urlharness.engine.exec_adapter import asked
from urlharness.engine.process import STDERR_KEPT
from urlharness.limits import environment
from urlharness.protocol.errors import LEFT_OUT, Wrong, instead_of_hello, instead_of_reply, is_json, wrong_in
from urlharness.protocol.messages import (
    LINE_LIMIT,
    PROTOCOL,
    Hello,
    Implementation,
    Reply,
    decode_hello,
    decode_reply,
)
from urlharness.text import excerpt, signal_name

# -------------------- doctor.waits: How long lines were waited for: one of them, and the quickest of each kind.


class Wait(NamedTuple):
    """How long a line was waited for, in seconds, and what it is: hello or answer."""

    seconds: float = 0.0
    what: str = "answer"


class Pace(NamedTuple):
    """Seconds of the quickest start and of the quickest answer, 0 where there was none."""

    start: float = 0.0
    answer: float = 0.0

    def with_wait(self, wait: Wait) -> Pace:
        """With one more of either."""
        if wait.what == "hello":
            return self._replace(start=min(self.start or wait.seconds, wait.seconds))
        return self._replace(answer=min(self.answer or wait.seconds, wait.seconds))

    def quicker(self, other: Pace) -> Pace:
        """The quicker of each."""
        found = self
        for wait in (Wait(other.start, "hello"), Wait(other.answer)):
            found = found.with_wait(wait) if wait.seconds else found
        return found


# -------------------- doctor.talk: A conversation with an adapter program: octets written in pieces, lines read with a deadline, all kept.


_CHUNK = 1 << 18


_MOST = 1 << 24  # octets that are taken without being asked for


_KEPT_BACK = (
    "it is not flushed, or all of stdin is read before the first answer "
    "(readlines(), readFileSync(0), <STDIN> in a list)"
)


_LAST_CHANCE = 2.0  # seconds for what is left in a buffer


class Rule(NamedTuple):
    """What the page of the protocol says, and under which heading."""

    says: str
    section: str = "The protocol, version 1"


FUNCTION = Rule(
    "`python:MODULE:FUNCTION` is a function that takes a question (a dict) and gives a reply (a dict)",
    "Four ways in",
)


class Fault(Exception):
    """The adapter did not do what the protocol asks; the message says what it did.

    `silent` where it does nothing while its input is open, `kept_back` where it does when that is closed;
    `rule` where it is another than that of the check.
    """

    def __init__(
        self, message: str, *, silent: bool = False, kept_back: bool = False, rule: Rule | None = None
    ) -> None:
        super().__init__(message)
        self.kept_back = kept_back
        self.silent = silent
        self.rule = rule


class Garbage(Fault):
    """A line that is no reply."""


class NotStarted(Fault):
    """There is no such program, or it may not be run; nothing was said to it."""


class Talk:
    """One start of a program; raises OSError where there is none of that name."""

    def __init__(self, command: Sequence[str], *, served: bool = False) -> None:
        """`served`: the program is a child of ours that serves a function."""
        self.steps: list[Step] = []
        self.stderr_octets = 0
        self._stderr = b""
        self._pending = bytearray()
        self._rest = b""
        self._lines = deque[bytes]()
        self._command = command
        self._served = served
        self._spoke = False
        self.slowest = Wait()
        self.pace = Pace()
        self._taken = 0  # octets of stdout since a line was last asked for
        self._popen = subprocess.Popen(  # noqa: S603 - a command that the user named, and no shell
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env=environment(),
            start_new_session=True,
        )
        assert self._popen.stdin
        assert self._popen.stdout
        assert self._popen.stderr
        self._stdin = self._popen.stdin
        self._stdout = self._popen.stdout
        self._errors = self._popen.stderr
        self._open = {self._stdout.fileno(), self._errors.fileno()}
        for stream in (self._stdin, self._stdout, self._errors):
            os.set_blocking(stream.fileno(), False)

    @property
    def stderr(self) -> str:
        """The last line of what it wrote on stderr."""
        return last_line(self._written())

    @property
    def traced(self) -> bool:
        """True where stderr has what looks like an uncaught exception."""
        return has_stack(self._written())

    @property
    def cause(self) -> str:
        """The line of what it wrote on stderr that names an error, else the last one."""
        return telling_line(self._written())

    def _written(self) -> str:
        return self._stderr.decode("utf-8", "replace")

    def write(self, octets: bytes, pause: float = 0.0) -> None:
        """Write octets as they are, then wait for so many seconds."""
        self.steps.append(Step(octets, pause))
        self._pending += octets
        self._pump(0)
        if pause:
            deadline = time.monotonic() + pause
            while (left := deadline - time.monotonic()) > 0:
                self._pump(left)

    def alone(self) -> None:
        """Note that what was written last was read before anything else was: whoever repeats it waits."""
        self.steps[-1] = self.steps[-1]._replace(seconds=1.0)

    def line(self, seconds: float, what: str = "answer") -> bytes:
        """The next line that is not empty, which is `what`; raises Fault where none comes in time."""
        begun = time.monotonic()
        deadline = begun + seconds
        self._taken = 0
        while not self._lines:
            left = deadline - time.monotonic()
            if left <= 0:
                raise self._silence(seconds, what)
            self._pump(left)
            if not self._lines and self._stdout.fileno() not in self._open:
                raise self._end(max(left, 1.0))
        wait = Wait(time.monotonic() - begun, what)
        self.slowest, self.pace = max(self.slowest, wait), self.pace.with_wait(wait)
        return self._lines.popleft()

    def arrived(self) -> bool:
        """True where a line is there already."""
        if not self._lines:
            self._pump(0)
        return bool(self._lines)

    def more(self, seconds: float) -> bytes | None:
        """A line that nobody asked for, None where none comes in this time."""
        deadline = time.monotonic() + seconds
        while not self._lines and (left := deadline - time.monotonic()) > 0 and self._open:
            self._pump(left)
        return self._lines.popleft() if self._lines else None

    def end_input(self) -> None:
        """Close its input."""
        with contextlib.suppress(OSError):
            self._stdin.close()

    def status(self, seconds: float) -> int | None:
        """Its exit status, None where it is still there after so many seconds."""
        deadline = time.monotonic() + seconds
        while self._popen.poll() is None and (left := deadline - time.monotonic()) > 0:
            self._pump(min(left, 0.02))
        return self._popen.poll()

    def finish(self, seconds: float) -> tuple[int | None, bytes]:
        """Let it read what is written, and end: its exit status, None if it does not end, and its output."""
        deadline = time.monotonic() + seconds
        while self._popen.poll() is None and (left := deadline - time.monotonic()) > 0:
            self._pump(min(left, 0.02))
            if not self._pending:
                self.end_input()
        while self._take(self._stdout.fileno()):
            pass
        return self._popen.poll(), b"\n".join((*self._lines, self._rest))

    def kill(self) -> None:
        """End it, and whatever it has started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._popen.pid, signal.SIGKILL)
        self._popen.wait()
        self._take(self._errors.fileno())
        for stream in (self._stdin, self._stdout, self._errors):
            with contextlib.suppress(OSError):
                stream.close()

    def _pump(self, seconds: float) -> None:
        """Write what is pending and take what has come, or wait for either for so many seconds."""
        poller = select.poll()
        for number in self._open:
            poller.register(number, select.POLLIN)
        if self._pending and not self._stdin.closed:
            poller.register(self._stdin.fileno(), select.POLLOUT)
        for number, _ in poller.poll(min(seconds, 0.2) * 1000):
            if number in self._open:
                self._take(number)
            else:
                try:
                    del self._pending[: os.write(number, self._pending)]
                except BlockingIOError:
                    pass
                except BrokenPipeError:
                    self._pending.clear()  # how it ended tells what happened

    def _take(self, number: int) -> bool:
        """Take what has come on its stdout or stderr; False where nothing has."""
        if number not in self._open:
            return False
        try:
            chunk = os.read(number, _CHUNK)
        except BlockingIOError:
            return False
        if not chunk:
            self._open.discard(number)
        elif number == self._errors.fileno():
            self.stderr_octets += len(chunk)
            self._stderr = (self._stderr + chunk)[-STDERR_KEPT:]
        else:
            *lines, self._rest = (self._rest + chunk).split(b"\n")
            if any(len(line) > LINE_LIMIT for line in (*lines, self._rest)):
                raise Fault(f"it writes a line of more than {LINE_LIMIT} octets")
            self._lines.extend(line for line in lines if line.strip())
            self._taken += len(chunk)
            self._spoke = True
            if self._taken > _MOST:
                raise Fault(f"it writes without end: more than {_MOST} octets")
        return bool(chunk)

    def _silence(self, seconds: float, what: str) -> Fault:
        """Why nothing came: an answer that arrives once its input ends was kept back in a buffer."""
        said = f"no {what} within {seconds:g} s"
        if self._rest:
            return Fault(f"{said}, only the beginning of a line: {excerpt(self._rest)}", silent=True)
        if self._unread():
            return Fault(f"{said}; it has not read what was written", silent=True)
        self.end_input()
        if self.more(_LAST_CHANCE) is not None:
            why = f"{said}; it came when the input was closed: {_KEPT_BACK}"
            return Fault(why, silent=True, kept_back=True)
        return Fault(said, silent=True)

    def _unread(self) -> bool:
        """True where some of what was written lies in the pipe; what is kept back there is no answer."""
        if self._pending or self._stdin.closed:
            return bool(self._pending)
        left = fcntl.ioctl(self._stdin.fileno(), termios.FIONREAD, struct.pack("i", 0))
        return any(left)

    def _end(self, seconds: float) -> Fault:
        """How it ended: it was asked, and its output is closed."""
        status = self.status(seconds)
        if self._served and (why := not_served(status, self._written())):
            return Fault(why, rule=FUNCTION)
        wrote = f"; it wrote: {self.cause}" if self.cause else ""
        tail = f" after {excerpt(self._rest)}" if self._rest else ""
        if status is None:
            return Fault(f"it closed its output and went on{tail}{wrote}")
        how = f"with exit code {status}" if status >= 0 else f"by {signal_name(-status)}"
        hint = "" if self._spoke or self._served else ended(self._command, status)
        return Fault(f"it ended {how} without an answer{tail}{wrote}{hint}")


# -------------------- doctor.rubbish: What came instead of a reply, and what the protocol says of just that.


_UNGIVEN = "not a reply: "


_FIELD = re.compile(rf"{_UNGIVEN}(?:it has no )?(\w+)\b")


_TEXTS = Rule("answers: parse `components`; resolve, recompose and normalize `url`")


_COUNTS = Rule("`id` and `at` are integers from 0 to 2⁵³ \u2212 1, written without a decimal point")


#: What the protocol says of each field of a reply, and of a line that is none.
RULES: Mapping[str, Rule] = {
    "": Rule("one JSON object a line, UTF-8"),
    "status": Rule("a reply has a `status`: `ok`, `reject`, `unsupported` or `error`"),
    "components": Rule(
        'a component is a text, null when absent, "" when present but empty, and left out when not exposed'
    ),
    "url": _TEXTS,
    "base": Rule("answers: base `base`; null is no base"),
    "urls": Rule("`urls` has the URLs in the order of the text, each as the list of its readings"),
    "equal": Rule("answers: equivalent `equal`"),
    "at": _COUNTS,
    "id": _COUNTS,
}


#: What it says of a field that is null.
NULL = Rule(
    "a field without a value is left out; null are a component, `at`, `base`, and what is in `decoded`"
)


def rubbish(line: bytes, error: Exception, *, served: bool) -> Garbage:
    """A line that is no reply by an error of its decoder, as a fault; `served`: a child of ours wrote it."""
    wrong = wrong_in(line)
    if wrong and wrong.field == "status" and served:  # `serve` says there why a function gave no reply
        said = msgspec.json.decode(line)
        why = str(said.get("message", ""))
        if said.get("status") is None and why.startswith(_UNGIVEN):
            field = _FIELD.match(why)
            return Garbage(why, rule=(_rule(Wrong(field[1], why)) if field else None) or FUNCTION)
    rule = _rule(wrong) if wrong else None if is_json(line) else RULES[""]
    return Garbage(f"not a reply: {instead_of_reply(line, str(error))}: {excerpt(line)}", rule=rule)


def _rule(wrong: Wrong) -> Rule | None:
    return NULL if wrong.says.endswith(LEFT_OUT) else RULES.get(wrong.field)


# -------------------- doctor.subjects: What the doctor examines: a program that speaks the protocol, or one that is run for each question.


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
