"""An in-process adapter served over the wire protocol: questions on stdin, answers on stdout."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from urlharness.protocol import LINE_LIMIT, PROTOCOL, Reply, encode, well_formed

_CHUNK = 1 << 16
_WINDOW = 64  # where the adapter does not say how many questions it takes at once


class ProtocolError(Exception):
    """The other side does not speak the protocol; the message says where."""


def serve(hello: dict[str, Any], answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Answer the questions on stdin until `bye` or the end; raises ProtocolError for what is no message.

    Answers are written whenever no further question has arrived yet, so that pipelining costs few calls
    and nobody waits for an answer that is ready.  Whatever the library prints goes to stderr.
    """
    said = msgspec.json.encode({"window": _WINDOW, **hello}) + b"\n"
    out = os.dup(1)
    os.dup2(2, 1)
    for batch in _batches():
        written: list[bytes] = []
        try:
            for number, line in batch:
                message = _message(number, line)
                if message["type"] == "bye":
                    return
                written.append(said if message["type"] == "hello" else _reply(answer, message) + b"\n")
        finally:  # what was asked before a line that is no message is answered all the same
            _write(out, b"".join(written))


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


def _reply(answer: Callable[[dict[str, Any]], dict[str, Any]], message: dict[str, Any]) -> bytes:
    try:
        answered = answer(message)
    except Exception as error:  # noqa: BLE001 - whatever the library raises is its answer
        what = well_formed(f"{type(error).__name__}: {error}")
        return encode(Reply(message["id"], "error", what))
    try:
        return encode(msgspec.convert({**answered, "id": message["id"]}, Reply))
    except (msgspec.ValidationError, TypeError, ValueError, RecursionError) as error:
        # what is no reply is passed on as none, so that the function is judged as it is in the harness
        what = well_formed(f"not a reply: {error}")
        return msgspec.json.encode({"id": message["id"], "status": None, "message": what})


def _batches() -> Iterator[list[tuple[int, bytes]]]:
    """The numbered lines of stdin, as many at a time as have arrived."""
    rest, number = b"", 0
    while chunk := os.read(0, _CHUNK):
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
