"""Shards: distinct texts in order, the same for any number of processes."""

from __future__ import annotations

import operator
from itertools import islice, repeat

import pytest

from urlharness.words.shards import REPEATS, Shards, distinct, random_of


@pytest.mark.parametrize("jobs", [1, 2])
def test_shards_come_in_their_order(jobs):
    """A process imports what makes the shards: here it repeats the name."""
    shards = Shards(operator.mul, jobs)
    assert list(islice(shards.of("a"), 5)) == ["a", "aa", "aaa", "aaaa", "aaaaa"]
    with pytest.raises(TypeError):
        next(shards.of({}))
    shards.close()


def test_each_shard_has_its_own_seed():
    keys = [(1, "a", 1), (1, "a", 2), (1, "b", 1), (2, "a", 1)]
    assert len({random_of(*key).getrandbits(64) for key in keys}) == len(keys)
    assert random_of(1, "a", 1).getrandbits(64) == random_of(1, "a", 1).getrandbits(64)


def test_texts_that_were_seen_are_left_out():
    """The first ones, those of the shards until they repeat, then what is left."""
    shards = [["b", None, "a", "c"], ["c"] * (REPEATS - 1), ["d"], repeat("d"), ["never"]]
    assert list(distinct("aab", shards, "xdy", str)) == ["a", "b", "c", "d", "x", "y"]


def test_shards_are_not_drawn_before_they_are_needed():
    def shards():
        yield ["b"]
        raise AssertionError

    assert list(islice(distinct("a", shards(), "", str), 2)) == ["a", "b"]
