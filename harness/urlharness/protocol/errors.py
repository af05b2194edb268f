"""Say what is wrong with a line of an adapter: the invalid field, its value and the allowed values.

The decoder names only the first field that is wrong, by a path and a type. Here each field is converted
alone, so that the message names all of them, with what is allowed. Ids are random, so no message contains
one: the same mistake must have the same message in each run.
"""

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

_MAX_VALUE_LENGTH = 40  # the maximum number of characters that an error prints of a value
_ID = re.compile(rb'("id"\s*:\s*"?)\d+')
_LINE_START = 200  # the id is only looked for in this many bytes at the beginning of a line

_TEXT = 'a string or {"hex": …}'
_NAMES = "a list of strings"
#: An allowed word in each field in which an unknown word is no error: the answer to it is `unsupported`.
_OPEN_FIELDS = {"spec": DEFAULT_SPEC, "profile": get_args(Profile)[0], "mode": get_args(Mode)[0]}
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


def unexpected_id_error(number: int, last_id: int, line: bytes) -> str:
    """Say that the id `number` of a reply is not in flight. `last_id` is the last id that was sent."""
    was_sent = 0 < number <= last_id
    question = "a question already answered or given up" if was_sent else "an id that was never sent"
    return f"a reply to {question}: {_excerpt_without_id(line)}"


def answer_error(output: bytes, error: Exception) -> str:
    """Say why the output of an `exec:` program is not a valid answer.

    Unlike a reply, an answer of such a program needs neither an id nor a status.
    """
    reason = _line_error(output, error, Reply, id=0, status="ok")
    return f"not an answer: {reason}: {excerpt(output)}"


def question_error(message: Mapping[str, Any]) -> str:
    """Say why a decoded message is not a valid question. Return an empty string if it is valid.

    An unknown operation, rule, specification, profile or mode is not an error.
    """
    # any word will do in these fields, so each is checked with an allowed one
    allowed = {field: word for field, word in _OPEN_FIELDS.items() if isinstance(message.get(field), str)}
    errors = list(_field_errors({"id": 0, **message, **allowed}, Question))
    operation = None if errors else OPERATIONS.get(message["op"])
    if operation is not None:
        # the rule may be missing: the question is then about a whole URL
        needed = [field for field in operation.needs if field != "rule"]
        errors = [f"{field} is missing" for field in needed if field not in message]
    return "; ".join(errors)


def value_error(message: object, kind: type[msgspec.Struct], error: Exception) -> str:
    """Say which fields of a decoded message of this kind are invalid.

    Return the text of `error` if every single field is valid.
    """
    return "; ".join(_field_errors(message, kind)) or str(error)


def _line_error(line: bytes, error: Exception, kind: type[msgspec.Struct], **defaults: object) -> str:
    """Say which fields of a line are invalid.

    If the line is no JSON, or if every single field is valid, return what the decoder says. `defaults` are
    fields that the line need not have.
    """
    # leave out the position: it depends on the length of the id, which is random
    reason_of_decoder = str(error).partition(" (byte ")[0]
    try:
        message = msgspec.json.decode(line)
    except DECODE_ERRORS:
        return reason_of_decoder
    completed = {**defaults, **message} if isinstance(message, dict) else message
    return "; ".join(_field_errors(completed, kind)) or reason_of_decoder


def _field_errors(message: object, kind: type[msgspec.Struct], prefix: str = "") -> Iterator[str]:
    """Yield why each wrong or missing field of a message is invalid. `prefix` is the path to its fields."""
    if not isinstance(message, dict):
        yield f"expected a JSON object, not {json_excerpt(message)}"
        return
    if kind is Hello and "type" not in message:
        yield "type is missing"
    elif kind is Hello and message["type"] != "hello":
        yield _wrong_content("type", message["type"])
    for field in msgspec.structs.fields(kind):
        name = f"{prefix}{field.encode_name}"
        if field.encode_name not in message:
            if field.required:
                yield f"{name} is missing"
            continue
        content = message[field.encode_name]
        if field.type is Implementation and isinstance(content, dict):
            yield from _field_errors(content, Implementation, f"{name}.")
        elif not _fits(content, field.type):
            yield _field_error(name, content, field, kind)


def _field_error(
    name: str, content: object, field: msgspec.structs.FieldInfo, kind: type[msgspec.Struct]
) -> str:
    """Say why the content of a field is invalid. `name` is the path to the field."""
    if content is None and not field.required:
        return f"{name} is null: leave out a field that has no value"
    if name == "components" and kind is not Hello:
        return _components_error(content)
    return _wrong_content(name, content)


def _components_error(components: object) -> str:
    """Say which component of a reply is invalid, or that they are no object."""
    if isinstance(components, dict):
        for name, text in components.items():
            if not _fits(text, ComponentValue):
                unquoted_name = json_excerpt(name)[1:-1]  # escaped, since an adapter may send any name
                return f"components.{unquoted_name} is {json_excerpt(text)}, expected {_TEXT} or null"
    return f"components is {json_excerpt(components)}, expected an object of strings"


def _wrong_content(field: str, content: object) -> str:
    """Say that a field has the wrong content, and what is allowed. Of an id, show only the type."""
    words = type(content).__name__ if field == "id" else json_excerpt(content)  # ids are random
    return f"{field} is {words}, expected {_ALLOWED.get(field, 'a string')}"


def _fits(content: object, kind: Any) -> bool:
    """Return True if content decodes as a type."""
    try:
        msgspec.convert(content, kind)
    except DECODE_ERRORS:
        return False
    return True


def json_excerpt(content: object) -> str:
    """Return the beginning of an object as JSON, or its type if it cannot be written as JSON."""
    try:
        text = json.dumps(content, ensure_ascii=False)
    except Exception:  # noqa: BLE001 - a function may return any object
        return f"a {type(content).__name__}"
    return well_formed(text if len(text) <= _MAX_VALUE_LENGTH else f"{text[:_MAX_VALUE_LENGTH]}…")


def _excerpt_without_id(line: bytes) -> str:
    """Return the beginning of a line with the id replaced by N, because ids are random."""
    return excerpt(_ID.sub(rb"\1N", line[:_LINE_START]))
