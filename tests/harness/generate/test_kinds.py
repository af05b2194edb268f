"""Kinds of texts: labels by exhaustion, what each kind holds, wrong labels, requests that cannot be met."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import islice, repeat
from operator import attrgetter
from random import Random
from typing import NamedTuple

import msgspec
import pytest

from urlharness.corpus.model import Expected
from urlharness.generate import kinds
from urlharness.generate.kinds import Generator, RequestError, WrongLabel, pairs_to_resolve
from urlharness.generate.tiers.labels import Label
from urlharness.words import mutation
from urlharness.words.paths import BEYOND, BYTES
from urlharness.words.shards import distinct
from urlharness.words.weights import Weights
from urloracle.grammar.alphabet import ASCII
from urloracle.rfcs import SPECIFICATIONS, specification

RULES = [
    ("rfc3986", "URI"),
    ("rfc3986", "IPv6address"),
    ("rfc1738", "url"),
    ("rfc1738", "ftpurl"),
    ("rfc1808", "URL"),
    ("rfc2396", "URI-reference"),
    ("rfc2732", "URI-reference"),
    ("rfc3987", "IRI"),
]


@pytest.fixture(params=RULES, ids="-".join)
def generator(request):
    spec, rule = request.param
    return Generator(specification(spec), rule, range(41))


#: More than a small language has texts.
ALL = 999


def drawn(source, count, seed=1):
    """Return so many texts of a source, each once, or all if `count` is None."""
    random = Random(seed)
    first = source.draw_first(random)
    shards = map(source.draw_shard, repeat(random)) if source.draw_shard else ()
    texts = distinct(first, shards, source.every, attrgetter("key"))
    return list(islice(texts, count))


def assert_labels_are_those_of_the_oracle(generator, samples):
    """Check verdict, offset, broken rule and class of each sample."""
    for sample in samples:
        problem = generator.spec.problem(sample.text, generator.rule)
        assert sample.valid == (problem is None)
        if problem is not None:
            assert sample.offset == problem.position
            language = generator.spec.language(generator.spec.judging_rule(sample.text, generator.rule))
            _, continuation = language.viable_prefix(sample.text)
            assert sample.broken == continuation.innermost
            assert (sample.class_ is None) == (sample.offset == len(sample.text))


SOURCES = {
    "valid": Generator.valid_texts,
    "invalid": Generator.invalid_texts,
    "near_misses": partial(Generator.near_misses, drawn=True),
}


class Drawn(NamedTuple):
    """The samples of a kind that a generator draws."""

    generator: Generator
    kind: str
    samples: list[kinds.Sample]


ROWS = [(spec, rule, kind) for spec, rule in RULES for kind in SOURCES]


@pytest.fixture(scope="module", params=ROWS, ids="-".join)
def drawn_samples(request):
    """400 samples of up to 40 characters."""
    spec, rule, kind = request.param
    generator = Generator(specification(spec), rule, range(41))
    return Drawn(generator, kind, drawn(SOURCES[kind](generator), 400))


@pytest.mark.sampled(keep="rfc3986")
def test_drawn_texts_differ(drawn_samples):
    assert len({sample.text for sample in drawn_samples.samples}) == 400


def test_drawn_texts_have_the_verdict_of_their_kind(drawn_samples):
    assert {sample.valid for sample in drawn_samples.samples} == {drawn_samples.kind == "valid"}


def test_drawn_texts_have_the_length_asked_for(drawn_samples):
    assert max(len(sample.text) for sample in drawn_samples.samples) <= 40


def test_drawn_texts_have_right_labels(drawn_samples):
    assert_labels_are_those_of_the_oracle(drawn_samples.generator, drawn_samples.samples)


#: One of so many texts is judged by the oracle, which takes long: there are thousands.
JUDGED = 7


def test_boundaries_have_right_labels(generator):
    samples = drawn(generator.boundaries(), None)
    assert [sample.text for sample in samples if sample.valid] != []
    assert_labels_are_those_of_the_oracle(generator, samples[::JUDGED])


@pytest.mark.sampled(keep="rfc3986")
def test_the_words_of_a_cover_have_right_labels(generator):
    samples = drawn(generator.covering_words(), None)
    assert [sample.text for sample in samples] == list(generator.cover.words)
    assert_labels_are_those_of_the_oracle(generator, samples[::JUDGED])


def beyond_ascii(samples):
    """Return the characters beyond ASCII of samples."""
    characters = set("".join(sample.text for sample in samples))
    return {character for character in characters if not character.isascii()}


def test_characters_beyond_ascii_take_turns_in_a_cover():
    generator = Generator(specification("rfc3987"), "ihost", range(41))
    samples = drawn(generator.covering_words(), None)
    assert len(beyond_ascii(samples)) > 1


def test_iris_of_a_scheme_have_characters_beyond_ascii():
    generator = Generator(specification("rfc3987"), "IRI", range(41), scheme="http")
    samples = drawn(generator.valid_texts(), 50)
    assert beyond_ascii(samples) != set()


def test_pairs_of_iris_have_the_edges_of_ranges():
    pairs = drawn(pairs_to_resolve(specification("rfc3987"), range(41)), 400)
    characters = set("".join(pair.base + pair.reference for pair in pairs))
    assert {"\ud7ff", "\U0001fffd", "\U0010fffd"} <= characters


def test_all_valid_texts_of_a_small_language_are_drawn():
    generator = Generator(specification("rfc3986"), "dec-octet", range(5))
    samples = drawn(generator.valid_texts(), ALL)
    assert sorted(int(sample.text) for sample in samples) == list(range(256))


def test_all_invalid_texts_of_at_most_one_character_are_drawn():
    generator = Generator(specification("rfc3986"), "dec-octet", range(2))
    samples = drawn(generator.invalid_texts(), ALL)
    assert {sample.text for sample in samples} == {"", *ASCII, *BEYOND, *BYTES} - set("0123456789")


@pytest.fixture
def empty_path():
    """A generator of a language with one text, the empty one."""
    return Generator(specification("rfc3986"), "path-empty", range(41))


def test_the_only_text_of_a_language_is_drawn_once(empty_path):
    assert [sample.text for sample in drawn(empty_path.valid_texts(), 9)] == [""]


def test_the_invalid_texts_of_the_empty_path_have_one_character(empty_path):
    assert {len(sample.text) for sample in drawn(empty_path.invalid_texts(), ALL)} == {1}


def test_the_near_misses_of_the_empty_path_have_several_classes(empty_path):
    samples = drawn(empty_path.near_misses(drawn=True), ALL)
    assert {"blank", "control"} <= {sample.class_ for sample in samples}


def test_near_misses_that_are_not_drawn_leave_every_state_of_the_automaton():
    generator = Generator(specification("rfc3986"), "IPv4address", range(41))
    samples = drawn(generator.near_misses(drawn=False), None)
    states = set()
    for sample in samples:
        states.add(generator.automaton.longest_viable_prefix(sample.text[: sample.offset]).state)
    sink = 0
    assert states == set(range(len(generator.automaton.table))) - {sink}


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize("weights", [None, Weights({"host": Fraction(2)}, {})], ids=["default", "weights"])
@pytest.mark.parametrize(("spec", "rule", "scheme"), [("rfc3986", "URI", "ws"), ("rfc1738", "ftpurl", "FTP")])
def test_every_text_begins_with_the_scheme_asked_for(spec, rule, scheme, weights):
    generator = Generator(specification(spec), rule, range(41), scheme=scheme, weights=weights)
    samples = drawn(generator.valid_texts(), 50)
    assert {sample.text.partition(":")[0].lower() for sample in samples} == {scheme.lower()}


def test_every_valid_boundary_begins_with_the_scheme_asked_for():
    generator = Generator(specification("rfc3986"), "URI", range(41), scheme="ws")
    samples = drawn(generator.boundaries(), None)
    assert {sample.text.partition(":")[0] for sample in samples if sample.valid} == {"ws"}


#: Texts to mutate, and whether they are valid.
TO_MUTATE = {
    "http://a:80/b?c#d": True,
    "ftp://u@h/;x": True,
    "not a url": False,
    "http://[::1]/": True,
    "caf\udce9:x": False,
}


@pytest.fixture
def mutations():
    """The first 300 samples of mutations of the texts above."""
    generator = Generator(specification("rfc3986"), "URI", range(41))
    return drawn(generator.mutations([*TO_MUTATE]), 300)


def test_mutations_begin_with_the_texts_themselves(mutations):
    originals = mutations[: len(TO_MUTATE)]
    assert {sample.text: sample.valid for sample in originals} == TO_MUTATE


def test_a_text_to_mutate_that_is_not_utf_8_has_its_class(mutations):
    (sample,) = [sample for sample in mutations if sample.text == "caf\udce9:x"]
    assert sample.class_ == "no UTF-8"


def test_spliced_texts_are_valid(mutations):
    spliced = [sample for sample in mutations if sample.edit and sample.edit.kind == "splice"]
    assert {sample.valid for sample in spliced} == {True}


#: If fewer mutations were invalid, they would hardly test how a library refuses.
LEAST_PART_OF_INVALID = 1 / 6


def test_a_good_part_of_the_mutations_is_invalid(mutations):
    verdicts = [sample.valid for sample in mutations[len(TO_MUTATE) :]]
    assert verdicts.count(False) > len(verdicts) * LEAST_PART_OF_INVALID


def test_mutations_have_right_labels(mutations):
    generator = Generator(specification("rfc3986"), "URI", range(41))
    assert_labels_are_those_of_the_oracle(generator, mutations)


def test_texts_of_which_none_is_valid_are_not_mutated():
    """A mutation changes a valid text, or is made of two of them."""
    generator = Generator(specification("rfc3986"), "URI", range(41))
    assert [sample.text for sample in drawn(generator.mutations(["%", " "]), 9)] == ["%", " "]


@pytest.fixture(params=sorted(SPECIFICATIONS.keys() - {"rfc1738"}))
def resolving_spec(request):
    """An RFC that resolves references; RFC 1738 does not."""
    return specification(request.param)


@pytest.fixture
def pairs(resolving_spec):
    """Pairs to resolve of the RFC."""
    return drawn(pairs_to_resolve(resolving_spec, range(31)), 300)


@pytest.mark.sampled(keep="rfc3986")
def test_pairs_differ(pairs):
    assert len({(pair.base, pair.reference) for pair in pairs}) == 300


@pytest.mark.sampled(keep="rfc3986")
def test_some_references_of_pairs_have_dot_segments(pairs):
    assert [pair for pair in pairs if ".." in pair.reference] != []


@pytest.mark.sampled(keep="rfc3986")
def test_references_of_pairs_are_valid(resolving_spec, pairs):
    assert [pair for pair in pairs if resolving_spec.problem(pair.reference) is not None] == []


@pytest.mark.sampled(keep="rfc3986")
def test_targets_of_pairs_are_right(resolving_spec, pairs):
    """A base is opaque in RFC 2396 if nothing can be resolved against it (section 5)."""
    hierarchical = [pair for pair in pairs if pair.targets != [None]]
    assert hierarchical != []
    targets = [resolving_spec.resolve(pair.base, pair.reference).text for pair in hierarchical]
    assert targets == [pair.targets[0] for pair in hierarchical]


def test_the_base_of_a_pair_has_the_scheme_asked_for():
    samples = drawn(pairs_to_resolve(specification("rfc3986"), range(31), "WS"), 50)
    assert {pair.base.partition(":")[0].lower() for pair in samples} == {"ws"}


def test_the_scheme_asked_for_is_not_that_of_every_reference():
    samples = drawn(pairs_to_resolve(specification("rfc3986"), range(31), "WS"), 50)
    assert [pair for pair in samples if not pair.reference.lower().startswith("ws:")] != []


def test_a_base_with_an_impossible_scheme_is_an_error():
    with pytest.raises(RequestError, match="no valid text with scheme 1 has a length from 0 to 30"):
        pairs_to_resolve(specification("rfc3986"), range(31), "1")


def test_a_wrong_target_ends_the_run(monkeypatch):
    label_pair = kinds.label_pair

    def label_wrongly(spec, base, reference):
        label = label_pair(spec, "x://y/z", "a/../b")
        first, *_ = label.expect.alternatives
        return label._replace(expect=msgspec.structs.replace(first, result=f"{first.result}/../c"))

    monkeypatch.setattr(kinds, "label_pair", label_wrongly)
    with pytest.raises(WrongLabel, match="resolves to something else"):
        drawn(pairs_to_resolve(specification("rfc3986"), range(31)), 50)


def test_a_target_that_is_no_url_ends_the_run(monkeypatch):
    spec = specification("rfc3986")
    monkeypatch.setattr(kinds, "label_pair", lambda *_: Label(Expected(result="no url")))
    with pytest.raises(WrongLabel, match="the pattern does not match"):
        drawn(pairs_to_resolve(spec, range(31)), 1)


@pytest.fixture
def wrong_generator(monkeypatch):
    """A generator whose automaton takes other words than its pattern matches."""
    spec = specification("rfc3986")
    generator = Generator(spec, "URI", range(41))
    monkeypatch.setattr(generator, "automaton", spec.automaton("URI-reference"))
    return generator


def test_a_wrong_automaton_is_caught_when_a_text_is_drawn(wrong_generator):
    with pytest.raises(WrongLabel, match="the automaton accepts, the pattern does not match"):
        drawn(wrong_generator.valid_texts(), 200)


def test_a_wrong_automaton_is_caught_when_a_text_is_labelled(wrong_generator):
    with pytest.raises(WrongLabel, match="the automaton accepts, the pattern does not match"):
        wrong_generator.label("//a")


#: The automaton of URIs has fewer states.
NO_STATE = 999


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param({"text": "a:b", "offset": 3}, "the pattern matches", id="valid"),
        pytest.param(
            {"text": "a b:c", "offset": 3, "state": NO_STATE}, "nothing shows", id="offset-too-great"
        ),
        pytest.param({"text": "ab c", "offset": 1}, "the offsets are 1 and 2", id="offset-too-small"),
    ],
)
def test_a_planted_wrong_edit_is_caught(monkeypatch, change, message):
    generator = Generator(specification("rfc3986"), "URI", range(41))
    right = mutation.Mutator.break_by
    scheme = specification("rfc3986").automaton("URI").longest_viable_prefix("a").state

    def broken(self, word, first, second):
        return right(self, word, first, second)._replace(**({"state": scheme} | change))

    monkeypatch.setattr(mutation.Mutator, "break_by", broken)
    with pytest.raises(WrongLabel, match=message):
        drawn(generator.invalid_texts(), 1)


def exploring_generator():
    """Return a generator of addresses that explores their language first."""
    return Generator(specification("rfc3986"), "IPv4address", range(16), explore=True)


def test_exploring_texts_come_first():
    """Then words are drawn by weights."""
    generator = exploring_generator()
    exploring_texts = [sample.text for sample in generator.valid_texts().draw_first(Random(1))]
    assert exploring_texts != []
    assert [sample.text for sample in drawn(generator.valid_texts(), len(exploring_texts))] == exploring_texts


def test_without_exploration_no_texts_come_first():
    generator = Generator(specification("rfc3986"), "IPv4address", range(16))
    assert list(generator.valid_texts().draw_first(Random(1))) == []


def test_invalid_texts_that_are_made_of_exploring_ones_have_right_labels():
    generator = exploring_generator()
    samples = list(generator.invalid_texts().draw_first(Random(1)))
    assert {sample.valid for sample in samples} == {False}
    assert_labels_are_those_of_the_oracle(generator, samples)
