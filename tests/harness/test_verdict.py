"""What a reply is worth: the outcome of every kind of answer against every kind of expectation."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from urlharness.corpus.describe import show_value
from urlharness.corpus.model import Case, Expected, Vector
from urlharness.protocol.messages import Reply
from urlharness.results.verdict import compare_components, judge

INPUTS = {
    "validate": {"rule": "URI", "url": "a:b"},
    "parse": {"url": "a:b"},
    "resolve": {"base": "a://h/p", "reference": "q"},
    "recompose": {"components": {"path": "a"}},
    "normalize": {"url": "a:b"},
}
APART = frozenset(["absent-vs-empty"])


def case(
    op: str, expect: dict[str, Any], binding: str = "required", spec: str = "rfc3986", **inputs: str
) -> Case:
    vector = {
        "id": f"{spec}-1-x",
        "requirement": f"{spec}-1-y",
        "level": "must",
        "op": op,
        "expect": expect,
        "binding": binding,
        **INPUTS[op],
        **inputs,
    }
    return Case(spec, "1", msgspec.convert(vector, Vector), "1-x.json")


def reply(**fields: Any) -> Reply:
    return msgspec.convert({"id": 1, "status": "ok", **fields}, Reply)


OK = reply()
NO = reply(status="reject", message="no", at=3, rules=["URI", "scheme"])
YES, NOT = {"valid": True}, {"valid": False, "at": 3, "rules": ["scheme"]}
PARTS = {"scheme": "a", "host": None, "port": "", "path": ""}
SET = {
    "any": [{"result": "x"}, {"result": "y", "variant": "other-way"}, {"valid": False, "variant": "error"}]
}
LITERAL = {"any": [{"result": "x"}, {"result": "y", "variant": "literal"}]}
SAME = {"any": [{"result": "a#s"}, {"same_document": True, "variant": "same-document"}]}

#: Operation, expectation, binding, reply; then outcome, variant, and words of the detail.
TABLE = [
    pytest.param("validate", YES, "required", OK, "pass", "", "", id="accepts-rightly"),
    pytest.param("validate", YES, "required", NO, "fail", "", "rejected: no", id="rejects-wrongly"),
    pytest.param("validate", NOT, "required", NO, "pass", "", "", id="rejects-rightly"),
    pytest.param(
        "validate",
        NOT,
        "required",
        OK,
        "fail",
        "",
        "accepted, although it is not valid",
        id="accepts-wrongly",
    ),
    pytest.param(
        "validate", YES, "impl-defined", NO, "variant", "other", "rejected", id="impl-defined-other"
    ),
    pytest.param("validate", YES, "unspecified", NO, "variant", "other", "rejected", id="unspecified-other"),
    pytest.param(
        "parse", {"components": PARTS}, "required", reply(components=PARTS), "pass", "", "", id="split"
    ),
    pytest.param("parse", {"components": PARTS}, "required", NO, "fail", "", "rejected", id="split-rejected"),
    pytest.param(
        "parse", {"components": PARTS}, "required", OK, "fail", "", "no components", id="split-without"
    ),
    pytest.param(
        "parse",
        {"components": PARTS},
        "required",
        reply(components={"scheme": "a", "host": None, "path": ""}),
        "partial",
        "",
        "not exposed: port",
        id="component-not-exposed",
    ),
    pytest.param(
        "parse",
        {"components": PARTS},
        "required",
        reply(components={"scheme": "b", "host": None, "path": ""}),
        "fail",
        "",
        "scheme is 'b', not 'a'",
        id="wrong-and-not-exposed-is-wrong",
    ),
    pytest.param("parse", NOT, "required", NO, "pass", "", "", id="split-of-no-valid-text"),
    pytest.param("resolve", {"result": "x"}, "required", reply(url="x"), "pass", "", "", id="result"),
    pytest.param(
        "resolve", {"result": "x"}, "required", reply(url="z"), "fail", "", "got 'z'", id="other-result"
    ),
    pytest.param("resolve", {"result": ""}, "required", reply(url=""), "pass", "", "", id="empty-result"),
    pytest.param("resolve", {"result": "x"}, "required", OK, "fail", "", "no url", id="no-result"),
    pytest.param("resolve", {"result": "x"}, "required", NO, "fail", "", "rejected", id="result-refused"),
    pytest.param(
        "resolve",
        {"result": "x"},
        "required",
        reply(url={"hex": "78"}),
        "fail",
        "",
        "hex 78",
        id="result-in-octets",
    ),
    pytest.param("resolve", SET, "permitted-set", reply(url="x"), "pass", "", "", id="recommended"),
    pytest.param("resolve", SET, "permitted-set", reply(url="y"), "variant", "other-way", "", id="permitted"),
    pytest.param("resolve", SET, "permitted-set", NO, "variant", "error", "", id="refusal-permitted"),
    pytest.param("resolve", SET, "permitted-set", reply(url="z"), "fail", "", "got 'z'", id="not-permitted"),
    pytest.param(
        "resolve", SET, "impl-defined", reply(url="z"), "variant", "other", "got 'z'", id="not-listed"
    ),
    pytest.param("resolve", LITERAL, "literal-only", reply(url="x"), "pass", "", "", id="corrected"),
    pytest.param("resolve", LITERAL, "literal-only", reply(url="y"), "variant", "literal", "", id="literal"),
    pytest.param("resolve", LITERAL, "literal-only", reply(url="z"), "fail", "", "got 'z'", id="neither"),
    pytest.param(
        "resolve", SAME, "permitted-set", reply(url="a#s"), "pass", "", "", id="base-for-the-document"
    ),
    pytest.param(
        "resolve",
        SAME,
        "permitted-set",
        reply(url="b", same_document=True),
        "variant",
        "same-document",
        "",
        id="same-document",
    ),
    pytest.param(
        "resolve",
        {"same_document": True},
        "required",
        reply(url="a#s"),
        "fail",
        "",
        "not the same document",
        id="another-document",
    ),
    pytest.param("recompose", {"result": "x"}, "required", reply(url="x"), "pass", "", "", id="recomposed"),
    pytest.param(
        "normalize", {"result": "x"}, "required", reply(url="X"), "fail", "", "got 'X'", id="normal-form"
    ),
]
STATUS = [
    pytest.param("unsupported", "unsupported", id="unsupported"),
    pytest.param("error", "error", id="error"),
]


@pytest.mark.parametrize(("op", "expect", "binding", "got", "outcome", "variant", "words"), TABLE)
def test_outcome(op, expect, binding, got, outcome, variant, words):
    verdict = judge(case(op, expect, binding), got, APART)
    assert (verdict.outcome, verdict.variant) == (outcome, variant)
    assert words in verdict.detail


@pytest.mark.parametrize("binding", ["required", "permitted-set", "impl-defined", "unspecified"])
@pytest.mark.parametrize(("status", "outcome"), STATUS)
def test_no_answer_is_no_variant(status, outcome, binding):
    """Whatever the binding leaves open, an error or a refusal to answer stays what it is."""
    verdict = judge(case("validate", YES, binding), reply(status=status, message="why"), APART)
    assert verdict == (outcome, "", "why")


#: Offset and open rules of a rejection; strictly they are judged, else they are not.
REJECTIONS = [
    pytest.param({"at": 3, "rules": ["URI", "scheme"]}, "pass", "", id="as-expected"),
    pytest.param({"at": 3, "rules": ["scheme", "URI", "more"]}, "pass", "", id="more-rules"),
    pytest.param({"at": 2, "rules": ["scheme"]}, "fail", "rejected at offset 2, not 3", id="other-offset"),
    pytest.param({"rules": ["scheme"]}, "fail", "rejected at offset None, not 3", id="no-offset"),
    pytest.param({"at": 3, "rules": ["URI"]}, "fail", "rejected, but not inside scheme", id="rule-not-open"),
]


@pytest.mark.parametrize(("fields", "outcome", "detail"), REJECTIONS)
def test_strictness_judges_the_offset(fields, outcome, detail):
    got = reply(status="reject", **fields)
    assert judge(case("validate", NOT), got, APART, strict=True) == (outcome, "", detail)
    assert judge(case("validate", NOT), got, APART).outcome == "pass"


def test_strictness_without_an_offset_in_the_vector():
    assert judge(case("parse", {"valid": False}), NO, APART, strict=True).outcome == "pass"


#: An expected component and what came: with the feature absent-vs-empty, without it, under RFC 1808 (G-09).
COMPONENTS = [
    pytest.param("query", None, None, "pass", "pass", "pass", id="absent"),
    pytest.param("query", "", "", "pass", "partial", "pass", id="empty"),
    pytest.param("query", None, "", "fail", "pass", "pass", id="empty-for-absent"),
    pytest.param("query", "", None, "fail", "partial", "fail", id="absent-for-empty"),
    pytest.param("query", "a", "a", "pass", "pass", "pass", id="text"),
    pytest.param("query", "a", "A", "fail", "fail", "fail", id="case-counts"),
    pytest.param("query", "a", None, "fail", "fail", "fail", id="absent-for-text"),
    pytest.param("query", None, "a", "fail", "fail", "fail", id="text-for-absent"),
    pytest.param("path", "", "", "pass", "pass", "pass", id="a-path-is-never-absent"),
    pytest.param("scheme", "http", "HTTP", "pass", "pass", "pass", id="case-of-scheme-G-11"),
    pytest.param("host", "H.dom", "h.DOM", "pass", "pass", "pass", id="case-of-host-G-11"),
    pytest.param("userinfo", "U", "u", "fail", "fail", "fail", id="case-of-userinfo"),
    pytest.param("port", "80", "080", "fail", "fail", "fail", id="port"),
    pytest.param("port", "80", {"hex": "3830"}, "fail", "fail", "fail", id="octets"),
    pytest.param("fieldspecs", [["a", "b"]], [["a", "b"]], "pass", "pass", "pass", id="pairs"),
    pytest.param("fieldspecs", [["a", "b"]], [["a", "c"]], "fail", "fail", "fail", id="other-pairs"),
    pytest.param(
        "fieldspecs", [["a", "b"], ["c", ""]], [["c", ""], ["a", "b"]], "fail", "fail", "fail", id="order"
    ),
    pytest.param("fieldspecs", [["a", "b"]], None, "fail", "fail", "fail", id="no-pairs"),
    pytest.param("fieldspecs", None, [["a", "b"]], "fail", "fail", "fail", id="pairs-for-none"),
]


@pytest.mark.parametrize(("name", "expected", "got", "told_apart", "blurred", "in_1808"), COMPONENTS)
def test_component(name, expected, got, told_apart, blurred, in_1808):
    answer = reply(components={name: got}).components
    wanted = msgspec.convert({"components": {name: expected}}, Expected).components
    assert compare_components("rfc3986", wanted, answer, APART).outcome == told_apart
    assert compare_components("rfc3986", wanted, answer, ()).outcome == blurred
    assert compare_components("rfc1808", wanted, answer, APART).outcome == in_1808


@pytest.mark.parametrize("components", [{}, {"authority": "h"}], ids=["nothing", "something-else"])
def test_who_shows_nothing_of_what_is_asked_has_not_answered(components):
    asked = case("parse", {"components": {"scheme": "a", "path": "b"}})
    assert judge(asked, reply(components=components), ()) == ("unsupported", "", "nothing of it is exposed")
    assert judge(asked, reply(components={"path": "c"}), ()).outcome == "fail"
    either = {"any": [{"components": {"path": "b"}}, {"components": {"path": "y"}, "variant": "other"}]}
    asked = case("parse", either, "permitted-set")
    assert judge(asked, reply(components=components), ()).outcome == "unsupported"
    assert judge(asked, reply(components={"path": "y"}), ()).outcome == "variant"
    assert judge(asked, reply(components={"path": "z"}), ()).outcome == "fail"


@pytest.mark.parametrize(
    ("got", "detail"),
    [
        pytest.param(
            {"host": "", "port": None, "query": ""}, "cannot tell absent from empty: host, port", id="in"
        ),
        pytest.param({"query": ""}, "not exposed: host, port", id="not-exposed"),
        pytest.param(
            {"port": ""}, "not exposed: host, query; cannot tell absent from empty: port", id="one-of-each"
        ),
    ],
)
def test_what_makes_an_answer_partial(got, detail):
    """A component that was exposed is not called hidden: without absent-vs-empty its emptiness is unknown."""
    wanted = {"host": "", "port": "", "query": None}
    verdict = compare_components("rfc3986", wanted, reply(components=got).components, ())
    assert verdict == ("partial", "", detail)


def test_an_empty_path_is_news_in_rfc_1738():
    """There the path is absent without its slash; a library that cannot tell is partial."""
    assert compare_components("rfc1738", {"path": ""}, {"path": ""}, ()).outcome == "partial"


#: Base, reference, expected result, result; G-11 folds scheme and host where the question had them mixed.
RESULTS = [
    pytest.param("http://Host/a", "b", "http://Host/b", "http://host/b", "pass", id="host-of-the-base"),
    pytest.param("HTTP://h/a", "b", "HTTP://h/b", "http://h/b", "pass", id="scheme-of-the-base"),
    pytest.param(
        "http://h/a", "//Host/b", "http://Host/b", "http://host/b", "pass", id="host-of-the-reference"
    ),
    pytest.param("http://h/a", "G:h", "G:h", "g:h", "pass", id="scheme-of-the-reference"),
    pytest.param("http://h/a", "b", "http://h/b", "http://H/b", "fail", id="nothing-was-mixed"),
    pytest.param("http://Host/a", "B", "http://Host/B", "http://host/b", "fail", id="paths-never-fold"),
    pytest.param(
        "http://U@Host/a", "b", "http://U@Host/b", "http://u@host/b", "fail", id="nor-does-userinfo"
    ),
    pytest.param(
        "http://U@Host/a", "b", "http://U@Host/b", "http://U@host/b", "pass", id="host-behind-userinfo"
    ),
    pytest.param(
        "http://h/a", "?X//Y", "http://h/a?X//Y", "http://h/a?x//y", "fail", id="slashes-in-a-query"
    ),
    pytest.param("http://h/a", "B:c/../D", "B:c/../D", "b:c/../d", "fail", id="opaque-part"),
]


@pytest.mark.parametrize(("base", "reference", "expected", "got", "outcome"), RESULTS)
def test_case_of_scheme_and_host_in_results(base, reference, expected, got, outcome):
    asked = case("resolve", {"result": expected}, base=base, reference=reference)
    assert judge(asked, reply(url=got), APART).outcome == outcome


def test_normal_forms_are_never_folded():
    asked = case("normalize", {"result": "http://host/"}, url="http://Host/")
    assert judge(asked, reply(url="http://Host/"), APART).outcome == "fail"


@pytest.mark.parametrize(
    ("value", "words"),
    [(None, "absent"), ("", "empty"), ("a'", '"a\'"'), ([("a", "b")], "['a'='b']"), ([], "empty list")],
)
def test_show_tells_absent_from_empty(value, words):
    assert show_value(value) == words
