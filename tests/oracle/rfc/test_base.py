"""The base that applies: RFC 1808 sections 3 to 3.4, RFC 2396 section 5.1, RFC 3986 section 5.1."""

from __future__ import annotations

import itertools
import re

import pytest

from urloracle.errors import InvalidURL
from urloracle.operations import base_header, base_url, resolve
from urloracle.rfc import base
from urloracle.rfcs import UnknownSpecification
from urloracle.specification import Unsupported

#: The bases of the four layers: embedded, encapsulating, retrieval and default.
E, C, R, D = "http://e/x", "http://c/x", "http://r/x", "http://d/x"

SECTIONS = {
    "rfc1808": ("3.1", "3.2", "3.3", "3.4"),
    "rfc2396": ("5.1.1", "5.1.2", "5.1.3", "5.1.4"),
    "rfc2732": ("5.1.1", "5.1.2", "5.1.3", "5.1.4"),
    "rfc3986": ("5.1.1", "5.1.2", "5.1.3", "5.1.4"),
}
NAMES = ("embedded", "encapsulating", "retrieval", "default")


#: The base of each layer, from the innermost to the outermost.
LAYERS = dict(zip(NAMES, (E, C, R, D), strict=True))


@pytest.mark.parametrize("spec", SECTIONS)
@pytest.mark.parametrize("innermost", ["embedded", "encapsulating", "retrieval"])
def test_the_innermost_defined_layer_wins(spec, innermost):
    """The layers around it do not matter (RFC 3986, section 5.1)."""
    number = NAMES.index(innermost)
    expected = (LAYERS[innermost], innermost, SECTIONS[spec][number], ())
    for outer_layers in _subsets(NAMES[number + 1 :]):
        layers = {name: LAYERS[name] for name in (innermost, *outer_layers)}
        assert base_url(spec, **layers) == expected, outer_layers


def _subsets(names):
    """Yield every subset of some names, the empty one included."""
    for size in range(len(names) + 1):
        yield from itertools.combinations(names, size)


def section_of_the_default(spec):
    """Return the section about the last of the four layers."""
    *_, section = SECTIONS[spec]
    return section


@pytest.mark.parametrize("spec", ["rfc2396", "rfc2732", "rfc3986"])
def test_a_default_is_the_base_if_no_other_layer_is_defined(spec):
    """RFC 2396, section 5.1.4; RFC 3986, section 5.1.4."""
    assert base_url(spec, default=D) == (D, "default", section_of_the_default(spec), ())


def test_rfc1808_has_no_other_default_than_the_empty_string():
    """RFC 1808, section 3.4."""
    assert base_url("rfc1808", default=D) == ("", "default", "3.4", ())


@pytest.mark.parametrize(
    ("spec", "url"), [("rfc1808", ""), ("rfc2396", None), ("rfc2732", None), ("rfc3986", None)]
)
def test_without_any_layer_the_base_is_empty_in_rfc1808_and_undefined_elsewhere(spec, url):
    """RFC 1808, section 3.4, has the empty string there; RFC 2396 and RFC 3986, section 5.1.4, have none."""
    assert base_url(spec) == (url, "default", section_of_the_default(spec), ())


#: An RFC, the layers that are defined, and the base.
TABLE = {
    # the appendix of RFC 1808: the base of the document wins over whatever context there is
    "1808-embedded-first": (
        "rfc1808",
        {"embedded": "http://www.ics.uci.edu/Test/a/b/c", "retrieval": R},
        "http://www.ics.uci.edu/Test/a/b/c",
    ),
    # section 3.4: undefined is the empty string, and an undefined layer is none
    "1808-none": ("rfc1808", {}, ""),
    "1808-undefined": ("rfc1808", {"encapsulating": ""}, ""),
    "1808-undefined-and-retrieval": ("rfc1808", {"encapsulating": "", "retrieval": R}, R),
    # R-1808-12, R-1808-27: the fragment of a base is kept
    "1808-fragment": ("rfc1808", {"retrieval": "http://a/b/c/d;p?q#f"}, "http://a/b/c/d;p?q#f"),
    # RFC 2396: the base is a URI, which has no fragment (R-2396-01, R-2396-22)
    "2396-fragment": ("rfc2396", {"retrieval": "http://a/b#f"}, "http://a/b"),
    "2396-empty-fragment": ("rfc2396", {"retrieval": "http://a/b?q#"}, "http://a/b?q"),
    # RFC 3986, section 5.1: absolute form, no fragment
    "3986-fragment": ("rfc3986", {"retrieval": "http://a/b#f"}, "http://a/b"),
    "3986-relative-with-fragment": (
        "rfc3986",
        {"embedded": "../x#f", "retrieval": "http://a/b/c/d"},
        "http://a/b/x",
    ),
    "3986-relative-twice": (
        "rfc3986",
        {"embedded": "x", "encapsulating": "y/", "retrieval": "http://a/b"},
        "http://a/y/x",
    ),
    "3986-empty": ("rfc3986", {"embedded": "", "default": "http://a/b?q"}, "http://a/b?q"),
    "3986-network-path": ("rfc3986", {"embedded": "//e/x", "default": D}, "http://e/x"),
    "3986-none": ("rfc3986", {}, None),
}


@pytest.mark.parametrize(("spec", "layers", "expected"), TABLE.values(), ids=TABLE)
def test_a_base_is_found_in_its_layer(spec, layers, expected):
    assert base_url(spec, **layers).url == expected


@pytest.mark.parametrize(
    ("spec", "layers", "text"),
    [
        pytest.param("rfc1808", {"embedded": "../x", "retrieval": R}, "../x", id="1808-embedded"),
        pytest.param("rfc2396", {"embedded": "../x", "retrieval": R}, "../x", id="2396-embedded"),
        pytest.param("rfc2396", {"encapsulating": ""}, "", id="2396-empty"),
        pytest.param("rfc3986", {"embedded": "../x"}, "../x", id="3986-nothing-to-resolve-against"),
        pytest.param("rfc3986", {"default": "x"}, "x", id="3986-default"),
    ],
)
def test_a_base_has_to_be_absolute(spec, layers, text):
    """RFC 1808, section 3. RFC 2396, section 5.1. RFC 3986, section 5.1: an `absolute-URI`."""
    with pytest.raises(InvalidURL) as caught:
        base_url(spec, **layers)
    assert caught.value.text == text
    assert caught.value.reason == "a base must be absolute, but this one has no scheme"


@pytest.mark.parametrize(
    ("spec", "layers", "text", "position"),
    [
        pytest.param("rfc1808", {"retrieval": "http://a/{b}"}, "http://a/{b}", 9, id="1808"),
        pytest.param("rfc3986", {"embedded": "a b", "retrieval": R}, "a b", 1, id="3986"),
    ],
)
def test_a_base_has_to_be_valid(spec, layers, text, position):
    with pytest.raises(InvalidURL) as caught:
        base_url(spec, **layers)
    assert caught.value.text == text
    assert caught.value.position == position


def test_rfc1738_defines_no_base():
    with pytest.raises(Unsupported, match="RFC 1738 does not define relative references"):
        base_url("rfc1738", retrieval=R)


def test_an_unknown_specification_is_an_error():
    with pytest.raises(UnknownSpecification, match="no specification named 'rfc1'"):
        base_url("rfc1", retrieval=R)


#: The base of the example in the appendix of RFC 1808, and in its section 3.1.
EXAMPLE = "http://www.ics.uci.edu/Test/a/b/c"


@pytest.mark.parametrize("spec", SECTIONS)
def test_the_base_of_the_appendix_resolves_its_reference(spec):
    base = base_url(spec, embedded=EXAMPLE, encapsulating=C, retrieval=R)
    assert base.url is not None
    assert resolve(base.url, "../x", spec).text == "http://www.ics.uci.edu/Test/a/x"


# the header field of RFC 1808, section 3.1

#: A header and its URL.
HEADERS = {
    f"Base: <URL:{EXAMPLE}>": EXAMPLE,
    "Base:<URL:http://a/b>": "http://a/b",
    "BASE: <URL:http://a/>": "http://a/",
    "base\t:\t<URL:http://a/>": "http://a/",
    "bAsE : <URL:http://a/> ": "http://a/",
    "Base: <URL:http://a/>\r\n": "http://a/",
    "Base: <URL:http://a/>\n": "http://a/",
    "Base:\r\n <URL:http://a/>": "http://a/",
    "Base:\n\t<URL:http://a/>": "http://a/",
    "Base: <URL:http://a/\r\n  b>": "http://a/b",
    "Base: <URL:http://a/\n  b\tc >": "http://a/bc",
    "Base: < URL:http://a/>": "http://a/",
    "Base: <URL: http://a/>": "http://a/",
    "Base: <URL:a:b>": "a:b",
    "Base: <URL:http://a/-\n b>": "http://a/-b",
}

#: A header and the position of its error.
REFUSED = {
    "Base: <URL:http://a/b/c/d;p?q#f>": 29,  # R-1808-27, the first line of section 5
    "Base: http://a/": 6,
    "Base: <http://a/>": 7,
    "Base: <url:http://a/>": 7,
    "Base: <URL:../g>": 13,
    "Base <URL:http://a/>": 5,
    "Ba se: <URL:http://a/>": 2,
    "Content-Base: <URL:http://a/>": 0,
    "Base: <URL:http://a/": 20,
    "Base:\n<URL:http://a/>": 6,
    "Base: <URL:http://a/> x": 22,
    "Base: <URL:http://a/\n {b}>": 22,
    "": 0,
}


@pytest.mark.parametrize(("line", "url"), HEADERS.items(), ids=HEADERS)
def test_the_url_of_a_header_is_read(line, url):
    assert base_header(line) == url


@pytest.mark.parametrize(("line", "position"), REFUSED.items(), ids=REFUSED)
def test_invalid_headers_are_refused(line, position):
    with pytest.raises(InvalidURL) as caught:
        base_header(line)
    assert caught.value.rule == "base-header"
    assert caught.value.spec == "rfc1808"
    assert caught.value.text == line
    assert caught.value.position == position


def test_a_header_is_the_base_of_the_message():
    base = base_url("rfc1808", encapsulating=base_header(f"Base: <URL:{EXAMPLE}>"), retrieval=R)
    url, layer, section, _ = base
    assert url == EXAMPLE
    assert layer == "encapsulating"
    assert section == "3.2"


ALSO = [
    ("rfc1808", "http://a/b#f", ["http://a/b"], ["R-1808-12"]),
    ("rfc2396", "http://a/b#f", ["http://a/b#f"], ["R-2396-01"]),
    ("rfc2396", "http://a/b", [], []),
    # RFC 3986, section 5.2.1: normalizing the base is optional, by syntax or by scheme
    ("rfc3986", "http://a/b/../c#f", ["http://a/c"], ["R-3986-11"]),
    ("rfc3986", "HTTP://A:80/%7E", ["http://a:80/~", "http://a/~"], ["R-3986-11", "R-3986-11"]),
    ("rfc3986", "file:/a", ["file:///a"], ["R-3986-11"]),
    ("rfc3986", "http://a/b", [], []),
]


@pytest.mark.parametrize(("spec", "url", "other_bases", "rulings"), ALSO)
def test_other_admissible_bases_have_their_rulings(spec, url, other_bases, rulings):
    base = base_url(spec, retrieval=url)
    assert [admitted_base.text for admitted_base in base.also] == other_bases
    assert [admitted_base.ruling for admitted_base in base.also] == rulings


@pytest.mark.parametrize(
    ("cut", "rows"),
    [
        pytest.param(
            lambda url: url,
            {"2396-fragment", "2396-empty-fragment", "3986-fragment", "3986-relative-with-fragment"},
            id="fragment-kept",
        ),
        pytest.param(
            lambda url: re.split("[?#]", url)[0], {"2396-empty-fragment", "3986-empty"}, id="query-cut-too"
        ),
    ],
)
def test_a_fault_of_the_fragment_fails_the_rows_that_have_what_it_changes(monkeypatch, cut, rows):
    monkeypatch.setattr(base, "without_fragment", cut)
    failing_rows = set()
    for name, (spec, layers, expected) in TABLE.items():
        if base_url(spec, **layers).url != expected:
            failing_rows.add(name)
    assert failing_rows == rows


@pytest.mark.parametrize(
    ("sources", "layers"),
    [
        pytest.param(
            ("retrieval", "encapsulating", "embedded", "default"),
            {"embedded": E, "encapsulating": C, "retrieval": R},
            id="outermost-first",
        ),
        pytest.param(
            ("embedded", "retrieval", "encapsulating", "default"),
            {"encapsulating": C, "retrieval": R},
            id="retrieval-too-early",
        ),
    ],
)
def test_a_wrong_order_of_layers_changes_the_base(monkeypatch, sources, layers):
    innermost = base_url("rfc3986", **layers)
    monkeypatch.setattr(base, "SOURCES", sources)
    assert base_url("rfc3986", **layers) != innermost
