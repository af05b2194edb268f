"""Errors of messages: they name the field, its value and what is allowed there; the decoder decides."""

from __future__ import annotations

import json

import pytest

from urlharness.protocol.errors import (
    DECODE_ERRORS,
    answer_error,
    hello_error,
    question_error,
    reply_error,
    unexpected_id_error,
    value_error,
)
from urlharness.protocol.failures import HELLO_AGAIN
from urlharness.protocol.messages import Reply, decode_hello, decode_reply

OK = {"id": 1, "status": "ok"}
ABOUT = {"name": "x", "version": "1"}
HELLO = {"type": "hello", "protocol": 1, "implementation": ABOUT, "ops": ["parse"], "specs": ["rfc3986"]}
WINDOW = "an integer from 1 to 65536"
LEAVE_OUT = "leave out a field that has no value"


def without(message, field):
    return {name: content for name, content in message.items() if name != field}


def about(**fields):
    return {**HELLO, "implementation": {**ABOUT, **fields}}


#: The beginning of a right reply in an excerpt.
BEGINNING = '{"id": N, "status": "ok"'
#: JSON in place of a reply, and the message without its beginning: what is wrong, and the excerpt.
REPLIES = [
    pytest.param([1], "expected a JSON object, not [1]: '[1]'", id="list"),
    pytest.param({}, "id is missing; status is missing: '{}'", id="empty"),
    pytest.param(
        {**OK, "status": "OK"},
        'status is "OK", expected one of ok, reject, unsupported, error: \'{"id": N, "status": "OK"}\'',
        id="status",
    ),
    pytest.param(
        {**OK, "url": 7},
        f'url is 7, expected a string or {{"hex": …}}: \'{BEGINNING}, "url": 7}}\'',
        id="url",
    ),
    pytest.param(
        {**OK, "url": {"hex": "x"}},
        f'url is {{"hex": "x"}}, expected a string or {{"hex": …}}: \'{BEGINNING}, "url": {{"hex": "x"}}}}\'',
        id="hex",
    ),
    pytest.param(
        {**OK, "at": 1.5},
        f"at is 1.5, expected an integer from 0 to 2⁵³ − 1: '{BEGINNING}, \"at\": 1.5}}'",  # noqa: RUF001
        id="at",
    ),
    pytest.param(
        {**OK, "equal": "yes"},
        f'equal is "yes", expected true or false: \'{BEGINNING}, "equal": "yes"}}\'',
        id="equal",
    ),
    pytest.param(
        {**OK, "message": None},
        f"message is null: {LEAVE_OUT}: '{BEGINNING}, \"message\": null}}'",
        id="null",
    ),
    pytest.param(
        {**OK, "components": []},
        f"components is [], expected an object of strings: '{BEGINNING}, \"components\": []}}'",
        id="parts",
    ),
    pytest.param(
        {**OK, "components": {"host": "h", "port": 80}},
        'components.port is 80, expected a string or {"hex": …} or null: '
        f'\'{BEGINNING}, "components": {{"host": "h", "port": 80}}}}\'',
        id="component",
    ),
    pytest.param(
        {**OK, "id": "1"},
        'id is str, expected the integer of the question: \'{"id": "N", "status": "ok"}\'',
        id="id",
    ),
    pytest.param(
        {**OK, "urls": ["x" * 99]},
        f'urls is ["{"x" * 38}…, expected a list with a list of strings for each URL: '
        f'\'{BEGINNING}, "urls": ["{"x" * 44}\'...',
        id="long",
    ),
]


@pytest.mark.parametrize(("reply", "message"), REPLIES)
def test_a_wrong_reply_is_described_by_its_field(reply, message):
    line = json.dumps(reply).encode()
    with pytest.raises(DECODE_ERRORS) as raised:
        decode_reply(line)
    assert reply_error(line, raised.value) == f"not a reply: {message}"


#: JSON in place of a hello, and what is wrong with it.
HELLOS = [
    pytest.param("hello", 'expected a JSON object, not "hello"', id="text"),
    pytest.param(
        {},
        "type is missing; protocol is missing; implementation is missing; ops is missing; specs is missing",
        id="empty",
    ),
    pytest.param(without(HELLO, "type"), "type is missing", id="no-type"),
    pytest.param({**HELLO, "type": "bye"}, 'type is "bye", expected "hello"', id="bye"),
    pytest.param({**HELLO, "protocol": [1]}, "protocol is [1], expected the integer 1", id="protocol"),
    pytest.param(about(version=3), "implementation.version is 3, expected a string", id="version"),
    pytest.param(about(name=""), 'implementation.name is "", expected a string that is not empty', id="name"),
    pytest.param(
        {**HELLO, "implementation": "x"},
        'implementation is "x", expected an object with name and version',
        id="about",
    ),
    pytest.param({**HELLO, "ops": "parse"}, 'ops is "parse", expected a list of strings', id="ops"),
    pytest.param({**HELLO, "specs": [3986]}, "specs is [3986], expected a list of strings", id="specs"),
    pytest.param({**HELLO, "window": 0}, f"window is 0, expected {WINDOW}", id="window"),
    pytest.param(
        {**HELLO, "window": "a", "features": None},
        f'features is null: {LEAVE_OUT}; window is "a", expected {WINDOW}',
        id="two",
    ),
]

#: The most characters of a line that a message shows.
LONGEST_EXCERPT = 80


@pytest.mark.parametrize(("hello", "message"), HELLOS)
def test_a_wrong_hello_is_described_by_its_fields_and_the_beginning_of_its_line(hello, message):
    line = json.dumps(hello)
    with pytest.raises(DECODE_ERRORS) as raised:
        decode_hello(line.encode())
    excerpt = f"'{line[:LONGEST_EXCERPT]}'" + ("..." if len(line) > LONGEST_EXCERPT else "")
    error = hello_error(line.encode(), raised.value)
    assert error == f"its first line is not a valid hello: {message}: {excerpt}"


#: Lines that are not JSON, or that have no wrong field, and what the decoder says of them.
OTHER_LINES = [
    pytest.param(b"Welcome", "JSON is malformed", id="banner"),
    pytest.param(b'{"id": 1, "x": NaN}', "JSON is malformed", id="nan"),
    pytest.param(json.dumps(OK).encode("utf-16"), "malformed", id="utf-16"),
    pytest.param(json.dumps({**OK, "url": "é"}, ensure_ascii=False).encode("latin-1"), "utf-8", id="latin-1"),
    pytest.param(json.dumps(OK).encode() * 2, "trailing characters", id="two"),
    pytest.param(b'{"id": 1, "x": ' + b"[" * 100_000, "recursion", id="deep"),
    pytest.param(b'{"id": 1, "status": "no", "status": "ok"}', "Invalid enum value", id="repeated-key"),
]


@pytest.mark.parametrize(("line", "words"), OTHER_LINES)
def test_a_line_that_is_no_reply_is_described_without_a_field(line, words):
    with pytest.raises(DECODE_ERRORS) as raised:
        decode_reply(line)
    error = reply_error(line, raised.value)
    assert words.lower() in error.lower()  # msgspec 0.23 writes UTF-8, and 0.22 the name of the codec
    assert "(byte " not in error


@pytest.mark.parametrize(
    "hello",
    [HELLO, {**HELLO, "ops": [], "window": 65536, "more": None}],
    ids=["required-fields", "more-fields"],
)
def test_a_hello_in_place_of_a_reply_is_recognised(hello):
    line = json.dumps(hello).encode()
    decode_hello(line)
    with pytest.raises(DECODE_ERRORS) as raised:
        decode_reply(line)
    assert reply_error(line, raised.value) == HELLO_AGAIN


@pytest.mark.parametrize(
    ("identifier", "text"),
    [
        (5, "a reply to a question already answered or given up"),
        (11, "a reply to an id that was never sent"),
    ],
    ids=["already-answered", "never-sent"],
)
def test_an_id_that_is_not_in_flight_is_described(identifier, text):
    """The last id is 9. The message does not show the id: ids are random."""
    line = b'{"id": 12345, "status": "ok"}'
    assert unexpected_id_error(identifier, 9, line) == f'{text}: \'{{"id": N, "status": "ok"}}\''


def test_an_answer_of_an_exec_program_needs_no_id_and_no_status():
    assert answer_error(b'{"url": 1}', ValueError()).startswith("not an answer: url is 1, expected")


def test_a_value_that_json_does_not_have_is_shown_by_its_type():
    message = value_error({**OK, "url": b"a:b"}, Reply, ValueError())
    assert message == 'url is a bytes, expected a string or {"hex": …}'


def test_a_name_that_json_does_not_have_is_shown_as_text():
    message = value_error({**OK, "components": {7: "x"}}, Reply, ValueError())
    assert message == 'components is {"7": "x"}, expected an object of strings'


def test_a_value_without_a_wrong_field_is_described_by_the_exception():
    assert value_error(OK, Reply, ValueError("why")) == "why"


RUN = {"op": "validate", "spec": "rfc3986", "url": "a:b"}

#: Valid questions; the harness decides about names and modes that it does not know.
VALID_QUESTIONS = [
    pytest.param(RUN, id="valid"),
    pytest.param({**RUN, "op": "frob", "spec": "rfc9", "new": 1}, id="unknown-names"),
    pytest.param({"op": "normalize", **RUN, "mode": "x"}, id="unknown-mode"),
]

#: A question, and why it is not valid.
INVALID_QUESTIONS = [
    pytest.param({}, "op is missing; spec is missing", id="empty"),
    pytest.param(without(RUN, "url"), "url is missing", id="no-url"),
    pytest.param({**RUN, "op": "resolve"}, "base is missing; reference is missing", id="resolve"),
    pytest.param({**RUN, "op": 7}, "op is 7, expected a string", id="op"),
    pytest.param({**RUN, "spec": None}, "spec is null, expected a string", id="spec"),
    pytest.param({**RUN, "rule": ["URI"]}, 'rule is ["URI"], expected a string', id="rule"),
    pytest.param({**RUN, "url": 7}, 'url is 7, expected a string or {"hex": …}', id="url"),
    pytest.param({**RUN, "url": {"hex": "x"}}, 'url is {"hex": "x"}, expected', id="hex"),
    pytest.param({**RUN, "op": "base", "embedded": 7}, "embedded is 7, expected a string or", id="layer"),
    pytest.param(
        {**RUN, "op": "recompose", "components": "x"},
        'components is "x", expected an object of strings',
        id="components",
    ),
]


@pytest.mark.parametrize("question", VALID_QUESTIONS)
def test_a_valid_question_has_no_error(question):
    assert question_error(question) == ""


@pytest.mark.parametrize(("question", "message"), INVALID_QUESTIONS)
def test_a_question_that_is_not_valid_is_described_by_its_field(question, message):
    assert question_error(question).startswith(message)
