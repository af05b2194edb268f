"""The second construction of automata: equal to the first for every rule of whole texts."""

from __future__ import annotations

import pytest

from urlharness.batch.recognition import recognizer
from urloracle.rfcs import SPECIFICATIONS, specification

RULES = [
    *((spec, found.default_rule) for spec, found in SPECIFICATIONS.items() if spec != "rfc1738"),
    *(("rfc1738", rule) for rule in ("ftpurl", "newsurl", "prosperourl", "waisurl")),
    ("rfc3986", "IPv6address"), ("rfc3986", "path-empty"),
]  # fmt: skip


def different(automaton, found, rule):
    """A text on which the two automata differ, or None: all pairs of states that a text reaches."""
    queue = [("", automaton.start, found.starts[rule])]
    seen = {queue[0][1:]}
    for text, one, other in queue:
        if (one in automaton.accepting) is not bool(found.accepting[other]):
            return text
        for byte in range(256):
            kind = automaton.classes.get(chr(byte)) if byte < 128 else None
            after = 0 if kind is None else automaton.table[one][kind]
            pair = (after, int(found.following[other << 8 | byte]))
            if (pair[0] == 0) is not (pair[1] == 0):
                return text + chr(byte)
            if pair not in seen and pair[0]:
                seen.add(pair)
                queue.append((text + chr(byte), *pair))
    return None


@pytest.mark.parametrize(("spec", "rule"), RULES, ids=lambda one: one)
def test_both_constructions_are_equal(spec, rule):
    """Verdicts and offsets: states from which no text is accepted are the sink of both."""
    found = specification(spec)
    assert different(found.automaton(rule), recognizer(found.grammar, ["scheme", rule]), rule) is None


def test_a_difference_is_seen():
    found = specification("rfc3986")
    again = recognizer(found.grammar, ["URI-reference"])
    assert different(found.automaton("URI"), again, "URI-reference") == ""
