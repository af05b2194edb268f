"""Figures of the HTML report, and marks on components: cut, never rounded up; judged as the verdict is."""

import pytest

from urlharness.corpus import Case, Expected, Vector
from urlharness.report import answers, figures
from urlharness.results import Result
from urlharness.scores import Rate, Score


@pytest.mark.parametrize(
    ("passed", "total", "text"),
    [
        (0, 0, figures.NOTHING),
        (0, 9, "0 %"),
        (9, 9, "100 %"),
        (9999, 10000, "99.9 %"),
        (1, 3, "33.3 %"),
        (1, 9999, "<0.1 %"),
        (1, 1000, "0.1 %"),
    ],
)
def test_rates_are_cut(passed, total, text):
    assert figures.percent(Rate(passed, total)) == text


@pytest.mark.parametrize(
    ("accepted", "rejected", "text"),
    [
        ((9, 9), (9, 9), "1.00"),
        ((999, 1000), (9, 9), "0.99"),
        ((9, 9), (0, 9), "0.00"),
        ((0, 9), (0, 9), f"{figures.MINUS}1.00"),
        ((1, 3), (1, 3), f"{figures.MINUS}0.33"),
        ((0, 0), (9, 9), figures.NOTHING),
        ((499, 1000), (1, 2), "0.00"),
    ],
)
def test_j_is_cut(accepted, rejected, text):
    assert figures.youden(Score(accepted=Rate(*accepted), rejected=Rate(*rejected))) == text


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
        ({"scheme": "b", "host": "h"}, ("absent-vs-empty",), (0, ["scheme", "host"], [])),
        ({"scheme": {"hex": "ff"}, "host": None}, (), (0, ["scheme"], [])),
        ({"scheme": {"deep": [1]}, "host": None}, (), None),
        ("text", (), None),
        (None, (), None),
    ],
)
def test_components_are_marked_as_the_verdict_judges_them(got, features, marks):
    result = Result("p", "one", "fail", got={"components": got})
    assert answers.component_marks(parse_case({"scheme": "a", "host": None}), result, features) == marks


def test_components_are_marked_against_the_nearest_alternative():
    case = parse_case({"scheme": "a", "host": "b"}, {"scheme": "x", "host": "y"})
    result = Result("p", "one", "fail", got={"components": {"scheme": "x", "host": "z"}})
    assert answers.component_marks(case, result, ("absent-vs-empty",)) == (1, ["host"], [])
