"""Samples: exact up to length 4, by chi-square above, the same for a seed; each word comes once."""

from __future__ import annotations

import hashlib
from collections import Counter
from fractions import Fraction
from itertools import chain, islice, product
from random import Random

import pytest

from urlharness.words.sampling import Sampler, draw_below, draw_exploring, draw_numbers, draw_sample
from urlharness.words.weights import weigh_by_class
from urloracle.automata.dfa import Automaton
from urloracle.language import count_words
from urloracle.rfcs import specification


def automaton(spec, rule):
    return specification(spec).automaton(rule)


def uniformly(_):
    """Return no weights: each word of a length is as likely as any other."""
    return


EACH_WEIGHING = pytest.mark.parametrize("weigh_by", [uniformly, weigh_by_class], ids=["uniform", "weights"])


#: Three words: a, ab, bb; the class of a is 0, that of b is 1.
THREE = Automaton({"a": 0, "b": 1}, ((0, 0), (2, 3), (0, 4), (0, 4), (0, 0)), 1, frozenset((2, 4)))

SMALL = [
    ("rfc3986", "IPv4address"), ("rfc3986", "port"), ("rfc3986", "pct-encoded"), ("rfc1738", "hostport"),
    ("rfc3986", "IPv6address"), ("rfc1808", "scheme"),
]  # fmt: skip


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("spec", "rule"), SMALL)
@EACH_WEIGHING
def test_all_words_up_to_a_length_are_drawn(spec, rule, weigh_by):
    """The words listed are exactly those that the automaton accepts among all texts of its characters."""
    dfa = automaton(spec, rule)
    longest = 4 if len(dfa.classes) < 30 else 2  # so that there are less than a million texts
    sampler = Sampler(dfa, range(longest + 1), weigh_by(dfa))
    expected = []
    for length in range(longest + 1):
        texts = map("".join, product(sorted(dfa.classes), repeat=length))
        expected += filter(dfa.accepts, texts)
    assert list(sampler.all_words()) == expected
    assert sampler.total == len(expected)


@EACH_WEIGHING
def test_words_come_once_until_there_are_no_more(weigh_by):
    dfa = automaton("rfc3986", "dec-octet")
    words = list(Sampler(dfa, range(9), weigh_by(dfa)).draw_distinct(Random(1)))
    assert sorted(words, key=int) == [str(number) for number in range(256)]


def test_a_word_that_is_hardly_ever_drawn_comes_in_the_end():
    sampler = Sampler(THREE, range(2, 3), lambda _: {"a": 1, "b": 10**18})
    assert list(sampler.draw_distinct(Random(1))) == ["bb", "ab"]


def test_a_character_of_weight_0_is_never_drawn():
    sampler = Sampler(THREE, range(3), lambda _: {"a": 0, "b": 1})
    assert list(sampler.draw_distinct(Random(1))) == ["bb"]
    assert sampler.total == 1


def test_only_existing_lengths_are_drawn():
    assert Sampler(automaton("rfc3986", "pct-encoded"), range(2, 9)).lengths == [3]


def test_no_length_is_drawn_if_no_word_has_it():
    assert Sampler(automaton("rfc3986", "pct-encoded"), range(3)).lengths == []


#: Greater values of chi-square come in fewer than one of 100,000 samples, by the degrees of freedom.
GREATEST_CHI_SQUARE = {1: 24, 7: 40, 8: 45, 9: 50}


def chi_square(counts, expected):
    """Return the chi-square of counts, by the share of each that is expected."""
    total = sum(counts.values())
    return sum((counts[key] - total * share) ** 2 / (total * share) for key, share in expected.items())


#: The length of the words, and that of the prefixes whose states are counted.
LENGTH, PREFIX_LENGTH = 24, 20


def words_through(dfa):
    """Return the number of words that pass each state after the prefix, counted without a sampler."""
    ways = Counter({dfa.start: 1})
    for _ in range(PREFIX_LENGTH):
        following = Counter()
        for state, count in ways.items():
            for kind in dfa.classes.values():
                following[dfa.table[state][kind]] += count
        ways = following
    passing = {}
    for state in range(1, len(dfa.table)):
        from_state = Automaton(dfa.classes, dfa.table, state, dfa.accepting)
        (endings,) = count_words(from_state, [LENGTH - PREFIX_LENGTH])
        passing[state] = ways[state] * endings
    return passing


PREFIX_RULES = pytest.mark.parametrize(("spec", "rule"), [("rfc3986", "URI"), ("rfc1738", "ftpurl")])


@pytest.mark.sampled(keep="rfc3986")
@PREFIX_RULES
def test_all_words_pass_some_state_after_the_prefix(spec, rule):
    dfa = automaton(spec, rule)
    (total,) = count_words(dfa, [LENGTH])
    assert sum(words_through(dfa).values()) == total


@pytest.mark.sampled(keep="rfc3986")
@PREFIX_RULES
def test_prefixes_are_as_frequent_as_words_have_them(spec, rule):
    """States that are rarer than one in 800 words are counted together."""
    dfa = automaton(spec, rule)
    sampler = Sampler(dfa, range(LENGTH, LENGTH + 1))
    random = Random(7)
    passing = words_through(dfa)
    total = sum(passing.values())
    shares = {state: Fraction(count, total) for state, count in passing.items() if count * 800 > total}
    counts = Counter()
    for _ in range(4000):
        state = dfa.longest_viable_prefix(sampler.draw(random)[:PREFIX_LENGTH]).state
        counts[state if state in shares else "rest"] += 1
    rest = 1 - sum(shares.values())
    if rest:
        shares["rest"] = rest
    degrees = len(shares) - 1
    mean = degrees  # of chi-square
    standard_deviation = (2 * degrees) ** 0.5
    assert chi_square(counts, shares) < mean + 7 * standard_deviation + 20  # 20, because of its long tail


def test_characters_are_as_frequent_as_their_weights():
    """Two of three times b, where both continue; every word that passes there has length 2."""
    sampler = Sampler(THREE, range(2, 3), lambda _: {"a": 1, "b": 2})
    random = Random(3)
    counts = Counter(sampler.draw(random) for _ in range(6000))
    assert chi_square(counts, {"ab": Fraction(1, 3), "bb": Fraction(2, 3)}) < GREATEST_CHI_SQUARE[1]


def test_lengths_are_equally_frequent():
    sampler = Sampler(automaton("rfc3986", "URI"), range(2, 12))
    random = Random(3)
    counts = Counter(len(sampler.draw(random)) for _ in range(5000))
    assert chi_square(counts, dict.fromkeys(range(2, 12), Fraction(1, 10))) < GREATEST_CHI_SQUARE[9]


class Bits(Random):
    """Random bits from a list, the next draw first."""

    def __init__(self, *draws):
        super().__init__(0)
        self.draws = list(draws)

    def getrandbits(self, k):
        drawn = self.draws.pop(0)
        assert drawn < 1 << k
        return drawn


#: A third of 2^64, rounded down: a draw of 64 bits that equals it decides nothing, since 2^64 / 3 is greater.
THIRD = 2**64 // 3


@pytest.mark.parametrize(
    ("draws", "word"),
    [
        pytest.param([THIRD - 1], "ab", id="below"),
        pytest.param([THIRD + 1], "bb", id="above"),
        pytest.param([THIRD, THIRD - 1], "ab", id="tie-below"),
        pytest.param([THIRD, THIRD + 1], "bb", id="tie-above"),
        pytest.param([THIRD, THIRD, THIRD, 0], "ab", id="three-ties"),
    ],
)
def test_only_a_tie_draws_more_bits(draws, word):
    """The probability is exactly a third, not its first 64 bits."""
    first, *later = draws
    random = Bits(0, first, *later)  # the length and the second character have one choice each
    assert Sampler(THREE, range(2, 3), lambda _: {"a": 1, "b": 2}).draw(random) == word
    assert random.draws == []


@pytest.mark.parametrize("weigh", [None, lambda _: {"a": 1, "b": 1}], ids=["uniform", "weights"])
@pytest.mark.parametrize(
    ("draw", "word"),
    [(2**63 - 1, "ab"), (2**63, "bb"), (2**63 + 1, "bb")],
    ids=["below", "at-the-threshold", "above"],
)
def test_a_draw_at_an_exact_threshold_is_no_tie(weigh, draw, word):
    assert Sampler(THREE, range(2, 3), weigh).draw(Bits(0, draw)) == word


@pytest.mark.parametrize(
    ("draws", "length"),
    [
        pytest.param([THIRD - 1], 1, id="below"),
        pytest.param([THIRD + 1], 2, id="above"),
        pytest.param([THIRD, THIRD - 1], 1, id="tie-below"),
        pytest.param([THIRD, 2**63], 2, id="tie-above"),
    ],
)
def test_only_a_tie_of_lengths_draws_more_bits(draws, length):
    random = Bits(*draws)
    assert Sampler(automaton("rfc3986", "port"), range(1, 4)).draw_lengths(random, 1) == [length]
    assert random.draws == []


@pytest.fixture(params=[uniformly, weigh_by_class], ids=["uniform", "weights"])
def sampler(request):
    """A sampler of URIs of at most 40 characters."""
    dfa = automaton("rfc3986", "URI")
    return Sampler(dfa, range(41), request.param(dfa))


# words are made 64 at once: more than that, so that some are made later
@pytest.mark.parametrize("count", [0, 1, 64, 130])
def test_as_many_words_are_drawn_as_asked_for(sampler, count):
    assert len(list(sampler.draw_words(Random(5), count))) == count


def test_drawn_words_are_in_the_language(sampler):
    dfa = automaton("rfc3986", "URI")
    assert [word for word in sampler.draw_words(Random(5), 130) if not dfa.accepts(word)] == []


def test_lengths_are_drawn_before_the_characters(sampler):
    """First the lengths of all words, then one number for each character of each word."""
    random = Random(5)
    lengths = sampler.draw_lengths(random, 130)
    numbers = iter(draw_numbers(random, sum(lengths)))
    words = [sampler.make_word(random, islice(numbers, length)) for length in lengths]
    assert list(sampler.draw_words(Random(5), 130)) == words


def test_numbers_are_the_bits_of_one_draw():
    first, second = draw_numbers(Random(3), 2)
    assert Random(3).getrandbits(128) == first | second << 64


def test_no_numbers_are_an_empty_sequence():
    assert list(draw_numbers(Random(3), 0)) == []


@pytest.mark.parametrize("bound", [1, 2, 3, 7, 8, 9])
def test_numbers_below_a_bound_are_equally_frequent(bound):
    random = Random(5)
    counts = Counter(draw_below(random, bound) for _ in range(bound * 500))
    assert counts.keys() == set(range(bound))
    # a smaller bound has fewer degrees of freedom
    assert chi_square(counts, dict.fromkeys(range(bound), Fraction(1, bound))) < GREATEST_CHI_SQUARE[8]


def test_an_empty_language_has_no_words():
    assert list(Sampler(THREE, range(3, 9)).draw_distinct(Random(1))) == []


def test_drawing_from_an_empty_language_is_an_error():
    with pytest.raises(ValueError, match="nothing to draw from"):
        Sampler(THREE, range(3, 9)).draw(Random(1))


@pytest.fixture(scope="module")
def drawn_items():
    """Three of eight items, drawn with each of 600 seeds."""
    return [list(draw_sample(iter(range(8)), 3, seed)) for seed in range(600)]


def test_items_are_drawn_in_their_order(drawn_items):
    assert drawn_items == [sorted(items) for items in drawn_items]


def test_items_are_drawn_equally_often(drawn_items):
    counts = Counter(chain.from_iterable(drawn_items))
    assert chi_square(counts, dict.fromkeys(range(8), Fraction(1, 8))) < GREATEST_CHI_SQUARE[7]


def test_of_few_items_all_are_drawn():
    assert list(draw_sample("abc", 5, 1)) == ["a", "b", "c"]


#: SHA-256 of 2,000 words of each RFC's default rule with seed 15; the same on every platform and Python.
DIGESTS = [
    pytest.param(uniformly, "7f9fba7a0b6945a87dba7a509c215ab250046d67ac38a61c865b202de476eb89", id="uniform"),
    pytest.param(
        weigh_by_class, "953d87edb0fe3e1b1134d85544f3caebcc91a1d3f37a1d9ebe9df193d3db989f", id="weights"
    ),
]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("weigh_by", "digest"), DIGESTS)
def test_a_seed_gives_the_same_words_everywhere(weigh_by, digest):
    state = hashlib.sha256()
    for spec in ("rfc1738", "rfc1808", "rfc2396", "rfc2732", "rfc3986"):
        dfa = automaton(spec, specification(spec).default_rule)
        sampler = Sampler(dfa, range(61), weigh_by(dfa))
        for word in islice(sampler.draw_distinct(Random(15)), 2000):
            state.update(f"{word}\n".encode())
    assert state.hexdigest() == digest


@EACH_WEIGHING
def test_long_words_are_drawn(weigh_by):
    dfa = automaton("rfc3986", "URI")
    word = Sampler(dfa, range(400, 401), weigh_by(dfa)).draw(Random(2))
    assert len(word) == 400
    assert dfa.accepts(word)


# words that take new transitions: each takes one, and all together take all of them

EXPLORED = [
    ("rfc3986", "URI-reference", range(61)), ("rfc3986", "IPv6address", range(46)),
    ("rfc3986", "URI", range(30, 31)), ("rfc3986", "URI", range(2, 5)), ("rfc1738", "ftpurl", range(50)),
    ("rfc2396", "URI-reference", range(41)),
]  # fmt: skip


def transitions_of(dfa, word):
    """Return the transitions of a word: states and classes."""
    state = dfa.start
    transitions = set()
    for char in word:
        transitions.add((state, dfa.classes[char]))
        state = dfa.table[state][dfa.classes[char]]
    assert state in dfa.accepting
    return transitions


def possible_transitions(dfa, lengths):
    """Return the transitions that words of these lengths take."""
    transitions = set()
    steps = [{(kind, target) for kind, target in enumerate(row)} for row in dfa.table]
    for length in lengths:
        forward = [{dfa.start}]
        for _ in range(length):
            forward.append({target for state in forward[-1] for _, target in steps[state] if target})
        after = dfa.accepting
        for states in reversed(forward[:-1]):
            transitions |= {
                (state, kind) for state in states for kind, target in steps[state] if target in after
            }
            after = {state for state in states if any(target in after for _, target in steps[state])}
    return transitions


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("spec", "rule", "lengths"), EXPLORED)
@EACH_WEIGHING
def test_each_exploring_word_takes_a_new_transition_until_all_are_taken(spec, rule, lengths, weigh_by):
    dfa = specification(spec).automaton(rule)
    sampler = Sampler(dfa, lengths, weigh_by(dfa))
    untaken = possible_transitions(dfa, lengths)
    for word in draw_exploring(dfa, sampler, Random(2)):
        assert len(word) in lengths, word
        new = transitions_of(dfa, word) & untaken
        assert new != set(), word
        untaken -= new
    assert untaken == set()


def test_no_exploring_word_takes_a_character_of_weight_0():
    sampler = Sampler(THREE, range(3), lambda _: {"a": 0, "b": 1})
    assert list(draw_exploring(THREE, sampler, Random(1))) == ["bb"]


def test_without_words_of_a_length_nothing_is_explored():
    assert list(draw_exploring(THREE, Sampler(THREE, range(5, 9)), Random(1))) == []


def test_a_seed_explores_the_same_words():
    dfa = specification("rfc3986").automaton("IPv4address")
    sampler = Sampler(dfa, range(16))
    words = list(draw_exploring(dfa, sampler, Random(1)))
    assert list(draw_exploring(dfa, sampler, Random(1))) == words


def test_another_seed_explores_other_words():
    dfa = specification("rfc3986").automaton("IPv4address")
    sampler = Sampler(dfa, range(16))
    assert list(draw_exploring(dfa, sampler, Random(2))) != list(draw_exploring(dfa, sampler, Random(1)))
