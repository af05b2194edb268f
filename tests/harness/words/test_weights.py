"""Weights: by class, by rule and by character; files of weights."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from urlharness.words.sampling import Sampler
from urlharness.words.weights import Weights, WeightsError, by_class, by_rule, read_weights
from urloracle.automata.dfa import product
from urloracle.grammar.grammar import UnknownRule
from urloracle.rfcs import RFC3986, specification

URI = RFC3986.automaton("URI")


def drawn(automaton, weigh, number=1500):
    sampler, random = Sampler(automaton, range(41), weigh), Random(1)
    return [sampler.draw(random) for _ in range(number)]


def test_classes_of_a_state_share_their_characters():
    """At the beginning of a dec-octet, 6 to 9 are one class."""
    weights = by_class(RFC3986.automaton("IPv4address"))(RFC3986.automaton("IPv4address").start)
    assert len({weights[char] for char in "6789"}) == 1
    assert weights["1"] > 4 * weights["6"]


def test_factors_of_characters():
    factors = {"@": Fraction(0), "%": Fraction("2.5")}
    plain, changed = by_class(URI)(URI.start), by_class(URI, factors)
    state = URI.longest_viable_prefix("a:").state
    assert changed(URI.start).keys() == plain.keys()
    weights = changed(state)
    assert weights["@"] == 0
    assert Fraction(weights["%"], weights["/"]) == Fraction(5, 2) * Fraction(
        by_class(URI)(state)["%"], by_class(URI)(state)["/"]
    )
    assert not any("@" in word for word in drawn(URI, changed))


@pytest.mark.parametrize(
    ("rule", "char"), [("IP-literal", "["), ("port", ":"), ("query", "?")], ids=["literal", "port", "query"]
)
def test_factor_of_a_rule(rule, char):
    """More of the rule's beginnings with a great weight, none of its texts without one."""
    grammar = RFC3986.grammar
    counts = []
    for factor in (1, 50):
        automaton, weigh = by_rule(grammar, "URI", Weights({rule: Fraction(factor)}, {}))
        counts.append(sum(char in word.partition(":")[2] for word in drawn(automaton, weigh)))
    assert counts[1] > 1.2 * counts[0]
    automaton, weigh = by_rule(grammar, "URI", Weights({"ip-literal": Fraction(0)}, {}))
    assert not any("[" in word for word in drawn(automaton, weigh))


def test_words_of_a_rule_are_those_of_its_language():
    for spec, rule in (("rfc3986", "URI"), ("rfc1738", "ftpurl"), ("rfc2732", "URI-reference")):
        found = specification(spec)
        automaton, weigh = by_rule(found.grammar, rule, Weights({"host": Fraction(3)}, {}))
        assert all(map(found.automaton(rule).accepts, drawn(automaton, weigh, 300)))


def test_within_another_language():
    scheme = RFC3986.automaton("relative-ref")
    within = product(URI, scheme, lambda one, other: one and not other)
    automaton, weigh = by_rule(RFC3986.grammar, "URI", Weights({"port": Fraction(9)}, {}), within)
    words = drawn(automaton, weigh, 200)
    assert all(URI.accepts(word) and not scheme.accepts(word) for word in words)


def test_unknown_rule():
    with pytest.raises(UnknownRule):
        by_rule(RFC3986.grammar, "URI", Weights({"nothing": Fraction(1)}, {}))


def test_file(tmp_path):
    path = tmp_path / "weights.toml"
    path.write_text('[rules]\nport = 2\nhost = 0.5\n[characters]\n"a-c" = 3\n":/" = 0\n"-" = 7\n', "utf-8")
    rules, characters = read_weights(path)
    assert rules == {"port": 2, "host": Fraction(1, 2)}
    assert characters == {"a": 3, "b": 3, "c": 3, ":": 0, "/": 0, "-": 7}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("rules = 1", "rules is not a table", id="no-table"),
        pytest.param("[rule]\nport = 1", "rule is not a table", id="unknown-table"),
        pytest.param("[rules]\nport = -1", "weight of port is -1", id="negative"),
        pytest.param("[rules]\nport = true", "weight of port is True", id="boolean"),
        pytest.param("[rules]\nport = nan", "weight of port is nan", id="nan"),
        pytest.param("[rules", "weights.toml: ", id="no-toml"),
    ],
)
def test_wrong_files(tmp_path, text, message):
    path = tmp_path / "weights.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(WeightsError, match=message):
        read_weights(path)
