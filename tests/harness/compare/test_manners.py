"""The manner in which two values differ, and the classes that can name it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pytest
from answer_samples import REJECT, parts, url
from msgspec import structs

from urlharness.compare.classes import class_of, class_of_text, value_pair
from urlharness.compare.manners import Manner, compare_texts
from urlharness.corpus.longtext import abbreviation
from urlharness.panel.answer import Answer, recorded_answer


@pytest.mark.parametrize(
    ("component", "first", "second", "manner"),
    [
        pytest.param("port", None, "", Manner.EMPTY, id="empty"),
        pytest.param("scheme", "HTTP", "http", Manner.CASE, id="case"),
        pytest.param("path", "", "/", Manner.EMPTY_PATH, id="empty-path"),
        pytest.param("host", "h.", "h", Manner.TRAILING_DOT, id="dot"),
        pytest.param("host", "a%2eb", "a.b", Manner.TRIPLETS, id="decoded-host"),
        pytest.param("host", "0x7f.1", "127.0.0.1", Manner.SAME_TARGET, id="hexadecimal"),
        pytest.param("host", "010.0.0.1", "10.0.0.1", Manner.ZEROS, id="zeros-of-groups"),
        pytest.param("port", "0080", "80", Manner.NUMBER, id="zeros-of-a-port"),
        pytest.param("query", "a%20b", "a+b", Manner.TRIPLETS, id="plus"),
        pytest.param("path", "/../g", "/g", Manner.EXCESS, id="above-the-root"),
        pytest.param("path", "/a/../g", "/g", Manner.DOTS, id="dots"),
        pytest.param("path", "g", "/g", Manner.SLASH, id="slash"),
        pytest.param("path", "/a//b", "/a/b", Manner.SEGMENTS, id="segments"),
        pytest.param("path", "/a;b/c", "/a/c", Manner.PARAMETERS, id="parameters"),
        pytest.param("path", ";x", "", Manner.PARAMETERS, id="only-parameters"),
        pytest.param("path", "./../a", "a", Manner.DOTS, id="dots-of-a-relative-path"),
        pytest.param("path", "a?b", "a", Manner.QUESTION, id="question"),
        pytest.param("query", "a", None, Manner.LOST, id="lost"),
        pytest.param("fragment", "ab", "a", Manner.LONGER, id="longer"),
        pytest.param("path", "/a", "/b", Manner.OTHER, id="other"),
        pytest.param(
            "query", abbreviation("&" * 2000), abbreviation("%26" * 2000), Manner.TRIPLETS, id="long"
        ),
    ],
)
def test_two_values_differ_in_one_manner_in_either_order(component, first, second, manner):
    assert compare_texts(component, first, second).manner is manner
    assert compare_texts(component, second, first).manner is manner


def answer(reply) -> Answer:
    """Return the answer of a library that can tell empty from absent."""
    return recorded_answer(reply, tells_empty=True)


def class_between(text, component, first, second, base=None):
    """Return the class of a text whose component differs in two replies."""
    values = value_pair(component, text, base, answer(first), answer(second))
    return class_of_text(text, component, base, values=values)


#: The text has features of several classes, and the answers differ in one.
MANY = "nntp://u:@a_b.example.:00080?~a#%41%2f"
WHOLE = parts("nntp", "a_b.example.", "", userinfo="u:", port="00080", query="~a", fragment="%41%2f")


@pytest.mark.parametrize(
    ("component", "changed", "entry"),
    [
        pytest.param("host", {"host": "a_b.example"}, "trailing-dot", id="dot"),
        pytest.param("host", {"host": "a_b.example.:00080", "port": None}, None, id="port-in-the-host"),
        pytest.param(
            "host",
            {"host": None, "userinfo": None, "port": None, "path": "//u:@a_b.example.:00080"},
            "scheme-rule",
            id="no-authority",
        ),
        pytest.param("userinfo", {"userinfo": "u"}, "empty-component", id="empty-password"),
        pytest.param("port", {"port": "80"}, "port-digits", id="zeros"),
        pytest.param("port", {"port": "00080?~a"}, "netloc-end", id="query-in-the-port"),
        pytest.param("path", {"path": "/"}, "empty-path", id="empty-path"),
        pytest.param("query", {"query": "%7Ea"}, "tilde", id="tilde"),
        pytest.param("query", {"query": None}, None, id="lost-query"),
        pytest.param("fragment", {"fragment": "A/"}, "encoded-delimiter", id="decoded-slash"),
        pytest.param("fragment", {"fragment": "A%2F"}, "escaped-unreserved", id="decoded-letter"),
        pytest.param("fragment", {"fragment": None}, "fragment", id="lost-fragment"),
    ],
)
def test_a_class_names_what_differs(component, changed, entry):
    reply = {"status": "ok", "components": {**WHOLE["components"], **changed}}
    assert class_between(MANY, component, WHOLE, reply) == entry


@pytest.mark.parametrize(
    ("text", "first", "second", "entry"),
    [
        pytest.param("http://\u212a.example/", "\u212a.example", "k.example", "non-ascii", id="kelvin-sign"),
        pytest.param("http://[::1]/", "[::1]", "[", "ipv6-literal", id="cut-address"),
        pytest.param("http://b\\@[::1]/", "b", "[::1]", "backslash", id="backslash-before-an-address"),
        pytest.param(
            "http://b\\@h\u3002a/", "xn--ha-x73a", "h.a", "non-ascii", id="other-dot-after-a-backslash"
        ),
        pytest.param("http://[::1]a/", "[::1]", "[::1]a", "ipv6-literal", id="text-after-an-address"),
        pytest.param("http:80/", None, "0.0.0.80", "slash-count", id="number-of-an-address"),
        pytest.param("http://@a/", None, "a", "empty-component", id="empty-userinfo"),
        pytest.param("http://@a_b/", None, "a_b", None, id="empty-userinfo-and-label"),
        pytest.param("http://a]a/", None, "a]a", "ipv6-literal", id="stray-bracket"),
        pytest.param("http://%2f[a/", None, "%2f[a", "ipv6-literal", id="stray-bracket-after-a-triplet"),
        pytest.param("http://@a[/", None, "a[", None, id="stray-bracket-and-empty-userinfo"),
        pytest.param("http://a.1/", None, "a.1", "host-label", id="last-label-of-digits"),
        pytest.param("http://H:/", "h", "H:", "empty-port", id="colon-in-the-host"),
        pytest.param("http://010.0.0.1/", "010.0.0.1", "8.0.0.1", "ipv4-forms", id="octal"),
        pytest.param("http://010.0.0.1/", "010.0.0.1", "10.0.0.1", "ipv4-range", id="dropped-zero"),
        pytest.param("mailto://H.Example/", "H.Example", "h.example", None, id="case"),
    ],
)
def test_a_class_names_the_difference_of_two_hosts(text, first, second, entry):
    assert class_between(text, "host", parts("http", first, "/"), parts("http", second, "/")) == entry


class Besides(NamedTuple):
    """A text, a component in which two answers differ, and the class of the difference."""

    text: str
    component: str
    first: Mapping[str, Any]
    second: Mapping[str, Any]
    entry: str | None


#: What the answers differ in, not what the text has besides.
BESIDES = [
    pytest.param(
        Besides(
            "//@:80/p",
            "port",
            first=parts(None, "", "/p", userinfo="", port="80"),
            second=parts(None, None, "/p", authority="@:80"),
            entry="empty-host",
        ),
        id="an-undivided-authority",
    ),
    pytest.param(
        Besides(
            "vscode:?q",
            "host",
            first=parts("vscode", None, "", query="q"),
            second=parts("vscode", "localhost", "", query="q"),
            entry=None,
        ),
        id="an-invented-host",
    ),
    pytest.param(
        Besides(
            "news://u;a=x@h",
            "userinfo",
            first=parts("news", "h", userinfo="u;a=x"),
            second=parts("news", "h", userinfo="u%3Ba%3Dx"),
            entry="login-delimiter",
        ),
        id="encoded-delimiters-of-a-user",
    ),
    pytest.param(
        Besides(
            "news://h/I:/m",
            "host",
            first=parts("news", "h", "/I:/m"),
            second=parts("news", None, "//h/I:/m"),
            entry="scheme-rule",
        ),
        id="a-scheme-of-rfc1738",
    ),
]


@pytest.mark.parametrize("row", BESIDES)
def test_a_class_does_not_name_what_a_text_has_besides(row):
    assert class_between(row.text, row.component, row.first, row.second) == row.entry


@pytest.mark.parametrize(
    ("reference", "entry"),
    [("/../g", "dots-in-absolute-path"), ("../../g", "excess-dotdot")],
    ids=["path-of-its-own", "path-of-the-base"],
)
def test_a_path_of_its_own_does_not_exceed_the_levels_of_the_base(reference, entry):
    """RFC 3986, section 5.4.2, has the two under different headings."""
    right = url("http://h/g")
    wrong = url("http://h/../g")
    assert class_between(reference, "path", right, wrong, base="http://h/a/b") == entry


def test_a_base_without_path_explains_a_host_that_contains_the_reference():
    right = url("http://h.example/;x")
    wrong = url("http://h.example;x")
    assert class_between(";x", "host", right, wrong, base="http://h.example") == "pathless-base"


def test_the_scheme_of_a_base_explains_nothing_if_the_reference_has_one():
    right = url("https:/g")
    wrong = url("https://a/g")
    assert class_between("https:a/../g", "host", right, wrong, base="foo:/b") == "slash-count"


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        pytest.param("http://[::1]:1x/", "port-digits", id="letter-behind-a-port"),
        pytest.param("http://[::1:]/", "ipv6-literal", id="in-brackets"),
        pytest.param("http://[fe80::1%25en0]/", "zone-id", id="zone"),
        pytest.param("http://u:p:q@@h/", "several-ats", id="second-at"),
        pytest.param("//%@", "bad-escape", id="percent-sign"),
        pytest.param("//h_1.:a", "port-digits", id="letter-as-port"),
        pytest.param("http://h/[a]#b_c", "bracket", id="bracket"),
        pytest.param("https://127.0.0.1[@h/", "bracket", id="bracket-in-userinfo"),
        pytest.param("https://h[/", "ipv6-literal", id="bracket-in-host"),
        pytest.param("0://h/", "scheme-first-char", id="scheme"),
        pytest.param("a_b:c", "colon-in-segment", id="colon"),
    ],
)
def test_the_first_fault_names_an_invalid_text(text, entry):
    assert class_of_text(text, "verdict") == entry


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        pytest.param("http://a_b/", "host-label", id="one-reason"),
        pytest.param("nntp://a_b:99999/", None, id="several-reasons"),
        pytest.param("http://u@a_b/", None, id="user-and-label"),
        pytest.param("ftp://a_b/", None, id="a-scheme-that-is-not-http"),
    ],
)
def test_a_refusal_has_a_class_if_only_one_thing_is_unusual(text, entry):
    assert class_of_text(text, "verdict") == entry


def test_the_class_of_a_combination_does_not_name_a_refusal(question):
    """It names one of the parts, and a library may refuse another one."""
    vector = question("nntp://a_b:99999/", REJECT, **{"class": "host-label"}).vector
    combined = structs.replace(vector, id="rfc3986-3-pair-001")  # `pair` marks a combination
    answers = Answer("rejected"), Answer("valid")
    assert class_of(vector, "verdict", answers=answers) == "host-label"
    assert class_of(combined, "verdict", answers=answers) is None
