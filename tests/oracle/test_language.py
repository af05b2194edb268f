"""Relations of languages against brute force over small alphabets, and one number that is known."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from urloracle.automata.dfa import Subsets, determinize, minimize
from urloracle.automata.positions import position_automaton
from urloracle.grammar.alphabet import PRIVATE
from urloracle.grammar.expression import EMPTY, Alternation, Characters, Expression, Repetition, Sequence
from urloracle.grammar.grammar import Grammar
from urloracle.language import Counts, Language, count_words, relate
from urloracle.rfcs import SPECIFICATIONS

NO_RULES = Grammar({}, {}, {})
MAX_WORD_LENGTH = 5


def _automaton(expression, *, smallest=True):
    raw, _ = determinize(position_automaton(NO_RULES, expression))
    return minimize(raw) if smallest else raw


def _finite():
    """Languages whose words are no longer than MAX_WORD_LENGTH, so that all of them can be listed."""
    characters = st.frozensets(st.sampled_from("abc"), min_size=1).map(Characters)
    words = st.lists(characters, max_size=MAX_WORD_LENGTH).map(lambda classes: Sequence(tuple(classes)))
    return st.lists(words, min_size=1, max_size=4).map(lambda sequences: Alternation(tuple(sequences)))


def _words(expression):
    """Return every word of an alternation of sequences of sets."""
    words = set()
    for sequence in expression.elements:
        choices = [characters.members for characters in sequence.elements]
        words.update("".join(word) for word in product(*choices))
    return words


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


#: Lengths of words that are counted: one more than the longest word has.
LENGTHS = range(MAX_WORD_LENGTH + 2)
_related = settings(derandomize=True, deadline=None, max_examples=100, database=None)


@_related
@given(_finite(), _finite(), st.booleans())
def test_the_verdict_on_two_languages_is_that_on_their_sets_of_words(left, right, smallest):
    relation = relate(_automaton(left, smallest=smallest), _automaton(right), LENGTHS)
    assert relation.verdict == _verdict(_words(left), _words(right))


@_related
@given(_finite(), _finite(), st.booleans())
def test_the_witnesses_of_a_relation_are_shortest_words_of_their_sets(left, right, smallest):
    relation = relate(_automaton(left, smallest=smallest), _automaton(right), LENGTHS)
    left_words = _words(left)
    right_words = _words(right)
    witnesses = [
        (relation.only_left, left_words - right_words),
        (relation.only_right, right_words - left_words),
        (relation.both, left_words & right_words),
    ]
    for witness, words in witnesses:
        if words:
            assert witness in words
            assert len(witness) == len(_shortest(words))
        else:
            assert witness is None


def _count_of_length(words, length):
    return len([word for word in words if len(word) == length])


@_related
@given(_finite(), _finite(), st.booleans())
def test_a_relation_counts_the_words_of_each_length(left, right, smallest):
    """The words of each language are counted, and those that only one of them has."""
    relation = relate(_automaton(left, smallest=smallest), _automaton(right), LENGTHS)
    left_words = _words(left)
    right_words = _words(right)
    sets = (left_words, right_words, left_words - right_words, right_words - left_words)
    expected = []
    for length in LENGTHS:
        counts = [_count_of_length(words, length) for words in sets]
        expected.append(Counts(length, *counts))
    assert list(relation.counts) == expected


LOOP = Repetition(Characters(frozenset("ab")), 0, None)
ENDS_IN_A = Sequence((LOOP, Characters(frozenset("a"))))
BEGINS_WITH_B = Sequence((Characters(frozenset("b")), LOOP))
NO_WORD = Characters(frozenset())


class Related(NamedTuple):
    """Two expressions, and the relation of their languages with its shortest witnesses."""

    left: Expression
    right: Expression
    verdict: str
    only_left: str | None = None
    only_right: str | None = None
    both: str | None = None


INFINITE = [
    pytest.param(Related(LOOP, LOOP, verdict="equal", both=""), id="infinite-equal"),
    pytest.param(
        Related(LOOP, ENDS_IN_A, verdict="includes", only_left="", both="a"), id="infinite-includes"
    ),
    pytest.param(
        Related(ENDS_IN_A, LOOP, verdict="included", only_right="", both="a"), id="infinite-included"
    ),
    pytest.param(
        Related(ENDS_IN_A, BEGINS_WITH_B, verdict="overlapping", only_left="a", only_right="b", both="ba"),
        id="infinite-overlapping",
    ),
    pytest.param(
        Related(ENDS_IN_A, EMPTY, verdict="disjoint", only_left="a", only_right=""),
        id="infinite-and-the-empty-word",
    ),
    pytest.param(Related(NO_WORD, NO_WORD, verdict="equal"), id="no-word-twice"),
    pytest.param(Related(NO_WORD, LOOP, verdict="included", only_right=""), id="no-word-and-infinite"),
]


@pytest.mark.parametrize("row", INFINITE)
def test_infinite_and_empty_languages_are_related(row):
    relation = relate(_automaton(row.left), _automaton(row.right), lengths=[])
    assert relation.verdict == row.verdict
    assert relation.only_left == row.only_left
    assert relation.only_right == row.only_right
    assert relation.both == row.both


@pytest.mark.parametrize(
    ("lengths", "numbers"), [((), []), ((0,), [1]), ((3, 1), [8, 2]), (range(4), [1, 2, 4, 8])]
)
def test_words_are_counted_for_each_length_in_the_order_of_the_lengths(lengths, numbers):
    """The language has all words over two letters: two to the power of the length."""
    assert count_words(_automaton(LOOP), lengths) == numbers


def test_short_texts_of_a_grammar_are_counted():
    """Every text of up to two characters of ASCII is judged, one by one."""
    automaton = SPECIFICATIONS["rfc3986"].automaton("URI-reference")
    characters = [chr(code) for code in range(128)]
    counts = []
    for length in range(3):
        texts = map("".join, product(characters, repeat=length))
        counts.append(sum(map(automaton.accepts, texts)))
    assert count_words(automaton, range(3)) == counts


def test_the_words_of_length_20_have_the_number_that_independent_constructions_have_agreed_on():
    """The number is that of `WORDS` in tests/proofs/oracle/pattern_proofs.py, which has one for each RFC."""
    automaton = SPECIFICATIONS["rfc3986"].automaton("URI-reference")
    assert count_words(automaton, [20]) == [164194014774385383287729327652650952866]


@pytest.fixture
def compiled_language(monkeypatch):
    """The language of IPv6address, compiled; whoever makes a further state of it fails."""
    language = Language(SPECIFICATIONS["rfc3986"].grammar, "IPv6address")
    language.compile()

    def refuse_row(subsets, state):
        raise AssertionError(f"a compiled language makes state {state}")

    monkeypatch.setattr(Subsets, "row", refuse_row)
    return language


def test_a_verdict_of_a_compiled_language_makes_no_further_state(compiled_language):
    assert not compiled_language.accepts("1:2::7:8:")


def test_a_viable_prefix_of_a_compiled_language_makes_no_further_state(compiled_language):
    length, _ = compiled_language.viable_prefix("1:2::7:8:g")
    assert length == len("1:2::7:8:")


def test_words_of_characters_beyond_ascii_are_counted_by_their_characters():
    """RFC 3987, section 2.2: U+E000 to U+F8FF, and planes 15 and 16 but for the last two of each."""
    private_characters = 0xF8FF - 0xE000 + 1 + 2 * 0xFFFE
    words = _automaton(Repetition(Characters(PRIVATE), 0, None))
    assert count_words(words, range(3)) == [1, private_characters, private_characters**2]
