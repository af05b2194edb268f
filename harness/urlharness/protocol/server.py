"""An in-process adapter served over the wire protocol: questions on stdin, answers on stdout."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from urlharness.limits import Abnormal, AdapterDead, Interrupted
from urlharness.protocol.errors import not_given, not_said
from urlharness.protocol.messages import LINE_LIMIT, PROTOCOL, Hello, Reply, encode
from urlharness.text import well_formed

Answer = Callable[[dict[str, Any]], dict[str, Any]]


_CHUNK = 1 << 16


_PATIENCE = 0.02  # seconds for which an answer may wait for others


_WINDOW = 64  # where the adapter does not say how many questions it takes at once


_FEW = 16  # of a run: hardly slower, and of one that is interrupted fewer answers are in doubt


class ProtocolError(Exception):
    """The other side does not speak the protocol; the message says where."""


def serve(load: Callable[[], tuple[dict[str, Any], Answer]], *, abnormal: bool = False) -> None:
    """Answer the questions on stdin until `bye` or the end; raises ProtocolError for what is no message.

    Answers are written whenever no further question has arrived yet, so that pipelining costs few calls
    and nobody waits long for an answer that is ready.  Whatever the library prints goes to stderr, from when
    it is loaded, and its input is empty.  With `abnormal` the other side is a run of ours, which is told of
    what is no reply, and of a call of exit: see `abnormality`.  Raises AdapterDead where the hello is none.
    """
    out, asked = os.dup(1), os.dup(0)
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    hello, answer = load()
    said = _hello({"window": _FEW if abnormal else _WINDOW, **hello})
    answered = _abnormal_reply if abnormal else _reply
    for batch in _batches(asked):
        written: list[bytes] = []
        since = time.monotonic()
        try:
            for number, line in batch:
                message = _message(number, line)
                if message["type"] == "bye":
                    return
                written.append(said if message["type"] == "hello" else answered(answer, message) + b"\n")
                if time.monotonic() - since > _PATIENCE:
                    _write(out, b"".join(written))
                    written.clear()
                    since = time.monotonic()
        finally:  # what was asked before a line that is no message is answered all the same
            _write(out, b"".join(written))


def hello_of(given: Mapping[str, Any]) -> Hello:
    """The hello of a function; raises AdapterDead where it is none."""
    try:
        hello = msgspec.convert({**given, "type": "hello"}, Hello)
        encode(hello)
    except Exception as error:  # noqa: BLE001 - a mapping of a user's may do anything
        raise AdapterDead(f"its hello is not one: {not_said(given) or _reason(error)}") from None
    return hello


def _hello(given: Mapping[str, Any]) -> bytes:
    hello_of(given)
    try:
        return msgspec.json.encode({**given, "type": "hello"}) + b"\n"
    except Exception as error:  # noqa: BLE001 - of a field that nobody knows
        raise AdapterDead(f"its hello is not one: {_reason(error)}") from None


def told(error: BaseException) -> str:
    """An exception in words: its name, and its text where it has one that can be had."""
    name = type(error).__name__
    try:
        return well_formed(f"{name}: {error}")
    except (Exception, SystemExit) as another:  # noqa: BLE001 - its own text is code of a library
        return well_formed(f"{name}, whose text raises {type(another).__name__}")


def reply_of(answered: object, number: int) -> Reply:
    """What a function gave as the reply to a question; raises ValueError that says why it is none."""
    try:
        reply = msgspec.convert({**answered, "id": number}, Reply)  # type: ignore[dict-item]
        encode(reply)
    except Exception as error:  # noqa: BLE001 - a mapping of a library may do anything
        raise ValueError(f"not a reply: {not_given(answered) or _reason(error)}") from None
    return reply


def _reason(error: Exception) -> str:
    return well_formed(str(error)) if isinstance(error, msgspec.MsgspecError) else told(error)


def abnormality(reply: Reply) -> Abnormal | None:
    """What a function did instead of an answer, as its child process says it; None where it answered.

    It is an `error` whose layer is the outcome, which no function can say by itself.
    """
    if reply.status == "error" and reply.layer in ("garbage", "crash"):
        return Abnormal("crash" if reply.layer == "crash" else "garbage", reply.message)
    return None


_decode = msgspec.json.Decoder(dict).decode


def _message(number: int, line: bytes) -> dict[str, Any]:
    """A message of the harness; raises ProtocolError that names the line."""
    try:
        message = _decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ProtocolError(f"line {number}: not a message: {error}") from None
    kind = message.get("type")
    if kind == "hello":
        offered = message.get("protocol", [PROTOCOL])
        if not isinstance(offered, list) or PROTOCOL not in offered:
            raise ProtocolError(f"line {number}: protocol {PROTOCOL} is not among those offered")
    elif kind != "bye" and not (kind == "run" and "id" in message):
        raise ProtocolError(f"line {number}: a message of type {kind!r} without a meaning here")
    return message


def _reply(answer: Answer, message: dict[str, Any]) -> bytes:
    number = message.pop("id")
    try:
        return encode(_given(answer, message, number))
    except ValueError as error:
        # what is no reply is passed on as none, so that the function is judged as it is in the harness
        return msgspec.json.encode({"id": number, "status": None, "message": str(error)})


def _abnormal_reply(answer: Answer, message: dict[str, Any]) -> bytes:
    """The same, where no reply and an exit are told in words, and cost no process."""
    number = message.pop("id")
    try:
        reply = _given(answer, message, number)
    except ValueError as error:
        return encode(Reply(number, "error", str(error), layer="garbage"))
    except SystemExit as end:
        return encode(Reply(number, "error", exited(end), layer="crash"))
    return encode(msgspec.structs.replace(reply, layer="") if abnormality(reply) else reply)


def exited(end: SystemExit) -> str:
    """A call of exit in words; its code may be anything."""
    try:
        return well_formed(f"it called exit({end.code!r})")
    except (Exception, SystemExit):  # noqa: BLE001 - the text of an object of a library
        return "it called exit"


def _given(answer: Answer, question: dict[str, Any], number: int) -> Reply:
    """The reply of a function; raises ValueError where it gave none, and what ends a process."""
    try:
        answered = answer(question)
    except (Interrupted, SystemExit):
        raise
    except BaseException as error:  # noqa: BLE001 - whatever else the library raises is its answer
        return Reply(number, "error", told(error))
    return reply_of(answered, number)


def _batches(pipe: int) -> Iterator[list[tuple[int, bytes]]]:
    """The numbered lines that come, as many at a time as have arrived."""
    rest, number = b"", 0
    while chunk := os.read(pipe, _CHUNK):
        *lines, rest = (rest + chunk).split(b"\n")
        if len(rest) > LINE_LIMIT:
            raise ProtocolError(f"line {number + len(lines) + 1}: longer than {LINE_LIMIT} octets")
        batch = []
        for line in lines:
            number += 1
            if line.strip():
                batch.append((number, line))
        yield batch
    if rest.strip():
        yield [(number + 1, rest)]


def _write(pipe: int, octets: bytes) -> None:
    view = memoryview(octets)
    while view:
        view = view[os.write(pipe, view) :]
