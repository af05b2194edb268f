"""The JUnit report: well-formed whatever it reports, and failures, errors and skipped cases apart."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from urlharness.report.junit import render
from urlharness.results import Participant, Result
from urlharness.verdict import FAILING

RAN = Participant("lib", "ran")
PERMITTED = {
    "op": "resolve",
    "base": "a:b",
    "reference": "c",
    "binding": "permitted-set",
    "ruling": "G-01",
    "expect": {"any": [{"result": "d"}, {"result": "e", "variant": "x"}]},
}

#: An outcome of a required vector, and the element that stands for it.
OUTCOMES = [
    ("pass", None),
    ("variant", None),
    ("partial", "skipped"),
    ("unsupported", "skipped"),
    ("fail", "failure"),
    ("error", "error"),
    ("timeout", "error"),
    ("crash", "error"),
    ("garbage", "error"),
    ("no-answer", "error"),
    ("aborted", "error"),
]


def elements(results) -> dict[str, ET.Element]:
    """The test cases by name."""
    root = ET.fromstring(render(results).encode("utf-8"))
    return {case.attrib["name"]: case for case in root.iter("testcase")}


@pytest.mark.parametrize(("outcome", "element"), OUTCOMES)
def test_outcome(make_case, record, outcome, element):
    case = make_case("rfc3986-3.3-x")
    results = record([case], RAN, Result(case.vector.id, "lib", outcome, detail="why it is"))
    test = elements(results)["rfc3986-3.3-x"]
    assert [child.tag for child in test] == ([element] if element else [])
    assert all("why it is" in child.attrib["message"] for child in test)
    assert test.attrib["classname"] == "lib.rfc3986.3.3"


def test_every_outcome_is_in_the_table():
    shown = {outcome for outcome, element in OUTCOMES if element in ("failure", "error")}
    assert shown == FAILING


def test_only_required_vectors_fail(make_case, record):
    case = make_case("rfc2396-5.2-x", **PERMITTED)
    results = record([case], RAN, Result(case.vector.id, "lib", "fail"))
    assert list(elements(results)["rfc2396-5.2-x"]) == []


def test_a_suite_for_each_implementation_and_specification(make_case, record):
    cases = [make_case("rfc3986-3.3-x"), make_case("rfc2396-5.2-x", **PERMITTED), make_case("rfc3986-4-x")]
    answers = [
        Result(case.vector.id, name, "fail" if name == "lib" else "crash")
        for name in ("lib", "two")
        for case in cases
    ]
    root = ET.fromstring(render(record(cases, RAN, Participant("two", "ran"), *answers)).encode())
    suites = {suite.attrib["name"]: suite.attrib for suite in root.iter("testsuite")}
    assert suites.keys() == {"lib.rfc3986", "lib.rfc2396", "two.rfc3986", "two.rfc2396"}
    counts = {
        name: [int(found[key]) for key in ("tests", "failures", "errors")] for name, found in suites.items()
    }
    assert counts["lib.rfc3986"] == [2, 2, 0]
    assert counts["lib.rfc2396"] == [1, 0, 0]
    assert counts["two.rfc3986"] == [2, 0, 2]
    assert [int(root.attrib[key]) for key in ("tests", "failures", "errors")] == [6, 2, 3]


HOSTILE = [
    pytest.param("\x00\x01\x08\x0b\x0c\x0e\x1f\x7f", id="control"),
    pytest.param("\x1b[31mred\x1b]0;title\x07", id="escape-sequence"),
    pytest.param("]]></failure><x a='\"&lt;&amp;", id="markup"),
    pytest.param("\ufffe\uffff", id="no-characters"),
    pytest.param("\u2028\u202e\ufeff\U0001f600\U0010ffff", id="odd-characters"),
    pytest.param("a\r\nb\tc  d", id="white-space"),
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_well_formed(make_case, record, text):
    case = make_case("rfc3986-3.3-x")
    name = f"lib {text}"
    results = record(
        [case], Participant(name, "ran"), Result(case.vector.id, name, "fail", "", text, {}, text)
    )
    root = ET.fromstring(render(results).encode("utf-8"))
    (failure,) = root.iter("failure")
    (stderr,) = root.iter("system-err")
    for char in text:
        spelled = char if char.isprintable() and char not in "\ufffe\uffff" else f"\\u{{{ord(char):x}}}"
        assert char in "\r\n\t " or char in failure.attrib["message"] or spelled in failure.attrib["message"]
    assert "\x1b" not in (stderr.text or "")


def test_nothing_ran(record, make_case):
    """An adapter that is not installed has no suite, and the document is one all the same."""
    results = record([make_case("rfc3986-3.3-x")], Participant("lib", "not installed", message="no runtime"))
    assert list(ET.fromstring(render(results).encode()).iter("testsuite")) == []


def test_a_failure_tells_its_story(make_case, record):
    case = make_case("rfc3986-3.3-x")
    root = ET.fromstring(
        render(record([case], RAN, Result(case.vector.id, "lib", "fail", detail="odd"))).encode()
    )
    story = next(root.iter("failure")).text
    for part in ("requirement: ", "expected: ", "got: odd", "repeat: urlconform repro rfc3986-3.3-x -a lib"):
        assert part in story
