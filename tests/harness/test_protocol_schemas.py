"""The published schemas of messages and of results files, and the types, accept and refuse the same lines."""

from __future__ import annotations

import io
import json
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from urlharness import jsonio
from urlharness.adapters.registry import find
from urlharness.corpus.model import corpus_dir
from urlharness.limits import Limits
from urlharness.protocol import messages
from urlharness.results.model import Line
from urlharness.runner import open_results, question, run

pytestmark = pytest.mark.once

_REGISTRY = Registry().with_resources(
    (content["$id"], Resource.from_contents(content))
    for content in (json.loads(path.read_bytes()) for path in (corpus_dir() / "schemas").iterdir())
)


def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"urn:urlconform:schema:{name}"}, registry=_REGISTRY)


TO_ADAPTER = validator("urlprotocol-1#/$defs/toAdapter"), messages.decode_message
HELLO = validator("urlprotocol-1#/$defs/hello"), messages.decode_hello
REPLY = validator("urlprotocol-1#/$defs/reply"), messages.decode_reply
RESULTS = validator("urlresults-1"), msgspec.json.Decoder(Line).decode

Reader = tuple[Draft202012Validator, Any]


def accepted(reader: Reader, message: object) -> tuple[bool, bool]:
    """Whether the schema accepts a message, and whether the types do."""
    schema, decode = reader
    try:
        decode(json.dumps(message).encode())
    except msgspec.ValidationError:
        return schema.is_valid(message), False
    return schema.is_valid(message), True


RUN = {"type": "run", "id": 1, "op": "resolve", "spec": "rfc1808"}
SAID = {
    "type": "hello",
    "protocol": 1,
    "implementation": {"name": "net/url", "version": "1.26"},
    "ops": ["parse"],
    "specs": [],
}
ANSWER = {"id": 1, "status": "ok"}
HEADER = {
    "type": "header",
    "schema": "urlresults-1",
    "urlconform": "1",
    "corpus": "0",
    "argv": ["run"],
    "started": "2024-01-01T00:00:00+00:00",
    "platform": "x",
    "python": "3",
}
CASE = {"type": "case", "id": "rfc1808-5.1-g", "implementation": "urllib", "outcome": "pass"}
ADAPTER = {"type": "implementation", "name": "urllib", "state": "ran"}
FOOTER = {"type": "footer", "counts": {"urllib": {"pass": 1}}, "digest": "0"}
PAIRS = {"fieldspecs": [["a", "b"]], "path": "", "port": None}
VECTOR = {
    "type": "vector",
    "case": {
        "spec": "rfc1808",
        "section": "5.1",
        "file": "x.json",
        "vector": {
            "id": "rfc1808-5.1-g",
            "requirement": "rfc1808-5.1-g",
            "level": "example",
            "op": "resolve",
            "base": "http://a/",
            "reference": "g",
            "expect": {"result": "http://a/g"},
            "binding": "required",
        },
    },
    "requirement": {
        "id": "rfc1808-5.1-g",
        "section": "5.1",
        "paragraph": 1,
        "digest": "0123456789ab",
        "level": "example",
        "statement": "g is http://a/g.",
    },
}


def without(message: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in message.items() if key != name}


def fields(kind: type[msgspec.Struct]) -> list[str]:
    return [field.encode_name for field in msgspec.structs.fields(kind)]


GOOD = [
    pytest.param(TO_ADAPTER, {"type": "hello", "protocol": [1], "harness": "x"}, id="harness-hello"),
    pytest.param(TO_ADAPTER, {"type": "bye"}, id="bye"),
    pytest.param(TO_ADAPTER, RUN, id="bare-question"),
    pytest.param(TO_ADAPTER, RUN | {"base": "a:b", "reference": {"hex": "ff"}, "more": 1}, id="resolve"),
    pytest.param(
        TO_ADAPTER, RUN | {"op": "decode", "url": "", "rule": None, "profile": "prose"}, id="null-rule"
    ),
    pytest.param(TO_ADAPTER, RUN | {"mode": "scheme", "components": PAIRS}, id="recompose"),
    pytest.param(TO_ADAPTER, RUN | {"op": "extract", "text": "a\nb"}, id="extract"),
    pytest.param(
        TO_ADAPTER, RUN | {"op": "equivalent", "url": "a:b", "other": {"hex": "00"}}, id="equivalent"
    ),
    pytest.param(TO_ADAPTER, RUN | {"op": "base", "embedded": None, "default": ""}, id="base-of-layers"),
    pytest.param(TO_ADAPTER, RUN | {"op": "base", "retrieval": {"hex": "ff"}}, id="layer-in-octets"),
    pytest.param(TO_ADAPTER, RUN | {"op": "base", "header": "Base:"}, id="base-of-a-header"),
    pytest.param(HELLO, SAID, id="hello"),
    pytest.param(
        HELLO, SAID | {"window": 64, "features": ["absent-vs-empty"], "x": None}, id="hello-with-more"
    ),
    pytest.param(REPLY, ANSWER, id="bare-answer"),
    pytest.param(
        REPLY, ANSWER | {"status": "reject", "at": 3, "rules": ["a"], "message": "no"}, id="rejection"
    ),
    pytest.param(REPLY, ANSWER | {"at": None, "url": {"hex": "00"}, "type": "x"}, id="answer-in-octets"),
    pytest.param(REPLY, ANSWER | {"components": PAIRS | {"host": {"hex": "ff"}}}, id="components"),
    pytest.param(
        REPLY,
        ANSWER | {"also": [True, "a:b", ["a"], {}, PAIRS], "may_reject": True, "rulings": ["G"]},
        id="also",
    ),
    pytest.param(REPLY, ANSWER | {"same_document": True}, id="same-document"),
    pytest.param(REPLY, ANSWER | {"urls": [["http://a/", "http://b/"], []]}, id="extracted"),
    pytest.param(REPLY, ANSWER | {"equal": False}, id="not-equal"),
    pytest.param(REPLY, ANSWER | {"decoded": {"cwd": ["a", {"hex": "ff"}], "name": None}}, id="decoded"),
    pytest.param(
        REPLY,
        ANSWER | {"decoded": {"local": True, "fields": [["a", {"hex": "00"}]], "name": {"hex": "ff"}}},
        id="decoded-fields",
    ),
    pytest.param(REPLY, ANSWER | {"urls": []}, id="nothing-extracted"),
    pytest.param(REPLY, ANSWER | {"base": "a:b", "layer": "embedded", "section": "5.1.1"}, id="base"),
    pytest.param(REPLY, ANSWER | {"base": None}, id="no-base"),
    pytest.param(REPLY, ANSWER | {"base": {"hex": "ff"}}, id="base-in-octets"),
    pytest.param(RESULTS, HEADER | {"seed": None, "protocol": 1}, id="header"),
    pytest.param(RESULTS, VECTOR | {"title": "Normal"}, id="vector"),
    pytest.param(RESULTS, ADAPTER | {"implementation": SAID["implementation"], "ops": ["a"]}, id="adapter"),
    pytest.param(RESULTS, ADAPTER | {"state": "not installed", "implementation": None}, id="not-installed"),
    pytest.param(RESULTS, CASE | {"got": {"anything": []}, "detail": "", "stderr": "x"}, id="case"),
    pytest.param(RESULTS, FOOTER | {"interrupted": True}, id="footer"),
]

BAD = [
    *(pytest.param(TO_ADAPTER, without(RUN, name), id=f"question-without-{name}") for name in RUN),
    *(pytest.param(HELLO, without(SAID, name), id=f"hello-without-{name}") for name in SAID),
    *(pytest.param(REPLY, without(ANSWER, name), id=f"answer-without-{name}") for name in ANSWER),
    *(pytest.param(RESULTS, without(HEADER, name), id=f"header-without-{name}") for name in HEADER),
    *(pytest.param(RESULTS, without(CASE, name), id=f"case-without-{name}") for name in CASE),
    *(pytest.param(RESULTS, without(VECTOR, name), id=f"vector-without-{name}") for name in VECTOR),
    *(pytest.param(RESULTS, without(FOOTER, name), id=f"footer-without-{name}") for name in FOOTER),
    *(pytest.param(RESULTS, without(ADAPTER, name), id=f"adapter-without-{name}") for name in ADAPTER),
    pytest.param(TO_ADAPTER, [], id="list"),
    pytest.param(TO_ADAPTER, {"type": "shout"}, id="unknown-message"),
    pytest.param(TO_ADAPTER, RUN | {"id": "1"}, id="id-as-text"),
    pytest.param(TO_ADAPTER, RUN | {"id": True}, id="id-as-verdict"),
    pytest.param(TO_ADAPTER, RUN | {"id": 1.5}, id="broken-id"),
    pytest.param(TO_ADAPTER, RUN | {"spec": "rfc9"}, id="unknown-spec"),
    pytest.param(TO_ADAPTER, RUN | {"profile": "x"}, id="unknown-profile"),
    pytest.param(TO_ADAPTER, RUN | {"mode": "x"}, id="unknown-mode"),
    pytest.param(TO_ADAPTER, RUN | {"url": None}, id="null-url"),
    pytest.param(TO_ADAPTER, RUN | {"url": {"hex": "g0"}}, id="no-hex"),
    pytest.param(TO_ADAPTER, RUN | {"url": {"hex": "00", "x": 1}}, id="hex-and-more"),
    pytest.param(TO_ADAPTER, RUN | {"components": {"port": 80}}, id="port-as-number"),
    pytest.param(TO_ADAPTER, RUN | {"text": None}, id="null-text"),
    pytest.param(TO_ADAPTER, RUN | {"header": None}, id="null-header"),
    pytest.param(TO_ADAPTER, RUN | {"embedded": 1}, id="layer-as-number"),
    pytest.param(TO_ADAPTER, RUN | {"default": {"hex": "0"}}, id="layer-of-half-an-octet"),
    pytest.param(
        TO_ADAPTER, {"type": "hello", "protocol": 1, "harness": "x"}, id="harness-hello-of-an-adapter"
    ),
    pytest.param(HELLO, SAID | {"type": "bye"}, id="bye-for-a-hello"),
    pytest.param(HELLO, SAID | {"protocol": 2}, id="protocol-2"),
    pytest.param(HELLO, SAID | {"protocol": [1]}, id="protocol-list"),
    pytest.param(HELLO, SAID | {"implementation": {"name": "x"}}, id="no-version"),
    pytest.param(HELLO, SAID | {"implementation": {"name": "", "version": "1"}}, id="empty-name"),
    pytest.param(HELLO, SAID | {"implementation": {"name": "x", "version": 1}}, id="version-as-number"),
    pytest.param(HELLO, SAID | {"ops": "parse"}, id="operations-as-text"),
    pytest.param(HELLO, SAID | {"specs": [3986]}, id="spec-as-number"),
    pytest.param(HELLO, SAID | {"window": 0}, id="window-0"),
    pytest.param(HELLO, SAID | {"window": 65537}, id="window-too-wide"),
    pytest.param(REPLY, ANSWER | {"status": "OK"}, id="status-in-capitals"),
    pytest.param(REPLY, ANSWER | {"at": -1}, id="negative-offset"),
    pytest.param(REPLY, ANSWER | {"at": "3"}, id="offset-as-text"),
    pytest.param(REPLY, ANSWER | {"message": None}, id="null-message"),
    pytest.param(REPLY, ANSWER | {"url": 5}, id="url-as-number"),
    pytest.param(REPLY, ANSWER | {"components": []}, id="components-as-list"),
    pytest.param(REPLY, ANSWER | {"components": {"port": 80}}, id="reply-with-port-as-number"),
    pytest.param(REPLY, ANSWER | {"components": {"fieldspecs": [["a"]]}}, id="half-a-pair"),
    pytest.param(REPLY, ANSWER | {"same_document": "yes"}, id="same-document-as-text"),
    pytest.param(REPLY, ANSWER | {"urls": ["http://a/"]}, id="extracted-without-readings"),
    pytest.param(REPLY, ANSWER | {"equal": 1}, id="equal-as-number"),
    pytest.param(REPLY, ANSWER | {"decoded": ["a"]}, id="decoded-as-list"),
    pytest.param(REPLY, ANSWER | {"decoded": {"port": 80}}, id="decoded-port-as-number"),
    pytest.param(REPLY, ANSWER | {"decoded": {"name": {"text": "a"}}}, id="decoded-object"),
    pytest.param(REPLY, ANSWER | {"decoded": {"cwd": [None]}}, id="decoded-null-in-list"),
    pytest.param(REPLY, ANSWER | {"decoded": {"fields": [["a", "b", "c"]]}}, id="decoded-triple"),
    pytest.param(REPLY, ANSWER | {"base": 1}, id="base-as-number"),
    pytest.param(REPLY, ANSWER | {"base": "a:b", "layer": None}, id="null-layer"),
    pytest.param(REPLY, ANSWER | {"urls": [[{"hex": "00"}]]}, id="extracted-octets"),
    pytest.param(REPLY, ANSWER | {"rules": [1]}, id="rule-as-number"),
    pytest.param(REPLY, ANSWER | {"also": {}}, id="also-as-object"),
    pytest.param(REPLY, ANSWER | {"also": [1]}, id="also-a-number"),
    pytest.param(REPLY, ANSWER | {"also": [[[]]]}, id="also-nested"),
    pytest.param(REPLY, ANSWER | {"id": -1}, id="negative-id"),
    pytest.param(REPLY, ANSWER | {"id": 2**53}, id="id-too-large"),
    pytest.param(REPLY, ANSWER | {"at": 2**53}, id="offset-too-large"),
    pytest.param(RESULTS, HEADER | {"schema": "urlresults-2"}, id="other-version"),
    pytest.param(RESULTS, HEADER | {"argv": "run"}, id="argv-as-text"),
    pytest.param(RESULTS, ADAPTER | {"state": "alive"}, id="unknown-state"),
    pytest.param(RESULTS, CASE | {"outcome": "passed"}, id="unknown-outcome"),
    pytest.param(RESULTS, CASE | {"got": None}, id="null-got"),
    pytest.param(RESULTS, FOOTER | {"counts": {"urllib": {"pass": "1"}}}, id="count-as-text"),
    pytest.param(RESULTS, FOOTER | {"interrupted": 1}, id="interrupted-as-number"),
]


@pytest.mark.parametrize(("reader", "message"), GOOD)
def test_both_accept(reader, message):
    assert accepted(reader, message) == (True, True)


@pytest.mark.parametrize(("reader", "message"), BAD)
def test_both_refuse(reader, message):
    assert accepted(reader, message) == (False, False)


#: Every field of a message of an adapter, and whether null is a value of it.
NULLS = [
    *(pytest.param(REPLY, ANSWER, name, name in ("at", "base"), id=name) for name in fields(messages.Reply)),
    *(pytest.param(HELLO, SAID, name, False, id=f"hello-{name}") for name in fields(messages.Hello)),
]


@pytest.mark.parametrize(("reader", "message", "name", "may"), NULLS)
def test_where_null_is_a_value(reader, message, name, may):
    assert accepted(reader, message | {name: None}) == (may, may)


@pytest.mark.parametrize("message", [SAID, ANSWER, RUN, {"type": "bye"}])
def test_the_whole_schema_takes_every_message(message):
    assert validator("urlprotocol-1").is_valid(message)


def test_the_harness_writes_what_the_schema_says(corpus):
    schema = TO_ADAPTER[0]
    lines = [jsonio.ascii_line(question(case)) for case in corpus.cases[::7]]
    lines += [jsonio.ascii_line(messages.HarnessHello([1], "x")), jsonio.ascii_line(messages.Bye())]
    for line in lines:
        assert line.isascii()
        assert line.count(b"\n") == 1
        schema.validate(json.loads(line))


def test_a_real_results_file_meets_the_schema(corpus):
    class Kept(io.BytesIO):
        def close(self) -> None:
            self.kept = self.getvalue()
            super().close()

    cases = [case for case in corpus.cases if case.section in ("2.2", "5.2", "C.2")]
    stream = Kept()
    writer = open_results(stream, corpus, cases)
    for name in ("reference", "urllib", "jsonl:/no/such/program"):
        run(find(name), cases, writer, Limits())
    writer.close()
    lines = [json.loads(line) for line in stream.kept.splitlines()]
    assert {line["type"] for line in lines} == {"header", "vector", "implementation", "case", "footer"}
    for line in lines:
        RESULTS[0].validate(line)
