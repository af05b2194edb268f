"""An in-process adapter served over the wire protocol: questions on stdin, answers on stdout."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from urlharness.protocol import LINE_LIMIT, PROTOCOL, well_formed

_CHUNK = 1 << 16


class ProtocolError(Exception):
    """The other side does not speak the protocol; the message says where."""


def serve(hello: dict[str, Any], answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Answer the questions on stdin until `bye` or the end; raises ProtocolError for what is no message.

    Answers are written whenever no further question has arrived yet, so that pipelining costs few calls
    and nobody waits for an answer that is ready.
    """
    said = msgspec.json.encode(hello) + b"\n"
    for batch in _batches():
        written: list[bytes] = []
        try:
            for number, line in batch:
                message = _message(number, line)
                if message["type"] == "bye":
                    return
                written.append(said if message["type"] == "hello" else _reply(answer, message) + b"\n")
        finally:  # what was asked before a line that is no message is answered all the same
            _write(b"".join(written))


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
        return msgspec.json.encode({**answer(message), "id": message["id"]})
    except Exception as error:  # noqa: BLE001 - whatever the library raises is its answer
        what = well_formed(f"{type(error).__name__}: {error}")
        return msgspec.json.encode({"id": message["id"], "status": "error", "message": what})


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


def _write(octets: bytes) -> None:
    view = memoryview(octets)
    while view:
        view = view[os.write(1, view) :]
