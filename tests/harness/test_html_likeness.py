"""Who answers like whom in the HTML report: shares, joins, and their drawing."""

import random

import pytest

from urlharness.report.html.agreement import LEAF, WIDTH, dendrogram
from urlharness.results.agreement import likeness

pytestmark = pytest.mark.once


def columns(*texts):
    """Cases of single letters, a column for each text; a full stop is no answer."""
    return [
        [None if letter == "." else letter.encode() for letter in row] for row in zip(*texts, strict=True)
    ]


@pytest.mark.parametrize(
    ("one", "other", "share"),
    [
        ("aaaa", "aaaa", 1.0),
        ("aaaa", "aaab", 0.75),
        ("aaaa", "bbbb", 0.0),
        ("aa..", "ab..", 0.5),
        ("aa..", "a..b", 1.0),
        ("aa..", "..aa", 0.0),
        ("....", "aaaa", 0.0),
        ("", "", 0.0),
    ],
)
def test_shares_are_over_the_cases_that_both_answer(one, other, share):
    (join,) = likeness(["one", "other"], columns(one, other)).joins
    assert join.share == share


def test_a_mean_in_percent_loses_nothing_to_binary_fractions():
    """The mean of 1 and 7 in 20 is a fifth; floats make 0.19999999999999998 of it."""
    found = likeness(["a", "b", "c"], columns("a" * 20, "b" * 8 + "a" * 10 + "bb", "a" + "b" * 7 + "c" * 12))
    assert [step.share for step in dendrogram(found).steps] == ["50.0 %", "20.0 %"]


def test_the_nearest_are_joined_first():
    found = likeness(["a", "b", "c", "d"], columns("pppp", "qqqq", "pppq", "qqqr"))
    assert [(join.left, join.right, join.share) for join in found.joins] == [
        (0, 2, 0.75),
        (1, 3, 0.75),
        (4, 5, pytest.approx(1 / 16)),
    ]
    assert found.order == [0, 2, 1, 3]
    assert found.named(5) == ["b", "d"]


@pytest.mark.parametrize("count", [0, 1])
def test_one_alone_joins_nobody(count):
    names = ["one"][:count]
    found = likeness(names, columns(*["ab"] * count))
    assert (found.order, found.joins) == (list(range(count)), [])
    assert dendrogram(found).lines == []


def test_shares_are_those_that_counting_gives():
    dice = random.Random(3)
    texts = ["".join(dice.choice("pqr.") for _ in range(200)) for _ in range(2)]
    both = [(one, other) for one, other in zip(*texts, strict=True) if "." not in (one, other)]
    (join,) = likeness(["a", "b"], columns(*texts)).joins
    assert join.share == sum(one == other for one, other in both) / len(both)


def test_the_drawing_has_every_leaf_once_and_never_runs_back():
    dice = random.Random(5)
    names = [f"lib {number}" for number in range(40)]
    texts = ["".join(dice.choice("ppppq") for _ in range(50)) for _ in names]
    found = likeness(names, columns(*texts))
    drawn = dendrogram(found)
    assert sorted(drawn.leaves) == sorted(names)
    assert drawn.height == 40 * LEAF
    assert len(drawn.lines) == len(drawn.steps) == 39
    shares = [join.share for join in found.joins]
    assert shares == sorted(shares, reverse=True)
    assert all(0 <= at <= 100 for _, at in drawn.marks)
    for line in drawn.lines:
        x = float(line.partition("H")[2].partition("V")[0])
        assert 0 <= x <= WIDTH


@pytest.mark.parametrize(
    ("texts", "share"), [(("a" * 9, "a" * 9), "100 %"), (("a" * 9, "a" * 8 + "b"), "88.8 %")]
)
def test_shares_are_cut_in_words(texts, share):
    (step,) = dendrogram(likeness(["one", "other"], columns(*texts))).steps
    assert step == (share, "one", "other")
