"""Differences have names: those of the corpus its class, a text the classes that are in it and no other."""

from __future__ import annotations

from itertools import combinations

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from urlauthor.lint.differences import differ
from urlharness.corpus.differences import load_classes, load_differences
from urlharness.corpus.loader import load
from urlharness.explain.answers import comparisons, resolutions, splits, verdicts
from urlharness.explain.classify import SIGNS, name
from urloracle.rfcs import SPECIFICATIONS

pytestmark = pytest.mark.once

CLASSES = load_classes()
DIFFERENCES = [
    pytest.param(known, difference, id=difference.id)
    for known, file in load_differences().items()
    for difference in file
    if difference.op != "normalize"  # normal forms are not explained
]


def asked(difference):
    match difference.op:
        case "validate":
            return verdicts(difference.url, rule=difference.rule)
        case "parse":
            return splits(difference.url)
        case "resolve":
            return resolutions(difference.base, difference.reference)
        case "equivalent":
            return comparisons(difference.url, difference.other)


def named(question):
    return {found.entry.id for found in name(question, CLASSES).named}


@pytest.mark.parametrize(("known", "difference"), DIFFERENCES)
def test_a_difference_of_the_corpus_is_named(known, difference):
    """Where answers differ the class of the file is named, where they are the same none, and never one that
    does not vary.
    """
    sides = difference.answers.items()
    told = [msgspec.to_builtins(side.expect) for _, side in sides if side.expect is not None]
    silent = [spec for spec, side in sides if side.undefined and spec != "rfc1738"]
    found = name(asked(difference), CLASSES)
    classes = {one.entry.id for one in found.named}
    if any(differ(one, other) for one, other in combinations(told, 2)):
        assert known in classes
    elif not silent and all(one == told[0] for one in told):
        assert classes == set()
    assert all(CLASSES[one].varies for one in classes)
    assert found.unnamed == ()


def test_every_class_that_varies_has_a_sign():
    assert {known for known, entry in CLASSES.items() if entry.varies} == SIGNS.keys()


# a text, and exactly the classes in it
TEXTS = [
    ("http://user@host/a;b?c/d#e", "userinfo-not-allowed search-slash fragment params"),
    ("1http://~u@h:/", "scheme-first-char tilde"),
    ("http://h/", ""),
    ("http://h/{a}", ""),
    ("http://h/{~}", ""),  # all stop at the brace
    ("http://h/a b~", ""),
    ("http://h/~{", "tilde"),
    ("http://a%/", ""),
    ("http://u:~@h.:/?a/b", "userinfo-not-allowed tilde trailing-dot empty-port search-slash"),
    ("http://[::1]/", "ipv6-literal"),
    ("http://[::1]/~?[", "ipv6-literal tilde bracket"),
    ("http://[v1.x]/", "ipv6-literal"),
    ("http://::1/", "ipv6-literal"),
    ("http://h:x/", "port-digits"),
    ("http://h:80:81/", "port-digits"),
    ("http://h:/#f", "empty-port fragment"),
    ("http://h?q#f", "netloc-end fragment"),
    ("http://h;p/a;b", "netloc-end params"),
    ("ftp://h;type=d", "ftp-type netloc-end"),
    ("ftp://a?b@h/", "login-delimiter"),
    ("ftp://a:b:c@h/", "login-delimiter"),
    ("ftp://a@b@h/~", "several-ats tilde"),
    ("http://a@b@h/", "several-ats userinfo-not-allowed"),
    ("http://a_b/", "host-label"),
    ("http://a%41/", "escape-in-host"),
    ("http://a_%41/", "escape-in-host host-label"),
    ("http://127.1/", "ipv4-forms"),
    ("http://127.1/~", "ipv4-forms tilde"),
    ("http://1.2.3.4/", ""),
    ("http://256.1.1.1/", ""),
    ("http://1234.1.1.1/", "ipv4-range"),
    ("http://h./", "trailing-dot"),
    ("http:///h", "slash-count empty-host"),
    ("http:h/p", "slash-count scheme-rule"),
    ("http:/h/p", "slash-count"),
    ("http//h", "slash-count relative-reference"),
    ("file:/x#f", "file-host"),
    ("file://c:/x", "file-drive"),
    ("file:///c:/x;y", "params file-host"),
    ("telnet://h/x#f", "telnet-path fragment"),
    ("news:a.*#f", "news-grouppart fragment"),
    ("wais://h/d/t", "wais-parts"),
    ("wais://h/d?a/b", "search-slash"),
    ("prospero://h/a?b", "scheme-rule"),
    ("prospero://h/a;b", "prospero-fields params"),
    ("prospero://h/a;f=v", "prospero-fields params"),
    ("gopher://h?q", "gopher-parts netloc-end"),
    ("gopher://h/1a?b", "gopher-parts"),
    ("mailto:a@b?c", "opaque-query"),
    ("mailto:", "mailto-address empty-scheme-part"),
    ("foo:", "empty-scheme-part"),
    ("foo:#f", "empty-scheme-part fragment"),
    ("foo:a;b", "params"),
    ("web://a_b/", "host-label"),
    ("web://h/p?a", "opaque-query"),
    ("HTTP://h/", "scheme-case"),
    ("motd", "relative-reference"),
    ("a_b:c", "relative-reference colon-in-segment"),
    (":x", "relative-reference colon-in-segment"),
    ("~u", "tilde"),
    ("////x", "relative-reference empty-segment empty-host"),
    ("#f", "relative-reference fragment"),
    ("#", "relative-reference lone-hash"),
    ("", "relative-reference empty-reference"),
    ("http://h/p?", "empty-component"),
]


@pytest.mark.parametrize(("text", "classes"), TEXTS)
def test_exactly_these_classes(text, classes):
    question = splits(text)
    assert named(question) == set(classes.split())
    assert name(question, CLASSES).unnamed == ()


BASE = "http://a/b/c/d;p?q"
LINKS = [
    (BASE, "g", ""),
    (BASE, "../../../g", "excess-dotdot"),
    (BASE, "../../../g;x=1/../y", "excess-dotdot params"),
    (BASE, "/../g", "dots-in-absolute-path"),
    (BASE, "g:a/../b", "dots-in-absolute-path rootless"),
    (BASE, "?y", "query-only"),
    (BASE, "?", "query-only empty-component"),
    (BASE, ";x", "params"),
    (BASE, "g#", "empty-component"),
    (BASE, "", "empty-reference"),
    (BASE, "#", "lone-hash"),
    (BASE, "///g", "empty-host"),
    (BASE, "http:g", "same-scheme"),
    (BASE, "http:", "same-scheme empty-scheme-part"),
    (BASE, "a_b:c", "colon-in-segment"),
    (BASE, "1:~", "scheme-first-char tilde"),
    ("http://a", "?y", "pathless-base"),
    ("http://a?b/c", "g", "netloc-end"),
    ("http://a/b/../c", "?y", "dots-in-base query-only"),
    ("http://a/../b/c", "../g", "dots-in-base excess-dotdot"),
    ("http://a/b?", "#s", "empty-component empty-reference"),
    ("foo:a/b", "../c", "rootless"),
    ("mailto:a", "b", "rootless"),
    ("http://[::1]/", "g", "ipv6-literal"),
    ("1:2", "g", "scheme-first-char"),
    ("a/b", "g", ""),
    ("a_b:c", "g", ""),
]


@pytest.mark.parametrize(("base", "reference", "classes"), LINKS)
def test_exactly_these_classes_of_a_resolution(base, reference, classes):
    question = resolutions(base, reference)
    assert named(question) == set(classes.split())
    assert name(question, CLASSES).unnamed == ()


def questions():
    """Every text and every link of the corpus, under all RFCs."""
    texts, links = set(), set()
    for case in load().cases:
        vector = case.vector
        if vector.op in ("validate", "parse") and isinstance(vector.url, str):
            texts.add(vector.url)
        if vector.op == "resolve" and isinstance(vector.base, str) and isinstance(vector.reference, str):
            links.add((vector.base, vector.reference))
    return [*map(splits, sorted(texts)), *(resolutions(*link) for link in sorted(links))]


def test_the_corpus_has_no_difference_without_a_name():
    """But for an unknown base: RFC 1808, section 4, step 1, takes it, the later RFCs leave it open."""
    asked_for = questions()
    unnamed = [question for question in asked_for if name(question, CLASSES).unnamed]
    assert {question.base for question in unnamed} == {""}
    assert len(asked_for) > 2000
    seen = set().union(*map(named, asked_for))
    assert seen == SIGNS.keys() - {"escaped-unreserved"}  # which is one of comparisons


@pytest.mark.parametrize(
    ("known", "question"),
    [
        ("tilde", splits("http://h/~")),
        ("params", splits("http://h/a;b")),
        ("excess-dotdot", resolutions(BASE, "../../../g")),
        ("escaped-unreserved", comparisons("http://h/%21", "http://h/!")),
    ],
)
def test_what_no_class_claims_is_unnamed(known, question, monkeypatch):
    """A sign that is taken away leaves its difference without a name, and what differs is said."""
    monkeypatch.delitem(SIGNS, known)
    found = name(question, CLASSES)
    assert found.named == ()
    assert all(len(sides) == 2 for sides in found.unnamed)
    assert found.unnamed


def test_sides_sections_and_rulings():
    """RFC 1738 refuses the relative reference for another reason, and its ruling does not concern it."""
    found = {one.entry.id: one for one in name(splits("/a;b"), CLASSES).named}["params"]
    assert [(side.what, dict(side.sections)) for side in found.sides] == [
        ("path /a, params b", {"rfc1808": "2.4.5"}),
        ("path /a;b", {"rfc2396": "3.3", "rfc2732": "3", "rfc3986": "3.3"}),
    ]
    assert found.rulings == ("R-1808-08", "R-1808-28", "R-2396-08", "R-2396-20")


def test_what_stands_behind_the_first_refusal_is_conditional():
    """RFC 1738 stops at the @; offsets behind it are those of the text as it was given."""
    found = {one.entry.id: one for one in name(splits("http://u@h/?a/b#c"), CLASSES).named}
    told = {known: one.sides[0].what for known, one in found.items()}
    assert told == {
        "userinfo-not-allowed": "refuses '@' at 8",
        "search-slash": "would refuse '/' at 13",
        "fragment": "would refuse '#' at 15",
    }


ALPHABET = st.text(st.sampled_from("ahtp:/?#[]@;=%~._-+0119 |^"), max_size=24)
PREFIXES = st.sampled_from(["", "http://", "ftp://", "file:", "news:", "wais://h/", "foo:", "//", "mailto:"])


@settings(max_examples=400, deadline=None)
@given(PREFIXES, ALPHABET)
def test_any_text(prefix, rest):
    """No RFC stands on two sides, every class has two, every difference a name, and agreement none."""
    question = splits(prefix + rest)
    found = name(question, CLASSES)
    assert found.unnamed == ()
    for one in found.named:
        assert one.entry.varies
        specs = [spec for side in one.sides for spec in side.sections]
        assert len(specs) == len(set(specs))
        assert len(one.sides) > 1
    positions = {answer.problem and answer.problem.position for answer in question.answers.values()}
    if len(positions) == 1 and None not in positions:
        assert found.named == found.unnamed == ()


@settings(max_examples=200, deadline=None)
@given(st.sampled_from([BASE, "http://a", "foo:b/c", "f:/a/../b", "http://h?x/y"]), ALPHABET)
def test_any_reference(base, reference):
    found = name(resolutions(base, reference), CLASSES)
    assert found.unnamed == ()
    for one in found.named:
        specs = [spec for side in one.sides for spec in side.sections]
        assert len(specs) == len(set(specs))
        assert set(specs) <= SPECIFICATIONS.keys() - {"rfc1738"}
