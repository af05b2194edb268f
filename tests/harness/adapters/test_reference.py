"""The reference adapter: every operation of the oracle as questions and replies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
import pytest

from urlharness.adapters import reference
from urlharness.corpus.model import OPERATIONS
from urlharness.jsonio import decoded_as_json
from urlharness.protocol.messages import Reply
from urlharness.protocol.server import hello_of


def ask(op: str = "validate", spec: str = "rfc3986", **fields) -> dict:
    return {"op": op, "spec": spec, **fields}


def ask_iri(op: str, **fields) -> dict:
    return ask(op, "rfc3987", **fields)


@pytest.fixture
def hello():
    return hello_of(reference.hello())


def test_the_hello_has_the_name_of_the_oracle(hello):
    assert hello.implementation.name == "urloracle"


def test_the_hello_has_every_operation_once(hello):
    assert sorted(hello.ops) == sorted(OPERATIONS)


def test_the_hello_has_every_rfc(hello):
    assert hello.specs == ["rfc1738", "rfc1808", "rfc2396", "rfc2732", "rfc3986", "rfc3987"]


#: Questions of every operation, and fields of the reply: facts of the RFCs.
REPLIES = [
    pytest.param(ask(url="a:b"), {"status": "ok"}, id="valid"),
    pytest.param(ask(url="a b", rule="URI"), {"status": "reject", "at": 1}, id="invalid"),
    pytest.param(ask(rule="nope", url="a"), {"status": "unsupported"}, id="unknown-rule"),
    pytest.param(ask_iri("to_uri", url="/\u00e9"), {"url": "/%C3%A9", "also": ["/%c3%a9"]}, id="to-uri"),
    pytest.param(ask_iri("to_uri", rule="isegment", url="\u00e9"), {"url": "%C3%A9"}, id="to-uri-component"),
    pytest.param(
        ask_iri("to_uri", url="/ "), {"status": "reject", "at": 1, "also": ["/%20"]}, id="to-uri-refused"
    ),
    pytest.param(ask_iri("to_iri", url="/%C3%A9%FC"), {"url": "/\u00e9%FC"}, id="to-iri"),
    pytest.param(
        ask_iri("to_iri", url="/%C3%A9\u00e9"),
        {"status": "reject", "at": 7, "also": ["/\u00e9\u00e9"]},
        id="to-iri-refused",
    ),
    pytest.param(ask_iri("to_uri", url={"hex": "2fff"}), {"status": "reject"}, id="to-uri-bytes"),
    pytest.param(ask_iri("to_iri", url={"hex": "2fff"}), {"status": "reject"}, id="to-iri-bytes"),
    pytest.param(ask("to_uri", url="/"), {"status": "unsupported"}, id="to-uri-of-an-rfc-on-urls"),
    pytest.param(
        ask_iri("equivalent", mode="simple", url="a:\u00e9", other="a:%C3%A9"), {"equal": False}, id="simple"
    ),
    pytest.param(
        ask_iri("normalize", mode="simple", url="/"), {"status": "unsupported"}, id="no-simple-form"
    ),
    pytest.param(
        ask("equivalent", mode="simple", url="/a", other="/a"), {"status": "unsupported"}, id="no-simple-mode"
    ),
    pytest.param(ask("parse", url="//h?"), {"host": "h", "query": "", "fragment": None}, id="parse"),
    pytest.param(ask("parse", url=":"), {"status": "reject"}, id="parse-invalid"),
    pytest.param(
        ask("resolve", base="http://a/b/c/d;p?q", reference="../g"), {"url": "http://a/b/g"}, id="resolve"
    ),
    pytest.param(
        ask("resolve", "rfc2396", base="http://a/b", reference=""),
        {"url": "http://a/b", "same_document": True},
        id="same-document",
    ),
    pytest.param(
        ask("recompose", components={"scheme": "a", "path": "b", "query": ""}), {"url": "a:b?"}, id="join"
    ),
    pytest.param(ask("normalize", url="HTTP://h/%7e"), {"url": "http://h/~"}, id="normalize"),
    pytest.param(ask("normalize", url="http://h:80", mode="scheme"), {"url": "http://h/"}, id="by-scheme"),
    pytest.param(ask(url={"hex": "613aff"}), {"status": "reject", "at": 2}, id="bytes"),
    pytest.param(ask(url={"hex": "613a62"}), {"status": "ok"}, id="bytes-that-are-text"),
    pytest.param(ask("guess", url="a"), {"status": "unsupported"}, id="unknown-operation"),
    pytest.param(ask(url="a:b", profile="bogus"), {"status": "unsupported"}, id="unknown-profile"),
    pytest.param(ask("normalize", url="a:b", mode="x"), {"status": "unsupported"}, id="unknown-mode"),
    pytest.param(
        ask("recompose", "rfc1738", components={"scheme": "http", "hpath": "x"}),
        {"status": "reject"},
        id="components-without-a-place",
    ),
    pytest.param(ask(spec="rfc9999", url="a"), {"status": "unsupported"}, id="unknown-spec"),
    pytest.param(
        ask("resolve", "rfc1738", base="http://a/", reference="b"), {"status": "unsupported"}, id="1738"
    ),
    pytest.param(ask(url="\ud83d\ude00"), {"status": "reject", "at": 0}, id="beyond-ascii"),
    pytest.param(
        ask("extract", text="see <URL:http://a/ b>"),
        {"urls": [["http://a/b", "URL:http://a/b"]]},
        id="extract",
    ),
    pytest.param(ask("equivalent", url="HTTP://h/%7e", other="http://h/~"), {"equal": True}, id="equivalent"),
    pytest.param(ask("equivalent", url="http://h/?", other="http://h/"), {"equal": False}, id="different"),
    pytest.param(ask("decode", url="ftp://h/a"), {"status": "unsupported"}, id="decode-3986"),
    pytest.param(
        ask("base", embedded="../x", retrieval="http://a/b/c/d", default=None),
        {"base": "http://a/b/x", "layer": "embedded", "section": "5.1.1"},
        id="base",
    ),
    pytest.param(
        ask("base", "rfc1808", header="base : <URL:http://a/\r\n b>"),
        {"base": "http://a/b", "layer": "embedded", "section": "3.1"},
        id="base-of-a-header",
    ),
    pytest.param(
        ask("base", "rfc1808", header="Base: http://a/"), {"status": "reject", "at": 6}, id="bad-header"
    ),
    pytest.param(ask("base", header="Base: <URL:a:b>"), {"status": "unsupported"}, id="header-3986"),
    pytest.param(
        ask("base", "rfc1808", header="Base: <URL:a:b>", embedded="a:b"),
        {"status": "unsupported"},
        id="header-and-layer",
    ),
    pytest.param(
        ask("extract", "rfc1738", text="<URL:http://a/#b>"),
        {"urls": [["http://a/#b"]]},
        id="fragment-apart",
    ),
]


@pytest.mark.parametrize(("question", "expected"), REPLIES)
def test_the_oracle_answers_each_operation(question, expected):
    reply = reference.answer(question)
    msgspec.convert({**reply, "id": 1}, Reply)  # raises if it is no reply of the protocol
    answer = reply | reply.get("components", {})
    assert {name: answer.get(name) for name in expected} == expected


class OtherAnswers(NamedTuple):
    """A question; its other answers, the name of another admissible verdict, and the rulings."""

    operation: str
    spec: str
    inputs: Mapping[str, Any]
    also: list[Any]
    other_verdict: str
    rulings: list[str]


OTHER_ANSWERS = [
    pytest.param(
        OtherAnswers(
            "validate",
            "rfc2732",
            {"rule": "IPv6address", "url": "1"},
            also=[],
            other_verdict="may_accept",
            rulings=["R-2732-01"],
        ),
        id="address-of-one-digit",
    ),
    pytest.param(
        OtherAnswers(
            "validate",
            "rfc1738",
            {"url": "HTTP://h/"},
            also=[],
            other_verdict="may_reject",
            rulings=["R-1738-03"],
        ),
        id="scheme-in-upper-case",
    ),
    pytest.param(
        OtherAnswers(
            "parse", "rfc2396", {"url": "?y"}, also=[], other_verdict="may_reject", rulings=["R-2396-02"]
        ),
        id="relative-reference",
    ),
    pytest.param(
        OtherAnswers(
            "resolve",
            "rfc3986",
            {"base": "http://a/b#f", "reference": "g"},
            also=[],
            other_verdict="may_reject",
            rulings=["R-3986-12"],
        ),
        id="base-with-a-fragment",
    ),
    pytest.param(
        OtherAnswers(
            "resolve",
            "rfc3986",
            {"base": "http://a/b/..", "reference": "g"},
            also=["http://a/g"],
            other_verdict="",
            rulings=["R-3986-11"],
        ),
        id="base-with-dots",
    ),
    pytest.param(
        OtherAnswers(
            "recompose",
            "rfc1738",
            {"components": {"scheme": "telnet", "host": "h"}},
            also=["telnet://h"],
            other_verdict="",
            rulings=[],
        ),
        id="empty-path",
    ),
    pytest.param(
        OtherAnswers(
            "base",
            "rfc3986",
            {"retrieval": "http://a/b/../c"},
            also=["http://a/c"],
            other_verdict="",
            rulings=["R-3986-11"],
        ),
        id="retrieval-with-dots",
    ),
    pytest.param(
        OtherAnswers(
            "equivalent",
            "rfc3986",
            {"mode": "scheme", "url": "http:///x", "other": "http://localhost/x"},
            also=[],
            other_verdict="may_reject",
            rulings=["R-3986-19"],
        ),
        id="empty-host-and-localhost",
    ),
    pytest.param(
        OtherAnswers(
            "equivalent",
            "rfc1738",
            {"url": "HTTP://h/", "other": "http://h/"},
            also=[],
            other_verdict="may_reject",
            rulings=["R-1738-03"],
        ),
        id="equivalent-scheme-in-upper-case",
    ),
    pytest.param(
        OtherAnswers(
            "decode",
            "rfc1738",
            {"url": "ftp://h/a%0A"},
            also=[],
            other_verdict="may_reject",
            rulings=["R-1738-43"],
        ),
        id="line-feed-of-ftp",
    ),
    pytest.param(
        OtherAnswers(
            "decode",
            "rfc1738",
            {"url": "HTTP://h/"},
            also=[],
            other_verdict="may_reject",
            rulings=["R-1738-03"],
        ),
        id="decoded-scheme-in-upper-case",
    ),
]


@pytest.mark.parametrize("row", OTHER_ANSWERS)
def test_a_reply_has_every_other_admissible_answer(row):
    """The protocol: `also`, `may_reject` and `may_accept` have every other admissible answer."""
    reply = reference.answer({"op": row.operation, "spec": row.spec, **row.inputs})
    assert reply.get("also", []) == row.also
    assert bool(reply.get("may_reject")) == (row.other_verdict == "may_reject")
    assert bool(reply.get("may_accept")) == (row.other_verdict == "may_accept")
    assert reply.get("rulings", []) == row.rulings


@pytest.mark.parametrize(
    ("fields", "error", "message"),
    [
        pytest.param({}, KeyError, "^'url'$", id="no-url"),
        pytest.param({"url": {"hex": "zz"}}, ValueError, "non-hexadecimal number", id="no-hex-digits"),
    ],
)
def test_a_malformed_question_raises(fields, error, message):
    """The server reports it as an error."""
    with pytest.raises(error, match=message):
        reference.answer(ask(**fields))


def test_bytes_that_are_not_utf_8_are_hex_digits():
    view = {"cwd": ("a", b"\xff"), "name": b"a", "fields": [["x", b"\x80"]]}
    assert decoded_as_json(view) == {
        "cwd": ["a", {"hex": "ff"}],
        "name": "a",
        "fields": [["x", {"hex": "80"}]],
    }
