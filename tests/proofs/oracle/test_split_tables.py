"""Split tables accept the texts of the oracle, and give the same components of each.

Two proofs, for all texts: the table accepts the rule's language, and splits each text as the bracketed words
say that the rulings leave.  The rest asks the reader of components, word by word.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from urlharness.corpus.specifications import facts
from urloracle.automata.dfa import SINK, Automaton
from urloracle.automata.split_table import DISCARD, END, NOTED, SplitTable
from urloracle.grammar.alphabet import ALPHABET, ASCII, RANGES
from urloracle.rfcs import specification
from urloracle.splitting import SPLITTINGS, split_expression

from ...oracle.test_splitting import named, read, table  # noqa: TID252 - tests are not an installed package
from . import pattern_proofs, split_rulings, table_proof
from .ambiguity import BracketedLanguage, bracketed_words

#: The rulings on rules that are laid over the grammar and are themselves ambiguous.
RULINGS = {
    ("rfc1738", "genericurl"): [split_rulings.SCHEMEPART],
    ("rfc1808", "URL"): split_rulings.RULINGS["rfc1808", "URL"][:1],
    ("rfc2396", "URI-reference"): split_rulings.RULINGS_2396,
    ("rfc2732", "URI-reference"): split_rulings.RULINGS_2396,
}


by_rule = pytest.mark.parametrize(
    ("spec", "rule"),
    [(spec, rule) for spec, splitting in SPLITTINGS.items() for rule in splitting.components],
)


@cache
def ruled(spec: str, rule: str) -> BracketedLanguage:
    """Return the splits of the expression that a table is made of, without those that rulings drop."""
    rfc = specification(spec)
    components, expression = split_expression(rfc, rule)
    language = bracketed_words(expression, components)
    for ruling in RULINGS.get((spec, rule), ()):
        ambiguity = language.ambiguity()
        assert ambiguity is not None
        assert ambiguity.text == ruling.text
        language = language.without(ruling.expression(rfc))
    return language


class Cover:
    """Words that go through a table: to each state, through each transition, and on to every kind of end."""

    def __init__(self, split_table: SplitTable) -> None:
        self.table = split_table
        # the last of each range: no part of a table may know the first one only
        self.characters = {
            kind: chr(part.last) for kind, part in zip(split_table.beyond, RANGES, strict=True)
        }
        self.characters |= {split_table.classes[ord(char)]: char for char in reversed(ASCII)}
        self.access = {split_table.start: ""}
        queue = [split_table.start]
        for state in queue:
            for char, target in self.moves(state):
                if target not in self.access:
                    self.access[target] = self.access[state] + char
                    queue.append(target)

    def moves(self, state: int) -> Iterator[tuple[str, int]]:
        for kind, target in enumerate(self.table.table[state]):
            if target != SINK:
                yield self.characters[kind], target

    @cache  # noqa: B019 - a cover lives as long as the tests
    def endings(self, state: int) -> list[str]:
        """Return a shortest continuation to each of the ways in which the slots may be read at an end."""
        endings: dict[tuple[int, ...], str] = {}
        words = {state: ""}
        queue = [state]
        for reached in queue:
            if self.table.finals[reached]:
                endings.setdefault(self.table.finals[reached], words[reached])
            for char, target in self.moves(reached):
                if target not in words:
                    words[target] = words[reached] + char
                    queue.append(target)
        return list(endings.values())

    def through(self, state: int, kind: int) -> Iterator[str]:
        """Yield words through one transition."""
        begin = self.access[state] + self.characters[kind]
        return (begin + ending for ending in self.endings(self.table.table[state][kind]))

    def words(self) -> Iterator[str]:
        """Yield words to each accepting state, and through each transition."""
        yield from (self.access[state] for state, final in enumerate(self.table.finals) if final)
        for state, row in enumerate(self.table.table):
            for kind, target in enumerate(row):
                if target != SINK:
                    yield from self.through(state, kind)


@cache
def cover(spec: str, rule: str) -> Cover:
    """Return words that go through the table of a rule."""
    return Cover(table(spec, rule))


@pytest.mark.sampled(4, keep="rfc3986")
@by_rule
def test_the_table_has_the_language_of_the_rule(spec, rule):
    """The overlay of the grammar adds no text, and takes none away."""
    split_table = table(spec, rule)
    accepting = frozenset(state for state, final in enumerate(split_table.finals) if final)
    classes = {letter: table_proof.kind_of(split_table, letter) for letter in ALPHABET}
    automaton = Automaton(classes, split_table.table, split_table.start, accepting)
    assert pattern_proofs.same(automaton, specification(spec).language(rule).automaton)


@by_rule
def test_the_table_refuses_a_text_at_the_first_character_of_class_0(spec, rule):
    """Bytes beyond ASCII are in this class, because characters beyond ASCII have the class of their range."""
    split_table = table(spec, rule)
    assert set(split_table.classes[128:]) == {0}
    assert {row[0] for row in split_table.table} == {SINK}
    assert set(split_table.table[SINK]) == {SINK}


@by_rule
def test_only_a_table_of_iris_has_classes_for_ranges_beyond_ascii(spec, rule):
    assert any(table(spec, rule).beyond) is facts(spec).iris


@by_rule
def test_the_rulings_leave_each_text_one_split(spec, rule):
    language = ruled(spec, rule)
    assert language.ambiguity() is None
    assert pattern_proofs.same(language.texts(), specification(spec).language(rule).automaton)


@by_rule
def test_the_table_gives_the_split_that_the_rulings_leave(spec, rule):
    assert table_proof.disagreement(table(spec, rule), ruled(spec, rule)) is None


@pytest.mark.sampled(4, keep="rfc3986")
@by_rule
def test_the_table_gives_the_components_of_the_oracle_through_every_transition(spec, rule):
    """The words go through each transition of the table, and on to each way of ending."""
    split_table = table(spec, rule)
    for word in cover(spec, rule).words():
        assert named(split_table, word) == read(spec, rule, word), word


@by_rule
def test_the_table_gives_the_components_of_the_oracle_of_random_texts(spec, rule, walks, near_misses):
    """They are members of many lengths, and texts one edit away from them."""
    split_table = table(spec, rule)
    for member in walks(spec, rule).members(600, seed=1):
        for text in (member, *near_misses(member, 2, seed=1)):
            assert named(split_table, text) == read(spec, rule, text), text


def changed(
    rows: tuple[tuple[int, ...], ...], row: int, index: int, value: int
) -> tuple[tuple[int, ...], ...]:
    """Return the rows with another number in one place."""
    new = [list(numbers) for numbers in rows]
    new[row][index] = value
    return tuple(map(tuple, new))


def spread(places: list[tuple[int, int]], count: int) -> list[tuple[int, int]]:
    """Return about so many of the places, evenly spaced from the first on."""
    return places[:: max(1, len(places) // count)]


@pytest.mark.sampled(3)
@by_rule
def test_a_position_that_is_not_noted_or_noted_elsewhere_is_noticed(spec, rule):
    """The proof and the words of the cover notice it."""
    split_table = table(spec, rule)
    words = cover(spec, rule)
    stores = []
    for state, row in enumerate(split_table.stores):
        stores += [(state, kind) for kind, slot in enumerate(row) if slot != DISCARD]
    assert stores != []
    for state, kind in spread(stores, 8):
        slot = split_table.stores[state][kind]
        next_slot = NOTED + (slot - NOTED + 1) % (split_table.slots - NOTED)
        for wrong_slot in (DISCARD, next_slot):
            faulty = replace(split_table, stores=changed(split_table.stores, state, kind, wrong_slot))
            assert table_proof.disagreement(faulty, ruled(spec, rule)) is not None, (state, kind, wrong_slot)
            assert any(
                faulty.split(word) != split_table.split(word) for word in words.through(state, kind)
            ), (state, kind, wrong_slot)


@pytest.mark.sampled(3)
@by_rule
def test_a_component_that_ends_elsewhere_or_is_present_although_absent_is_noticed(spec, rule):
    split_table = table(spec, rule)
    words = cover(spec, rule)
    ends = []
    for state, final in enumerate(split_table.finals):
        # of each component it has the slot of the beginning, and then that of the end
        ends += [(state, index) for index in range(1, len(final), 2)]
    assert ends != []
    for state, final_index in spread(ends, 12):
        word = words.access[state]
        spans = split_table.spans(word)
        assert spans is not None, (word, final_index)
        wrong_final = END if spans[final_index // 2] is None else DISCARD
        faulty = replace(split_table, finals=changed(split_table.finals, state, final_index, wrong_final))
        assert table_proof.disagreement(faulty, ruled(spec, rule)) is not None, (word, final_index)
        assert faulty.spans(word) != spans, (word, final_index)
