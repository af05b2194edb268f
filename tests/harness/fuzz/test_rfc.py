"""The answer of the RFC to a text, and a disagreement as `compare` judges it."""

from __future__ import annotations

import msgspec
import pytest

from urlharness.compare.causes import Cause
from urlharness.fuzz.panel import SEPARATOR
from urlharness.fuzz.rfc import judged_disagreement, oracle_expectation
from urlharness.protocol.failures import Abnormal
from urlharness.protocol.messages import Hello, Implementation, Reply

HELLO = Hello(1, Implementation("library", "1"), [], [], features=["absent-vs-empty"])


def reply(**fields):
    return msgspec.convert({"id": 1, "status": "ok", **fields}, Reply)


def judged(text, first_reply, second_reply, operation="parse"):
    replies = {"first": first_reply, "second": second_reply}
    return judged_disagreement(operation, "rfc3986", text, replies, dict.fromkeys(replies, HELLO))


def components(host, path):
    return {"scheme": "http", "host": host, "path": path}


def test_a_disagreement_has_component_and_cause():
    judgement = judged(
        "http://a/b", reply(components=components("a", "/b")), reply(components=components("b", "/b"))
    )
    assert judgement.component == "host"
    assert judgement.cause == Cause.DEFECT
    assert {side.cause for side in judgement.sides} == {None, Cause.DEFECT}


def test_an_abnormal_end_has_no_cause():
    assert judged("http://a", reply(components=components("a", "")), Abnormal("crash", "signal 11")) is None


def test_a_difference_of_verdicts_has_a_cause():
    judgement = judged('"', reply(), reply(status="reject"), "validate")
    assert judgement.component == "verdict"
    assert judgement.cause == Cause.DEFECT


@pytest.mark.parametrize(
    ("text", "host", "cause"),
    [
        pytest.param("//", "", Cause.BROWSER, id="no-host"),
        pytest.param("//a%20b", "a%20b", Cause.BROWSER, id="forbidden-host"),
        pytest.param("//a", "a", Cause.DEFECT, id="taken-with-a-base"),
    ],
)
@pytest.mark.parametrize("operation", ["parse", "validate"])
def test_a_refused_reference_is_that_of_browsers_if_no_page_can_have_it(operation, text, host, cause):
    accepting = reply() if operation == "validate" else reply(components={"host": host, "path": ""})
    assert judged(text, accepting, reply(status="reject"), operation).cause == cause


def test_to_accept_an_invalid_reference_is_a_defect_though_browsers_refuse_it():
    assert judged("/\\", reply(), reply(status="reject"), "validate").cause == Cause.DEFECT


#: An operation, a text, and the fields of the expectation.
EXPECTED = {
    "validate": ("validate", "a:b", {"valid": True}),
    "invalid": ("validate", '"', {"valid": False}),
    "resolve": ("resolve", f"http://a/b{SEPARATOR}../c", {"result": "http://a/c"}),
    "normalize": ("normalize", "HTTP://a/./b", {"result": "http://a/b"}),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_the_expected_answer_is_that_of_the_oracle(name):
    operation, text, fields = EXPECTED[name]
    expectation = msgspec.to_builtins(oracle_expectation(operation, "rfc3986", text))
    assert {field: expectation[field] for field in fields} == fields


def test_the_expected_answer_has_alternatives():
    """Section 5.2.2: a parser may ignore the scheme of a reference if the base has the same."""
    expected = oracle_expectation("resolve", "rfc3986", f"http://a/b{SEPARATOR}http:c")
    assert [alternative.result for alternative in expected.any] == ["http:c", "http://a/c"]


def test_what_the_rfc_does_not_define_has_no_answer():
    assert oracle_expectation("resolve", "rfc1738", f"http://a{SEPARATOR}b") is None


def test_the_refusal_of_a_mapping_admits_what_the_rfc_admits():
    expectation = oracle_expectation("to_uri", "rfc3987", "a:|")
    assert [answer.result for answer in expectation.alternatives[1:]] == ["a:%7C"]


@pytest.mark.parametrize(
    ("operation", "text", "answer"),
    [
        pytest.param("to_iri", "/%E3%80%80", "/%E3%80%80", id="doubtful"),
        pytest.param("to_uri", "http://fa\u00df/", "http://xn--fa-hia/", id="idna-of-2008"),
    ],
)
def test_an_admitted_mapping_is_no_defect(operation, text, answer):
    replies = {"first": reply(url=answer), "second": reply(url="/wrong")}
    judgement = judged_disagreement(operation, "rfc3987", text, replies, dict.fromkeys(replies, HELLO))
    causes = {name: side.cause for side in judgement.sides for name in side.names}
    assert causes == {"first": Cause.ALLOWED, "second": Cause.DEFECT}


def test_the_refusal_of_a_mapping_is_recommended():
    first, *_ = oracle_expectation("to_uri", "rfc3987", "a:|").alternatives
    assert first.valid is False
