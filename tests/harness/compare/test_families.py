"""Likeness of implementations: shares of equal answers, and groups by average linkage."""

import random

import pytest

from urlharness.compare.families import cluster_by_likeness


def columns(*texts):
    """Return cases with a letter as the answer of each implementation; a full stop is no answer."""
    answers_of_implementations = []
    for text in texts:
        answers = [None if letter == "." else letter.encode() for letter in text]
        answers_of_implementations.append(answers)
    return list(zip(*answers_of_implementations, strict=True))


@pytest.mark.parametrize(
    ("first", "second", "share"),
    [
        pytest.param("aaaa", "aaaa", 1.0, id="all-equal"),
        pytest.param("aaaa", "aaab", 0.75, id="three-of-four-equal"),
        pytest.param("aaaa", "bbbb", 0.0, id="none-equal"),
        pytest.param("aa..", "ab..", 0.5, id="half-of-two-equal"),
        pytest.param("aa..", "a..b", 1.0, id="one-in-common-and-equal"),
        pytest.param("aa..", "..aa", 0.0, id="none-in-common"),
        pytest.param("....", "aaaa", 0.0, id="one-without-answers"),
        pytest.param("", "", 0.0, id="no-cases"),
    ],
)
def test_a_share_is_over_the_cases_that_both_answer(first, second, share):
    (join,) = cluster_by_likeness(["first", "second"], columns(first, second)).joins
    assert join.share == share


@pytest.fixture
def two_pairs():
    """The tree of four implementations: the first is like the third, and the second like the fourth."""
    return cluster_by_likeness(["a", "b", "c", "d"], columns("pppp", "qqqq", "pppq", "qqqr"))


def test_the_most_alike_are_joined_first(two_pairs):
    """A join has the number after those of the implementations and of the joins before it."""
    assert [(join.left, join.right, join.share) for join in two_pairs.joins] == [
        (0, 2, 0.75),
        (1, 3, 0.75),
        (4, 5, pytest.approx(1 / 16)),
    ]


def test_the_leaves_of_a_tree_stand_as_they_are_joined(two_pairs):
    assert two_pairs.order == [0, 2, 1, 3]


def test_a_join_has_the_names_of_its_implementations(two_pairs):
    assert two_pairs.named(5) == ["b", "d"]


@pytest.mark.parametrize("names", [[], ["alone"]], ids=["none", "one"])
def test_fewer_than_two_implementations_are_not_joined(names):
    tree = cluster_by_likeness(names, columns(*["ab" for _ in names]))
    assert tree.order == list(range(len(names)))
    assert tree.joins == []


def test_the_shares_of_joins_never_rise():
    dice = random.Random(5)
    names = [f"library-{number}" for number in range(40)]
    texts = ["".join(dice.choices("ppppq", k=50)) for _ in names]
    shares = [join.share for join in cluster_by_likeness(names, columns(*texts)).joins]
    assert len(shares) == len(names) - 1
    assert shares == sorted(shares, reverse=True)
