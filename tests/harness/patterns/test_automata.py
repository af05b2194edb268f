"""The exported automaton is read again, and accepts what the oracle accepts."""

from __future__ import annotations

import json
import re
from itertools import islice

import pytest

from urlharness.corpus.specifications import SPECS
from urlharness.generate.tiers import Part, suite_texts
from urlharness.patterns.automata import export_automaton
from urloracle.grammar.grammar import UnknownRule
from urloracle.rfcs import SPECIFICATIONS


class Machine:
    """An automaton that is read from its JSON, by the schema of docs/patterns.md."""

    def __init__(self, text):
        document = json.loads(text)
        self.start = document["start"]
        self.accepting = set(document["accepting"])
        self.moves = {}
        for transition in document["transitions"]:
            for first, last in transition["ranges"]:
                move = (int(first, 16), int(last, 16), transition["to"])
                self.moves.setdefault(transition["from"], []).append(move)

    def accepts(self, text):
        """Return whether the automaton accepts a text. The ranges of a state do not overlap."""
        state = self.start
        for code in map(ord, text):
            targets = [target for first, last, target in self.moves.get(state, ()) if first <= code <= last]
            if not targets:
                return False
            (state,) = targets
        return state in self.accepting


def assert_accepts_like_oracle(spec_id, rule, step):
    """Assert that the document accepts what the oracle does, of each `step`th text of the complete tier."""
    spec = SPECIFICATIONS[spec_id]
    machine = Machine(export_automaton(spec, rule).as_json())
    accepts = spec.languages[rule].automaton.accepts
    for text in islice(suite_texts(Part("complete", spec_id, rule)), 0, None, step):
        assert machine.accepts(text) == accepts(text), text


@pytest.mark.parametrize(("spec_id", "rule"), [("rfc1738", "httpurl"), ("rfc1808", "URL")])
def test_the_document_accepts_what_the_oracle_accepts(spec_id, rule):
    assert_accepts_like_oracle(spec_id, rule, step=5)


@pytest.mark.long
@pytest.mark.parametrize(
    ("spec_id", "rule"), [(facts.id, rule) for facts in SPECS.values() for rule in facts.suites]
)
def test_the_document_accepts_all_texts_that_the_oracle_accepts(spec_id, rule):
    assert_accepts_like_oracle(spec_id, rule, step=1)


def test_the_document_of_a_small_rule():
    document = json.loads(export_automaton(SPECIFICATIONS["rfc3986"], "PCT-ENCODED").as_json())
    digits = [["0030", "0039"], ["0041", "0046"], ["0061", "0066"]]
    assert document == {
        "spec": "rfc3986",
        "rule": "pct-encoded",
        "section": "2.1",
        "states": 4,
        "start": 0,
        "accepting": [3],
        "transitions": [
            {"from": 0, "to": 1, "ranges": [["0025", "0025"]]},
            {"from": 1, "to": 2, "ranges": digits},
            {"from": 2, "to": 3, "ranges": digits},
        ],
    }


def test_characters_beyond_ascii_are_ranges():
    exported = export_automaton(SPECIFICATIONS["rfc3987"], "iprivate")
    (transition,) = exported.transitions
    assert transition.ranges == [(0xE000, 0xF8FF), (0xF0000, 0xFFFFD), (0x100000, 0x10FFFD)]


@pytest.mark.parametrize("rule", ["URI-reference", "IPv6address"])
def test_states_are_numbered_in_the_order_in_which_they_are_reached(rule):
    exported = export_automaton(SPECIFICATIONS["rfc3986"], rule)
    reached = list(dict.fromkeys([0, *(transition.target for transition in exported.transitions)]))
    assert reached == list(range(exported.states))


def test_there_are_as_many_states_as_in_the_minimal_automaton():
    spec = SPECIFICATIONS["rfc3986"]
    automaton = spec.languages["URI"].automaton
    assert export_automaton(spec, "URI").states == len(automaton.table) - 1  # without the sink


def test_the_graph_of_a_small_rule():
    lines = export_automaton(SPECIFICATIONS["rfc3986"], "port").as_dot().splitlines()
    assert lines == [
        'digraph "rfc3986 port" {',
        "  rankdir=LR",
        "  start [shape=point]",
        "  start -> 0",
        "  0 [shape=doublecircle]",
        '  0 -> 0 [label="0-9"]',
        "}",
    ]


def test_the_graph_escapes_quotes_and_backslashes():
    dot = export_automaton(SPECIFICATIONS["rfc2396"], "delims").as_dot()
    assert r"\"" in dot
    dot = export_automaton(SPECIFICATIONS["rfc2396"], "unwise").as_dot()
    assert re.search(r"\[-\^|\\\\", dot)


def test_an_unknown_rule_is_named():
    with pytest.raises(UnknownRule, match="hots"):
        export_automaton(SPECIFICATIONS["rfc3986"], "hots")
