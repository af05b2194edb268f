"""The texts of a shard: the same for a seed, mutations of the pool."""

from __future__ import annotations

import re
from random import Random

import pytest

from urlharness.corpus.differences import load_differences
from urlharness.fuzz.inputs import MAX_INPUT_LENGTH, Inputs, Pool, first_texts
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
    first, *others = inputs.seeds(["http://mine/"], 1)
    assert first == "http://mine/"
    assert "http://mine/" not in others


def test_seeds_have_the_texts_of_the_named_differences(inputs):
    """A difference with a rule is about a part of a URL, and no seed."""
    seeds = inputs.seeds([], 1)
    texts = []
    for difference in load_differences().values():
        texts += [side.url for side in difference if side.url is not None and side.rule is None]
    assert "http://a\\@b/" in texts
    assert [text for text in texts if text not in seeds] == []


def test_no_seed_comes_twice(inputs):
    seeds = inputs.seeds(["http://mine/", "http://mine/"], 1)
    assert "http://mine/" in seeds
    assert len(set(seeds)) == len(seeds)


def test_random_seeds_are_the_same_for_a_number_everywhere(inputs):
    *_, last_but_one, last = inputs.seeds(["http://mine/"], 1)  # random words are last
    assert last_but_one == "A.96@~.B@?:_1%14v"
    assert last == "b0E401--6"


def test_seeds_are_others_for_another_number(inputs):
    assert inputs.seeds(["http://mine/"], 1) != inputs.seeds(["http://mine/"], 2)


POOL = ("http://a/b?c#d", "//e@f:80/")


@pytest.fixture
def shard(inputs):
    """Return a function that makes a shard of 50 texts, or of as many as asked for, from a pool."""

    def make(seed=1, number=0, *, count=50, pool=POOL):
        return list(inputs.draw_shard(seed, number, count, pool_of(inputs, *pool)))

    return make


def test_a_shard_is_the_same_for_seed_number_and_pool_everywhere(shard):
    assert [draw.text for draw in shard(count=3)] == ["//e@f:80/1024", "http://a/b?c80d", "//e@f:80//"]


def test_a_longer_shard_begins_with_the_texts_of_a_shorter_one(shard):
    assert shard(count=50)[:20] == shard(count=20)


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({"seed": 2}, id="seed"),
        pytest.param({"number": 1}, id="number"),
        pytest.param({"pool": POOL[:1]}, id="pool"),
    ],
)
def test_a_shard_depends_on_seed_number_and_pool(shard, options):
    assert shard(**options) != shard()


def test_every_mutation_is_used(inputs):
    """A word that is not mutated is called a sample, and a graft is drawn apart from the others."""
    used = set()
    for mutation in inputs.draw_shard(1, 0, 1000, pool_of(inputs, *inputs.seeds([], 1))):
        used.update(mutation.how.split("+"))
    names = {mutation.__name__.strip("_") for mutation in inputs._mutations}
    assert used == {"sample", "graft", *names}


@pytest.fixture(scope="module")
def mutated_texts(inputs):
    pool = pool_of(inputs, *inputs.seeds([], 1))
    return [mutation.text for mutation in inputs.draw_shard(1, 0, 2000, pool)]


def test_a_text_is_not_too_long_to_be_asked(mutated_texts):
    assert max(map(len, mutated_texts)) <= MAX_INPUT_LENGTH


def test_a_text_has_no_separator_of_pairs(mutated_texts):
    assert [text for text in mutated_texts if SEPARATOR in text] == []


def test_a_text_can_be_encoded(mutated_texts):
    assert [text for text in mutated_texts if re.search("[\ud800-\udfff]", text)] == []


#: With fewer of one sort, a campaign would hardly show how libraries refuse, or what they see in valid texts.
LEAST_SHARE_OF_A_VERDICT = 0.2


@pytest.mark.parametrize("verdict", [True, False], ids=["valid", "invalid"])
def test_a_good_part_of_the_texts_has_each_verdict(inputs, mutated_texts, verdict):
    verdicts = [inputs.automaton.accepts(text) for text in mutated_texts]
    assert verdicts.count(verdict) > LEAST_SHARE_OF_A_VERDICT * len(verdicts)


#: A text that comes again is a question that is wasted; some short mutations are found more than once.
LEAST_SHARE_OF_DIFFERENT_TEXTS = 0.75


def test_most_texts_differ(mutated_texts):
    assert len({*mutated_texts}) > LEAST_SHARE_OF_DIFFERENT_TEXTS * len(mutated_texts)


def test_pairs_have_one_separator(pairs):
    seeds = pairs.seeds(["http://mine/"], 1)
    texts = [mutation.text for mutation in pairs.draw_shard(1, 0, 300, pool_of(pairs, *seeds))]
    assert len(texts) == 300
    assert [text for text in (*seeds, *texts) if text.count(SEPARATOR) != 1] == []


@pytest.mark.parametrize(
    "text",
    ["", "a", "\\", "é" * 5, "http://[::1]:80/"],
    ids=["empty", "letter", "backslash", "non-ascii", "url"],
)
def test_any_text_can_be_mutated(text, inputs):
    assert len(list(inputs.draw_shard(1, 0, 100, pool_of(inputs, text)))) == 100


def test_without_a_pool_new_words_are_mutated_once(inputs):
    drawn = list(inputs.draw_shard(1, 0, 300, None))
    assert len(drawn) == 300
    assert [mutation for mutation in drawn if "+" in mutation.how] == []


def test_without_a_pool_no_word_is_taken_from_it(inputs):
    hows = {mutation.how for mutation in inputs.draw_shard(1, 0, 300, None)}
    assert hows != set()
    assert hows.isdisjoint({"graft", "sample"})


@pytest.fixture(scope="module")
def grafts(inputs):
    """The texts that have a component of the pool, which is a word and a text that is none."""
    pool = pool_of(inputs, "//a@[::1]:8/b?c", "not a word")
    return {pool.graft("x:y", Random(seed)) for seed in range(200)}


def test_a_graft_takes_a_component_of_another_word(grafts):
    assert {"x://a@y", "x://:8y", "x:y?c", "x:/b"} <= grafts


def test_a_graft_changes_only_one_component(grafts):
    """This text would have lost its scheme and got a host."""
    assert "//[::1]y" not in grafts


def test_a_graft_takes_nothing_of_a_text_that_is_no_word(grafts):
    assert [text for text in grafts if "not" in text] == []


def test_texts_of_iris_have_characters_of_every_kind():
    iris = Inputs(SPECIFICATIONS["rfc3987"], "IRI-reference", pairs=False)
    characters = set("".join(draw.text for draw in iris.draw_shard(1, 1, 400, None)))
    assert {"\ud7ff", "\U0001fffd", "\u0301", "\u05d0", "\uf8ff"} <= characters


@pytest.mark.parametrize("text", ["a:\U00010300", "a:e\u0301", "a:b c"])
def test_a_campaign_of_mappings_begins_with_what_is_mapped_wrongly(text):
    assert text in first_texts("to_uri")


@pytest.mark.parametrize("text", ["a:%e2%80%ae", "a:%C0%AF", "a:%EE%80%80"])
def test_a_campaign_of_conversions_begins_with_what_stays(text):
    assert text in first_texts("to_iri")
