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
    rows = [dict(zip(FACTORS, levels, strict=True)) for levels in product(*FACTORS.values())]
    pairs = {pair for row in rows if not forbidden(row) for pair in levels_of(row)}
    return {pair for pair in pairs if len(pair) == 1 or COMMON & {*pair}}


CONDITIONS = [
    pytest.param(lambda _: False, id="free"),
    pytest.param(lambda row: row.get("a") == "1" and row.get("b") == "2", id="pair"),
    pytest.param(lambda row: [*row.values()].count("1") == 3, id="whole"),
]


@pytest.mark.parametrize("forbidden", CONDITIONS)
def test_rows_cover_what_is_possible(forbidden):
    rows = cover(FACTORS, COMMON, lambda row: not forbidden(row))
    assert required_pairs(forbidden) <= {pair for row in rows for pair in levels_of(row)}
    assert not any(map(forbidden, rows))
    assert [row for row in rows if list(row) != list(FACTORS)] == []


def test_rows_that_exist_already_are_not_made_again():
    rows = cover(FACTORS, COMMON, free)
    assert cover(FACTORS, COMMON, free, rows) == []
    assert len(cover(FACTORS, COMMON, free, rows[:3])) <= len(rows) - 2


def test_without_common_levels_each_level_is_in_a_row():
    rows = cover(FACTORS, (), free)
    assert len(rows) == 4
