"""The JUnit report: well-formed whatever it reports, and failures, errors and skipped cases apart."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree as ET

import msgspec
import pytest

from urlharness.corpus.model import Requirement
from urlharness.protocol.messages import Implementation
from urlharness.report.junit import render
from urlharness.results.model import AskedVector, Example, Participant, Result, Tally
from urlharness.results.verdict import Outcome

pytestmark = pytest.mark.once

CHECKS = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("report_checks.py"))))
SCHEMA = CHECKS.SCHEMA

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


def read(results) -> ET.Element:
    """The report, checked against the schema."""
    text = render(results)
    CHECKS.validate_junit(text)
    return ET.fromstring(text.encode("utf-8"))


def elements(results) -> dict[str, ET.Element]:
    """The test cases by name."""
    root = read(results)
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
    assert shown == {outcome for outcome in Outcome if outcome.failing}


def test_only_required_vectors_fail(make_case, record):
    case = make_case("rfc2396-5.2-x", **PERMITTED)
    results = record([case], RAN, Result(case.vector.id, "lib", "fail"))
    assert list(elements(results)["rfc2396-5.2-x"]) == []


def test_a_suite_for_each_implementation_and_section(make_case, record):
    cases = [make_case("rfc3986-3.3-x"), make_case("rfc2396-5.2-x", **PERMITTED), make_case("rfc3986-4-x")]
    answers = [
        Result(case.vector.id, name, "fail" if name == "lib" else "crash")
        for name in ("lib", "two")
        for case in cases
    ]
    root = read(record(cases, RAN, Participant("two", "ran"), *answers))
    counts = {
        suite.attrib["name"]: [int(suite.attrib[key]) for key in ("tests", "failures", "errors", "skipped")]
        for suite in root.iter("testsuite")
    }
    assert counts == {
        "lib.rfc3986.3.3": [1, 1, 0, 0],
        "lib.rfc2396.5.2": [1, 0, 0, 0],
        "lib.rfc3986.4": [1, 1, 0, 0],
        "two.rfc3986.3.3": [1, 0, 1, 0],
        "two.rfc2396.5.2": [1, 0, 1, 0],
        "two.rfc3986.4": [1, 0, 1, 0],
    }
    assert [int(root.attrib[key]) for key in ("tests", "failures", "errors")] == [6, 2, 3]


def test_a_suite_says_what_it_is_about(make_case, record):
    case = make_case("rfc3986-3.3-x")
    ran = Participant("lib", "ran", Implementation("net/url", "1.26", "go"), specs=("rfc2396",))
    (suite,) = read(record([case], ran, Result(case.vector.id, "lib", "pass"))).iter("testsuite")
    said = {one.attrib["name"]: one.attrib["value"] for one in suite.iter("property")}
    assert said == {
        "urlconform": "1",
        "corpus": "0123456789ab",
        "python": "3.11.0",
        "platform": "Linux",
        "started": "2024-01-01T00:00:00+00:00",
        "implementation": "lib",
        "library": "net/url",
        "version": "1.26",
        "language": "go",
        "specification": "RFC 3986",
        "section": "3.3",
        "title": "Some section",
        "claimed": "no",
    }
    assert suite.attrib["timestamp"] == "2024-01-01T00:00:00"


def test_the_timestamp_is_in_utc(make_case, record):
    """Our schema and that of Ant take no offset, so that readers have to know which hour is meant."""
    results = record([make_case("rfc3986-3.3-x")], RAN, Result("rfc3986-3.3-x", "lib", "pass"))
    header = msgspec.structs.replace(results.header, started="2024-01-01T00:30:00+02:00")
    (suite,) = read(msgspec.structs.replace(results, header=header)).iter("testsuite")
    assert suite.attrib["timestamp"] == "2023-12-31T22:30:00"
    said = {one.attrib["name"]: one.attrib["value"] for one in suite.iter("property")}
    assert said["started"] == "2024-01-01T00:30:00+02:00"


@pytest.mark.parametrize("name", ["urlconform", "corpus", "started", "platform", "python"])
def test_any_header_is_well_formed(make_case, record, name):
    """No reader of files lets such a one through, but results can be made in memory."""
    results = record([make_case("rfc3986-3.3-x")], RAN, Result("rfc3986-3.3-x", "lib", "pass"))
    header = msgspec.structs.replace(results.header, **{name: "a\x01\x1b<b"})
    root = ET.fromstring(render(msgspec.structs.replace(results, header=header)).encode())
    (found,) = (one for one in root.iter("property") if one.attrib["name"] == name)
    assert found.attrib["value"] == "a\\u{1}\\u{1b}<b"


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
    root = read(results)
    (failure,) = root.iter("failure")
    (stderr,) = root.iter("system-err")
    for char in text:
        spelled = char if char.isprintable() and char not in "\ufffe\uffff" else f"\\u{{{ord(char):x}}}"
        assert char in "\r\n\t " or char in failure.attrib["message"] or spelled in failure.attrib["message"]
    assert "\x1b" not in (stderr.text or "")


@pytest.mark.parametrize(("state", "element"), [("not installed", "skipped"), ("dead", "error")])
def test_who_did_not_run_is_a_test_case(record, make_case, state, element):
    """Whoever reads counts only must not take silence for success."""
    results = record([make_case("rfc3986-3.3-x")], Participant("lib", state, message="no runtime"))
    (found,) = elements(results)["start"]
    assert (found.tag, found.attrib["message"]) == (element, f"{state}: no runtime")


@pytest.mark.parametrize("cut", [{"end": False}, {"interrupted": True}], ids=["cut", "interrupted"])
def test_a_run_that_was_cut_is_an_error(record, make_case, cut):
    case = make_case("rfc3986-3.3-x")
    (found,) = elements(record([case], RAN, Result(case.vector.id, "lib", "pass"), **cut))["complete"]
    assert found.tag == "error"
    assert "figures are of the cases that were settled" in found.attrib["message"]


#: The outcomes of required generated cases, and the element of the test that stands for all of them.
TALLIES = [
    pytest.param({"pass": 3}, None, id="pass"),
    pytest.param({"pass": 3, "fail": 1, "crash": 2}, "failure", id="fail"),
    pytest.param({"pass": 3, "crash": 2}, "error", id="crash"),
    pytest.param({"unsupported": 4}, "skipped", id="unsupported"),
]


@pytest.mark.parametrize(("outcomes", "element"), TALLIES)
def test_generated_cases_of_a_rule_are_one_test(make_case, record, outcomes, element):
    tally = Tally("lib", "rfc3986-complete-URI", "complete", "rfc3986", outcomes, outcomes, {}, "URI")
    asked = AskedVector(
        make_case("rfc3986-3.3-x"), Requirement("r", "3.3", 1, "0" * 12, "must", "So."), tally.part
    )
    example = Example(asked, Result("rfc3986-3.3-x", "lib", "fail", detail="why"))
    kept = (example,) if "fail" in outcomes else ()
    results = record([make_case("rfc3986-3.3-x")], RAN)
    root = read(msgspec.structs.replace(results, tallies=(tally,), examples=kept))
    (suite,) = root.iter("testsuite")
    assert suite.attrib["name"] == "lib.rfc3986.complete"
    (test,) = suite.iter("testcase")
    assert [child.tag for child in test] == ([element] if element else [])
    assert all("got: why" in (child.text or "") for child in test if kept)


def test_a_line_for_each_test(make_case, record):
    """For people who look into it, and for grep."""
    case = make_case("rfc3986-3.3-x")
    text = render(record([case], RAN, Result(case.vector.id, "lib", "pass")))
    assert [line.split()[0].split(">")[0] for line in text.splitlines()] == [
        "<?xml",
        "<testsuites",
        "<testsuite",
        "<testcase",
        "</testsuite",
        "</testsuites",
    ]


def test_the_schema_can_fail(make_case, record):
    """Each of these is refused: two outcomes, an outcome unnamed, a count missing, an unknown element."""
    good = render(record([make_case("rfc3986-3.3-x")], RAN, Result("rfc3986-3.3-x", "lib", "fail")))
    assert SCHEMA.is_valid(good)
    planted = [
        ("</failure>", '</failure><error message="" type="x"/>'),
        (' type="fail"', ""),
        (' failures="1"', ""),
        ("</failure>", "</failure><wrong/>"),
        ("T00:00:00", ""),
    ]
    for old, new in planted:
        assert old in good
        assert not SCHEMA.is_valid(good.replace(old, new))


def test_the_schema_of_jenkins_is_kept_to(make_case, record):
    """Where it is at hand every report of these tests is checked by it as well, and it can fail."""
    if CHECKS.JENKINS is None:
        pytest.skip("the schema of Jenkins is not at hand: URLCONFORM_JUNIT_XSD says where it is")
    good = render(record([make_case("rfc3986-3.3-x")], RAN, Result("rfc3986-3.3-x", "lib", "fail")))
    assert CHECKS.JENKINS.is_valid(good)
    assert not CHECKS.JENKINS.is_valid(good.replace(' failures="1"', ""))
    assert not CHECKS.JENKINS.is_valid(good.replace("</failure>", "</failure><wrong/>"))


def test_a_failure_tells_its_story(make_case, record):
    case = make_case("rfc3986-3.3-x")
    root = read(record([case], RAN, Result(case.vector.id, "lib", "fail", detail="odd")))
    story = next(root.iter("failure")).text
    for part in ("requirement: ", "expected: ", "got: odd", "repeat: urlconform repro rfc3986-3.3-x -a lib"):
        assert part in story


def test_no_line_is_a_command_to_a_build_server(make_case, record):
    """Printed into a log, as `junit=/dev/stdout` does: neither stderr of an adapter nor any other text is."""
    said = "a\n::error::x\n  ::set-output name=x::y\n\t::notice::z\n##vso[task.complete]\n##[error]w"
    case = make_case("rfc3986-3.3-x", url=said)
    crash = Result(case.vector.id, "lib", "crash", detail=said, stderr=said)
    text = render(record([case], RAN, Participant("two", "dead", message=said), crash))
    assert not [line for line in text.splitlines() if line.lstrip().startswith("::")]
    assert not re.search(r"##\w*\[", text)
    shown = next(ET.fromstring(text.encode()).iter("system-err")).text
    assert shown.splitlines()[1] == "\\u{3a}:error::x"
    assert len(shown.splitlines()) == len(said.splitlines())
