"""Figures of the reports, and marks on components: rounded down, and judged as the verdict is."""

import io
import re

import pytest
from rich.console import Console

from urlharness.corpus.model import Case, Expected, Vector
from urlharness.report import badge, markdown, summary, terminal
from urlharness.report.html import cases, page
from urlharness.results.model import Participant, Result
from urlharness.results.scores import Rate, Score

pytestmark = pytest.mark.once


@pytest.mark.parametrize(
    ("passed", "total", "text"),
    [
        (0, 0, summary.NOTHING),
        (0, 9, "0 %"),
        (9, 9, "100 %"),
        (9999, 10000, "99.9 %"),
        (1, 3, "33.3 %"),
        (1, 9999, "<0.1 %"),
        (1, 1000, "0.1 %"),
    ],
)
def test_rates_are_cut(passed, total, text):
    assert summary.percent(Rate(passed, total)) == text


@pytest.mark.parametrize(
    ("accepted", "rejected", "text"),
    [
        ((9, 9), (9, 9), "1.00"),
        ((999, 1000), (9, 9), "0.99"),
        ((9, 9), (0, 9), "0.00"),
        ((0, 9), (0, 9), f"{summary.MINUS}1.00"),
        ((1, 3), (0, 1), f"{summary.MINUS}0.67"),
        ((1, 3), (1, 3), f"{summary.MINUS}0.34"),
        ((0, 0), (9, 9), summary.NOTHING),
        ((499, 1000), (1, 2), f"{summary.MINUS}0.01"),
        ((29, 50), (1, 2), "0.08"),
    ],
)
def test_j_is_rounded_down(accepted, rejected, text):
    assert summary.youden(Score(accepted=Rate(*accepted), rejected=Rate(*rejected))) == text


def test_every_report_says_the_same_j(make_case, record):
    """One of three valid texts accepted and no invalid one rejected: no report makes it better than -0.67."""
    cases = [make_case(f"rfc3986-3.3-{name}") for name in "abc"]
    cases.append(make_case("rfc3986-3.3-d", expect={"valid": False, "at": 0}))
    outcomes = ("pass", "fail", "fail", "fail")
    ran = Participant("lib", "ran", specs=("rfc3986",))
    found = [Result(one.vector.id, "lib", out) for one, out in zip(cases, outcomes, strict=True)]
    results = record(cases, ran, *found)
    stream = io.StringIO()
    terminal.print_tables(Console(file=stream, width=200), results)
    assert re.search(r"^3\.3 Some section +33 +0 +-0\.67 ", stream.getvalue(), re.MULTILINE)
    shown = f"{summary.MINUS}0.67"
    assert f"<dt>J</dt><dd>{shown}</dd>" in page.render(results)
    assert f"| {shown} |" in markdown.render(results)
    colours = {badge.color for badge in badge.badges(results)["lib"].values()}
    assert colours <= {"red", "lightgrey"}


def parse_case(*expected, spec="rfc3986"):
    answers = tuple(Expected(components=one) for one in expected)
    vector = Vector(
        id="p",
        requirement="r",
        level="must",
        op="parse",
        url="a",
        binding="required",
        expect=answers[0] if len(answers) == 1 else Expected(any=answers),
    )
    return Case(spec, "3", vector, "f.json")


@pytest.mark.parametrize(
    ("got", "features", "marks"),
    [
        ({"scheme": "a", "host": ""}, ("absent-vs-empty",), (0, ["host"], [])),
        ({"scheme": "a"}, ("absent-vs-empty",), (0, [], ["host"])),
        ({"scheme": "b"}, ("absent-vs-empty",), (0, ["scheme"], ["host"])),
        ({"scheme": "b", "host": "h"}, ("absent-vs-empty",), (0, ["scheme", "host"], [])),
        ({"scheme": {"hex": "ff"}, "host": None}, (), (0, ["scheme"], [])),
        ({"scheme": {"deep": [1]}, "host": None}, (), None),
        ("text", (), None),
        (None, (), None),
    ],
)
def test_components_are_marked_as_the_verdict_judges_them(got, features, marks):
    result = Result("p", "one", "fail", got={"components": got})
    assert cases.component_marks(parse_case({"scheme": "a", "host": None}), result, features) == marks


def test_what_cannot_be_told_is_marked_too():
    """An empty host and a missing port, by an adapter that cannot tell absent from empty."""
    case = parse_case({"scheme": "a", "host": "", "port": "", "query": None})
    result = Result("p", "one", "partial", got={"components": {"scheme": "a", "host": None, "query": ""}})
    assert cases.component_marks(case, result, ()) == (0, [], ["host", "port"])


def test_components_are_marked_against_the_nearest_alternative():
    case = parse_case({"scheme": "a", "host": "b"}, {"scheme": "x", "host": "y"})
    result = Result("p", "one", "fail", got={"components": {"scheme": "x", "host": "z"}})
    assert cases.component_marks(case, result, ("absent-vs-empty",)) == (1, ["host"], [])
