"""The JUnit report of a run that was gated: what fails in it is what the gate fails on, and nothing else."""

from __future__ import annotations

import runpy
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree as ET

import msgspec
import pytest

from urlharness.exitcodes import Exit
from urlharness.gate.baseline import Baseline, Entry, digest
from urlharness.gate.gate import judgements
from urlharness.gate.policy import PLAIN, Policy
from urlharness.report.junit import render
from urlharness.results.model import Participant, Result, Tally
from urlharness.results.verdict import Outcome

pytestmark = pytest.mark.once

CHECKS = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("report_checks.py"))))

ID = "rfc3986-3.3-x"
LIB = Participant("lib", "ran", ops=("validate",), specs=("rfc3986",))
OPEN = {
    "binding": "permitted-set",
    "expect": {"any": [{"valid": True}, {"valid": False, "variant": "x"}]},
}
NOTES = Policy(frozenset(["note", "must"]))
STRICT = Policy(strict=True)
LISTED = Policy(actions={"permitted-set": "recommended"})


def listing(*entries, **fields) -> Baseline:
    return Baseline("urlbaseline-1", "0123456789ab", "lib", ("rfc1738", "rfc3986"), entries, **fields)


@pytest.fixture
def gated(make_case, record):
    """The report of one vector of ours, what the gate said of it, and the case with its element, if any."""

    def report(outcome, listed=None, policy=PLAIN, *, identifier=ID, **fields):
        case = make_case(identifier, **fields)
        variant = "x" if outcome == "variant" else ""
        other = make_case("rfc3986-3.3-other")
        found = [
            Result(identifier, "lib", outcome, variant, "as it is"),
            Result(other.vector.id, "lib", "pass"),
        ]
        results = record([case, other], LIB, *found)
        entry = listed and Entry(identifier, listed, {}, digest(case), "#7")
        baselines = {"lib": listing(*([entry] if entry else []))} if listed is not None else {}
        (judgement,) = judgements(results, ["lib"], policy=policy, baselines=baselines)
        return judgement, read(render(results, [judgement]))

    return report


def read(text: str) -> ET.Element:
    """The report; it meets every schema, and its counts are those of its elements."""
    CHECKS.check_junit(text)
    root = ET.fromstring(text.encode())
    for suite in root.iter("testsuite"):
        for name, tag in (
            ("tests", "testcase"),
            ("failures", "failure"),
            ("errors", "error"),
            ("skipped",) * 2,
        ):
            assert int(suite.attrib[name]) == len(list(suite.iter(tag)))
    return root


def shown(root: ET.Element, name: str) -> tuple[str, str, str]:
    """The element of a test case: its name, its type, its message."""
    (test,) = (test for test in root.iter("testcase") if test.attrib["name"] == name)
    (found,) = [*(child for child in test if child.tag != "system-err"), None][:1]
    return ("", "", "") if found is None else (found.tag, found.attrib["type"], found.attrib["message"])


#: An outcome, what is listed (None without a list, empty where the list lacks it), the policy, fields of the
#: vector; then the element, its type, and words of its message.
CASES = [
    pytest.param("pass", None, PLAIN, {}, "", "", "", id="pass"),
    pytest.param("fail", None, PLAIN, {}, "failure", "fail", "as it is", id="fail"),
    pytest.param("crash", None, PLAIN, {}, "error", "crash", "as it is", id="crash"),
    pytest.param("unsupported", None, PLAIN, {}, "skipped", "unsupported", "as it is", id="unsupported"),
    pytest.param("partial", None, PLAIN, {}, "skipped", "partial", "as it is", id="partial"),
    pytest.param("unsupported", None, STRICT, {}, "failure", "unsupported", "as it is", id="strictly"),
    pytest.param("partial", None, STRICT, {}, "failure", "partial", "as it is", id="partial-strictly"),
    pytest.param("fail", "fail", PLAIN, {}, "skipped", "known", "fail, as the baseline lists", id="known"),
    pytest.param("timeout", "timeout", PLAIN, {}, "skipped", "known", "timeout, as the", id="known-error"),
    pytest.param("partial", "partial", STRICT, {}, "skipped", "known", "partial, as the", id="known-partial"),
    pytest.param("fail", "", PLAIN, {}, "failure", "fail", "as it is", id="regression"),
    pytest.param(
        "pass", "fail", PLAIN, {}, "failure", "stale",
        "it passes, and the baseline lists it as fail (#7): baseline update --only-shrink", id="stale",
    ),
    pytest.param("fail", "crash", PLAIN, {}, "failure", "changed", "as crash (#7); now fail", id="changed"),
    pytest.param("crash", "fail", PLAIN, {}, "error", "changed", "as fail (#7); now crash", id="now-error"),
    pytest.param("unsupported", "fail", PLAIN, {}, "failure", "changed", "now unsupported", id="given-up"),
    pytest.param(
        "fail", None, NOTES, {"level": "may"}, "skipped", "fail", "fail, not gated: as it is", id="level"
    ),
    pytest.param("crash", None, NOTES, {"level": "may"}, "skipped", "crash", "crash, not", id="level-error"),
    pytest.param("fail", None, PLAIN, OPEN, "skipped", "fail", "not gated", id="open-answer"),
    pytest.param("variant", None, PLAIN, OPEN, "", "", "", id="accepted-variant"),
    pytest.param("variant", None, LISTED, OPEN, "failure", "variant", "as it is", id="refused-variant"),
    pytest.param("variant", "variant", LISTED, OPEN, "skipped", "known", "variant, as", id="known-variant"),
]  # fmt: skip


@pytest.mark.parametrize(("outcome", "listed", "policy", "fields", "element", "type_", "words"), CASES)
def test_a_case_is_shown_as_it_was_judged(gated, outcome, listed, policy, fields, element, type_, words):
    judgement, root = gated(outcome, listed, policy, **fields)
    tag, kind, message = shown(root, ID)
    assert (tag, kind) == (element, type_)
    assert words in message
    failed = int(root.attrib["failures"]) + int(root.attrib["errors"])
    assert bool(failed) == (judgement.code != Exit.PASSED), "a green job has no failed test, a red one has"
    if element:
        assert "repeat: urlconform repro" in next(root.iter(element)).text


@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome.failing])
@pytest.mark.parametrize("claimed", [False, True])
def test_an_rfc_that_is_not_judged_fails_nothing(gated, outcome, claimed):
    identifier = ID if claimed else "rfc1738-3.1-x"
    _, root = gated(outcome, identifier=identifier)
    tag, kind, message = shown(root, identifier)
    assert (tag != "skipped") is claimed
    assert (kind, "not gated" in message) == (outcome, not claimed)


def test_without_a_gate_nothing_is_known(make_case, record):
    """`report FILE` has no judgement, and a survey judges no case."""
    case = make_case(ID)
    reference = Participant("reference", "ran")
    results = record([case], reference, Result(ID, "reference", "fail"))
    plain = render(results)
    assert shown(read(plain), ID)[:2] == ("failure", "fail")
    found = judgements(results, [], policy=NOTES)
    assert found[0].by is None
    assert render(results, found) == plain


def test_what_is_wrong_with_a_list_has_a_suite(make_case, record):
    """An id that no vector has, and coverage that was lost: neither is a case of the run."""
    case = make_case(ID)
    results = record([case], LIB, Result(ID, "lib", "pass"))
    gone = Entry("rfc3986-3.3-gone", "fail", {}, "0" * 12)
    listed = listing(gone, answered={"rfc3986": {"validate": 3, "resolve": 1}})
    found = judgements(results, ["lib"], baselines={"lib": listed}, known=[ID])
    root = read(render(results, found))
    suites = {suite.attrib["name"]: suite for suite in root.iter("testsuite")}
    assert list(suites) == ["lib.rfc3986.3.3", "lib.baseline"]
    names = [test.attrib["name"] for test in suites["lib.baseline"].iter("testcase")]
    assert names == ["rfc3986-3.3-gone", "rfc3986 resolve", "rfc3986 validate"]
    lost = ("failure", "coverage", "3 vectors were answered, and now 1")
    assert shown(root, "rfc3986 validate") == lost
    assert shown(root, "rfc3986-3.3-gone")[:2] == ("failure", "unknown id")
    assert {test.attrib["classname"] for test in suites["lib.baseline"].iter("testcase")} == {"lib.baseline"}
    assert [root.attrib[name] for name in ("tests", "failures", "errors")] == ["4", "3", "0"]


#: What keeps a gate from judging, and the type of the error that says so.
NOTHING = [
    pytest.param(
        {"policy": Policy(frozenset(["note"]))}, "nothing-ran", "no vector of level note", id="level"
    ),
    pytest.param({"specs": ("rfc1738", "rfc3986")}, "nothing-ran", "no vector of rfc1738", id="named"),
    pytest.param({"listed": "other"}, "invalid-file", "does not fit", id="another-list"),
]


@pytest.mark.parametrize(("terms", "type_", "words"), NOTHING)
def test_a_gate_that_judged_nothing_has_a_test_that_says_so(make_case, record, terms, type_, words):
    """Nothing of it failed, and yet the job is red."""
    cases = [make_case(ID), make_case("rfc1738-3.1-x")]
    found = [Result(ID, "lib", "pass"), Result("rfc1738-3.1-x", "lib", "unsupported")]
    results = record(cases, LIB, *found)
    baselines = {"lib": msgspec.structs.replace(listing(), implementation="x")} if "listed" in terms else {}
    policy, specs = terms.get("policy", PLAIN), terms.get("specs", ())
    judged = judgements(results, ["lib"], specs, policy=policy, baselines=baselines)
    root = read(render(results, judged))
    tag, kind, message = shown(root, "gate")
    assert (tag, kind, words in message) == ("error", type_, True)
    assert judged[0].by.baseline is None, "a list of another lists nothing of this one"


PART = "k1-rfc3986-URI"
DIGEST = "ab" * 32
#: Outcomes of generated cases, what is listed of them, the policy; the element and its type.
TALLIES = [
    pytest.param({"pass": 3}, None, PLAIN, "", "", id="pass"),
    pytest.param({"pass": 3, "fail": 2}, None, PLAIN, "failure", "fail", id="fail"),
    pytest.param({"crash": 2}, None, PLAIN, "error", "crash", id="crash"),
    pytest.param({"pass": 3, "fail": 2}, {"fail": 2}, PLAIN, "skipped", "known", id="known"),
    pytest.param({"pass": 3, "fail": 3}, {"fail": 2}, PLAIN, "failure", "changed", id="changed"),
    pytest.param({"pass": 3}, {"fail": 2}, PLAIN, "failure", "stale", id="stale"),
    pytest.param({"pass": 3, "fail": 2}, None, NOTES, "skipped", "fail", id="not-gated"),
    pytest.param({"unsupported": 2}, None, PLAIN, "skipped", "unsupported", id="unsupported"),
    pytest.param({"pass": 1, "unsupported": 2}, None, STRICT, "failure", "unsupported", id="strictly"),
]


@pytest.mark.parametrize(("outcomes", "listed", "policy", "element", "type_"), TALLIES)
def test_generated_cases_too(make_case, record, outcomes, listed, policy, element, type_):
    tally = Tally("lib", PART, "k1", "rfc3986", outcomes, outcomes, {}, "URI", DIGEST)
    results = record([make_case(ID)], LIB, Result(ID, "lib", "pass"))
    results = msgspec.structs.replace(results, tallies=(tally,))
    entry = Entry(PART, "fail", {"required": listed}, DIGEST[:12])
    baselines = {} if listed is None else {"lib": listing(entry)}
    found = judgements(results, ["lib"], policy=policy, baselines=baselines)
    root = read(render(results, found))
    tag, kind, message = shown(root, PART)
    assert (tag, kind) == (element, type_)
    if tag == "failure" and type_ != "stale":
        assert " of " in message
    assert (found[0].code == Exit.PASSED) is (tag not in ("failure", "error"))
