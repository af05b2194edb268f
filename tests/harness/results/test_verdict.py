"""The verdict on a reply."""

from __future__ import annotations

import re
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


ACCEPTED = reply()


REJECTED = reply(status="reject", message="no", at=3, rules=["URI", "scheme"])


EXPECT_VALID = {"valid": True}
EXPECT_INVALID = {"valid": False, "at": 3, "rules": ["scheme"]}


PARTS = {"scheme": "a", "host": None, "port": "", "path": ""}


PERMITTED_RESULTS = {
    "any": [{"result": "x"}, {"result": "y", "variant": "other-way"}, {"valid": False, "variant": "error"}]
}


LITERAL = {"any": [{"result": "x"}, {"result": "y", "variant": "literal"}]}


SAME_DOCUMENT = {"any": [{"result": "a#s"}, {"same_document": True, "variant": "same-document"}]}


#: Operation, expectation, binding, reply; then outcome, variant, and words of the detail.
TABLE = [
    pytest.param("validate", EXPECT_VALID, "required", ACCEPTED, "pass", "", "", id="accepts-rightly"),
    pytest.param(
        "validate", EXPECT_VALID, "required", REJECTED, "fail", "", "rejected: no", id="rejects-wrongly"
    ),
    pytest.param("validate", EXPECT_INVALID, "required", REJECTED, "pass", "", "", id="rejects-rightly"),
    pytest.param(
        "validate",
        EXPECT_INVALID,
        "required",
        ACCEPTED,
        "fail",
        "",
        "accepted, although it is not valid",
        id="accepts-wrongly",
    ),
    pytest.param(
        "validate",
        EXPECT_VALID,
        "impl-defined",
        REJECTED,
        "variant",
        "other",
        "rejected",
        id="impl-defined-other",
    ),
    pytest.param(
        "validate",
        EXPECT_VALID,
        "unspecified",
        REJECTED,
        "variant",
        "other",
        "rejected",
        id="unspecified-other",
    ),
    pytest.param(
        "parse", {"components": PARTS}, "required", reply(components=PARTS), "pass", "", "", id="split"
    ),
    pytest.param(
        "parse", {"components": PARTS}, "required", REJECTED, "fail", "", "rejected", id="split-rejected"
    ),
    pytest.param(
        "parse", {"components": PARTS}, "required", ACCEPTED, "fail", "", "no components", id="split-without"
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
    pytest.param("parse", EXPECT_INVALID, "required", REJECTED, "pass", "", "", id="split-of-no-valid-text"),
    pytest.param("resolve", {"result": "x"}, "required", reply(url="x"), "pass", "", "", id="result"),
    pytest.param(
        "resolve", {"result": "x"}, "required", reply(url="z"), "fail", "", "got 'z'", id="other-result"
    ),
    pytest.param("resolve", {"result": ""}, "required", reply(url=""), "pass", "", "", id="empty-result"),
    pytest.param("resolve", {"result": "x"}, "required", ACCEPTED, "fail", "", "no url", id="no-result"),
    pytest.param(
        "resolve", {"result": "x"}, "required", REJECTED, "fail", "", "rejected", id="result-refused"
    ),
    pytest.param(
        "resolve",
        {"result": "x"},
        "required",
        reply(url={"hex": "78"}),
        "fail",
        "",
        "bytes 'x'",
        id="result-in-octets",
    ),
    pytest.param(
        "resolve", PERMITTED_RESULTS, "permitted-set", reply(url="x"), "pass", "", "", id="recommended"
    ),
    pytest.param(
        "resolve",
        PERMITTED_RESULTS,
        "permitted-set",
        reply(url="y"),
        "variant",
        "other-way",
        "",
        id="permitted",
    ),
    pytest.param(
        "resolve",
        PERMITTED_RESULTS,
        "permitted-set",
        REJECTED,
        "variant",
        "error",
        "",
        id="refusal-permitted",
    ),
    pytest.param(
        "resolve",
        PERMITTED_RESULTS,
        "permitted-set",
        reply(url="z"),
        "fail",
        "",
        "got 'z'",
        id="not-permitted",
    ),
    pytest.param(
        "resolve",
        PERMITTED_RESULTS,
        "impl-defined",
        reply(url="z"),
        "variant",
        "other",
        "got 'z'",
        id="not-listed",
    ),
    pytest.param("resolve", LITERAL, "literal-only", reply(url="x"), "pass", "", "", id="corrected"),
    pytest.param("resolve", LITERAL, "literal-only", reply(url="y"), "variant", "literal", "", id="literal"),
    pytest.param("resolve", LITERAL, "literal-only", reply(url="z"), "fail", "", "got 'z'", id="neither"),
    pytest.param(
        "resolve",
        SAME_DOCUMENT,
        "permitted-set",
        reply(url="a#s"),
        "pass",
        "",
        "",
        id="base-for-the-document",
    ),
    pytest.param(
        "resolve",
        SAME_DOCUMENT,
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
def test_an_answer_has_its_outcome(op, expect, binding, got, outcome, variant, words):
    verdict = judge(case(op, expect, binding), got, APART)
    assert verdict.outcome == outcome
    assert verdict.variant == variant
    assert words in verdict.detail


@pytest.mark.parametrize("binding", ["required", "permitted-set", "impl-defined", "unspecified"])
@pytest.mark.parametrize(("status", "outcome"), STATUS)
def test_an_error_is_never_a_variant(status, outcome, binding):
    """An error or an unsupported question has its own outcome under every binding."""
    verdict = judge(case("validate", EXPECT_VALID, binding), reply(status=status, message="why"), APART)
    assert verdict == (outcome, "", "why")


#: Offset and open rules of a rejection; strictly they are judged, else they are not.
REJECTIONS = [
    pytest.param({"at": 3, "rules": ["URI", "scheme"]}, "pass", "", id="as-expected"),
    pytest.param({"at": 3, "rules": ["scheme", "URI", "more"]}, "pass", "", id="more-rules"),
    pytest.param({"at": 2, "rules": ["scheme"]}, "fail", "rejected at offset 2, not 3", id="other-offset"),
    pytest.param({"rules": ["scheme"]}, "fail", "rejected at offset None, not 3", id="no-offset"),
    pytest.param(
        {"at": 3, "rules": ["URI"]}, "fail", "rejected, but `rules` lacks scheme", id="rule-not-open"
    ),
]


@pytest.mark.parametrize(("fields", "outcome", "detail"), REJECTIONS)
def test_a_strict_verdict_judges_the_offset_and_the_rules(fields, outcome, detail):
    rejection = reply(status="reject", **fields)
    assert judge(case("validate", EXPECT_INVALID), rejection, APART, strict=True) == (outcome, "", detail)


@pytest.mark.parametrize(("fields", "outcome", "detail"), REJECTIONS)
def test_a_plain_verdict_ignores_the_offset_and_the_rules(fields, outcome, detail):
    rejection = reply(status="reject", **fields)
    assert judge(case("validate", EXPECT_INVALID), rejection, APART).outcome == "pass"


def test_a_strict_verdict_ignores_an_offset_that_the_vector_does_not_have():
    assert judge(case("parse", {"valid": False}), REJECTED, APART, strict=True).outcome == "pass"


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


COMPONENT_ROWS = pytest.mark.parametrize(
    ("name", "expected", "shown", "told_apart", "blurred", "in_1808"), COMPONENTS
)


def compared(spec, name, expected, shown, features) -> str:
    """Return the outcome of an answer that shows a component in this way."""
    answer = reply(components={name: shown}).components
    component = msgspec.convert({"components": {name: expected}}, Expected).components
    return compare_components(spec, component, answer, features).outcome


@COMPONENT_ROWS
def test_absent_and_empty_components_differ_for_an_adapter_that_tells_them_apart(
    name, expected, shown, told_apart, blurred, in_1808
):
    assert compared("rfc3986", name, expected, shown, APART) == told_apart


@COMPONENT_ROWS
def test_an_empty_component_is_unknown_for_an_adapter_that_does_not_tell_them_apart(
    name, expected, shown, told_apart, blurred, in_1808
):
    assert compared("rfc3986", name, expected, shown, ()) == blurred


@COMPONENT_ROWS
def test_an_empty_component_stands_for_an_absent_one_under_rfc1808(
    name, expected, shown, told_apart, blurred, in_1808
):
    assert compared("rfc1808", name, expected, shown, APART) == in_1808


NO_REQUESTED_COMPONENT = pytest.mark.parametrize(
    "components", [{}, {"authority": "h"}], ids=["nothing", "something-else"]
)
SCHEME_AND_PATH = {"components": {"scheme": "a", "path": "b"}}
EITHER_PATH = {"any": [{"components": {"path": "b"}}, {"components": {"path": "y"}, "variant": "other"}]}


@NO_REQUESTED_COMPONENT
def test_an_answer_without_any_requested_component_is_no_answer(components):
    verdict = judge(case("parse", SCHEME_AND_PATH), reply(components=components), ())
    assert verdict == ("unsupported", "", "none of the expected parts is exposed")


@NO_REQUESTED_COMPONENT
def test_an_answer_without_any_component_of_an_alternative_is_no_answer(components):
    either_case = case("parse", EITHER_PATH, "permitted-set")
    assert judge(either_case, reply(components=components), ()).outcome == "unsupported"


@pytest.mark.parametrize(
    ("expect", "binding", "path", "outcome"),
    [
        pytest.param(SCHEME_AND_PATH, "required", "c", "fail", id="wrong"),
        pytest.param(EITHER_PATH, "permitted-set", "y", "variant", id="another-alternative"),
        pytest.param(EITHER_PATH, "permitted-set", "z", "fail", id="no-alternative"),
    ],
)
def test_an_answer_with_one_requested_component_is_judged_by_it(expect, binding, path, outcome):
    assert judge(case("parse", expect, binding), reply(components={"path": path}), ()).outcome == outcome


@pytest.mark.parametrize(
    ("shown", "detail"),
    [
        pytest.param(
            {"host": "", "port": None, "query": ""},
            "cannot tell absent from empty: host, port",
            id="emptiness-unknown",
        ),
        pytest.param({"query": ""}, "not exposed: host, port", id="not-exposed"),
        pytest.param(
            {"port": ""}, "not exposed: host, query; cannot tell absent from empty: port", id="one-of-each"
        ),
    ],
)
def test_the_detail_of_a_partial_answer_tells_hidden_components_from_unclear_ones(shown, detail):
    """A component that was exposed is not called hidden: without absent-vs-empty its emptiness is unknown."""
    components = {"host": "", "port": "", "query": None}
    verdict = compare_components("rfc3986", components, reply(components=shown).components, ())
    assert verdict == ("partial", "", detail)


#: The expected authority; userinfo, host and port of the answer; outcome of an adapter that tells absent from
#: empty, and of one that does not.
AUTHORITIES = [
    pytest.param("u@h:80", ("u", "h", "80"), "pass", "pass", id="all-parts"),
    pytest.param("h", (None, "h", None), "pass", "pass", id="host-alone"),
    pytest.param("h", ("", "h", ""), "fail", "pass", id="empty-for-absent"),
    pytest.param("@h:", ("", "h", ""), "pass", "partial", id="empty-parts"),
    pytest.param("h:", (None, "h", None), "fail", "partial", id="absent-for-empty"),
    pytest.param("u@h:", ("u", "h", ""), "pass", "partial", id="empty-port"),
    pytest.param("U@Host", ("U", "host", None), "pass", "pass", id="host-in-lower-case"),
    pytest.param("U@h", ("u", "h", None), "fail", "fail", id="userinfo-in-lower-case"),
    pytest.param("h:080", (None, "h", "80"), "fail", "fail", id="other-port"),
    pytest.param("[::1]", (None, "::1", None), "fail", "fail", id="no-brackets"),
    pytest.param("", (None, "", None), "pass", "partial", id="empty"),
    pytest.param(None, (None, None, None), "pass", "pass", id="none"),
    pytest.param(None, ("", "", ""), "fail", "pass", id="empty-for-none"),
    pytest.param("h", (None, None, None), "partial", "partial", id="no-host-shown"),
    pytest.param("h", (None, "i", None), "fail", "fail", id="other-host"),
]


SPECS_WITH_AUTHORITY = pytest.mark.parametrize("spec", ["rfc2396", "rfc2732", "rfc3986"])


def parts_of_authority(userinfo, host, port) -> dict[str, str | None]:
    return {"userinfo": userinfo, "host": host, "port": port}


@SPECS_WITH_AUTHORITY
@pytest.mark.parametrize(("expected", "parts", "told_apart", "blurred"), AUTHORITIES)
def test_an_authority_is_made_from_its_parts(spec, expected, parts, told_apart, blurred):
    """RFC 3986, section 3.2: authority = [ userinfo "@" ] host [ ":" port ]."""
    verdict = compare_components(spec, {"authority": expected}, parts_of_authority(*parts), APART)
    assert verdict.outcome == told_apart


@SPECS_WITH_AUTHORITY
@pytest.mark.parametrize(("expected", "parts", "told_apart", "blurred"), AUTHORITIES)
def test_an_empty_part_of_an_authority_may_stand_for_an_absent_one(
    spec, expected, parts, told_apart, blurred
):
    """The adapter does not tell absent from empty."""
    verdict = compare_components(spec, {"authority": expected}, parts_of_authority(*parts), ())
    assert verdict.outcome == blurred


@pytest.mark.parametrize("hidden", ["userinfo", "host", "port"])
def test_an_authority_without_one_of_its_parts_is_not_exposed(hidden):
    exposed = {"userinfo": None, "host": "h", "port": None, "path": ""}
    del exposed[hidden]
    verdict = compare_components("rfc3986", {"authority": "h", "path": ""}, exposed, APART)
    assert verdict.outcome == "partial"
    assert verdict.detail == "not exposed: authority"


def test_a_wrong_part_is_reported_without_the_authority():
    verdict = compare_components(
        "rfc3986", {"authority": "h", "host": "h"}, parts_of_authority(None, "i", None), APART
    )
    assert verdict.detail == "host is 'i', not 'h'"


def test_a_wrong_part_of_which_only_the_authority_is_expected_is_reported_as_the_authority():
    verdict = compare_components("rfc3986", {"authority": "h"}, parts_of_authority(None, "i", None), APART)
    assert verdict.detail == "the authority made from its parts is 'i', not 'h'"


@pytest.mark.parametrize(
    ("expected", "shown", "features", "outcome"),
    [
        pytest.param("", "", (), "partial", id="perhaps-absent"),
        pytest.param("", "", APART, "pass", id="empty"),
        pytest.param("", None, APART, "fail", id="absent-for-empty"),
        pytest.param(None, "", APART, "fail", id="empty-for-absent"),
    ],
)
def test_an_empty_path_differs_from_an_absent_one_in_rfc1738(expected, shown, features, outcome):
    """Without its slash the path is absent; an adapter that cannot tell both apart answers in part."""
    assert compare_components("rfc1738", {"path": expected}, {"path": shown}, features).outcome == outcome


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
def test_the_case_of_scheme_and_host_is_ignored_in_results(base, reference, expected, got, outcome):
    resolve_case = case("resolve", {"result": expected}, base=base, reference=reference)
    assert judge(resolve_case, reply(url=got), APART).outcome == outcome


def test_normal_forms_are_never_folded():
    normalize_case = case("normalize", {"result": "http://host/"}, url="http://Host/")
    assert judge(normalize_case, reply(url="http://Host/"), APART).outcome == "fail"


@pytest.mark.parametrize(
    ("component", "words"),
    [
        pytest.param(None, "absent", id="absent"),
        pytest.param("", "empty", id="empty"),
        pytest.param("a'", '"a\'"', id="quoted"),
        pytest.param([("a", "b")], "['a'='b']", id="pairs"),
        pytest.param([], "empty list", id="empty-list"),
    ],
)
def test_a_component_is_shown_in_words(component, words):
    assert show_value(component) == words


# ---- texts, equivalence, decoded views

TEXTS_INPUTS = {
    "extract": {"text": "see <http://a/> and\n <http://c/->"},
    "equivalent": {"url": "http://h/", "other": "http://h"},
    "decode": {"url": "ftp://h/a"},
    "base": {"retrieval": "http://a/b"},
}


TEXTS_APART = ("absent-vs-empty",)


def outcome(op: str, expect: dict[str, Any], got: dict[str, Any], features=TEXTS_APART, **fields: Any) -> str:
    """Return the outcome, with a colon and the variant if there is one."""
    text, _ = verdict(op, expect, got, features, **fields)
    return text


def verdict(op, expect, got, features=TEXTS_APART, **fields) -> tuple[str, str]:
    vector = {
        "id": "rfc3986-1-x",
        "requirement": "rfc3986-1-y",
        "level": "must",
        "op": op,
        "expect": expect,
        "binding": "required",
        **TEXTS_INPUTS[op],
        **fields,
    }
    case = Case("rfc3986", "1", msgspec.convert(vector, Vector), "1-x.json")
    judged = judge(case, msgspec.convert({"id": 1, "status": "ok", **got}, Reply), features)
    return ":".join(filter(None, (judged.outcome, judged.variant))), judged.detail


TEXTS_NO = {"status": "reject", "message": "no"}


TWO_URLS = {"urls": [["http://a/b"], ["http://c/d", "http://c-d"]]}


ONE_OR_NONE = {"any": [{"urls": [["http://a/"]]}, {"urls": [], "variant": "left-alone"}]}


PREFIX = {"any": [{"urls": [["a:b"], ["c:d"]]}, {"urls": [["URL:a:b"], ["c:d"]], "variant": "prefix-kept"}]}


WITH_AND_WITHOUT_PREFIX = ["a:b", "URL:a:b"]


EITHER = {"any": [{"equal": True}, {"equal": False, "variant": "apart"}]}


#: Operation, expectation, reply, outcome, words of the detail.
TEXTS_TABLE = [
    pytest.param("extract", TWO_URLS, {"urls": TWO_URLS["urls"]}, "pass", "", id="every-reading"),
    pytest.param(
        "extract", TWO_URLS, {"urls": [["http://a/b"], ["http://c-d"]]}, "pass", "", id="one-reading"
    ),
    pytest.param(
        "extract",
        TWO_URLS,
        {"urls": [["http://a/b"], ["http://c-d", "http://c/d", "http://c-d"]]},
        "pass",
        "",
        id="readings-in-another-order",
    ),
    pytest.param(
        "extract",
        TWO_URLS,
        {"urls": [["http://a/b"], ["http://c/d", "http://e"]]},
        "fail",
        "URL 2 is 'http://e', not 'http://c/d' or 'http://c-d'",
        id="a-reading-too-many",
    ),
    pytest.param(
        "extract",
        TWO_URLS,
        {"urls": [["http://a/b"], []]},
        "fail",
        "URL 2 is no reading, not 'http://c/d'",
        id="no-reading",
    ),
    pytest.param(
        "extract",
        TWO_URLS,
        {"urls": list(reversed(TWO_URLS["urls"]))},
        "fail",
        "URL 1 is 'http://c/d'",
        id="wrong-order",
    ),
    pytest.param(
        "extract",
        TWO_URLS,
        {"urls": [["http://a/b"]]},
        "fail",
        "1 URL found, not 2: 'http://a/b'",
        id="too-few",
    ),
    pytest.param(
        "extract",
        TWO_URLS,
        {"urls": [*TWO_URLS["urls"], ["x:y"]]},
        "fail",
        "3 URLs found, not 2",
        id="too-many",
    ),
    pytest.param("extract", TWO_URLS, {"urls": []}, "fail", "0 URLs found, not 2: no URL", id="none-found"),
    pytest.param("extract", {"urls": []}, {"urls": []}, "pass", "", id="none-there"),
    pytest.param(
        "extract", {"urls": []}, {"urls": [["x:y"]]}, "fail", "1 URL found, not 0", id="found-in-none"
    ),
    pytest.param("extract", {"urls": [["A:b"]]}, {"urls": [["a:b"]]}, "fail", "'a:b'", id="case-counts"),
    pytest.param("extract", TWO_URLS, {"url": "http://a/b"}, "fail", "no urls in the answer", id="no-urls"),
    pytest.param("extract", TWO_URLS, TEXTS_NO, "fail", "rejected: no", id="text-refused"),
    pytest.param("extract", ONE_OR_NONE, {"urls": [["http://a/"]]}, "pass", "", id="recommended-urls"),
    pytest.param("extract", ONE_OR_NONE, {"urls": []}, "variant:left-alone", "", id="optional-url"),
    pytest.param(
        "extract",
        PREFIX,
        {"urls": [WITH_AND_WITHOUT_PREFIX, ["c:d"]]},
        "pass",
        "",
        id="readings-of-two-alternatives",
    ),
    pytest.param(
        "extract",
        PREFIX,
        {"urls": [["URL:a:b", "a:b"], ["c:d"]]},
        "variant:prefix-kept",
        "",
        id="first-names-it",
    ),
    pytest.param(
        "extract",
        PREFIX,
        {"urls": [[*WITH_AND_WITHOUT_PREFIX, "x:y"], ["c:d"]]},
        "fail",
        "'x:y'",
        id="and-a-third",
    ),
    pytest.param(
        "extract", PREFIX, {"urls": [WITH_AND_WITHOUT_PREFIX, []]}, "fail", "no reading", id="and-no-reading"
    ),
    pytest.param(
        "extract", PREFIX, {"urls": [WITH_AND_WITHOUT_PREFIX]}, "fail", "1 URL found, not 2", id="and-too-few"
    ),
    pytest.param("extract", PREFIX, {"urls": []}, "fail", "0 URLs found, not 2", id="and-none"),
    pytest.param("equivalent", {"equal": True}, {"equal": True}, "pass", "", id="equivalent"),
    pytest.param("equivalent", {"equal": True}, {"equal": False}, "fail", "got different", id="held-apart"),
    pytest.param("equivalent", {"equal": False}, {"equal": False}, "pass", "", id="different"),
    pytest.param("equivalent", {"equal": False}, {"equal": True}, "fail", "got equivalent", id="confused"),
    pytest.param("equivalent", {"equal": False}, {}, "fail", "no equal in the answer", id="no-verdict"),
    pytest.param("equivalent", EITHER, {"equal": True}, "pass", "", id="recommended-verdict"),
    pytest.param("equivalent", EITHER, {"equal": False}, "variant:apart", "", id="admissible-verdict"),
    pytest.param("equivalent", EITHER, TEXTS_NO, "fail", "rejected", id="compared-is-refused"),
    pytest.param("equivalent", {"valid": False}, TEXTS_NO, "pass", "", id="invalid-url"),
    pytest.param("equivalent", {"valid": False}, {"equal": False}, "fail", "accepted", id="invalid-compared"),
    pytest.param("decode", {"valid": False}, TEXTS_NO, "pass", "", id="invalid-ftp"),
    pytest.param("decode", {"valid": False}, {"decoded": {}}, "fail", "accepted", id="invalid-decoded"),
    pytest.param("decode", {"decoded": {"user": "a"}}, {}, "fail", "no decoded", id="no-view"),
    pytest.param(
        "decode",
        {"decoded": {"user": "a", "cwd": [], "name": "b"}},
        {"decoded": {"user": "a"}},
        "partial",
        "not exposed: cwd, name",
        id="missing-parts",
    ),
    pytest.param(
        "decode",
        {"decoded": {"user": "a", "name": "b"}},
        {"decoded": {"name": "c"}},
        "fail",
        "name is 'c', not 'b'",
        id="wrong-and-missing-is-wrong",
    ),
    pytest.param("decode", {"decoded": {"user": "a"}}, {"decoded": {}}, "unsupported", "", id="empty-view"),
    pytest.param(
        "decode",
        {"decoded": {"user": "a"}},
        {"decoded": {"user": "a", "more": [["x", "y"]]}},
        "pass",
        "",
        id="more-than-is-asked",
    ),
    pytest.param("base", {"base": "http://a/"}, {"base": "http://a/"}, "pass", "", id="base"),
    pytest.param("base", {"base": "http://a/"}, {"base": "http://b/"}, "fail", "got 'http://b/'", id="other"),
    pytest.param("base", {"base": "http://a/"}, {"base": None}, "fail", "got no base", id="base-for-none"),
    pytest.param(
        "base", {"base": "x:y"}, {"base": {"hex": "ff"}}, "fail", "got bytes '\\xff'", id="base-in-octets"
    ),
    pytest.param("base", {"base": None}, {"base": None}, "pass", "", id="no-base"),
    pytest.param("base", {"base": None}, {"base": "http://a/"}, "fail", "got 'http://a/'", id="a-base"),
    pytest.param("base", {"base": None}, {}, "fail", "no base in the answer", id="base-left-out"),
    pytest.param("base", {"base": None}, TEXTS_NO, "fail", "rejected", id="base-refused"),
    pytest.param("base", {"valid": False, "at": 9}, TEXTS_NO, "pass", "", id="invalid-base"),
    pytest.param("base", {"valid": False}, {"base": None}, "fail", "accepted", id="invalid-base-accepted"),
]


@pytest.mark.parametrize(("op", "expect", "got", "expected", "words"), TEXTS_TABLE)
def test_an_answer_about_texts_has_its_outcome(op, expect, got, expected, words):
    text, detail = verdict(op, expect, got)
    assert text == expected
    assert words in detail


@pytest.mark.parametrize(("op", "expect", "got", "expected", "words"), TEXTS_TABLE)
def test_only_an_answer_that_is_not_right_has_a_detail(op, expect, got, expected, words):
    _, detail = verdict(op, expect, got)
    assert (detail != "") == (expected in ("fail", "partial", "unsupported"))


@pytest.mark.parametrize(
    ("op", "expect"),
    [
        ("extract", TWO_URLS),
        ("equivalent", EITHER),
        ("decode", {"valid": False}),
        ("base", {"base": None}),
    ],
    ids=["extract", "equivalent", "decode", "base"],
)
@pytest.mark.parametrize("status", ["unsupported", "error"])
def test_an_error_is_never_a_variant_of_texts(op, expect, status):
    assert outcome(op, expect, {"status": status}, binding="impl-defined") == status


@pytest.mark.parametrize(
    ("op", "expect", "got"),
    [
        ("extract", TWO_URLS, {"urls": []}),
        ("equivalent", {"equal": True}, {"equal": False}),
        ("decode", {"decoded": {"user": "a"}}, {"decoded": {"user": "b"}}),
        ("base", {"base": None}, {"base": "x:y"}),
    ],
    ids=["extract", "equivalent", "decode", "base"],
)
def test_an_unlisted_answer_is_a_variant_where_the_text_leaves_it_open(op, expect, got):
    assert outcome(op, expect, got, binding="impl-defined") == "variant:other"


# RFC 1738, section 3.4.1: what has been decoded is octets; a text stands for its UTF-8
VALUES = [
    pytest.param("name", "a", {"hex": "61"}, "pass", id="text-as-hex"),
    pytest.param("name", {"hex": "c3a9"}, "\u00e9", "pass", id="hex-as-text"),
    pytest.param("name", {"hex": "ff"}, {"hex": "ff"}, "pass", id="octets"),
    pytest.param("name", {"hex": "ff"}, {"hex": "fe"}, "fail", id="other-octets"),
    pytest.param("name", {"hex": "e9"}, "\u00e9", "fail", id="not-latin-1"),
    pytest.param("name", "a", "A", "fail", id="case-counts"),
    pytest.param("scheme", "ftp", "FTP", "pass", id="case-of-scheme-G-11"),
    pytest.param("host", "H.dom", "h.DOM", "pass", id="case-of-host-G-11"),
    pytest.param("cwd", ["", "a"], ["", {"hex": "61"}], "pass", id="list"),
    pytest.param("cwd", ["", "a"], ["a", ""], "fail", id="order-of-a-list"),
    pytest.param("cwd", [""], [], "fail", id="empty-part"),
    pytest.param("cwd", ["a"], "a", "fail", id="text-for-list"),
    pytest.param("cwd", [], None, "fail", id="absent-for-empty-list"),
    pytest.param("cwd", ["a", "b"], [["a", "b"]], "fail", id="pair-for-texts"),
    pytest.param("fields", [["x=", "/"]], [["x=", {"hex": "2f"}]], "pass", id="pair"),
    pytest.param("fields", [["x", "y"]], [["y", "x"]], "fail", id="halves-of-a-pair"),
    pytest.param("fields", [["x", "y"], ["a", ""]], [["a", ""], ["x", "y"]], "fail", id="order-of-pairs"),
    pytest.param("local", True, True, "pass", id="local"),
    pytest.param("local", True, False, "fail", id="not-local"),
    pytest.param("local", True, "true", "fail", id="word-for-verdict"),
    pytest.param("port", "0080", "80", "fail", id="numbers-as-written"),
]


@pytest.mark.parametrize(("name", "expected", "got", "decoded"), VALUES)
def test_a_decoded_value_is_compared_by_bytes(name, expected, got, decoded):
    assert outcome("decode", {"decoded": {name: expected}}, {"decoded": {name: got}}) == decoded


@pytest.mark.parametrize(
    ("op", "expect", "got", "name"),
    [
        ("decode", {"decoded": {"user": "", "name": "b"}}, {"decoded": {"user": None, "name": "b"}}, "user"),
        ("base", {"base": ""}, {"base": None}, "base"),
    ],
)
def test_a_part_that_is_absent_or_empty_is_not_called_hidden(op, expect, got, name):
    assert verdict(op, expect, got, ()) == ("partial", f"cannot tell absent from empty: {name}")


#: An expected value and what came: with the feature absent-vs-empty, and without it.
BLURRED = [
    pytest.param("search", None, "", "fail", "pass", id="empty-for-absent"),
    pytest.param("search", "", None, "fail", "partial", id="absent-for-empty"),
    pytest.param("search", "", "", "pass", "partial", id="empty"),
    pytest.param("search", None, "a", "fail", "fail", id="text-for-absent"),
    pytest.param("request", None, "", "fail", "fail", id="request-that-cannot-be-sent"),
    pytest.param("request", "", "", "pass", "pass", id="empty-request"),
    pytest.param("cwd", [], None, "fail", "fail", id="lists-are-no-texts"),
]


@pytest.mark.parametrize(("name", "expected", "shown", "told_apart", "blurred"), BLURRED)
def test_absent_and_empty_parts_differ_for_an_adapter_that_tells_them_apart(
    name, expected, shown, told_apart, blurred
):
    assert outcome("decode", {"decoded": {name: expected}}, {"decoded": {name: shown}}) == told_apart


@pytest.mark.parametrize(("name", "expected", "shown", "told_apart", "blurred"), BLURRED)
def test_absent_and_empty_parts_are_blurred_for_an_adapter_without_the_feature(
    name, expected, shown, told_apart, blurred
):
    assert outcome("decode", {"decoded": {name: expected}}, {"decoded": {name: shown}}, ()) == blurred


#: The expected and the shown base; the outcome with and without the feature absent-vs-empty.
BASES = pytest.mark.parametrize(
    ("expected", "shown", "told_apart", "blurred"),
    [
        pytest.param("", "", "pass", "partial", id="empty"),
        pytest.param("", None, "fail", "partial", id="none-for-empty"),
        pytest.param(None, "", "fail", "pass", id="empty-for-none"),
        pytest.param(None, None, "pass", "pass", id="none"),
        pytest.param("x:y", "", "fail", "fail", id="empty-for-a-base"),
    ],
)


@BASES
def test_no_base_and_an_empty_base_differ_for_an_adapter_that_tells_them_apart(
    expected, shown, told_apart, blurred
):
    """RFC 1808, section 3.4, has an empty base, the others have none."""
    assert outcome("base", {"base": expected}, {"base": shown}) == told_apart


@BASES
def test_no_base_and_an_empty_base_are_blurred_for_an_adapter_without_the_feature(
    expected, shown, told_apart, blurred
):
    assert outcome("base", {"base": expected}, {"base": shown}, ()) == blurred


@pytest.mark.parametrize(
    ("layers", "expected", "got", "outcome_in_base"),
    [
        pytest.param({"retrieval": "http://Host/a"}, "http://Host/a", "http://host/a", "pass", id="host"),
        pytest.param(
            {"embedded": "b", "default": "HTTP://h/a"}, "HTTP://h/b", "http://h/b", "pass", id="scheme"
        ),
        pytest.param(
            {"retrieval": "http://host/a"}, "http://host/a", "http://HOST/a", "fail", id="nothing-was-mixed"
        ),
        pytest.param({"retrieval": "http://Host/A"}, "http://Host/A", "http://host/a", "fail", id="path"),
    ],
)
def test_the_case_of_scheme_and_host_is_ignored_in_a_base(layers, expected, got, outcome_in_base):
    """G-11: they fold where a layer supplied them in mixed case."""
    fields = {"retrieval": None, **layers}
    assert outcome("base", {"base": expected}, {"base": got}, **fields) == outcome_in_base


@pytest.mark.parametrize(
    ("got", "place"),
    [
        pytest.param({"urls": "http://a/"}, "$.urls", id="urls-as-a-text"),
        pytest.param({"urls": ["http://a/"]}, "$.urls[0]", id="url-without-span"),
        pytest.param({"urls": [[None]]}, "$.urls[0][0]", id="absent-url"),
        pytest.param({"urls": None}, "$.urls", id="absent-urls"),
        pytest.param({"equal": "yes"}, "$.equal", id="equal-as-a-text"),
        pytest.param({"equal": None}, "$.equal", id="absent-equal"),
        pytest.param({"decoded": []}, "$.decoded", id="decoded-as-a-list"),
        pytest.param({"decoded": {"port": 80}}, "$.decoded[...]", id="port-as-a-number"),
        pytest.param({"decoded": {"cwd": [None]}}, "$.decoded[...][0]", id="absent-directory"),
        pytest.param({"decoded": {"fields": [["a"]]}}, "$.decoded[...][0]", id="field-without-content"),
        pytest.param({"decoded": {"fields": [["a", "b", "c"]]}}, "$.decoded[...][0]", id="field-of-three"),
        pytest.param({"decoded": {"name": {"hex": "f"}}}, "$.decoded[...].hex", id="half-an-octet"),
        pytest.param({"decoded": {"name": {"deep": {}}}}, "$.decoded[...]", id="unknown-object"),
        pytest.param({"base": 5}, "$.base", id="base-as-a-number"),
        pytest.param({"base": ["http://a/"]}, "$.base", id="base-as-a-list"),
    ],
)
def test_a_reply_of_another_shape_is_refused_with_its_place(got, place):
    with pytest.raises(msgspec.ValidationError, match=re.escape(f" - at `{place}`")):
        msgspec.convert({"id": 1, "status": "ok", **got}, Reply)
