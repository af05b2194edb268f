"""Compiled sampling draws exactly the texts that a generator draws."""

from __future__ import annotations

from array import array
from random import Random

import numpy as np
import pytest

from urlharness.generate import compiled
from urlharness.generate.compiled import CompiledSampler
from urlharness.generate.kinds import Generator
from urlharness.generate.requests import Request, Texts
from urlharness.words.sampling import Sampler, draw_numbers
from urlharness.words.shards import random_of
from urloracle.rfcs import specification

CASES = [
    pytest.param({"spec": "rfc3986"}, id="3986"),
    pytest.param({"spec": "rfc3986", "uniform": True}, id="3986-uniform"),
    pytest.param({"spec": "rfc1738", "rule": "ftpurl", "scheme": "FTP"}, id="1738-ftp"),
    # seconds of CPU each
    pytest.param({"spec": "rfc1738"}, id="1738", marks=pytest.mark.long),
    pytest.param(
        {"spec": "rfc1808", "explore": True, "length": range(20, 31)},
        id="1808-explore",
        marks=pytest.mark.long,
    ),
    pytest.param({"spec": "rfc2732", "length": range(3)}, id="2732-short", marks=pytest.mark.long),
    pytest.param({"spec": "rfc3986", "weights": "[alternatives]\nhost = [9, 1, 0]"}, id="3986-weights"),
    pytest.param({"spec": "rfc3986", "rule": "dec-octet"}, id="few"),
    pytest.param({"spec": "rfc3986", "rule": "path-empty"}, id="one"),
]


@pytest.fixture(params=CASES)
def fields(request, tmp_path):
    """The fields of a request, with weights in a file."""
    if "weights" not in request.param:
        return request.param
    path = tmp_path / "weights.toml"
    path.write_text(request.param["weights"], "utf-8")
    return request.param | {"weights": path}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("kind", ["valid", "invalid"])
def test_compiled_sampling_draws_and_counts_the_same_texts(fields, kind):
    request = Request(**({"number": 5000, "seed": 7} | fields | {kind: True}))
    generated = Texts(request)
    compiled_texts = Texts(request, fast_sampler=CompiledSampler)
    assert list(compiled_texts) == list(generated)
    assert list(compiled_texts.summary()) == list(generated.summary())


def test_two_processes_draw_the_same_texts():
    request = Request(spec="rfc3986", rule="IPv4address", invalid=True, number=9000)
    assert list(Texts(request, jobs=2, fast_sampler=CompiledSampler)) == list(Texts(request))


def test_numbers_are_those_of_the_generator_of_python():
    """They are the same at every position in the state of the generator, and so is the number drawn next."""
    random = Random(3)
    same_random = Random(3)
    for count in (1, 5, 311, 312, 700):  # a state holds 312 numbers of 64 bits
        twister = compiled._Twister(random)
        assert twister.draw(count).tolist() == list(draw_numbers(same_random, count)), count
        twister.give_back()
        assert random.getrandbits(32) == same_random.getrandbits(32), count


@pytest.fixture
def ties(monkeypatch):
    """Return a function after which some draws equal a threshold, so that they decide nothing.

    It returns the list of all draws that come after it, call by call.
    """
    draws_by_call = []
    untied_draw = compiled._Twister.draw

    def tie_with(threshold):
        def tied(self, count):
            draws = untied_draw(self, count)
            if count != compiled.SIZE:  # the draws of the lengths stay as they are
                draws[:40:4] = threshold  # those of some first characters of words
            draws_by_call.append(draws)
            return draws

        monkeypatch.setattr(compiled._Twister, "draw", tied)
        return draws_by_call

    return tie_with


def test_the_sampler_decides_a_draw_that_equals_a_threshold(ties):
    """It takes more bits, in the order of the words."""
    spec = specification("rfc3986")
    sampler = Generator(spec, "URI", range(2, 9), uniform=True).sampler
    list(sampler.draw_words(Random(1), 50))  # computes the thresholds
    draws_by_call = ties(sampler.layers[8][sampler.start].thresholds[0])
    random = Random(4)
    same_random = Random(4)
    columns, _ = CompiledSampler(Generator(spec, "URI", range(2, 9), uniform=True)).draw_shard(
        "valid", random
    )
    lengths = sampler.draw_lengths(same_random, compiled.SIZE)
    draw_numbers(same_random, sum(lengths))
    _, draws = draws_by_call
    words = sampler.make_words(same_random, lengths, array("Q", draws.tolist()))
    assert [sample.text for sample in columns] == list(words)
    assert random.getstate() == same_random.getstate()


def test_the_sampler_decides_a_tie_of_lengths(monkeypatch):
    generator = Generator(specification("rfc3986"), "port", range(1, 4))
    tie = generator.sampler.length_thresholds[0]
    monkeypatch.setattr(compiled._Twister, "draw", lambda _, count: np.full(count, tie, np.uint64))
    numbers_of_lengths = []
    draw_lengths = Sampler.draw_lengths

    def record_and_draw(sampler, random, number):
        numbers_of_lengths.append(number)
        return draw_lengths(sampler, random, number)

    monkeypatch.setattr(Sampler, "draw_lengths", record_and_draw)
    words = compiled._CompiledWords(generator.sampler)
    assert len(words.draw_lengths(Random(1), compiled._Twister(Random(1)))) == compiled.SIZE
    assert numbers_of_lengths == [compiled.SIZE]


def test_a_shard_has_a_verdict_on_the_length_of_each_text():
    sampler = CompiledSampler(Generator(specification("rfc3986"), "URI", range(30)))
    columns, fits = sampler.draw_shard("invalid", random_of(1, "invalid", 1))
    assert len(columns) > 0
    assert len(fits) == len(columns)
