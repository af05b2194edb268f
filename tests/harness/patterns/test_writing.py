"""Expressions are made shorter without a change of their texts, and written in each flavour."""

from __future__ import annotations

import pytest

from urlharness.patterns.flavours import FLAVOURS, CannotSay
from urlharness.patterns.writing import PatternWriter, tidy
from urloracle.grammar.expression import (
    EMPTY,
    Alternation,
    Capture,
    Characters,
    Reference,
    Repetition,
    Sequence,
    optional,
)

A = Characters(frozenset("a"))
B = Characters(frozenset("b"))
AB = Characters(frozenset("ab"))
SLASH = Characters(frozenset("/"))
DOT = Characters(frozenset("."))


def some(element):
    return Repetition(element, 0, None)


#: Expressions, and their patterns in Python without anchors.
PATTERNS = {
    "literal": (Sequence((SLASH, SLASH, DOT)), r"//\."),
    "two-sets": (Sequence((AB, AB)), "[ab]{2}"),
    "many-equal-characters": (Sequence((A,) * 5), "a{5}"),
    "at-least-one": (Sequence((AB, some(AB))), "[ab]+"),
    "bounds-are-added": (Sequence((Repetition(AB, 1, 4), AB, optional(AB))), "[ab]{2,6}"),
    "block": (Sequence((AB, DOT, AB, DOT, AB, DOT, AB)), r"(?:[ab]\.){3}[ab]"),
    "no-block": (Sequence((AB, DOT, AB)), r"[ab]\.[ab]"),
    "set-of-alternatives": (Alternation((A, B)), "[ab]"),
    "empty-alternative": (Alternation((Sequence((A, B)), EMPTY)), "(?:ab)?"),
    "alternatives-between": (Sequence((A, Alternation((Sequence((A, B)), B)), B)), "a(?:ab|b)b"),
    "whole-alternatives": (Alternation((Sequence((A, B)), B)), "(?:ab|b)"),
    "exactly-one": (Repetition(A, 1, 1), "a"),
    "optional-repetition": (some(optional(A)), "a*"),
    "exact-and-open": (Sequence((Repetition(A, 2, 2), B, Repetition(B, 2, None))), "a{2}b{3,}"),
    "capture": (Sequence((A, Capture("host", some(B)))), "a(?P<host>b*)"),
    "two-places": (
        Alternation((Sequence((A, Capture("host", B))), Sequence((B, Capture("host", A))))),
        "(?:a(?P<host>b)|b(?P<host2>a))",
    ),
    "neighbouring-captures": (
        Alternation((Capture("host", Sequence((A, B))), Capture("host", B), Capture("host", EMPTY))),
        "(?P<host>(?:ab|b)?)",
    ),
    "name-of-a-group": (Capture("gopher+_string", A), "(?P<gopher_string>a)"),
}


@pytest.mark.parametrize("name", PATTERNS)
def test_an_expression_is_written_in_short(name):
    expression, pattern = PATTERNS[name]
    assert PatternWriter(FLAVOURS["python"]).write(tidy(expression)) == rf"\A{pattern}\Z"


#: Expressions, and their patterns in PCRE2 without anchors.
POSSESSIVE = {
    "decided": (Sequence((some(Sequence((A, B))), DOT)), r"(?:ab)*+\."),
    "not-decided": (Sequence((some(Sequence((A, B))), A)), "(?:ab)*a"),
    "decided-after-an-option": (Sequence((some(Sequence((A, B))), optional(DOT), A)), r"(?:ab)*\.?a"),
    "at-the-end": (Sequence((A, Repetition(Sequence((A, B)), 1, None))), "a(?:ab)++"),
    "body-that-is-not-decided": (Sequence((some(Sequence((optional(B), B))), DOT)), r"(?:b{1,2})*\."),
    "set": (some(A), "a*"),
    "bounded": (Sequence((Repetition(Sequence((A, B)), 0, 3), DOT)), r"(?:ab){0,3}\."),
}


@pytest.mark.parametrize("name", POSSESSIVE)
def test_a_group_is_possessive_if_the_next_character_decides(name):
    expression, pattern = POSSESSIVE[name]
    assert PatternWriter(FLAVOURS["pcre2"]).write(tidy(expression)) == rf"\A{pattern}\z"


def test_a_capture_lists_its_groups():
    expression, _ = PATTERNS["two-places"]
    writer = PatternWriter(FLAVOURS["python"])
    writer.write(expression)
    assert writer.groups == {"host": ["host", "host2"]}


def test_posix_counts_all_groups():
    writer = PatternWriter(FLAVOURS["posix"])
    expression = Sequence(
        (some(Sequence((A, B))), Capture("host", some(Sequence((B, A)))), Capture("port", A))
    )
    assert writer.write(expression) == "^(ab)*((ba)*)(a)$"
    assert writer.groups == {"host": ["2"], "port": ["4"]}


def test_java_has_no_underscore_in_names():
    writer = PatternWriter(FLAVOURS["java"])
    assert writer.write(Capture("net_loc", A)) == r"\A(?<netloc>a)\z"


#: Repetitions of a limit, the flavour, and whether it says them.
LIMITS = {
    "posix": ("posix", Repetition(A, 255, 255), True),
    "posix-one-more": ("posix", Repetition(A, 0, 256), False),
    "posix-nested": ("posix", Repetition(Sequence((Repetition(A, 200, 200), B)), 2, 2), True),
    "go": ("go", Repetition(A, 1000, None), True),
    "go-one-more": ("go", Repetition(A, 1001, None), False),
    "go-nested": ("go", Repetition(Sequence((Repetition(A, 501, 501), B)), 2, 2), False),
    "re2-nested": ("re2", Repetition(Sequence((Repetition(A, 500, 500), B)), 2, 2), True),
    "python": ("python", Repetition(A, 5000, 5000), True),
}


@pytest.mark.parametrize("name", LIMITS)
def test_too_many_repetitions_are_refused_with_the_limit(name):
    flavour, expression, is_said = LIMITS[name]
    writer = PatternWriter(FLAVOURS[flavour])
    if is_said:
        assert writer.write(expression)
        return
    with pytest.raises(CannotSay, match=r"repeats at most (255|1,000) times"):
        writer.write(expression)


def test_posix_has_no_empty_group():
    with pytest.raises(CannotSay, match="no empty group, as path would need"):
        PatternWriter(FLAVOURS["posix"]).write(Capture("path", EMPTY))


def test_a_reference_is_an_error():
    with pytest.raises(ValueError, match="reference to host"):
        PatternWriter(FLAVOURS["go"]).write(Reference("host"))
