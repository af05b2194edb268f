"""The second construction of automata: equal to the first for every rule of whole texts."""

from __future__ import annotations

import pytest

from urlharness.generate.recognition import join_automata
from urloracle.automata.dfa import SINK
from urloracle.rfcs import SPECIFICATIONS, specification

RULES = [
    *((spec, rfc.default_rule) for spec, rfc in SPECIFICATIONS.items() if spec != "rfc1738"),
    *(("rfc1738", rule) for rule in ("ftpurl", "newsurl", "prosperourl", "waisurl")),
    ("rfc3986", "IPv6address"),
    ("rfc3986", "path-empty"),
]


def different(automaton, recognizer, rule):
    """Return a text on which the two automata differ, or None: all pairs of states that a text reaches."""
    queue = [("", automaton.start, recognizer.starts[rule])]
    visited = {(automaton.start, recognizer.starts[rule])}
    for text, state, other_state in queue:
        if (state in automaton.accepting) != bool(recognizer.accepting[other_state]):
            return text
        for byte in range(256):
            kind = automaton.classes.get(chr(byte)) if byte < 128 else None
            following = SINK if kind is None else automaton.table[state][kind]
            other_following = int(recognizer.following[other_state << 8 | byte])
            if (following == SINK) != (other_following == SINK):
                return text + chr(byte)
            if following != SINK and (following, other_following) not in visited:
                visited.add((following, other_following))
                queue.append((text + chr(byte), following, other_following))
    return None


@pytest.mark.sampled(8)
@pytest.mark.parametrize(("spec", "rule"), RULES, ids=str)
def test_both_constructions_are_equal(spec, rule):
    """Verdicts and offsets: states from which no text is accepted are the sink of both."""
    rfc = specification(spec)
    assert different(rfc.automaton(rule), join_automata(rfc.grammar, ["scheme", rule]), rule) is None


def test_a_planted_difference_of_two_automata_is_found():
    rfc = specification("rfc3986")
    of_references = join_automata(rfc.grammar, ["URI-reference"])
    assert different(rfc.automaton("URI"), of_references, "URI-reference") == ""
