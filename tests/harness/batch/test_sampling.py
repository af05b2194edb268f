"""The batch engine draws exactly the texts that are drawn without it, and checks their labels."""

from __future__ import annotations

import dataclasses
from array import array
from itertools import islice
from random import Random

import numpy as np
import pytest

from urlharness.batch import sampling
from urlharness.batch.sampling import Columns, Drawing
from urlharness.generate.kinds import Generator, WrongLabel
from urlharness.generate.requests import Request, Texts
from urlharness.words.sampling import Sampler, numbers
from urlharness.words.shards import random_of
from urloracle.rfcs import specification

CASES = [
    pytest.param({"spec": "rfc3986"}, id="3986"),
    pytest.param({"spec": "rfc3986", "uniform": True}, id="3986-uniform"),
    pytest.param({"spec": "rfc1738"}, id="1738"),
    pytest.param({"spec": "rfc1738", "rule": "ftpurl", "scheme": "FTP"}, id="1738-ftp"),
    pytest.param({"spec": "rfc1808", "explore": True, "length": range(20, 31)}, id="1808-explore"),
    pytest.param({"spec": "rfc2732", "length": range(3)}, id="2732-short"),
    pytest.param({"spec": "rfc3986", "weights": "[alternatives]\nhost = [9, 1, 0]"}, id="3986-weights"),
    pytest.param({"spec": "rfc3986", "rule": "dec-octet"}, id="few"),
    pytest.param({"spec": "rfc3986", "rule": "path-empty"}, id="one"),
]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("kind", ["valid", "invalid"])
def test_the_texts_are_the_same(case, kind, tmp_path):
    if "weights" in case:
        (tmp_path / "weights.toml").write_text(case["weights"], "utf-8")
        case = case | {"weights": tmp_path / "weights.toml"}
    request = Request(**({"number": 5000, "seed": 7} | case | {kind: True}))
    slow, fast = Texts(request), Texts(request, engine=Drawing)
    assert list(fast) == list(slow)
    assert list(fast.summary()) == list(slow.summary())


def test_processes_give_the_same_texts():
    request = Request(spec="rfc3986", rule="IPv4address", invalid=True, number=9000)
    assert list(Texts(request, jobs=2, engine=Drawing)) == list(Texts(request))


def test_numbers_are_those_of_the_random():
    """Also behind the numbers that were read, at every position in the state."""
    first, second = Random(3), Random(3)
    for count in (1, 5, 311, 312, 700):
        twister = sampling._Twister(first)
        assert twister.numbers(count).tolist() == list(numbers(second, count))
        twister.give_back()
        assert first.getrandbits(32) == second.getrandbits(32)


def drawing(**changes):
    return Drawing(Generator(specification("rfc3986"), "URI", range(30), **changes))


def test_the_sampler_decides_a_draw_that_equals_a_threshold(monkeypatch):
    """The sampler decides it, in the order of the words; so does it for lengths."""
    slow, fast = (Generator(specification("rfc3986"), "URI", range(2, 9), uniform=True) for _ in range(2))
    drawn = {}
    right = sampling._Twister.numbers

    def tied(self, count):
        draws = right(self, count)
        if count != sampling.SIZE:
            draws[:40:4] = thresholds
        drawn[len(drawn)] = draws
        return draws

    list(slow.sampler.shard(Random(1), 50))
    thresholds = slow.sampler.layers[8][slow.sampler.start].thresholds[0]
    monkeypatch.setattr(sampling._Twister, "numbers", tied)
    engine = Drawing(fast)
    random = Random(4)
    again = Random(4)
    columns, _ = engine.shard("valid", random)
    lengths = slow.sampler.draw_lengths(again, sampling.SIZE)
    numbers(again, sum(lengths))
    words = slow.sampler.words_of(again, lengths, array("Q", drawn[1].tolist()))
    assert [sample.text for sample in columns] == list(words)
    assert random.getstate() == again.getstate()


def test_the_sampler_decides_a_tie_of_lengths(monkeypatch):
    generator = Generator(specification("rfc3986"), "port", range(1, 4))
    tie = generator.sampler.length_thresholds[0]
    monkeypatch.setattr(sampling._Twister, "numbers", lambda _, count: np.full(count, tie, np.uint64))
    lengths_asked = []
    right = Sampler.draw_lengths
    monkeypatch.setattr(
        Sampler, "draw_lengths", lambda *arguments: lengths_asked.append(arguments[2]) or right(*arguments)
    )
    words = sampling._Words(generator.sampler)
    assert len(words.lengths(Random(1), sampling._Twister(Random(1)))) == sampling.SIZE
    assert lengths_asked == [sampling.SIZE]


@pytest.mark.parametrize("kind", ["valid", "invalid"])
def test_a_wrong_label_ends_the_run(monkeypatch, kind):
    """The other automata are those of another rule."""
    engine = drawing()
    other_recognizer = sampling.recognizer(specification("rfc3986").grammar, ["relative-ref"])
    monkeypatch.setitem(engine.__dict__, "_recognizer", other_recognizer._replace(starts={"URI": 1}))
    with pytest.raises(WrongLabel, match="by another automaton it is "):
        engine.shard(kind, random_of(1, kind, 1))


def test_a_wrong_offset_ends_the_run(monkeypatch):
    """The automata of the messages do not leave the language where the label says."""
    engine = drawing()
    following, starts = engine._messages
    monkeypatch.setitem(engine.__dict__, "_messages", (np.where(following, following, 1), starts))
    with pytest.raises(WrongLabel, match="wrong label"):
        engine.shard("invalid", random_of(1, "invalid", 1))


def test_slices_and_items_of_columns_are_those_of_a_list():
    columns, fits = drawing().shard("invalid", random_of(1, "invalid", 1))
    every = list(columns)
    assert list(columns[10:20]) == every[10:20]
    assert columns[7] == every[7]
    some = np.arange(len(columns)) % 3 == 0
    assert list(columns.chosen(some)) == every[::3]
    assert fits.sum() <= len(columns)
    assert isinstance(columns, Columns)
    assert list(islice(columns.edits(), 3)) == [sample.edit for sample in every[:3]]
    assert dataclasses.is_dataclass(columns)
