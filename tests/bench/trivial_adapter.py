"""The least an adapter can do: it accepts every text, and reads and writes with the codec that is named.

python tests/bench/trivial_adapter.py msgspec|json WINDOW
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any

HELLO = {
    "type": "hello",
    "protocol": 1,
    "implementation": {"name": "trivial", "version": "1"},
    "ops": ["validate", "parse"],
    "specs": [],
}


def codec(name: str) -> tuple[Callable[[bytes], Any], Callable[[Any], bytes]]:
    """Return the functions that decode and encode a line."""
    if name == "json":
        return json.loads, lambda message: json.dumps(message).encode()
    import msgspec

    class Message(msgspec.Struct):
        type: str
        id: int = 0

    return msgspec.json.Decoder(Message).decode, msgspec.json.Encoder().encode


def serve(name: str, window: int) -> None:
    """Answer all lines that came together at once."""
    decode, encode = codec(name)
    rest = b""
    while chunk := os.read(0, 1 << 18):
        *lines, rest = (rest + chunk).split(b"\n")
        answers = []
        for line in lines:
            message = decode(line)
            kind, number = (
                (message["type"], message.get("id")) if name == "json" else (message.type, message.id)
            )
            if kind == "run":
                answers.append(encode({"id": number, "status": "ok"}))
            elif kind == "hello":
                answers.append(encode({**HELLO, "window": window}))
        octets = b"".join(answer + b"\n" for answer in answers)
        while octets:
            octets = octets[os.write(1, octets) :]


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]))
