"""Headline, figures and bars: rates are rounded down, and all reports have the same J."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from urlharness.report import badge, markdown, summary
from urlharness.report.html import page
from urlharness.results.model import Participant, Result
from urlharness.results.scores import MINUS, NOTHING, Rate, Score
from urlharness.results.verdict import Outcome


@pytest.mark.parametrize(
    ("passed", "total", "text"),
    [
        (0, 0, NOTHING),
        (0, 9, "0 %"),
        (9, 9, "100 %"),
        (9999, 10000, "99.9 %"),
        (1, 3, "33.3 %"),
        (1, 9999, "<0.1 %"),
        (1, 1000, "0.1 %"),
    ],
)
def test_rates_are_rounded_down(passed, total, text):
    assert summary.percent(Rate(passed, total)) == text


def test_every_report_has_the_same_j(make_case, record, on_terminal):
    """If one of three valid texts is accepted and no invalid one rejected, no report says more than -0.67."""
    cases = [make_case(f"rfc3986-3.3-{name}") for name in "abc"]
    cases.append(make_case("rfc3986-3.3-d", expect={"valid": False, "at": 0}))
    outcomes = ("pass", "fail", "fail", "fail")
    ran = Participant("lib", "ran", specs=("rfc3986",))
    found = [Result(one.vector.id, "lib", out) for one, out in zip(cases, outcomes, strict=True)]
    results = record(cases, ran, *found)
    assert re.search(r"^3\.3 Some section +33 +0 +-0\.67 ", on_terminal(results), re.MULTILINE)
    shown = f"{MINUS}0.67"
    assert f"<dt>J</dt><dd>{shown}</dd>" in page.render(results)
    assert f"| {shown} |" in markdown.render(results)
    colours = {badge.color for badge in badge.badges(results)["lib"].values()}
    assert colours <= {"red", "lightgrey"}


def test_a_section_has_counts_and_no_empty_figures():
    score = Score(accepted=Rate(2, 3), coverage=Rate(3, 3))
    assert [(one.name, one.text) for one in summary.section_figures(score)] == [("accepted", "2/3")]
    score.coverage.total = 4
    assert summary.section_figures(score)[-1].text == "3/4"


def test_scores_are_added_up():
    score = Score(accepted=Rate(1, 2), compliance=Rate(3, 4), failing=5)
    total = summary.total_score([score, score])
    assert (total.accepted, total.compliance, total.failing) == (Rate(2, 4), Rate(6, 8), 10)


def test_every_outcome_has_a_kind():
    assert summary.KIND_OF.keys() == set(Outcome)


def test_a_bar_has_a_segment_for_each_kind_and_says_what_is_missing():
    found = summary.outcome_bar(Counter(passed=1, failed=2), 4)
    assert found.segments == [("passed", "0.00%", "25.00%"), ("failed", "25.00%", "50.00%")]
    assert found.words == "1 passed, 2 failed, 1 without an outcome"


GONE = Participant("gone", "not installed", message="no runtime")
DEAD = Participant("dead", "dead", message="no hello")
LIB, TWO = (Participant(name, "ran", specs=("rfc3986",)) for name in ("lib", "two"))

HEADLINES = [
    pytest.param(("pass", "variant"), (LIB,), (True, "lib", "no required case fails"), id="pass"),
    pytest.param(("pass", "fail"), (LIB,), (False, "lib", "1 required case fails"), id="fail"),
    pytest.param(("crash", "fail"), (LIB,), (False, "lib", "2 required cases fail"), id="crash"),
    pytest.param(("unsupported",), (LIB,), (False, "lib", "it answered nothing"), id="unsupported"),
    pytest.param(
        ("unsupported",), (LIB, TWO), (False, "", "2 of 2 implementations answered nothing"), id="mute"
    ),
    pytest.param(("fail",), (LIB, TWO), (False, "", "2 of 2 implementations fail required cases"), id="two"),
    pytest.param(("pass",), (LIB, GONE), (True, "lib", "no required case fails"), id="not-installed"),
    pytest.param((), (GONE,), (False, "", "nothing ran"), id="nothing"),
    pytest.param((), (DEAD,), (False, "dead", "it did not start"), id="dead"),
    pytest.param(
        ("pass",),
        (LIB, DEAD),
        (False, "", "1 of 2 implementations fail required cases or did not start"),
        id="one-dead",
    ),
]


@pytest.mark.parametrize(("outcomes", "participants", "line"), HEADLINES)
def test_the_headline_without_a_gate(make_case, record, outcomes, participants, line):
    cases = [make_case(f"rfc3986-3.{number}-x") for number in range(max(1, len(outcomes)))]
    found = [
        Result(case.vector.id, one.name, outcome)
        for one in participants
        if one.state == "ran"
        for case, outcome in zip(cases, outcomes, strict=False)
    ]
    assert summary.headline(record(cases, *participants, *found)) == line
