"""The verdict on a reply."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
import pytest

from urlharness.corpus.describe import show_value
from urlharness.corpus.model import Case, Expected, Vector
from urlharness.protocol.messages import Reply
from urlharness.results.verdict import Outcome, compare_components, judge

INPUTS_BY_OPERATION = {
    "validate": {"rule": "URI", "url": "a:b"},
    "parse": {"url": "a:b"},
    "resolve": {"base": "a://h/p", "reference": "q"},
    "recompose": {"components": {"path": "a"}},
    "normalize": {"url": "a:b"},
}


TELLS_EMPTY = frozenset(["absent-vs-empty"])


def case(
    op: str, expect: dict[str, Any], binding: str = "required", spec: str = "rfc3986", **inputs: str
) -> Case:
    """Return a case of an operation with these inputs or those of `INPUTS_BY_OPERATION`."""
    vector = {
        "id": f"{spec}-1-x",
        "requirement": f"{spec}-1-y",
        "level": "must",
        "op": op,
        "expect": expect,
        "binding": binding,
        **INPUTS_BY_OPERATION[op],
        **inputs,
    }
    return Case(spec, "1", msgspec.convert(vector, Vector), "1-x.json")


def reply(**fields: Any) -> Reply:
    """Return a reply with these fields, which accepts the text unless it has another status."""
    return msgspec.convert({"id": 1, "status": "ok", **fields}, Reply)


ACCEPTED = reply()


LONG_URL = "http://a/" + "b" * 2000
REJECTED = reply(status="reject", message="no", at=3, rules=["URI", "scheme"])


EXPECT_VALID = {"valid": True}
EXPECT_INVALID = {"valid": False, "at": 3, "rules": ["scheme"]}


PARTS = {"scheme": "a", "host": None, "port": "", "path": ""}


PERMITTED_RESULTS = {
    "any": [{"result": "x"}, {"result": "y", "variant": "other-way"}, {"valid": False, "variant": "error"}]
}


LITERAL = {"any": [{"result": "x"}, {"result": "y", "variant": "literal"}]}


SAME_DOCUMENT = {"any": [{"result": "a#s"}, {"same_document": True, "variant": "same-document"}]}


class Judged(NamedTuple):
    """A question with its answer, and the verdict on it."""

    op: str
    expect: Any
    got: Reply
    binding: str = "required"
    outcome: str = "pass"
    variant: str = ""
    words: str = ""


TABLE = {
    "accepts-rightly": Judged("validate", EXPECT_VALID, got=ACCEPTED),
    "rejects-wrongly": Judged("validate", EXPECT_VALID, got=REJECTED, outcome="fail", words="rejected: no"),
    "rejects-rightly": Judged("validate", EXPECT_INVALID, got=REJECTED),
    "accepts-wrongly": Judged(
        "validate",
        EXPECT_INVALID,
        got=ACCEPTED,
        outcome="fail",
        words="accepted, although it is not valid",
    ),
    "impl-defined-other": Judged(
        "validate",
        EXPECT_VALID,
        binding="impl-defined",
        got=REJECTED,
        outcome="variant",
        variant="other",
        words="rejected",
    ),
    "unspecified-other": Judged(
        "validate",
        EXPECT_VALID,
        binding="unspecified",
        got=REJECTED,
        outcome="variant",
        variant="other",
        words="rejected",
    ),
    "split": Judged("parse", {"components": PARTS}, got=reply(components=PARTS)),
    "split-rejected": Judged("parse", {"components": PARTS}, got=REJECTED, outcome="fail", words="rejected"),
    "split-without": Judged(
        "parse", {"components": PARTS}, got=ACCEPTED, outcome="fail", words="no components"
    ),
    "component-not-exposed": Judged(
        "parse",
        {"components": PARTS},
        got=reply(components={"scheme": "a", "host": None, "path": ""}),
        outcome="partial",
        words="not exposed: port",
    ),
    "wrong-and-not-exposed-is-wrong": Judged(
        "parse",
        {"components": PARTS},
        got=reply(components={"scheme": "b", "host": None, "path": ""}),
        outcome="fail",
        words="scheme is 'b', not 'a'",
    ),
    "split-of-no-valid-text": Judged("parse", EXPECT_INVALID, got=REJECTED),
    "result": Judged("resolve", {"result": "x"}, got=reply(url="x")),
    "other-result": Judged("resolve", {"result": "x"}, got=reply(url="z"), outcome="fail", words="got 'z'"),
    "long-result": Judged(
        "resolve",
        {"result": LONG_URL + "#s"},
        got=reply(url=LONG_URL),
        outcome="fail",
        words=f"got '…{'b' * 40}' (2,009 characters), not '…{'b' * 40}#s' (2,011 characters)",
    ),
    "long-component": Judged(
        "parse",
        {"components": {"path": "/x" + "b" * 2000}},
        got=reply(components={"path": "/y" + "b" * 2000}),
        outcome="fail",
        words=f"path is '/y{'b' * 39}…' (2,002 characters), not '/x{'b' * 39}…' (2,002 characters)",
    ),
    "empty-result": Judged("resolve", {"result": ""}, got=reply(url="")),
    "no-result": Judged("resolve", {"result": "x"}, got=ACCEPTED, outcome="fail", words="no url"),
    "result-refused": Judged("resolve", {"result": "x"}, got=REJECTED, outcome="fail", words="rejected"),
    "result-in-octets": Judged(
        "resolve", {"result": "x"}, got=reply(url={"hex": "78"}), outcome="fail", words="bytes 'x'"
    ),
    "recommended": Judged("resolve", PERMITTED_RESULTS, binding="permitted-set", got=reply(url="x")),
    "permitted": Judged(
        "resolve",
        PERMITTED_RESULTS,
        binding="permitted-set",
        got=reply(url="y"),
        outcome="variant",
        variant="other-way",
    ),
    "refusal-permitted": Judged(
        "resolve",
        PERMITTED_RESULTS,
        binding="permitted-set",
        got=REJECTED,
        outcome="variant",
        variant="error",
    ),
    "not-permitted": Judged(
        "resolve",
        PERMITTED_RESULTS,
        binding="permitted-set",
        got=reply(url="z"),
        outcome="fail",
        words="got 'z'",
    ),
    "not-listed": Judged(
        "resolve",
        PERMITTED_RESULTS,
        binding="impl-defined",
        got=reply(url="z"),
        outcome="variant",
        variant="other",
        words="got 'z'",
    ),
    "corrected": Judged("resolve", LITERAL, binding="literal-only", got=reply(url="x")),
    "literal": Judged(
        "resolve",
        LITERAL,
        binding="literal-only",
        got=reply(url="y"),
        outcome="variant",
        variant="literal",
    ),
    "neither": Judged(
        "resolve", LITERAL, binding="literal-only", got=reply(url="z"), outcome="fail", words="got 'z'"
    ),
    "base-for-the-document": Judged(
        "resolve",
        SAME_DOCUMENT,
        binding="permitted-set",
        got=reply(url="a#s"),
    ),
    "same-document": Judged(
        "resolve",
        SAME_DOCUMENT,
        binding="permitted-set",
        got=reply(url="b", same_document=True),
        outcome="variant",
        variant="same-document",
    ),
    "another-document": Judged(
        "resolve",
        {"same_document": True},
        got=reply(url="a#s"),
        outcome="fail",
        words="not the same document",
    ),
    "recomposed": Judged("recompose", {"result": "x"}, got=reply(url="x")),
    "normal-form": Judged("normalize", {"result": "x"}, got=reply(url="X"), outcome="fail", words="got 'X'"),
}


STATUS = [
    pytest.param("unsupported", "unsupported", id="unsupported"),
    pytest.param("error", "error", id="error"),
]


@pytest.mark.parametrize("row", TABLE.values(), ids=TABLE)
def test_an_answer_has_its_outcome(row):
    verdict = judge(case(row.op, row.expect, row.binding), row.got, TELLS_EMPTY)
    assert verdict.outcome == row.outcome
    assert verdict.variant == row.variant
    assert row.words in verdict.detail


#: An answer that is not listed has the variant `other`.
RIGHT_OR_LISTED = {
    name: row
    for name, row in TABLE.items()
    if row.outcome == "pass" or (row.outcome == "variant" and row.variant != "other")
}


@pytest.mark.parametrize("row", RIGHT_OR_LISTED.values(), ids=RIGHT_OR_LISTED)
def test_an_answer_that_is_right_or_a_listed_variant_has_no_detail(row):
    assert judge(case(row.op, row.expect, row.binding), row.got, TELLS_EMPTY).detail == ""


@pytest.mark.parametrize("binding", ["required", "permitted-set", "impl-defined", "unspecified"])
@pytest.mark.parametrize(("status", "outcome"), STATUS)
def test_an_error_is_never_a_variant(status, outcome, binding):
    """An error or an unsupported question has its own outcome under every binding."""
    verdict = judge(case("validate", EXPECT_VALID, binding), reply(status=status, message="why"), TELLS_EMPTY)
    assert verdict == (outcome, "", "why")


class Rejection(NamedTuple):
    """The fields of a rejection, and the strict verdict on it."""

    fields: Mapping[str, Any]
    outcome: str
    detail: str = ""


#: Offset and open rules of a rejection; strictly they are judged, else they are not.
REJECTIONS = [
    pytest.param(Rejection({"at": 3, "rules": ["URI", "scheme"]}, outcome="pass"), id="as-expected"),
    pytest.param(Rejection({"at": 3, "rules": ["scheme", "URI", "more"]}, outcome="pass"), id="more-rules"),
    pytest.param(
        Rejection({"at": 2, "rules": ["scheme"]}, outcome="fail", detail="rejected at offset 2, not 3"),
        id="other-offset",
    ),
    pytest.param(
        Rejection({"rules": ["scheme"]}, outcome="fail", detail="rejected at offset None, not 3"),
        id="no-offset",
    ),
    pytest.param(
        Rejection({"at": 3, "rules": ["URI"]}, outcome="fail", detail="rejected, but `rules` lacks scheme"),
        id="rule-not-open",
    ),
]


@pytest.mark.parametrize("row", REJECTIONS)
def test_a_strict_verdict_judges_the_offset_and_the_rules(row):
    rejection = reply(status="reject", **row.fields)
    assert judge(case("validate", EXPECT_INVALID), rejection, TELLS_EMPTY, strict=True) == (
        row.outcome,
        "",
        row.detail,
    )


@pytest.mark.parametrize("row", REJECTIONS)
def test_a_plain_verdict_ignores_the_offset_and_the_rules(row):
    rejection = reply(status="reject", **row.fields)
    assert judge(case("validate", EXPECT_INVALID), rejection, TELLS_EMPTY).outcome == "pass"


def test_a_strict_verdict_ignores_an_offset_that_the_vector_does_not_have():
    assert judge(case("parse", {"valid": False}), REJECTED, TELLS_EMPTY, strict=True).outcome == "pass"


def compared(spec, name, expected, shown, features) -> str:
    """Return the outcome of an answer that shows a component in this way."""
    answer = reply(components={name: shown}).components
    component = msgspec.convert({"components": {name: expected}}, Expected).components
    return compare_components(spec, component, answer, features).outcome


class Emptiness(NamedTuple):
    """A query as expected and as shown; the outcomes with and without `absent-vs-empty`, and by RFC 1808."""

    expected: str | None
    shown: str | None
    told_apart: str
    blurred: str
    in_rfc1808: str


EMPTINESS = [
    pytest.param(Emptiness(None, None, told_apart="pass", blurred="pass", in_rfc1808="pass"), id="absent"),
    pytest.param(Emptiness("", "", told_apart="pass", blurred="partial", in_rfc1808="pass"), id="empty"),
    pytest.param(
        Emptiness(None, "", told_apart="fail", blurred="pass", in_rfc1808="pass"), id="empty-for-absent"
    ),
    pytest.param(
        Emptiness("", None, told_apart="fail", blurred="partial", in_rfc1808="fail"), id="absent-for-empty"
    ),
]


@pytest.mark.parametrize("row", EMPTINESS)
def test_absent_and_empty_components_differ_for_an_adapter_that_tells_them_apart(row):
    assert compared("rfc3986", "query", row.expected, row.shown, TELLS_EMPTY) == row.told_apart


@pytest.mark.parametrize("row", EMPTINESS)
def test_an_empty_component_is_unknown_for_an_adapter_that_does_not_tell_them_apart(row):
    assert compared("rfc3986", "query", row.expected, row.shown, ()) == row.blurred


@pytest.mark.parametrize("row", EMPTINESS)
def test_an_empty_component_stands_for_an_absent_one_under_rfc1808(row):
    """Ruling G-09."""
    assert compared("rfc1808", "query", row.expected, row.shown, TELLS_EMPTY) == row.in_rfc1808


#: A component as expected and as shown, and the outcome.
COMPONENTS = [
    pytest.param("query", "a", "a", "pass", id="text"),
    pytest.param("query", "a", "A", "fail", id="case-counts"),
    pytest.param("query", "a", None, "fail", id="absent-for-text"),
    pytest.param("query", None, "a", "fail", id="text-for-absent"),
    pytest.param("path", "", "", "pass", id="a-path-is-never-absent"),
    pytest.param("scheme", "http", "HTTP", "pass", id="case-of-scheme-G-11"),
    pytest.param("host", "H.dom", "h.DOM", "pass", id="case-of-host-G-11"),
    pytest.param("userinfo", "U", "u", "fail", id="case-of-userinfo"),
    pytest.param("port", "80", "080", "fail", id="port"),
    pytest.param("port", "80", {"hex": "3830"}, "fail", id="octets"),
    pytest.param("fieldspecs", [["a", "b"]], [["a", "b"]], "pass", id="pairs"),
    pytest.param("fieldspecs", [["a", "b"]], [["a", "c"]], "fail", id="other-pairs"),
    pytest.param("fieldspecs", [["a", "b"], ["c", ""]], [["c", ""], ["a", "b"]], "fail", id="order"),
    pytest.param("fieldspecs", [["a", "b"]], None, "fail", id="no-pairs"),
    pytest.param("fieldspecs", None, [["a", "b"]], "fail", id="pairs-for-none"),
]


@pytest.mark.parametrize(
    ("spec", "features"),
    [("rfc3986", TELLS_EMPTY), ("rfc3986", ()), ("rfc1808", TELLS_EMPTY)],
    ids=["told-apart", "blurred", "rfc1808"],
)
@pytest.mark.parametrize(("name", "expected", "shown", "outcome"), COMPONENTS)
def test_components_are_compared_by_value(spec, features, name, expected, shown, outcome):
    assert compared(spec, name, expected, shown, features) == outcome


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


class ComparedAuthority(NamedTuple):
    """An authority as expected; its userinfo, host and port; outcomes with and without `absent-vs-empty`."""

    expected: str | None
    parts: tuple[str | None, ...]
    told_apart: str
    blurred: str


AUTHORITIES = [
    pytest.param(
        ComparedAuthority("u@h:80", ("u", "h", "80"), told_apart="pass", blurred="pass"), id="all-parts"
    ),
    pytest.param(
        ComparedAuthority("h", (None, "h", None), told_apart="pass", blurred="pass"), id="host-alone"
    ),
    pytest.param(
        ComparedAuthority("h", ("", "h", ""), told_apart="fail", blurred="pass"), id="empty-for-absent"
    ),
    pytest.param(
        ComparedAuthority("@h:", ("", "h", ""), told_apart="pass", blurred="partial"), id="empty-parts"
    ),
    pytest.param(
        ComparedAuthority("h:", (None, "h", None), told_apart="fail", blurred="partial"),
        id="absent-for-empty",
    ),
    pytest.param(
        ComparedAuthority("u@h:", ("u", "h", ""), told_apart="pass", blurred="partial"), id="empty-port"
    ),
    pytest.param(
        ComparedAuthority("U@Host", ("U", "host", None), told_apart="pass", blurred="pass"),
        id="host-in-lower-case",
    ),
    pytest.param(
        ComparedAuthority("U@h", ("u", "h", None), told_apart="fail", blurred="fail"),
        id="userinfo-in-lower-case",
    ),
    pytest.param(
        ComparedAuthority("h:080", (None, "h", "80"), told_apart="fail", blurred="fail"), id="other-port"
    ),
    pytest.param(
        ComparedAuthority("[::1]", (None, "::1", None), told_apart="fail", blurred="fail"), id="no-brackets"
    ),
    pytest.param(ComparedAuthority("", (None, "", None), told_apart="pass", blurred="partial"), id="empty"),
    pytest.param(ComparedAuthority(None, (None, None, None), told_apart="pass", blurred="pass"), id="none"),
    pytest.param(
        ComparedAuthority(None, ("", "", ""), told_apart="fail", blurred="pass"), id="empty-for-none"
    ),
    pytest.param(
        ComparedAuthority("h", (None, None, None), told_apart="partial", blurred="partial"),
        id="no-host-shown",
    ),
    pytest.param(
        ComparedAuthority("h", (None, "i", None), told_apart="fail", blurred="fail"), id="other-host"
    ),
]


SPECS_WITH_AUTHORITY = pytest.mark.parametrize("spec", ["rfc2396", "rfc2732", "rfc3986"])


def parts_of_authority(userinfo, host, port) -> dict[str, str | None]:
    """Return the components of an answer that shows only these."""
    return {"userinfo": userinfo, "host": host, "port": port}


@SPECS_WITH_AUTHORITY
@pytest.mark.parametrize("row", AUTHORITIES)
def test_an_authority_is_made_from_its_parts(spec, row):
    """RFC 3986, section 3.2: authority = [ userinfo "@" ] host [ ":" port ]."""
    verdict = compare_components(
        spec, {"authority": row.expected}, parts_of_authority(*row.parts), TELLS_EMPTY
    )
    assert verdict.outcome == row.told_apart


@SPECS_WITH_AUTHORITY
@pytest.mark.parametrize("row", AUTHORITIES)
def test_an_empty_part_of_an_authority_may_stand_for_an_absent_one(spec, row):
    """The adapter does not tell absent from empty."""
    verdict = compare_components(spec, {"authority": row.expected}, parts_of_authority(*row.parts), ())
    assert verdict.outcome == row.blurred


@pytest.mark.parametrize("hidden", ["userinfo", "host", "port"])
def test_an_authority_without_one_of_its_parts_is_not_exposed(hidden):
    exposed = {"userinfo": None, "host": "h", "port": None, "path": ""}
    del exposed[hidden]
    verdict = compare_components("rfc3986", {"authority": "h", "path": ""}, exposed, TELLS_EMPTY)
    assert verdict.outcome == "partial"
    assert verdict.detail == "not exposed: authority"


@pytest.mark.parametrize(
    ("expected", "shown", "outcome"),
    [
        pytest.param("U@H.example:8", "U@h.example:8", Outcome.PASS, id="host"),
        pytest.param("%E4.example", "%e4.example", Outcome.PASS, id="triplet-of-a-host"),
        pytest.param("U@h", "u@h", Outcome.FAIL, id="userinfo"),
        pytest.param("@h", "h", Outcome.FAIL, id="empty-userinfo"),
    ],
)
@pytest.mark.parametrize(("spec", "name"), [("rfc3986", "authority"), ("rfc1808", "net_loc")])
def test_only_the_case_of_the_host_is_ignored_in_an_authority(spec, name, expected, shown, outcome):
    """G-11: nobody requires a parser to keep the case of a host, or to fold it."""
    assert compare_components(spec, {name: expected}, {name: shown}, TELLS_EMPTY).outcome is outcome


def test_a_wrong_part_is_reported_without_the_authority():
    answer = parts_of_authority(None, "i", None)
    verdict = compare_components("rfc3986", {"authority": "h", "host": "h"}, answer, TELLS_EMPTY)
    assert verdict.detail == "host is 'i', not 'h'"


def test_a_wrong_part_of_which_only_the_authority_is_expected_is_reported_as_the_authority():
    verdict = compare_components(
        "rfc3986", {"authority": "h"}, parts_of_authority(None, "i", None), TELLS_EMPTY
    )
    assert verdict.detail == "the authority made from its parts is 'i', not 'h'"


@pytest.mark.parametrize(
    ("expected", "shown", "features", "outcome"),
    [
        pytest.param("", "", (), "partial", id="perhaps-absent"),
        pytest.param("", "", TELLS_EMPTY, "pass", id="empty"),
        pytest.param("", None, TELLS_EMPTY, "fail", id="absent-for-empty"),
        pytest.param(None, "", TELLS_EMPTY, "fail", id="empty-for-absent"),
    ],
)
def test_an_empty_path_differs_from_an_absent_one_in_rfc1738(expected, shown, features, outcome):
    """Without its slash the path is absent; an adapter that cannot tell both apart answers in part."""
    assert compare_components("rfc1738", {"path": expected}, {"path": shown}, features).outcome == outcome


class Resolved(NamedTuple):
    """A resolution, its expected result, what came, and the outcome."""

    base: str
    reference: str
    expected: str
    got: str
    outcome: str


#: Scheme and host may be folded where the question had them in mixed case (ruling G-11), other parts never.
RESULTS = [
    pytest.param(
        Resolved("http://Host/a", "b", expected="http://Host/b", got="http://host/b", outcome="pass"),
        id="host-of-the-base",
    ),
    pytest.param(
        Resolved("HTTP://h/a", "b", expected="HTTP://h/b", got="http://h/b", outcome="pass"),
        id="scheme-of-the-base",
    ),
    pytest.param(
        Resolved("http://h/a", "//Host/b", expected="http://Host/b", got="http://host/b", outcome="pass"),
        id="host-of-the-reference",
    ),
    pytest.param(
        Resolved("http://h/a", "G:h", expected="G:h", got="g:h", outcome="pass"), id="scheme-of-the-reference"
    ),
    pytest.param(
        Resolved("http://h/a", "b", expected="http://h/b", got="http://H/b", outcome="fail"),
        id="nothing-was-mixed",
    ),
    pytest.param(
        Resolved("http://Host/a", "B", expected="http://Host/B", got="http://host/b", outcome="fail"),
        id="paths-never-fold",
    ),
    pytest.param(
        Resolved("http://U@Host/a", "b", expected="http://U@Host/b", got="http://u@host/b", outcome="fail"),
        id="nor-does-userinfo",
    ),
    pytest.param(
        Resolved("http://U@Host/a", "b", expected="http://U@Host/b", got="http://U@host/b", outcome="pass"),
        id="host-after-userinfo",
    ),
    pytest.param(
        Resolved("http://h/a", "?X//Y", expected="http://h/a?X//Y", got="http://h/a?x//y", outcome="fail"),
        id="slashes-in-a-query",
    ),
    pytest.param(
        Resolved("http://h/a", "B:c/../D", expected="B:c/../D", got="b:c/../d", outcome="fail"),
        id="opaque-part",
    ),
]


@pytest.mark.parametrize("row", RESULTS)
def test_only_capitals_of_scheme_and_host_in_the_question_may_be_folded_in_a_result(row):
    resolve_case = case("resolve", {"result": row.expected}, base=row.base, reference=row.reference)
    assert judge(resolve_case, reply(url=row.got), TELLS_EMPTY).outcome == row.outcome


def test_normal_forms_are_never_folded():
    normalize_case = case("normalize", {"result": "http://host/"}, url="http://Host/")
    assert judge(normalize_case, reply(url="http://Host/"), TELLS_EMPTY).outcome == "fail"


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


def outcome(op: str, expect: dict[str, Any], got: dict[str, Any], features=TELLS_EMPTY, **fields: Any) -> str:
    """Return the outcome, with a colon and the variant if there is one."""
    text, _ = verdict(op, expect, got, features, **fields)
    return text


def verdict(op, expect, got, features=TELLS_EMPTY, **fields) -> tuple[str, str]:
    """Return the outcome, with a colon and the variant if there is one, and the detail."""
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
    judged_case = Case("rfc3986", "1", msgspec.convert(vector, Vector), "1-x.json")
    judged = judge(judged_case, reply(**got), features)
    outcome_with_variant = f"{judged.outcome}:{judged.variant}" if judged.variant else f"{judged.outcome}"
    return outcome_with_variant, judged.detail


TEXTS_NO = {"status": "reject", "message": "no"}


TWO_URLS = {"urls": [["http://a/b"], ["http://c/d", "http://c-d"]]}


ONE_OR_NONE = {"any": [{"urls": [["http://a/"]]}, {"urls": [], "variant": "left-alone"}]}


PREFIX = {"any": [{"urls": [["a:b"], ["c:d"]]}, {"urls": [["URL:a:b"], ["c:d"]], "variant": "prefix-kept"}]}


WITH_AND_WITHOUT_PREFIX = ["a:b", "URL:a:b"]


EITHER = {"any": [{"equal": True}, {"equal": False, "variant": "apart"}]}


class JudgedTexts(NamedTuple):
    """An expectation of texts, a reply, and the verdict on it."""

    op: str
    expect: Any
    got: Mapping[str, Any]
    outcome: str
    words: str = ""


TEXTS_TABLE = [
    pytest.param(
        JudgedTexts("extract", TWO_URLS, {"urls": TWO_URLS["urls"]}, outcome="pass"), id="every-reading"
    ),
    pytest.param(
        JudgedTexts("extract", TWO_URLS, {"urls": [["http://a/b"], ["http://c-d"]]}, outcome="pass"),
        id="one-reading",
    ),
    pytest.param(
        JudgedTexts(
            "extract",
            TWO_URLS,
            {"urls": [["http://a/b"], ["http://c-d", "http://c/d", "http://c-d"]]},
            outcome="pass",
        ),
        id="readings-in-another-order",
    ),
    pytest.param(
        JudgedTexts(
            "extract",
            TWO_URLS,
            {"urls": [["http://a/b"], ["http://c/d", "http://e"]]},
            outcome="fail",
            words="URL 2 is 'http://e', not 'http://c/d' or 'http://c-d'",
        ),
        id="a-reading-too-many",
    ),
    pytest.param(
        JudgedTexts(
            "extract",
            TWO_URLS,
            {"urls": [["http://a/b"], []]},
            outcome="fail",
            words="URL 2 is no reading, not 'http://c/d'",
        ),
        id="no-reading",
    ),
    pytest.param(
        JudgedTexts(
            "extract",
            TWO_URLS,
            {"urls": list(reversed(TWO_URLS["urls"]))},
            outcome="fail",
            words="URL 1 is 'http://c/d'",
        ),
        id="wrong-order",
    ),
    pytest.param(
        JudgedTexts(
            "extract",
            TWO_URLS,
            {"urls": [["http://a/b"]]},
            outcome="fail",
            words="1 URL found, not 2: 'http://a/b'",
        ),
        id="too-few",
    ),
    pytest.param(
        JudgedTexts(
            "extract",
            TWO_URLS,
            {"urls": [*TWO_URLS["urls"], ["x:y"]]},
            outcome="fail",
            words="3 URLs found, not 2",
        ),
        id="too-many",
    ),
    pytest.param(
        JudgedTexts("extract", TWO_URLS, {"urls": []}, outcome="fail", words="0 URLs found, not 2: no URL"),
        id="none-found",
    ),
    pytest.param(JudgedTexts("extract", {"urls": []}, {"urls": []}, outcome="pass"), id="none-there"),
    pytest.param(
        JudgedTexts("extract", {"urls": []}, {"urls": [["x:y"]]}, outcome="fail", words="1 URL found, not 0"),
        id="found-in-none",
    ),
    pytest.param(
        JudgedTexts("extract", {"urls": [["A:b"]]}, {"urls": [["a:b"]]}, outcome="fail", words="'a:b'"),
        id="case-counts",
    ),
    pytest.param(
        JudgedTexts(
            "extract", TWO_URLS, {"url": "http://a/b"}, outcome="fail", words="no urls in the answer"
        ),
        id="no-urls",
    ),
    pytest.param(
        JudgedTexts("extract", TWO_URLS, TEXTS_NO, outcome="fail", words="rejected: no"), id="text-refused"
    ),
    pytest.param(
        JudgedTexts("extract", ONE_OR_NONE, {"urls": [["http://a/"]]}, outcome="pass"), id="recommended-urls"
    ),
    pytest.param(
        JudgedTexts("extract", ONE_OR_NONE, {"urls": []}, outcome="variant:left-alone"), id="optional-url"
    ),
    pytest.param(
        JudgedTexts(
            "extract",
            PREFIX,
            {"urls": [WITH_AND_WITHOUT_PREFIX, ["c:d"]]},
            outcome="pass",
        ),
        id="readings-of-two-alternatives",
    ),
    pytest.param(
        JudgedTexts(
            "extract",
            PREFIX,
            {"urls": [["URL:a:b", "a:b"], ["c:d"]]},
            outcome="variant:prefix-kept",
        ),
        id="first-names-it",
    ),
    pytest.param(
        JudgedTexts(
            "extract",
            PREFIX,
            {"urls": [[*WITH_AND_WITHOUT_PREFIX, "x:y"], ["c:d"]]},
            outcome="fail",
            words="'x:y'",
        ),
        id="and-a-third",
    ),
    pytest.param(
        JudgedTexts(
            "extract", PREFIX, {"urls": [WITH_AND_WITHOUT_PREFIX, []]}, outcome="fail", words="no reading"
        ),
        id="and-no-reading",
    ),
    pytest.param(
        JudgedTexts(
            "extract", PREFIX, {"urls": [WITH_AND_WITHOUT_PREFIX]}, outcome="fail", words="1 URL found, not 2"
        ),
        id="and-too-few",
    ),
    pytest.param(
        JudgedTexts("extract", PREFIX, {"urls": []}, outcome="fail", words="0 URLs found, not 2"),
        id="and-none",
    ),
    pytest.param(
        JudgedTexts("equivalent", {"equal": True}, {"equal": True}, outcome="pass"), id="equivalent"
    ),
    pytest.param(
        JudgedTexts("equivalent", {"equal": True}, {"equal": False}, outcome="fail", words="got different"),
        id="held-apart",
    ),
    pytest.param(
        JudgedTexts("equivalent", {"equal": False}, {"equal": False}, outcome="pass"), id="different"
    ),
    pytest.param(
        JudgedTexts("equivalent", {"equal": False}, {"equal": True}, outcome="fail", words="got equivalent"),
        id="confused",
    ),
    pytest.param(
        JudgedTexts("equivalent", {"equal": False}, {}, outcome="fail", words="no equal in the answer"),
        id="no-verdict",
    ),
    pytest.param(
        JudgedTexts("equivalent", EITHER, {"equal": True}, outcome="pass"), id="recommended-verdict"
    ),
    pytest.param(
        JudgedTexts("equivalent", EITHER, {"equal": False}, outcome="variant:apart"), id="admissible-verdict"
    ),
    pytest.param(
        JudgedTexts("equivalent", EITHER, TEXTS_NO, outcome="fail", words="rejected"),
        id="compared-is-refused",
    ),
    pytest.param(JudgedTexts("equivalent", {"valid": False}, TEXTS_NO, outcome="pass"), id="invalid-url"),
    pytest.param(
        JudgedTexts("equivalent", {"valid": False}, {"equal": False}, outcome="fail", words="accepted"),
        id="invalid-compared",
    ),
    pytest.param(JudgedTexts("decode", {"valid": False}, TEXTS_NO, outcome="pass"), id="invalid-ftp"),
    pytest.param(
        JudgedTexts("decode", {"valid": False}, {"decoded": {}}, outcome="fail", words="accepted"),
        id="invalid-decoded",
    ),
    pytest.param(
        JudgedTexts("decode", {"decoded": {"user": "a"}}, {}, outcome="fail", words="no decoded"),
        id="no-view",
    ),
    pytest.param(
        JudgedTexts(
            "decode",
            {"decoded": {"user": "a", "cwd": [], "name": "b"}},
            {"decoded": {"user": "a"}},
            outcome="partial",
            words="not exposed: cwd, name",
        ),
        id="missing-parts",
    ),
    pytest.param(
        JudgedTexts(
            "decode",
            {"decoded": {"user": "a", "name": "b"}},
            {"decoded": {"name": "c"}},
            outcome="fail",
            words="name is 'c', not 'b'",
        ),
        id="wrong-and-missing-is-wrong",
    ),
    pytest.param(
        JudgedTexts("decode", {"decoded": {"user": "a"}}, {"decoded": {}}, outcome="unsupported"),
        id="empty-view",
    ),
    pytest.param(
        JudgedTexts(
            "decode",
            {"decoded": {"user": "a"}},
            {"decoded": {"user": "a", "more": [["x", "y"]]}},
            outcome="pass",
        ),
        id="more-than-is-asked",
    ),
    pytest.param(
        JudgedTexts("base", {"base": "http://a/"}, {"base": "http://a/"}, outcome="pass"), id="base"
    ),
    pytest.param(
        JudgedTexts(
            "base", {"base": "http://a/"}, {"base": "http://b/"}, outcome="fail", words="got 'http://b/'"
        ),
        id="other",
    ),
    pytest.param(
        JudgedTexts("base", {"base": "http://a/"}, {"base": None}, outcome="fail", words="got no base"),
        id="base-for-none",
    ),
    pytest.param(
        JudgedTexts(
            "base", {"base": "x:y"}, {"base": {"hex": "ff"}}, outcome="fail", words="got bytes '\\xff'"
        ),
        id="base-in-octets",
    ),
    pytest.param(JudgedTexts("base", {"base": None}, {"base": None}, outcome="pass"), id="no-base"),
    pytest.param(
        JudgedTexts("base", {"base": None}, {"base": "http://a/"}, outcome="fail", words="got 'http://a/'"),
        id="a-base",
    ),
    pytest.param(
        JudgedTexts("base", {"base": None}, {}, outcome="fail", words="no base in the answer"),
        id="base-left-out",
    ),
    pytest.param(
        JudgedTexts("base", {"base": None}, TEXTS_NO, outcome="fail", words="rejected"), id="base-refused"
    ),
    pytest.param(JudgedTexts("base", {"valid": False, "at": 9}, TEXTS_NO, outcome="pass"), id="invalid-base"),
    pytest.param(
        JudgedTexts("base", {"valid": False}, {"base": None}, outcome="fail", words="accepted"),
        id="invalid-base-accepted",
    ),
]


@pytest.mark.parametrize("row", TEXTS_TABLE)
def test_an_answer_about_texts_has_its_outcome(row):
    text, detail = verdict(row.op, row.expect, row.got)
    assert text == row.outcome
    assert row.words in detail


@pytest.mark.parametrize("row", TEXTS_TABLE)
def test_only_an_answer_that_is_not_right_has_a_detail(row):
    _, detail = verdict(row.op, row.expect, row.got)
    if row.outcome in ("fail", "partial", "unsupported"):
        assert detail != ""
    else:
        assert detail == ""


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
def test_an_error_about_texts_is_never_a_variant(op, expect, status):
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
    ids=["decode", "base"],
)
def test_a_part_that_is_absent_or_empty_is_not_called_hidden(op, expect, got, name):
    assert verdict(op, expect, got, ()) == ("partial", f"cannot tell absent from empty: {name}")


class Blurred(NamedTuple):
    """A part as expected and as shown, and the outcomes with and without the feature `absent-vs-empty`."""

    name: str
    expected: Any
    shown: Any
    told_apart: str
    blurred: str


BLURRED = [
    pytest.param(Blurred("search", None, "", told_apart="fail", blurred="pass"), id="empty-for-absent"),
    pytest.param(Blurred("search", "", None, told_apart="fail", blurred="partial"), id="absent-for-empty"),
    pytest.param(Blurred("search", "", "", told_apart="pass", blurred="partial"), id="empty"),
    pytest.param(Blurred("search", None, "a", told_apart="fail", blurred="fail"), id="text-for-absent"),
    pytest.param(
        Blurred("request", None, "", told_apart="fail", blurred="fail"), id="request-that-cannot-be-sent"
    ),
    pytest.param(Blurred("request", "", "", told_apart="pass", blurred="pass"), id="empty-request"),
    pytest.param(Blurred("cwd", [], None, told_apart="fail", blurred="fail"), id="lists-are-no-texts"),
]


@pytest.mark.parametrize("row", BLURRED)
def test_absent_and_empty_parts_differ_for_an_adapter_that_tells_them_apart(row):
    expectation = {"decoded": {row.name: row.expected}}
    answer = {"decoded": {row.name: row.shown}}
    assert outcome("decode", expectation, answer) == row.told_apart


@pytest.mark.parametrize("row", BLURRED)
def test_absent_and_empty_parts_are_blurred_for_an_adapter_without_the_feature(row):
    expectation = {"decoded": {row.name: row.expected}}
    answer = {"decoded": {row.name: row.shown}}
    assert outcome("decode", expectation, answer, features=()) == row.blurred


BASES = [
    pytest.param(Blurred("base", "", "", told_apart="pass", blurred="partial"), id="empty"),
    pytest.param(Blurred("base", "", None, told_apart="fail", blurred="partial"), id="none-for-empty"),
    pytest.param(Blurred("base", None, "", told_apart="fail", blurred="pass"), id="empty-for-none"),
    pytest.param(Blurred("base", None, None, told_apart="pass", blurred="pass"), id="none"),
    pytest.param(Blurred("base", "x:y", "", told_apart="fail", blurred="fail"), id="empty-for-a-base"),
]


@pytest.mark.parametrize("row", BASES)
def test_no_base_and_an_empty_base_differ_for_an_adapter_that_tells_them_apart(row):
    """RFC 1808, section 3.4, has an empty base, the others have none."""
    assert outcome("base", {"base": row.expected}, {"base": row.shown}) == row.told_apart


@pytest.mark.parametrize("row", BASES)
def test_no_base_and_an_empty_base_are_blurred_for_an_adapter_without_the_feature(row):
    assert outcome("base", {"base": row.expected}, {"base": row.shown}, ()) == row.blurred


@pytest.mark.parametrize(
    ("layers", "expected", "got"),
    [
        pytest.param({"retrieval": "http://Host/a"}, "http://Host/a", "http://host/a", id="host"),
        pytest.param(
            {"retrieval": None, "embedded": "b", "default": "HTTP://h/a"},
            "HTTP://h/b",
            "http://h/b",
            id="scheme",
        ),
    ],
)
def test_capitals_of_scheme_and_host_in_a_layer_may_be_folded_in_the_base(layers, expected, got):
    """Ruling G-11."""
    assert outcome("base", {"base": expected}, {"base": got}, **layers) == "pass"


@pytest.mark.parametrize(
    ("retrieval", "got"),
    [
        pytest.param("http://host/a", "http://HOST/a", id="host-without-capitals"),
        pytest.param("http://Host/A", "http://host/a", id="path"),
    ],
)
def test_capitals_of_a_base_are_neither_added_nor_folded_in_its_path(retrieval, got):
    assert outcome("base", {"base": retrieval}, {"base": got}, retrieval=retrieval) == "fail"


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
