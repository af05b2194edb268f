"""Samples as columns: the same samples as in a list."""

from __future__ import annotations

import numpy as np
import pytest

from urlharness.generate.compiled import CompiledSampler
from urlharness.generate.kinds import Generator
from urlharness.words.shards import random_of
from urloracle.rfcs import specification


@pytest.fixture(scope="module", params=["valid", "invalid"])
def columns(request):
    """A shard of texts of one kind."""
    sampler = CompiledSampler(Generator(specification("rfc3986"), "URI", range(30)))
    columns, _ = sampler.draw_shard(request.param, random_of(1, request.param, 1))
    return columns


@pytest.mark.sampled(2)
def test_a_slice_of_columns_is_that_of_a_list(columns):
    assert list(columns[10:20]) == list(columns)[10:20]


def test_columns_are_selected_by_a_mask(columns):
    each_third = np.arange(len(columns)) % 3 == 0
    assert list(columns.selected(each_third)) == list(columns)[::3]


@pytest.mark.parametrize("index", [0, 7, -1])
def test_a_sample_of_columns_is_that_of_a_list(columns, index):
    assert columns[index] == list(columns)[index]


def test_an_index_beyond_the_end_is_an_error(columns):
    with pytest.raises(IndexError, match="out of range"):
        columns[len(columns)]


def test_columns_have_the_texts_of_their_samples(columns):
    texts = [text.decode("utf-8", "surrogateescape") for text in columns.texts().to_pylist()]
    assert texts == [sample.text for sample in columns]


def test_edits_are_those_of_the_samples():
    sampler = CompiledSampler(Generator(specification("rfc3986"), "URI", range(30)))
    columns, _ = sampler.draw_shard("invalid", random_of(1, "invalid", 1))
    assert list(columns[:3].labels.edits()) == [sample.edit for sample in columns[:3]]
