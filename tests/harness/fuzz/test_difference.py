"""Differences: how two answers differ, and which differences have one cause."""

from __future__ import annotations

import pytest

from urlharness.adapters.registry import find
from urlharness.fuzz.difference import (
    AnswerComparison,
    Difference,
    Divergence,
    cause_key,
    first_words,
    likely_class,
    with_quoted_change,
)
from urlharness.panel.answer import Answer


def divergences(panel, *texts, fold=False):
    """Return for each text how the answers of a panel differ."""
    comparison = AnswerComparison(panel, fold=fold)
    rows = panel.ask("parse", texts)
    return [comparison.divergences(text, answers) for text, answers in zip(texts, rows, strict=True)]


def places(panel, text, **options):
    """Return which adapters differ, in which component, and which of them refuses, or -1 if none does."""
    (divergences_of_text,) = divergences(panel, text, **options)
    return [
        (divergence.first, divergence.second, divergence.component, divergence.side)
        for divergence in divergences_of_text
    ]


def test_equal_answers_do_not_differ(parser, open_panel):
    panel = open_panel(parser(), parser())
    assert divergences(panel, "", "http://a/", "//[") == [[], [], []]


#: What a bug changes, a text, and how the answers differ.
DIFFERENCES = {
    "host": ({"host": str.upper}, "//a", ("host", -1)),
    "path": ({"path": str.upper}, "a", ("path", -1)),
    "the most harmful": ({"path": str.upper, "host": lambda host: host * 2}, "//a/a", ("host", -1)),
    "by more than spelling": ({"path": str.upper, "host": str.upper}, "//a/a", ("path", -1)),
    "absent": ({"fragment": lambda _: None}, "#", ("fragment", -1)),
}


@pytest.mark.parametrize("name", DIFFERENCES)
def test_two_answers_differ_in_their_most_harmful_component(name, parser, open_panel):
    change, text, (component, side) = DIFFERENCES[name]
    panel = open_panel(parser(), parser(**change))
    assert places(panel, text) == [(0, 1, component, side)]


def test_a_refusal_has_a_side(parser, open_panel):
    panel = open_panel(parser(), parser(change=lambda text: f"//[{text}"))
    assert places(panel, "a") == [(0, 1, "verdict", 1)]


def test_an_end_without_answer_has_a_side(parser, open_panel):
    def fail(text):
        raise OSError(text)

    assert places(open_panel(parser(change=fail), parser()), "a") == [(0, 1, "error", 0)]


def test_two_ends_without_answer_do_not_differ(parser, open_panel):
    def fail(text):
        raise OSError(text)

    assert places(open_panel(parser(change=fail), parser(change=fail)), "a") == []


def test_spelling_is_folded(parser, open_panel):
    panel = open_panel(parser(), parser(host=str.upper))
    assert places(panel, "//a", fold=True) == []
    assert places(panel, "//a", fold=False) != []


def test_adapters_that_agree_are_a_group(parser, open_panel):
    panel = open_panel(parser(), parser(host=str.upper), parser(), parser(host=str.upper))
    comparison = AnswerComparison(panel, fold=False)
    with_host, without_host = panel.ask("parse", ["//a", "a"])
    assert comparison.groups(with_host) == [[0, 2], [1, 3]]
    assert comparison.groups(without_host) == [[0, 1, 2, 3]]


def test_each_adapter_of_a_group_is_compared_with_another_group(parser, open_panel):
    panel = open_panel(parser(), parser(host=str.upper), parser(), parser(host=str.upper))
    assert places(panel, "//a") == [(0, 1, "host", -1), (0, 3, "host", -1), (1, 2, "host", -1)]


def test_groups_are_compared_with_the_largest_that_accepts(parser, open_panel):
    def refuse(_):
        raise ValueError

    changing = parser(host=lambda host: host * 2)
    panel = open_panel(parser(change=refuse), parser(change=refuse), parser(), changing, parser())
    refusals = [(0, 2, "verdict", 0), (1, 2, "verdict", 1)]
    assert places(panel, "//a") == [*refusals, (2, 3, "host", -1), (0, 4, "verdict", 0)]


#: What a bug makes of the query, and the manner in which the values then differ.
MANNERS = {
    "encoded": lambda query: query.replace("^", "%5E"),
    "decoded": lambda query: query.replace("%2a", "*"),
    "unlike": lambda query: query * 2,
    "absent": lambda _: None,
}


@pytest.mark.parametrize("name", MANNERS)
def test_a_difference_has_its_manner(name, parser, open_panel):
    panel = open_panel(parser(), parser(query=MANNERS[name]))
    assert divergences(panel, "?a^%2a", fold=True) == [[Divergence(0, 1, "query", -1, name)]]


def test_an_escape_elsewhere_in_the_text_is_not_decoded(parser, open_panel):
    panel = open_panel(parser(), parser(query=lambda query: query.replace("^", "%5E")))
    assert divergences(panel, "?%5E^", fold=True) == [[Divergence(0, 1, "query", -1, "encoded")]]


#: A text, what a bug replaces in its query and by what, and the manner.
PERCENT_SIGNS = [
    pytest.param("?%25x", ("%25", "%"), "decoded", id="decoded"),
    pytest.param("?%x", ("%", "%25"), "encoded", id="encoded"),
    pytest.param("?%25%5E", ("%25", "%"), "decoded", id="decoded-before-an-escape"),
    pytest.param("?%252541", ("%25", "%"), "decoded", id="decoded-twice"),
    pytest.param("?%2541", ("%", "%25"), "encoded", id="encoded-twice"),
]


@pytest.mark.parametrize(("text", "change", "manner"), PERCENT_SIGNS)
def test_an_escaped_percent_sign_is_an_escape(parser, open_panel, text, change, manner):
    panel = open_panel(parser(), parser(query=lambda query: query.replace(*change)))
    assert divergences(panel, text, fold=True) == [[Divergence(0, 1, "query", -1, manner)]]


def test_an_escape_that_both_libraries_add_does_not_matter(parser, open_panel):
    def encode(query):
        return query.replace("^", "%5E")

    panel = open_panel(parser(query=encode), parser(query=lambda query: MANNERS["decoded"](encode(query))))
    assert divergences(panel, "?^%2a", fold=True) == [[Divergence(0, 1, "query", -1, "decoded")]]


def test_it_does_not_matter_which_library_decodes(parser, open_panel):
    panel = open_panel(parser(query=MANNERS["decoded"]), parser())
    assert divergences(panel, "?%2a", fold=True) == [[Divergence(0, 1, "query", -1, "decoded")]]


def refuse_bars(text):
    if "|" in text:
        raise ValueError("a bar")
    return text


#: The adapters, the options, and the manner of a refusal.
REFUSALS = {
    "of an unlike library": (2, {"fold": True}, "refused by two"),
    "of a version": (2, {"fold": False}, "refused by two: bar"),
    "of one of several": (3, {"fold": True}, "refused"),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_a_refusal_has_its_manner(name, parser, open_panel):
    count, options, manner = REFUSALS[name]
    panel = open_panel(parser("two", change=refuse_bars), *[parser() for _ in range(count - 1)])
    (refusals,) = divergences(panel, "|", **options)
    assert {divergence.manner for divergence in refusals} == {manner}


def test_the_oracle_admits_other_answers(open_panel):
    """Where RFC 2396 leaves the answer open, urllib does not differ from the oracle."""
    panel = open_panel(find("reference"), find("urllib"))
    assert divergences(panel, "http://a/b?c#d", "a:?", "//a:@b", fold=True) == [[], [], []]
    assert places(panel, '"', fold=True) == [(0, 1, "verdict", 0)]


#: Two differences that have one cause.
ONE_CAUSE = [
    pytest.param(("host", "backslash", "unlike"), ("host", "backslash", "unlike"), id="equal"),
    pytest.param(("host", "x", "unlike"), ("port", "x", "unlike"), id="component-in-authority"),
    pytest.param(("path", "x", "absent"), ("query", "x", "absent"), id="component-after-authority"),
    pytest.param(("path", "x", "decoded"), ("query", "x", "decoded"), id="decoded-after-authority"),
    pytest.param(("host", "x", "decoded"), ("userinfo", "x", "decoded"), id="decoded-in-authority"),
    pytest.param(("path", "x", "decoded"), ("path", "y", "decoded"), id="decoded-class"),
    pytest.param(
        ("path", "backslash", "encoded"), ("query", "non-ascii", "encoded"), id="encoded-characters"
    ),
    pytest.param(
        ("scheme", "relative-reference", "absent"),
        ("scheme", "empty-reference", "absent"),
        id="no-scheme",
    ),
    pytest.param(("scheme", "backslash", "absent"), ("scheme", "bracket", "absent"), id="no-valid-scheme"),
    pytest.param(("path", "white-space", "unlike"), ("path", "control-character", "unlike"), id="blanks"),
    pytest.param(
        ("host", "backslash", "absent"), ("host", "non-ascii", "absent"), id="absent-at-a-character"
    ),
    pytest.param(("host", "x", "undivided"), ("host", None, "undivided"), id="undivided"),
]
#: Two differences that have a cause each.
TWO_CAUSES = [
    pytest.param(("host", "backslash", "unlike"), ("path", "backslash", "unlike"), id="place"),
    pytest.param(("host", "backslash", "unlike"), ("host", "several-ats", "unlike"), id="class"),
    pytest.param(("host", "backslash", "unlike"), ("host", "backslash", "absent"), id="manner"),
    pytest.param(("path", "x", "decoded"), ("host", "x", "decoded"), id="decoded-in-both-places"),
    pytest.param(("path", "x", "encoded"), ("path", "x", "decoded"), id="encoded-or-decoded"),
    pytest.param(("scheme", "backslash", "absent"), ("scheme", "unknown-scheme", "absent"), id="a-scheme"),
    pytest.param(("host", "backslash", "absent"), ("host", "several-ats", "absent"), id="absent"),
    pytest.param(("host", "x", "undivided"), ("host", "x", "undivided, invalid"), id="undivided-invalid"),
    pytest.param(
        ("path", "bidi-formatting", "decoded"), ("path", "illegal-utf-8", "decoded"), id="class-of-mappings"
    ),
    pytest.param(("path", None, "unlike:  / +"), ("path", None, "unlike:  / -"), id="quoted-change"),
]


@pytest.mark.parametrize(("first", "second"), ONE_CAUSE)
def test_differences_with_one_cause_have_one_key(first, second):
    assert cause_key(Difference(*first)) == cause_key(Difference(*second))


def test_a_class_of_mappings_is_one_cause_in_each_component():
    in_path = Difference("path", "bidi-formatting", "decoded")
    assert cause_key(in_path) == cause_key(Difference("host", "bidi-formatting", "unlike"))


@pytest.mark.parametrize(("first", "second"), TWO_CAUSES)
def test_differences_with_different_causes_have_different_keys(first, second):
    assert cause_key(Difference(*first)) != cause_key(Difference(*second))


#: Two changes of a value that have one shape.
ALIKE = [
    pytest.param(("", "+"), ("+", ""), id="order"),
    pytest.param(("AA", "aa"), ("E", "e"), id="words"),
    pytest.param(("1", "65537"), ("0", "256"), id="numbers"),
    pytest.param(("\t", ""), ("\n", ""), id="controls"),
    pytest.param(("../", ""), ("..", ""), id="outer-slashes"),
]
#: Two changes of a value that have different shapes.
UNLIKE = [
    pytest.param(("/", ""), ("", ""), id="only-a-slash"),
    pytest.param(("+", ""), ("-", ""), id="delimiters"),
]


UNLIKE_PATH = Difference("path", None, "unlike")


@pytest.mark.parametrize(("first", "second"), ALIKE)
def test_changes_of_one_shape_are_quoted_alike(first, second):
    assert with_quoted_change(UNLIKE_PATH, first) == with_quoted_change(UNLIKE_PATH, second)


@pytest.mark.parametrize(("first", "second"), UNLIKE)
def test_changes_of_different_shapes_are_not_quoted_alike(first, second):
    assert with_quoted_change(UNLIKE_PATH, first) != with_quoted_change(UNLIKE_PATH, second)


@pytest.mark.parametrize(
    ("operation", "text", "entry"),
    [
        ("to_iri", "/%E2%80%AE", "bidi-formatting"),
        ("to_uri", "\U00010300", "beyond-bmp"),
        ("to_iri", ":", "colon-in-segment"),
    ],
    ids=["override", "beyond-the-bmp", "invalid"],
)
def test_the_likely_class_of_a_mapping_is_one_of_mappings_or_of_what_is_invalid(operation, text, entry):
    assert likely_class(operation, text, "verdict") == entry


def test_a_missing_scheme_does_not_count_for_the_likely_class():
    assert likely_class("parse", "/a\\", "path") == "backslash"
    assert likely_class("parse", "http://a/a\\", "path") == "backslash"


def test_a_reason_has_the_first_words_that_are_not_in_the_text():
    answer = Answer("rejected", message="host evil.example is not allowed at offset 7")
    assert first_words(answer, "http://evil.example/") == "host-is-not-allowed"
