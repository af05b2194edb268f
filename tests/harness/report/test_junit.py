"""JUnit: failures, errors and skipped cases, without a gate and with one; valid for any text."""

from __future__ import annotations

import re
import tracemalloc
from collections.abc import Mapping
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import msgspec
import pytest
import report_checks

from urlharness.corpus.lock import locked_vector
from urlharness.corpus.model import Requirement
from urlharness.exitcodes import Exit
from urlharness.gate.baseline import Baseline, Entry
from urlharness.gate.findings import Finding
from urlharness.gate.gate import Criteria, Judgement, decide
from urlharness.gate.policy import PLAIN, Policy
from urlharness.protocol.messages import Implementation
from urlharness.report.failures import Failure
from urlharness.report.junit import mark_case, render, render_parts, render_pieces
from urlharness.results.model import AskedVector, Example, Participant, Result, Tally
from urlharness.results.verdict import Outcome

RAN = Participant("lib", "ran")
PART = "rfc3986-complete-URI"
PERMITTED = {
    "op": "resolve",
    "base": "a:b",
    "reference": "c",
    "binding": "permitted-set",
    "ruling": "G-01",
    "expect": {"any": [{"result": "d"}, {"result": "e", "variant": "x"}]},
}

#: An outcome of a required vector, and the elements in its test case.
OUTCOMES = {
    "pass": [],
    "variant": [],
    "partial": ["skipped"],
    "unsupported": ["skipped"],
    "fail": ["failure"],
    "error": ["error"],
    "timeout": ["error"],
    "crash": ["error"],
    "garbage": ["error"],
    "no-answer": ["error"],
    "aborted": ["error"],
}


def parse(text: str) -> ET.Element:
    """Parse a report after checking its schema, its texts and its counts."""
    report_checks.check_junit(text)
    root = ET.fromstring(text.encode())
    tags = {"tests": "testcase", "failures": "failure", "errors": "error", "skipped": "skipped"}
    for suite in root.iter("testsuite"):
        for name, tag in tags.items():
            assert int(suite.attrib[name]) == len(list(suite.iter(tag)))
    return root


def parsed_report(results) -> ET.Element:
    """Parse a report after checking its schema, its texts and its counts."""
    return parse(render(results))


def elements(results) -> dict[str, ET.Element]:
    """Return the test cases by name."""
    root = parsed_report(results)
    return {case.attrib["name"]: case for case in root.iter("testcase")}


@pytest.mark.parametrize(("outcome", "tags"), OUTCOMES.items(), ids=OUTCOMES)
def test_each_outcome_has_its_element(make_case, record, outcome, tags):
    case = make_case("rfc3986-3.3-x")
    results = record([case], RAN, Result(case.vector.id, "lib", outcome, detail="why it is"))
    test = elements(results)["rfc3986-3.3-x"]
    assert [child.tag for child in test] == tags
    assert [child for child in test if "why it is" not in child.attrib["message"]] == []


def test_the_class_of_a_test_is_its_implementation_and_section(make_case, record):
    results = record([make_case("rfc3986-3.3-x")], RAN, Result("rfc3986-3.3-x", "lib", "pass"))
    assert elements(results)["rfc3986-3.3-x"].attrib["classname"] == "lib.rfc3986.3.3"


def test_the_outcomes_with_a_failure_or_an_error_are_those_that_fail():
    with_failure = {outcome for outcome, tags in OUTCOMES.items() if tags in (["failure"], ["error"])}
    assert with_failure == {outcome for outcome in Outcome if outcome.failing}


def test_only_required_vectors_fail(make_case, record):
    case = make_case("rfc2396-5.2-x", **PERMITTED)
    results = record([case], RAN, Result(case.vector.id, "lib", "fail"))
    assert list(elements(results)["rfc2396-5.2-x"]) == []


@pytest.fixture
def report_of_two(make_case, record):
    """The report of two implementations, one with wrong answers and one that crashes, in three sections."""
    cases = [make_case("rfc3986-3.3-x"), make_case("rfc2396-5.2-x", **PERMITTED), make_case("rfc3986-4-x")]
    answers = [Result(case.vector.id, "lib", "fail") for case in cases]
    answers += [Result(case.vector.id, "two", "crash") for case in cases]
    return parsed_report(record(cases, RAN, Participant("two", "ran"), *answers))


def test_each_implementation_and_section_has_a_suite(report_of_two):
    """A wrong answer to a vector that admits several is no failure, and a crash is an error there, too."""
    counts = {}
    for suite in report_of_two.iter("testsuite"):
        attributes = suite.attrib
        counts[attributes["name"]] = [
            int(attributes[key]) for key in ("tests", "failures", "errors", "skipped")
        ]
    assert counts == {
        "lib.rfc3986.3.3": [1, 1, 0, 0],
        "lib.rfc2396.5.2": [1, 0, 0, 0],
        "lib.rfc3986.4": [1, 1, 0, 0],
        "two.rfc3986.3.3": [1, 0, 1, 0],
        "two.rfc2396.5.2": [1, 0, 1, 0],
        "two.rfc3986.4": [1, 0, 1, 0],
    }


def test_a_report_counts_the_tests_of_all_its_suites(report_of_two):
    counts = {name: int(report_of_two.attrib[name]) for name in ("tests", "failures", "errors")}
    assert counts == {"tests": 6, "failures": 2, "errors": 3}


def test_a_suite_says_what_it_is_about(make_case, record):
    case = make_case("rfc3986-3.3-x")
    ran = Participant("lib", "ran", Implementation("net/url", "1.26", "go"), specs=("rfc2396",))
    results = record([case], ran, Result(case.vector.id, "lib", "pass"))
    (suite,) = parsed_report(results).iter("testsuite")
    properties = {property_.attrib["name"]: property_.attrib["value"] for property_ in suite.iter("property")}
    assert properties == {
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


def test_a_suite_has_the_time_at_which_the_run_started(make_case, record):
    results = record([make_case("rfc3986-3.3-x")], RAN, Result("rfc3986-3.3-x", "lib", "pass"))
    (suite,) = parsed_report(results).iter("testsuite")
    assert suite.attrib["timestamp"] == "2024-01-01T00:00:00"


def test_the_timestamp_is_in_utc(make_case, record):
    """Neither our schema nor that of Ant admits an offset."""
    results = record([make_case("rfc3986-3.3-x")], RAN, Result("rfc3986-3.3-x", "lib", "pass"))
    header = msgspec.structs.replace(results.header, started="2024-01-01T00:30:00+02:00")
    (suite,) = parsed_report(msgspec.structs.replace(results, header=header)).iter("testsuite")
    assert suite.attrib["timestamp"] == "2023-12-31T22:30:00"
    properties = {property_.attrib["name"]: property_.attrib["value"] for property_ in suite.iter("property")}
    assert properties["started"] == "2024-01-01T00:30:00+02:00"


@pytest.mark.parametrize("name", ["urlconform", "corpus", "started", "platform", "python"])
def test_any_header_is_well_formed(make_case, record, name):
    """Files with such a header are rejected, but results can be made in memory."""
    results = record([make_case("rfc3986-3.3-x")], RAN, Result("rfc3986-3.3-x", "lib", "pass"))
    header = msgspec.structs.replace(results.header, **{name: "a\x01\x1b<b"})
    text = render(msgspec.structs.replace(results, header=header))
    root = ET.fromstring(text.encode())
    (header_property,) = (
        property_ for property_ in root.iter("property") if property_.attrib["name"] == name
    )
    assert header_property.attrib["value"] == "a\\u{1}\\u{1b}<b"


#: Hostile texts, and how an attribute shows them.
HOSTILE = [
    pytest.param("\x00\x01\x0e\x7f", r"\u{0}\u{1}\u{e}\u{7f}", id="control"),
    pytest.param("\x08\x0b\x0c\x1f", r"\u{8}\u{b}\u{c}\u{1f}", id="control-of-layout"),
    pytest.param("\x1b[31mred\x1b]0;title\x07", r"\u{1b}[31mred\u{1b}]0;title\u{7}", id="escape-sequence"),
    pytest.param("]]></failure><x a='\"&lt;&amp;", "]]></failure><x a='\"&lt;&amp;", id="markup"),
    pytest.param("\ufffe\uffff", r"\u{fffe}\u{ffff}", id="no-characters"),
    pytest.param("\u2028\u202e\ufeff", r"\u{2028}\u{202e}\u{feff}", id="invisible"),
    pytest.param("\U0001f600\U0010ffff", "\U0001f600\\u{10ffff}", id="astral"),
    pytest.param("a\r\nb\tc  d", r"a\u{d}\u{a}b\u{9}c  d", id="white-space"),
]


@pytest.mark.parametrize(("text", "shown"), HOSTILE)
def test_hostile_texts_are_well_formed(make_case, record, text, shown):
    case = make_case("rfc3986-3.3-x")
    name = f"lib {text}"
    wrong = Result(case.vector.id, name, "fail", detail=text, stderr=text)
    root = parsed_report(record([case], Participant(name, "ran"), wrong))
    (failure,) = root.iter("failure")
    assert failure.attrib["message"] == shown


def test_the_standard_error_keeps_its_lines_and_its_columns(make_case, record):
    crash = Result("rfc3986-3.3-x", "lib", "crash", stderr="\x1b[31ma\r\nb\tc  d")
    root = parsed_report(record([make_case("rfc3986-3.3-x")], RAN, crash))
    (stderr,) = root.iter("system-err")
    assert stderr.text == "\\u{1b}[31ma\\u{d}\nb       c  d"


@pytest.mark.parametrize(
    ("state", "element", "words"),
    [("not installed", "skipped", "not installed"), ("dead", "error", "could not start")],
)
def test_an_adapter_that_did_not_run_is_a_test_case(record, make_case, state, element, words):
    """A reader of the counts alone must not take silence for success."""
    results = record([make_case("rfc3986-3.3-x")], Participant("lib", state, message="no runtime"))
    (start_element,) = elements(results)["start"]
    assert start_element.tag == element
    assert start_element.attrib["message"] == f"{words}: no runtime"


@pytest.mark.parametrize("cut", [{"end": False}, {"interrupted": True}], ids=["cut", "interrupted"])
def test_a_run_that_was_cut_is_an_error(record, make_case, cut):
    case = make_case("rfc3986-3.3-x")
    (element,) = elements(record([case], RAN, Result(case.vector.id, "lib", "pass"), **cut))["complete"]
    assert element.tag == "error"
    assert "The run was" in element.attrib["message"]


@pytest.fixture
def suite_of_rule(make_case, record):
    """Return a function that makes the test suite of a rule.

    It takes the outcomes of the required generated cases, and examples.
    """

    def make(counts, *examples):
        outcomes = {Outcome(name): count for name, count in counts.items()}
        tally = Tally("lib", PART, "complete", "rfc3986", outcomes, outcomes, {}, "URI")
        results = record([make_case("rfc3986-3.3-x")], RAN)
        root = parsed_report(msgspec.structs.replace(results, tallies=(tally,), examples=examples))
        (suite,) = root.iter("testsuite")
        return suite

    return make


#: The outcomes of required generated cases, and the elements in the test case that stands for all of them.
TALLIES = [
    pytest.param({"pass": 3}, [], id="pass"),
    pytest.param({"pass": 3, "fail": 1, "crash": 2}, ["failure"], id="fail"),
    pytest.param({"pass": 3, "crash": 2}, ["error"], id="crash"),
    pytest.param({"unsupported": 4}, ["skipped"], id="unsupported"),
]


@pytest.mark.parametrize(("counts", "tags"), TALLIES)
def test_generated_cases_of_a_rule_are_one_test(suite_of_rule, counts, tags):
    suite = suite_of_rule(counts)
    assert suite.attrib["name"] == "lib.rfc3986.complete"
    (test,) = suite.iter("testcase")
    assert [child.tag for child in test] == tags


def test_the_failure_of_a_rule_shows_an_example(suite_of_rule, make_case):
    requirement = Requirement("r", "3.3", 1, "0" * 12, "must", "So.")
    asked_vector = AskedVector(make_case("rfc3986-3.3-x"), requirement, PART)
    wrong = Result("rfc3986-3.3-x", "lib", Outcome.FAIL, detail="why")
    (failure,) = suite_of_rule({"pass": 3, "fail": 1}, Example(asked_vector, wrong)).iter("failure")
    assert "got: why" in failure.text


def test_each_test_has_its_own_line(make_case, record):
    case = make_case("rfc3986-3.3-x")
    text = render(record([case], RAN, Result(case.vector.id, "lib", "pass")))
    assert [re.match(r"<[?/]?\w+", line)[0] for line in text.splitlines()] == [
        "<?xml",
        "<testsuites",
        "<testsuite",
        "<testcase",
        "</testsuite",
        "</testsuites",
    ]


@pytest.fixture
def report_of_failure(make_case, record):
    """The report of one failure."""
    return render(record([make_case("rfc3986-3.3-x")], RAN, Result("rfc3986-3.3-x", "lib", "fail")))


def test_a_report_is_valid_for_the_schema(report_of_failure):
    assert report_checks.junit_schema().is_valid(report_of_failure)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("</failure>", '</failure><error message="" type="x"/>', id="two-outcomes"),
        pytest.param(' type="fail"', "", id="no-type"),
        pytest.param(' failures="1"', "", id="no-count"),
        pytest.param("</failure>", "</failure><wrong/>", id="unknown-element"),
        pytest.param("T00:00:00", "", id="no-time"),
    ],
)
def test_the_schema_refuses_a_wrong_report(report_of_failure, old, new):
    assert old in report_of_failure
    assert not report_checks.junit_schema().is_valid(report_of_failure.replace(old, new))


@pytest.fixture
def jenkins_schema():
    """The schema of Jenkins; if it is available, every report of these tests is checked by it."""
    schema = report_checks.jenkins_schema()
    if schema is None:
        pytest.skip("URLCONFORM_JUNIT_XSD is not set")
    return schema


def test_a_report_is_valid_for_jenkins(report_of_failure, jenkins_schema):
    assert jenkins_schema.is_valid(report_of_failure)


@pytest.mark.parametrize(
    ("old", "new"), [(' failures="1"', ""), ("</failure>", "</failure><wrong/>")], ids=["count", "element"]
)
def test_the_schema_of_jenkins_refuses_a_wrong_report(report_of_failure, jenkins_schema, old, new):
    assert old in report_of_failure
    assert not jenkins_schema.is_valid(report_of_failure.replace(old, new))


def test_a_failure_has_a_description(make_case, record):
    case = make_case("rfc3986-3.3-x")
    root = parsed_report(record([case], RAN, Result(case.vector.id, "lib", "fail", detail="odd")))
    (failure,) = root.iter("failure")
    assert failure.text.strip() == (
        "input: validate: rule <URI>, url <a:b>\n"
        "expected: valid\n"
        "got: odd\n"
        "statement: It is so. (rfc3986-3.3-y)\n"
        "section: RFC 3986, section 3.3, paragraph 1\n"
        "repeat: urlconform repro rfc3986-3.3-x -a lib"
    )


@pytest.fixture
def report_with_commands(make_case, record):
    """A report in which every text of an adapter has commands to build servers.

    The report may be printed into a log, as by `junit=/dev/stdout`.
    """
    stderr = "a\n::error::x\n  ::set-output name=x::y\n\t::notice::z\n##vso[task.complete]\n##[error]w"
    case = make_case("rfc3986-3.3-x", url=stderr)
    crash = Result(case.vector.id, "lib", "crash", detail=stderr, stderr=stderr)
    return render(record([case], RAN, Participant("two", "dead", message=stderr), crash))


def test_no_line_is_a_command_to_a_build_server(report_with_commands):
    report_checks.check_log(report_with_commands)


def test_a_command_in_the_output_of_an_adapter_is_escaped(report_with_commands):
    (system_err,) = ET.fromstring(report_with_commands.encode()).iter("system-err")
    assert system_err.text.splitlines() == [
        "a",
        "\\u{3a}:error::x",
        "  \\u{3a}:set-output name=x::y",
        "        \\u{3a}:notice::z",
        "#\\u{23}vso[task.complete]",
        "#\\u{23}[error]w",
    ]


ID = "rfc3986-3.3-x"
LIB = Participant("lib", "ran", ops=("validate",), specs=("rfc3986",))
OPEN_VERDICT = {
    "binding": "permitted-set",
    "expect": {"any": [{"valid": True}, {"valid": False, "variant": "x"}]},
}
NOTES = Policy(frozenset(["note", "must"]))
STRICT = Policy(strict=True)
LISTED = Policy(actions={"permitted-set": "recommended"})


def listing(*entries, **fields) -> Baseline:
    """Return a baseline of RFC 1738 and RFC 3986 with these entries."""
    return Baseline("urlbaseline-1", "0123456789ab", "lib", ("rfc1738", "rfc3986"), entries, **fields)


@pytest.fixture
def gate_run(make_case, record):
    """Return a function that judges a run of one vector, and returns the judgement and the report.

    `listed` is None without a baseline, and "" if the baseline does not list the vector.
    """

    def report(outcome, listed=None, policy=PLAIN, *, identifier=ID, **fields):
        case = make_case(identifier, **fields)
        variant = "x" if outcome == "variant" else ""
        other_case = make_case("rfc3986-3.3-other")
        answers = [
            Result(identifier, "lib", outcome, variant, "as it is"),
            Result(other_case.vector.id, "lib", "pass"),
        ]
        results = record([case, other_case], LIB, *answers)
        baselines = {}
        if listed == "":
            baselines["lib"] = listing()
        elif listed is not None:
            baselines["lib"] = listing(Entry(identifier, listed, {}, locked_vector(case).digest, "#7"))
        (judgement,) = decide(results, ["lib"], policy=policy, baselines=baselines).judgements
        return judgement, parse(render(results, [judgement]))

    return report


class ElementOfCase(NamedTuple):
    """The element in a test case that says that it was skipped, failed or had an error."""

    tag: str
    type_: str
    message: str


def element_of(root: ET.Element, name: str) -> ElementOfCase:
    """Return the element of a test case; all its fields are empty if the test case passed."""
    (test,) = (test for test in root.iter("testcase") if test.attrib["name"] == name)
    children = [child for child in test if child.tag != "system-err"]
    if not children:
        return ElementOfCase("", "", "")
    (element,) = children
    return ElementOfCase(element.tag, element.attrib["type"], element.attrib["message"])


class JudgedCase(NamedTuple):
    """A case as it was judged, and the element of its test.

    `listed` is None without a baseline, and "" if the baseline does not list the case.
    """

    outcome: str
    listed: str | None = None
    policy: Policy = PLAIN
    fields: Mapping[str, Any] = {}
    element: str = ""
    type_: str = ""
    words: str = ""


CASES = [
    pytest.param(JudgedCase("pass"), id="pass"),
    pytest.param(JudgedCase("fail", element="failure", type_="fail", words="as it is"), id="fail"),
    pytest.param(JudgedCase("crash", element="error", type_="crash", words="as it is"), id="crash"),
    pytest.param(
        JudgedCase("unsupported", element="skipped", type_="unsupported", words="as it is"), id="unsupported"
    ),
    pytest.param(JudgedCase("partial", element="skipped", type_="partial", words="as it is"), id="partial"),
    pytest.param(
        JudgedCase("unsupported", policy=STRICT, element="failure", type_="unsupported", words="as it is"),
        id="strictly",
    ),
    pytest.param(
        JudgedCase("partial", policy=STRICT, element="failure", type_="partial", words="as it is"),
        id="partial-strictly",
    ),
    pytest.param(
        JudgedCase(
            "fail", listed="fail", element="skipped", type_="known", words="fail, as the baseline lists"
        ),
        id="known",
    ),
    pytest.param(
        JudgedCase("timeout", listed="timeout", element="skipped", type_="known", words="timeout, as the"),
        id="known-error",
    ),
    pytest.param(
        JudgedCase(
            "partial",
            listed="partial",
            policy=STRICT,
            element="skipped",
            type_="known",
            words="partial, as the",
        ),
        id="known-partial",
    ),
    pytest.param(
        JudgedCase("fail", listed="", element="failure", type_="fail", words="as it is"), id="regression"
    ),
    pytest.param(
        JudgedCase(
            "pass",
            listed="fail",
            element="failure",
            type_="stale",
            words="it passes, and the baseline lists it as fail (#7): remove it with baseline",
        ),
        id="stale",
    ),
    pytest.param(
        JudgedCase(
            "fail", listed="crash", element="failure", type_="changed", words="as crash (#7); now fail"
        ),
        id="changed",
    ),
    pytest.param(
        JudgedCase("crash", listed="fail", element="error", type_="changed", words="as fail (#7); now crash"),
        id="now-error",
    ),
    pytest.param(
        JudgedCase(
            "unsupported", listed="fail", element="failure", type_="lost", words="now not offered (#7)"
        ),
        id="lost",
    ),
    pytest.param(
        JudgedCase(
            "fail",
            policy=NOTES,
            fields={"level": "may"},
            element="skipped",
            type_="fail",
            words="fail, not gated: as it is",
        ),
        id="level",
    ),
    pytest.param(
        JudgedCase(
            "crash",
            policy=NOTES,
            fields={"level": "may"},
            element="skipped",
            type_="crash",
            words="crash, not",
        ),
        id="level-error",
    ),
    pytest.param(
        JudgedCase("fail", fields=OPEN_VERDICT, element="skipped", type_="fail", words="not gated"),
        id="open-answer",
    ),
    pytest.param(JudgedCase("variant", fields=OPEN_VERDICT), id="accepted-variant"),
    pytest.param(
        JudgedCase(
            "variant",
            policy=LISTED,
            fields=OPEN_VERDICT,
            element="failure",
            type_="variant",
            words="as it is",
        ),
        id="refused-variant",
    ),
    pytest.param(
        JudgedCase(
            "variant",
            listed="variant",
            policy=LISTED,
            fields=OPEN_VERDICT,
            element="skipped",
            type_="known",
            words="variant, as",
        ),
        id="known-variant",
    ),
]


@pytest.mark.parametrize("row", CASES)
def test_a_case_is_shown_as_it_was_judged(gate_run, row):
    _, root = gate_run(row.outcome, row.listed, row.policy, **row.fields)
    tag, kind, message = element_of(root, ID)
    assert tag == row.element
    assert kind == row.type_
    assert row.words in message


@pytest.mark.parametrize("row", CASES)
def test_a_report_has_a_failed_test_if_the_gate_is_not_passed(gate_run, row):
    """A green job has none, a red one has some."""
    judgement, root = gate_run(row.outcome, row.listed, row.policy, **row.fields)
    failed_tests = int(root.attrib["failures"]) + int(root.attrib["errors"])
    if judgement.code == Exit.PASSED:
        assert failed_tests == 0
    else:
        assert failed_tests > 0


@pytest.mark.parametrize(
    ("outcome", "listed", "element"),
    [
        ("fail", None, "failure"),
        ("crash", None, "error"),
        ("unsupported", None, "skipped"),
        ("pass", "fail", "failure"),
    ],
)
def test_a_case_with_an_element_has_the_command_that_repeats_it(gate_run, outcome, listed, element):
    _, root = gate_run(outcome, listed)
    (child,) = root.iterfind(f"testsuite/testcase[@name='{ID}']/{element}")
    assert f"repeat: urlconform repro {ID} -a lib" in child.text


@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome.failing])
def test_a_failure_under_an_rfc_that_is_not_judged_is_skipped(gate_run, outcome):
    _, root = gate_run(outcome, identifier="rfc1738-3.1-x")
    tag, kind, message = element_of(root, "rfc1738-3.1-x")
    assert tag == "skipped"
    assert kind == outcome
    assert "not gated" in message


@pytest.mark.parametrize("outcome", [outcome for outcome in Outcome if outcome.failing])
def test_a_failure_under_an_rfc_that_is_judged_is_not_skipped(gate_run, outcome):
    _, root = gate_run(outcome, identifier=ID)
    tag, kind, message = element_of(root, ID)
    assert tag != "skipped"
    assert kind == outcome
    assert "not gated" not in message


@pytest.fixture
def survey(make_case, record):
    """The results of a survey in which the reference gives a wrong answer."""
    return record([make_case(ID)], Participant("reference", "ran"), Result(ID, "reference", "fail"))


def test_a_wrong_answer_in_a_survey_is_a_failure(survey):
    element = element_of(parse(render(survey)), ID)
    assert element.tag == "failure"
    assert element.type_ == "fail"


def test_the_decision_on_a_survey_changes_no_case(survey):
    (judgement,) = decide(survey, [], policy=NOTES).judgements
    assert judgement.criteria is None
    assert render(survey, [judgement]) == render(survey)


@pytest.fixture
def report_without_cases(make_case, record):
    """A report on an id that is not in the corpus, and on lost coverage."""
    case = make_case(ID)
    results = record([case], LIB, Result(ID, "lib", "pass"))
    gone = Entry("rfc3986-3.3-gone", "fail", {}, "0" * 12)
    listed = listing(gone, answered={"rfc3986": {"validate": 3, "resolve": 1}})
    judgements = decide(results, ["lib"], baselines={"lib": listed}, corpus_ids=[ID]).judgements
    return parse(render(results, judgements))


def test_findings_without_a_case_have_suites_before_those_of_the_cases(report_without_cases):
    suites = [suite.attrib["name"] for suite in report_without_cases.iter("testsuite")]
    assert suites == ["lib.new", "lib.baseline", "lib.rfc3986.3.3"]


def test_each_finding_without_a_case_is_a_test_of_the_baseline(report_without_cases):
    tests = {test.attrib["name"]: test.attrib["classname"] for test in report_without_cases.iter("testcase")}
    assert tests == {
        "rfc3986-3.3-gone": "lib.baseline",
        "rfc3986 resolve": "lib.baseline",
        "rfc3986 validate": "lib.baseline",
        "coverage lost for 2 operations": "lib.new",
        "no such vector for 1 id": "lib.new",
        ID: "lib.rfc3986.3.3",
    }


@pytest.mark.parametrize(
    ("name", "type_", "words"),
    [
        ("rfc3986 validate", "coverage", "3 vectors were answered"),
        ("rfc3986-3.3-gone", "unknown id", "the corpus does not have it"),
    ],
)
def test_a_finding_without_a_case_is_a_failure(report_without_cases, name, type_, words):
    tag, kind, message = element_of(report_without_cases, name)
    assert tag == "failure"
    assert kind == type_
    assert words in message


def test_findings_without_a_case_are_counted(report_without_cases):
    counts = {name: report_without_cases.attrib[name] for name in ("tests", "failures", "errors")}
    assert counts == {"tests": "6", "failures": "5", "errors": "0"}


def test_a_lost_answer_names_its_missing_components_once(make_case, record):
    lost_case = make_case(ID)
    answer = Result(ID, "lib", Outcome.PARTIAL, detail="not exposed: host, port")
    results = record([lost_case], LIB, answer)
    failure = Failure(results.vectors[ID], answer, results)
    lost = Finding("lost", ID, None, answer, "answered, now not exposed: host, port")
    mark = mark_case(failure, Criteria(frozenset(), PLAIN, listing()), {ID: lost})
    assert mark == ("failure", "lost", "answered, now not exposed: host, port")
    assert [text for label, text in failure.labelled_facts(lost.detail) if label in ("got", "before")] == [
        "partial: not exposed: host, port",
        "answered",
    ]


@pytest.fixture
def two_specs(make_case, record):
    """A run of a vector of RFC 3986, which is right, and of one of RFC 1738, which was not answered."""
    cases = [make_case(ID), make_case("rfc1738-3.1-x")]
    answers = [Result(ID, "lib", "pass"), Result("rfc1738-3.1-x", "lib", "unsupported")]
    return record(cases, LIB, *answers)


#: The baseline of another implementation.
ANOTHER_LIST = msgspec.structs.replace(listing(), implementation="x")

#: Reasons why a gate judged nothing, and the type of the error.
NOTHING = [
    pytest.param(
        {"policy": Policy(frozenset(["note"]))}, "nothing-ran", "no vector of level note", id="level"
    ),
    pytest.param({"specs": ("rfc1738", "rfc3986")}, "nothing-ran", "no vector of rfc1738", id="named"),
    pytest.param({"baselines": {"lib": ANOTHER_LIST}}, "invalid-file", "is for another run", id="list"),
]


@pytest.mark.parametrize(("terms", "type_", "words"), NOTHING)
def test_a_gate_that_judged_nothing_is_an_error(two_specs, terms, type_, words):
    judgements = decide(two_specs, ["lib"], **terms).judgements
    tag, kind, message = element_of(parse(render(two_specs, judgements)), "gate")
    assert tag == "error"
    assert kind == type_
    assert words in message


def test_a_baseline_of_another_implementation_lists_nothing_of_this_one(two_specs):
    (judgement,) = decide(two_specs, ["lib"], baselines={"lib": ANOTHER_LIST}).judgements
    assert judgement.criteria.baseline is None


K1_PART = "k1-rfc3986-URI"
DIGEST = "ab" * 32


class JudgedRule(NamedTuple):
    """Outcomes of generated cases, those that the baseline lists, and the element of the rule."""

    outcomes: Mapping[str, int]
    listed: Mapping[str, int] | None = None
    policy: Policy = PLAIN
    element: str = ""
    type_: str = ""


GATED_TALLIES = [
    pytest.param(JudgedRule({"pass": 3}), id="pass"),
    pytest.param(JudgedRule({"pass": 3, "fail": 2}, element="failure", type_="fail"), id="fail"),
    pytest.param(JudgedRule({"crash": 2}, element="error", type_="crash"), id="crash"),
    pytest.param(
        JudgedRule({"pass": 3, "fail": 2}, listed={"fail": 2}, element="skipped", type_="known"), id="known"
    ),
    pytest.param(
        JudgedRule({"pass": 3, "fail": 3}, listed={"fail": 2}, element="failure", type_="changed"),
        id="changed",
    ),
    pytest.param(JudgedRule({"pass": 3}, listed={"fail": 2}, element="failure", type_="stale"), id="stale"),
    pytest.param(
        JudgedRule({"pass": 3, "fail": 2}, policy=NOTES, element="skipped", type_="fail"), id="not-gated"
    ),
    pytest.param(JudgedRule({"unsupported": 2}, element="skipped", type_="unsupported"), id="unsupported"),
    pytest.param(
        JudgedRule({"pass": 1, "unsupported": 2}, policy=STRICT, element="failure", type_="unsupported"),
        id="strictly",
    ),
]


class GatedRule(NamedTuple):
    """The judgement of a run of a rule, and the element of the rule in the report."""

    judgement: Judgement
    element: ElementOfCase


@pytest.fixture
def gated_rule(make_case, record):
    """Return a function that gates a run of a rule with these outcomes."""

    def report(outcomes, listed, policy):
        counts = {Outcome(name): count for name, count in outcomes.items()}
        tally = Tally("lib", K1_PART, "k1", "rfc3986", counts, counts, {}, "URI", DIGEST)
        results = record([make_case(ID)], LIB, Result(ID, "lib", "pass"))
        results = msgspec.structs.replace(results, tallies=(tally,))
        entry = Entry(K1_PART, "fail", {"required": listed}, DIGEST[:12])
        baselines = {} if listed is None else {"lib": listing(entry)}
        (judgement,) = decide(results, ["lib"], policy=policy, baselines=baselines).judgements
        return GatedRule(judgement, element_of(parse(render(results, [judgement])), K1_PART))

    return report


@pytest.mark.parametrize("row", GATED_TALLIES)
def test_a_rule_is_shown_as_it_was_judged(gated_rule, row):
    element = gated_rule(row.outcomes, row.listed, row.policy).element
    assert element.tag == row.element
    assert element.type_ == row.type_


@pytest.mark.parametrize("row", GATED_TALLIES)
def test_only_a_rule_that_the_gate_does_not_pass_is_a_failed_test(gated_rule, row):
    code = gated_rule(row.outcomes, row.listed, row.policy).judgement.code
    if row.element in ("failure", "error"):
        assert code != Exit.PASSED
    else:
        assert code == Exit.PASSED


@pytest.mark.parametrize(
    ("outcomes", "listed", "policy", "words"),
    [
        pytest.param({"pass": 3, "fail": 2}, None, PLAIN, "2 of 5", id="fail"),
        pytest.param({"pass": 3, "fail": 3}, {"fail": 2}, PLAIN, "3 of 6", id="changed"),
        pytest.param({"pass": 1, "unsupported": 2}, None, STRICT, "2 of 3", id="strictly"),
    ],
)
def test_the_failure_of_a_rule_counts_its_cases(gated_rule, outcomes, listed, policy, words):
    assert words in gated_rule(outcomes, listed, policy).element.message


def test_the_time_of_an_answer_is_that_of_its_test_and_its_suite(make_case, record):
    slow = Result(ID, "lib", "pass", seconds=0.304)
    root = parse(render(record([make_case(ID)], LIB, slow)))
    (suite,) = root
    assert suite.attrib["time"] == "0.304"
    assert suite.find("testcase").attrib["time"] == "0.304"


def test_an_answer_without_a_recorded_time_has_the_time_0(make_case, record):
    root = parse(render(record([make_case(ID)], LIB, Result(ID, "lib", "pass"))))
    assert root.find("testsuite/testcase").attrib["time"] == "0"


@pytest.fixture
def failing_run(make_case, record):
    """A run with failures of two sections, and its judgements."""
    cases = [make_case(f"rfc3986-3.{section}-{number}") for section in (3, 4) for number in range(10)]
    answers = [Result(case.vector.id, "lib", "fail", got={"status": "reject"}) for case in cases]
    results = record(cases, LIB, *answers)
    return results, decide(results, ["lib"]).judgements


@pytest.fixture
def case_of_group(failing_run):
    """The only test of the first suite of the report, which is that of the groups of new failures."""
    suite, *_ = parse(render(*failing_run))
    assert suite.attrib["name"] == "lib.new"
    (test,) = suite.iter("testcase")
    return test


def test_a_group_of_new_failures_is_a_test_of_the_first_suite(case_of_group):
    assert case_of_group.attrib["name"] == "valid URI rejected in 20 answers"


def test_the_test_of_a_group_has_its_example_in_full(case_of_group):
    assert "repeat: urlconform repro rfc3986-3.3-0 -a lib" in case_of_group.find("failure").text


def test_the_test_of_a_group_ends_with_the_number_of_its_other_failures(case_of_group):
    assert case_of_group.find("failure").text.endswith("\nand 19 more of the same")


def names_of_tests(text):
    """Return the names of the tests in a report or a part of one."""
    return [test.attrib["name"] for test in parse(text).iter("testcase")]


@pytest.mark.parametrize("size", [10**6, 5000, 2000], ids=["one", "suites", "divided-suites"])
def test_the_parts_of_a_report_have_all_its_tests_once(failing_run, size):
    names_in_parts = []
    for text in render_parts(*failing_run, size):
        names_in_parts += names_of_tests(text)
    assert names_in_parts == names_of_tests(render(*failing_run))


@pytest.mark.parametrize("size", [5000, 2000], ids=["suites", "divided-suites"])
def test_a_part_of_a_report_keeps_to_its_size(failing_run, size):
    texts = list(render_parts(*failing_run, size))
    assert len(texts) > 1
    head_and_foot = 200  # the declaration and the ends of the elements, rounded up
    assert max(map(len, texts)) < size + head_and_foot


@pytest.mark.parametrize("count", ["tests", "failures", "errors"])
def test_each_part_counts_its_own_tests(failing_run, count):
    total = int(parse(render(*failing_run)).attrib[count])
    assert sum(int(parse(text).attrib[count]) for text in render_parts(*failing_run, 2000)) == total


def test_a_report_never_takes_the_memory_of_the_elements_of_all_its_suites(make_case, record):
    cases = [make_case(f"rfc3986-3.{section}-1") for section in range(300)]
    results = record(cases, LIB, *[Result(case.vector.id, "lib", "fail") for case in cases])
    size = sum(map(len, render_pieces(results)))  # what is loaded late is in memory now
    tracemalloc.start()
    try:
        for _piece in render_pieces(results):
            pass
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 3 * size  # the elements take more than six times the size
