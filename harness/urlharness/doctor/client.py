"""The doctor's clients of an adapter: they can write any bytes, and they record the lines that are exchanged.

The clients of a run write only valid lines, and judge for themselves what went wrong. The doctor needs less
help and more control: it writes a line in pieces, two questions with the wrong ids, or nothing at all, and it
must show the maintainer what was written and read. A breach of the protocol ends a check by `ProtocolBreach`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from urlharness.adapters.registry import Adapter, InProcess, Program, ProgramPerCase
from urlharness.doctor import model
from urlharness.doctor.model import Exchange, Probe, Rule
from urlharness.jsonio import ascii_line, ascii_lines
from urlharness.protocol import messages
from urlharness.protocol.errors import DECODE_ERRORS, hello_error, reply_error
from urlharness.protocol.failures import Abnormal, AdapterDead
from urlharness.protocol.messages import LINE_LIMIT, Hello, Implementation, Reply
from urlharness.sessions.client import serve_command, serve_error
from urlharness.sessions.exec_adapter import exec_hello, exec_input, exec_reply
from urlharness.sessions.process import Poller, Process, ProcessFailure, error_line
from urlharness.shell import wire_input_command
from urlharness.text import clipped, excerpt

_MAX_LINES = 6  # the maximum number of lines that are printed of an exchange
_MAX_STDERR_LINES = 3  # the maximum number of lines that are printed of stderr
_MAX_PRINTED_LINE_LENGTH = 160  # the maximum number of characters that are printed of a line
_MAX_REPRODUCED_INPUT = 4096  # bytes; no command to reproduce is printed for longer input


class Patience(NamedTuple):
    """The time limits of an examination in seconds, and the rate below which an adapter counts as slow.

    `start` is the limit for the hello, `answer` for one answer, and `ending` for the end of the process.
    `measuring` is the time for which the speed is measured.
    """

    start: float = 10.0
    answer: float = 5.0
    ending: float = 2.0
    measuring: float = 0.5
    slow: float = 100.0  # questions per second
    total: float = 60.0  # if all checks would take longer, the checks that repeat questions are skipped


class Wait(NamedTuple):
    """The seconds until a message arrived. `message` is `hello` or `answer`."""

    seconds: float = 0.0
    message: str = "answer"


class ProtocolBreach(Exception):
    """A breach of the protocol that ended the check.

    `silent` is true if the adapter did not write a complete line in time, so more time may help. `rule` is
    the rule that is broken, or None if it is the rule that the check tests.
    """

    def __init__(self, message: str, *, silent: bool = False, rule: Rule | None = None) -> None:
        super().__init__(message)
        self.silent = silent
        self.rule = rule


#: The hello of the doctor. It contains an unknown field, which an adapter must ignore.
GREETING = ascii_line(
    {
        "type": "hello",
        "protocol": [messages.PROTOCOL],
        "harness": "urlconform doctor",
        "unknown": {"type": "bye"},
    }
)


def exchange_lines(exchanges: Sequence[Exchange]) -> list[str]:
    """Return the lines of the last exchanges. Long lines are cut."""
    lines = []
    for exchange in exchanges[-_MAX_LINES // 2 :]:
        lines += _marked_lines("->", ascii_line(exchange.probe))
        lines += _marked_lines("<-", messages.encode(exchange.reply))
    return lines


def _marked_lines(mark: str, written: bytes) -> list[str]:
    """Return the last lines of what was written or read, each after a mark."""
    last_lines = written.rstrip(b"\n").rsplit(b"\n", _MAX_LINES)[-_MAX_LINES:]
    lines = (line.decode("utf-8", "backslashreplace") for line in last_lines if line)
    return [f"{mark} {clipped(line, _MAX_PRINTED_LINE_LENGTH)}" for line in lines]


class _Client:
    """A client that runs one process at a time and records the input and output of the process."""

    def __init__(
        self,
        command: Sequence[str],
        patience: Patience,
        hello: Hello,
        folder: Path | None,
        served: str = "",
    ) -> None:
        """Prepare a client. `served` is the name of the function if `urlconform serve` serves one."""
        self.served = served
        self.patience = patience
        self.hello = hello
        self.stderr = ""  # the longest stderr among all processes
        self.slowest = Wait()
        self.quickest: dict[str, float] = {}  # the fewest seconds until a message, by `Wait.message`
        self.exchange = deque[str](maxlen=_MAX_LINES + _MAX_STDERR_LINES)
        self._command = command
        self._folder = folder
        self._poller = Poller()
        self._process = Process(command, self._poller, folder, interpreter=served != "")
        self.unread = deque[bytes]()  # lines that have arrived
        self._written = b""
        self._greeted = False

    def now(self) -> float:
        """Return the time in seconds of the clock by which answers are late."""
        return self._poller.now()

    def reproducing_command(self, exchanges: Sequence[Exchange] = ()) -> str:
        """Return a bash command that repeats these exchanges (default: all input of the last process).

        Return an empty string if the input is too long.
        """
        written = self._input_of(exchanges) if exchanges else self._written
        if len(written) >= _MAX_REPRODUCED_INPUT:
            return ""
        if self.served:
            return wire_input_command(written, ["urlconform", "serve", self.served])
        return wire_input_command(written, self._command, self._folder)

    def start(self) -> None:
        """Start a fresh process. Raise ProtocolBreach if the program cannot be started."""
        self.end()
        self._written = b""
        self.unread.clear()
        self.exchange.clear()
        try:
            self._process.start()
        except AdapterDead as dead:
            raise ProtocolBreach(str(dead), rule=model.COMMAND) from None

    def write(self, data: bytes, *, last: bool = False) -> None:
        """Write bytes unchanged. If they are the `last` bytes, close stdin after them."""
        self._written = (self._written + data)[:_MAX_REPRODUCED_INPUT]
        self.exchange.extend(_marked_lines("->", data))
        self._process.write(data, last=last)
        self._process.flush()

    def wait_for_exit(self, seconds: float) -> int | None:
        """Wait for the process to exit. Return its exit status, or None if it has not exited in this time.

        Of the lines that the process writes during this time, which may be endless, keep only the first.
        """
        deadline = self.now() + seconds
        try:
            while (remaining := deadline - self.now()) > 0:
                self._pump(remaining)
                self.unread = deque(islice(self.unread, 1))
        except ProcessFailure as failure:
            return failure.status
        return None

    def end(self) -> str:
        """Kill the process if it is running, and return the end of its stderr."""
        self._greeted = False
        stderr = self._process.kill() if self._process.running else ""
        self.stderr = max(self.stderr, stderr, key=len)
        self.exchange.extend(_marked_lines("|", stderr.encode())[-_MAX_STDERR_LINES:])
        return stderr

    def _pump(self, seconds: float) -> None:
        """Wait until a pipe of the process is ready or the time has run out, then write and read.

        Raise ProcessFailure if the process has ended or wrote garbage.
        """
        self._poller.wait(min(seconds, self._process.poll_interval))
        self.unread.extend(self._process.pump())

    def _record(self, line: bytes, wait: Wait) -> None:
        """Record a line that the process wrote, and how long it took."""
        self.exchange.extend(_marked_lines("<-", line))
        self.slowest = max(self.slowest, wait)
        quickest = self.quickest.get(wait.message, wait.seconds)
        self.quickest[wait.message] = min(wait.seconds, quickest)

    def _input_of(self, exchanges: Sequence[Exchange]) -> bytes:
        """Return the input of a process that is asked only the questions of these exchanges."""
        questions = [
            {"type": "run", "id": number, **exchange.probe} for number, exchange in enumerate(exchanges, 1)
        ]
        return GREETING + ascii_lines(questions)


class ProtocolClient(_Client):
    """A client of a program that speaks the protocol."""

    def __init__(
        self, command: Sequence[str], patience: Patience, folder: Path | None = None, served: str = ""
    ) -> None:
        unknown_hello = Hello(
            protocol=1, implementation=Implementation("unknown", version=""), ops=[], specs=[]
        )
        super().__init__(command, patience, unknown_hello, folder, served)
        self._last_id = 0

    def greet(self) -> None:
        """Start a fresh process and read its hello. Raise ProtocolBreach if that fails."""
        self.start()
        self.write(GREETING)
        line = self.read_line(self.patience.start, "hello")
        try:
            messages.decode_hello(line)
        except DECODE_ERRORS as error:
            raise ProtocolBreach(f"in a new process {hello_error(line, error)}") from None
        self._greeted = True
        self._last_id = 0

    def ask(self, *probes: Probe) -> list[Reply]:
        """Ask questions one at a time and return the replies. Start a process if none is running.

        Raise ProtocolBreach if a reply is invalid or does not arrive in time.
        """
        if not self._greeted:
            self.greet()
        return [self.receive(self.send(probe)) for probe in probes]

    def next_message(self, probe: Probe) -> dict[str, Any]:
        """Take the next id, and return the message of a probe with it. An id in the probe replaces it."""
        self._last_id += 1
        return {"type": "run", "id": self._last_id, **probe}

    def send(self, *probes: Probe) -> set[int]:
        """Write all questions at once, and return their ids."""
        questions = [self.next_message(probe) for probe in probes]
        self.write(ascii_lines(questions))
        return {question["id"] for question in questions}

    def receive(self, waiting: set[int]) -> Reply:
        """Return the next reply and remove its id from `waiting`.

        Raise ProtocolBreach if no reply arrives in time, if the reply is invalid, or if its id is not in
        `waiting`.
        """
        line = self.read_line(self.patience.answer)
        try:
            reply = messages.decode_reply(line)
        except DECODE_ERRORS as error:
            raise self._invalid_reply(line, error) from None
        if reply.id not in waiting:
            raise ProtocolBreach(
                f"a reply to {reply.id}, which is not in flight: {excerpt(line)}", rule=model.REPLY
            )
        waiting.remove(reply.id)
        return reply

    def read_line(self, seconds: float, message: str = "answer") -> bytes:
        """Return the next line, which is a hello or an answer.

        Raise ProtocolBreach if no line arrives in time, or if the process ends.
        """
        begun = self.now()
        try:
            while not self.unread:
                remaining = begun + seconds - self.now()
                if remaining <= 0:
                    raise self._explain_silence(seconds, message)
                self._pump(remaining)
        except ProcessFailure as failure:
            raise self._end_and_explain(failure) from None
        line = self.unread.popleft()
        self._record(line, Wait(self.now() - begun, message))
        return line

    def _explain_silence(self, seconds: float, message: str) -> ProtocolBreach:
        """Find out why a process did not write a line in time, and return the breach.

        Unless the process has written a part of a line, close stdin: if a line comes then, the process has
        buffered it.
        """
        note = f"no {message} within {seconds:g} s"
        partial_line = self._process.partial_line
        if partial_line:
            note += f", only the beginning of a line: {excerpt(partial_line)}"
            return ProtocolBreach(note, silent=True)
        self.write(b"", last=True)
        self.wait_for_exit(self.patience.ending)
        if self.unread:
            note += "; it came when stdin was closed: flush each answer, and read stdin line by line"
        return ProtocolBreach(note, silent=True)

    def _end_and_explain(self, failure: ProcessFailure) -> ProtocolBreach:
        """Clean up after a process that has ended or has written invalid output, and return the breach.

        If `urlconform serve` has said why it cannot serve the function, this is the breach.
        """
        stderr = self.end()
        partial_line = self._process.partial_line
        error = serve_error(failure.status, stderr) if self.served else ""
        if error:
            return ProtocolBreach(error, rule=model.FUNCTION)
        after = f" after {excerpt(partial_line)}" if partial_line and failure.status else ""
        return ProtocolBreach(f"{failure.detail}{after}{_end_of_stderr(stderr)}")

    def _invalid_reply(self, line: bytes, error: Exception) -> ProtocolBreach:
        """Return the breach of a line that is not a reply. `error` is the exception of the decoder."""
        try:
            reply = msgspec.json.decode(line)
        except DECODE_ERRORS:
            return ProtocolBreach(reply_error(line, error), rule=model.JSON_LINES)
        has_null_status = isinstance(reply, dict) and reply.get("status", "missing") is None
        if self.served and has_null_status:  # so `serve` reports an invalid answer of the function
            return ProtocolBreach(str(reply.get("message")), rule=model.FUNCTION)
        return ProtocolBreach(reply_error(line, error), rule=model.REPLY)


class ExecClient(_Client):
    """A client of a program that is run once for each question."""

    def __init__(self, command: Sequence[str], patience: Patience, folder: Path | None = None) -> None:
        super().__init__(command, patience, exec_hello("a program per case"), folder)

    def ask(self, *probes: Probe) -> list[Reply]:
        """Run the program once for each question and return the replies.

        Raise ProtocolBreach if a run fails.
        """
        return [self._run(probe) for probe in probes]

    def _run(self, probe: Probe) -> Reply:
        """Run the program for one question. Raise ProtocolBreach if it does not answer."""
        self.start()
        begun = self.now()
        self.write(exec_input(probe), last=True)
        output, end = self._read_to_end(begun + self.patience.answer)
        self._record(output, Wait(self.now() - begun))
        stderr = self.end()
        reply = exec_reply(end, output, stderr)
        if isinstance(reply, Abnormal):
            message = f"{reply.detail}{_end_of_stderr(stderr)}"
            rule = model.EXIT_CODES if end.status == 1 else None
            raise ProtocolBreach(message, silent=end.outcome == "timeout", rule=rule)
        return reply

    def _read_to_end(self, deadline: float) -> tuple[bytes, ProcessFailure]:
        """Return the output of the program, and how the program ended."""
        output = b""
        try:
            while (remaining := deadline - self.now()) > 0:
                self._pump(remaining)
                output += b"".join(line + b"\n" for line in self.unread)
                self.unread.clear()
                if len(output) > LINE_LIMIT:
                    return b"", ProcessFailure("garbage", f"more than {LINE_LIMIT} bytes of output")
        except ProcessFailure as failure:
            return output + self._process.partial_line, failure
        return output, self._process.timeout_failure(self.patience.answer)

    def _input_of(self, exchanges: Sequence[Exchange]) -> bytes:
        return exec_input(exchanges[-1].probe)  # a process answers only one question


def _end_of_stderr(stderr: str) -> str:
    """Return the error line of stderr as the end of a note, or an empty string if stderr is blank."""
    return f"; stderr: {error_line(stderr)}" if stderr.strip() else ""


Client = ProtocolClient | ExecClient


def client_of(adapter: Adapter, patience: Patience) -> Client:
    """Return a client of an adapter without starting the adapter.

    Raise NotInstalled if its runtime is missing.
    """
    match adapter:
        case Program():
            return ProtocolClient(adapter.command(), patience, adapter.working_folder())
        case ProgramPerCase():
            return ExecClient(adapter.command, patience, adapter.folder)
        case InProcess():
            return ProtocolClient(
                serve_command(replace(adapter, in_child=False)), patience, served=adapter.name
            )
