"""How answers differ, in words by which reports group them."""

from __future__ import annotations

import pytest

from urlharness.corpus.longtext import abbreviation
from urlharness.gate.differences import NOTHING_BEFORE, Before, answer_in_words, component_at, difference
from urlharness.results.model import Result
from urlharness.results.verdict import Outcome

FEATURES = ("absent-vs-empty",)


def components(**parts):
    return {"status": "ok", "components": parts}


def url(text):
    return {"status": "ok", "url": text}


REJECTED = {"status": "reject"}
ACCEPTED = {"status": "ok"}
PARSED = {"op": "parse", "expect": {"components": {"host": "h", "path": "/p", "fragment": "f"}}}
RESOLVED = {"op": "resolve", "base": "http://h/", "reference": "p#f", "expect": {"result": "http://h/p#f"}}
EITHER = {"any": [{"result": "http://h/a#f"}, {"result": "http://h/b#f", "variant": "other"}]}

#: The vector, the answer, and the words.
WRONG = {
    "fragment-missing": (PARSED, components(host="h", path="/p", fragment=None), "fragment missing"),
    "fragment-emptied": (PARSED, components(host="h", path="/p", fragment=""), "fragment missing"),
    "of-a-resolved-url": (RESOLVED, url("http://h/p"), "fragment missing"),
    "query-added": (RESOLVED, url("http://h/p?q#f"), "query added"),
    "path-wrong": (RESOLVED, url("http://h/q#f"), "resolve: path wrong"),
    "the-most-harmful-first": (RESOLVED, url("http://g/q#f"), "resolve: host and path wrong"),
    "host-with-its-port": (
        {"op": "normalize", "url": "//u@h:1/p", "expect": {"result": "//u@h:1/p"}}, url("/p"), "host missing",
    ),
    "nearest-alternative": ({**RESOLVED, "expect": EITHER}, url("http://h/b"), "fragment missing"),
    "abbreviated": (
        RESOLVED, url(f"http://h/{'a' * 80}… (4,407 characters, SHA-256 {'0' * 64})"),
        "resolve: long URL wrong",
    ),
    "abbreviated-with-another-beginning": (
        RESOLVED, url(f"http://h:80/{'a' * 80}… (4,407 characters, SHA-256 {'0' * 64})"), "port added",
    ),
    "lower-cased": (
        {"op": "normalize", "url": "/A%2F", "expect": {"result": "/A%2F"}}, url("/a%2f"), "path lower-cased",
    ),
    "upper-cased": (
        {"op": "normalize", "url": "/a", "expect": {"result": "/a"}}, url("/A"), "path upper-cased",
    ),
    "decoded-escape": (
        {"op": "normalize", "url": "/a%2Fb", "expect": {"result": "/a%2Fb"}}, url("/a/b"), "path decoded",
    ),
    "escaped": (
        {"op": "normalize", "url": "/a@b", "expect": {"result": "/a@b"}}, url("/a%40b"), "path escaped",
    ),
    "case-of-an-escape": (
        {"op": "normalize", "url": "/B%2F", "expect": {"result": "/B%2F"}}, url("/B%2f"),
        "normalize: path wrong",
    ),
    "rejected": ({"rule": "host"}, REJECTED, "valid host rejected"),
    "rejected-by-an-operation": (RESOLVED, REJECTED, "valid URI rejected by resolve"),
    "accepted": (
        {"url": "http://h:8x/", "expect": {"valid": False, "at": 10}}, ACCEPTED, "invalid port accepted",
    ),
    "accepted-as-a-rule": (
        {"rule": "IPv4address", "url": "1.2.3", "expect": {"valid": False, "at": 5}},
        ACCEPTED,
        "invalid IPv4address accepted",
    ),
    "accepted-as-a-rule-of-a-part-with-the-letters-of-url": (
        {"rule": "IPvFuture", "url": "v1.a|", "expect": {"valid": False, "at": 4}},
        ACCEPTED,
        "invalid IPvFuture accepted",
    ),
    "accepted-as-a-relative-reference": (
        {"rule": "relative-ref", "url": "/a?b|", "expect": {"valid": False, "at": 4}},
        ACCEPTED,
        "invalid query accepted",
    ),
    "accepted-though-empty": (
        {"rule": "relativeURI", "url": "", "expect": {"valid": False, "at": 0}},
        ACCEPTED,
        "invalid relativeURI accepted",
    ),
    "not-equivalent": (
        {"op": "equivalent", "url": "a", "other": "b", "expect": {"equal": True}},
        {"status": "ok", "equal": False},
        "equivalent URLs told apart",
    ),
    "extracted-too-few": (
        {"op": "extract", "text": "a: b:", "expect": {"urls": [["a:"], ["b:"]]}},
        {"status": "ok", "urls": [["a:"]]},
        "URL not found",
    ),
    "decoded": (
        {"op": "decode", "url": "http://h/p", "expect": {"decoded": {"path": "p"}}},
        {"status": "ok", "decoded": {"path": "q"}},
        "decode: path wrong",
    ),
    "base": (
        {"op": "base", "retrieval": "http://h/p", "expect": {"base": "http://h/p"}},
        {"status": "ok", "base": "http://h/"},
        "base: path wrong",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_answer_is_described_by_what_differs(make_case, name):
    fields, got, words = WRONG[name]
    case = make_case("rfc3986-3-x", **fields)
    answer = Result("rfc3986-3-x", "lib", Outcome.FAIL, got=got)
    assert difference(case, answer, FEATURES).words == words


LONG = "/a" * 1000

#: An expected URL that is too long for results, the answer, and the words.
LONG_TEXTS = [
    pytest.param(f"{LONG}?q#f", f"{LONG}?q", "fragment missing", id="fragment"),
    pytest.param(f"{LONG}?q#f", f"{LONG}#f", "query missing", id="query"),
    pytest.param(f"{LONG}?q", LONG, "query missing", id="query-at-the-end"),
    pytest.param(f"/b?{'q' * 2000}", "/b", "query missing", id="short-answer"),
    pytest.param(f"{LONG}?q#f", LONG, "resolve: long URL wrong", id="both"),
]


@pytest.mark.parametrize(("expected", "resolved", "words"), LONG_TEXTS)
def test_a_component_that_is_missing_from_a_long_text_of_the_corpus_is_named(
    make_case, monkeypatch, expected, resolved, words
):
    monkeypatch.setattr("urlharness.gate.differences._long_texts", lambda: {abbreviation(expected): expected})
    abbreviated_case = make_case("rfc3986-3-x", **{**RESOLVED, "expect": {"result": abbreviation(expected)}})
    answer = Result("rfc3986-3-x", "lib", Outcome.FAIL, got=url(abbreviation(resolved)))
    assert difference(abbreviated_case, answer, FEATURES).words == words


#: The outcome, the reply, what the baseline has, and the words with a number.
NO_ANSWERS = {
    "crash": ("crash", {}, NOTHING_BEFORE, "crash on 2 questions"),
    "timeout": ("timeout", {}, NOTHING_BEFORE, "timeout on 2 questions"),
    "not-offered": ("unsupported", {}, NOTHING_BEFORE, "parse not offered any more for 2 questions"),
    "part-hidden": (
        "partial", components(host="h", path="/p"), NOTHING_BEFORE, "fragment not exposed in 2 answers",
    ),
    "locked-part-hidden": (
        "partial", components(host="h", fragment="f"), Before({}, {"host": "h", "path": "/p"}),
        "path not exposed in 2 answers",
    ),
    "locked-part-changed": (
        "partial", components(host="g"), Before({}, {"host": "h"}), "host changed in 2 answers",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", NO_ANSWERS)
def test_a_missing_or_incomplete_answer_is_described_and_counted(make_case, name):
    outcome, got, before, words = NO_ANSWERS[name]
    answer = Result("rfc3986-3-x", "lib", Outcome(outcome), got=got)
    case = make_case("rfc3986-3-x", **PARSED)
    assert difference(case, answer, FEATURES, before).counted(2) == words


def test_an_answer_that_has_changed_is_compared_with_the_one_before(make_case):
    """The path was wrong before, too; what the change of the library made wrong is the fragment."""
    case = make_case("rfc3986-3-x", **RESOLVED)
    answer = Result("rfc3986-3-x", "lib", Outcome.FAIL, got=url("http://h/wrong"))
    before = Before(url("http://h/wrong#f"))
    assert difference(case, answer, FEATURES, before).words == "fragment missing"


#: An answer of a baseline, the answer now, and the words for the former.
LISTED = {
    "parts-that-differ": (
        components(userinfo="u", host="h", port="80"), components(userinfo=None, host="h"),
        "userinfo was 'u', now absent; port was '80', now not exposed",
    ),
    "parts-of-a-rejected-text": (components(host="h", port=None), REJECTED, "host 'h', port absent"),
    "bytes": (components(host={"hex": "ff"}), REJECTED, r"host bytes '\xff'"),
    "pairs": (
        {"status": "ok", "decoded": {"query": [["a", {"hex": "41"}]]}}, REJECTED, "query ['a'=bytes 'A']",
    ),
    "url": (url("x:y"), url("x:z"), "'x:y'"),
    "no-base": ({"status": "ok", "base": None}, REJECTED, "no base"),
    "equal": ({"status": "ok", "equal": False}, REJECTED, "different"),
    "urls": ({"status": "ok", "urls": [["a:"], ["b:"]]}, REJECTED, "'a:', 'b:'"),
    "same-document": ({"status": "ok", "same_document": True}, REJECTED, "the same document"),
    "rejected": (REJECTED, ACCEPTED, "rejected"),
    "accepted": (ACCEPTED, REJECTED, "accepted"),
    "generated-part": ({"required": {"fail": 1200, "crash": 2}}, {}, "1,200 fail, 2 crash"),
    "unknown": ({"status": "odd"}, {}, '{"status":"odd"}'),
}  # fmt: skip


@pytest.mark.parametrize(("answer", "now", "words"), LISTED.values(), ids=LISTED)
def test_a_listed_answer_is_put_in_words(answer, now, words):
    assert answer_in_words(answer, now) == words


def test_a_difference_in_an_empty_part_alone_has_narrow_words(make_case):
    case = make_case("rfc3986-3-x", **{**RESOLVED, "expect": {"result": "http://h/p#"}})
    answer = Result("rfc3986-3-x", "lib", Outcome.FAIL, got=url("http://h/p"))
    assert difference(case, answer, FEATURES).narrow == "empty fragment missing"


@pytest.mark.parametrize(
    ("offset", "component"),
    [
        (2, "scheme"),
        (8, "userinfo"),
        (11, "host"),
        (14, "port"),
        (17, "path"),
        (19, "query"),
        (21, "fragment"),
    ],
    ids=["scheme", "userinfo", "host", "port", "path", "query", "fragment"],
)
def test_the_component_at_an_offset_is_known(offset, component):
    assert component_at("http://u@host:80/p?q#f", offset) == component
