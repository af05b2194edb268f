"""What is wrong with a line of an adapter, in words that do not depend on what else was asked."""

from __future__ import annotations

import re
from typing import Any

import msgspec

from urlharness.limits import HELLO_AGAIN
from urlharness.process import excerpt
from urlharness.protocol import PROTOCOL, decode_hello

#: What decoding a line raises.
NO_REPLY = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)

_ID = re.compile(rb'("id"\s*:\s*"?)\d+')
_SHOWN = 200  # octets of a line that are looked at for its id
_NEAR = 1 << 16  # as far as an id may be ahead that was made from another one


def stray(number: int, following: int, line: bytes) -> str:
    """What is wrong with a reply that belongs to nothing in flight; `following` is the next id to be used."""
    if 0 < number < following:
        return f"a reply to a question that is not open: {_shown(line)}"
    ahead = number - following + 1
    if 0 < ahead <= _NEAR:
        return f"a reply to the id {ahead} ahead, which was never asked: {_shown(line)}"
    return f"a reply to {number}, which was never asked: {excerpt(line)}"


def _shown(line: bytes) -> str:
    """The beginning of a line, quoted, without its id: that depends on what else was asked before."""
    return excerpt(_ID.sub(rb"\1N", line[:_SHOWN]))


def _reason(error: Exception) -> str:
    """What the decoder says, without the place: that depends on the id too."""
    return str(error).partition(" (byte ")[0]


def no_reply(line: bytes, error: Exception) -> str:
    """What is wrong with a line that is no reply."""
    try:
        decode_hello(line)
    except NO_REPLY:
        return f"not a reply: {_reason(error)}: {_shown(line)}"
    return HELLO_AGAIN


def no_hello(line: bytes, error: Exception) -> str:
    """What is wrong with the first line of a program."""
    try:
        hello: Any = msgspec.json.decode(line)
    except NO_REPLY:
        hello = None
    spoken = hello.get("protocol") if isinstance(hello, dict) else None
    if spoken not in (None, PROTOCOL):
        return f"it speaks protocol {spoken}, not {PROTOCOL}"
    return f"its first line is no hello of protocol {PROTOCOL}: {error}: {excerpt(line)}"
