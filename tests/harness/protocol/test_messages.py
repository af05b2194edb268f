"""The messages: types and published schema agree on every field, and ids are hard to guess.

The proofs compare types and schema for any value in every place.
"""

from __future__ import annotations

import itertools
import json

import msgspec
import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from urlharness.corpus.model import corpus_dir
from urlharness.jsonio import ascii_line
from urlharness.protocol import messages
from urlharness.runner import question

SCHEMA = json.loads((corpus_dir() / "schemas" / "protocol.schema.json").read_bytes())

decode_message = msgspec.json.Decoder(messages.HarnessHello | messages.Question | messages.Bye).decode

#: The definition of each kind, its decoder, and a message with all of its fields.
KINDS = {
    "harnessHello": (decode_message, {"type": "hello", "protocol": [1], "harness": "x"}),
    "bye": (decode_message, {"type": "bye"}),
    "question": (
        decode_message,
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
            **{name: ["x"] for name in ("ops", "specs", "components", "features", "modes")},
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
            "may_accept": True,
            "rules": ["a"],
            "rulings": ["G-01"],
        },
    ),
}


def accepts(decode, message: bytes) -> bool:
    try:
        decode(message)
    except msgspec.ValidationError:
        return False
    return True


def variants(message):
    """Yield the message, with an unknown field, and without or with null or an object in each field."""
    yield message
    yield {**message, "more": {"x": None}}
    for field in message:
        yield {name: content for name, content in message.items() if name != field}
        yield {**message, field: None}
        yield {**message, field: {"x": 1}}


@pytest.mark.parametrize("kind", KINDS)
def test_the_types_and_the_schema_accept_the_same_messages(kind):
    decode, full_message = KINDS[kind]
    validator = Draft202012Validator({**SCHEMA, "anyOf": [{"$ref": f"#/$defs/{kind}"}]})
    valid = [message for message in variants(full_message) if validator.is_valid(message)]
    accepted = [
        message for message in variants(full_message) if accepts(decode, json.dumps(message).encode())
    ]
    assert valid != []
    assert accepted == valid


@pytest.mark.parametrize("kind", KINDS)
def test_the_types_accept_a_message_with_all_its_fields(kind):
    decode, full_message = KINDS[kind]
    assert accepts(decode, json.dumps(full_message).encode())


@pytest.mark.parametrize("kind", KINDS)
def test_the_types_accept_a_message_with_an_unknown_field(kind):
    decode, full_message = KINDS[kind]
    assert accepts(decode, json.dumps({**full_message, "more": {"x": None}}).encode())


@pytest.mark.parametrize("kind", KINDS)
def test_the_types_refuse_a_message_without_its_first_field(kind):
    decode, full_message = KINDS[kind]
    first_field = next(iter(full_message))
    incomplete = {name: field for name, field in full_message.items() if name != first_field}
    assert not accepts(decode, json.dumps(incomplete).encode())


def test_every_field_has_a_value_in_the_messages_of_the_table():
    """A field that is added to a type must be added to the table above and to the schema."""
    types = (messages.HarnessHello, messages.Bye, messages.Question, messages.Hello, messages.Reply)
    for (kind, (_, whole)), struct in zip(KINDS.items(), types, strict=True):
        fields = {field.encode_name for field in msgspec.structs.fields(struct)}
        assert fields == whole.keys() - {"type"}, kind
        assert SCHEMA["$defs"][kind]["properties"].keys() == whole.keys(), kind


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param('{"id":1.0,"status":"ok"}', "Expected `int`, got `float`", id="point"),
        pytest.param('{"id":1e0,"status":"ok"}', "Expected `int`, got `float`", id="exponent"),
        pytest.param('{"id":1,"status":"ok","url":"\\ud800"}', "truncated", id="lone-surrogate"),
    ],
)
def test_the_types_reject_what_json_schema_cannot_express(text, message):
    assert Draft202012Validator(SCHEMA).is_valid(json.loads(text))
    with pytest.raises(msgspec.MsgspecError, match=message):
        messages.decode_reply(text.encode())


@pytest.fixture(scope="module")
def harness_lines(corpus):
    """The lines of a hello, of some questions of the corpus, and of a bye."""
    questions = [question(case) for case in corpus.cases[::40]]  # all of them would take long
    return [ascii_line(message) for message in (messages.HarnessHello([1], "x"), *questions, messages.Bye())]


def test_the_harness_writes_what_the_schema_describes(harness_lines):
    schemas = [json.loads(path.read_bytes()) for path in (corpus_dir() / "schemas").iterdir()]
    registry = Registry().with_resources(
        (content["$id"], Resource.from_contents(content)) for content in schemas
    )
    reference = {"$ref": "urn:urlconform:schema:urlprotocol-1#/$defs/toAdapter"}
    validator = Draft202012Validator(reference, registry=registry)
    assert [line for line in harness_lines if not validator.is_valid(json.loads(line))] == []


def test_the_harness_writes_ascii(harness_lines):
    assert [line for line in harness_lines if not line.isascii()] == []


def test_a_message_of_the_harness_is_one_line(harness_lines):
    assert [line for line in harness_lines if line.find(b"\n") != len(line) - 1] == []


@pytest.fixture(scope="module")
def million_ids():
    return list(itertools.islice(messages.ids(), 10**6))


def test_a_million_ids_begin_with_1_and_stay_below_2_to_31(million_ids):
    first, *_, last = million_ids
    assert first == 1
    assert last < 2**31


#: What an adapter may add to an id by mistake, such as its number of a question, is usually less.
LEAST_STEP = 512
#: Steps are drawn from about a thousand numbers; if fewer occurred, they would hardly be drawn at random.
FEWEST_STEPS = 500


@pytest.fixture(scope="module")
def steps(million_ids):
    """The differences between neighbouring ids."""
    return [after - before for before, after in itertools.pairwise(million_ids)]


def test_no_id_follows_soon_upon_another(steps):
    assert min(steps) >= LEAST_STEP


def test_ids_rise_in_random_steps(steps):
    assert len(set(steps)) > FEWEST_STEPS


def test_two_sessions_have_different_ids(million_ids):
    assert list(itertools.islice(messages.ids(), 100)) != million_ids[:100]
