"""A vector that a finding proposes."""

from __future__ import annotations

import pytest

from urlharness.fuzz.candidate import CandidateError, candidate
from urlharness.fuzz.findings import CampaignFinding, GivenAnswer, TextOrigin


def finding(operation="parse", spec="rfc3986", class_="backslash", **given):
    given = given or {"url": "http://a\\@b/"}
    return CampaignFinding(
        id="x",
        operation=operation,
        spec=spec,
        adapters=("a", "b"),
        component="host",
        input=given,
        answers={"a": GivenAnswer("rejected"), "b": GivenAnswer("valid")},
        origin=TextOrigin(given),
        class_=class_,
        section="3.2.2",
    )


def test_the_answer_is_only_proposed():
    found = candidate(finding())
    assert "expect" not in found["fields"]
    assert (found["proposed"], found["confirmed"]) == ({"valid": False}, False)
    assert found["command"].endswith(" --expect ANSWER")
    assert "-combined.json" not in found["command"]


def test_the_statements_are_those_of_the_class():
    found = candidate(finding())
    first = found["statements"][0]
    assert found["fields"] == {"requirement": first["requirement"], "op": "parse", "url": "http://a\\@b/",
                               "class": "backslash"}  # fmt: skip
    assert first["statement"]
    assert first["requirement"].startswith("rfc3986-")


def test_without_a_class_they_are_those_of_the_section():
    found = candidate(finding(class_=None))
    assert {one["section"] for one in found["statements"]} == {"3.2.2"}


def test_no_answer():
    with pytest.raises(CandidateError, match="no answer to resolve"):
        candidate(finding("resolve", "rfc1738", base="http://a", reference="b"))
