"""Say what is wrong with a line of an adapter: the invalid field, its value and the allowed values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, get_args

import msgspec

from urlharness.corpus.model import LAYERS, OPERATIONS, Mode, Profile
from urlharness.corpus.specifications import DEFAULT_SPEC
from urlharness.protocol.failures import HELLO_AGAIN
from urlharness.protocol.messages import (
    LARGEST_WINDOW,
    ComponentValue,
    Hello,
    Implementation,
    Question,
    Reply,
    Status,
    decode_hello,
)
from urlharness.text import excerpt, well_formed

#: The exceptions that decoding a line may raise.
DECODE_ERRORS = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)

_SHOWN = 40  # the maximum number of characters that an error shows of a value
_ID = re.compile(rb'("id"\s*:\s*"?)\d+')
_LINE_START = 200  # the id is only looked for in this many bytes at the beginning of a line

_TEXT = 'a string or {"hex": …}'
_NAMES = "a list of strings"
#: A known value of each field whose unknown values are no errors.
_KNOWN = {"spec": DEFAULT_SPEC, "profile": get_args(Profile)[0], "mode": get_args(Mode)[0]}
#: The allowed values of each field, in words. Fields that are not listed are strings.
_ALLOWED: Mapping[str, str] = {
    "type": '"hello"',
    "protocol": "the integer 1",
    "implementation": "an object with name and version",
    "implementation.name": "a string that is not empty",
    **dict.fromkeys(("ops", "specs", "components", "features", "modes", "rules", "rulings"), _NAMES),
    "window": f"an integer from 1 to {LARGEST_WINDOW}",
    "id": "the integer of the question",
    "status": f"one of {', '.join(get_args(Status))}",
    "at": "an integer from 0 to 2⁵³ \u2212 1",
    **dict.fromkeys(("url", "reference", "text", "other", "header", *LAYERS), _TEXT),
    "base": f"{_TEXT} or null",
    "urls": "a list with a list of strings for each URL",
    "decoded": "an object of decoded parts",
    "also": "a list of answers",
    **dict.fromkeys(("equal", "same_document", "may_reject"), "true or false"),
}


def hello_error(line: bytes, error: Exception) -> str:
    """Say why the first line of an adapter is not a valid hello. `error` is the exception of the decoder."""
    return f"its first line is not a valid hello: {_line_error(line, error, Hello)}: {excerpt(line)}"


def reply_error(line: bytes, error: Exception) -> str:
    """Say why a line is not a valid reply, without showing the id, because ids are random.

    `error` is the exception of the decoder. A second hello has a message of its own.
    """
    try:
        decode_hello(line)
    except DECODE_ERRORS:
        return f"not a reply: {_line_error(line, error, Reply)}: {_excerpt_without_id(line)}"
    return HELLO_AGAIN


def unexpected_id(number: int, last_id: int, line: bytes) -> str:
    """Say that the id `number` of a reply is not in flight. `last_id` is the last id that was sent."""
    settled = "a question already answered or given up"
    question = settled if 0 < number <= last_id else "an id that was never sent"
    return f"a reply to {question}: {_excerpt_without_id(line)}"


def answer_error(output: bytes, error: Exception) -> str:
    """Say why the output of an `exec:` program is not a valid answer.

    Unlike a reply, an answer of such a program needs neither an id nor a status.
    """
    wrong = _line_error(output, error, Reply, id=0, status="ok")
    return f"not an answer: {wrong}: {excerpt(output)}"


def question_error(message: Mapping[str, Any]) -> str:
    """Say why a decoded message is not a valid question. Return an empty string if it is valid.

    An unknown operation, rule, specification, profile or mode is not an error.
    """
    names = {name: known for name, known in _KNOWN.items() if isinstance(message.get(name), str)}
    errors = list(_field_errors({"id": 0, **message, **names}, Question))
    if not errors and (operation := OPERATIONS.get(message["op"])):
        # the rule may be missing: the question is then about a whole URL
        errors = [f"{name} is missing" for name in operation.needs if name not in message and name != "rule"]
    return "; ".join(errors)


def value_error(value: object, kind: type[msgspec.Struct], error: Exception) -> str:
    """Say which fields of a decoded message of this kind are invalid.

    Return the text of `error` if every single field is valid.
    """
    return "; ".join(_field_errors(value, kind)) or str(error)


def _line_error(line: bytes, error: Exception, kind: type[msgspec.Struct], **defaults: object) -> str:
    # leave out the position: it depends on the length of the id, which is random
    unknown = str(error).partition(" (byte ")[0]
    try:
        message = msgspec.json.decode(line)
    except DECODE_ERRORS:
        return unknown
    if isinstance(message, dict):
        message = {**defaults, **message}
    return "; ".join(_field_errors(message, kind)) or unknown


def _field_errors(message: object, kind: type[msgspec.Struct], prefix: str = "") -> Iterator[str]:
    if not isinstance(message, dict):
        yield f"expected a JSON object, not {shown_json(message)}"
        return
    if kind is Hello and message.get("type") != "hello":
        yield _wrong("type", message["type"]) if "type" in message else "type is missing"
    for field in msgspec.structs.fields(kind):
        name, value = f"{prefix}{field.encode_name}", message.get(field.encode_name, ...)
        if value is ...:
            if field.required:
                yield f"{name} is missing"
        elif field.type is Implementation and isinstance(value, dict):
            yield from _field_errors(value, Implementation, f"{name}.")
        elif not _fits(value, field.type):
            yield _field_error(name, value, field, kind)


def _field_error(name: str, value: Any, field: msgspec.structs.FieldInfo, kind: type[msgspec.Struct]) -> str:
    if value is None and not field.required:
        return f"{name} is null: leave out a field that has no value"
    if name == "components" and kind is not Hello:
        for component, text in value.items() if isinstance(value, dict) else ():
            if not _fits(text, ComponentValue):
                return f"{name}.{shown_json(component)[1:-1]} is {shown_json(text)}, expected {_TEXT} or null"
        return f"{name} is {shown_json(value)}, expected an object of strings"
    return _wrong(name, value)


def _wrong(name: str, value: object) -> str:
    shown = type(value).__name__ if name == "id" else shown_json(value)  # ids are random
    return f"{name} is {shown}, expected {_ALLOWED.get(name, 'a string')}"


def _fits(value: object, kind: Any) -> bool:
    try:
        msgspec.convert(value, kind)
    except DECODE_ERRORS:
        return False
    return True


def shown_json(value: object) -> str:
    """Return the beginning of a value as JSON, or the type of the value if it cannot be written as JSON."""
    try:
        text = json.dumps(value, ensure_ascii=False)
    except Exception:  # noqa: BLE001 - a function may return any object
        return f"a {type(value).__name__}"
    return well_formed(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")


def _excerpt_without_id(line: bytes) -> str:
    """Return the beginning of a line with the id replaced by N, because ids are random."""
    return excerpt(_ID.sub(rb"\1N", line[:_LINE_START]))
