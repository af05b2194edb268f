"""Types and published schema accept the same messages: any value in every place of every kind of message."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from urlharness.corpus.model import corpus_dir
from urlharness.protocol import messages

pytestmark = pytest.mark.once

SCHEMA = json.loads((corpus_dir() / "schemas" / "protocol.schema.json").read_bytes())

#: The definition of each kind, what decodes it, and a message that has all of its fields.
KINDS = {
    "harnessHello": (messages.decode_message, {"type": "hello", "protocol": [1], "harness": "x"}),
    "bye": (messages.decode_message, {"type": "bye"}),
    "question": (
        messages.decode_message,
        {
            "type": "run",
            "id": 1,
            "op": "parse",
            "spec": "rfc1738",
            "rule": "url",
            "profile": "prose",
            "mode": "syntax",
            **dict.fromkeys(("url", "base", "reference", "text", "other", "header"), "a:b"),
            **{name: {"hex": "ff"} for name in ("embedded", "encapsulating", "retrieval", "default")},
            "components": {"path": "", "fieldspecs": [["a", "b"]], "port": None},
        },
    ),
    "hello": (
        messages.decode_hello,
        {
            "type": "hello",
            "protocol": 1,
            "implementation": dict.fromkeys(("name", "version", "language", "runtime", "homepage"), "x"),
            "window": 64,
            **{name: ["x"] for name in ("ops", "specs", "components", "features")},
        },
    ),
    "reply": (
        messages.decode_reply,
        {
            "id": 1,
            "status": "ok",
            "message": "",
            "at": 3,
            "url": "a:b",
            "components": {"host": {"hex": "ff"}, "fieldspecs": [["a", "b"]], "port": None},
            "same_document": True,
            "urls": [["a:b", "a:c"], []],
            "equal": False,
            "decoded": {
                "cwd": ["a", {"hex": "ff"}],
                "fields": [["a", {"hex": "00"}]],
                "local": True,
                "x": None,
            },
            "base": None,
            "layer": "embedded",
            "section": "5.1",
            "also": [True, "a:b", ["a"], {"path": "", "cwd": ["a"], "fields": [["a", "b"]]}],
            "may_reject": True,
            "rules": ["a"],
            "rulings": ["G-01"],
        },
    ),
}

#: What is put in every place; integers that are written as such, and no text that is not Unicode.
VALUES: list[Any] = [
    *(None, True, False, 0, 1, -1, 0.5, 64, 65536, 65537, 2**53 - 1, 2**53, 10**30),
    *("", "x", "ok", "run", "bye", "hello", "rfc3986", "generic", "1", "\x00", "é\U0001f600"),
    *(
        [],
        [None],
        [1],
        ["a"],
        [[]],
        [["a"]],
        [["a", "b"]],
        [["a", "b", "c"]],
        [["a", None]],
        [True],
        [[["a"]]],
    ),
    *([{"hex": "ff"}], [["a", {"hex": "ff"}]], [{}], ["a", 1], ["a", ["b", "c"]]),
    *({}, {"hex": "ff"}, {"hex": "FF"}, {"hex": ""}, {"hex": 1}, {"hex": "ff", "x": 1}, {"x": None}),
    *({"x": 1}, {"x": ["a"]}, {"x": [["a", "b"]]}, {"x": {"hex": "ff"}}, {"x": {"y": "z"}}, {"x": [[]]}),
]


def mutants(message: Any) -> Iterator[Any]:
    """The message with one thing more, with each value in each place, and with each thing left out."""
    yield message
    if isinstance(message, dict):
        yield from ({**message, "more": value} for value in (None, {"x": [1]}))
    else:
        yield from ([*message, value] for value in VALUES)
    places = message.items() if isinstance(message, dict) else enumerate(message)
    for place, inner in list(places):
        shorter = copy.copy(message)
        shorter.pop(place)
        yield shorter
        for changed in (*VALUES, *(mutants(inner) if isinstance(inner, dict | list) else ())):
            other = copy.copy(message)
            other[place] = changed
            yield other


def differences(
    kind: str, schema: dict[str, Any], counted: Counter[bool], decode: Any = None
) -> Iterator[Any]:
    """Messages that only one of schema and types accepts; counts how many the types accept and refuse."""
    own, whole = KINDS[kind]
    validator = Draft202012Validator({**schema, "anyOf": [{"$ref": f"#/$defs/{kind}"}]})
    seen = set[str]()
    for message in mutants(whole):
        text = json.dumps(message)
        if text not in seen:
            seen.add(text)
            typed = _accepts(decode or own, kind, text.encode())
            counted[typed] += 1
            if validator.is_valid(message) is not typed:
                yield message


def _accepts(decode: Any, kind: str, octets: bytes) -> bool:
    try:
        decoded = decode(octets)
    except msgspec.ValidationError:
        return False
    # of the messages to an adapter one type decodes all kinds: another kind is none of this
    return type(decoded).__name__.lower() == kind.lower()


@pytest.mark.parametrize("kind", KINDS)
def test_both_accept_the_same(kind):
    counted = Counter[bool]()
    assert list(differences(kind, SCHEMA, counted)) == []
    assert counted[True] > 2
    assert counted[False] > 20


def test_every_field_is_tried():
    """A field that is added to a type has to be added to its message here, and so to the schema."""
    types = (messages.HarnessHello, messages.Bye, messages.Question, messages.Hello, messages.Reply)
    for (kind, (_, whole)), struct in zip(KINDS.items(), types, strict=True):
        fields = {field.encode_name for field in msgspec.structs.fields(struct)}
        assert fields == whole.keys() - {"type"}, kind
        assert SCHEMA["$defs"][kind]["properties"].keys() == whole.keys(), kind


@pytest.mark.parametrize(
    "text", ['{"id":1.0,"status":"ok"}', '{"id":1e0,"status":"ok"}', '{"id":1,"status":"ok","url":"\\ud800"}']
)
def test_what_the_schema_says_in_words_the_types_refuse(text):
    assert Draft202012Validator(SCHEMA).is_valid(json.loads(text))
    with pytest.raises(msgspec.MsgspecError):
        messages.decode_reply(text.encode())


def changed(*path: str, **fields: Any) -> dict[str, Any]:
    schema = copy.deepcopy(SCHEMA)
    place = schema["$defs"]
    for name in path:
        place = place[name]
    place.update(fields)
    return schema


PLANTED = [
    pytest.param("reply", changed("count", maximum=2**53), id="larger-offset"),
    pytest.param("reply", changed("reply", required=["id"]), id="status-left-out"),
    pytest.param("reply", changed("reply", "properties", also={"type": "array"}), id="anything-in-also"),
    pytest.param("reply", changed("reply", additionalProperties=False), id="no-unknown-fields"),
    pytest.param("hello", changed("hello", "properties", "window", maximum=10**6), id="wider-window"),
    pytest.param("hello", changed("implementation", "properties", name={"type": "string"}), id="empty-name"),
    pytest.param("question", changed("text", oneOf=[{"type": "string"}]), id="no-octets"),
    pytest.param("question", changed("pairs", items={"type": "array"}), id="triples"),
    pytest.param("harnessHello", changed("harnessHello", "properties", protocol={}), id="any-protocol"),
    pytest.param("bye", changed("bye", required=[]), id="bye-without-type"),
]


@pytest.mark.parametrize(("kind", "schema"), PLANTED)
def test_a_planted_difference_is_seen(kind, schema):
    assert any(True for _ in differences(kind, schema, Counter()))


def test_a_lenient_type_is_seen():
    lenient = msgspec.json.Decoder(messages.Reply, strict=False).decode
    assert any(True for _ in differences("reply", SCHEMA, Counter(), lenient))
