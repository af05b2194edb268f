"""Resolution case by case: what each RFC inherits, keeps and drops, and what else it admits."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from urloracle.errors import InvalidURL
from urloracle.operations import normalize, resolve
from urloracle.rfc.resolution import Alternative
from urloracle.specification import Unsupported

BASE = "s://u@h:1/b/c/d;p?q"

# reference: result under RFC 1808, 2396, 3986; the base is the one above
THREE = {
    "": ("s://u@h:1/b/c/d;p?q", "s://u@h:1/b/c/d;p?q", "s://u@h:1/b/c/d;p?q"),
    "?": ("s://u@h:1/b/c/d;p?q", "s://u@h:1/b/c/?", "s://u@h:1/b/c/d;p?"),
    "?y": ("s://u@h:1/b/c/d;p?y", "s://u@h:1/b/c/?y", "s://u@h:1/b/c/d;p?y"),
    ";": ("s://u@h:1/b/c/d;p?q", "s://u@h:1/b/c/;", "s://u@h:1/b/c/;"),
    ";x": ("s://u@h:1/b/c/d;x", "s://u@h:1/b/c/;x", "s://u@h:1/b/c/;x"),
    ";?y": ("s://u@h:1/b/c/d;p?y", "s://u@h:1/b/c/;?y", "s://u@h:1/b/c/;?y"),
    "#z": ("s://u@h:1/b/c/d;p?q#z", "s://u@h:1/b/c/d;p?q#z", "s://u@h:1/b/c/d;p?q#z"),
    "g?": ("s://u@h:1/b/c/g", "s://u@h:1/b/c/g?", "s://u@h:1/b/c/g?"),
    "g#": ("s://u@h:1/b/c/g", "s://u@h:1/b/c/g#", "s://u@h:1/b/c/g#"),
    "..;x": ("s://u@h:1/b/;x", "s://u@h:1/b/c/..;x", "s://u@h:1/b/c/..;x"),
    "g;a/../y": ("s://u@h:1/b/c/g;a/../y", "s://u@h:1/b/c/y", "s://u@h:1/b/c/y"),
    "../../../g": ("s://u@h:1/../g", "s://u@h:1/../g", "s://u@h:1/g"),
    "/./g": ("s://u@h:1/./g", "s://u@h:1/./g", "s://u@h:1/g"),
    "/g/../x": ("s://u@h:1/g/../x", "s://u@h:1/g/../x", "s://u@h:1/x"),
    "//": ("s://u@h:1/b/c/d;p?q", "s://", "s://"),
    "///g": ("s://u@h:1/g", "s:///g", "s:///g"),
    "//k/./g": ("s://k/./g", "s://k/./g", "s://k/g"),
    "//k?y": ("s://k?y", "s://k?y", "s://k?y"),
    "t:/a/../g": ("t:/a/../g", "t:/a/../g", "t:/g"),
    "s:g": ("s:g", "s:g", "s:g"),
    "%2E%2E/g": ("s://u@h:1/b/c/%2E%2E/g",) * 3,
    "g/.": ("s://u@h:1/b/c/g/",) * 3,
    "g:1/2": ("g:1/2",) * 3,
    "./g:1": ("s://u@h:1/b/c/g:1",) * 3,
    "g/../.": ("s://u@h:1/b/c/",) * 3,
    "./../g": ("s://u@h:1/b/g",) * 3,
    "...": ("s://u@h:1/b/c/...",) * 3,
}


@pytest.mark.parametrize("reference", THREE)
def test_three_algorithms(reference):
    """RFC 1808 section 4, RFC 2396 section 5.2, RFC 3986 section 5.2, on one base."""
    found = tuple(resolve(BASE, reference, spec).text for spec in ("rfc1808", "rfc2396", "rfc3986"))
    assert found == THREE[reference]
    assert resolve(BASE, reference, "rfc2732") == resolve(BASE, reference, "rfc2396")


# (spec, base, reference, result)
SINGLE = [
    ("rfc1808", "s://a?b/c", "g", "s://a?b/g"),
    ("rfc1808", "s://a;p/c", "g", "s://a;p/g"),
    ("rfc2396", "s://a?b/c", "g", "s://a/g"),
    ("rfc3986", "s://a?b/c", "g", "s://a/g"),
    ("rfc1808", "s://a/b;p/c/d", "g", "s://a/g"),
    ("rfc3986", "s://a/b;p/c/d", "g", "s://a/b;p/c/g"),
    ("rfc1808", "s://a#f", "", "s://a#f"),
    ("rfc2396", "s://a?q#f", "", "s://a?q"),
    ("rfc3986", "s://a?q#f", "", "s://a?q"),
    ("rfc1808", "s://a/b#f", "#", "s://a/b"),
    ("rfc3986", "s://a/b#f", "#", "s://a/b#"),
    ("rfc1808", "s://a", ";x", "s://a/;x"),
    ("rfc1808", "s://a", "?y", "s://a/?y"),
    ("rfc2396", "s://a", "?y", "s://a/?y"),
    ("rfc3986", "s://a", "?y", "s://a?y"),
    ("rfc3986", "s://a", "g", "s://a/g"),
    ("rfc3986", "s://", "g", "s:///g"),
    ("rfc3986", "s:", "g", "s:g"),
    ("rfc3986", "s:b/c", "../g", "s:/g"),
    ("rfc3986", "s:b", "../../g", "s:g"),
    ("rfc3986", "s://a/b/..", "g", "s://a/b/g"),
    ("rfc1808", "", "../g#f", "../g#f"),
    ("rfc1808", "s:/a", "///g", "s:/g"),
    ("rfc1808", "s:///a/b", "c", "s:///a/c"),
    ("rfc2396", "s:b", "#f", "s:b#f"),
    ("rfc2396", "s:b", "//k", "s://k"),
    ("rfc2396", "s:b", "t:g", "t:g"),
]


@pytest.mark.parametrize(("spec", "base", "reference", "expected"), SINGLE)
def test_other_bases(spec, base, reference, expected):
    """Bases without a path, without an authority, opaque, with a fragment, and the unknown one."""
    assert resolve(base, reference, spec).text == expected


# (spec, base, reference, what else is admitted)
ALSO = {
    "1808-13": ("rfc1808", "s://a", "g", [("s://ag", "literal", "R-1808-13")]),
    "1808-09": ("rfc1808", "s://a/b", "g?", [("s://a/g?", "delimiter-kept", "R-1808-09")]),
    "1808-22": ("rfc1808", "s:///a/b", "c", [("s:/a/c", "net-loc-dropped", "R-1808-22")]),
    "1808-11": (
        "rfc1808",
        "s:/a#f",
        "#",
        [("s:/a#", "delimiter-kept", "R-1808-09"), ("s:/a#f", "whole-base", "R-1808-11")],
    ),
    "1808-nothing-to-inherit": (
        "rfc1808",
        "s:/a",
        "///g",
        [("s:///g", "delimiter-kept", "R-1808-09")],
    ),
    "1808-none": ("rfc1808", "s://a/b", "g", []),
    "2396-07": ("rfc2396", "http://a/b/c", "http:g", [("http://a/b/g", "loophole", "R-2396-07")]),
    "2396-07-case": ("rfc2396", "http://a/b/c", "HTTP:g", [("http://a/b/g", "loophole", "R-2396-07")]),
    "2396-07-unknown-scheme": ("rfc2396", "s://a/b/c", "s:g", []),
    "2396-07-other-scheme": ("rfc2396", "http://a/b/c", "ftp:g", []),
    "2396-17": ("rfc2396", "s://a", "g", [("s://ag", "literal", "R-2396-17")]),
    "2396-18": (
        "rfc2396",
        "s://a/b",
        "../../g",
        [("s://a/g", "excess-dropped", "R-2396-18"), (None, "error", "R-2396-18")],
    ),
    "3986-06": ("rfc3986", "s://a/b/c", "s:g", [("s://a/b/g", "non-strict", "R-3986-06")]),
    "3986-06-case": ("rfc3986", "s://a/b/c", "S:g", [("s://a/b/g", "non-strict", "R-3986-06")]),
    "3986-09": (
        "rfc3986",
        "f:/a",
        ".//g",
        [("f:/.//g", "guarded", "R-3986-09"), (None, "error", "R-3986-09")],
    ),
    "3986-11": ("rfc3986", "s://a/b/../c", "#s", [("s://a/c#s", "normalized-base", "R-3986-11")]),
    "3986-none": ("rfc3986", "s://a/b/c", "g", []),
}


@pytest.mark.parametrize("name", ALSO)
def test_other_results(name):
    """What a ruling admits besides the recommended result, each once, with the ruling."""
    spec, base, reference, also = ALSO[name]
    assert resolve(base, reference, spec).also == tuple(Alternative(*entry) for entry in also)


@pytest.mark.parametrize(
    ("base", "reference", "result"),
    [
        ("s://a/b?q#f", "", "s://a/b?q"),
        ("s://a/b?q#f", "#g", "s://a/b?q#g"),
        ("s:opaque#f", "#", "s:opaque#"),
    ],
)
def test_same_document(base, reference, result):
    """R-2396-06: a reference that is empty or a fragment alone is the document itself, and flagged so."""
    found = resolve(base, reference, "rfc2396")
    assert (found.text, found.same_document) == (result, True)
    assert not resolve("s://a/b", "?", "rfc2396").same_document
    assert not resolve("s://a/b?q", "", "rfc3986").same_document


# (spec, base, reference, text that is refused, offset)
REFUSED = [
    ("rfc3986", "a/b", "g", "a/b", 1),
    ("rfc3986", "//h/b", "g", "//h/b", 0),
    ("rfc2396", "a/b", "g", "a/b", 0),
    ("rfc1808", "a/b", "g", "a/b", 0),
    ("rfc2396", "s:opaque", "g", "s:opaque", 2),
    ("rfc2396", "mailto:a", "/g", "mailto:a", 7),
    ("rfc2396", "s:opaque", "?q", "s:opaque", 2),
    ("rfc3986", "s://a/b", "1:2", "1:2", 1),
    ("rfc3986", "s://a/\\", "g", "s://a/\\", 6),
    ("rfc1808", "s://a/b", "~g", "~g", 0),
    ("rfc2396", "s://a/b", "g^", "g^", 1),
    ("rfc2396", "^", "g^", "g^", 1),
]


@pytest.mark.parametrize(("spec", "base", "reference", "text", "position"), REFUSED)
def test_refused(spec, base, reference, text, position):
    """An invalid reference, a base that is invalid, relative or opaque: R-1808-17, R-2396-21, R-3986-12."""
    with pytest.raises(InvalidURL) as caught:
        resolve(base, reference, spec)
    assert (caught.value.text, caught.value.position, caught.value.spec) == (text, position, spec)


def test_rfc1738_has_no_relative_references():
    """RFC 1738 leaves them to a later document."""
    with pytest.raises(Unsupported, match="RFC 1738 does not define relative references"):
        resolve("http://h/", "g", "rfc1738")


TEXTS = st.text("aZ09:/?#;%.+@[]\u00e9 ", max_size=10) | st.text(max_size=6)


@settings(derandomize=True, deadline=None, max_examples=400, database=None)
@given(st.sampled_from(["rfc1808", "rfc2396", "rfc2732", "rfc3986"]), TEXTS, TEXTS)
def test_noise_is_resolved_or_refused(spec, base, reference):
    """Whatever is given as a base or a reference: a result, or InvalidURL."""
    for text in (base, f"s://h/b/{base}", "s:/b"):
        try:
            found = resolve(text, reference, spec)
        except InvalidURL as problem:
            assert problem.text in (text, reference)  # noqa: PT017 - both outcomes are right
        else:
            assert reference or found.text.startswith(text.partition("#")[0])
    if spec != "rfc1808":
        with contextlib.suppress(InvalidURL):
            assert normalize(reference, spec, "scheme") is not None
