"""Automata against brute force on small languages, and their sizes, which theory fixes."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import permutations
from itertools import product as words_over
from threading import Barrier

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from urloracle.automata.dfa import (
    SINK,
    LazyAutomaton,
    Prefix,
    determinize,
    difference,
    minimize,
    product,
    union,
)
from urloracle.automata.positions import position_automaton
from urloracle.grammar.alphabet import PRIVATE, UCS
from urloracle.grammar.expression import EMPTY, Alternation, Characters, Reference, Repetition, Sequence
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
    """Return the automaton of an expression before it is minimized."""
    positions = position_automaton(_grammar(expression), expression)
    automaton, _ = determinize(positions, fold_scheme=fold_scheme)
    return automaton


def _minimal(expression):
    return minimize(_raw(expression))


def _words(alphabet, longest):
    """Return all words of an alphabet up to a length."""
    return ["".join(word) for length in range(longest + 1) for word in words_over(alphabet, repeat=length)]


def _derives(expression, text):
    """Return True if an expression derives a text, by trying everything."""
    return len(text) in _ends(expression, text, frozenset({0}))


def _ends(expression, text, starts):
    """Return the offsets at which a part of the text may end that begins at one of these offsets."""
    match expression:
        case Characters(members):
            return frozenset(start + 1 for start in starts if text[start : start + 1] in members)
        case Sequence(elements):
            for element in elements:
                starts = _ends(element, text, starts)
            return starts
        case Alternation(elements):
            return frozenset().union(*(_ends(element, text, starts) for element in elements))
        case Repetition(element, minimum, maximum):
            for _ in range(minimum):
                starts = _ends(element, text, starts)
            ends = starts
            for _ in range(len(text) + 1 if maximum is None else maximum - minimum):
                starts = _ends(element, text, starts)
                ends |= starts
            return ends


def _expressions(alphabet, *, bounded=False):
    """Return a strategy for expressions over an alphabet, with or without unbounded repetitions."""
    classes = st.builds(
        Characters, st.frozensets(st.sampled_from(alphabet), min_size=1, max_size=len(alphabet))
    )
    highest = st.integers(0, 2) if bounded else st.none() | st.integers(0, 2)

    def repetition(element, minimum, more):
        return Repetition(element, minimum, None if more is None else minimum + more)

    def larger(inner):
        return (
            st.builds(Sequence, st.lists(inner, max_size=3).map(tuple))
            | st.builds(Alternation, st.lists(inner, min_size=1, max_size=3).map(tuple))
            | st.builds(repetition, inner, st.integers(0, 2), highest)
        )

    return st.recursive(classes | st.just(EMPTY), larger, max_leaves=6)


WORDS = _words("abc", 4)


@_STEADY
@given(_expressions("abc"))
def test_determinizing_keeps_the_language(expression):
    automaton = _raw(expression)
    for word in WORDS:
        assert automaton.accepts(word) == _derives(expression, word), word


@_STEADY
@given(_expressions("abc"))
def test_minimizing_keeps_the_language(expression):
    automaton = _minimal(expression)
    for word in WORDS:
        assert automaton.accepts(word) == _derives(expression, word), word


@pytest.mark.sampled(2)
@pytest.mark.parametrize("word", ["d", "\u00e9"])
@_STEADY
@given(expression=_expressions("abc"))
def test_a_minimal_automaton_refuses_a_character_outside_its_alphabet(expression, word):
    assert not _minimal(expression).accepts(word)


def _distinguishable_states(automaton):
    """Return the ordered pairs of states that some word tells apart (Moore's algorithm)."""
    states = range(len(automaton.table))
    accepting = automaton.accepting
    pairs = list(words_over(states, repeat=2))
    apart = {(left, right) for left, right in pairs if (left in accepting) != (right in accepting)}
    while True:
        size = len(apart)
        for left, right in pairs:
            targets = zip(automaton.table[left], automaton.table[right], strict=True)
            if not apart.isdisjoint(targets):
                apart.add((left, right))
        if len(apart) == size:
            return apart


@_STEADY
@given(_expressions("abc"))
def test_no_two_states_of_a_minimal_automaton_are_equivalent(expression):
    automaton = _minimal(expression)
    pairs_of_unequal_states = set(permutations(range(len(automaton.table)), 2))
    assert _distinguishable_states(automaton) == pairs_of_unequal_states


@_STEADY
@given(_expressions("abc"))
def test_all_states_of_a_minimal_automaton_but_the_sink_are_reached(expression):
    automaton = _minimal(expression)
    reached = {automaton.start}
    for _ in automaton.table:
        for state in tuple(reached):
            reached.update(automaton.table[state])
    assert reached | {SINK} == set(range(len(automaton.table)))


@_STEADY
@given(_expressions("abc"))
def test_the_sink_of_a_minimal_automaton_leads_nowhere_else(expression):
    assert set(_minimal(expression).table[SINK]) <= {SINK}


def _only_first(first_accepts, second_accepts):
    return first_accepts and not second_accepts


#: Operations on two automata, each with the same operation on the verdicts of their languages.
COMBINATIONS = {
    "union": (union, bool.__or__),
    "difference": (difference, _only_first),
    "both": (partial(product, accept=bool.__and__), bool.__and__),
    "either-but-not-both": (partial(product, accept=bool.__xor__), bool.__xor__),
}


@pytest.mark.parametrize("name", COMBINATIONS)
@_STEADY
@given(_expressions("ab"), _expressions("bc"))
@pytest.mark.sampled(4)
def test_a_product_has_the_words_of_the_combination(name, left, right):
    """The alphabets of the two automata differ."""
    combine, combined_verdict = COMBINATIONS[name]
    automaton = combine(_minimal(left), _minimal(right))
    for word in WORDS:
        expected = combined_verdict(_derives(left, word), _derives(right, word))
        assert automaton.accepts(word) == expected, word


@pytest.mark.parametrize("name", COMBINATIONS)
@_STEADY
@given(_expressions("ab"), _expressions("bc"))
@pytest.mark.sampled(4)
def test_minimizing_a_product_keeps_its_words(name, left, right):
    combine, _ = COMBINATIONS[name]
    automaton = combine(_minimal(left), _minimal(right))
    smallest = minimize(automaton)
    for word in WORDS:
        assert smallest.accepts(word) == automaton.accepts(word), word


#: No member that is compared with a viable prefix is longer.
LONGEST_MEMBER = 8
TEXTS_OF_PREFIXES = [*_words("ab", 4), "abd", "\u00e9", "a\u00e9b"]


def _prefixes(expression):
    """Return every beginning of every member up to the longest length."""
    members = [word for word in _words("ab", LONGEST_MEMBER) if _derives(expression, word)]
    return {word[:length] for word in members for length in range(len(word) + 1)}


def _longest_prefix(text, prefixes):
    """Return the longest beginning of a text that is one of the prefixes, by trying all of them."""
    beginnings = [text[:length] for length in range(len(text) + 1)]
    return max((beginning for beginning in beginnings if beginning in prefixes), key=len, default="")


@_STEADY
@given(_expressions("ab", bounded=True))
def test_the_longest_viable_prefix_is_the_longest_beginning_of_a_member(expression):
    automaton = _minimal(expression)
    prefixes = _prefixes(expression)
    for text in TEXTS_OF_PREFIXES:
        assert automaton.longest_viable_prefix(text).length == len(_longest_prefix(text, prefixes)), text


@_STEADY
@given(_expressions("ab", bounded=True))
def test_characters_that_continue_a_member_are_allowed_after_a_viable_prefix(expression):
    automaton = _minimal(expression)
    prefixes = _prefixes(expression)
    for text in TEXTS_OF_PREFIXES:
        allowed = automaton.allowed(automaton.longest_viable_prefix(text).state)
        beginning = _longest_prefix(text, prefixes)
        assert allowed >= {char for char in "abc" if beginning + char in prefixes}, text


@_STEADY
@given(_expressions("ab", bounded=True))
def test_only_characters_that_continue_a_member_are_allowed_after_a_viable_prefix(expression):
    automaton = _minimal(expression)
    prefixes = _prefixes(expression)
    # longer members than those that are listed may go on with other characters
    assume(max(map(len, prefixes), default=0) < LONGEST_MEMBER)
    for text in TEXTS_OF_PREFIXES:
        allowed = automaton.allowed(automaton.longest_viable_prefix(text).state)
        beginning = _longest_prefix(text, prefixes)
        assert allowed <= {char for char in "abc" if beginning + char in prefixes}, text


@_STEADY
@given(_expressions("abc"))
def test_the_state_after_a_text_accepts_if_the_text_is_a_member(expression):
    automaton = _raw(expression)
    for word in WORDS:
        state = automaton.state_after(automaton.start, word)
        assert (state in automaton.accepting) == _derives(expression, word), word


@_STEADY
@given(_expressions("abc"))
def test_a_text_leads_on_from_the_state_after_another_text(expression):
    automaton = _raw(expression)
    state = automaton.state_after(automaton.start, "ab")
    assert automaton.state_after(state, "c") == automaton.state_after(automaton.start, "abc")


@pytest.mark.parametrize("text", ["d", "ad", "da", "\u00e9a"])
def test_a_character_without_a_class_leads_to_the_sink(text):
    automaton = _raw(Repetition(Characters(frozenset("a")), 0, None))
    assert automaton.state_after(automaton.start, text) == SINK


@_STEADY
@given(_expressions("abc"))
def test_the_shortest_member_is_the_first_in_alphabetical_order(expression):
    """It is the first among the members of the shortest length."""
    members = [word for word in WORDS if _derives(expression, word)]
    assume(members)
    assert _minimal(expression).shortest_member() == min(members, key=lambda word: (len(word), word))


@_STEADY
@given(_expressions("abc"))
def test_the_shortest_member_is_derived_by_the_expression(expression):
    """It may be longer than every word that the test before this one lists."""
    shortest = _minimal(expression).shortest_member()
    assume(shortest is not None)
    assert _derives(expression, shortest)


@pytest.fixture
def empty_language():
    """The automaton of a class without characters."""
    return _minimal(Characters(frozenset()))


def test_an_empty_language_has_no_shortest_member(empty_language):
    assert empty_language.shortest_member() is None


def test_an_empty_language_refuses_the_empty_text(empty_language):
    assert not empty_language.accepts("")


def test_only_the_empty_prefix_is_viable_in_an_empty_language(empty_language):
    assert empty_language.longest_viable_prefix("a") == Prefix(0, empty_language.start)


def test_the_difference_of_empty_languages_is_empty(empty_language):
    assert difference(empty_language, empty_language).shortest_member() is None


def test_the_language_of_the_empty_text_has_it_as_shortest_member():
    assert _minimal(EMPTY).shortest_member() == ""


FOLDED_WORDS = _words("aAbB:", 4)


@_STEADY
@given(_expressions("abB:"))
def test_letters_before_the_first_colon_match_in_either_case(expression):
    """R-1738-03: later letters match in their own case only."""
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


def lazy_automaton(expression):
    return LazyAutomaton(position_automaton(_grammar(expression), expression), fold_scheme=False)


@_STEADY
@given(_expressions("abc"))
def test_a_lazy_automaton_gives_the_verdicts_of_the_complete_one(expression):
    complete = _raw(expression)
    lazy = lazy_automaton(expression)
    assert [text for text in WORDS if lazy.accepts(text) != complete.accepts(text)] == []


@_STEADY
@given(_expressions("abc"))
def test_a_lazy_automaton_finds_the_offsets_of_the_complete_one(expression):
    complete = _raw(expression)
    lazy = lazy_automaton(expression)
    for text in WORDS:
        assert lazy.longest_viable_prefix(text).length == complete.longest_viable_prefix(text).length, text


@_STEADY
@given(_expressions("abc"))
def test_a_lazy_automaton_allows_the_characters_that_the_complete_one_allows(expression):
    complete = _raw(expression)
    lazy = lazy_automaton(expression)
    for text in WORDS:
        state = complete.longest_viable_prefix(text).state
        assert lazy.allowed(lazy.longest_viable_prefix(text).state) == complete.allowed(state), text


#: The letter this far from the end decides, so there are 2 to the 25 subsets of positions.
DISTANCE = 24


@pytest.fixture
def automaton_of_many_subsets():
    """A lazy automaton that is complete only with more states than there is memory for."""
    letter = Characters(frozenset("a"))
    both_letters = Characters(frozenset("ab"))
    tail = Repetition(both_letters, DISTANCE, DISTANCE)
    return lazy_automaton(Sequence((Repetition(both_letters, 0, None), letter, tail)))


TEXTS_OF_MANY_SUBSETS = [("a" + "b" * DISTANCE, True), ("b" * (DISTANCE + 1), False)]


@pytest.mark.parametrize(("text", "accepted"), TEXTS_OF_MANY_SUBSETS)
def test_a_lazy_automaton_gives_a_verdict_where_a_complete_one_cannot_be_made(
    automaton_of_many_subsets, text, accepted
):
    assert automaton_of_many_subsets.accepts(text) is accepted


@pytest.mark.parametrize("text", [text for text, _ in TEXTS_OF_MANY_SUBSETS])
def test_a_lazy_automaton_computes_only_the_states_that_a_text_reaches(automaton_of_many_subsets, text):
    """Each character leads to at most one new state; the start and the sink are computed, too."""
    automaton_of_many_subsets.accepts(text)
    computed_states = automaton_of_many_subsets._computed
    assert computed_states
    assert len(computed_states) <= len(text) + 2


_THREADS = 4


class StatesOfManyTurns(list):
    """States whose number is found so slowly that other threads take turns meanwhile."""

    def __len__(self):
        number = super().__len__()
        time.sleep(0.0005)
        return number


def test_threads_that_use_one_lazy_automaton_find_the_offsets_of_the_complete_one():
    """Each finds states that another one is finding."""
    grammar = SPECIFICATIONS["rfc3986"].grammar
    positions = position_automaton(grammar, Reference("IPv6address"))
    complete, _ = determinize(positions)
    texts = ["::", "1::", "::1", "1:2:3:4:5:6:7:8", "1:2::7:8", "::1.2.3.4", "1:::", "1:2:3:4:5:6:7:8:", "g"]
    expected = [complete.longest_viable_prefix(text).length for text in texts]
    for _ in range(3):  # whether threads meet is left to chance, so they have three chances
        lazy = LazyAutomaton(positions, fold_scheme=False)
        lazy._subsets.states = StatesOfManyTurns(lazy._subsets.states)
        start = Barrier(_THREADS)

        def ask(lazy=lazy, start=start):
            start.wait()
            return [lazy.longest_viable_prefix(text).length for text in texts]

        with ThreadPoolExecutor(_THREADS) as threads:
            futures = [threads.submit(ask) for _ in range(_THREADS)]
            answers = [future.result() for future in futures]
        assert answers == [expected] * _THREADS


#: A rule of letters beyond ASCII: a run of ucschar, and a private character after a question mark.
BEYOND = Sequence(
    (
        Repetition(Characters(UCS | {"a"}), 1, None),
        Repetition(Sequence((Characters(frozenset("?")), Characters(PRIVATE))), 0, 1),
    )
)
#: Texts, the length of their longest viable prefix, and whether they are members.
BEYOND_TEXTS = {
    "\u00e9": (1, True),
    "a\u00e9\U0001f600\u202ea": (5, True),
    "\u00e9?\ue123": (3, True),
    "\u00e9?\U0010fffd": (3, True),
    "\u00e9?\u00e9": (2, False),
    "a?\u00e9": (2, False),
    "\ue123": (0, False),
    "\u0080": (0, False),
    "a\u00e9\ufffd\u00e9": (2, False),
    "\u00e9\ud800": (1, False),
    "\u00e9?\ue123\ue123": (3, False),
    "\u00a0\U00010000?\ue000": (4, True),
    "": (0, False),
}


by_way_of_building = pytest.mark.parametrize(
    "build_automaton", [_raw, _minimal, lazy_automaton], ids=["complete", "minimal", "lazy"]
)


@pytest.mark.parametrize("text", BEYOND_TEXTS, ids=ascii)
@by_way_of_building
def test_the_longest_viable_prefix_is_found_beyond_ascii(build_automaton, text):
    automaton = build_automaton(BEYOND)
    length, _ = BEYOND_TEXTS[text]
    assert automaton.longest_viable_prefix(text).length == length
    assert automaton.longest_viable_prefix(text).length == length  # now a lazy automaton has its rows


@pytest.mark.parametrize("text", BEYOND_TEXTS, ids=ascii)
@by_way_of_building
def test_members_are_recognized_beyond_ascii(build_automaton, text):
    automaton = build_automaton(BEYOND)
    _, is_member = BEYOND_TEXTS[text]
    assert automaton.accepts(text) is is_member
    assert automaton.accepts(text) is is_member  # now a lazy automaton has its rows


@pytest.mark.parametrize("text", BEYOND_TEXTS, ids=ascii)
def test_the_state_after_a_text_beyond_ascii_accepts_if_the_text_is_a_member(text):
    automaton = _minimal(BEYOND)
    _, member = BEYOND_TEXTS[text]
    assert (automaton.state_after(automaton.start, text) in automaton.accepting) is member


@pytest.mark.parametrize(
    ("char", "is_left"), [("\u00e9", False), ("\ue123", True)], ids=["ucschar", "private"]
)
def test_a_difference_of_characters_beyond_ascii_has_only_those_of_the_first_set(char, is_left):
    ucs = _minimal(Characters(UCS))
    ucs_or_private = union(ucs, _minimal(Characters(PRIVATE)))
    assert difference(ucs_or_private, ucs).accepts(char) is is_left
