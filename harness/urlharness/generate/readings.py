"""Other readings of a grammar: where a ruling leaves the verdict on a text open, or notes the printed rule.

A reading is the same grammar with some rules replaced, so it is a language as well.  A text on which it
disagrees with the rule as ruled has two admissible verdicts, and the binding of the ruling.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Literal, NamedTuple

from urloracle.automaton import Automaton, determinize, difference, minimize
from urloracle.expression import Reference
from urloracle.grammar import Grammar
from urloracle.notation import RFC822, read
from urloracle.positions import position_automaton
from urloracle.specification import Specification

Leave = Literal["impl-defined", "literal-only"]


class Reading(NamedTuple):
    """A reading that a ruling allows for: `rules` replace those of their names; None: schemes keep case."""

    ruling: str
    variant: str
    binding: Leave
    rules: str | None


_PUBLISHED_2396 = 'relativeURI = ( net_path | abs_path | rel_path ) [ "?" query ]'
_QUERY_ONLY = Reading("R-2396-02", "literal", "literal-only", _PUBLISHED_2396)

READINGS: Mapping[str, tuple[Reading, ...]] = {
    "rfc1738": (
        Reading("R-1738-03", "case-sensitive", "impl-defined", None),
        Reading(
            "G-03",
            "case-insensitive",
            "impl-defined",
            """
            ftpurl  = "ftp://" login [ "/" fpath [ ";" t y p e "=" ftptype ]]
            t = "T" | "t"
            y = "Y" | "y"
            p = "P" | "p"
            e = "E" | "e"
            """,
        ),
        Reading(
            "R-1738-07",
            "range",
            "impl-defined",
            """
            hostnumber = octet "." octet "." octet "." octet
            octet      = *"0" ( digit | nonzero digit | "1" digit digit |
                         "2" ( "0" | "1" | "2" | "3" | "4" ) digit |
                         "25" ( "0" | "1" | "2" | "3" | "4" | "5" ) )
            nonzero    = "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9"
            """,
        ),
        Reading(
            "R-1738-19",
            "selector-octets",
            "impl-defined",
            """
            gopherurl = "gopher://" hostport [ "/" *no-line ]
            no-line   = unreserved | reserved |
                        "%0" ( digit | "B" | "C" | "E" | "F" | "b" | "c" | "e" | "f" ) |
                        "%" ( "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" |
                        "A" | "B" | "C" | "D" | "E" | "F" | "a" | "b" | "c" | "d" | "e" | "f" ) hex
            """,
        ),
        Reading(
            "R-1738-28",
            "number-required",
            "impl-defined",
            'nntpurl = "nntp://" hostport "/" group "/" digits',
        ),
    ),
    "rfc1808": (),
    "rfc2396": (_QUERY_ONLY,),
    "rfc2732": (
        _QUERY_ONLY,
        Reading(
            "R-2732-01",
            "literal",
            "literal-only",
            """
            IPv6address = hexpart [ ":" IPv4address ]
            hexpart     = hexseq | hexseq "::" [ hexseq ] | "::" [ hexseq ]
            hexseq      = hex4 *( ":" hex4 )
            """,
        ),
        Reading(
            "R-2732-03",
            "published",
            "impl-defined",
            """
            uric_no_slash = unreserved | escaped | ";" | "?" | ":" | "@" |
                            "&" | "=" | "+" | "$" | ","
            """,
        ),
        Reading(
            "R-2732-08",
            "two-groups",
            "impl-defined",
            """
            IPv6address =                              6( hex4 ":" ) tail |
                                                  "::" 4( hex4 ":" ) tail |
                          [                hex4 ] "::" 3( hex4 ":" ) tail |
                          [ *1( hex4 ":" ) hex4 ] "::" 2( hex4 ":" ) tail |
                          [ *2( hex4 ":" ) hex4 ] "::"    hex4 ":"   tail |
                          [ *3( hex4 ":" ) hex4 ] "::"               tail |
                          [ *4( hex4 ":" ) hex4 ] "::"               hex4 |
                          [ *5( hex4 ":" ) hex4 ] "::"
            """,
        ),
    ),
    "rfc3986": (),
}


def readings(spec: Specification, rule: str) -> Iterator[tuple[Reading, Automaton]]:
    """The readings that give the rule another language, each with the minimal automaton of that."""
    ruled = spec.automaton(rule)
    for reading in READINGS[spec.id]:
        grammar = _grammar(spec.grammar, reading)
        fold = rule.lower() in grammar.fold_scheme
        other, _ = determinize(position_automaton(grammar, Reference(rule)), fold_scheme=fold)
        if any(difference(*pair).shortest_member() is not None for pair in ((ruled, other), (other, ruled))):
            yield reading, minimize(other)


def _grammar(grammar: Grammar, reading: Reading) -> Grammar:
    if reading.rules is None:
        return replace(grammar, fold_scheme=frozenset())
    return grammar.overlay(read(reading.rules, RFC822))
