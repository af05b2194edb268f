"""Relations of languages against brute force over small alphabets, and one number that is known."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from urloracle.automata.dfa import determinize, minimize
from urloracle.automata.positions import position_automaton
from urloracle.grammar.expression import EMPTY, Alternation, Characters, Repetition, Sequence
from urloracle.grammar.grammar import Grammar
from urloracle.language import Counts, count_words, relate
from urloracle.rfcs import SPECIFICATIONS

NO_RULES = Grammar({}, {}, {})
LONGEST = 5


def _automaton(expression, *, smallest=True):
    raw, _ = determinize(position_automaton(NO_RULES, expression))
    return minimize(raw) if smallest else raw


def _finite():
    """Languages whose words are no longer than LONGEST, so that all of them can be listed."""
    characters = st.frozensets(st.sampled_from("abc"), min_size=1).map(Characters)
    words = st.lists(characters, max_size=LONGEST).map(lambda items: Sequence(tuple(items)))
    return st.lists(words, min_size=1, max_size=4).map(lambda items: Alternation(tuple(items)))


def _words(expression):
    """Every word of an alternation of sequences of sets."""
    return {
        "".join(word)
        for items in expression.items
        for word in product(*(sorted(item.members) for item in items.items))
    }


def _shortest(words):
    return min(words, key=lambda word: (len(word), word), default=None)


def _verdict(left, right):
    if left == right:
        return "equal"
    if left < right:
        return "included"
    if left > right:
        return "includes"
    return "overlapping" if left & right else "disjoint"


@settings(derandomize=True, deadline=None, max_examples=100, database=None)
@given(_finite(), _finite(), st.booleans())
def test_languages_are_related_as_their_sets_of_words(left, right, smallest):
    """Verdict, shortest witnesses and numbers of words, against the sets of all words."""
    relation = relate(_automaton(left, smallest=smallest), _automaton(right), range(LONGEST + 2))
    first_words, two = _words(left), _words(right)
    assert relation.verdict == _verdict(first_words, two)
    for word, words in (
        (relation.only_left, first_words - two),
        (relation.only_right, two - first_words),
        (relation.both, first_words & two),
    ):
        assert len(word or "") == len(_shortest(words) or "")
        assert word in (words or {None})
    for row in relation.counts:
        sizes = [
            sum(len(w) == row.length for w in words)
            for words in (first_words, two, first_words - two, two - first_words)
        ]
        assert row == Counts(row.length, *sizes)
    assert [row.length for row in relation.counts] == list(range(LONGEST + 2))


LOOP = Repetition(Characters(frozenset("ab")), 0, None)
ENDS_IN_A = Sequence((LOOP, Characters(frozenset("a"))))
INFINITE = [
    (LOOP, LOOP, "equal", None, None, ""),
    (LOOP, ENDS_IN_A, "includes", "", None, "a"),
    (ENDS_IN_A, LOOP, "included", None, "", "a"),
    (ENDS_IN_A, Sequence((Characters(frozenset("b")), LOOP)), "overlapping", "a", "b", "ba"),
    (ENDS_IN_A, EMPTY, "disjoint", "a", "", None),
    (Characters(frozenset()), Characters(frozenset()), "equal", None, None, None),
    (Characters(frozenset()), LOOP, "included", None, "", None),
]


@pytest.mark.parametrize(("left", "right", "verdict", "only_left", "only_right", "both"), INFINITE)
def test_infinite_and_empty_languages_are_related(left, right, verdict, only_left, only_right, both):
    relation = relate(_automaton(left), _automaton(right), [3])
    assert relation.verdict == verdict
    assert relation.only_left == only_left
    assert relation.only_right == only_right
    assert relation.both == both


@pytest.mark.parametrize(
    ("lengths", "numbers"), [((), []), ((0,), [1]), ((3, 1), [8, 2]), (range(4), [1, 2, 4, 8])]
)
def test_words_are_counted_for_each_length(lengths, numbers):
    """The lengths that are asked for, in their order."""
    assert count_words(_automaton(LOOP), lengths) == numbers


def test_short_texts_of_a_grammar_are_counted():
    """Every text of up to two characters of ASCII, one by one."""
    automaton = SPECIFICATIONS["rfc3986"].automaton("URI-reference")
    characters = [chr(code) for code in range(128)]
    for length, number in enumerate(count_words(automaton, range(3))):
        assert sum(automaton.accepts("".join(text)) for text in product(characters, repeat=length)) == number


def test_the_words_of_length_20_have_their_known_number():
    automaton = SPECIFICATIONS["rfc3986"].automaton("URI-reference")
    assert count_words(automaton, [20]) == [164194014774385383287729327652650952866]
