"""Faults planted in the way from rules to automata: the independent construction notices them.

Pattern and automaton are compared by one compiler, which cannot convict itself.  automata-lib reads the
grammar by its own way and disagrees, on a text or in the number of states, and no vector is asked.
"""

from __future__ import annotations

import pytest

from urloracle.language import Language

from .second_reader import disagreement, second_reader

# for a function of the compiler: the rule that shows the fault, source text, replacement
FAULTS = {
    "automata.positions._Builder._join": {
        "follow-lost": ("rfc3986 path-rootless", "|= right.first", "= right.first"),
        "sequence-may-be-skipped": (
            "rfc3986 pct-encoded",
            "right.last | left.last if right.nullable else right.last",
            "right.last | left.last",
        ),
        "beginning-lost": (
            "rfc2396 hostport",
            "left.first | right.first if left.nullable else left.first",
            "left.first",
        ),
        "empty-where-one-part-is": (
            "rfc1738 login",
            "left.nullable and right.nullable",
            "left.nullable or right.nullable",
        ),
    },
    "automata.positions._Builder._repetition": {
        "loop-once": ("rfc3986 port", "self.follow[position] |= loop.first", "pass"),
        "at-least-one-lost": (
            "rfc1808 fsegment",
            "loop.nullable or minimum == 0",
            "loop.nullable or minimum >= 0",
        ),
        "one-fewer": ("rfc3986 h16", "range(maximum - minimum)", "range(maximum - minimum - 1)"),
        "minimum-one-fewer": ("rfc3986 ls32", "for _ in range(minimum):", "for _ in range(minimum - 1):"),
        "tail-in-full": ("rfc3986 h16", "._replace(nullable=True)", ""),
    },
    "automata.positions._Builder.build": {
        "last-alternative-alone": (
            "rfc3986 path",
            "_union(part.last for part in parts)",
            "parts[-1].last",
        ),
        "empty-alternative-lost": (
            "rfc3986 relative-part",
            "any(part.nullable for part in parts)",
            "all(part.nullable for part in parts)",
        ),
    },
    "automata.positions._union": {"smallest-part": ("rfc3986 hier-part", "bits |= part", "bits = part")},
    "automata.dfa.Subsets.row": {
        "one-position-alone": (
            "rfc3986 IPv4address",
            "following |= self._follow[position]",
            "following = self._follow[position]",
        ),
        "accepts-too-early": (
            "rfc3986 pct-encoded",
            "bool(reached & self._last)",
            "bool(following & self._last)",
        ),
    },
    "automata.dfa.Subsets.__init__": {
        "empty-word-lost": (
            "rfc3986 query",
            "{self.start} if positions.nullable else set[int]()",
            "set[int]()",
        ),
    },
    "automata.dfa.minimize": {
        "acceptance-forgotten": ("rfc3986 segment-nz", "int(state in automaton.accepting)", "0"),
        "one-round": ("rfc3986 IPv4address", "if len(signatures) == count:", "if True:"),
        "states-never-merged": (
            "rfc2396 path_segments",
            "signatures.setdefault((block, reader(blocks)), len(signatures))",
            "signatures.setdefault(reader, len(signatures))",
        ),
    },
    "automata.dfa._character_classes": {
        "classes-by-letter-alone": ("rfc3986 pchar", "if taken or folded:", "if taken and char.isalnum():"),
        "classes-united": ("rfc3986 pct-encoded", "len(kinds))\n", "0)\n"),
    },
}

CASES = [
    pytest.param(where, *row, id=f"{where.rpartition('.')[2]}-{name}")
    for where, rows in FAULTS.items()
    for name, row in rows.items()
]


def convicted(spec, rule):
    """True where the second construction disagrees, or ours fails altogether."""
    theirs, symbols = second_reader(spec.id).compile(rule)
    try:
        ours = Language(spec.grammar, rule).automaton
    except (IndexError, KeyError, ValueError):
        return True
    return disagreement(ours, theirs, symbols) is not None or len(theirs.states) + 1 != len(ours.table)


@pytest.mark.parametrize(("where", "target", "before", "after"), CASES)
def test_fault_is_refuted(where, target, before, after, anew, plant):
    spec, rule = target.split()
    assert not convicted(anew(spec), rule)
    plant(where, before, after)
    assert convicted(anew(spec), rule)
