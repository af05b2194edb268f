"""Likeness of implementations: shares of equal answers, and groups by average linkage."""

import random

import pytest

from urlharness.results.agreement import likeness


def columns(*texts):
    """Return cases with a letter as the answer of each implementation; a full stop is no answer."""
    return [
        [None if letter == "." else letter.encode() for letter in row] for row in zip(*texts, strict=True)
    ]


@pytest.mark.parametrize(
    ("first", "second", "share"),
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
def test_shares_are_over_the_cases_that_both_answer(first, second, share):
    (join,) = likeness(["one", "other"], columns(first, second)).joins
    assert join.share == share


def test_the_most_alike_are_joined_first():
    tree = likeness(["a", "b", "c", "d"], columns("pppp", "qqqq", "pppq", "qqqr"))
    assert [(join.left, join.right, join.share) for join in tree.joins] == [
        (0, 2, 0.75),
        (1, 3, 0.75),
        (4, 5, pytest.approx(1 / 16)),
    ]
    assert tree.order == [0, 2, 1, 3]
    assert tree.named(5) == ["b", "d"]


@pytest.mark.parametrize("count", [0, 1])
def test_fewer_than_two_are_not_joined(count):
    tree = likeness(["one"][:count], columns(*["ab"] * count))
    assert tree.order == list(range(count))
    assert tree.joins == []


def test_shares_are_equal_to_counting():
    dice = random.Random(3)
    texts = ["".join(dice.choice("pqr.") for _ in range(200)) for _ in range(2)]
    both = [(first, second) for first, second in zip(*texts, strict=True) if "." not in (first, second)]
    (join,) = likeness(["a", "b"], columns(*texts)).joins
    assert join.share == sum(first == second for first, second in both) / len(both)


def test_shares_of_joins_never_rise():
    dice = random.Random(5)
    texts = ["".join(dice.choice("ppppq") for _ in range(50)) for _ in range(40)]
    shares = [join.share for join in likeness([str(n) for n in range(40)], columns(*texts)).joins]
    assert shares == sorted(shares, reverse=True)
