"""Covering arrays: each level, each pair with a common level, nothing that is not allowed."""

from __future__ import annotations

from itertools import product

import pytest

from urlauthor.cover.arrays import cover, levels_of

FACTORS = {"a": ["1", "2", "3"], "b": ["1", "2"], "base-c": ["1", "2", "3", "4"]}
COMMON = {("a", "1"), ("b", "2")}


def free(_):
    return True


def required_pairs(forbidden):
    """Return each level, and each pair with a common level, that a row without a forbidden one can have."""
    pairs = set()
    for levels in product(*FACTORS.values()):
        row = dict(zip(FACTORS, levels, strict=True))
        if not forbidden(row):
            pairs.update(levels_of(row))
    return {pair for pair in pairs if len(pair) == 1 or COMMON & {*pair}}


#: Each condition tells whether a row, or a part of one, is forbidden.
CONDITIONS = [
    pytest.param(lambda _: False, id="free"),
    pytest.param(lambda row: row.get("a") == "1" and row.get("b") == "2", id="pair"),
    pytest.param(lambda row: list(row.values()) == ["1", "1", "1"], id="whole"),
]


@pytest.fixture
def rows(forbidden):
    """The rows under the condition of the test."""
    return cover(FACTORS, COMMON, lambda row: not forbidden(row))


@pytest.mark.parametrize("forbidden", CONDITIONS)
class TestConditions:
    """Rows under a condition that forbids some."""

    def test_every_possible_pair_with_a_common_level_is_in_a_row(self, rows, forbidden):
        pairs_in_rows = set()
        for row in rows:
            pairs_in_rows.update(levels_of(row))
        assert required_pairs(forbidden) - pairs_in_rows == set()

    def test_no_row_is_forbidden(self, rows, forbidden):
        assert [row for row in rows if forbidden(row)] == []

    def test_a_row_has_a_level_of_each_factor(self, rows):
        assert {tuple(row) for row in rows} == {tuple(FACTORS)}


def test_rows_that_exist_already_are_not_made_again():
    rows = cover(FACTORS, COMMON, free)
    for count in range(len(rows) + 1):
        existing = rows[:count]
        new_rows = cover(FACTORS, COMMON, free, existing)
        assert [row for row in new_rows if row in existing] == [], existing
        assert len(new_rows) == len(rows) - count, existing


def test_without_common_levels_each_level_is_in_one_of_few_rows():
    """There are as many rows as the longest factor has levels."""
    rows = cover(FACTORS, (), free)
    assert len(rows) == max(map(len, FACTORS.values()))
    for name, levels in FACTORS.items():
        assert {row[name] for row in rows} == set(levels), name
