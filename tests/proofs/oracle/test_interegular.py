"""Every pattern accepts the language of its rule, by an independent reader of `re` syntax: interegular.

The library takes a possessive mark for a repetition of the repetition, and knows no atomic group and no group
that never matches.  So marks and guards are dropped, and such groups are left out.  `test_patterns` proves
that this keeps the language (no part takes what could follow it); here the greedy pattern is compared with
the rule.
"""

from __future__ import annotations

import re
from collections import deque

import interegular
import pytest
from interegular.fsm import anything_else

from urloracle.automata.dfa import SINK
from urloracle.grammar.alphabet import ALPHABET, letters_between
from urloracle.regex.pattern import pattern
from urloracle.rfc.captures import SPLITTINGS, split_pattern
from urloracle.rfcs import SPECIFICATIONS

#: An escape, a set of characters or the head of a group, unchanged; a quantifier with its possessive mark.
_PIECE = re.compile(r"(\\.|\[(?:\\.|[^\\\]])*\]|\(\?[:!])|([*+?]|\{[0-9,]+\})\+?", re.DOTALL)
_NEVER = "|(?!)()"
_ABSENT = re.compile(r"\(\?\(\d+\)\|\(\)\)|" + re.escape("(?:(?!)())?+"))
_GUARD = re.compile(r"(?<!\\)\(\?!(\[(?:\\.|[^\\\]])+\])\)")
_BEYOND_ASCII = re.compile("([^\0-\x7f])-([^\0-\x7f])")

OTHER = "\u00e9"  # for every character that no pattern names


def greedy(source):
    """Return a pattern with greedy repetitions, without empty groups and the branch that never matches."""
    plain = _GUARD.sub("", _ABSENT.sub("", source.removesuffix(_NEVER))).replace("(?>", "(?:")
    written = _PIECE.sub(lambda piece: piece[1] or piece[2], plain)
    return written.replace("()", "")


def with_letters(source):
    """Return a pattern with the letters of ranges beyond ASCII in place of these ranges.

    The library would take each of a million characters as a letter.
    """
    return _BEYOND_ASCII.sub(lambda span: "".join(letters_between(*map(ord, span.groups()))), source)


def disagreement(ours, source):
    """Return a shortest text on which an automaton and a pattern disagree, or None if there is none."""
    theirs = interegular.parse_pattern(with_letters(greedy(source))).to_fsm()
    kinds = {}
    for char in (*ALPHABET, OTHER):
        symbol = char if char in theirs.alphabet else anything_else
        kinds.setdefault((ours.classes.get(char), theirs.alphabet[symbol]), char)
    start = (ours.start, theirs.initial)
    seen = {start}
    queue = deque([(*start, "")])
    while queue:
        state, other_state, word = queue.popleft()
        if (state in ours.accepting) != (other_state in theirs.finals):
            return word
        for (kind, transition), char in kinds.items():
            following = (
                SINK if kind is None else ours.table[state][kind],
                theirs.map.get(other_state, {}).get(transition),
            )
            if following not in seen:
                seen.add(following)
                queue.append((*following, word + char))
    return None


RULES = [
    pytest.param(spec, rule, id=f"{spec.id}-{rule}")
    for spec in SPECIFICATIONS.values()
    for rule in spec.grammar
]


@pytest.mark.sampled(13, keep="rfc3986-URI-reference")
@pytest.mark.parametrize(("spec", "rule"), RULES)
def test_the_pattern_accepts_the_language_of_the_rule(spec, rule):
    source = pattern(spec.grammar, rule).regex.pattern
    assert disagreement(spec.language(rule).automaton, source) is None


SPLIT = [(spec, rule) for spec, splitting in SPLITTINGS.items() for rule in splitting.components]


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize(("spec", "rule"), SPLIT)
def test_a_splitting_pattern_accepts_the_language_of_its_rule(spec, rule):
    """The pattern has groups for the components, and is the one that `parse` uses."""
    rfc = SPECIFICATIONS[spec]
    source = split_pattern(spec, rule, rfc.languages).regex.pattern
    assert disagreement(rfc.language(rule).automaton, source) is None


#: A rule, what is changed in its pattern, and a shortest text that shows it.
PLANTED = {
    "digit-lost": ("rfc3986 port", "0-9", "0-8", "9"),
    "slash-lost": ("rfc3986 relative-part", "//", "/", "//:!"),
    "never-instead-of-once": ("rfc1738 scheme", "]++", "]*+", ""),
    "must-occur": ("rfc3986 query", "*+", "++", ""),
    "one-time-more": ("rfc3986 h16", "{1,4}", "{1,5}", "00000"),
    "delimiter-changed": ("rfc2396 server", "@", "!", "!A"),
    "query-for-fragment": ("rfc1808 URL", "\\#", "!", "#"),
    "case-folded": ("rfc1738 ftptype", "[ADIadi]", "[A-Za-z]", "B"),
    "beyond-ascii": ("rfc2396 alpha", "[A-Za-z]", "[A-Za-z\u00e9]", "\u00e9"),
    "range-lost": ("rfc3987 iprivate", "\ue000-\uf8ff", "", "\ue000"),
    "private-in-a-fragment": ("rfc3987 ifragment", "\uf900-\ufdcf", "\ue000-\ufdcf", "\ue000"),
}


@pytest.mark.parametrize("name", PLANTED)
def test_a_shortest_text_shows_that_a_pattern_is_wrong(name):
    target, before, after, word = PLANTED[name]
    spec, rule = target.split()
    rfc = SPECIFICATIONS[spec]
    source = pattern(rfc.grammar, rule).regex.pattern
    assert before in source
    automaton = rfc.language(rule).automaton
    assert disagreement(automaton, source.replace(before, after)) == word


GREEDY = [
    pytest.param("[a+]*+b", "[a+]*b", id="set"),
    pytest.param(r"\++\*?+", r"\++\*?", id="escapes"),
    pytest.param("(?:ab){2}+a{1,}+", "(?:ab){2}a{1,}", id="bounds"),
    pytest.param(r"[\]*+]++", r"[\]*+]+", id="bracket-in-a-set"),
    pytest.param("(a)(?:b)?+()|(?!)()", "(a)(?:b)?", id="groups"),
    pytest.param("(a)(?(1)|())(?:(?!)())?+b", "(a)b", id="absent"),
    pytest.param(r"(?:(?>(?:a*+|b*c)(?![\-a-c\]]))|d)", "(?:(?:(?:a*|b*c))|d)", id="guard"),
]


@pytest.mark.parametrize(("source", "written"), GREEDY)
def test_exactly_the_marks_the_guards_and_the_empty_groups_of_a_pattern_are_left_out(source, written):
    assert greedy(source) == written


def test_possessive_repetitions_are_foreign_to_the_library():
    """It reads `a?+` as `(?:a?)+`; when it no longer does, they need not be turned into greedy ones."""
    assert interegular.parse_pattern("a?+").to_fsm().accepts("aa")
