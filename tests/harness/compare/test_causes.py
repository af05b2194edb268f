"""Causes and classes of disagreements: what libraries answer, and what the RFCs say of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
import pytest
from answer_samples import ACCEPT, BASE, CRASH, REJECT, expected, parts, shows, url

from urlharness.compare.causes import Cause, expected_answers, is_right_under_claimed_rfc
from urlharness.compare.matrix import make_matrix
from urlharness.corpus.lock import abbreviated_case
from urlharness.corpus.longtext import abbreviation
from urlharness.results.model import Participant, Result

ALLOWED = Cause.ALLOWED
OTHER_RFC = Cause.OTHER_RFC
BROWSER = Cause.BROWSER
BROWSERS_DISAGREE = Cause.BROWSERS_DISAGREE
SPELLING = Cause.SPELLING
ABBREVIATED = Cause.ABBREVIATED
DEFECT = Cause.DEFECT

#: The reply of an adapter whose library was given a base.
WITH_BASE = {**ACCEPT, "message": "only with a base"}

HOST_H = parts("http", "h", "/")


class Row(NamedTuple):
    """A question, the right answers by RFC 3986, those of a library and a browser (None: not asked)."""

    text: str
    rights: tuple[Mapping[str, Any], ...]
    answer: Mapping[str, Any]
    cause: Cause
    #: The class of the difference, None for no class.
    entry: str | None
    base: str | None
    browser: Mapping[str, Any] | None


def row(name, text, right, answer, cause, entry, *, base=None, browser=None):
    """Return a row of the table of differences; `right` is the right answer, or all of them."""
    rights = right if isinstance(right, tuple) else (right,)
    return pytest.param(Row(text, rights, answer, cause, entry, base, browser), id=name)


#: RFC 3986 leaves a choice, and the library makes it in another way than recommended.
CHOICES = [
    # 5.2.2: a strict parser does not ignore the scheme of a reference
    row(
        "same-scheme",
        "http:g",
        (url("http:g"), url("http://a/b/c/g")),
        url("http://a/b/c/g"),
        ALLOWED,
        "same-scheme",
        base=BASE,
    ),
    # 5.2.2 gives an empty path, which 6.2.3 takes for a slash
    row(
        "pathless-base",
        "?y",
        (url("http://a?y"), url("http://a/?y")),
        url("http://a/?y"),
        ALLOWED,
        "pathless-base",
        base="http://a",
    ),
    # 5.3 and 4.2: a result that reads as an authority afterwards
    row(
        "double-slash",
        "/.//g",
        (url("f://g"), url("f:/.//g"), REJECT),
        url("f:/.//g"),
        ALLOWED,
        "double-slash",
        base="f:/a",
    ),
    row(
        "double-slash-refused",
        "/.//g",
        (url("f://g"), url("f:/.//g"), REJECT),
        REJECT,
        ALLOWED,
        "double-slash",
        base="f:/a",
    ),
]

#: The answer is wrong under RFC 3986, and what an earlier RFC says.
EARLIER = [
    # RFC 1808, section 4, step 3: an empty net_loc is inherited
    row("empty-authority", "///g", url("http:///g"), url("http://a/g"), OTHER_RFC, "empty-host", base=BASE),
    # RFC 1808, section 4, step 2b, and RFC 2396, section 5.2, step 3: an absolute URL is the result as it is
    row(
        "dots-of-absolute",
        "f:/a/../g",
        url("f:/g"),
        url("f:/a/../g"),
        OTHER_RFC,
        "dots-in-absolute-path",
        base=BASE,
    ),
    # RFC 2396, section C.1: ?y drops the last segment
    row(
        "query-alone",
        "?y",
        url("http://a/b/c/d;p?y"),
        url("http://a/b/c/?y"),
        OTHER_RFC,
        "query-only",
        base=BASE,
    ),
    # RFC 1808, section 5.2: .. that leads too high stays
    row(
        "excess", "../../../g", url("http://a/g"), url("http://a/../g"), OTHER_RFC, "excess-dotdot", base=BASE
    ),
    # RFC 2396, section 5.2, step 4, and what libraries write in another way: a port, the case of a scheme
    row(
        "dots-beside-a-port",
        "//h:08/a/../g",
        url("http://h:08/g"),
        url("http://h:8/a/../g"),
        OTHER_RFC,
        "dots-in-absolute-path",
        base=BASE,
    ),
    row(
        "opaque-part",
        "A:b?c",
        parts("A", None, "b", query="c"),
        parts("a", None, "b?c"),
        OTHER_RFC,
        "opaque-query",
    ),
    # RFC 1808, section 2.4, has no empty fragment (G-09)
    row(
        "empty-fragment-beside-a-port",
        "http://h:08/#",
        parts("http", "h", "/", port="08", fragment=""),
        parts("http", "h", "/", port="8"),
        OTHER_RFC,
        "port-digits",
    ),
    # RFC 2396 divides a text at its first number sign, and a registry name as other authorities
    row(
        "second-hash-after-a-name",
        "//0.#.#",
        REJECT,
        parts(None, "0.", fragment=".#"),
        OTHER_RFC,
        "second-hash",
    ),
    # RFC 1808, section 2.4.1, divides a text at its first number sign, and browsers do so, too
    row(
        "second-hash",
        "http://h/#/?#",
        REJECT,
        parts("http", "h", "/", fragment="/?#"),
        OTHER_RFC,
        "second-hash",
    ),
    # RFC 1808, section 2.2: pchar has a colon
    row("colon", ":", REJECT, ACCEPT, OTHER_RFC, "colon-in-segment"),
    # RFC 1738, section 3.1: labels of letters, digits and hyphens; no dot at the end
    row("underscore", "http://a_b/", ACCEPT, REJECT, OTHER_RFC, "host-label"),
    row("trailing-dot", "http://h./", ACCEPT, REJECT, OTHER_RFC, "trailing-dot"),
    # RFC 1738, section 3.3: no user name or password
    row("user-in-http", "http://u@h/", ACCEPT, REJECT, OTHER_RFC, "userinfo-not-allowed"),
    # RFC 1738, section 3.1, and RFC 2396, section 3.2.2: no brackets
    row("ipv6", "http://[::1]/", ACCEPT, REJECT, OTHER_RFC, "ipv6-literal"),
    # RFC 1738, section 5: hostport has no colon alone, and uchar no tilde
    row("empty-port", "http://h:/", ACCEPT, REJECT, OTHER_RFC, "empty-port"),
    # R-1738-41: a client may refuse a number above 255 in an address
    row("address-group-above-255", "http://1234.1.1.1/", ACCEPT, REJECT, OTHER_RFC, None),
    row("tilde", "http://h/~u", ACCEPT, REJECT, OTHER_RFC, "tilde"),
    # RFC 2396, section 3: opaque_part has a character
    row("scheme-alone", "http:", ACCEPT, REJECT, OTHER_RFC, None),
    # RFC 1808, section 2.2: net_loc has any number of @
    row("several-ats", "http://a@b@c/", REJECT, ACCEPT, OTHER_RFC, "several-ats"),
    # RFC 2396, section 3.2.1: a registry name has any number of @, and a library may divide it (R-2396-11)
    row(
        "registry-name-divided-at-the-last-at",
        "http://u@@h/",
        REJECT,
        parts("http", "h", "/", userinfo="u@"),
        OTHER_RFC,
        "several-ats",
    ),
    row(
        "registry-name-divided-at-the-first-at",
        "http://u@@h/",
        REJECT,
        parts("http", "@h", "/", userinfo="u"),
        OTHER_RFC,
        "several-ats",
    ),
    # RFC 2396, section 3.2: a number above 255 may make an address a registered name (R-2396-13)
    row(
        "address-above-255-as-a-name",
        "q://u@1.2.3.256:8/",
        parts("q", "1.2.3.256", "/", userinfo="u", port="8"),
        shows(scheme="q", authority="u@1.2.3.256:8", host=None, userinfo=None, port=None, path="/"),
        OTHER_RFC,
        "ipv4-range",
    ),
    # RFC 2396, section 5.2, step 6g: the traversal of an excess .. may be avoided (R-2396-18)
    row("excess-refused", "../../../g", url("http://a/g"), REJECT, OTHER_RFC, "excess-dotdot", base=BASE),
    # RFC 2396, section 5, as published: a relativeURI has a path (R-2396-02)
    row("query-alone-refused", "?y", ACCEPT, REJECT, OTHER_RFC, None),
    # RFC 1808, section 2.4, calls an empty component and an absent one empty (G-09)
    row(
        "empty-query-as-absent",
        "foo:/a?",
        parts("foo", None, "/a", query=""),
        parts("foo", None, "/a"),
        OTHER_RFC,
        "empty-component",
    ),
    # so it does beside an empty port, of which the colon is spelling, and an empty path, which is a slash
    row(
        "empty-fragment-as-absent-beside-an-empty-port",
        "http://u@h:#",
        parts("http", "h", "", userinfo="u", port="", fragment=""),
        parts("http", "h", "", userinfo="u"),
        OTHER_RFC,
        "empty-port",
    ),
    # RFC 1738, section 2.1: the part of an unknown scheme is one text (R-1738-02)
    row(
        "scheme-part-undivided",
        "foo://h/p",
        parts("foo", "h", "/p"),
        shows(scheme="foo", host=None, path="//h/p"),
        OTHER_RFC,
        "unknown-scheme",
    ),
    # RFC 1738, section 3.1: what begins with two slashes and is no login has no components (R-1738-06)
    row(
        "scheme-part-that-is-no-login",
        "foo:///p",
        parts("foo", "", "/p"),
        parts("foo", None, "///p"),
        OTHER_RFC,
        "empty-host",
    ),
    # RFC 1808, section 2.1: parameters are no part of the path
    row(
        "params",
        "http://h/b;p",
        parts("http", "h", "/b;p"),
        shows(scheme="http", host="h", path="/b"),
        OTHER_RFC,
        "params",
    ),
]

#: No RFC says so, but the browsers do.
LIKE_BROWSERS = [
    # a library that shows no host
    row(
        "authority-alone",
        "http://h?|",
        REJECT,
        shows(scheme="http", authority="h", path="", query="|"),
        BROWSER,
        "unsafe-character",
    ),
    # browsers show an empty host for one that is absent
    row(
        "dots-that-browsers-remove",
        "ws:../../a",
        parts("ws", None, "../../a"),
        parts("ws", "..", "/../a"),
        BROWSER,
        "slash-count",
    ),
    row(
        "dots-after-a-host-that-browsers-find",
        "http:a/b/../..",
        parts("http", None, "a/b/../.."),
        parts("http", "a", "/b/../.."),
        BROWSER,
        "slash-count",
    ),
    row("no-host", "file:g", parts("file", None, "g"), parts("file", None, "/g"), BROWSER, "file-host"),
    row(
        "blank",
        "http://h/a b",
        REJECT,
        parts("http", "h", "/a%20b"),
        BROWSER,
        "white-space",
        browser=parts("http", "h", "/a%20b"),
    ),
    row(
        "backslash",
        "http://a\\@b/",
        REJECT,
        parts("http", "a", "/@b/"),
        BROWSER,
        "backslash",
        browser=parts("http", "a", "/@b/"),
    ),
    row("tab", "http://h/\t", REJECT, HOST_H, BROWSER, "control-character", browser=HOST_H),
    row("letters-in-ascii", "http://ü/", REJECT, parts("http", "xn--tda", "/"), BROWSER, "non-ascii"),
    row("letters-that-are-accepted", "http://ü/", REJECT, ACCEPT, BROWSER, "non-ascii"),
    row("triplet", "http://h/%zz", REJECT, ACCEPT, BROWSER, "bad-escape", browser=ACCEPT),
    row("second-hash", "http://h/p#a#b", REJECT, ACCEPT, BROWSER, "second-hash"),
    row("bracket", "http://h/[", REJECT, ACCEPT, BROWSER, "bracket"),
    row("bar", "http://h/a|b", REJECT, ACCEPT, BROWSER, "unsafe-character", browser=ACCEPT),
    row(
        "no-slashes",
        "https:g",
        url("https:g"),
        url("https://g/"),
        BROWSER,
        "slash-count",
        base=BASE,
        browser=url("https://g/"),
    ),
    row(
        "octal",
        "//010.0.0.1",
        url("http://010.0.0.1"),
        url("http://8.0.0.1/"),
        BROWSER,
        "ipv4-forms",
        base="http://h/",
        browser=url("http://8.0.0.1/"),
    ),
    # RFC 3986, section 5.2.4, removes dots; section 6.2.2.2 decodes them when a URL is normalized
    row(
        "encoded-dots",
        ".%2e/g",
        url("http://a/b/c/.%2e/g"),
        url("http://a/b/g"),
        BROWSER,
        "encoded-dots",
        base=BASE,
        browser=url("http://a/b/g"),
    ),
    row(
        "large-port",
        "http://h:99999/",
        parts("http", "h", "/", port="99999"),
        REJECT,
        BROWSER,
        "port-digits",
        browser=REJECT,
    ),
    # section 6.2.3: the delimiter of an empty component stays, unless it is that of a port
    row(
        "empty-userinfo",
        "q://@h/",
        parts("q", "h", "/", userinfo=""),
        parts("q", "h", "/"),
        BROWSER,
        "empty-component",
    ),
]

#: Section 6.2 of RFC 3986 calls the two equivalent.
SPELLINGS = [
    # 6.2.3: an empty path after an authority, which may have no host
    row(
        "slash-after-an-empty-host",
        "x://@",
        parts("x", "", userinfo=""),
        parts("x", "", "/", userinfo=""),
        SPELLING,
        None,
    ),
    row("default-port", "http://h:80/", parts("http", "h", "/", port="80"), HOST_H, SPELLING, "default-port"),
    row(
        "port-zeros",
        "http://h:0081/",
        parts("http", "h", "/", port="0081"),
        parts("http", "h", "/", port="81"),
        SPELLING,
        "port-digits",
    ),
    row(
        "letter",
        "http://h/%61",
        parts("http", "h", "/%61"),
        parts("http", "h", "/a"),
        SPELLING,
        "escaped-unreserved",
    ),
    row("empty-path", "http://h", parts("http", "h"), HOST_H, SPELLING, "empty-path"),
    row(
        "dots",
        "http://h/a/../b",
        parts("http", "h", "/a/../b"),
        parts("http", "h", "/b"),
        SPELLING,
        "dots-in-absolute-path",
    ),
    row(
        "some-dots",
        "http://h/a/./../b",
        parts("http", "h", "/a/./../b"),
        parts("http", "h", "/a/../b"),
        SPELLING,
        "dots-in-absolute-path",
    ),
    row(
        "host-triplet",
        "foo://%41/",
        parts("foo", "%41", "/"),
        parts("foo", "A", "/"),
        SPELLING,
        "escape-in-host",
    ),
    row(
        "long-address",
        "http://[0:0::1]/",
        parts("http", "[0:0::1]", "/"),
        parts("http", "::1", "/"),
        SPELLING,
        "ipv6-literal",
    ),
    # section 6.2.3: an empty port and its colon should be left out
    row("empty-port", "http://h:/", parts("http", "h", "/", port=""), HOST_H, SPELLING, "empty-port"),
]

#: No RFC and no browser says so.
DEFECTS = [
    # browsers accept these texts, too, but their components are others: xn--tda, and a path of two slashes
    row("host-in-letters", "http://ü/", REJECT, parts("http", "ü", "/"), DEFECT, "non-ascii"),
    row(
        "authority-in-letters",
        "http://ü/",
        REJECT,
        shows(scheme="http", authority="ü", path="/"),
        DEFECT,
        "non-ascii",
    ),
    row("backslash-in-a-path", "http://h/\\", REJECT, parts("http", "h", "/\\"), DEFECT, "backslash"),
    # section 5.2.4 removes an empty segment, not the slash before the path
    row(
        "slash-lost-before-dots",
        "http://h//..?q",
        parts("http", "h", "//..", query="q"),
        parts("http", "h", "/..", query="q"),
        DEFECT,
        "empty-segment",
    ),
    row(
        "dots-beside-another-port",
        "//h:08/a/../g",
        url("http://h:08/g"),
        url("http://h:9/a/../g"),
        DEFECT,
        "port-digits",
        base=BASE,
    ),
    # what dots hide in a path is not that of another RFC or of browsers
    row(
        "authority-in-the-path",
        "//u%40h/../../a",
        parts(None, "u%40h", "/../../a"),
        parts(None, None, "//u@h/../../a"),
        DEFECT,
        "relative-reference",
    ),
    row(
        "dot-of-the-host-in-the-path",
        "http://1.2.3.4./",
        parts("http", "1.2.3.4.", "/"),
        parts("http", "1.2.3.4", "./"),
        DEFECT,
        None,
    ),
    row("slash-without-an-authority", "x:", parts("x"), parts("x", None, "/"), DEFECT, "empty-scheme-part"),
    # RFC 3986, section 5.2.2: the scheme of the base stays
    row("no-scheme", ".", url("f:/a/"), url("."), DEFECT, "unknown-scheme", base="f:/a/b"),
    # section 3.2.2: the host ends at the colon
    row(
        "host-and-port",
        "http://h:1/p",
        parts("http", "h", "/p", port="1"),
        parts("http", "h:1", "/p"),
        DEFECT,
        None,
    ),
    # section 2.2: a reserved character and its triplet are two things
    row(
        "encoded-colon",
        "//a:b:c@h",
        parts(None, "h", userinfo="a:b:c"),
        parts(None, "h", userinfo="a:b%3Ac"),
        DEFECT,
        "login-delimiter",
    ),
    row(
        "decoded-slash",
        "http://h/a%2fb",
        parts("http", "h", "/a%2fb"),
        parts("http", "h", "/a/b"),
        DEFECT,
        "encoded-delimiter",
    ),
    # section 3.1: any scheme will do
    row("unlisted", "foo://h/p", parts("foo", "h", "/p"), REJECT, DEFECT, "unknown-scheme"),
    # section 5.2.2: an empty reference keeps path and query
    row("empty-reference", "", url(BASE), url("http://a/b/c/"), DEFECT, "empty-reference", base=BASE),
    # section 5.2.4: an empty segment is one that .. removes
    row(
        "excess-after-an-empty-segment",
        "../g",
        url("http://a/g"),
        url("http://a/../g"),
        DEFECT,
        "empty-segment",
        base="http://a//b",
    ),
    # RFC 1738 has no relative references, so it cannot excuse their refusal
    row("relative", "a/b", parts(path="a/b"), REJECT, DEFECT, "relative-reference"),
    # section 3.2.2 has no zone
    row("zone", "http://[fe80::1%25en0]/", REJECT, ACCEPT, DEFECT, "zone-id"),
    # section 6.2.3: the delimiter of an empty component stays
    row("empty-authority", "q:/", parts("q", None, "/"), parts("q", "", "/"), DEFECT, None),
    # section 3.2: two slashes begin an authority
    row(
        "host-lost",
        "foo://h/p",
        parts("foo", "h", "/p"),
        shows(scheme="foo", host=None, path="/p"),
        DEFECT,
        "unknown-scheme",
    ),
    # RFC 2396, section 3.2.1: neither part of a registry name comes from elsewhere
    row(
        "registry-name-lost",
        "http://u@@h/",
        REJECT,
        parts("http", "u", "/"),
        DEFECT,
        "several-ats",
    ),
    # RFC 1808, section 2.4.3: the network location contains the question mark, and is no place to drop it
    row(
        "query-lost-after-a-host",
        "http://h?q",
        parts("http", "h", "", query="q"),
        parts("http", "h", ""),
        DEFECT,
        None,
    ),
    # section 3.3: dots between letters are data
    row(
        "names-with-dots",
        "http://h/a./..b",
        parts("http", "h", "/a./..b"),
        parts("http", "h", "/a/b"),
        DEFECT,
        "dots-elsewhere",
    ),
]

TABLE = [*CHOICES, *EARLIER, *LIKE_BROWSERS, *SPELLINGS, *DEFECTS]


@pytest.fixture
def disagreement_of(question, run):
    """Return a function that returns the disagreement of a right library, another one and maybe a browser."""

    def compare(text, rights, answer, *, base=None, browser=None):
        fields = {"op": "parse", "rule": None} if "components" in answer else {}
        case = question(text, *rights, base=base, **fields)
        replies = {"right": rights[0], "lib": answer}
        if browser is not None:
            replies["whatwg-url"] = browser
        (disagreement,) = make_matrix(run((case, replies))).disagreements
        return disagreement

    return compare


@pytest.mark.parametrize("row", TABLE)
def test_only_a_wrong_answer_has_a_cause(disagreement_of, row):
    disagreement = disagreement_of(row.text, row.rights, row.answer, base=row.base, browser=row.browser)
    assert disagreement.side_of["right"].cause is None
    assert disagreement.side_of["lib"].cause is row.cause


@pytest.mark.parametrize("row", TABLE)
def test_a_difference_has_its_class_whatever_browsers_answer(disagreement_of, row):
    assert disagreement_of(row.text, row.rights, row.answer, base=row.base).entry == row.entry


@pytest.fixture
def cause_of_answer(run):
    """Return a function that returns the cause of an answer to a case, beside that of a right library."""

    def find(case, right, answer):
        results = run((case, {"right": right, "lib": answer}))
        (disagreement,) = make_matrix(results).disagreements
        return disagreement.side_of["lib"].cause

    return find


#: The target of a normalization by RFC 3986, section 6.2.2, the answer of a library that leaves something
#: as it was, and the class of the difference.
KEPT_BY_A_NORMALIZER = [
    pytest.param("a:/./", "a:/", "a:/./", "dots-in-absolute-path", id="dot"),
    pytest.param("http://h/b/../a", "http://h/a", "http://h/b/../a", "dots-in-absolute-path", id="two-dots"),
    pytest.param("/a/%2e/c", "/a/./c", "/a/c", "encoded-dots", id="relative-dot-is-removed"),
    pytest.param("http:../a", "http:a", "http:../a", "dots-in-absolute-path", id="before-a-rootless-path"),
    pytest.param("http:a/../b", "http:/b", "http:a/../b", "rootless", id="in-a-rootless-path"),
    pytest.param("a:%2e", "a:", "a:%2E", "encoded-dots", id="encoded-dot"),
    pytest.param("a:%7e", "a:~", "a:%7e", "escaped-unreserved", id="tilde"),
    pytest.param("a:%3a", "a:%3A", "a:%3a", "encoded-delimiter", id="case-of-a-triplet"),
    pytest.param("a:?%c3", "a:?%C3", "a:?%c3", None, id="case-of-a-triplet-of-no-character"),
    pytest.param("http://A%2cB/", "http://a%2Cb/", "http://a%2cb/", "escape-in-host", id="triplet-in-host"),
]


@pytest.fixture
def disagreement_of_normalizer(question, run):
    """Returns the disagreement of a library with the target of a normalization."""

    def compare(text, right, answer):
        case = question(text, url(right), op="normalize", rule=None, mode="syntax")
        (disagreement,) = make_matrix(run((case, {"right": url(right), "lib": url(answer)}))).disagreements
        return disagreement

    return compare


@pytest.mark.parametrize(("text", "right", "answer", "entry"), KEPT_BY_A_NORMALIZER)
def test_what_a_normalizer_leaves_is_spelling(disagreement_of_normalizer, text, right, answer, entry):
    disagreement = disagreement_of_normalizer(text, right, answer)
    assert disagreement.side_of["lib"].cause is SPELLING
    assert disagreement.entry == entry


#: Normal forms of `HTTP://h:080/%2f#f`, which RFC 3986 lists with and without its port.
NOT_LISTED = [
    pytest.param("http://h/%2f#f", SPELLING, id="the-case-of-a-triplet"),
    pytest.param("http://h/%2F", DEFECT, id="a-lost-fragment"),
]


@pytest.mark.parametrize(("answer", "cause"), NOT_LISTED)
def test_a_normal_form_that_is_not_listed_is_not_allowed(question, cause_of_answer, answer, cause):
    """RFC 3986, section 6.2.2.1: what the RFC leaves open is only the port."""
    with_port = url("http://h:080/%2F#f")
    without_port = url("http://h/%2F#f")
    fields = {"op": "normalize", "rule": None, "mode": "syntax", "binding": "impl-defined"}
    case = question("HTTP://h:080/%2f#f", with_port, without_port, **fields)
    assert cause_of_answer(case, with_port, url(answer)) is cause


def test_dots_that_resolution_leaves_are_no_spelling(disagreement_of):
    """RFC 3986, section 5.2.4: resolution removes them."""
    right = url("http://h/a/g")
    disagreement = disagreement_of("./g", (right,), url("http://h/a/./g"), base="http://h/a/b")
    assert disagreement.side_of["lib"].cause is DEFECT


def test_a_normalizer_that_makes_an_authority_of_a_path_has_its_class(disagreement_of_normalizer):
    """Section 3.3: without an authority, a path cannot begin with two slashes."""
    assert disagreement_of_normalizer("f:/.//g", "f:/.//g", "f://g").entry == "double-slash"


#: Two URLs, whether RFC 3986 calls them equal, and why a library has it otherwise.
COMPARED = [
    pytest.param("http://127.1/", "http://127.0.0.1/", False, BROWSER, id="browsers-read-a-number"),
    pytest.param("http://a%62/", "http://ab/", True, DEFECT, id="nobody-says-so"),
    pytest.param("http://h", "http://h/", False, OTHER_RFC, id="rfc2396-may-call-them-equal"),  # R-2396-27
]


@pytest.mark.parametrize(("first", "second", "equal", "cause"), COMPARED)
def test_a_verdict_on_two_urls_is_excused_by_who_gives_the_same(make_case, run, first, second, equal, cause):
    fields = {"op": "equivalent", "rule": None, "mode": "syntax", "url": first, "other": second}
    case = make_case("rfc3986-6.2-x", expect={"equal": equal}, **fields)
    reply = {"status": "ok", "equal": not equal}
    (wrong,) = make_matrix(run((case, {"lib": reply}))).differences_from_rfc("lib")
    assert wrong.cause is cause


def test_the_table_has_every_cause():
    causes = set()
    for parameters in TABLE:
        (table_row,) = parameters.values
        causes.add(table_row.cause)
    tested_separately = {BROWSERS_DISAGREE, ABBREVIATED}
    assert causes == set(Cause) - tested_separately


ESCAPED = parts("http", "h", "/a%20b")
PLUS = parts("http", "h", "/a+b")

#: The answers of other libraries to http://h/a b, which Ada reads as `ESCAPED`, and the cause of an answer.
BROWSERS = [
    pytest.param(ESCAPED, {}, BROWSER, id="no-other-browser"),
    pytest.param(ESCAPED, {"whatwg-url": ESCAPED}, BROWSER, id="another-agrees"),
    pytest.param(ESCAPED, {"whatwg-url": CRASH}, BROWSER, id="another-crashes"),
    pytest.param(ESCAPED, {"whatwg-url": shows(host="h")}, BROWSER, id="another-shows-a-part"),
    pytest.param(ESCAPED, {"whatwg-url": REJECT}, BROWSERS_DISAGREE, id="another-refuses"),
    pytest.param(ESCAPED, {"deno": REJECT}, BROWSERS_DISAGREE, id="another-family"),
    pytest.param(ESCAPED, {"node-url": REJECT, "can_ada": REJECT}, BROWSER, id="other-versions-of-ada"),
    pytest.param(PLUS, {}, DEFECT, id="no-browser-says-so"),
    pytest.param(PLUS, {"bun": PLUS}, DEFECT, id="one-odd-browser-says-so"),
    pytest.param(PLUS, {"bun": PLUS, "galimatias": PLUS}, BROWSERS_DISAGREE, id="most-parsers-say-so"),
    pytest.param(PLUS, {"deno": PLUS, "rust-url": PLUS}, DEFECT, id="one-parser-in-two-libraries"),
    pytest.param(
        PLUS, {"bun": PLUS, "galimatias": PLUS, "whatwg-url": ESCAPED}, DEFECT, id="as-many-parsers-as-not"
    ),
    pytest.param(
        PLUS,
        {"bun": PLUS, "galimatias": PLUS, "rust-url": PLUS, "deno": ESCAPED},
        DEFECT,
        id="a-parser-that-says-so-in-one-of-two-libraries",
    ),
    pytest.param(
        PLUS, {"bun": PLUS, "galimatias": PLUS, "can_ada": ESCAPED}, BROWSERS_DISAGREE, id="ada-counts-once"
    ),
]


@pytest.mark.parametrize(("answer", "others", "cause"), BROWSERS)
def test_the_reading_of_the_browsers_is_that_of_ada(question, run, answer, others, cause):
    case = question("http://h/a b", REJECT, op="parse", rule=None)
    results = run((case, {"right": REJECT, "lib": answer, **others}))
    (disagreement,) = make_matrix(results).disagreements
    assert disagreement.side_of["lib"].cause is cause


#: Answers of another parser of browsers to `http://0x7f.1/?it's`, of which a library shows only the host.
BESIDE_THE_HOST = [
    pytest.param(parts("http", "127.0.0.1", "/", query="it's"), BROWSER, id="another-query"),
    pytest.param(parts("http", "0x7f.1", "/", query="it%27s"), BROWSERS_DISAGREE, id="another-host"),
    pytest.param(REJECT, BROWSERS_DISAGREE, id="a-refusal"),
]


@pytest.mark.parametrize(("browser", "cause"), BESIDE_THE_HOST)
def test_browsers_disagree_only_about_what_is_wrong(question, run, browser, cause):
    case = question("http://0x7f.1/?it's", parts("http", "0x7f.1", "/", query="it's"))
    replies = {"lib": shows(host="127.0.0.1"), "whatwg-url": browser}
    (wrong,) = make_matrix(run((case, replies))).differences_from_rfc("lib")
    assert wrong.cause is cause


def test_parsers_that_do_not_read_a_text_as_ada_does_are_named(question, run):
    case = question("http://h/a b", REJECT, op="parse", rule=None)
    replies = {"right": REJECT, "lib": ESCAPED, "whatwg-url": REJECT, "deno": ESCAPED, "can_ada": REJECT}
    matrix = make_matrix(run((case, replies)))
    (wrong,) = matrix.differences_from_rfc("lib")
    assert matrix.dissenting_parsers("lib", wrong) == ["whatwg-url"]


def test_if_most_parsers_read_a_text_in_another_way_than_ada_ada_is_named_with_the_others(question, run):
    case = question("http://h/a b", REJECT, op="parse", rule=None)
    replies = {"lib": PLUS, "bun": PLUS, "galimatias": PLUS, "rust-url": PLUS, "whatwg-url": ESCAPED}
    matrix = make_matrix(run((case, replies)))
    (wrong,) = matrix.differences_from_rfc("lib")
    assert matrix.dissenting_parsers("lib", wrong) == ["Ada", "whatwg-url"]


def test_a_relative_reference_has_no_reading_without_a_base(question, run):
    """A browser knows relative references only on a page."""
    answer = parts(None, None, "/a%20b")
    case = question("/a b", REJECT, op="parse", rule=None)
    replies = {"right": REJECT, "lib": answer, "spring-whatwg": answer}
    (disagreement,) = make_matrix(run((case, replies))).disagreements
    assert disagreement.side_of["lib"].cause is DEFECT


#: A text, the right answer, another one with an authority that repeats its parts, and its cause.
AUTHORITIES = [
    pytest.param(
        "http:///x", shows(scheme="http", authority="x", host="x", path="/"), BROWSER, id="browsers"
    ),
    pytest.param(
        "http:///x", shows(scheme="http", authority="y", host="y", path="/"), DEFECT, id="other-host"
    ),
    pytest.param(
        "http:///x", shows(scheme="http", authority="y", host="x", path="/"), DEFECT, id="contradicted"
    ),
]


@pytest.mark.parametrize(("text", "answer", "cause"), AUTHORITIES)
def test_browsers_excuse_a_library_that_also_shows_an_authority(
    question, cause_of_answer, text, answer, cause
):
    """Browsers show the parts of an authority alone."""
    right = shows(scheme="http", authority="", host="", path="/x")
    assert cause_of_answer(question(text, right), right, answer) is cause


def test_browsers_excuse_a_library_that_does_not_show_the_host_of_a_long_text(question, run):
    """The abbreviation of the host of the browsers is no ASCII, because of its ellipsis."""
    case = question(f"http://{'a' * 2000}/|", REJECT, op="parse", rule=None)
    results = run((case, {"lib": shows(scheme="http", path="/|")}))
    (wrong,) = make_matrix(results).differences_from_rfc("lib")
    assert wrong.cause is BROWSER


#: An abbreviated userinfo that browsers give in triplets, and its cause.
ABBREVIATED_LOGINS = [
    pytest.param("%3A" * 2000, BROWSER, id="browsers"),
    pytest.param("%3a" * 1999 + ":", DEFECT, id="another"),
]


@pytest.mark.parametrize(("colons", "cause"), ABBREVIATED_LOGINS)
def test_browsers_excuse_a_library_that_also_shows_an_abbreviated_authority(
    question, cause_of_answer, colons, cause
):
    text = f"http://u:{':' * 2000}@h/"
    right = parts("http", "h", "/", userinfo=abbreviation(f"u:{':' * 2000}"))
    login = f"u:{colons}"
    answer = parts("http", "h", "/", userinfo=abbreviation(login), authority=abbreviation(f"{login}@h"))
    assert cause_of_answer(question(text, right), right, answer) is cause


def test_the_authority_of_another_library_with_the_same_parts_is_no_reason_for_a_defect(question, run):
    """One of them still shows the empty user in its authority, which browsers leave out."""
    right = shows(**parts("x", "h", userinfo="")["components"], authority="@h")
    first = shows(**parts("x", "h")["components"], authority="@h")
    second = shows(**parts("x", "h")["components"], authority="h")
    replies = {"right": right, "first": first, "second": second}
    results = run((question("x://@h", right), replies))
    (disagreement,) = make_matrix(results).disagreements
    assert disagreement.side_of["second"].cause is BROWSER


#: An operation, a rule, a relative reference that a library refuses, and the cause of that.
REFUSED_REFERENCES = [
    pytest.param("parse", None, "//", BROWSER, id="parse"),
    pytest.param("validate", "URI-reference", "//", BROWSER, id="validate"),
    pytest.param("parse", None, "//h", DEFECT, id="accepted-on-a-page"),
    pytest.param("parse", None, "x://", DEFECT, id="with-a-scheme"),
    pytest.param("validate", "relative-ref", "//", BROWSER, id="relative"),
    pytest.param("validate", "path-abempty", "//", DEFECT, id="another-rule"),
]


@pytest.mark.parametrize(("operation", "rule", "text", "cause"), REFUSED_REFERENCES)
def test_browsers_excuse_a_refusal_of_what_they_refuse_on_a_page(
    question, cause_of_answer, operation, rule, text, cause
):
    right = shows(path="") if operation == "parse" else ACCEPT
    case = question(text, right, op=operation, rule=rule)
    assert cause_of_answer(case, right, REJECT) is cause


#: A rule, a text, the answer of a library, and its cause.
ON_A_PAGE = [
    pytest.param("URI-reference", "a\\:", WITH_BASE, BROWSER, id="with-a-base"),
    pytest.param("URI-reference", "a\\:", ACCEPT, DEFECT, id="without-a-base"),
    pytest.param("relative-ref", "a ", WITH_BASE, BROWSER, id="relative"),
    pytest.param("URI-reference", "//[/", WITH_BASE, DEFECT, id="refused-by-browsers"),
    pytest.param("URI", "a\\", WITH_BASE, DEFECT, id="rule-that-requires-a-scheme"),
]


@pytest.mark.parametrize(("rule", "text", "answer", "cause"), ON_A_PAGE)
def test_browsers_excuse_a_relative_reference_of_a_library_with_a_base(
    question, cause_of_answer, rule, text, answer, cause
):
    case = question(text, REJECT, rule=rule)
    assert cause_of_answer(case, REJECT, answer) is cause


def test_libraries_that_accept_with_a_base_and_without_one_have_a_cause_each(question, run):
    case = question("a\\:", REJECT)
    replies = {"right": REJECT, "lib": WITH_BASE, "alike": ACCEPT}
    (disagreement,) = make_matrix(run((case, replies))).disagreements
    assert disagreement.side_of["lib"].cause is BROWSER
    assert disagreement.side_of["alike"].cause is DEFECT


#: RFC 3986 refuses the first texts under the rule, and derives the others. No RFC has it otherwise for the
#: corresponding rule, although RFC 1808 and RFC 2396 accept all of them as references.
RULES = [
    pytest.param("URI", "xy", REJECT, ACCEPT, id="relative-path"),
    pytest.param("URI", "/p", REJECT, ACCEPT, id="absolute-path"),
    pytest.param("URI", "#f", REJECT, ACCEPT, id="fragment-alone"),
    pytest.param("URI", "", REJECT, ACCEPT, id="empty"),
    pytest.param("URI", "@://h/", REJECT, ACCEPT, id="no-scheme"),
    pytest.param("absolute-URI", "a", REJECT, ACCEPT, id="absolute"),
    pytest.param("absolute-URI", "f:a#b", REJECT, ACCEPT, id="absolute-with-fragment"),
    pytest.param("relative-ref", "/q", ACCEPT, REJECT, id="relative"),
    pytest.param("relative-ref", "//h?#", ACCEPT, REJECT, id="relative-with-fragment"),
]


@pytest.mark.parametrize(("rule", "text", "right", "answer"), RULES)
def test_another_rfc_excuses_only_by_the_corresponding_rule(
    question, cause_of_answer, rule, text, right, answer
):
    case = question(text, right, rule=rule)
    assert cause_of_answer(case, right, answer) is DEFECT


#: What RFC 1738 and RFC 2396 refuse under their rules of absolute URLs.
CORRESPONDING = [
    pytest.param("URI", "a:", id="rfc2396-opaque-part"),
    pytest.param("absolute-URI", "http://a!b/", id="rfc1738-host"),
    pytest.param("URI", "http://h/~u", id="rfc1738-tilde"),
]


@pytest.mark.parametrize(("rule", "text"), CORRESPONDING)
def test_the_corresponding_rule_of_another_rfc_excuses_a_refusal(question, cause_of_answer, rule, text):
    case = question(text, ACCEPT, rule=rule)
    assert cause_of_answer(case, ACCEPT, REJECT) is OTHER_RFC


#: A reference, a base that RFC 2396 or RFC 1808 does not allow, the target by RFC 3986, an answer, its cause.
UNSUITABLE_BASES = [
    pytest.param("b", "foo:a", url("foo:b"), url("b"), OTHER_RFC, id="reference-unchanged"),
    pytest.param("b", "foo:a", url("foo:b"), url("foo:a"), OTHER_RFC, id="base-unchanged"),
    pytest.param("/b", "foo:a", url("foo:/b"), url("foo:b"), OTHER_RFC, id="absolute-path"),
    pytest.param("?y", "urn:a:b", url("urn:a:b?y"), url("urn:?y"), OTHER_RFC, id="query"),
    pytest.param("//g", "urn:a:b", url("urn://g"), url("//g"), OTHER_RFC, id="network-path"),
    pytest.param("b", "telnet://h/", url("telnet://h/b"), url("telnet://h/"), OTHER_RFC, id="telnet"),
    pytest.param("b", "foo:a", url("foo:b"), url("http://localhost/b"), DEFECT, id="an-invented-host"),
    pytest.param("#f", "urn:a", url("urn:a#f"), url("#f"), DEFECT, id="same-document"),
    pytest.param("b", "foo:/a", url("foo:/b"), url("b"), DEFECT, id="hierarchical-base"),
    pytest.param("b", "foo:", url("foo:b"), url("b"), DEFECT, id="a-base-that-is-refused"),
    pytest.param("foo:b", "foo:a", url("foo:b"), url("foo:a"), DEFECT, id="absolute-reference"),
]


@pytest.mark.parametrize(("reference", "base", "right", "answer", "cause"), UNSUITABLE_BASES)
def test_a_target_that_another_rfc_leaves_open_is_no_defect(
    disagreement_of, reference, base, right, answer, cause
):
    """RFC 2396, section 5 (R-2396-21): no relative reference is used where the base is opaque."""
    disagreement = disagreement_of(reference, (right,), answer, base=base)
    assert disagreement.side_of["lib"].cause is cause


#: The RFCs that a library claims, and the cause of a target that RFC 2396 leaves open and RFC 3986 does not.
CLAIMS = [
    pytest.param((), OTHER_RFC, id="none"),
    pytest.param(("rfc2396",), OTHER_RFC, id="rfc2396"),
    pytest.param(("rfc2396", "rfc3986"), OTHER_RFC, id="both"),
    pytest.param(("rfc3986",), DEFECT, id="rfc3986"),
]


@pytest.mark.parametrize(("claims", "cause"), CLAIMS)
def test_an_rfc_that_leaves_a_target_open_excuses_only_a_library_that_claims_it(question, run, claims, cause):
    case = question("b", url("foo:b"), base="foo:a")
    replies = {"right": url("foo:b"), "lib": url("b"), "claims-none": url("b")}
    (disagreement,) = make_matrix(run((case, replies), claims={"lib": claims})).disagreements
    assert disagreement.side_of["lib"].cause is cause


def test_what_a_library_claims_does_not_matter_if_another_rfc_says_what_is_right(question, run):
    """RFC 2396, section C.1: ?y drops the last segment."""
    case = question("?y", url("http://a/b/c/d;p?y"), base=BASE)
    replies = {"lib": url("http://a/b/c/?y")}
    results = run((case, replies), claims={"lib": ("rfc3986",)})
    (wrong,) = make_matrix(results).differences_from_rfc("lib")
    assert wrong.cause is OTHER_RFC


ERROR = {"status": "error", "message": "NULL without an error"}

#: The binding of a question, its admissible answers, a reply that is no answer, and its cause.
WITHOUT_AN_ANSWER = [
    pytest.param("impl-defined", (url("f://g"), REJECT), ERROR, ALLOWED, id="error-where-rfc-is-unclear"),
    pytest.param("unspecified", (url("f://g"),), ERROR, ALLOWED, id="error-where-rfc-is-silent"),
    pytest.param("permitted-set", (url("f://g"), REJECT), ERROR, ALLOWED, id="error-for-a-refusal"),
    pytest.param("permitted-set", (url("f://g"), url("f:/.//g")), ERROR, DEFECT, id="error-for-a-target"),
    pytest.param("required", (url("f://g"),), ERROR, DEFECT, id="error-where-rfc-is-clear"),
    pytest.param("required", (REJECT,), ERROR, DEFECT, id="error-for-the-only-refusal"),
    pytest.param("impl-defined", (url("f://g"), REJECT), CRASH, DEFECT, id="crash"),
]


@pytest.mark.parametrize(("binding", "admissible", "reply", "cause"), WITHOUT_AN_ANSWER)
def test_an_error_is_allowed_where_a_refusal_is(question, run, binding, admissible, reply, cause):
    """RFC 3986, sections 3.3 and 5.2.4 (R-3986-09): a target that reads as an authority may be refused."""
    case = question(".//g", *admissible, base="f:/a", binding=binding)
    (wrong,) = make_matrix(run((case, {"lib": reply}))).differences_from_rfc("lib")
    assert wrong.cause is cause


def test_an_rfc_that_leaves_a_target_open_allows_every_answer(make_case, cause_of_answer):
    """RFC 2396, section 5 (R-2396-21): the recommended target of a network path is not the only one."""
    right = url("urn://g")
    fields = {"op": "resolve", "rule": None, "binding": "unspecified"}
    case = make_case("rfc2396-5-x", base="urn:a:b", reference="//g", expect=expected(right), **fields)
    assert cause_of_answer(case, right, url("//g")) is ALLOWED


def test_a_target_is_right_under_a_claimed_rfc_that_leaves_it_open(question):
    case = question("b", url("foo:b"), base="foo:a")
    answer = Result(case.vector.id, "lib", "fail", got=url("b"))
    assert is_right_under_claimed_rfc(case, answer, Participant("lib", "ran", specs=("rfc2396",)))


#: RFC 3986, section 5.2.2: targets of the reference .//g against f:/a, beside the admissible f://g and
#: f:/.//g.
TARGETS = [
    pytest.param("f:/g", ALLOWED, id="one-slash"),
    pytest.param("f:/%2Fg", DEFECT, id="an-escaped-slash"),
    pytest.param("f:////g", ALLOWED, id="an-empty-authority"),
    pytest.param("http://a/b/c/g", DEFECT, id="another-scheme"),
    pytest.param(".//g", DEFECT, id="not-resolved"),
    pytest.param("f://a/g", DEFECT, id="an-invented-host"),
    pytest.param("f:/a/g", DEFECT, id="another-path"),
    pytest.param("f:/g?q", DEFECT, id="an-invented-query"),
]


@pytest.fixture
def cause_of_target(question, cause_of_answer):
    """Returns the cause of a target of a reference, beside the answers that are admissible."""

    def judge_target(reference, base, admissible, target, binding):
        case = question(reference, *admissible, base=base, binding=binding)
        return cause_of_answer(case, admissible[0], url(target))

    return judge_target


@pytest.mark.parametrize(("target", "cause"), TARGETS)
def test_an_unlisted_target_is_allowed_only_if_it_differs_in_slashes_as_the_admissible_ones_do(
    cause_of_target, target, cause
):
    admissible = (url("f://g"), url("f:/.//g"))
    assert cause_of_target(".//g", "f:/a", admissible, target, "impl-defined") is cause


def test_a_library_that_cannot_tell_empty_is_not_blamed_for_an_empty_component(question, run):
    """The port is removed, and the library cannot show whether the query is empty."""
    right = parts("http", "h", "/", port="80", query="")
    case = question("http://h:80/?", right)
    results = run((case, {"right": right, "lib": HOST_H}), blurring=("lib",))
    (disagreement,) = make_matrix(results).disagreements
    assert disagreement.side_of["lib"].cause is SPELLING


def test_of_two_libraries_that_lose_an_empty_host_only_one_that_can_tell_empty_is_blamed(question, run):
    """The empty host is lost; the other library, with the same answer, may only not show it."""
    right = parts("http", "", "/", port="80")
    replies = {"right": right, "blurring": parts("http", None, "/"), "lib": parts("http", None, "/")}
    results = run((question("http://:80/", right), replies), blurring=("blurring",))
    (disagreement,) = make_matrix(results).disagreements
    assert disagreement.side_of["blurring"].cause is SPELLING
    assert disagreement.side_of["lib"].cause is OTHER_RFC


def test_a_library_that_cannot_tell_empty_is_excused_by_a_reading_with_an_empty_component(question, run):
    """RFC 2396, section 3.2.1: a library may divide a registry name at its first `@` (R-2396-11)."""
    case = question("//@a@", REJECT, op="parse", rule=None)
    replies = {"right": REJECT, "lib": parts(None, "a@"), "blurring": parts(None, "a@")}
    (disagreement,) = make_matrix(run((case, replies), blurring=("blurring",))).disagreements
    assert disagreement.side_of["blurring"].cause is OTHER_RFC
    assert disagreement.side_of["lib"].cause is DEFECT


#: RFC 3986, section 5.1: references for which a library answers with their base, `http://a/b#f`.
FRAGMENTS = [
    pytest.param("", ALLOWED, id="the-reference-has-none"),
    # RFC 1808, section 2.4, has no empty fragment (G-09)
    pytest.param("#", OTHER_RFC, id="the-reference-has-an-empty-one"),
    pytest.param("#g", DEFECT, id="the-reference-has-another-one"),
]


@pytest.mark.parametrize(("reference", "cause"), FRAGMENTS)
def test_only_a_reference_without_a_fragment_may_get_that_of_the_base(cause_of_target, reference, cause):
    base = "http://a/b#f"
    admissible = (url(f"http://a/b{reference}"), REJECT)
    assert cause_of_target(reference, base, admissible, base, "impl-defined") is cause


#: RFC 3986, section 5.1: targets of the reference g against bases with and without a fragment.
FRAGMENTS_OF_TARGETS = [
    pytest.param("http://a/b#f", "http://a/g#f", ALLOWED, id="of-the-base"),
    pytest.param("http://a/b#%66", "http://a/g#f", ALLOWED, id="of-the-base-in-another-spelling"),
    pytest.param("http://a/b#f", "http://a/g#made-up", DEFECT, id="another-than-that-of-the-base"),
    pytest.param("http://a/b", "http://a/g#made-up", DEFECT, id="of-no-text"),
    pytest.param("http://a/b", "http://a/g#", DEFECT, id="empty-and-of-no-text"),
]


@pytest.mark.parametrize(("base", "target", "cause"), FRAGMENTS_OF_TARGETS)
def test_a_target_may_have_no_other_fragment_than_that_of_the_base(cause_of_target, base, target, cause):
    admissible = (url("http://a/g"), REJECT)
    assert cause_of_target("g", base, admissible, target, "impl-defined") is cause


#: RFC 3986, section 5.1: targets of the reference g against a base that is relative, and so invalid.
INVENTED = [
    pytest.param("a/g", ALLOWED, id="relative"),
    pytest.param("http://localhost/a/g", DEFECT, id="a-scheme-and-a-host"),
    pytest.param("http:///a/g", DEFECT, id="a-scheme"),
    pytest.param("//localhost/a/g", DEFECT, id="a-host"),
]


@pytest.mark.parametrize(("target", "cause"), INVENTED)
def test_a_target_against_an_invalid_base_may_have_no_part_that_neither_text_has(
    cause_of_target, target, cause
):
    assert cause_of_target("g", "a/b", (REJECT,), target, "unspecified") is cause


def test_browsers_excuse_no_operation_that_is_not_in_their_standard(make_case, run):
    """RFC 3986, section 5.3; the standard of the browsers does not put components together."""
    case = make_case(
        "rfc3986-5.3-x",
        op="recompose",
        rule=None,
        components=parts("ftp", None, "a")["components"],
        expect={"result": "ftp:a"},
    )
    wrong = url("ftp:/a")
    results = run((case, {"right": url("ftp:a"), "lib": wrong, "node-url": wrong}))
    (disagreement,) = make_matrix(results).disagreements
    assert disagreement.side_of["lib"].cause is DEFECT


def test_causes_are_ranked_by_harm():
    """From the most harmless on; of two, the worse is reported."""
    causes = [ALLOWED, OTHER_RFC, BROWSER, BROWSERS_DISAGREE, SPELLING, ABBREVIATED, DEFECT]
    assert sorted(Cause, key=lambda cause: cause.rank) == causes


def test_expected_answers_begin_with_the_recommended_one(question):
    case = question("/.//g", url("f://g"), REJECT, base="f:/a")
    assert [answer.kind for answer in expected_answers(case.vector.expect)] == ["url", "rejected"]


#: Authorities without a host (RFC 2396, section 3.2.1).
REG_NAMES = [
    pytest.param("//.h", ".h", None, "", id="empty-label"),
    pytest.param("//a%2fb/", "a%2fb", None, "/", id="escape"),
    pytest.param("//127.1", "127.1", None, "", id="two-numbers"),
    pytest.param("http://h;p/a", "h;p", "http", "/a", id="semicolon"),
    pytest.param("http://../a", "..", "http", "/a", id="dots"),
]


@pytest.mark.parametrize(("text", "authority", "scheme", "path"), REG_NAMES)
def test_an_authority_without_a_host_is_right_under_rfc2396(
    question, cause_of_answer, text, authority, scheme, path
):
    """RFC 2396, section 3.2.1: a registry name is an authority without a host."""
    right = parts(scheme, authority, path)
    answer = parts(scheme, None, path, authority=authority)
    assert cause_of_answer(question(text, right), right, answer) is OTHER_RFC


def test_a_library_that_shows_no_authorities_is_not_blamed_for_one(question, cause_of_answer):
    right = parts("http", "h;p", "/a")
    case = question("http://h;p/a", right)
    assert cause_of_answer(case, right, parts("http", None, "/a")) is OTHER_RFC


def test_a_library_that_shows_no_authorities_is_judged_separately_from_one_that_does(question, run):
    right = parts("http", "h;p", "/a")
    replies = {
        "right": right,
        "shows": parts("http", None, "/a", authority=None),
        "lib": parts("http", None, "/a"),
    }
    (disagreement,) = make_matrix(run((question("http://h;p/a", right), replies))).disagreements
    assert disagreement.side_of["shows"].cause is DEFECT
    assert disagreement.side_of["lib"].cause is OTHER_RFC


@pytest.mark.parametrize("authority", ["h", None], ids=["another", "denied"])
def test_a_wrong_authority_beside_no_host_is_a_defect(question, cause_of_answer, authority):
    right = parts("http", "h;p", "/a")
    answer = parts("http", None, "/a", authority=authority)
    case = question("http://h;p/a", right)
    assert cause_of_answer(case, right, answer) is DEFECT


#: A text, its authority, and another one that has the same parts up to spelling.
LOST_FROM_AUTHORITIES = [
    pytest.param("x://@h", "@h", parts("x", "h", userinfo=""), "h", BROWSER, id="empty-user"),
    pytest.param("x://[v1.a]", "[v1.a]", parts("x", "[v1.a]"), "v1.a", DEFECT, id="brackets"),
    pytest.param("x://[0::1]", "[0::1]", parts("x", "[0::1]"), "[::1]", SPELLING, id="zeros"),
]


@pytest.mark.parametrize(("text", "authority", "right", "returned", "cause"), LOST_FROM_AUTHORITIES)
def test_only_a_delimiter_that_an_authority_loses_is_more_than_spelling(
    question, run, text, authority, right, returned, cause
):
    """RFC 3986, section 6.2.3, keeps delimiters of empty components. Browsers leave out an empty user.

    The library shows no userinfo.
    """
    right_with_authority = shows(**right["components"], authority=authority)
    host = returned.strip("[]")
    lib = shows(scheme="x", host=host, path="", authority=returned)
    results = run((question(text, right_with_authority), {"lib": lib}))
    (wrong,) = make_matrix(results).differences_from_rfc("lib")
    assert wrong.cause is cause


def test_an_rfc_on_iris_excuses_no_answer_about_urls(question):
    case = question("http://h/\u00e9", REJECT)
    answer = Result(case.vector.id, "lib", "fail", got=parts("http", "h", "/\u00e9"))
    assert not is_right_under_claimed_rfc(case, answer, Participant("lib", "ran", specs=("rfc3987",)))


def test_an_rfc_on_urls_excuses_no_answer_about_iris(question):
    case = msgspec.structs.replace(question("http://h/\u00e9", parts("http", "h", "/\u00e9")), spec="rfc3987")
    answer = Result(case.vector.id, "lib", "fail", got=REJECT)
    assert not is_right_under_claimed_rfc(case, answer, Participant("lib", "ran", specs=("rfc3986",)))


def test_what_an_authority_loses_is_right_under_no_claimed_rfc(question):
    right = parts("x", "h", userinfo="", authority="@h")
    case = question("x://@h", right)
    answer = Result(case.vector.id, "lib", "fail", got=shows(scheme="x", host="h", path="", authority="h"))
    participant = Participant("lib", "ran", specs=("rfc1808", "rfc2396", "rfc2732"))
    assert not is_right_under_claimed_rfc(case, answer, participant)


LONG = "http://" + "h" * 1024
TILDES = "http://h/" + "~" * 5000

#: URLs that are abbreviated in results: the right one, an answer, and the cause and component that show.
ABBREVIATED_URLS = [
    pytest.param(LONG, LONG + "/", ABBREVIATED, "answer", id="slash-after-a-long-host"),
    pytest.param(TILDES, TILDES.replace("~", "%7E"), ABBREVIATED, "answer", id="triplets"),
    pytest.param(TILDES, TILDES.replace("//h", "//g"), DEFECT, "host", id="another-host"),
    pytest.param(TILDES, "http://g/", DEFECT, "host", id="short-answer"),
    pytest.param(TILDES, "http://h/", ABBREVIATED, "answer", id="short-path"),
    pytest.param(TILDES, "http://h/a" + "~" * 5000, DEFECT, "answer", id="another-beginning"),
    # RFC 3986, section 5.2.4: resolution removes them
    pytest.param(TILDES, "http://h/a/../" + "~" * 5000, DEFECT, "answer", id="dot-segments"),
]


@pytest.mark.parametrize(("right", "answer", "cause", "component"), ABBREVIATED_URLS)
def test_only_what_an_abbreviation_shows_is_judged(question, run, right, answer, cause, component):
    """Only the components that are whole in its beginning are known."""
    replies = {"right": url(abbreviation(right)), "lib": url(abbreviation(answer))}
    case = question("g", replies["right"], base="http://b/")
    (disagreement,) = make_matrix(run((case, replies))).differences_from_rfc("lib")
    assert disagreement.side_of["lib"].cause is cause
    assert disagreement.component == component


#: The id of a question of the corpus with long texts, the answer of a library to it, and its cause.
LONG_ANSWERS = [
    pytest.param("rfc3986-5.2.2-authority-1024", f"{LONG}/", SPELLING, id="empty-path-as-a-slash"),
    pytest.param("rfc3986-5.2.2-authority-1024", f"{LONG}/x", ABBREVIATED, id="unknown-text"),
    pytest.param("rfc3986-6.2.2.2-decode-5000-triplets", "http://h/~", DEFECT, id="short-answer"),
    pytest.param(
        "rfc3986-6.2.2.2-decode-5000-triplets", f"http://h/{'%7E' * 5000}", SPELLING, id="triplets-that-stay"
    ),
]


@pytest.mark.parametrize(("identifier", "answer", "cause"), LONG_ANSWERS)
def test_the_answer_to_a_long_question_of_the_corpus_is_judged_whole(corpus, run, identifier, answer, cause):
    """The digest of an abbreviation tells the text. Browsers, which give the same, disagree here."""
    (whole_case,) = (case for case in corpus.cases if case.vector.id == identifier)
    replies = {"lib": url(abbreviation(answer)), "whatwg-url": REJECT}
    results = run((abbreviated_case(whole_case), replies))
    (wrong,) = make_matrix(results).differences_from_rfc("lib")
    assert wrong.side_of["lib"].cause is cause


def test_an_abbreviation_names_no_class(question, run):
    replies = {"right": url(abbreviation(LONG)), "lib": url(abbreviation(LONG + "/"))}
    case = question(
        abbreviation("//" + "h" * 1024), replies["right"], base="http://b/", **{"class": "host-label"}
    )
    (disagreement,) = make_matrix(run((case, replies))).differences_from_rfc("lib")
    assert disagreement.entry is None


def test_an_abbreviated_component_hides_spelling(question, cause_of_answer):
    """A path with 5,000 triplets may be the same path, decoded."""
    right = parts("http", "h", abbreviation("/" + "~" * 5000))
    answer = parts("http", "h", abbreviation("/" + "%7E" * 5000))
    case = question(abbreviation("http://h/" + "%7E" * 5000), right)
    assert cause_of_answer(case, right, answer) is ABBREVIATED


@pytest.fixture
def cause_of_beginning(question, run):
    """Return a function that finds the cause of a difference of two abbreviated paths of dot segments.

    The path of the answer has a beginning before the same segments.
    """

    def find(beginning):
        dot_segments = "../" * 5000
        right = parts(None, None, abbreviation(f"{dot_segments}g"))
        # the last segment is spelled in another way, so that the answers differ whatever the beginning is
        answer = parts(None, None, abbreviation(f"{beginning}{dot_segments}%67"))
        matrix = make_matrix(run((question("a", right), {"right": right, "lib": answer})))
        (disagreement,) = matrix.differences_from_rfc("lib")
        return disagreement.side_of["lib"].cause

    return find


@pytest.mark.parametrize(
    "beginning",
    [
        pytest.param("", id="the-same-segments"),
        pytest.param("a/../", id="segments-that-normalization-removes"),
    ],
)
def test_an_abbreviated_path_hides_dot_segments(cause_of_beginning, beginning):
    assert cause_of_beginning(beginning) is ABBREVIATED


def test_an_abbreviated_path_hides_no_slash_before_a_relative_path(cause_of_beginning):
    assert cause_of_beginning("/") is DEFECT


def test_an_opaque_part_may_contain_its_question_mark(question, cause_of_answer):
    """RFC 2396, section 3, by R-2396-04; RFC 3986 divides a path without an authority, too."""
    right = parts("a", None, "b", query="c")
    answer = parts("a", None, "b?c")
    assert cause_of_answer(question("a:b?c", right), right, answer) is OTHER_RFC


def test_a_host_that_idna_maps_is_no_spelling(question, cause_of_answer):
    right = parts("foo", "xn--bcher-kva.example", "/")
    case = question("foo://xn--bcher-kva.example/", right)
    assert cause_of_answer(case, right, parts("foo", "bücher.example", "/")) is DEFECT
