"""Lines that are no messages: each is called what it is, whoever reads it."""

from __future__ import annotations

import json

import msgspec
import pytest
from urlharness.engine.diagnosis import last_line

from urlharness.protocol.errors import NO_REPLY, no_json, no_reply
from urlharness.protocol.messages import decode_reply

pytestmark = pytest.mark.once

REPLY = '{"id": 1, "status": "ok", "url": "é"}'

#: A line, and what it is.
WRONG = [
    pytest.param(b"{", "JSON over several lines", id="pretty"),
    pytest.param(b"  {", "JSON over several lines", id="pretty-indented"),
    pytest.param(b'{ "type": "hello",', "", id="cut"),
    pytest.param(b'{"id": 1, "x": NaN}', "no JSON, which has no NaN", id="nan"),
    pytest.param(b'{"id": 1, "x": -Infinity}', "no JSON, which has no -Infinity", id="infinity"),
    pytest.param(REPLY.encode("utf-16"), "UTF-16", id="utf-16"),
    pytest.param(REPLY.encode("utf-16-be"), "UTF-16", id="utf-16-be"),
    pytest.param(REPLY.encode("latin-1"), "no UTF-8", id="latin-1"),
    pytest.param(REPLY.encode("utf-8-sig"), "byte order mark", id="mark"),
    pytest.param(REPLY.encode() * 2, "more than one JSON object", id="two"),
    pytest.param(REPLY.encode() + b" and more", "", id="trailing"),
    pytest.param(b"Welcome to it", "", id="banner"),
    pytest.param(b"1 2 3", "", id="numbers"),
    pytest.param(b"[" * 100_000, "", id="deep"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "what"), WRONG)
def test_what_a_line_is(line, what):
    assert what in no_json(line)
    assert bool(no_json(line)) == bool(what)
    with pytest.raises(NO_REPLY) as raised:
        decode_reply(line)
    assert what in no_reply(line, raised.value)


def test_json_of_another_shape_is_called_by_its_error():
    line = json.dumps({"id": 1, "status": "ok", "layer": 1}).encode()
    with pytest.raises(msgspec.ValidationError) as raised:
        decode_reply(line)
    assert no_reply(line, raised.value).startswith("not a reply: Expected `str`")


@pytest.mark.parametrize(
    ("stderr", "last"),
    [("", ""), ("a\nb\n", "b"), ("a\r\nb\r\n", "b"), ("near `\r'\n", "near `\r'"), ("a\n\n \n", "a")],
)
def test_the_last_line_is_a_whole_one(stderr, last):
    """A carriage return within it ends no line: it may be what the message is about."""
    assert last_line(stderr) == last
