"""Every rule of every grammar has a vector that it accepts, and one that it refuses a single edit away."""

from __future__ import annotations

from collections import defaultdict
from itertools import chain, product

import pytest

from urlharness.corpus.model import Corpus
from urloracle.rfcs import SPECIFICATIONS

#: Rules that only our grammar files name: the end of an IPv6address, which RFC 2373 describes in words
#: (R-2732-08), and white space.
OWN_NAMES = {("rfc2732", "tail"), ("rfc1808", "lwsp")}


def rules(spec: str) -> list[str]:
    """Return the rules of an RFC; of RFC 2732 those that it adds to RFC 2396 or changes."""
    grammar = SPECIFICATIONS[spec].grammar
    if spec != "rfc2732":
        return list(grammar)
    older = SPECIFICATIONS["rfc2396"].grammar
    return [rule for rule in grammar if rule not in older or grammar[rule] != older[rule]]


RULES = [
    pytest.param(spec, rule, id=f"{spec}-{rule}")
    for spec in SPECIFICATIONS
    for rule in rules(spec)
    if (spec, rule) not in OWN_NAMES
]


@pytest.fixture(scope="module")
def sides(corpus: Corpus):
    """Accepted and rejected texts of required vectors, by specification and rule, then by profile."""
    texts_by_rule = defaultdict(lambda: defaultdict(lambda: (set(), set())))
    for case in corpus.cases:
        vector = case.vector
        if vector.op == "validate" and vector.binding == "required" and isinstance(vector.url, str):
            profile = vector.profile or SPECIFICATIONS[case.spec].default_profile(vector.rule)
            accepted, rejected = texts_by_rule[case.spec, vector.rule][profile]
            (accepted if vector.expect.valid else rejected).add(vector.url)
    return texts_by_rule


def are_one_edit_apart(before: str, after: str) -> bool:
    """Return True if inserting, deleting or replacing one character leads from one text to the other."""
    short, long = sorted((before, after), key=len)
    start = 0
    while start < len(short) and short[start] == long[start]:
        start += 1
    if len(short) == len(long):
        return short != long and short[start + 1 :] == long[start + 1 :]
    return len(long) - len(short) == 1 and short[start:] == long[start + 1 :]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        pytest.param("", "a", True, id="insertion-into-nothing"),
        pytest.param("ab", "b", True, id="deletion-at-the-beginning"),
        pytest.param("ab", "abc", True, id="insertion-at-the-end"),
        pytest.param("abc", "axc", True, id="replacement"),
        pytest.param("aa", "ab", True, id="replacement-at-the-end"),
        pytest.param("ab", "ab", False, id="no-edit"),
        pytest.param("ab", "ba", False, id="exchange"),
        pytest.param("ab", "abcd", False, id="two-insertions"),
        pytest.param("abc", "xbd", False, id="two-replacements"),
    ],
)
def test_one_edit_is_distinguished_from_none_and_from_two(before, after, expected):
    assert are_one_edit_apart(before, after) is expected
    assert are_one_edit_apart(after, before) is expected


@pytest.mark.parametrize(("spec", "rule"), RULES)
def test_a_rule_has_a_rejecting_vector_one_edit_away_from_an_accepting_one(sides, spec, rule):
    pairs = chain.from_iterable(product(*texts) for texts in sides[spec, rule].values())
    assert any(are_one_edit_apart(accepted, rejected) for accepted, rejected in pairs)


def test_every_rule_named_by_a_vector_exists(corpus: Corpus):
    unknown = [
        case.vector.id
        for case in corpus.cases
        if case.vector.rule and case.vector.rule not in set(SPECIFICATIONS[case.spec].grammar)
    ]
    assert unknown == []


def test_every_rule_that_an_answer_leaves_open_exists(corpus: Corpus):
    for case in corpus.cases:
        for answer in case.vector.expect.alternatives:
            assert set(answer.rules) <= set(SPECIFICATIONS[case.spec].grammar), case.vector.id


#: Sections that have accepting and rejecting vectors, and after a colon an operation that they are about.
SECTIONS = {
    "rfc1738": "2.1 2.2 3.1 3.2 3.2.1 3.2.2 3.2.3 3.3 3.4.1 3.4.2 3.4.4 3.4.5 3.4.6 3.4.7 3.4.8 3.4.9 "
    "3.5 3.6 3.7 3.8 3.9 3.10 3.11",
    "rfc1808": "2.1 2.2 2.3:resolve 2.4:parse 2.4.1:parse 2.4.2:parse 2.4.3:parse 2.4.4:parse 2.4.5:parse "
    "2.4.6:parse 4:resolve",
    "rfc2396": "3.1 3.2 3.2.1 3.2.2 3.3 3.4 4 4.1 4.2:resolve 4.3:parse 5.2:resolve",
}
_OBLIGATIONS = [(spec, section) for spec, sections in SECTIONS.items() for section in sections.split()]
_SECTIONS = [(spec, section.partition(":")[0]) for spec, section in _OBLIGATIONS]
_OPERATIONS = [(spec, *section.split(":")) for spec, section in _OBLIGATIONS if ":" in section]


@pytest.mark.parametrize(("spec", "section"), _SECTIONS)
def test_a_section_has_accepting_and_rejecting_vectors(cases_of_section, spec, section):
    expectations = {
        case.vector.expect.valid
        for case in cases_of_section(spec, section)
        if case.vector.binding == "required"
    }
    assert {True, False} <= expectations


@pytest.mark.parametrize(("spec", "section", "operation"), _OPERATIONS)
def test_a_section_about_an_operation_has_two_vectors_of_it(cases_of_section, spec, section, operation):
    assert [case.vector.op for case in cases_of_section(spec, section)].count(operation) >= 2
