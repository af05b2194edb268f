"""Kinds of texts: labels by exhaustion, what each kind holds, wrong labels, requests that cannot be met."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import islice, product, repeat
from operator import attrgetter
from random import Random

import msgspec
import pytest

from urlharness.corpus.model import Expected
from urlharness.generate import kinds
from urlharness.generate.kinds import Generator, RequestError, WrongLabel, resolutions
from urlharness.generate.labels import Label
from urlharness.words import mutation
from urlharness.words.paths import BEYOND, BYTES
from urlharness.words.shards import distinct
from urlharness.words.weights import Weights
from urloracle.automata.dfa import ASCII
from urloracle.operations import validate
from urloracle.rfcs import SPECIFICATIONS, specification

RULES = [
    ("rfc3986", "URI"), ("rfc3986", "IPv6address"), ("rfc1738", "url"), ("rfc1738", "ftpurl"),
    ("rfc1808", "URL"), ("rfc2396", "URI-reference"), ("rfc2732", "URI-reference"),
]  # fmt: skip


@pytest.fixture(params=RULES, ids="-".join)
def generator(request):
    spec, rule = request.param
    return Generator(specification(spec), rule, range(41))


def drawn(source, count, seed=1):
    """The texts of a source, each once."""
    random = Random(seed)
    shards = map(source.shard, repeat(random)) if source.shard else ()
    return list(islice(distinct(source.first(random), shards, source.every, attrgetter("key")), count))


def agree(generator, samples):
    """Every label is that of the oracle's own check."""
    for sample in samples:
        problem = generator.spec.problem(sample.text, generator.rule)
        assert sample.valid == (problem is None)
        if problem is not None:
            assert sample.offset == problem.position
            assert generator.spec.grammar.section(sample.broken) == problem.section
            assert (sample.class_ is None) == (sample.offset == len(sample.text))


SOURCES = {
    "valid": Generator.valid,
    "invalid": Generator.invalid,
    "near_misses": partial(Generator.near_misses, drawn=True),
}


@pytest.mark.parametrize("kind", SOURCES)
def test_drawn_texts_differ_and_have_right_labels(generator, kind):
    """They differ, have the lengths asked for, and their labels are right."""
    samples = drawn(SOURCES[kind](generator), 400)
    assert len({sample.text for sample in samples}) == len(samples) == 400
    assert {sample.valid for sample in samples} == {kind == "valid"}
    assert all(len(sample.text) <= 40 for sample in samples)
    agree(generator, samples)


def test_boundaries_and_covers_have_right_labels(generator):
    samples = drawn(generator.boundaries(), None)
    assert {True} <= {sample.valid for sample in samples}
    agree(generator, samples[::7])
    covering = drawn(generator.covering(), None)
    assert [sample.text for sample in covering] == list(generator.cover.words)
    agree(generator, covering[::7])


def test_all_short_texts_are_found():
    """Of a small language every valid text, and every text of one character that is none."""
    spec = specification("rfc3986")
    texts_found = {sample.text for sample in drawn(Generator(spec, "dec-octet", range(5)).valid(), 999)}
    texts = ("".join(digits) for n in range(5) for digits in product("0123456789", repeat=n))
    assert texts_found == {text for text in texts if spec.problem(text, "dec-octet") is None}
    texts_found = {sample.text for sample in drawn(Generator(spec, "dec-octet", range(2)).invalid(), 999)}
    assert texts_found == {"", *ASCII, *BEYOND, *BYTES} - set("0123456789")


def test_a_language_with_few_texts_ends():
    generator = Generator(specification("rfc3986"), "path-empty", range(41))
    assert [sample.text for sample in drawn(generator.valid(), 9)] == [""]
    assert all(len(sample.text) == 1 for sample in drawn(generator.invalid(), 999))
    assert {sample.class_ for sample in drawn(generator.near_misses(drawn=True), 999)} >= {"blank", "control"}


def test_near_misses_without_drawing_have_every_state():
    generator = Generator(specification("rfc3986"), "IPv4address", range(41))
    samples = drawn(generator.near_misses(drawn=False), None)
    assert {"256", "0.0.0.0.", "00", "", "0."} <= {sample.text for sample in samples}


@pytest.mark.parametrize("weights", [None, Weights({"host": Fraction(2)}, {})], ids=["default", "weights"])
@pytest.mark.parametrize(("spec", "rule", "scheme"), [("rfc3986", "URI", "ws"), ("rfc1738", "ftpurl", "FTP")])
def test_every_text_begins_with_the_scheme_asked_for(spec, rule, scheme, weights):
    generator = Generator(specification(spec), rule, range(41), scheme=scheme, weights=weights)
    samples = drawn(generator.valid(), 50)
    assert all(sample.text.lower().startswith(f"{scheme.lower()}:") for sample in samples)
    assert drawn(generator.boundaries(), None)


def test_mutations_keep_break_and_splice():
    texts = ["http://a:80/b?c#d", "ftp://u@h/;x", "not a url", "http://[::1]/", "caf\udce9:x"]
    generator = Generator(specification("rfc3986"), "URI", range(41))
    samples = drawn(generator.mutations(texts), 300)
    assert [sample.text for sample in samples[:5]] == texts
    assert [sample.valid for sample in samples[:5]] == [True, True, False, True, False]
    assert samples[4].class_ == "no UTF-8"
    spliced = [sample for sample in samples if sample.edit and sample.edit.kind == "splice"]
    assert spliced
    assert all(sample.valid for sample in spliced)
    assert sum(not sample.valid for sample in samples[5:]) > 50
    agree(generator, samples)


def test_mutations_of_nothing_valid_end():
    generator = Generator(specification("rfc3986"), "URI", range(41))
    assert [sample.valid for sample in drawn(generator.mutations(["%", " "]), 9)] == [False, False]


@pytest.mark.parametrize("spec", sorted(SPECIFICATIONS.keys() - {"rfc1738"}))
def test_pairs_differ_and_have_right_targets(spec):
    samples = drawn(resolutions(specification(spec), range(31)), 300)
    assert len({(pair.base, pair.reference) for pair in samples}) == 300
    assert sum(".." in pair.reference for pair in samples) > 5
    for pair in samples:
        validate(pair.reference, spec)


def test_the_base_of_a_pair_has_the_scheme_asked_for():
    samples = drawn(resolutions(specification("rfc3986"), range(31), "WS"), 50)
    assert {pair.base.partition(":")[0].lower() for pair in samples} == {"ws"}
    assert not all(pair.reference.lower().startswith("ws:") for pair in samples)
    with pytest.raises(RequestError, match="no valid text with scheme 1 has a length from 0 to 30"):
        resolutions(specification("rfc3986"), range(31), "1")


def test_a_wrong_result_ends_the_run(monkeypatch):
    spec = specification("rfc3986")
    right = kinds.label_pair

    def label_pair(spec, base, reference):
        label = right(spec, "x://y/z", "a/../b")
        first, *_ = label.expect.alternatives
        return label._replace(expect=msgspec.structs.replace(first, result=f"{first.result}/../c"))

    monkeypatch.setattr(kinds, "label_pair", label_pair)
    with pytest.raises(WrongLabel, match="resolves to something else"):
        drawn(resolutions(spec, range(31)), 50)
    monkeypatch.setattr(kinds, "label_pair", lambda *_: Label(Expected(result="no url")))
    with pytest.raises(WrongLabel, match="the pattern does not match"):
        drawn(resolutions(spec, range(31)), 1)


@pytest.fixture
def wrong_generator(monkeypatch):
    """A generator whose automaton takes other words than its pattern matches."""
    spec = specification("rfc3986")
    generator = Generator(spec, "URI", range(41))
    monkeypatch.setattr(generator, "whole", spec.automaton("URI-reference"))
    return generator


def test_a_wrong_automaton_is_caught_when_a_text_is_drawn(wrong_generator):
    with pytest.raises(WrongLabel, match="the automaton accepts, the pattern does not match"):
        drawn(wrong_generator.valid(), 200)


def test_a_wrong_automaton_is_caught_when_a_text_is_labelled(wrong_generator):
    with pytest.raises(WrongLabel):
        wrong_generator.label("//a")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param({"text": "a:b", "offset": 3}, "the pattern matches", id="valid"),
        pytest.param({"text": "a b:c", "offset": 3, "state": 99}, "nothing shows", id="offset-too-great"),
        pytest.param({"text": "ab c", "offset": 1}, "the offsets are 1 and 2", id="offset-too-small"),
    ],
)
def test_a_planted_wrong_edit_is_caught(monkeypatch, change, message):
    generator = Generator(specification("rfc3986"), "URI", range(41))
    right = mutation.Mutator.broken
    scheme = specification("rfc3986").automaton("URI").longest_viable_prefix("a").state

    def broken(self, word, first, second):
        return right(self, word, first, second)._replace(**({"state": scheme} | change))

    monkeypatch.setattr(mutation.Mutator, "broken", broken)
    with pytest.raises(WrongLabel, match=message):
        drawn(generator.invalid(), 1)


def test_exploring_texts_come_first():
    """The words take all transitions; then words are drawn by weights. Invalid texts are made from them."""
    generator = Generator(specification("rfc3986"), "IPv4address", range(16), explore=True)
    plain = Generator(specification("rfc3986"), "IPv4address", range(16))
    first = [sample.text for sample in generator.valid().first(Random(1))]
    assert len(first) > 5
    assert list(plain.valid().first(Random(1))) == []
    assert [sample.text for sample in drawn(generator.valid(), len(first))] == first
    agree(generator, drawn(generator.invalid(), 60))
