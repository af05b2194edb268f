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
    assert "expect" not in proposal["fields"]
    assert proposal["proposed"] == {"valid": False}
    assert proposal["confirmed"] is False
    assert proposal["command"].endswith(" --expect ANSWER")
    assert "-combined.json" not in proposal["command"]


def test_a_candidate_has_the_statements_of_its_class():
    proposal = make_candidate(finding())
    first = proposal["statements"][0]
    assert proposal["fields"] == {
        "requirement": first["requirement"],
        "op": "parse",
        "url": "http://a\\@b/",
        "class": "backslash",
    }
    assert first["statement"]
    assert first["requirement"].startswith("rfc3986-")


def test_a_candidate_without_a_class_has_the_statements_of_its_section():
    proposal = make_candidate(finding(class_=None))
    assert {statement["section"] for statement in proposal["statements"]} == {"3.2.2"}


def test_a_question_without_an_answer_is_no_candidate():
    with pytest.raises(CandidateError, match="no answer to resolve"):
        make_candidate(finding("resolve", "rfc1738", base="http://a", reference="b"))
