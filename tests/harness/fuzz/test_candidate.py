"""A vector that a finding proposes."""

from __future__ import annotations

import pytest

from urlharness.fuzz.candidate import CandidateError, make_candidate
from urlharness.fuzz.findings import CampaignFinding, TextOrigin
from urlharness.panel.answer import Answer


def finding(operation="parse", spec="rfc3986", class_="backslash", **inputs):
    question = inputs or {"url": "http://a\\@b/"}
    return CampaignFinding(
        id="x",
        operation=operation,
        spec=spec,
        adapters=("a", "b"),
        component="host",
        input=question,
        answers={"a": Answer("rejected"), "b": Answer("valid")},
        origin=TextOrigin(question),
        class_=class_,
        section="3.2.2",
    )


def test_a_candidate_proposes_an_answer_that_nobody_has_confirmed():
    proposal = make_candidate(finding())
    assert proposal["proposed"] == {"valid": False}
    assert proposal["confirmed"] is False


def test_a_candidate_has_the_question_of_its_finding_and_no_answer():
    assert make_candidate(finding())["fields"] == {
        "requirement": "rfc3986-2-limited-set",
        "op": "parse",
        "url": "http://a\\@b/",
        "class": "backslash",
    }


def test_the_command_of_a_candidate_adds_it_to_the_file_of_its_statement():
    """The author puts the answer in the place of ANSWER."""
    assert make_candidate(finding())["command"] == (
        "urlconform vectors add --requirement rfc3986-2-limited-set --op parse --url 'http://a\\@b/' "
        "--class backslash --file 2-characters.json --expect ANSWER"
    )


def test_a_candidate_has_the_statements_of_its_class():
    """A statement has an id and words. The first one is that which the class cites."""
    first, second, *_ = make_candidate(finding())["statements"]
    assert first["requirement"] == "rfc3986-2-limited-set"
    assert first["statement"].startswith("Only digits, letters and a few ASCII symbols occur; ")
    assert second["requirement"] == "rfc3986-3.2-bnf-authority"


def test_a_candidate_without_a_class_has_the_statements_of_its_section():
    proposal = make_candidate(finding(class_=None))
    assert {statement["section"] for statement in proposal["statements"]} == {"3.2.2"}


def test_a_question_without_an_answer_is_no_candidate():
    with pytest.raises(CandidateError, match="no answer to resolve"):
        make_candidate(finding("resolve", "rfc1738", base="http://a", reference="b"))
