"""CTRF: a test for each case, with the status that JUnit gives it, and the counts of a dashboard."""

from __future__ import annotations

import json

import pytest
from report_checks import check_ctrf

from urlharness.protocol.messages import Implementation
from urlharness.report.ctrf import render
from urlharness.results.model import Participant, Result
from urlharness.results.verdict import Outcome

LIBRARY = Participant("lib", "ran", Implementation("The Library", "1.2", "c"), specs=("rfc3986",))

#: The status of each outcome of a required vector without a gate.
STATUSES = {
    Outcome.PASS: "passed",
    Outcome.VARIANT: "passed",
    Outcome.PARTIAL: "skipped",
    Outcome.FAIL: "failed",
    Outcome.UNSUPPORTED: "skipped",
    Outcome.ERROR: "failed",
    Outcome.TIMEOUT: "failed",
    Outcome.CRASH: "failed",
    Outcome.GARBAGE: "failed",
    Outcome.NO_ANSWER: "failed",
    Outcome.ABORTED: "failed",
}


def rendered(results):
    return check_ctrf(render(results))["results"]


@pytest.mark.parametrize("outcome", Outcome)
def test_an_outcome_has_the_status_of_junit(make_case, record, outcome):
    results = record([make_case("rfc3986-3-x")], LIBRARY, Result("rfc3986-3-x", "lib", outcome))
    (test,) = rendered(results)["tests"]
    assert test["status"] == STATUSES[outcome]


@pytest.fixture
def wrong_test(make_case, record):
    """The test of a wrong answer to a question of RFC 3986, section 3.2.2."""
    wrong = Result(
        "rfc3986-3.2.2-x", "lib", Outcome.FAIL, detail="host is 'a', not 'b'", seconds=0.25, stderr="oops"
    )
    (test,) = rendered(record([make_case("rfc3986-3.2.2-x")], LIBRARY, wrong))["tests"]
    return test


#: Fields of the test of a wrong answer.
FIELDS = [
    pytest.param("name", "rfc3986-3.2.2-x", id="the-id-of-the-vector"),
    pytest.param("suite", ["lib", "RFC 3986", "3.2.2"], id="implementation-rfc-and-section"),
    pytest.param("rawStatus", "fail", id="the-outcome"),
    pytest.param("message", "host is 'a', not 'b'", id="what-differs"),
    pytest.param("duration", 250, id="milliseconds"),
    pytest.param("stderr", ["oops"], id="what-the-adapter-wrote"),
]


@pytest.mark.parametrize(("name", "content"), FIELDS)
def test_a_test_says_what_is_known_of_its_case(wrong_test, name, content):
    assert wrong_test[name] == content


def test_the_labels_name_the_library(wrong_test):
    assert wrong_test["labels"]["library"] == "The Library"


def test_a_test_that_passed_has_no_outcome(make_case, record):
    right = Result("rfc3986-3-x", "lib", Outcome.PASS)
    (test,) = rendered(record([make_case("rfc3986-3-x")], LIBRARY, right))["tests"]
    assert "rawStatus" not in test


def test_the_end_of_a_run_is_its_start_and_the_time_of_its_answers(make_case, record):
    """Results do not record the end."""
    names = ["rfc3986-3-x", "rfc3986-3-y"]
    answers = [Result(name, "lib", Outcome.PASS, seconds=0.5) for name in names]
    summary = rendered(record([make_case(name) for name in names], LIBRARY, *answers))["summary"]
    assert summary["stop"] - summary["start"] == 1000


def test_an_implementation_that_is_not_installed_is_a_skipped_test(make_case, record):
    missing = Participant("lib", "not installed", message="no")
    (test,) = rendered(record([make_case("rfc3986-3-x")], missing))["tests"]
    assert (test["name"], test["status"]) == ("start", "skipped")


def test_a_run_that_was_cut_has_a_test_that_failed(make_case, record):
    results = record([make_case("rfc3986-3-x")], LIBRARY, interrupted=True)
    failed = [test["name"] for test in rendered(results)["tests"] if test["status"] == "failed"]
    assert failed == ["complete"]


def test_the_format_is_named(make_case, record):
    document = json.loads(render(record([make_case("rfc3986-3-x")], LIBRARY)))
    assert document["reportFormat"] == "CTRF"
