"""EARL: the graph that rdflib reads has an assertion for each case, with outcome, test and subject."""

from __future__ import annotations

import pytest
import rdflib
from rdflib.namespace import DCTERMS, RDF
from report_checks import EARL, TEXTS, check_earl

from urlharness.protocol.messages import Implementation
from urlharness.report.earl import render
from urlharness.results.model import Participant, Result
from urlharness.results.verdict import Outcome

LIBRARY = Participant("lib", "ran", Implementation("The Library", "1.2"), specs=("rfc3986",))

#: Outcomes of a case, and the outcomes of EARL.
OUTCOMES = {
    Outcome.PASS: "passed",
    Outcome.VARIANT: "passed",
    Outcome.PARTIAL: "cantTell",
    Outcome.FAIL: "failed",
    Outcome.UNSUPPORTED: "inapplicable",
    Outcome.ERROR: "failed",
    Outcome.TIMEOUT: "failed",
    Outcome.CRASH: "failed",
    Outcome.GARBAGE: "failed",
    Outcome.NO_ANSWER: "failed",
    Outcome.ABORTED: "cantTell",
}


def graph_of(results):
    return rdflib.Graph().parse(data=render(results), format="turtle")


def outcomes(graph):
    """Return the outcome of each test of the graph, by the name of the test."""
    return {
        str(test): str(graph.value(graph.value(assertion, EARL.result), EARL.outcome)).removeprefix(str(EARL))
        for assertion, test in graph.subject_objects(EARL.test)
    }


def test_every_outcome_of_a_case_has_one_of_earl(make_case, record):
    names = {f"rfc3986-3-{outcome}": expected for outcome, expected in OUTCOMES.items()}
    results = record(
        [make_case(name) for name in names],
        LIBRARY,
        *(Result(f"rfc3986-3-{outcome}", "lib", outcome) for outcome in Outcome),
    )
    assert outcomes(graph_of(results)) == {
        f"urn:urlconform:case:{name}": expected for name, expected in names.items()
    }


@pytest.fixture
def graph(make_case, record):
    """The graph of a run with a wrong answer."""
    wrong = Result("rfc3986-3-x", "lib", Outcome.FAIL, detail="path is \"a\\\", not 'b'")
    return graph_of(record([make_case("rfc3986-3-x")], LIBRARY, wrong))


def test_a_subject_has_the_name_of_the_library(graph):
    (subject,) = graph.subjects(RDF.type, EARL.TestSubject)
    assert str(graph.value(subject, DCTERMS.title)) == "The Library"


def test_a_subject_has_the_version_of_the_library(graph):
    (subject,) = graph.subjects(RDF.type, EARL.TestSubject)
    assert str(graph.value(subject, DCTERMS.hasVersion)) == "1.2"


def test_an_assertion_is_about_the_subject(graph):
    (assertion,) = graph.subjects(RDF.type, EARL.Assertion)
    assert str(graph.value(assertion, EARL.subject)) == "urn:urlconform:implementation:lib"


def test_a_result_says_what_differs(graph):
    (info,) = graph.objects(None, EARL.info)
    assert str(info) == "path is \"a\\\", not 'b'"


def test_a_result_has_the_date_of_the_run(graph):
    (date,) = graph.objects(None, DCTERMS.date)
    assert date.datatype == rdflib.XSD.dateTime


def test_cases_of_an_implementation_that_did_not_run_are_untested(make_case, record):
    results = record([make_case("rfc3986-3-x")], Participant("lib", "not installed", message="no"))
    assert outcomes(graph_of(results)) == {"urn:urlconform:case:rfc3986-3-x": "untested"}


def test_cases_of_an_rfc_that_is_not_asked_have_no_assertion(make_case, record):
    iri = make_case("rfc3987-2.2-x", rule="IRI")
    answer = Result("rfc3987-2.2-x", "iris", Outcome.PASS)
    results = record([iri], LIBRARY, Participant("iris", "ran", specs=("rfc3987",)), answer)
    subjects = {str(subject) for subject in graph_of(results).objects(None, EARL.subject)}
    assert subjects == {"urn:urlconform:implementation:iris"}


@pytest.mark.parametrize("text", TEXTS, ids=ascii)
def test_hostile_texts_are_texts(make_case, record, text):
    participant = Participant(text, "ran", Implementation(text, text))
    wrong = Result("rfc3986-3-x", text, Outcome.FAIL, detail=text)
    check_earl(render(record([make_case("rfc3986-3-x")], participant, wrong)))
