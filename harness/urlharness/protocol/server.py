"""Serve an in-process adapter over the wire protocol: questions on stdin, answers on stdout.

The library may print, read stdin, exit, or return any object. So the server takes stdin and stdout away
before it loads the library, converts each answer to a reply, and keeps the answers of earlier questions
whatever happens. Several answers are written by one system call: one at a time, the calls would take longer
than most libraries.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from urlharness.protocol.errors import DECODE_ERRORS, json_excerpt, question_error, value_error
from urlharness.protocol.failures import Abnormal, AdapterDead, Interrupted
from urlharness.protocol.messages import LARGEST_ID, LINE_LIMIT, PROTOCOL, Hello, Reply, encode
from urlharness.text import well_formed

Responder = Callable[[dict[str, Any]], dict[str, Any]]

_PIPE_SIZE = 1 << 16
_MAX_DELAY = 0.02  # seconds for which an answer may wait to be written together with others
_WINDOW = 64  # the window if the hello of the function does not state one
_SMALL_WINDOW = 16  # the same during a run: hardly slower, and an interrupt loses fewer answers


class ProtocolError(Exception):
    """A line of the harness is not a valid message. The error names the line."""


def serve(load: Callable[[], tuple[dict[str, Any], Responder]], *, report_abnormal: bool = False) -> None:
    """Answer the questions on stdin until `bye` or the end of input.

    `load` returns the hello and the function that answers. Answers are written in batches, to save system
    calls, but no later than when all questions that have arrived are answered. Text that the library prints
    goes to stderr, and the stdin of the library is empty. If `report_abnormal` is true, an exit or an invalid
    answer of the function is reported (see `abnormal_outcome`) and does not end the process. Raise
    ProtocolError if a line is not a message, and AdapterDead if the hello of the function is invalid.
    """
    stdout = os.dup(1)
    stdin = os.dup(0)
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    hello, respond = load()
    window = _SMALL_WINDOW if report_abnormal else _WINDOW
    greeting = encode(hello_of({"window": window, **hello})) + b"\n"
    for batch in _batches(stdin):
        ready: list[bytes] = []
        since = time.monotonic()
        try:
            for number, line in batch:
                message = _decoded_message(number, line)
                if message["type"] == "bye":
                    return
                if message["type"] == "hello":
                    ready.append(greeting)
                else:
                    reply = _call_and_encode(respond, message, report_abnormal=report_abnormal)
                    ready.append(reply + b"\n")
                if time.monotonic() - since > _MAX_DELAY:
                    _write(stdout, b"".join(ready))
                    ready.clear()
                    since = time.monotonic()
        finally:  # even after a ProtocolError: it must not lose the answers to the questions before that line
            _write(stdout, b"".join(ready))


def hello_of(fields: Mapping[str, Any]) -> Hello:
    """Convert the fields that a function gives to a hello. Raise AdapterDead if they are invalid."""
    message: object = fields  # for the error, if the mapping cannot be copied
    try:
        message = {**fields, "type": "hello"}
        hello = msgspec.convert(message, Hello)
        encode(hello)
    except Exception as error:  # noqa: BLE001 - the mapping of a library may raise anything
        raise AdapterDead(f"its hello is invalid: {_error_in_words(message, Hello, error)}") from None
    return hello


def reply_of(answer: object, number: int) -> Reply:
    """Convert the answer of a function to the reply with this id. Raise ValueError if it is invalid."""
    if not isinstance(answer, Mapping):
        raise ValueError(f"not a reply: the function returned {type(answer).__name__}, expected a dict")  # noqa: TRY004
    message: object = answer  # for the error, if the mapping cannot be copied
    try:
        message = {**answer, "id": number}
        reply = msgspec.convert(message, Reply)
        encode(reply)
    except Exception as error:  # noqa: BLE001 - a mapping of a library may do anything
        raise ValueError(f"not a reply: {_error_in_words(message, Reply, error)}") from None
    return reply


def call_function(
    respond: Responder, question: dict[str, Any], number: int, *passing: type[BaseException]
) -> Reply:
    """Call a function with a question and return its reply, with the id `number`.

    An exception of the function becomes a reply with status `error`, unless its type is in `passing`. Raise
    exceptions of these types again. Raise ValueError if the reply is invalid.
    """
    try:
        answer = respond(question)
    except passing:
        raise
    except BaseException as error:  # noqa: BLE001 - any other exception becomes the reply
        return Reply(number, "error", exception_text(error))
    return reply_of(answer, number)


def abnormal_outcome(reply: Reply) -> Abnormal | None:
    """Return the outcome `crash` or `garbage` that a served function has caused, or None if it has answered.

    `serve` reports such an outcome as a reply with status `error` and the outcome as `layer`. If the function
    itself sets such a `layer`, `serve` removes the `layer`, so the outcome cannot be forged.
    """
    if reply.status == "error" and reply.layer in ("garbage", "crash"):
        return Abnormal("crash" if reply.layer == "crash" else "garbage", reply.message)
    return None


def exception_text(error: BaseException) -> str:
    """Format an exception as `Name: message`."""
    name = type(error).__name__
    try:
        return well_formed(f"{name}: {error}")
    except (Exception, SystemExit) as another:  # noqa: BLE001 - __str__ of the exception is a library's code
        return well_formed(f"{name} (its text cannot be read: {type(another).__name__})")


def exit_in_words(end: SystemExit) -> str:
    """Say that a function has called exit, and with which code."""
    try:
        return well_formed(f"it called exit({end.code!r})")
    except (Exception, SystemExit):  # noqa: BLE001 - the code may be any object
        return "it called exit"


def _error_in_words(message: object, kind: type[msgspec.Struct], error: Exception) -> str:
    """Say why a message is invalid: its fields, or the exception that its mapping raised."""
    if isinstance(error, msgspec.ValidationError):
        return value_error(message, kind, error)
    return exception_text(error)


def _decoded_message(number: int, line: bytes) -> dict[str, Any]:
    """Decode a message of the harness. Raise ProtocolError, which names the line, if it is invalid."""
    try:
        message = msgspec.json.decode(line)
    except DECODE_ERRORS as error:
        raise ProtocolError(f"line {number}: not a message: {error}") from None
    if not isinstance(message, dict):
        raise ProtocolError(f"line {number}: expected a JSON object, not {json_excerpt(message)}")
    kind = message.get("type")
    if kind == "hello":
        offered = message.get("protocol", [PROTOCOL])
        if not isinstance(offered, list) or PROTOCOL not in offered:
            raise ProtocolError(f"line {number}: the hello does not offer protocol {PROTOCOL}")
    elif kind == "run":
        identifier = message.get("id")
        # not isinstance, because JSON true is an int, too
        if type(identifier) is not int or not 0 <= identifier <= LARGEST_ID:
            raise ProtocolError(f"line {number}: the id of a run must be an integer from 0 to 2⁵³ \u2212 1")
    elif kind != "bye":
        raise ProtocolError(
            f"line {number}: expected a hello, a bye, or a run with an id; type is {json_excerpt(kind)}"
        )
    return message


def _call_and_encode(respond: Responder, message: dict[str, Any], *, report_abnormal: bool) -> bytes:
    """Call the function with a question, and return its reply as JSON. The id is taken out of the message.

    If the function cannot answer because the question is invalid, the reply says what is wrong with it.
    `report_abnormal` is as in `serve`.
    """
    number = message.pop("id")
    try:
        reply = call_function(respond, message, number, Interrupted, SystemExit)
    except ValueError as error:
        if report_abnormal:
            return encode(Reply(number, "error", str(error), layer="garbage"))
        # the invalid status makes the harness judge the reply as garbage
        return msgspec.json.encode({"id": number, "status": None, "message": str(error)})
    except SystemExit as end:
        if not report_abnormal:
            raise
        return encode(Reply(number, "error", exit_in_words(end), layer="crash"))
    if report_abnormal and abnormal_outcome(reply):  # the function set the layer itself
        reply = msgspec.structs.replace(reply, layer="")
    if reply.status in ("error", "unsupported") and (problem := question_error(message)):
        reply = Reply(number, "error", f"not a valid question: {problem}")
    return encode(reply)


def _batches(pipe: int) -> Iterator[list[tuple[int, bytes]]]:
    """Yield lists of (number, line). Each list contains the complete, non-blank lines that one read returned.

    Raise ProtocolError if a line is too long.
    """
    rest = b""
    count = 0  # of the lines so far
    while chunk := os.read(pipe, _PIPE_SIZE):
        *lines, rest = (rest + chunk).split(b"\n")
        if len(rest) > LINE_LIMIT:
            raise ProtocolError(f"line {count + len(lines) + 1}: longer than {LINE_LIMIT} bytes")
        yield [(number, line) for number, line in enumerate(lines, count + 1) if line.strip()]
        count += len(lines)
    if rest.strip():
        yield [(count + 1, rest)]


def _write(pipe: int, lines: bytes) -> None:
    """Write all lines to a pipe, in as many system calls as it needs."""
    unwritten = memoryview(lines)
    while unwritten:
        unwritten = unwritten[os.write(pipe, unwritten) :]
