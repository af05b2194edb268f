"""The texts of a split cover take every transition, and show more than verdicts."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import pytest

from urlharness.generate.tiers.hsi import EVERY, hsi_suite
from urlharness.generate.tiers.split_cover import split_cover
from urloracle.automata.dfa import SINK, Automaton
from urloracle.automata.split_table import SplitTable
from urloracle.rfcs import specification
from urloracle.splitting import split_table


class SplitRule(NamedTuple):
    """A rule with the table that splits its texts, and the texts of its split cover."""

    table: SplitTable
    automaton: Automaton
    texts: list[str]

    def transitions(self, texts):
        """Return the transitions of the table that texts take, as pairs of a state and a class."""
        transitions = set()
        for text in texts:
            state = self.table.start
            for char in text:
                kind = self.table.kind_of(char)
                transitions.add((state, kind))
                state = self.table.table[state][kind]
        return transitions

    @property
    def valid(self):
        return [text for text in self.texts if self.automaton.accepts(text)]

    @property
    def refused(self):
        return [text for text in self.texts if not self.automaton.accepts(text)]

    @property
    def transitions_of_table(self):
        return set(product(range(1, len(self.table.table)), range(len(self.table.table[0]))))

    @property
    def transitions_that_go_on(self):
        return {(state, kind) for state, kind in self.transitions_of_table if self.table.table[state][kind]}


@pytest.fixture(params=["rfc1808", "rfc2396", "rfc3986", "rfc3987"], scope="module")
def default_rule(request):
    """The default rule of an RFC."""
    default = specification(request.param).default_rule
    automaton = specification(request.param).automaton(default)
    table = split_table(request.param, default)
    return SplitRule(table, automaton, list(split_cover(table, automaton)))


@pytest.mark.sampled(3)
def test_texts_of_a_split_cover_differ(default_rule):
    assert default_rule.texts
    assert len(set(default_rule.texts)) == len(default_rule.texts)


def test_valid_texts_of_a_split_cover_take_every_transition_that_goes_on(default_rule):
    of_valid_texts = default_rule.transitions(default_rule.valid)
    assert default_rule.transitions_that_go_on <= of_valid_texts


def test_refused_texts_of_a_split_cover_take_every_transition_that_ends(default_rule):
    ending = default_rule.transitions_of_table - default_rule.transitions_that_go_on
    assert ending <= default_rule.transitions(default_rule.refused)


def test_split_cover_finds_faults_that_verdicts_do_not():
    """RFC 1808, 2.2: query and path have the same verdicts, so an HSI suite does not separate them."""
    automaton = specification("rfc1808").automaton("URL")
    table = split_table("rfc1808", "URL")
    text = "?^"
    assert text in set(split_cover(table, automaton, every_character=True))
    assert text not in set(hsi_suite(automaton, alphabet=EVERY))


@pytest.fixture(scope="module")
def absoluteuri():
    """The rule absoluteURI of RFC 2396, with the table that splits every URI-reference."""
    automaton = specification("rfc2396").automaton("absoluteURI")
    table = split_table("rfc2396", "URI-reference")
    return SplitRule(table, automaton, list(split_cover(table, automaton)))


def transitions_in_texts(table, automaton):
    """Return the transitions of a table, as state and kind, that some text of an automaton takes."""
    start = (table.start, automaton.start)
    reached = {start}
    waiting = [start]
    in_texts = set()
    while waiting:
        state, rule_state = waiting.pop()
        for char, kind_of_rule in automaton.classes.items():
            kind = table.classes[ord(char)]
            following_rule_state = automaton.table[rule_state][kind_of_rule]
            if following_rule_state == SINK:
                continue
            following = (table.table[state][kind], following_rule_state)
            in_texts.add((state, kind))
            if following not in reached:
                reached.add(following)
                waiting.append(following)
    return in_texts


def test_a_split_cover_takes_every_transition_that_is_in_texts_of_its_rule(absoluteuri):
    in_texts = transitions_in_texts(absoluteuri.table, absoluteuri.automaton)
    assert in_texts <= absoluteuri.transitions(absoluteuri.valid)


def test_a_split_cover_has_refused_texts_of_its_rule(absoluteuri):
    assert "?" in absoluteuri.refused
