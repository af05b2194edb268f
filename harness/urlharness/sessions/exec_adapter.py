"""An `exec:` adapter: a program that is started for each question and reads it from stdin.

Exit code 0 accepts the text; an answer on stdout is optional. Exit code 1 rejects the text, and 3 means that
the question is unsupported. Several languages exit with 1 after an uncaught exception, too: with a stack
trace on stderr, exit code 1 is a crash.
"""

from __future__ import annotations

import math
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from urlharness.corpus.model import OPERATIONS
from urlharness.corpus.specifications import DEFAULT_SPECS, facts
from urlharness.jsonio import ascii_line
from urlharness.protocol.errors import DECODE_ERRORS, answer_error
from urlharness.protocol.failures import Abnormal, AdapterDead
from urlharness.protocol.limits import Limits
from urlharness.protocol.messages import LINE_LIMIT, TELLS_EMPTY, Hello, Implementation, Question, Reply
from urlharness.sessions.process import Poller, Process, ProcessFailure, Recording, error_line, stderr_tail
from urlharness.sessions.scheduler import QuestionQueue, Steps

_LONGEST_MESSAGE = 4096  # the maximum number of characters of the message of a reply

#: Lines of stack traces in those languages that exit with code 1 after an uncaught exception.
_STACK_TRACE = re.compile(
    r"^(?:Traceback \(most recent call|\s+at \S.*:\d+\)?$|\s+from \S+:\d+:in |PHP Fatal error:)", re.MULTILINE
)


class ExecWorker:
    """Runs a program once for each question, one question at a time. Several workers may share a poller."""

    restarts = 0  # a process is started for every question, so no start counts as a restart

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        limits: Limits,
        poller: Poller,
        folder: Path | None = None,
        recording: Recording | None = None,
    ) -> None:
        """Raise AdapterDead if the program does not exist. `name` is the name of the adapter."""
        program = command[0]
        # a path is relative to the folder, and a name without a slash is searched on the PATH
        path = folder / program if folder and "/" in program else program
        if shutil.which(path) is None:
            raise AdapterDead(f"{program}: no such program")
        self.deadline = math.inf
        self.hello = exec_hello(name)
        self._seconds = limits.case
        self._poller = poller
        self.process = Process(command, poller, folder, recording)

    def finish(self) -> None:
        """Kill the process if it is running."""
        self.process.kill()

    def drain(self) -> tuple[()]:
        """Return an empty tuple, because no result is held back."""
        return ()

    def steps(self, queue: QuestionQueue) -> Steps:
        """Answer the questions of the queue one at a time, without blocking.

        Yield the results of each step.
        """
        while not queue.exhausted:
            for index, question in queue.take(1):
                yield from self._run(queue, index, question)
            yield ()

    def _run(self, queue: QuestionQueue, index: int, question: Question) -> Steps:
        """Run the program with one question. Yield nothing until it has ended, and then the result."""
        try:
            self.process.start()
        except AdapterDead as dead:
            yield [(index, Abnormal("aborted", str(dead)))]
            return
        try:
            self.process.write(exec_input(msgspec.to_builtins(question)), last=True)
            self.process.flush()
            self.deadline = self._poller.now() + self._seconds
            waited_before = self._poller.waited
            output = bytearray()
            while True:
                yield ()
                try:
                    self._read(output)
                except ProcessFailure as failure:
                    output += self.process.partial_line
                    end = failure
                    break
        finally:
            stderr = self.process.kill()
            self.deadline = math.inf
        queue.add_reply(index, len(output))
        queue.seconds[index] = self._poller.waited - waited_before
        yield [(index, exec_reply(end, bytes(output), stderr))]

    def _read(self, output: bytearray) -> None:
        """Append the lines that have arrived to `output`.

        Raise ProcessFailure if the process has ended, has timed out or has written too much.
        """
        late = self._poller.now() >= self.deadline
        if late:
            self._poller.wait(0.0)  # the process may have ended since the pipes were last polled
        for line in self.process.pump(check_exit=late):
            output += line + b"\n"
        if len(output) > LINE_LIMIT:
            raise ProcessFailure("garbage", f"more than {LINE_LIMIT} bytes of output")
        if late:
            raise self.process.timeout_failure(self._seconds)


def exec_hello(name: str) -> Hello:
    """Return a hello for a program, because the program cannot send one.

    It claims the feature `absent-vs-empty` and all operations of the RFCs that every adapter is asked about,
    but no RFC. The window is 1.
    """
    about = Implementation(name, "unknown")
    asked_ops = [op for op in OPERATIONS if any(facts(spec).defines(op) for spec in DEFAULT_SPECS)]
    return Hello(1, about, asked_ops, specs=[], features=[TELLS_EMPTY])


def exec_input(question: Mapping[str, Any]) -> bytes:
    """Return the input of the program: a `run` message without `id`."""
    message = {"type": "run", **question}
    message.pop("id", None)
    return ascii_line(message)


def exec_reply(end: ProcessFailure, output: bytes, stderr: str) -> Reply | Abnormal:
    """Convert the exit code and the output of a program to a reply or an abnormal outcome."""
    match end.status:
        case 0:
            try:
                answer: dict[str, Any] = msgspec.json.decode(output, type=dict) if output.strip() else {}
                return msgspec.convert({"status": "ok", **answer, "id": 0}, Reply)
            except DECODE_ERRORS as error:
                return Abnormal("garbage", answer_error(output.strip(), error), stderr_tail(stderr))
        case 1 if _STACK_TRACE.search(stderr):
            return Abnormal("crash", "exit code 1 with a stack trace", stderr_tail(stderr))
        case 1:
            return Reply(0, "reject", error_line(stderr)[:_LONGEST_MESSAGE])
        case 3:
            return Reply(0, "unsupported", error_line(stderr)[:_LONGEST_MESSAGE])
        case _:
            return Abnormal(end.outcome, end.detail, stderr_tail(stderr))
