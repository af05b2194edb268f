"""The types of the messages and the published schema accept the same, with any value in any place."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from urlharness.protocol import messages

from ...harness.protocol.test_messages import KINDS, SCHEMA  # noqa: TID252 - tests are not an installed package

#: The values that are put into every place of a message.
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
    """Yield a message, and it with one more field, with each value in each place, and without each field."""
    yield message
    if isinstance(message, dict):
        yield from ({**message, "more": added} for added in (None, {"x": [1]}))
    else:
        yield from ([*message, added] for added in VALUES)
    places = message.items() if isinstance(message, dict) else enumerate(message)
    for key, inner in list(places):
        shorter = copy.copy(message)
        shorter.pop(key)
        yield shorter
        for replacement in (*VALUES, *(mutants(inner) if isinstance(inner, dict | list) else ())):
            mutant = copy.copy(message)
            mutant[key] = replacement
            yield mutant


def differences(
    kind: str, schema: dict[str, Any], counted: Counter[bool], decode: Any = None, step: int = 1
) -> Iterator[Any]:
    """Yield the messages that only the schema or only the types accept; count what the types accept.

    `decode` takes the place of the function that decodes messages of this kind. One message of each `step` is
    tried.
    """
    decode_kind, full_message = KINDS[kind]
    validator = Draft202012Validator({**schema, "anyOf": [{"$ref": f"#/$defs/{kind}"}]})
    seen = set[str]()
    for message in islice(mutants(full_message), 0, None, step):
        text = json.dumps(message)
        if text not in seen:
            seen.add(text)
            typed = _accepts(decode or decode_kind, kind, text.encode())
            counted[typed] += 1
            if validator.is_valid(message) is not typed:
                yield message


def _accepts(decode: Any, kind: str, line: bytes) -> bool:
    try:
        decoded = decode(line)
    except msgspec.ValidationError:
        return False
    # one type decodes every message to an adapter: this may be another kind
    return type(decoded).__name__.lower() == kind.lower()


#: If fewer messages were accepted or refused, the comparison would hardly be about them.
LEAST_ACCEPTED = 3
LEAST_REFUSED = 21


#: A reply has so many mutants that only each seventh is tried in the environment `proofs` of tox.
STEP_OF_REPLIES = 7


@pytest.mark.parametrize(
    ("kind", "step"),
    [
        *(
            pytest.param(kind, 1, marks=pytest.mark.long if kind == "reply" else (), id=kind)
            for kind in KINDS
        ),
        pytest.param("reply", STEP_OF_REPLIES, id="some-replies"),
    ],
)
@pytest.mark.sampled(3, keep="some-replies")
def test_the_schema_and_the_types_accept_the_same_messages(kind, step):
    counted = Counter[bool]()
    assert list(differences(kind, SCHEMA, counted, step=step)) == []
    assert counted[True] >= LEAST_ACCEPTED
    assert counted[False] >= LEAST_REFUSED


def changed(*path: str, **fields: Any) -> dict[str, Any]:
    """Return the schema with other fields in the definition at a path."""
    schema = copy.deepcopy(SCHEMA)
    node = schema["$defs"]
    for name in path:
        node = node[name]
    node.update(fields)
    return schema


#: A kind of message, and a schema that accepts other messages of this kind.
PLANTED = [
    pytest.param("reply", changed("count", maximum=2**53), id="larger-offset"),
    pytest.param("reply", changed("reply", "properties", also={"type": "array"}), id="anything-in-also"),
    pytest.param("reply", changed("reply", required=["id"]), id="status-left-out"),
    pytest.param("reply", changed("reply", additionalProperties=False), id="no-unknown-fields"),
    pytest.param("hello", changed("hello", "properties", "window", maximum=10**6), id="wider-window"),
    pytest.param("hello", changed("implementation", "properties", name={"type": "string"}), id="empty-name"),
    pytest.param("question", changed("text", oneOf=[{"type": "string"}]), id="no-bytes"),
    pytest.param("question", changed("pairs", items={"type": "array"}), id="triples"),
    pytest.param("harnessHello", changed("harnessHello", "properties", protocol={}), id="any-protocol"),
    pytest.param("bye", changed("bye", required=[]), id="bye-without-type"),
]


@pytest.mark.parametrize(("kind", "schema"), PLANTED)
@pytest.mark.sampled(2)
def test_a_change_of_the_schema_is_noticed(kind, schema):
    assert list(islice(differences(kind, schema, Counter()), 1)) != []


def test_a_decoder_that_converts_values_is_noticed():
    lenient = msgspec.json.Decoder(messages.Reply, strict=False).decode
    assert list(islice(differences("reply", SCHEMA, Counter(), lenient), 1)) != []
