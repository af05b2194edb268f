"""The drawing of which implementations answer alike."""

import random

import pytest

from urlharness.compare.families import cluster_by_likeness
from urlharness.report.html.dendrogram import LEAF, WIDTH, draw_dendrogram


def columns(*texts):
    """Return cases with a letter as the answer of each implementation; a column per text."""
    return [[letter.encode() for letter in row] for row in zip(*texts, strict=True)]


def test_a_mean_in_percent_loses_nothing_to_binary_fractions():
    """The mean of 1 and 7 in 20 is a fifth; floats make 0.19999999999999998 of it."""
    tree = cluster_by_likeness(
        ["a", "b", "c"], columns("a" * 20, "b" * 8 + "a" * 10 + "bb", "a" + "b" * 7 + "c" * 12)
    )
    assert [step.share for step in draw_dendrogram(tree).steps] == ["50.0 %", "20.0 %"]


@pytest.mark.parametrize(("names", "answers"), [([], []), (["lib"], ["ab"])], ids=["0", "1"])
def test_fewer_than_two_implementations_have_no_lines(names, answers):
    assert draw_dendrogram(cluster_by_likeness(names, columns(*answers))).lines == []


FORTY = [f"lib {number}" for number in range(40)]


@pytest.fixture(scope="module")
def drawing():
    """The drawing of forty implementations with drawn answers."""
    dice = random.Random(5)
    answers = ["".join(dice.choice("ppppq") for _ in range(50)) for _ in FORTY]
    return draw_dendrogram(cluster_by_likeness(FORTY, columns(*answers)))


@pytest.fixture(scope="module")
def ends(drawing):
    """The places in the width of the drawing where lines end: the numbers from `H` to `V` in their paths."""
    return [float(line.partition("H")[2].partition("V")[0]) for line in drawing.lines]


def test_the_drawing_has_every_leaf_once(drawing):
    assert sorted(drawing.leaves) == sorted(FORTY)


def test_the_drawing_is_as_high_as_its_leaves(drawing):
    assert drawing.height == len(FORTY) * LEAF


def test_the_drawing_has_a_line_and_a_step_for_each_union(drawing):
    assert len(drawing.lines) == len(FORTY) - 1
    assert len(drawing.steps) == len(FORTY) - 1


def test_marks_are_within_the_drawing(drawing):
    assert drawing.marks
    assert [at for _, at in drawing.marks if not 0 <= at <= 100] == []


def test_lines_are_within_the_drawing(ends):
    assert [end for end in ends if not 0 <= end <= WIDTH] == []


def test_lines_never_run_back(ends):
    assert ends == sorted(ends)


@pytest.mark.parametrize(
    ("texts", "share"),
    [(("a" * 9, "a" * 9), "100 %"), (("a" * 9, "a" * 8 + "b"), "88.8 %")],
    ids=["all-equal", "eight-of-nine"],
)
def test_shares_are_rounded_down(texts, share):
    (step,) = draw_dendrogram(cluster_by_likeness(["one", "other"], columns(*texts))).steps
    assert step == (share, "one", "other")


def test_the_page_has_a_row_for_each_step_of_the_drawing(page):
    head, *steps = page.table("")
    assert head == ["Equal answers", "Joined", "With"]
    assert len(steps) == len(page.data()["implementations"]) - 1


def test_the_last_step_joins_all_implementations(page):
    *_, (_share, joined, joined_with) = page.table("")
    names = f"{joined}, {joined_with}".split(", ")
    assert sorted(names) == sorted(page.data()["implementations"])


def test_the_page_draws_a_line_for_each_step(page):
    _head, *steps = page.table("")
    assert [tag for tag, _ in page.elements].count("path") == len(steps)
