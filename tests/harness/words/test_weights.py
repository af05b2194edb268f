"""Weights: by class, by rule and by character; files of weights."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from urlharness.words.sampling import Sampler
from urlharness.words.weights import Weights, WeightsError, read_weights, weigh_by_class, weigh_by_rule
from urloracle.automata.dfa import product
from urloracle.grammar.grammar import UnknownRule
from urloracle.rfcs import RFC3986, specification

URI = RFC3986.automaton("URI")


def drawn(automaton, weigh, number=1500):
    sampler = Sampler(automaton, range(41), weigh)
    random = Random(1)
    return [sampler.draw(random) for _ in range(number)]


def test_classes_of_a_state_share_their_characters():
    """At the beginning of a dec-octet, 6 to 9 are one class; 1 is a class of its own."""
    automaton = RFC3986.automaton("IPv4address")
    weights = weigh_by_class(automaton)(automaton.start)
    assert {weights[char] for char in "6789"} == {weights["6"]}
    assert weights["1"] > 4 * weights["6"]


#: The factors of two characters.
FACTORS = {"@": Fraction(0), "%": Fraction("2.5")}


def test_a_factor_of_a_character_changes_its_ratio_to_others():
    state = URI.longest_viable_prefix("a:").state
    plain_weights = weigh_by_class(URI)(state)
    weights = weigh_by_class(URI, FACTORS)(state)
    plain_ratio = Fraction(plain_weights["%"], plain_weights["/"])
    assert Fraction(weights["%"], weights["/"]) == Fraction("2.5") * plain_ratio


def test_factors_leave_the_characters_of_a_state_as_they_are():
    assert weigh_by_class(URI, FACTORS)(URI.start).keys() == weigh_by_class(URI)(URI.start).keys()


def test_a_character_of_factor_0_is_never_drawn():
    words = drawn(URI, weigh_by_class(URI, FACTORS))
    assert words != []
    assert [word for word in words if "@" in word] == []


@pytest.mark.parametrize(
    ("rule", "char"), [("IP-literal", "["), ("port", ":"), ("query", "?")], ids=["literal", "port", "query"]
)
@pytest.mark.sampled(3)
def test_a_factor_weighs_the_texts_of_a_rule(rule, char):
    """The weight of 50 is so great that the difference is no accident of drawing."""
    grammar = RFC3986.grammar

    def count_with(factor):
        automaton, weigh = weigh_by_rule(grammar, "URI", Weights({rule: Fraction(factor)}, {}))
        rests = [word.partition(":")[2] for word in drawn(automaton, weigh)]
        return len([rest for rest in rests if char in rest])

    assert count_with(50) > 1.2 * count_with(1)


def test_a_rule_of_weight_0_in_any_case_has_no_texts():
    automaton, weigh = weigh_by_rule(RFC3986.grammar, "URI", Weights({"ip-literal": Fraction(0)}, {}))
    words = drawn(automaton, weigh)
    assert words != []
    assert [word for word in words if "[" in word] == []


def weighed(prefix, rule="URI", **weights):
    """Return the weights of the characters after a prefix, and without the weights."""
    weights_seen = []
    for weight_map in (weights, {}):
        automaton, weigh = weigh_by_rule(RFC3986.grammar, rule, Weights(**weight_map))
        weights_seen.append(weigh(automaton.longest_viable_prefix(prefix).state))
    return weights_seen


def ratio(chars, weights):
    """Return the ratio of the weights of two characters, as a factor of that without weights."""
    first, second = chars
    changed, plain = weights
    return Fraction(changed[first], changed[second]) / Fraction(plain[first], plain[second])


RATIOS = [
    pytest.param("a://", {"alternatives": {"host": [10, 1, 1]}}, "[g", 10, id="host"),
    pytest.param("a://", {"alternatives": {"host": [1, 4, 1]}}, "1g", Fraction(5, 2), id="host-of-digits"),
    pytest.param("a://g", {"alternatives": {"host": [1, 1, 9]}}, "g/", 1, id="host-decided"),
    pytest.param("a:/", {"alternatives": {"hier-part": [1, 6, 1, 1]}}, "g/", 6, id="hier-part"),
    pytest.param("a:", {"alternatives": {"hier-part": [1, 1, 1, 9]}}, "?g", 3, id="empty"),
    pytest.param("a:?", {"alternatives": {"query": [1, 7, 3]}}, "/?", Fraction(7, 3), id="repeated"),
    pytest.param("a:?", {"alternatives": {"unreserved": [1, 5, 1, 1, 1, 1]}}, "1g", 5, id="class"),
    pytest.param("a:?", {"rules": {"DIGIT": Fraction(5)}}, "1g", 5, id="rule-of-a-class"),
    pytest.param("a:", {"rules": {"query": Fraction(5)}}, "?#", 5, id="rule-after"),
    pytest.param("a:?", {"rules": {"query": Fraction(5)}}, "?#", 5, id="rule-inside"),
]


@pytest.mark.parametrize(("prefix", "weights", "chars", "factor"), RATIOS)
@pytest.mark.sampled(4)
def test_a_weight_changes_the_ratio_of_two_characters_exactly(prefix, weights, chars, factor):
    """A digit, which two alternatives can read, has the mean of both."""
    assert ratio(chars, weighed(prefix, **weights)) == factor


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("weights", "char"),
    [
        pytest.param({"alternatives": {"host": [0, 1, 1]}}, "[", id="alternative"),
        pytest.param({"rules": {"IP-literal": Fraction(0)}}, "[", id="rule"),
        pytest.param({"alternatives": {"unreserved": [0, 1, 1, 1, 1, 1]}}, "g", id="class"),
    ],
)
def test_a_part_of_weight_0_is_never_drawn(weights, char):
    """The rest of the grammar stays: there are authorities without a literal."""
    automaton, weigh = weigh_by_rule(RFC3986.grammar, "URI", Weights(**weights))
    rests = [word.partition(":")[2] for word in drawn(automaton, weigh)]
    assert [rest for rest in rests if char in rest] == []
    with_authority = [rest for rest in rests if rest.startswith("//")]
    assert len(with_authority) > len(rests) / 30  # with this seed at least one in 16


def test_equal_weights_change_nothing():
    factors = {"host": [7, 7, 7], "unreserved": [2] * 6}
    equal = weigh_by_rule(RFC3986.grammar, "URI", Weights(alternatives=factors))
    plain = weigh_by_rule(RFC3986.grammar, "URI", Weights())
    assert drawn(*equal, 200) == drawn(*plain, 200)


@pytest.mark.parametrize(
    ("alternatives", "message"),
    [
        pytest.param({"host": [1, 1]}, "host has 3 alternatives, not 2", id="number"),
        pytest.param({"HOST": [0, 0, 0]}, "one alternative of host must have a weight above 0", id="zero"),
        pytest.param({"authority": [1]}, "authority has no alternatives", id="none"),
        pytest.param({"path-empty": [1]}, "path-empty has no alternatives", id="empty"),
    ],
)
def test_a_rule_with_another_number_of_alternatives_is_an_error(alternatives, message):
    with pytest.raises(WeightsError, match=message):
        weigh_by_rule(RFC3986.grammar, "URI", Weights(alternatives=alternatives))


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize(
    ("spec", "rule"), [("rfc3986", "URI"), ("rfc1738", "ftpurl"), ("rfc2732", "URI-reference")]
)
def test_weighed_words_of_a_rule_are_in_its_language(spec, rule):
    rfc = specification(spec)
    automaton, weigh = weigh_by_rule(rfc.grammar, rule, Weights({"host": Fraction(3)}, {}))
    words = drawn(automaton, weigh, 300)
    assert len(words) == 300
    assert [word for word in words if not rfc.automaton(rule).accepts(word)] == []


def test_words_stay_within_another_language():
    relative_refs = RFC3986.automaton("relative-ref")
    within = product(URI, relative_refs, lambda first, second: first and not second)
    automaton, weigh = weigh_by_rule(RFC3986.grammar, "URI", Weights({"port": Fraction(9)}, {}), within)
    words = drawn(automaton, weigh, 200)
    assert len(words) == 200
    assert [word for word in words if not URI.accepts(word)] == []
    assert [word for word in words if relative_refs.accepts(word)] == []


@pytest.mark.parametrize(
    "weights",
    [
        pytest.param(Weights({"nothing": Fraction(1)}), id="rule"),
        pytest.param(Weights(alternatives={"nothing": [Fraction(1)]}), id="alternatives"),
    ],
)
def test_a_weight_of_an_unknown_rule_is_an_error(weights):
    with pytest.raises(UnknownRule, match="no rule named 'nothing'"):
        weigh_by_rule(RFC3986.grammar, "URI", weights)


WEIGHTS_FILE = """
[rules]
port = 2
host = 0.5

[characters]
"a-c" = 3
":/" = 0
"-" = 7

[alternatives]
host = [10, 0.5, 0]
"""


@pytest.fixture
def weights_of_file(tmp_path):
    """The weights of a file with all three tables."""
    path = tmp_path / "weights.toml"
    path.write_text(WEIGHTS_FILE, "utf-8")
    return read_weights(path)


def test_weights_of_rules_are_read_from_a_file(weights_of_file):
    assert weights_of_file.rules == {"port": 2, "host": Fraction(1, 2)}


def test_weights_of_alternatives_are_read_from_a_file(weights_of_file):
    assert weights_of_file.alternatives == {"host": [10, Fraction(1, 2), 0]}


def test_a_key_of_the_characters_in_a_file_is_a_range_or_a_list(weights_of_file):
    """A hyphen without characters on both sides stands for itself."""
    assert weights_of_file.characters == {"a": 3, "b": 3, "c": 3, ":": 0, "/": 0, "-": 7}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("rules = 1", "rules is not a table", id="no-table"),
        pytest.param("[rule]\nport = 1", "rule is not a table", id="unknown-table"),
        pytest.param("[rules]\nport = -1", "weight of port is -1", id="negative"),
        pytest.param("[rules]\nport = true", "weight of port is True", id="boolean"),
        pytest.param("[rules]\nport = nan", "weight of port is nan", id="nan"),
        pytest.param("[alternatives]\nhost = 1", "alternatives of host are not a list: 1", id="no-list"),
        pytest.param("[alternatives]\nhost = [1, -1]", "weight of alternative 2 of host is -1", id="item"),
        pytest.param('[characters]\n"z-a" = 1', "'z-a' in .characters. is no range", id="backwards"),
        pytest.param('[characters]\n"é" = 1', "no list of ASCII characters", id="beyond-ascii"),
        pytest.param("[rules", "weights.toml: ", id="no-toml"),
    ],
)
def test_a_wrong_file_of_weights_is_an_error(tmp_path, text, message):
    path = tmp_path / "weights.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(WeightsError, match=message):
        read_weights(path)


def test_a_file_that_is_nested_too_deeply_is_an_error(tmp_path):
    (tmp_path / "weights.toml").write_text("a = " + "[" * 5000)
    with pytest.raises(WeightsError, match=r"weights\.toml: nested too deeply$"):
        read_weights(tmp_path / "weights.toml")
