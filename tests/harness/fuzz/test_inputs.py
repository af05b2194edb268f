"""The texts of a shard: the same for a seed, mutations of the pool."""

from __future__ import annotations

from random import Random

import pytest

from urlharness.fuzz.inputs import MAX_INPUT_LENGTH, Inputs, Pool
from urlharness.fuzz.panel import SEPARATOR
from urloracle.rfcs import SPECIFICATIONS

SPEC = SPECIFICATIONS["rfc3986"]


@pytest.fixture(scope="module")
def inputs():
    return Inputs(SPEC, "URI-reference", pairs=False)


@pytest.fixture(scope="module")
def pairs():
    return Inputs(SPEC, "URI-reference", pairs=True)


def pool_of(inputs, *texts):
    return Pool(inputs.automaton, texts)


def test_seeds_begin_with_the_texts_of_the_user(inputs):
    """What people bring comes first, then the named differences."""
    first, *others = inputs.seeds(["http://mine/"], 1)
    assert first == "http://mine/"
    assert "http://a\\@b/" in others
    assert len(others) == len({*others})


def test_seeds_are_the_same_for_a_number_and_others_for_another(inputs):
    seeds = inputs.seeds(["http://mine/"], 1)
    assert inputs.seeds(["http://mine/"], 1) == seeds
    assert inputs.seeds(["http://mine/"], 2) != seeds


def test_a_shard_depends_on_seed_number_and_pool(inputs):
    pool, other_pool = pool_of(inputs, "http://a/b?c#d", "//e@f:80/"), pool_of(inputs, "http://a/b?c#d")
    first = list(inputs.draw_shard(1, 0, 50, pool))
    assert first == list(inputs.draw_shard(1, 0, 50, pool))
    assert first[:20] == list(inputs.draw_shard(1, 0, 20, pool))
    others = [
        inputs.draw_shard(2, 0, 50, pool),
        inputs.draw_shard(1, 1, 50, pool),
        inputs.draw_shard(1, 0, 50, other_pool),
    ]
    assert all(first != list(shard) for shard in others)


def test_every_mutation_is_used(inputs):
    used = {
        part
        for mutation in inputs.draw_shard(1, 0, 1000, pool_of(inputs, *inputs.seeds([], 1)))
        for part in mutation.how.split("+")
    }
    assert used == {
        "sample",
        "edge",
        "leave",
        "splice",
        "join",
        "character",
        "token",
        "delete",
        "repeat",
        "copy",
        "case",
        "encode",
        "number",
        "double",
        "component",
        "graft",
    }


@pytest.fixture(scope="module")
def mutated_texts(inputs):
    pool = pool_of(inputs, *inputs.seeds([], 1))
    return [mutation.text for mutation in inputs.draw_shard(1, 0, 2000, pool)]


def test_a_text_can_be_asked(mutated_texts):
    """It is not too long, can be encoded, and has no separator."""
    for text in mutated_texts:
        assert len(text) <= MAX_INPUT_LENGTH
        assert SEPARATOR not in text
        text.encode()


def test_some_texts_are_valid_and_some_are_not(inputs, mutated_texts):
    valid = [text for text in mutated_texts if inputs.automaton.accepts(text)]
    assert 0.2 < len(valid) / len(mutated_texts) < 0.8


def test_most_texts_differ(mutated_texts):
    assert len({*mutated_texts}) > 1500


def test_pairs_have_one_separator(pairs):
    seeds = pairs.seeds(["http://mine/"], 1)
    texts = [mutation.text for mutation in pairs.draw_shard(1, 0, 300, pool_of(pairs, *seeds))]
    assert all(text.count(SEPARATOR) == 1 for text in (*seeds, *texts))


@pytest.mark.parametrize("text", ["", "a", "\\", "é" * 5, "http://[::1]:80/"])
def test_any_text_can_be_mutated(text, inputs):
    assert list(inputs.draw_shard(1, 0, 100, pool_of(inputs, text)))


def test_without_a_pool_new_words_are_mutated_once(inputs):
    drawn = list(inputs.draw_shard(1, 0, 300, None))
    assert all("+" not in mutation.how for mutation in drawn)
    assert {"graft", "sample"}.isdisjoint(mutation.how for mutation in drawn)


def test_a_graft_takes_a_component_of_another_word(inputs):
    pool = pool_of(inputs, "//a@[::1]:8/b?c", "not a word")
    grafts = {pool.graft("x:y", Random(seed)) for seed in range(200)}
    assert {"x://a@y", "x://:8y", "x:y?c", "x:/b"} <= grafts
    assert "//[::1]y" not in grafts
    assert [text for text in grafts if "not" in text] == []
