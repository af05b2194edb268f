"""Each text has exactly the classes of difference that account for what the RFCs answer."""

from __future__ import annotations

from functools import partial

import pytest

from urlharness.corpus.loader import load_classes
from urlharness.corpus.specifications import SPECS
from urlharness.explain.by_rfc import compare_equivalence, compare_resolutions, compare_splits
from urlharness.explain.classify import RECOGNIZERS, classify

CLASSES = load_classes()


def class_names(question):
    """Return the sorted names of the classes of difference in the answers to a question."""
    return sorted(difference.entry.id for difference in classify(question, CLASSES).named)


def test_every_class_that_varies_has_a_recognizer():
    assert {class_name for class_name, entry in CLASSES.items() if entry.varies} == RECOGNIZERS.keys()


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
def test_a_text_shows_exactly_its_classes(text, classes):
    question = compare_splits(text)
    assert class_names(question) == sorted(classes.split())
    assert classify(question, CLASSES).unnamed == ()


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
def test_a_resolution_shows_exactly_its_classes(base, reference, classes):
    question = compare_resolutions(base, reference)
    assert class_names(question) == sorted(classes.split())
    assert classify(question, CLASSES).unnamed == ()


@pytest.mark.parametrize(
    ("class_name", "ask"),
    [
        pytest.param("tilde", partial(compare_splits, "http://h/~"), id="tilde"),
        pytest.param("params", partial(compare_splits, "http://h/a;b"), id="params"),
        pytest.param("excess-dotdot", partial(compare_resolutions, BASE, "../../../g"), id="excess-dotdot"),
        pytest.param(
            "escaped-unreserved",
            partial(compare_equivalence, "http://h/%21", "http://h/!"),
            id="escaped-unreserved",
        ),
    ],
)
def test_a_difference_without_a_recognizer_is_unnamed(class_name, ask, monkeypatch):
    """Without its recognizer the difference remains, with the answers of both sides, but has no name."""
    monkeypatch.delitem(RECOGNIZERS, class_name)
    classification = classify(ask(), CLASSES)
    assert classification.named == ()
    assert classification.unnamed != ()
    assert [sides for sides in classification.unnamed if len(sides) != 2] == []


def test_an_iri_is_on_the_side_of_rfc_3987_alone():
    (difference,) = classify(compare_splits("http://h/\u00e9", SPECS), CLASSES).named
    assert difference.entry.id == "non-ascii"
    assert [[*side.sections] for side in difference.sides if "rfc3987" in side.sections] == [["rfc3987"]]


@pytest.fixture
def params_difference():
    """The difference in the parameters of a relative reference, which RFC 1738 refuses for another reason."""
    differences = classify(compare_splits("/a;b"), CLASSES).named
    return next(difference for difference in differences if difference.entry.id == "params")


def test_rfcs_with_the_same_answer_are_on_one_side(params_difference):
    sides = {side.words: list(side.sections) for side in params_difference.sides}
    assert sides == {"path /a, params b": ["rfc1808"], "path /a;b": ["rfc2396", "rfc2732", "rfc3986"]}


def test_a_side_cites_a_section_of_each_rfc(params_difference):
    with_params, without_params = params_difference.sides
    assert dict(with_params.sections) == {"rfc1808": "2.4.5"}
    assert dict(without_params.sections) == {"rfc2396": "3.3", "rfc2732": "3", "rfc3986": "3.3"}


def test_a_difference_has_only_the_rulings_on_rfcs_of_its_sides(params_difference):
    """The class has R-1738-15, too, but RFC 1738 is on neither side."""
    assert params_difference.rulings == ("R-1808-08", "R-1808-28", "R-2396-08", "R-2396-20")


def test_later_refusals_are_conditional():
    """RFC 1738 stops at the @; later offsets are those of the text as it was given."""
    differences = classify(compare_splits("http://u@h/?a/b#c"), CLASSES).named
    refusals = {difference.entry.id: difference.sides[0].words for difference in differences}
    assert refusals == {
        "userinfo-not-allowed": "refuses '@' at 8",
        "search-slash": "would refuse '/' at 13",
        "fragment": "would refuse '#' at 15",
    }
