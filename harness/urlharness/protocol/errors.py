"""Why a line is not a valid hello or reply."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, get_args

import msgspec

from urlharness.corpus.model import Text
from urlharness.limits import HELLO_AGAIN
from urlharness.protocol.messages import (
    PROTOCOL,
    ComponentValue,
    Count,
    Hello,
    Implementation,
    Reply,
    Status,
    decode_hello,
)
from urlharness.text import excerpt, well_formed

# -------------------- wrong_fields: Which field of a reply is wrong, and how, in the words of the protocol and not in those of a decoder.


#: What is said of fields that are null and may not be, as many encoders write what is absent.
LEFT_OUT = "a field without a value is left out"


_SHOWN = 40  # characters of a value


_STATUSES = ", ".join(get_args(Status))


#: Fields that are one value: the type of each, and what it is.
_SINGLE: Mapping[str, tuple[Any, str]] = {
    "url": (Text, 'it is a text or {"hex": …}'),
    "base": (Text | None, 'it is a text, {"hex": …} or null'),
    "equal": (bool, "it is true or false"),
    "at": (Count | None, "it is an integer from 0, or left out"),
    "urls": (list[list[str]], "it is a list that has for each URL the list of its readings"),
    "message": (str, "it is a text"),
}


class Wrong(NamedTuple):
    """A field, empty for the reply itself, and what is wrong with it."""

    field: str
    says: str


def wrong_field(reply: object) -> Wrong | None:
    """What is wrong first with JSON that stands where a reply should; None where that is not to be seen."""
    if not isinstance(reply, dict):
        return Wrong("", f"it is {kind_of(reply)}, not an object")
    return _status(reply) or _nulls(reply) or _components(reply) or _single(reply) or _id(reply)


def not_given(answered: object) -> str:
    """Why what a function gave is no reply, whose `id` is not its own; empty where that is not to be seen.

    Whatever it gave is looked at, and none of its code is run, but for mappings of JSON.
    """
    if inspect.iscoroutine(answered):
        answered.close()
        return "the function gave a coroutine, not a mapping: write def, not async def"
    if answered is None:
        return "the function gave None, not a mapping: is a return missing?"
    if type(answered) in (bool, int, float):
        return f"the function gave {answered!r}, not a mapping"
    if type(answered) in (str, bytes, list, tuple, set):
        return f"the function gave a {type(answered).__name__}, not a mapping"
    if type(answered) is not dict:
        return ""
    try:
        wrong = wrong_field(json.loads(json.dumps({**answered, "id": 0})))
    except Exception:  # noqa: BLE001 - it may hold anything, and itself
        return ""
    return wrong.says if wrong else ""


def _status(reply: dict[str, Any]) -> Wrong | None:
    if "status" not in reply:
        return Wrong("status", f"it has no status, which is one of {_STATUSES}")
    if fits(reply["status"], Status):
        return None
    return Wrong("status", f"status is {shown(reply['status'])}: one of {_STATUSES}")


def _nulls(reply: dict[str, Any]) -> Wrong | None:
    found = nulls(reply, Reply)
    return Wrong(found[0], left_out(found)) if found else None


def nulls(message: object, kind: type[msgspec.Struct]) -> list[str]:
    """The optional fields of a message that are null, where that is no value of theirs."""
    there = message if isinstance(message, dict) else {}
    return [
        field.encode_name
        for field in msgspec.structs.fields(kind)
        if not field.required and there.get(field.encode_name, ...) is None and not fits(None, field.type)
    ]


def left_out(names: list[str]) -> str:
    """What is said of fields that are null, by their names; empty where there are none."""
    return f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} null: {LEFT_OUT}" if names else ""


def _components(reply: dict[str, Any]) -> Wrong | None:
    found = reply.get("components", {})
    if not isinstance(found, dict):
        return Wrong("components", f"components is {valued(found)}: it is an object of names and texts")
    for name, value in found.items():
        if not fits(value, ComponentValue):
            what = 'components are texts, {"hex": …} or null'
            return Wrong("components", f"components.{clipped(name)} is {valued(value)}: {what}")
    return None


def _single(reply: dict[str, Any]) -> Wrong | None:
    for name, (kind, what) in _SINGLE.items():
        if name in reply and not fits(reply[name], kind):
            return Wrong(name, f"{name} is {valued(reply[name])}: {what}")
    return None


def _id(reply: dict[str, Any]) -> Wrong | None:
    """What is wrong with its id, which is not shown: it was drawn by lot."""
    if "id" not in reply:
        return Wrong("id", "it has no id, which is that of its question")
    number = reply["id"]
    if fits(number, Count):
        return None
    kind = "a number with a decimal point" if isinstance(number, float) else kind_of(number)
    return Wrong("id", f"id is {kind}: it is the integer of its question")


def fits(value: object, kind: Any) -> bool:
    """True of a JSON value that a type takes."""
    try:
        msgspec.convert(value, kind)
    except (msgspec.MsgspecError, RecursionError):
        return False
    return True


def valued(value: object) -> str:
    """A value, and its kind where it is one that could be taken for another."""
    return "null" if value is None else f"{shown(value)}, {kind_of(value)}"


def kind_of(value: object) -> str:
    """The kind of a JSON value, such as `a text`."""
    if value is None:
        return "null"
    kinds = {bool: "a truth value", int: "a number", float: "a number", str: "a text", list: "a list"}
    return kinds.get(type(value), "an object")


def shown(value: object) -> str:
    """JSON, of which a reader sees where it is from."""
    return clipped(json.dumps(value, ensure_ascii=False))


def clipped(text: str) -> str:
    """The beginning of a text, which any encoder takes."""
    return well_formed(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")


# -------------------- wrong_hellos: What is wrong with a hello, field by field, in the words of the protocol and not in those of a decoder.


_NEEDED = "a hello needs type, protocol, implementation.name and .version, ops and specs"


class _What(NamedTuple):
    """The type in Python of the values of a field, and what these are."""

    kind: type
    says: str


_TEXT = _What(str, "it is a text")


_NAMES = _What(list, "it is a list of names")


_FIELDS: Mapping[str, _What] = {
    "protocol": _What(int, f"it is the integer {PROTOCOL}"),
    "implementation": _What(dict, "it is an object with name and version"),
    "ops": _What(list, 'it is a list of names, such as ["parse", "resolve"]'),
    "specs": _What(list, 'it is a list of names, such as ["rfc3986"]'),
    "components": _NAMES,
    "features": _NAMES,
    "window": _What(int, "it is a whole number from 1 to 65536"),
    "implementation.name": _What(str, "it is a text that is not empty"),
}


def other_protocol(hello: object) -> str:
    """Which protocol a hello speaks, where it is none of ours; empty where that is not to be seen."""
    spoken = hello.get("protocol") if isinstance(hello, dict) else None
    if type(spoken) not in (int, list) or spoken == PROTOCOL:
        return ""
    return f"it speaks protocol {shown(spoken)}, not {PROTOCOL}"


def wrong_hello(hello: object) -> list[Wrong]:
    """Everything wrong with JSON that stands where a hello should; empty where that is not to be seen."""
    if not isinstance(hello, dict):
        return [Wrong("", f"it is {kind_of(hello)}, not an object")]
    kind = hello.get("type", "hello")
    if kind != "hello":
        return [Wrong("type", f'type is {_given(kind, str)}: it is "hello"')]
    about = hello.get("implementation")
    parts: list[tuple[dict[str, Any], type[msgspec.Struct], str]] = [(hello, Hello, "")]
    if isinstance(about, dict):
        parts.append((about, Implementation, "implementation."))
    absent = [f"{before}{name}" for part, kind, before in parts for name in nulls(part, kind)]
    return [
        *_lacking(hello),
        *([Wrong(absent[0], left_out(absent))] if absent else ()),
        *(wrong for part, kind, before in parts for wrong in _unfit(part, kind, before)),
    ]


def not_said(given: Mapping[str, Any]) -> str:
    """Why what a function says of itself is no hello; empty where that is not to be seen."""
    try:
        return in_words(json.loads(json.dumps({**given, "type": "hello"})))
    except Exception:  # noqa: BLE001 - it may hold anything, and itself
        return ""


def in_words(hello: object) -> str:
    """Everything wrong with JSON that stands where a hello should, as one text; empty as above."""
    return "; ".join(wrong.says for wrong in wrong_hello(hello))


def _lacking(hello: Mapping[str, Any]) -> Iterator[Wrong]:
    names = ["type", *(field.encode_name for field in msgspec.structs.fields(Hello) if field.required)]
    lacking = [name for name in names if name not in hello]
    about = hello.get("implementation")
    if isinstance(about, dict):
        lacking += [f"implementation.{name}" for name in ("name", "version") if name not in about]
    if lacking:
        yield Wrong(lacking[0], f"it has no {', '.join(lacking)}: {_NEEDED}")


def _unfit(part: Mapping[str, Any], kind: type[msgspec.Struct], before: str) -> Iterator[Wrong]:
    """The fields of a hello, or of its implementation, whose values the types do not take."""
    for field in msgspec.structs.fields(kind):
        name = f"{before}{field.encode_name}"
        value = part.get(field.encode_name, ...)
        left = value is ... or (value is None and not field.required)
        if left or (isinstance(value, dict) and field.type is Implementation) or fits(value, field.type):
            continue
        what = _FIELDS.get(name, _TEXT)
        if isinstance(value, list) and what.kind is list:
            at, one = next((at, one) for at, one in enumerate(value) if not isinstance(one, str))
            yield Wrong(name, f"{name}[{at}] is {_given(one, str)}: a name is a text")
        else:
            yield Wrong(name, f"{name} is {_given(value, what.kind)}: {what.says}")


def _given(value: object, wanted: type) -> str:
    """A value, and its kind where that is wrong."""
    if value is None or type(value) is wanted:
        return shown(value)
    kind = "a number with a decimal point" if isinstance(value, float) else kind_of(value)
    return f"{shown(value)}, {kind}"


# -------------------- wrong_lines: What is wrong with a line of an adapter, in words that do not depend on what else was asked.


#: What decoding a line raises.
NO_REPLY = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


_ID = re.compile(rb'("id"\s*:\s*"?)\d+')


_UTF16 = (b"\xff\xfe", b"\xfe\xff", b"{\0", b"\0{")


_BEGINNING = re.compile(rb"\s*[\[{]\s*(?:\"(?:[^\"\\]|\\.)*\"\s*:?\s*)?[\[{]?\s*")


_QUOTED_ONCE = re.compile(rb"\s*\{\s*'")  # as Python prints a dict


_WRONG_LINES_SHOWN = 200  # octets of a line that are looked at for its id


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
    return excerpt(_ID.sub(rb"\1N", line[:_WRONG_LINES_SHOWN]))


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
