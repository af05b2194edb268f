"""Other readings of a grammar that rulings admit, and the verdicts that follow from them.

For example, if a ruling corrects a rule, the published rule is another reading.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Literal, NamedTuple

from urloracle.automata.dfa import Automaton, determinize, difference, minimize
from urloracle.automata.positions import position_automaton
from urloracle.grammar.expression import Reference
from urloracle.grammar.grammar import Grammar, source
from urloracle.grammar.notation import RFC822, GrammarText, read
from urloracle.specification import Profile, Specification

Binding = Literal["literal-only", "impl-defined"]


class GrammarReading(NamedTuple):
    """Another reading of a grammar that a ruling admits.

    `rules` is a text with rules that replace the rules of the same names, and `file` is a grammar file with
    such rules.  If both are None, the reading changes no rule, but makes schemes case-sensitive.  If
    `accepts_only` is true, the reading makes no valid text invalid, because a worked example of the RFC needs
    such texts (G-16).
    """

    ruling: str
    variant: str
    binding: Binding
    rules: str | None
    accepts_only: bool = False
    file: str | None = None


#: The rule `relativeURI` of RFC 2396 as published.
_NO_QUERY_ALONE = GrammarReading(
    "R-2396-02", "literal", "literal-only", 'relativeURI = ( net_path | abs_path | rel_path ) [ "?" query ]'
)

#: Other readings, by RFC.
READINGS: Mapping[str, tuple[GrammarReading, ...]] = {
    "rfc1738": (
        GrammarReading("R-1738-03", "case-sensitive", "impl-defined", None),
        GrammarReading("G-03", "case-insensitive", "impl-defined", """
            ftpurl  = "ftp://" login [ "/" fpath [ ";" t y p e "=" ftptype ]]
            t = "T" | "t"
            y = "Y" | "y"
            p = "P" | "p"
            e = "E" | "e"
            """),
        GrammarReading("R-1738-07", "range", "impl-defined", """
            hostnumber = octet "." octet "." octet "." octet
            octet      = *"0" ( digit | nonzero digit | "1" digit digit |
                         "2" ( "0" | "1" | "2" | "3" | "4" ) digit |
                         "25" ( "0" | "1" | "2" | "3" | "4" | "5" ) )
            nonzero    = "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9"
            """),
        GrammarReading("R-1738-19", "selector-octets", "impl-defined", """
            gopherurl = "gopher://" hostport [ "/" *no-line [ "%09" *no-line "%09" *xchar ] ]
            no-line   = unreserved | reserved |
                        "%0" ( digit | "B" | "C" | "E" | "F" | "b" | "c" | "e" | "f" ) |
                        "%" ( "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" |
                        "A" | "B" | "C" | "D" | "E" | "F" | "a" | "b" | "c" | "d" | "e" | "f" ) hex
            """),
        GrammarReading("R-1738-28", "number-required", "impl-defined",
                'nntpurl = "nntp://" hostport "/" group "/" digits'),
    ),
    "rfc2396": (_NO_QUERY_ALONE,),
    "rfc3987": (
        GrammarReading("R-3987-06", "no-formatting", "impl-defined", None, file="rfc3987-prose.abnf"),
    ),
    "rfc2732": (
        _NO_QUERY_ALONE,
        GrammarReading("R-2732-01", "literal", "literal-only", """
            IPv6address = hexpart [ ":" IPv4address ]
            hexpart     = hexseq | hexseq "::" [ hexseq ] | "::" [ hexseq ]
            hexseq      = hex4 *( ":" hex4 )
            """, accepts_only=True),
        GrammarReading("R-2732-03", "published", "impl-defined", """
            uric_no_slash = unreserved | escaped | ";" | "?" | ":" | "@" |
                            "&" | "=" | "+" | "$" | ","
            """),
        GrammarReading("R-2732-08", "two-groups", "impl-defined", """
            IPv6address =                              6( hex4 ":" ) tail |
                                                  "::" 4( hex4 ":" ) tail |
                          [                hex4 ] "::" 3( hex4 ":" ) tail |
                          [ *1( hex4 ":" ) hex4 ] "::" 2( hex4 ":" ) tail |
                          [ *2( hex4 ":" ) hex4 ] "::"    hex4 ":"   tail |
                          [ *3( hex4 ":" ) hex4 ] "::"               tail |
                          [ *4( hex4 ":" ) hex4 ] "::"               hex4 |
                          [ *5( hex4 ":" ) hex4 ] "::"
            """),
        GrammarReading("R-2732-11", "range", "impl-defined", """
            tail  = hex4 ":" hex4 | octet "." octet "." octet "." octet
            octet = 1*2digit | ( "0" | "1" ) digit digit |
                    "2" ( "0" | "1" | "2" | "3" | "4" ) digit |
                    "25" ( "0" | "1" | "2" | "3" | "4" | "5" )
            """),
    ),
}  # fmt: skip


def other_readings(spec: Specification, rule: str) -> Iterator[tuple[GrammarReading, Automaton]]:
    """Yield each reading that changes the language of a rule, with the minimal automaton for this reading."""
    ruled = spec.automaton(rule)
    for reading in READINGS.get(spec.id, ()):
        grammar = _grammar(spec, reading)
        fold = rule.lower() in grammar.fold_scheme
        varied, _ = determinize(position_automaton(grammar, Reference(rule)), fold_scheme=fold)
        lost = difference(ruled, varied).shortest_member()
        gained = difference(varied, ruled).shortest_member()
        if lost is not None or gained is not None:
            yield reading, minimize(varied)


class OtherVerdict(NamedTuple):
    """Another admissible verdict on a text, and the reading that gives it."""

    valid: bool
    reading: GrammarReading


#: The RFCs whose profile `prose` adds only what the text requires of every URL (R-3987-06).
_REQUIRED_PROSE = frozenset(("rfc3987",))

#: The reading that leaves out the conditions which profile `prose` adds.
_WITHOUT_PROSE = GrammarReading("G-06", "grammar-alone", "impl-defined", None)


def other_verdicts(
    text: str, spec: Specification, rule: str | None = None, profile: Profile | None = None
) -> tuple[OtherVerdict, ...]:
    """Return the opposite verdict once for each reading of the grammar that gives it.

    Under profile `prose`, the only other reading is the grammar alone: a client may accept a text that only
    the conditions of the prose make invalid (G-06), unless the RFC requires them.
    """
    ruled = spec.problem(text, rule, profile) is None
    if profile == "prose":
        if spec.id in _REQUIRED_PROSE:
            return ()
        by_grammar_alone = spec.problem(text, rule) is None
        if by_grammar_alone is ruled:
            return ()
        return (OtherVerdict(by_grammar_alone, _WITHOUT_PROSE),)
    judging_rule = spec.judging_rule(text, rule, profile)
    verdicts = []
    for reading in READINGS.get(spec.id, ()):
        if ruled and reading.accepts_only:
            continue
        if not _concerns(reading, text, spec, judging_rule):
            continue
        valid = _read_as(spec, reading).problem(text, rule, profile) is None
        if valid is not ruled:
            verdicts.append(OtherVerdict(valid, reading))
    return tuple(verdicts)


def condition_in_words(text: str, spec: Specification, rule: str | None = None) -> str:
    """Return which condition beside the grammar a valid text does not meet, or an empty string.

    Only conditions count that the RFC requires of every URL: those of RFC 3987, section 4.1 (R-3987-06).
    """
    if spec.id not in _REQUIRED_PROSE or spec.problem(text, rule) is not None:
        return ""
    problem = spec.problem(text, rule, "prose")
    if problem is None:
        return ""
    return f"section {problem.section} forbids {problem.fault}, beside the grammar (profile prose)"


def other_specifications(spec: Specification) -> list[Specification]:
    """Return the specification with each other reading of its grammar."""
    return [_read_as(spec, reading) for reading in READINGS.get(spec.id, ())]


def _concerns(reading: GrammarReading, text: str, spec: Specification, rule: str) -> bool:
    """Return False if the reading obviously changes nothing, so that its grammar need not be compiled."""
    rules = _rules(reading)
    if rules is None:
        scheme = text.partition(":")[0]
        return scheme != scheme.lower()
    changed = (production.name.lower() for production in rules.productions)
    return not spec.grammar.reachable(rule).isdisjoint(changed)


@cache
def _rules(reading: GrammarReading) -> GrammarText | None:
    """Parse the rules of a reading, or return None if it has none; the result is cached."""
    text = reading.rules if reading.file is None else source(reading.file)
    return None if text is None else read(text, RFC822)


@cache
def _read_as(spec: Specification, reading: GrammarReading) -> Specification:
    """Return the specification with the grammar of a reading."""
    varied = replace(spec)
    vars(varied)["grammar"] = _grammar(spec, reading)  # a cached property
    return varied


def _grammar(spec: Specification, reading: GrammarReading) -> Grammar:
    """Return the grammar of a specification as a reading has it."""
    rules = _rules(reading)
    if rules is None:  # the reading makes schemes case-sensitive
        return replace(spec.grammar, fold_scheme=frozenset())
    return spec.grammar.overlay(rules)
