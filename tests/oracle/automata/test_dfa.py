"""Automata against brute force on small languages, and their sizes, which theory fixes."""

from __future__ import annotations

from itertools import product as words_over

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from urloracle.automata.dfa import Prefix, determinize, difference, minimize, product, union
from urloracle.automata.positions import position_automaton
from urloracle.grammar.expression import EMPTY, Alternation, Characters, Repetition, Sequence
from urloracle.grammar.grammar import Grammar
from urloracle.language import Language
from urloracle.rfcs import SPECIFICATIONS

_STEADY = settings(derandomize=True, deadline=None, max_examples=60, database=None)


# States of the minimal automata, the sink included (the Myhill-Nerode theorem makes the number unique).
SIZES = [
    ("rfc1738", "url", "generic", 6),
    ("rfc1738", "genericurl", None, 6),
    ("rfc1738", "httpurl", None, 29),
    ("rfc1738", "ftpurl", None, 53),
    ("rfc1738", "fileurl", None, 24),
    ("rfc1738", "gopherurl", None, 28),
    ("rfc1738", "mailtourl", None, 12),
    ("rfc1738", "newsurl", None, 25),
    ("rfc1738", "nntpurl", None, 27),
    ("rfc1738", "telneturl", None, 47),
    ("rfc1738", "waisurl", None, 35),
    ("rfc1738", "prosperourl", None, 36),
    ("rfc1808", "URL", None, 13),
    ("rfc2396", "URI-reference", None, 13),
    ("rfc3986", "URI-reference", None, 183),
    ("rfc3986", "URI", None, 180),
    ("rfc3986", "absolute-URI", None, 177),
    ("rfc3986", "relative-ref", None, 181),
    ("rfc3986", "IPv6address", None, 152),
    ("rfc3986", "IPv4address", None, 25),
]


@pytest.mark.parametrize(("spec", "rule", "profile", "states"), SIZES)
def test_a_rule_has_as_many_states_as_its_minimal_automaton(spec, rule, profile, states):
    """The number of states of a minimal automaton is unique."""
    assert len(SPECIFICATIONS[spec].automaton(rule, profile).table) == states


def _grammar(expression):
    return Grammar({"rule": expression}, {"rule": "rule"}, {"rule": "1"})


def _raw(expression, *, fold_scheme=False):
    return determinize(position_automaton(_grammar(expression), expression), fold_scheme=fold_scheme)[0]


def _minimal(expression):
    return minimize(_raw(expression))


def _words(alphabet, longest):
    return ["".join(word) for length in range(longest + 1) for word in words_over(alphabet, repeat=length)]


def _derives(expression, text):
    """Membership by trying everything: the ends of the prefixes that the expression derives."""
    return len(text) in _ends(expression, text, frozenset({0}))


def _ends(expression, text, starts):
    match expression:
        case Characters(members):
            return frozenset(start + 1 for start in starts if text[start : start + 1] in members)
        case Sequence(items):
            for item in items:
                starts = _ends(item, text, starts)
            return starts
        case Alternation(items):
            return frozenset().union(*(_ends(item, text, starts) for item in items))
        case Repetition(item, minimum, maximum):
            for _ in range(minimum):
                starts = _ends(item, text, starts)
            ends = starts
            for _ in range(len(text) + 1 if maximum is None else maximum - minimum):
                starts = _ends(item, text, starts)
                ends |= starts
            return ends


def _expressions(alphabet, *, bounded=False):
    classes = st.builds(
        Characters, st.frozensets(st.sampled_from(alphabet), min_size=1, max_size=len(alphabet))
    )
    highest = st.integers(0, 2) if bounded else st.none() | st.integers(0, 2)

    def larger(inner):
        items = st.lists(inner, max_size=3).map(tuple)
        return (
            st.builds(Sequence, items)
            | st.builds(Alternation, st.lists(inner, min_size=1, max_size=3).map(tuple))
            | st.builds(
                lambda item, low, children: Repetition(
                    item, low, None if children is None else low + children
                ),
                inner,
                st.integers(0, 2),
                highest,
            )
        )

    return st.recursive(classes | st.just(EMPTY), larger, max_leaves=6)


WORDS = _words("abc", 4)


@_STEADY
@given(_expressions("abc"))
def test_determinizing_and_minimizing_keep_the_language(expression):
    """Subset construction and minimization keep the language."""
    raw = _raw(expression)
    smallest = minimize(raw)
    for word in WORDS:
        assert raw.accepts(word) == smallest.accepts(word) == _derives(expression, word), word
    assert not smallest.accepts("d")
    assert not smallest.accepts("\u00e9")


@_STEADY
@given(_expressions("abc"))
def test_no_two_states_of_a_minimal_automaton_are_equivalent(expression):
    """No two states are equivalent, and all are reached but perhaps the sink."""
    automaton = _minimal(expression)
    count = len(automaton.table)
    apart = {
        (first, two)
        for first in range(count)
        for two in range(count)
        if (first in automaton.accepting) != (two in automaton.accepting)
    }
    while True:
        further = {
            (first, two)
            for first in range(count)
            for two in range(count)
            if any(pair in apart for pair in zip(automaton.table[first], automaton.table[two], strict=True))
        }
        if further <= apart:
            break
        apart |= further
    assert len(apart) == count * (count - 1)
    reached = {automaton.start}
    for _ in range(count):
        reached |= {target for state in reached for target in automaton.table[state]}
    assert reached | {0} == set(range(count))
    assert set(automaton.table[0]) <= {0}


COMBINATIONS = {
    "union": (union, lambda first, two: first or two),
    "difference": (difference, lambda first, two: first and not two),
    "both": (lambda left, right: product(left, right, bool.__and__), lambda first, two: first and two),
    "either-but-not-both": (lambda left, right: product(left, right, bool.__xor__), lambda a, b: a != b),
}


@pytest.mark.parametrize("name", COMBINATIONS)
@_STEADY
@given(_expressions("ab"), _expressions("bc"))
def test_a_product_has_the_words_of_the_combination(name, left, right):
    """The product of two automata, before and after minimization; their alphabets differ."""
    combine, expected = COMBINATIONS[name]
    combined = combine(_minimal(left), _minimal(right))
    smallest = minimize(combined)
    for word in WORDS:
        expected_verdict = expected(_derives(left, word), _derives(right, word))
        assert combined.accepts(word) == smallest.accepts(word) == expected_verdict, word


@_STEADY
@given(_expressions("ab", bounded=True))
def test_the_longest_viable_prefix_is_the_longest_beginning_of_a_member(expression):
    """Against all members of a finite language: how far a text goes, and what may come next."""
    automaton = _minimal(expression)
    members = {word for word in _words("ab", 8) if _derives(expression, word)}
    prefixes = {word[:length] for word in members for length in range(len(word) + 1)}
    for word in [*_words("ab", 4), "abd", "\u00e9", "a\u00e9b"]:
        length = max((n for n in range(len(word) + 1) if word[:n] in prefixes), default=0)
        prefix = automaton.longest_viable_prefix(word)
        assert prefix.length == length
        allowed = {char for char in "abc" if word[:length] + char in prefixes}
        assert automaton.allowed(prefix.state) >= allowed
        if max(map(len, members), default=0) < 8:
            assert automaton.allowed(prefix.state) == allowed


@_STEADY
@given(_expressions("abc"))
def test_the_shortest_member_is_the_first_in_alphabetical_order(expression):
    """The shortest one, and among those the first in alphabetical order."""
    members = [word for word in WORDS if _derives(expression, word)]
    shortest = _minimal(expression).shortest_member()
    if members:
        assert shortest == min(members, key=lambda word: (len(word), word))
    else:
        assert shortest is None or (len(shortest) > 4 and _derives(expression, shortest))


def test_an_empty_language_has_no_members():
    """No member, no viable prefix but the empty one; a class without characters is one of them."""
    nothing = _minimal(Characters(frozenset()))
    assert nothing.shortest_member() is None
    assert not nothing.accepts("")
    assert nothing.longest_viable_prefix("a") == Prefix(0, nothing.start)
    assert difference(nothing, nothing).shortest_member() is None
    assert _minimal(EMPTY).shortest_member() == ""


FOLDED_WORDS = _words("aAbB:", 4)


@_STEADY
@given(_expressions("abB:"))
def test_letters_before_the_first_colon_match_in_either_case(expression):
    """R-1738-03: letters before the first colon match in either case, later ones do not."""
    folded = _raw(expression, fold_scheme=True)
    for word in FOLDED_WORDS:
        scheme, colon, rest = word.partition(":")
        assert folded.accepts(word) == _derives(expression, scheme.lower() + colon + rest), word


@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        ("HTTP://h/", True),
        ("hTtP://h/", True),
        ("ftp://h/a;type=A", True),
        ("FTP://h/a;type=a", True),
        ("FTP://h/a;TYPE=a", False),
        ("Http://H/%fF", True),
    ],
)
def test_only_the_scheme_is_folded(text, accepted):
    """R-1738-03, G-03: the other literals of RFC 1738 keep their case."""
    rule = f"{text.partition(':')[0].lower()}url"
    assert Language(SPECIFICATIONS["rfc1738"].grammar, rule).accepts(text) is accepted
