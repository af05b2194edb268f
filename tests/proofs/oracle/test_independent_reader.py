"""Automata are compared with those that automata-lib makes of the grammar text; this notices planted faults.

Patterns and automata share one compiler, so comparing them cannot find its faults; another reader can.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from urlharness.corpus.specifications import url_specs
from urloracle.language import Language
from urloracle.rfcs import SPECIFICATIONS

from .independent_reader import disagreement, independent_reader

#: The rules, but `url` of RFC 1738: the library needs ten seconds for it, and its alternatives are all here.
CASES = [(spec, rule) for spec in url_specs() for rule in SPECIFICATIONS[spec].grammar if rule != "url"]


@pytest.mark.sampled(12, keep="rfc3986-URI-reference")
@pytest.mark.parametrize(("spec", "rule"), CASES)
def test_both_readers_give_a_rule_the_same_language_and_automata_of_the_same_size(spec, rule):
    """The folding of schemes is left out, because the text of the grammar does not have it (R-1738-03)."""
    printed = replace(SPECIFICATIONS[spec].grammar, fold_scheme=frozenset())
    ours = Language(printed, rule).automaton
    theirs, symbols = independent_reader(spec).compile(rule)
    assert disagreement(ours, theirs, symbols) is None
    # the library's minimal automata are partial: it counts no sink, which ours always has
    assert len(theirs.states) + 1 == len(ours.table)


def test_the_shortest_text_on_which_two_rules_disagree_is_found():
    """A segment may have a colon; a segment-nz-nc may not (RFC 3986, section 3.3)."""
    theirs, symbols = independent_reader("rfc3986").compile("segment-nz")
    ours = SPECIFICATIONS["rfc3986"].language("segment-nz-nc").automaton
    assert disagreement(ours, theirs, symbols) == ":"


#: For a function of the compiler: the rule that shows the fault, a piece of its text, and what replaces it.
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
    "automata.positions._Builder._build_repetition": {
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
    "automata.dfa.Subsets._positions_after": {
        "one-position-alone": (
            "rfc3986 IPv4address",
            "following |= self._follow[position]",
            "following = self._follow[position]",
        ),
    },
    "automata.dfa.Subsets.row": {
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
    "automata.dfa._equivalent_states": {
        "acceptance-forgotten": ("rfc3986 segment-nz", "int(state in automaton.accepting)", "0"),
        "one-round": ("rfc3986 IPv4address", "if len(signatures) == count:", "if True:"),
        "states-never-merged": (
            "rfc2396 path_segments",
            "signature = (block, targets(blocks))",
            "signature = targets",
        ),
    },
    "automata.dfa._character_classes": {
        "classes-by-letter-alone": ("rfc3986 pchar", "if mask or folded:", "if mask and char.isalnum():"),
        "classes-united": ("rfc3986 pct-encoded", "len(kinds))\n", "0)\n"),
    },
}


PLANTED = [
    pytest.param(location, *row, id=f"{location.rpartition('.')[2]}-{name}")
    for location, rows in FAULTS.items()
    for name, row in rows.items()
]


def refuted(spec, rule):
    """Return True if the second construction disagrees, or ours raises an error."""
    theirs, symbols = independent_reader(spec.id).compile(rule)
    try:
        ours = Language(spec.grammar, rule).automaton
    except (IndexError, KeyError, ValueError):
        return True
    return disagreement(ours, theirs, symbols) is not None or len(theirs.states) + 1 != len(ours.table)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("location", "target", "before", "after"), PLANTED)
def test_a_fault_of_the_compiler_is_noticed(location, target, before, after, anew, plant):
    spec, rule = target.split()
    assert not refuted(anew(spec), rule)
    plant(location, before, after)
    assert refuted(anew(spec), rule)
