"""Classes of differences: those of a text, of two values, of a refusal, and of a question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
import pytest
from answer_samples import ACCEPT, BASE, CRASH, REJECT, parts, shows, url

from urlharness.compare.classes import class_of, class_of_text, value_pair
from urlharness.compare.matrix import make_matrix
from urlharness.corpus.longtext import abbreviation
from urlharness.corpus.model import Vector
from urlharness.panel.answer import Answer
from urloracle.rfcs import RFC3986

LONG = abbreviation("//" + "h" * 2000)

CLASSES = [
    pytest.param(LONG, "host", BASE, "host-label", id="abbreviated"),
    pytest.param(
        abbreviation("http://h/" + "%7E" * 2000), "path", None, "escaped-unreserved", id="cut-triplet"
    ),
    pytest.param("http://a%2eb/?x y", "host", None, "escape-in-host", id="behind-the-authority"),
    pytest.param("http://:@a%2eb:80/", "host", None, "escape-in-host", id="colons-around-a-host"),
    pytest.param("http://:@a:b:80/", "host", None, "ipv6-literal", id="colons-in-a-host"),
    pytest.param("http://a%2eb/?x y", "query", None, "white-space", id="in-the-query"),
    pytest.param("g", "userinfo", "http://u@h/a", "userinfo-not-allowed", id="user-of-the-base"),
    pytest.param("//g", "userinfo", "http://u@h/a", "network-path", id="other-authority"),
    pytest.param("g?a/../b", "query", BASE, "dots-elsewhere", id="dots-in-query"),
    pytest.param("?a/b", "query", "http://h/", "query-only", id="query-alone"),
    pytest.param("g", "query", "http://h/x?a/b", "search-slash", id="slash-in-query"),
    pytest.param("../../g", "path", "http://a/b/c/d", None, id="not-too-high"),
    pytest.param("../../../g", "path", "http://a/b/c/d", "excess-dotdot", id="too-high"),
    pytest.param("http://h:0/", "verdict", None, "port-digits", id="port-zero"),
    pytest.param(f"http://{'a.' * 126}aa/", "verdict", None, "host-label", id="254-characters"),
    # only the part that differs explains a difference
    pytest.param("http://h/~a?b;c|#[d]", "host", None, None, id="nothing-in-the-host"),
    pytest.param("http://u@h_1/", "userinfo", None, "userinfo-not-allowed", id="user"),
    pytest.param("telnet://=@h_1/", "userinfo", None, None, id="nothing-in-the-user"),
    pytest.param("http://[::1]:81/?a|b", "path", None, None, id="nothing-in-the-path"),
    pytest.param("http://h_1/~?a", "query", None, None, id="nothing-in-the-query"),
    pytest.param("/x?~", "host", "http://[0::1]/", "ipv6-literal", id="address-of-the-base"),
    pytest.param("http:/x?~", "host", "http://1.2/", "same-scheme", id="scheme-of-the-base"),
    pytest.param("g", "port", "http://h:0080/%7e", "port-digits", id="port-of-the-base"),
    pytest.param("0", "host", None, "relative-reference", id="path-as-host"),
    pytest.param("a-b.c:d?e#f", "verdict", None, "scheme-characters", id="odd-scheme"),
    # the first wrong character is the delimiter that ends the authority
    pytest.param("http://[1::2/", "verdict", None, "ipv6-literal", id="bracket-open-at-a-slash"),
    pytest.param("http://[::1?a", "verdict", None, "ipv6-literal", id="bracket-open-at-a-question-mark"),
    pytest.param("http://[fe80::1%25e/", "verdict", None, "zone-id", id="zone-open-at-a-slash"),
    pytest.param("http://h:-1/", "verdict", None, "port-digits", id="minus-in-a-port"),
    pytest.param("http://h:8%30#", "verdict", None, "port-digits", id="triplet-in-a-port"),
]


@pytest.mark.parametrize(("text", "component", "base", "entry"), CLASSES)
def test_a_text_has_its_class(text, component, base, entry):
    assert class_of_text(text, component, base) == entry


@pytest.mark.parametrize(
    ("text", "base", "entry"),
    [
        pytest.param("z39.50r://u@127.0.1.:0/%41", None, "scheme-characters", id="other-characters"),
        pytest.param("coap://u@127.0.1.:0/%41", None, "unknown-scheme", id="unknown"),
        pytest.param("?~a#[b]", "coap://u:@[::1]:81/a", "unknown-scheme", id="unknown-scheme-of-the-base"),
        pytest.param("?~a#[b]", "gopher://h/1", "scheme-rule", id="scheme-of-the-base-with-a-rule"),
        pytest.param("+b://h_1/", None, "scheme-first-char", id="invalid-scheme"),
        pytest.param("http://[::1]/", None, "ipv6-literal", id="known-scheme"),
        pytest.param("`://h/", None, "unsafe-character", id="no-scheme"),
    ],
)
def test_an_unusual_scheme_explains_a_difference_of_hosts_and_schemes(text, base, entry):
    """The rest of the text matters only if the scheme is known."""
    assert class_of_text(text, "host", base, scheme=True) == entry


PARTS = [
    pytest.param({"rule": "segment"}, None, id="part"),
    pytest.param({"rule": "URI"}, "unsafe-character", id="whole"),
    pytest.param({"rule": "segment", "class": "tilde"}, "tilde", id="named"),
]


@pytest.mark.parametrize(("fields", "entry"), PARTS)
def test_a_vector_has_its_class(question, fields, entry):
    """A text of the rule of a part is no URL, and a class that a person named is right."""
    assert class_of(question("a|b", REJECT, **fields).vector, "verdict") == entry


@pytest.mark.parametrize(
    ("wrong", "entry"),
    [("/%E2%80%AE ", "not-in-uris"), ("/\u202e%20", "bidi-formatting")],
    ids=["blank", "override"],
)
def test_a_wrong_mapping_has_the_class_that_it_shows(wrong, entry):
    vector = msgspec.convert(
        {
            "id": "rfc3987-3.2-x",
            "requirement": "rfc3987-3.2-x",
            "level": "must",
            "op": "to_iri",
            "url": "/%E2%80%AE%20",
            "expect": {"result": "/%E2%80%AE%20"},
            "binding": "required",
        },
        Vector,
    )
    answers = (Answer("url", text="/%E2%80%AE%20"), Answer("url", text=wrong))
    assert class_of(vector, "path", answers=answers) == entry


@pytest.mark.parametrize(
    ("component", "entry"),
    [("host", "host-label"), ("userinfo", "login-delimiter")],
    ids=["explained", "not-explained"],
)
def test_a_named_class_must_explain_the_difference(question, component, entry):
    vector = question("mailto://a:b:c@h_1/", parts(), **{"class": "host-label"}).vector
    assert class_of(vector, component) == entry


class Reason(NamedTuple):
    """A question with its right answer and another one, and the class of the difference."""

    text: str
    base: str | None
    right: Mapping[str, Any]
    answer: Mapping[str, Any]
    entry: str | None


REASONS = [
    pytest.param(
        Reason(
            "..",
            "http://h/a%2Fb/c%2F..",
            right=url("http://h/"),
            answer=url("http://h/a/"),
            entry="encoded-delimiter",
        ),
        id="slashes-of-a-base-decoded-before-dots",
    ),
    pytest.param(
        Reason(
            "../?q",
            "data:/%2Fa/b",
            right=url("data:/?q"),
            answer=url("data:/./?q"),
            entry=None,
        ),
        id="a-path-with-and-without-decoding",
    ),
    pytest.param(
        Reason(
            "data://h/a/..//b",
            "http://h",
            right=url("data://h//b"),
            answer=url("data://h/b"),
            entry="empty-segment",
        ),
        id="two-slashes-after-dots",
    ),
    pytest.param(
        Reason(
            "//1.2.3.4/a/..//b",
            "http://h",
            right=url("http://1.2.3.4//b"),
            answer=url("http://1.2.3.4/b"),
            entry="empty-segment",
        ),
        id="two-slashes-after-dots-of-a-reference",
    ),
    pytest.param(
        Reason("g", "f:", right=url("f:g"), answer=url("f:///g"), entry=None),
        id="a-scheme-that-makes-no-difference",
    ),
    pytest.param(
        Reason(
            "////a", None, right=parts(None, "", "//a"), answer=parts(None, None, "////a"), entry="empty-host"
        ),
        id="empty-host-in-the-path",
    ),
    pytest.param(
        Reason("/?#", "http://0.example.0", right=url("http://0.example.0/?#"), answer=REJECT, entry=None),
        id="refused-for-the-host-or-the-empty-query",
    ),
    pytest.param(
        Reason("imap:?q=1", None, right=ACCEPT, answer=REJECT, entry=None),
        id="refused-for-the-scheme-or-the-query-alone",
    ),
    pytest.param(
        Reason("mailto:a:b", None, right=ACCEPT, answer=REJECT, entry=None),
        id="refused-for-the-scheme-or-the-address",
    ),
]


#: Texts in which more than one thing is unusual, but only one of them is where the answers differ.
CONSTRUCTIONS = [
    pytest.param(
        Reason("0", "f:a", right=url("f:0"), answer=url("//f:0"), entry="colon-digits"),
        id="digits-after-the-scheme-of-a-target",
    ),
    pytest.param(
        Reason("g", "f:0", right=url("f:g"), answer=url("//f:0/g"), entry="colon-digits"),
        id="digits-after-the-scheme-of-a-base",
    ),
    pytest.param(
        Reason(
            "git+ssh://h/a",
            None,
            right=parts("git+ssh", "h", "/a"),
            answer=parts(None, None, "git+ssh://h/a"),
            entry="scheme-characters",
        ),
        id="plus-in-a-scheme",
    ),
    pytest.param(
        Reason(
            "git+ssh://h/a",
            "foo:/",
            right=url("git+ssh://h/a"),
            answer=url("git ssh://h/a"),
            entry="scheme-characters",
        ),
        id="plus-in-a-scheme-beside-that-of-the-base",
    ),
    pytest.param(
        Reason(
            "git+ssh:a:80/b",
            None,
            right=parts("git+ssh", None, "a:80/b"),
            answer=parts(None, None, "git+ssh:a:80/b"),
            entry="scheme-characters",
        ),
        id="plus-in-a-scheme-before-digits",
    ),
    pytest.param(
        Reason(
            "nobodylisted://h/a",
            None,
            right=parts("nobodylisted", "h", "/a"),
            answer=parts(None, None, "nobodylisted://h/a"),
            entry="unknown-scheme",
        ),
        id="letters-in-a-scheme",
    ),
    pytest.param(
        Reason(".//a", "http:", right=url("http:/a"), answer=url("http://localhost/a"), entry=None),
        id="invented-host",
    ),
    pytest.param(
        Reason(
            "file:///C:/A",
            None,
            right=parts("file", "", "/C:/A"),
            answer=parts("file", "C", "/A", port=""),
            entry="file-drive",
        ),
        id="drive-as-host",
    ),
    pytest.param(
        Reason(
            "file:///A",
            None,
            right=parts("file", "", "/A"),
            answer=parts("file", "A", ""),
            entry="empty-host",
        ),
        id="empty-host",
    ),
    pytest.param(
        Reason(".//g", "http:///a", right=url("http:////g"), answer=REJECT, entry=None),
        id="two-slashes-behind-an-empty-host",
    ),
    pytest.param(
        Reason("http://[v1.x%]/", None, right=REJECT, answer=ACCEPT, entry="ipv6-literal"),
        id="percent-sign-without-a-zone",
    ),
    pytest.param(Reason("http://[::1%eth0]/", None, right=REJECT, answer=ACCEPT, entry="zone-id"), id="zone"),
    pytest.param(
        Reason(
            "http://a@b:c@d/",
            None,
            right=REJECT,
            answer=parts("http", "d", "/", userinfo="a%40b:c"),
            entry="several-ats",
        ),
        id="second-at-behind-what-is-no-port",
    ),
    pytest.param(
        Reason(
            "FtP://@:80/.",
            None,
            right=parts("FtP", "", "/.", userinfo="", port="80"),
            answer=parts("ftp", None, ".", port="80"),
            entry=None,
        ),
        id="slash-of-a-path-beside-an-empty-host",
    ),
    pytest.param(
        Reason(
            "..;x",
            "http://h",
            right=url("http://h/..;x"),
            answer=url("http://h/;x"),
            entry="dots-elsewhere",
        ),
        id="dots-after-a-merge-with-a-base-without-path",
    ),
    pytest.param(
        Reason(
            "//localhost/A",
            "file://b/",
            right=url("file://localhost/A"),
            answer=url("file:///A"),
            entry="file-host",
        ),
        id="lost-host-of-a-file",
    ),
    pytest.param(
        Reason(
            "..//c",
            "file:///a/b",
            right=url("file:////c"),
            answer=url("file:/c"),
            entry="empty-segment",
        ),
        id="empty-segment-beside-an-empty-host",
    ),
    pytest.param(
        Reason(
            "..%2Fg",
            "http://a/b/c/d",
            right=url("http://a/b/c/..%2Fg"),
            answer=url("http://a/b/g"),
            entry="encoded-delimiter",
        ),
        id="decoded-slash-that-makes-a-dot-segment",
    ),
    pytest.param(
        Reason(
            "http://h/a//b",
            None,
            right=parts("http", "h", "/a//b"),
            answer=parts("http", "h", "a//b"),
            entry=None,
        ),
        id="slash-that-is-lost-before-an-empty-segment",
    ),
    pytest.param(
        Reason("ftp:/a", None, right=parts("ftp", None, "/a"), answer=parts("ftp", None, "a"), entry=None),
        id="lost-slash-after-a-scheme",
    ),
    pytest.param(
        Reason(
            "http:/a",
            None,
            right=parts("http", None, "/a"),
            answer=parts("http", None, "a"),
            entry="slash-count",
        ),
        id="lost-slash-after-a-scheme-whose-paths-have-one",
    ),
    pytest.param(
        Reason(
            "//u@h/", "http://b/", right=url("http://u@h/"), answer=url("http://h/"), entry="network-path"
        ),
        id="user-that-a-network-path-loses",
    ),
    pytest.param(
        Reason("https://u@h/#f", None, right=ACCEPT, answer=REJECT, entry=None),
        id="user-of-a-scheme-that-rfc1738-does-not-have",
    ),
    pytest.param(
        Reason("//u@h/", "http://b/", right=url("http://u@h/"), answer=REJECT, entry=None),
        id="user-in-a-network-path",
    ),
    pytest.param(
        Reason("f:/..", "http://a/b", right=url("f:/"), answer=url("f:"), entry="excess-dotdot"),
        id="slash-that-excess-dots-take-along",
    ),
    pytest.param(
        Reason(
            "..",
            "http://h/a//b",
            right=url("http://h/a/"),
            answer=url("http://h/"),
            entry="empty-segment",
        ),
        id="empty-segment-that-is-no-level",
    ),
    pytest.param(
        Reason("..", "http://h/a/b/c", right=url("http://h/a/"), answer=url("http://h/"), entry=None),
        id="one-level-too-many",
    ),
    pytest.param(
        Reason("../", "blob:/C:/d?", right=url("blob:/"), answer=url("blob:/C:/"), entry="file-drive"),
        id="drive-that-dots-do-not-remove",
    ),
    pytest.param(
        Reason(
            "g",
            "http://a/../b/c",
            right=url("http://a/b/g"),
            answer=url("http://a/../b/g"),
            entry="dots-in-base",
        ),
        id="excess-dots-of-a-base",
    ),
    pytest.param(
        Reason(
            "//:@h",
            None,
            right=parts(None, "h", userinfo=":"),
            answer=parts(None, "h"),
            entry="empty-component",
        ),
        id="user-and-password-that-are-empty",
    ),
    pytest.param(
        Reason("g", "f://", right=url("f:///g"), answer=url("f:g"), entry="empty-host"),
        id="slash-that-an-empty-host-adds",
    ),
    pytest.param(
        Reason(
            "/r/http://x",
            None,
            right=parts(None, None, "/r/http://x"),
            answer=parts("http", None, "/r/http://x"),
            entry="relative-reference",
        ),
        id="scheme-that-is-not-the-colon-of-a-later-segment",
    ),
    pytest.param(
        Reason("", "https:/C:/d", right=url("https:/C:/d"), answer=url("https://c/d"), entry="slash-count"),
        id="slash-of-the-base",
    ),
    pytest.param(
        Reason(
            "//h.:80/",
            "http://b/",
            right=url("http://h.:80/"),
            answer=url("http://h./"),
            entry="default-port",
        ),
        id="default-port-of-the-scheme-of-the-base",
    ),
    pytest.param(
        Reason(
            "x://u:p@/a",
            None,
            right=parts("x", "", "/a", userinfo="u:p"),
            answer=parts("file", "", "x://u:p@/a"),
            entry="empty-host",
        ),
        id="user-before-an-empty-host-of-an-unknown-scheme",
    ),
    pytest.param(
        Reason(
            "file://u@h_1/a",
            None,
            right=parts("file", "h_1", "/a", userinfo="u"),
            answer=parts("file", None, "u@h_1/a"),
            entry="file-host",
        ),
        id="authority-of-a-file-in-its-path",
    ),
    pytest.param(
        Reason(
            "//a:b:c@%61%3Ad",
            None,
            right=parts(None, "%61%3Ad", userinfo="a:b:c"),
            answer=parts(None, "a", userinfo="c"),
            entry="escape-in-host",
        ),
        id="decoded-colon-in-a-host-beside-unlike-users",
    ),
    pytest.param(
        Reason(
            "http://127.0.0.1./",
            None,
            right=parts("http", "127.0.0.1.", "/"),
            answer=parts("http", None, "/"),
            entry="trailing-dot",
        ),
        id="dot-after-an-address",
    ),
    pytest.param(
        Reason(
            "http://1.2.3.4.5./",
            None,
            right=parts("http", "1.2.3.4.5.", "/"),
            answer=parts("http", None, "/"),
            entry=None,
        ),
        id="dot-after-a-number-that-is-no-address",
    ),
    pytest.param(
        Reason("urn-7:*x", None, right=ACCEPT, answer=REJECT, entry=None),
        id="refused-for-the-scheme-or-the-asterisk",
    ),
    pytest.param(
        Reason(
            "file://u:p@localhost:8080/I:/m",
            None,
            right=parts("file", "localhost", "/I:/m", userinfo="u:p", port="8080"),
            answer=parts("file", "", "/I:/m"),
            entry="file-host",
        ),
        id="localhost-before-a-drive",
    ),
    pytest.param(
        Reason(
            "file://h/I:/m",
            None,
            right=parts("file", "h", "/I:/m"),
            answer=parts("file", "", "/I:/m"),
            entry="file-drive",
        ),
        id="drive-for-which-another-host-is-lost",
    ),
    pytest.param(
        Reason(
            "wais://u@%FF:65535?q",
            None,
            right=parts("wais", "%FF", userinfo="u", port="65535", query="q"),
            answer=parts("wais", "\xff", userinfo="u", port="65535", query="q"),
            entry="escape-in-host",
        ),
        id="host-decoded-as-latin-1-before-a-question-mark",
    ),
    pytest.param(
        Reason("f:..//a", "http://a/b/c/d;p?q", right=url("f:/a"), answer=url("f://a"), entry="double-slash"),
        id="dots-before-slashes-beside-the-host-of-another-scheme",
    ),
    pytest.param(
        Reason(
            "f:..//a",
            "http://a/b/c",
            right=url("f:/a"),
            answer=url("f://a/b/..//a"),
            entry="unknown-scheme",
        ),
        id="dots-before-slashes-after-the-host-of-the-base",
    ),
    pytest.param(
        Reason(
            "/%2Fa/b",
            "foo:/a/b",
            right=url("foo:/%2Fa/b"),
            answer=url("foo://a/%2Fa/b"),
            entry="unknown-scheme",
        ),
        id="path-of-the-base-as-a-host-before-an-encoded-slash",
    ),
    pytest.param(
        Reason(
            "../..?/a/../b/./",
            "ftp://h/a//?/a/../b/./",
            right=url("ftp://h/?/a/../b/./"),
            answer=url("ftp://h/a//?/a/../b/./"),
            entry="empty-segment",
        ),
        id="query-that-a-reference-has-as-well-as-its-base",
    ),
    pytest.param(
        Reason(
            "//;u;@h/;a;",
            "http://a/b/c",
            right=url("http://;u;@h/;a;"),
            answer=url("http://a/;u;@h/;a;"),
            entry="network-path",
        ),
        id="host-of-the-base-beside-semicolons",
    ),
    pytest.param(
        Reason(
            "ssh://a:b:c@h/a/../../d?q",
            "foo:/a/b",
            right=url("ssh://a:b:c@h/d?q"),
            answer=url("ssh://d?q"),
            entry="excess-dotdot",
        ),
        id="authority-that-excess-dots-remove",
    ),
    pytest.param(
        Reason(
            ";x?q=1",
            "foo://h?q=1",
            right=url("foo://h/;x?q=1"),
            answer=url("foo://;x?q=1"),
            entry="pathless-base",
        ),
        id="reference-in-the-place-of-a-host",
    ),
    pytest.param(
        Reason(
            "file://::p@h:80?q",
            None,
            right=parts("file", "h", userinfo="::p", port="80", query="q"),
            answer=parts("file", "::p@h:80", query="q"),
            entry="file-host",
        ),
        id="authority-of-a-file-as-its-host",
    ),
    pytest.param(
        Reason(
            "sip://[2001:db8::1]/a:b",
            None,
            right=parts("sip", "[2001:db8::1]", "/a:b"),
            answer=parts("sip", "//[2001:db8::1]/a:b"),
            entry="unknown-scheme",
        ),
        id="all-after-a-scheme-as-the-host",
    ),
    pytest.param(
        Reason(
            "http://%F4%90%80%80:p@h/",
            None,
            right=parts("http", "h", "/", userinfo="%F4%90%80%80:p"),
            answer=parts("http", "h", "/"),
            entry=None,
        ),
        id="lost-user-whose-triplets-are-no-utf-8",
    ),
    pytest.param(
        Reason(
            "mailto://u@h/a/.%2e/b",
            None,
            right=parts("mailto", "h", "/a/.%2e/b", userinfo="u"),
            answer=shows(scheme="mailto", path="//u@h/a/.%2e/b"),
            entry=None,
        ),
        id="encoded-dots-that-both-paths-have",
    ),
    pytest.param(
        Reason(
            "",
            "file://h/a?b/c",
            right=url("file://h/a?b/c"),
            answer=url("file://h/a"),
            entry="empty-reference",
        ),
        id="query-of-a-file-base-that-an-empty-reference-keeps",
    ),
    pytest.param(
        Reason(
            "file://[2001:db8::1]/a",
            None,
            right=parts("file", "[2001:db8::1]", "/a"),
            answer=parts("file", "[[2001:db8::1]]", "/a"),
            entry="ipv6-literal",
        ),
        id="brackets-twice-in-a-file",
    ),
    pytest.param(
        Reason(
            "..;z/g",
            "http://h/a;x=1/b;y",
            right=url("http://h/a;x=1/..;z/g"),
            answer=url("http://h/g"),
            entry="dots-elsewhere",
        ),
        id="dots-before-parameters-that-are-removed",
    ),
    pytest.param(
        Reason(
            "a.", "ftp://h/a/b?/c/", right=url("ftp://h/a/a."), answer=url("ftp://h/a/b%3F/c/a."), entry=None
        ),
        id="name-with-a-dot-that-both-paths-have",
    ),
    *[
        pytest.param(
            Reason(
                reference,
                "ftp://h/a/b?/a/../b/./",
                right=url(right),
                answer=url(answer),
                entry="ftp-question",
            ),
            id=f"query-of-an-ftp-base-before-{name}",
        )
        for name, reference, right, answer in [
            ("dots", "a.", "ftp://h/a/a.", "ftp://h/a/b?/b/a."),
            ("a-query", "?)", "ftp://h/a/b?)", "ftp://h/a/b?/b/?)"),
            ("parameters", ";x", "ftp://h/a/;x", "ftp://h/a/b?/b/;x"),
        ]
    ],
]


#: A text, the host that only one of two parsers sees, and the class of the difference.
LOST_HOSTS = [
    pytest.param(
        "http://evil.example\\ @/", "evil.example", "backslash", id="before-a-backslash-and-a-blank"
    ),
    pytest.param("http://evil.example\\\t@/", "EVIL.example", "backslash", id="before-a-backslash-and-a-tab"),
    pytest.param("http://evil.example\\ @/", "evil.example\\ @", None, id="with-both"),
    pytest.param("http://evil.example \\@/", "evil.example", None, id="before-a-blank"),
]


@pytest.mark.parametrize(("text", "host", "entry"), LOST_HOSTS)
def test_a_host_that_ends_at_a_backslash_is_lost_for_it(text, host, entry):
    answers = (Answer("parsed", components={"host": ""}), Answer("parsed", components={"host": host}))
    values = value_pair("host", text, None, *answers)
    assert class_of_text(text, "host", values=values) == entry


#: A text, its normal form, another one, and the class of the difference.
NORMAL_FORMS = [
    pytest.param("a/..//b", "a/..//b", "//b", "double-slash", id="dots-before-slashes"),
    pytest.param("http:/%2Fa/b", "http:/%2Fa/b", "http://a/b", "encoded-delimiter", id="decoded-slash"),
    pytest.param("http:/%2Fa/b", "http:/%2Fa/b", "http://%2fa/b", "slash-count", id="one-slash"),
    pytest.param(
        "http://:a::b:@x%40%2F/",
        "http://:a::b:@x%40%2F/",
        "http://:a::b:@x@%2F/",
        "escape-in-host",
        id="decoded-at-sign-of-a-host-beside-colons",
    ),
    pytest.param("http://h/%21", "http://h/%21", "http://h/!", "escaped-unreserved", id="mark-of-rfc2396"),
    pytest.param("http://h/%2C", "http://h/%2C", "http://h/,", "encoded-delimiter", id="delimiter"),
]


@pytest.mark.parametrize(("text", "right", "answer", "entry"), NORMAL_FORMS)
def test_a_class_is_the_reason_for_another_normal_form(question, run, text, right, answer, entry):
    case = question(text, url(right), op="normalize", rule=None, mode="syntax")
    (disagreement,) = make_matrix(run((case, {"lib": url(answer)}))).differences_from_rfc("lib")
    assert disagreement.entry == entry


#: The bases of other questions on resolution whose scheme a library shows, with the references and the
#: targets, and the class of a scheme that it loses with the base `f:a/b` and the reference `g`.
SCHEMES_SEEN = [
    pytest.param(
        [("f://h/", "/n", "f://h/n"), ("x:/", "/n", "x:/n")], "rootless", id="with-a-host-and-another-rooted"
    ),
    pytest.param([("f:/", "/n", "f:/n")], "rootless", id="rooted"),
    pytest.param([("f://h/", "/n", "f://h/n")], None, id="with-a-host-only"),
    pytest.param([("f://h/", "/n", "f://h/n"), ("http:/", "/n", "http:/n")], None, id="rooted-of-http"),
    pytest.param([("f:a/", "n", "f:a/n"), ("f:/", "/n", "f:/n")], None, id="rootless"),
    pytest.param([("x://h/", "/n", "x://h/n"), ("x:/", "/n", "x:/n")], "unknown-scheme", id="another-scheme"),
    pytest.param([("f://h/", "n", "f://h/n")], "unknown-scheme", id="path-as-a-whole"),
]


@pytest.mark.parametrize(("targets", "entry"), SCHEMES_SEEN)
def test_a_scheme_that_a_library_shows_elsewhere_is_not_lost_for_what_it_is(question, run, targets, entry):
    rows = [(question("g", url("f:a/g"), base="f:a/b"), {"lib": url("g")})]
    for number, (base, reference, target) in enumerate(targets, 1):
        case = question(reference, url(target), base=base, number=number)
        rows.append((case, {"lib": url(target)}))
    (disagreement,) = make_matrix(run(*rows)).differences_from_rfc("lib")
    assert disagreement.component == "scheme"
    assert disagreement.entry == entry


def test_a_right_target_with_another_scheme_does_not_show_the_scheme(question, run):
    """The RFC leaves the target open, so that the library passes without the scheme."""
    target = {"any": [{"result": "f:/.//g"}, {"result": "/.//g", "variant": "x"}]}
    rows = [
        (question("g", url("f:a/g"), base="f:a/b", number=1), {"lib": url("g")}),
        (question("/n", url("f://h/n"), base="f://h/", number=2), {"lib": url("f://h/n")}),
        (question("/.//g", url("f:/.//g"), base="f:/a", number=3, expect=target), {"lib": url("/.//g")}),
    ]
    (disagreement,) = make_matrix(run(*rows)).differences_from_rfc("lib")
    assert disagreement.entry is None


def test_a_scheme_that_a_library_only_copies_may_be_unknown_to_it(question, run):
    rows = [
        (question("g", url("f:/g"), base="f:/b", number=1), {"lib": url("g")}),
        (question("", url("f:/b"), base="f:/b", number=2), {"lib": url("f:/b")}),
        (question("f://h/", url("f://h/"), base="f:/b", number=3), {"lib": url("f://h/")}),
    ]
    (disagreement,) = make_matrix(run(*rows)).differences_from_rfc("lib")
    assert disagreement.entry == "unknown-scheme"


def test_a_base_that_is_refused_is_not_that_of_an_accepted_text(question, run):
    rows = [
        (question("g", url("f:/g"), base="f:/b", number=1), {"lib": REJECT}),
        (question("f:/b", url("f:/b"), base="http://h/", number=2), {"lib": url("f:/b")}),
        (question("#g", url("f:/b#g"), base="f:/b", number=3), {"lib": url("f:/b#g")}),
    ]
    (disagreement,) = make_matrix(run(*rows)).differences_from_rfc("lib")
    assert disagreement.entry == "unknown-scheme"


def test_a_base_with_a_scheme_that_is_accepted_is_not_refused_for_the_scheme(question, run):
    rows = [
        (question("g", url("ldap:/g"), base="ldap:/C:/d", number=1), {"lib": REJECT}),
        (question("g", url("ldap://h/g"), base="ldap://h/d", number=2), {"lib": url("ldap://h/g")}),
    ]
    (disagreement,) = make_matrix(run(*rows)).differences_from_rfc("lib")
    assert disagreement.entry is None


def test_a_decoded_colon_that_makes_a_scheme_is_an_encoded_delimiter(question, run):
    case = question("%7Ea/../B%3a", url("~a/../B%3A"), op="normalize", rule=None, mode="syntax")
    results = run((case, {"lib": url("B:")}))
    (disagreement,) = make_matrix(results).differences_from_rfc("lib")
    assert disagreement.entry == "encoded-delimiter"


def test_what_an_abbreviation_shows_has_its_class(question, run):
    """Browsers encode the second colon in a userinfo, and all that follow."""
    colons = ":" * 2000
    right = parts("http", "h", "/", userinfo=abbreviation(f"u:{colons}"))
    encoded = parts("http", "h", "/", userinfo=abbreviation("u:" + "%3A" * 2000))
    case = question(abbreviation(f"http://u:{colons}@h/"), right)
    (difference,) = make_matrix(run((case, {"right": right, "lib": encoded}))).differences_from_rfc("lib")
    assert difference.entry == "login-delimiter"
    assert difference.alarming


def test_a_raw_slash_that_is_encoded_beside_an_encoded_one_is_no_encoded_delimiter(question, run):
    case = question("a:/b%2fc", url("a:/b%2Fc"), op="normalize", rule=None, mode="syntax")
    results = run((case, {"lib": url("a:%2Fb%2Fc")}))
    (disagreement,) = make_matrix(results).differences_from_rfc("lib")
    assert disagreement.entry is None


@pytest.mark.parametrize("row", [*REASONS, *CONSTRUCTIONS])
def test_a_class_is_the_reason_for_a_difference(question, run, row):
    case = question(row.text, row.right, base=row.base)
    (disagreement,) = make_matrix(run((case, {"lib": row.answer}))).differences_from_rfc("lib")
    assert disagreement.entry == row.entry


def test_case_beside_signs_in_a_scheme_is_no_class(make_case, run):
    """A library that does not see the scheme is not wrong because of the case."""
    case = make_case(
        "rfc3986-6.2.2.1-x",
        op="equivalent",
        rule=None,
        url="git+ssh://h",
        other="Git+SSH://h",
        mode="syntax",
        expect={"equal": True},
    )
    results = run((case, {"lib": {"status": "ok", "equal": False}}))
    (disagreement,) = make_matrix(results).differences_from_rfc("lib")
    assert disagreement.entry is None


def test_a_drive_letter_that_one_of_two_urls_has_as_its_host_is_a_drive(make_case, run):
    texts = {"url": "file://C:/a", "other": "file:///C:/a"}
    case = make_case(
        "rfc3986-6.1-x", op="equivalent", rule=None, mode="scheme", expect={"equal": False}, **texts
    )
    results = run((case, {"lib": {"status": "ok", "equal": True}}))
    (disagreement,) = make_matrix(results).differences_from_rfc("lib")
    assert disagreement.entry == "file-drive"


def test_a_crash_has_no_class(question, run):
    """An error inside a library says nothing of how it reads the text."""
    case = question("http://1.2.3/", ACCEPT)
    (disagreement,) = make_matrix(run((case, {"right": ACCEPT, "lib": CRASH}))).differences_from_rfc("lib")
    assert disagreement.component == "verdict"
    assert disagreement.entry is None


#: Components to recompose, the result, an answer, and the class of the difference.
RECOMPOSED = [
    pytest.param(
        {"scheme": "f", "path": "//g"}, "f://g", "f:/.//g", "double-slash", id="path-that-reads-as-authority"
    ),
    pytest.param(
        {"scheme": "f", "authority": "%23@h", "userinfo": "%23", "host": "h", "path": ""},
        "f://%23@h",
        "f://#@h",
        None,
        id="a-host-that-was-given-is-not-looked-for",
    ),
    pytest.param(
        {"scheme": "file", "authority": "", "host": "", "path": "", "query": "q"},
        "file://?q",
        "file:?q",
        "empty-host",
        id="an-empty-host-of-any-scheme",
    ),
]


@pytest.mark.parametrize(("components", "right", "answer", "entry"), RECOMPOSED)
def test_a_wrong_host_of_a_recomposed_text_has_a_class_of_its_components(
    make_case, run, components, right, answer, entry
):
    case = make_case(
        "rfc3986-5.3-x", op="recompose", rule=None, url="", components=components, expect={"result": right}
    )
    (disagreement,) = make_matrix(run((case, {"right": url(right), "lib": url(answer)}))).disagreements
    assert disagreement.component == "host"
    assert disagreement.entry == entry


#: A base and a reference that RFC 3986 resolves, the class that a person named, and why a library may refuse
#: them besides what the reference is.
REFUSED = [
    pytest.param("http://a/b#f", "?y", "query-only", id="base-with-a-fragment"),  # section 5.1
    pytest.param("f:/a/b", "?y", "query-only", id="unlisted-scheme"),
    pytest.param("http://my--site.example/a", "?y", "query-only", id="reserved-hyphens"),  # RFC 5891, 4.2.3.1
    pytest.param("https:/C:/d", "", "empty-reference", id="one-slash"),
    pytest.param("urn:a:b?c", "#", "lone-hash", id="query-of-a-urn"),
    pytest.param("file:/a/b", "//h/c", "empty-path", id="host-of-a-file"),
]


@pytest.mark.parametrize(("base", "reference", "named"), REFUSED)
def test_a_refusal_of_several_unusual_things_has_no_class(question, run, base, reference, named):
    any_target = url("http://x/")  # beside a refusal, it does not matter which target is right
    case = question(reference, any_target, base=base, **{"class": named})
    (disagreement,) = make_matrix(run((case, {"right": any_target, "lib": REJECT}))).disagreements
    assert disagreement.entry is None


def test_a_host_that_a_file_url_gets_is_refused_if_the_question_is_about_it(question, run):
    case = question("//h/c", url("file://h/c"), base="file:/a/b", **{"class": "file-host"})
    (disagreement,) = make_matrix(run((case, {"right": url("file://h/c"), "lib": REJECT}))).disagreements
    assert disagreement.entry == "file-host"


def test_user_information_is_what_is_refused_in_a_file_url(question, run):
    """Every file URL has the form of `file-host`, and RFC 1738, section 3.10, gives it no user."""
    right = parts("file", "h", "/", userinfo="u")
    case = question("file://u@h/", right, **{"class": "file-host"})
    (disagreement,) = make_matrix(run((case, {"right": right, "lib": REJECT}))).disagreements
    assert disagreement.entry == "userinfo-not-allowed"


def test_a_refusal_of_one_unusual_thing_has_its_class(question, run):
    case = question("?y", url("http://a/b?y"), base="http://a/b")
    (disagreement,) = make_matrix(run((case, {"right": url("http://a/b?y"), "lib": REJECT}))).disagreements
    assert disagreement.entry == "query-only"


#: A text that a library refuses, another one that it accepts, and the class of the refusal.
BESIDE_ANOTHER_ANSWER = [
    pytest.param("a#b:c", "a#b", None, id="same-form"),
    pytest.param("a#b:c", "http://h/", "relative-reference", id="another-form"),
    pytest.param("https://h:/", "http://h:/", "empty-port", id="another-scheme"),
    pytest.param("ldap:x-/y", "ldap://h/", None, id="scheme-that-is-accepted"),
    pytest.param("telnet://h/", "telnet:h", "scheme-rule", id="rule-for-a-scheme-that-is-accepted"),
    pytest.param("ldap:x-/y", "imap://h/", "unknown-scheme", id="unlike-scheme-that-is-accepted"),
    pytest.param("http://a_b/", "http://-a/", "host-label", id="class-of-many-forms"),
    pytest.param("a#b:c", "/a#b", "relative-reference", id="another-beginning"),
    pytest.param("a#b:c", "a", "relative-reference", id="other-delimiters"),
]


@pytest.mark.parametrize(("refused", "accepted", "entry"), BESIDE_ANOTHER_ANSWER)
def test_what_a_library_accepts_elsewhere_is_no_reason_for_a_refusal(question, run, refused, accepted, entry):
    rows = [
        (question(refused, ACCEPT, number=1), {"lib": REJECT}),
        (question(accepted, ACCEPT, number=2), {"lib": ACCEPT}),
    ]
    (disagreement,) = make_matrix(run(*rows)).differences_from_rfc("lib")
    assert disagreement.entry == entry


def test_an_invalid_text_that_a_library_accepts_shows_no_reason(question, run):
    """It may read the empty text before the colon as a scheme."""
    rows = [
        (question("a//b:c", ACCEPT, number=1), {"lib": REJECT}),
        (question("://h", REJECT, number=2), {"lib": ACCEPT}),
    ]
    refusal, _ = make_matrix(run(*rows)).differences_from_rfc("lib")
    assert refusal.entry == "relative-reference"


def test_a_network_path_that_is_accepted_elsewhere_is_no_reason_for_a_refusal(question, run):
    refused_target = url("http://xn--99999999.h/")
    accepted_target = url("http://g.h/")
    rows = [
        (question("//xn--99999999.h/", refused_target, base="http://b/", number=1), {"lib": REJECT}),
        (question("//g.h/", accepted_target, base="http://b/", number=2), {"lib": accepted_target}),
    ]
    (disagreement,) = make_matrix(run(*rows)).differences_from_rfc("lib")
    assert disagreement.entry is None


@pytest.fixture
def class_of_refused_port(make_case, run):
    """A function that returns the class of a refusal of `//h:99999` in a question with this id."""

    def class_of_refusal(identifier):
        fields = {"op": "validate", "rule": "URI-reference", "url": "//h:99999"}
        case = make_case(identifier, expect={"valid": True}, **fields)
        (disagreement,) = make_matrix(run((case, {"lib": REJECT}))).differences_from_rfc("lib")
        return disagreement.entry

    return class_of_refusal


def test_of_several_unusual_things_that_of_the_section_is_what_is_refused(class_of_refused_port):
    assert class_of_refused_port("rfc3986-3.2.3-x") == "port-digits"


def test_the_section_of_a_combination_is_no_reason_for_a_refusal(class_of_refused_port):
    assert class_of_refused_port("rfc3986-3.2.3-pair-1") is None


def test_a_section_on_another_component_is_no_reason_for_a_refusal(class_of_refused_port):
    assert class_of_refused_port("rfc3986-3.2.1-x") is None


#: A text, the authority that a library shows, which has lost a delimiter, and the class of the difference.
DELIMITERS = [
    pytest.param("//h:/a", "h", "empty-port", id="colon"),
    pytest.param("//@h/a", "h", "empty-component", id="at-sign"),
    pytest.param("//@h:/a", "h", "empty-component", id="both"),
    pytest.param("//[v1.a:b]/", "v1.a:b", "ipv6-literal", id="brackets"),
    pytest.param("//u@[v1.a:b]:/", "u@v1.a:b:", "ipv6-literal", id="brackets-beside-a-colon"),
    pytest.param("//h/", "h:", None, id="added-colon"),
]


@pytest.mark.parametrize(("text", "authority", "entry"), DELIMITERS)
def test_a_delimiter_that_an_authority_loses_has_its_class(question, run, text, authority, entry):
    """The library shows the parts of the authority right, and the authority as a whole wrong."""
    right = RFC3986.asdict(RFC3986.parse(text))
    case = question(text, {"status": "ok", "components": right})
    components = {"host": right["host"], "path": right["path"], "authority": authority}
    matrix = make_matrix(run((case, {"lib": {"status": "ok", "components": components}})))
    (disagreement,) = matrix.differences_from_rfc("lib")
    assert disagreement.component == "authority"
    assert disagreement.entry == entry


#: A text, the authority that a library shows beside the right parts, and the class of the difference.
BESIDE_HOST = [
    pytest.param("//'@-h:08/", "%27@-h:8", None, id="user-and-port"),
    pytest.param("//u@-h:0/", "u@-h", "port-digits", id="lost-port"),
    pytest.param("//a:b:c@-h/", "a:b%3Ac@-h", "login-delimiter", id="escaped-colon"),
    pytest.param("//a=b@-h:/", "a%3Db@-h", "login-delimiter", id="escape-beside-an-empty-port"),
    pytest.param("//u:@-h:/", "u@-h", "empty-component", id="lost-colon-beside-an-empty-port"),
    pytest.param("//:@-h:/", "-h", "empty-component", id="lost-colon-alone-beside-an-empty-port"),
    pytest.param("//%2541@-h:/", "%252541@-h", None, id="escaped-escape-beside-an-empty-port"),
]


@pytest.mark.parametrize(("text", "authority", "entry"), BESIDE_HOST)
def test_equal_hosts_are_no_reason_for_unlike_authorities(question, run, text, authority, entry):
    right = RFC3986.asdict(RFC3986.parse(text))
    case = question(text, {"status": "ok", "components": right}, **{"class": "host-label"})
    components = {**right, "authority": authority}
    matrix = make_matrix(run((case, {"lib": {"status": "ok", "components": components}})))
    (disagreement,) = matrix.differences_from_rfc("lib")
    assert disagreement.entry == entry


def test_the_part_for_which_a_combination_is_named_is_no_reason_for_a_lost_host(make_case, run):
    """The user information is empty, which is as odd as the dot."""
    right = RFC3986.asdict(RFC3986.parse("//@h."))
    fields = {"op": "parse", "rule": None, "url": "//@h.", "class": "trailing-dot"}
    case = make_case("rfc3986-3.2.2-pair-1", expect={"components": right}, **fields)
    components = {"authority": "@h.", "host": None, "path": ""}
    matrix = make_matrix(run((case, {"lib": {"status": "ok", "components": components}})))
    (disagreement,) = matrix.differences_from_rfc("lib")
    assert disagreement.component == "host"
    assert disagreement.entry is None


def test_the_part_for_which_a_combination_is_named_distinguishes_forms_of_an_address(make_case, run):
    right = RFC3986.asdict(RFC3986.parse("//010.0.0.1"))
    fields = {"op": "parse", "rule": None, "url": "//010.0.0.1", "class": "ipv4-range"}
    case = make_case("rfc3986-3.2.2-pair-1", expect={"components": right}, **fields)
    components = {**right, "host": "8.0.0.1"}
    del components["authority"]
    matrix = make_matrix(run((case, {"lib": {"status": "ok", "components": components}})))
    (disagreement,) = matrix.differences_from_rfc("lib")
    assert disagreement.entry == "ipv4-range"
