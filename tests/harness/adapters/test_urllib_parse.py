"""The urllib adapter: known behaviour of urllib.parse."""

from __future__ import annotations

import platform
import urllib.parse
from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest

from urlharness.adapters import urllib_parse
from urlharness.adapters.registry import find
from urlharness.corpus.specifications import url_specs
from urlharness.protocol.failures import Abnormal
from urlharness.protocol.limits import Limits
from urlharness.protocol.server import hello_of
from urlharness.results.verdict import judge
from urlharness.runner import question
from urlharness.sessions.client import open_client

BASE = "http://a/b/c/d;p?q"


def hexed(octets: bytes) -> dict[str, str]:
    return {"hex": octets.hex()}


def resolve(reference: str, base: str = BASE) -> dict[str, str]:
    return {"base": base, "reference": reference}


class Fact(NamedTuple):
    """A question, and the status and fields of the reply."""

    op: str
    spec: str
    inputs: Mapping[str, Any]
    status: str
    fields: Mapping[str, Any]

    @property
    def question(self) -> dict[str, Any]:
        """The question as the adapter gets it."""
        return {"op": self.op, "spec": self.spec, **self.inputs}


FACTS = [
    Fact("validate", "rfc3986", {"url": "http://h/a b"}, "ok", {}),
    Fact("validate", "rfc3986", {"url": "http://h:x/"}, "reject", {}),
    Fact("validate", "rfc3986", {"url": "http://h:65536/"}, "reject", {}),
    Fact("validate", "rfc3986", {"url": "http://[::1/"}, "reject", {}),
    Fact("validate", "rfc3986", {"url": "http://h/", "rule": "relative-ref"}, "reject", {}),
    Fact("validate", "rfc3986", {"url": "a", "rule": "URI"}, "reject", {}),
    Fact("validate", "rfc3986", {"url": "a:b#c", "rule": "absolute-URI"}, "reject", {}),
    Fact("validate", "rfc3986", {"url": "h", "rule": "host"}, "unsupported", {}),
    Fact("validate", "rfc1738", {"url": "http://h/", "rule": "ftpurl"}, "reject", {}),
    Fact("validate", "rfc1738", {"url": "http://h/", "rule": "httpurl"}, "ok", {}),
    Fact("validate", "rfc3986", {"url": hexed(b"a:b")}, "unsupported", {}),
    Fact("parse", "rfc3986", {"url": "HTTP://U@Host:8/p?q#f"}, "ok", {"scheme": "http", "host": "host"}),
    Fact("parse", "rfc3986", {"url": "HTTP://U@Host:8/p?q#f"}, "ok", {"userinfo": "U", "port": "8"}),
    Fact("parse", "rfc3986", {"url": "http://[::1]/"}, "ok", {"host": "[::1]", "port": None}),
    Fact("parse", "rfc3986", {"url": "a?"}, "ok", {"query": "", "fragment": ""}),
    Fact("parse", "rfc1808", {"url": "//h/p;a?q"}, "ok", {"net_loc": "h", "path": "/p", "params": "a"}),
    Fact("parse", "rfc1738", {"url": "http://h/a?s"}, "ok", {"hpath": "a", "search": "s"}),
    Fact("parse", "rfc1738", {"url": "ftp://u:p@h/a"}, "ok", {"user": "u", "password": "p", "fpath": "a"}),
    Fact("resolve", "rfc3986", resolve("../g"), "ok", {"url": "http://a/b/g"}),
    Fact("resolve", "rfc1808", resolve("../../../g"), "ok", {"url": "http://a/g"}),
    Fact("recompose", "rfc3986", {"components": {"scheme": "a", "path": "b"}}, "ok", {"url": "a:b"}),
    Fact("recompose", "rfc1738", {"components": {"scheme": "a"}}, "unsupported", {}),
    Fact("normalize", "rfc3986", {"url": "a:b"}, "unsupported", {}),
]


def _name(fact) -> str:
    inputs = fact.inputs
    text = inputs.get("url", inputs.get("reference", inputs.get("components")))
    return f"{fact.op}-{fact.spec}-{inputs.get('rule', '')}-{text}"


@pytest.mark.parametrize("fact", FACTS, ids=_name)
def test_urllib_answers_as_it_is_known_to(fact):
    reply = urllib_parse.answer(fact.question)
    answer = reply | reply.get("components", {})
    assert {name: answer[name] for name in fact.fields} == fact.fields
    assert reply["status"] == fact.status


@pytest.mark.parametrize("fact", [fact for fact in FACTS if fact.status != "ok"], ids=_name)
def test_urllib_says_why_it_does_not_answer(fact):
    assert urllib_parse.answer(fact.question)["message"] != ""


@pytest.fixture
def urllib_hello():
    return hello_of(urllib_parse.hello())


def test_the_hello_offers_what_urllib_has_a_function_for(urllib_hello):
    assert urllib_hello.ops == ["validate", "parse", "resolve", "recompose"]


def test_the_hello_says_that_texts_are_validated_by_parsing_them(urllib_hello):
    assert urllib_hello.features == ["validate-by-parse"]


def test_the_version_of_urllib_is_that_of_python(urllib_hello):
    assert urllib_hello.implementation.version == platform.python_version()


def test_urllib_is_asked_several_questions_at_once(urllib_hello):
    assert urllib_hello.window > 1


def test_every_question_of_the_corpus_has_an_answer(corpus):
    """No question ends the adapter, and none is answered with an error."""
    client = open_client(find("urllib"), Limits(), "tests")
    cases = [case for case in corpus.cases if case.vector.op in client.hello.ops]
    outcomes = set()
    for index, reply in client.ask([question(case) for case in cases]):
        assert not isinstance(reply, Abnormal), (cases[index].vector.id, reply)
        outcomes.add(judge(cases[index], reply, client.hello.features).outcome)
    assert "pass" in outcomes
    assert outcomes <= {"pass", "variant", "partial", "fail", "unsupported"}


@pytest.mark.parametrize(
    ("op", "spec", "rule"),
    [
        pytest.param("guess", "rfc3986", None, id="operation"),
        pytest.param("validate", "rfc3986", "no-such-rule", id="rule"),
        pytest.param("validate", "rfc9999", None, id="specification"),
    ],
)
def test_an_unknown_operation_rule_or_specification_is_unsupported(op, spec, rule):
    reply = urllib_parse.answer({"op": op, "spec": spec, "url": "a:b", "rule": rule})
    assert reply["status"] == "unsupported"


def test_the_library_claims_the_rfcs_on_urls_that_its_documentation_names():
    documentation = urllib.parse.__doc__ or ""
    named = [spec for spec in url_specs() if f"RFC {spec.removeprefix('rfc')}" in documentation]
    assert urllib_parse.hello()["specs"] == named
