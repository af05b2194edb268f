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
    encode, decode = msgspec.json.Encoder().encode, msgspec.json.Decoder(dict).decode
    for batch in _batches():
        written: list[bytes] = []
        done = False
        for number, line in batch:
            try:
                message = decode(line)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                os.write(1, b"".join(written))
                raise ProtocolError(f"line {number}: not a message: {error}") from None
            kind = message.get("type")
            if kind == "hello":
                if message.get("protocol", [PROTOCOL]) != [PROTOCOL] and not _speaks(message):
                    raise ProtocolError(f"line {number}: protocol {PROTOCOL} is not among those offered")
                written.append(encode(hello) + b"\n")
            elif kind == "bye":
                done = True
                break
            elif kind == "run" and "id" in message:
                written.append(_reply(answer, message) + b"\n")
            else:
                os.write(1, b"".join(written))
                raise ProtocolError(f"line {number}: a message of type {kind!r} without a meaning here")
        _write(b"".join(written))
        if done:
            return


def _speaks(hello: dict[str, Any]) -> bool:
    offered = hello.get("protocol")
    return isinstance(offered, list) and PROTOCOL in offered


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
