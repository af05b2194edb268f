"""Shards: distinct texts in order, the same for any number of processes."""

from __future__ import annotations

import operator
from itertools import islice, repeat

import pytest

from urlharness.words.shards import REPEATS, Shards, distinct, random_of


@pytest.fixture(params=[1, 2], ids=["one-process", "two-processes"])
def shards(request):
    """Shards that repeat their name; a process imports what makes them."""
    started = Shards(operator.mul, request.param)
    yield started
    started.close()


def test_shards_come_in_their_order(shards):
    assert list(islice(shards.make_shards("a"), 5)) == ["a", "aa", "aaa", "aaaa", "aaaaa"]


def test_an_error_in_a_shard_is_raised(shards):
    with pytest.raises(TypeError, match="unsupported operand"):
        next(shards.make_shards({}))


def random_number(*key):
    return random_of(*key).getrandbits(64)


def test_each_shard_has_its_own_seed():
    keys = [(1, "a", 1), (1, "a", 2), (1, "b", 1), (2, "a", 1)]
    assert len({random_number(*key) for key in keys}) == len(keys)


def test_a_shard_has_the_same_seed_everywhere():
    """The number is pinned: `hash` of the key would give another one in each process."""
    assert random_number(1, "a", 1) == 4088488528718896829


def test_each_text_of_first_ones_shards_and_others_comes_once():
    """The first ones, those of the shards until they repeat, then what is left."""
    shards = [["b", None, "a", "c"], ["c"] * (REPEATS - 1), ["d"], repeat("d"), ["never"]]
    assert list(distinct("aab", shards, "xdy", str)) == ["a", "b", "c", "d", "x", "y"]


def test_shards_are_not_drawn_before_they_are_needed():
    def shards():
        yield ["b"]
        raise AssertionError

    assert list(islice(distinct("a", shards(), "", str), 2)) == ["a", "b"]
