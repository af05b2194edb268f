"""What a reply to extract, equivalent, decode or base is worth, kind by kind."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from urlharness.corpus.model import Case, Vector
from urlharness.protocol.messages import Reply
from urlharness.results.verdict import judge

INPUTS = {
    "extract": {"text": "see <http://a/> and\n <http://c/->"},
    "equivalent": {"url": "http://h/", "other": "http://h"},
    "decode": {"url": "ftp://h/a"},
    "base": {"retrieval": "http://a/b"},
}
APART = ("absent-vs-empty",)


def outcome(op: str, expect: dict[str, Any], got: dict[str, Any], features=APART, **fields: Any) -> str:
    """The outcome, a colon and the variant where there is one."""
    return verdict(op, expect, got, features, **fields)[0]


def verdict(op, expect, got, features=APART, **fields) -> tuple[str, str]:
    vector = {
        "id": "rfc3986-1-x",
        "requirement": "rfc3986-1-y",
        "level": "must",
        "op": op,
        "expect": expect,
        "binding": "required",
        **INPUTS[op],
        **fields,
    }
    case = Case("rfc3986", "1", msgspec.convert(vector, Vector), "1-x.json")
    found = judge(case, msgspec.convert({"id": 1, "status": "ok", **got}, Reply), features)
    return ":".join(filter(None, (found.outcome, found.variant))), found.detail


NO = {"status": "reject", "message": "no"}
TWO = {"urls": [["http://a/b"], ["http://c/d", "http://c-d"]]}
ONE_OR_NONE = {"any": [{"urls": [["http://a/"]]}, {"urls": [], "variant": "left-alone"}]}
PREFIX = {"any": [{"urls": [["a:b"], ["c:d"]]}, {"urls": [["URL:a:b"], ["c:d"]], "variant": "prefix-kept"}]}
BOTH = ["a:b", "URL:a:b"]
EITHER = {"any": [{"equal": True}, {"equal": False, "variant": "apart"}]}

#: Operation, expectation, reply, outcome, words of the detail.
TABLE = [
    pytest.param("extract", TWO, {"urls": TWO["urls"]}, "pass", "", id="every-reading"),
    pytest.param("extract", TWO, {"urls": [["http://a/b"], ["http://c-d"]]}, "pass", "", id="one-reading"),
    pytest.param(
        "extract",
        TWO,
        {"urls": [["http://a/b"], ["http://c-d", "http://c/d", "http://c-d"]]},
        "pass",
        "",
        id="readings-in-another-order",
    ),
    pytest.param(
        "extract",
        TWO,
        {"urls": [["http://a/b"], ["http://c/d", "http://e"]]},
        "fail",
        "URL 2 is 'http://e', not 'http://c/d' or 'http://c-d'",
        id="a-reading-too-many",
    ),
    pytest.param(
        "extract",
        TWO,
        {"urls": [["http://a/b"], []]},
        "fail",
        "URL 2 is no reading, not 'http://c/d'",
        id="no-reading",
    ),
    pytest.param(
        "extract", TWO, {"urls": TWO["urls"][::-1]}, "fail", "URL 1 is 'http://c/d'", id="wrong-order"
    ),
    pytest.param(
        "extract", TWO, {"urls": [["http://a/b"]]}, "fail", "1 found, not 2: 'http://a/b'", id="too-few"
    ),
    pytest.param("extract", TWO, {"urls": [*TWO["urls"], ["x:y"]]}, "fail", "3 found, not 2", id="too-many"),
    pytest.param("extract", TWO, {"urls": []}, "fail", "0 found, not 2: no URL", id="none-found"),
    pytest.param("extract", {"urls": []}, {"urls": []}, "pass", "", id="none-there"),
    pytest.param("extract", {"urls": []}, {"urls": [["x:y"]]}, "fail", "1 found, not 0", id="found-in-none"),
    pytest.param("extract", {"urls": [["A:b"]]}, {"urls": [["a:b"]]}, "fail", "'a:b'", id="case-counts"),
    pytest.param("extract", TWO, {"url": "http://a/b"}, "fail", "no urls in the answer", id="no-urls"),
    pytest.param("extract", TWO, NO, "fail", "rejected: no", id="text-refused"),
    pytest.param("extract", ONE_OR_NONE, {"urls": [["http://a/"]]}, "pass", "", id="recommended-urls"),
    pytest.param("extract", ONE_OR_NONE, {"urls": []}, "variant:left-alone", "", id="optional-url"),
    pytest.param("extract", PREFIX, {"urls": [BOTH, ["c:d"]]}, "pass", "", id="readings-of-two-alternatives"),
    pytest.param(
        "extract", PREFIX, {"urls": [BOTH[::-1], ["c:d"]]}, "variant:prefix-kept", "", id="first-names-it"
    ),
    pytest.param("extract", PREFIX, {"urls": [[*BOTH, "x:y"], ["c:d"]]}, "fail", "'x:y'", id="and-a-third"),
    pytest.param("extract", PREFIX, {"urls": [BOTH, []]}, "fail", "no reading", id="and-no-reading"),
    pytest.param("extract", PREFIX, {"urls": [BOTH]}, "fail", "1 found, not 2", id="and-too-few"),
    pytest.param("extract", PREFIX, {"urls": []}, "fail", "0 found, not 2", id="and-none"),
    pytest.param("equivalent", {"equal": True}, {"equal": True}, "pass", "", id="equivalent"),
    pytest.param("equivalent", {"equal": True}, {"equal": False}, "fail", "got different", id="held-apart"),
    pytest.param("equivalent", {"equal": False}, {"equal": False}, "pass", "", id="different"),
    pytest.param("equivalent", {"equal": False}, {"equal": True}, "fail", "got equivalent", id="confused"),
    pytest.param("equivalent", {"equal": False}, {}, "fail", "no verdict", id="no-verdict"),
    pytest.param("equivalent", EITHER, {"equal": True}, "pass", "", id="recommended-verdict"),
    pytest.param("equivalent", EITHER, {"equal": False}, "variant:apart", "", id="admissible-verdict"),
    pytest.param("equivalent", EITHER, NO, "fail", "rejected", id="compared-is-refused"),
    pytest.param("equivalent", {"valid": False}, NO, "pass", "", id="invalid-url"),
    pytest.param("equivalent", {"valid": False}, {"equal": False}, "fail", "accepted", id="invalid-compared"),
    pytest.param("decode", {"valid": False}, NO, "pass", "", id="invalid-ftp"),
    pytest.param("decode", {"valid": False}, {"decoded": {}}, "fail", "accepted", id="invalid-decoded"),
    pytest.param("decode", {"decoded": {"user": "a"}}, {}, "fail", "no decoded view", id="no-view"),
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
    pytest.param("base", {"base": "x:y"}, {"base": {"hex": "ff"}}, "fail", "got hex ff", id="base-in-octets"),
    pytest.param("base", {"base": None}, {"base": None}, "pass", "", id="no-base"),
    pytest.param("base", {"base": None}, {"base": "http://a/"}, "fail", "got 'http://a/'", id="a-base"),
    pytest.param("base", {"base": None}, {}, "fail", "no base in the answer", id="base-left-out"),
    pytest.param("base", {"base": None}, NO, "fail", "rejected", id="base-refused"),
    pytest.param("base", {"valid": False, "at": 9}, NO, "pass", "", id="invalid-base"),
    pytest.param("base", {"valid": False}, {"base": None}, "fail", "accepted", id="invalid-base-accepted"),
]


@pytest.mark.parametrize(("op", "expect", "got", "expected", "words"), TABLE)
def test_outcome(op, expect, got, expected, words):
    found, detail = verdict(op, expect, got)
    assert found == expected
    assert words in detail
    assert bool(detail) == (expected in ("fail", "partial", "unsupported"))


@pytest.mark.parametrize("op", INPUTS)
@pytest.mark.parametrize("status", ["unsupported", "error"])
def test_no_answer_is_no_variant(op, status):
    expect = {"extract": TWO, "equivalent": EITHER, "decode": {"valid": False}, "base": {"base": None}}[op]
    assert outcome(op, expect, {"status": status}, binding="impl-defined") == status


@pytest.mark.parametrize(
    ("op", "expect", "got"),
    [
        ("extract", TWO, {"urls": []}),
        ("equivalent", {"equal": True}, {"equal": False}),
        ("decode", {"decoded": {"user": "a"}}, {"decoded": {"user": "b"}}),
        ("base", {"base": None}, {"base": "x:y"}),
    ],
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


@pytest.mark.parametrize(("name", "expected", "got", "found"), VALUES)
def test_decoded_value(name, expected, got, found):
    assert outcome("decode", {"decoded": {name: expected}}, {"decoded": {name: got}}) == found


@pytest.mark.parametrize(
    ("op", "expect", "got", "detail"),
    [
        ("decode", {"decoded": {"user": "", "name": "b"}}, {"decoded": {"user": None, "name": "b"}}, "user"),
        ("base", {"base": ""}, {"base": None}, "base"),
    ],
)
def test_what_cannot_be_told_is_not_called_hidden(op, expect, got, detail):
    assert verdict(op, expect, got, ()) == ("partial", f"cannot tell absent from empty: {detail}")


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


@pytest.mark.parametrize(("name", "expected", "got", "apart", "blurred"), BLURRED)
def test_absent_and_empty_parts(name, expected, got, apart, blurred):
    expect, reply = {"decoded": {name: expected}}, {"decoded": {name: got}}
    assert outcome("decode", expect, reply) == apart
    assert outcome("decode", expect, reply, ()) == blurred


@pytest.mark.parametrize(
    ("expected", "got", "apart", "blurred"),
    [
        ("", "", "pass", "partial"),
        ("", None, "fail", "partial"),
        (None, "", "fail", "pass"),
        (None, None, "pass", "pass"),
        ("x:y", "", "fail", "fail"),
    ],
)
def test_no_base_and_the_empty_one(expected, got, apart, blurred):
    """RFC 1808, section 3.4, has an empty base, the others have none."""
    assert outcome("base", {"base": expected}, {"base": got}) == apart
    assert outcome("base", {"base": expected}, {"base": got}, ()) == blurred


@pytest.mark.parametrize(
    ("layers", "expected", "got", "found"),
    [
        ({"retrieval": "http://Host/a"}, "http://Host/a", "http://host/a", "pass"),
        ({"embedded": "b", "default": "HTTP://h/a"}, "HTTP://h/b", "http://h/b", "pass"),
        ({"retrieval": "http://host/a"}, "http://host/a", "http://HOST/a", "fail"),
        ({"retrieval": "http://Host/A"}, "http://Host/A", "http://host/a", "fail"),
    ],
)
def test_case_of_scheme_and_host_in_a_base(layers, expected, got, found):
    """G-11: they fold where a layer supplied them in mixed case."""
    fields = {"retrieval": None, **layers}
    assert outcome("base", {"base": expected}, {"base": got}, **fields) == found


@pytest.mark.parametrize(
    "got",
    [
        {"urls": "http://a/"},
        {"urls": ["http://a/"]},
        {"urls": [[None]]},
        {"urls": None},
        {"equal": "yes"},
        {"equal": None},
        {"decoded": []},
        {"decoded": {"port": 80}},
        {"decoded": {"cwd": [None]}},
        {"decoded": {"fields": [["a"]]}},
        {"decoded": {"fields": [["a", "b", "c"]]}},
        {"decoded": {"name": {"hex": "f"}}},
        {"decoded": {"name": {"deep": {}}}},
        {"base": 5},
        {"base": ["http://a/"]},
    ],
    ids=repr,
)
def test_other_shapes_are_no_replies(got):
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"id": 1, "status": "ok", **got}, Reply)
