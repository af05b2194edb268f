"""What is wrong with a line of an adapter, in words that do not depend on what else was asked."""

from __future__ import annotations

import json
import re

import msgspec

from urlharness.limits import HELLO_AGAIN
from urlharness.process import excerpt
from urlharness.protocol import PROTOCOL, decode_hello
from urlharness.wrong_fields import Wrong, wrong_field
from urlharness.wrong_hellos import in_words, other_protocol

#: What decoding a line raises.
NO_REPLY = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)

_ID = re.compile(rb'("id"\s*:\s*"?)\d+')
_UTF16 = (b"\xff\xfe", b"\xfe\xff", b"{\0", b"\0{")
_BEGINNING = re.compile(rb"\s*[\[{]\s*(?:\"(?:[^\"\\]|\\.)*\"\s*:?\s*)?[\[{]?\s*")
_QUOTED_ONCE = re.compile(rb"\s*\{\s*'")  # as Python prints a dict
_SHOWN = 200  # octets of a line that are looked at for its id
_NEAR = 1 << 16  # as far as an id may be ahead that was made from another one


def stray(number: int, last: int, line: bytes) -> str:
    """What is wrong with a reply that belongs to nothing in flight; `last` is the id that was used last."""
    if 0 < number <= last:
        return f"a reply to a question that is not open: {_shown(line)}"
    ahead = number - last
    if 0 < ahead <= _NEAR:
        return f"a reply to the id {ahead} ahead, which was never asked: {_shown(line)}"
    return f"a reply to {number}, which was never asked: {excerpt(line)}"


def _shown(line: bytes) -> str:
    """The beginning of a line, quoted, without its id: that depends on what else was asked before."""
    return excerpt(_ID.sub(rb"\1N", line[:_SHOWN]))


def _reason(error: Exception) -> str:
    """What the decoder says, without the place: that depends on the id too."""
    return str(error).partition(" (byte ")[0]


def no_json(line: bytes) -> str:
    """What a line is instead of a JSON object in UTF-8; empty where that is not to be seen."""
    if line.startswith(_UTF16):
        return "UTF-16, and not UTF-8"
    if line.startswith(b"\xef\xbb\xbf"):
        return "JSON behind a byte order mark"
    try:
        text = line.decode()
    except UnicodeDecodeError:
        return "no UTF-8"
    try:
        _, end = json.JSONDecoder(parse_constant=_refuse).raw_decode(text := text.strip())
    except _Constant as constant:
        return f"no JSON, which has no {constant}"
    except (ValueError, RecursionError):
        if _QUOTED_ONCE.match(line):
            return "no JSON, which wants double quotes: print(json.dumps(x)), not print(x)"
        if _BEGINNING.fullmatch(line):
            return "the beginning of JSON over several lines; one object a line is asked for"
        return ""
    return "more than one JSON object" if text[0] == "{" == text[end:].lstrip()[:1] else ""


class _Constant(Exception):
    """A word for a number that Python takes for JSON."""


def _refuse(constant: str) -> None:
    raise _Constant(constant)


def no_reply(line: bytes, error: Exception) -> str:
    """What is wrong with a line that is no reply."""
    try:
        decode_hello(line)
    except NO_REPLY:
        return f"not a reply: {instead_of_reply(line, _reason(error))}: {_shown(line)}"
    return HELLO_AGAIN


def no_answer(output: bytes, error: Exception) -> str:
    """What is wrong with the output of a program per case, which may leave out the status and has no id."""
    try:
        given = msgspec.json.decode(output)
    except NO_REPLY:
        wrong = None
    else:
        wrong = wrong_field({"status": "ok", **given, "id": 0} if isinstance(given, dict) else given)
    return f"not an answer: {wrong.says if wrong else instead(output, str(error))}: {excerpt(output)}"


def instead(line: bytes, reason: str) -> str:
    """What a line is; where it is JSON, what the decoder says of it."""
    what = "" if is_json(line) else no_json(line)
    return f"it is {what}" if what else reason


def is_json(line: bytes) -> bool:
    """True of a line that a decoder takes."""
    try:
        msgspec.json.decode(line)
    except NO_REPLY:
        return False
    return True


def instead_of_reply(line: bytes, reason: str) -> str:
    """What a line is; where it is JSON, which of its fields is wrong, or what the decoder says of it."""
    wrong = wrong_in(line)
    return wrong.says if wrong else instead(line, reason)


def wrong_in(line: bytes) -> Wrong | None:
    """The field of a reply that is wrong; None where the line is no JSON, or that is not to be seen."""
    try:
        return wrong_field(msgspec.json.decode(line))
    except NO_REPLY:
        return None


def no_hello(line: bytes, error: Exception) -> str:
    """What is wrong with the first line of a program."""
    other, why = _instead_of_hello(line, error)
    return other or f"its first line is no hello of protocol {PROTOCOL}: {why}: {excerpt(line)}"


def instead_of_hello(line: bytes, error: Exception) -> str:
    """What a line is; where it is JSON, which fields of a hello are wrong, or what the decoder says of it."""
    return "".join(_instead_of_hello(line, error))


def _instead_of_hello(line: bytes, error: Exception) -> tuple[str, str]:
    """That it speaks another protocol, or else what is wrong with it."""
    try:
        hello = msgspec.json.decode(line)
        other = other_protocol(hello)
        return other, "" if other else in_words(hello) or str(error)
    except NO_REPLY:
        return "", instead(line, str(error))
