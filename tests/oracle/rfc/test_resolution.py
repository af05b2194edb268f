"""Resolution: the algorithms against string patterns, targets as in the tables, and the steps to a target."""

from __future__ import annotations

import contextlib
import re
from itertools import product
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from urloracle.errors import InvalidURL
from urloracle.explanation import resolution_steps
from urloracle.operations import normalize, parse, resolve
from urloracle.rfc.resolution import Alternative, remove_dot_segments, remove_dots
from urloracle.rfcs import SPECIFICATIONS
from urloracle.specification import Unsupported

# The algorithms once more, as string patterns


def _step_6(path):
    """RFC 1808, section 4, step 6, a to d; RFC 2396, section 5.2, step 6, c to f; without the first slash."""
    path = re.sub(r"(^|(?<=/))\./", "", path)  # every "./" where "." is a complete segment
    path = re.sub(r"(^|(?<=/))\.$", "", path)  # a "." that ends the path
    while True:  # "<segment>/../", leftmost first, until none is left
        path, count = re.subn(r"(^|(?<=/))(?!\.\./)[^/]*/\.\./", "", path, count=1)
        if not count:
            break
    return re.sub(r"(^|(?<=/))(?!\.\./)[^/]*/\.\.$", "", path)  # and at the end of the path


def _dots_on_strings(path):
    return f"/{_step_6(path[1:])}" if path.startswith("/") else _step_6(path)


def _section_5_2_4(path):
    """RFC 3986, section 5.2.4, with the two buffers that it speaks of."""
    buffer = path
    output = ""
    while buffer:
        if buffer.startswith("../"):  # A
            buffer = buffer[3:]
        elif buffer.startswith("./"):
            buffer = buffer[2:]
        elif buffer.startswith("/./"):  # B
            buffer = "/" + buffer[3:]
        elif buffer == "/.":
            buffer = "/"
        elif buffer.startswith("/../") or buffer == "/..":  # C
            buffer = "/" + buffer[4:]
            output = output[: output.rfind("/")] if "/" in output else ""
        elif buffer in (".", ".."):  # D
            buffer = ""
        else:  # E
            segment = re.match(r"/?[^/]*", buffer)[0]
            output = output + segment
            buffer = buffer[len(segment) :]
    return output


def _paths(count, seed):
    random = Random(seed)
    segments = ("..", ".", "", "a", "b", "...", "..a", ".b", "..;x", "%2E", "c")
    for _ in range(count):
        path_segments = random.choices(
            segments, weights=(6, 4, 2, 4, 4, 1, 1, 1, 1, 1, 2), k=random.randrange(1, 9)
        )
        yield random.choice(("/", "")) + "/".join(path_segments)


#: Every path of up to five segments from a few, and thousands of longer ones.
SHORT = [
    slash + "/".join(segments)
    for slash in ("", "/")
    for length in range(1, 6)
    for segments in product(("..", ".", "", "a"), repeat=length)
]
PATHS = [*SHORT, *_paths(6000, 1)]


def test_step_6_removes_the_same_dots_from_lists_and_strings():
    """R-1808-16, R-2396-20: lists of segments and string patterns remove the same dots."""
    assert [path for path in PATHS if remove_dots(path) != _dots_on_strings(path)] == []


def test_remove_dot_segments_follows_the_steps_of_rfc3986():
    """R-3986-08: the two buffers of section 5.2.4, to the letter."""
    assert [path for path in PATHS if remove_dot_segments(path) != _section_5_2_4(path)] == []


@pytest.mark.parametrize(
    ("path", "kept_path", "removed"),
    [
        ("/a/b/c/./../../g", "/a/g", "/a/g"),
        ("mid/content=5/../6", "mid/6", "mid/6"),
        ("/../g", "/../g", "/g"),
        ("a/../b", "b", "/b"),
        ("../a", "../a", "a"),
        ("/a//../b", "/a/b", "/a/b"),
        ("/a/..", "/", "/"),
        ("..", "..", ""),
        (".", "", ""),
        ("/...", "/...", "/..."),
    ],
)
def test_dots_are_removed_by_both_algorithms_as_in_the_table(path, kept_path, removed):
    """The results of the two algorithms for one path; RFC 3986, 5.2.4, has the first two as examples."""
    assert remove_dots(path) == kept_path
    assert remove_dot_segments(path) == removed


_APPENDIX_B = re.compile(r"^(([^:/?#]+):)?(//([^/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?$", re.DOTALL)


def _section_5_2_2(base, reference):
    """RFC 3986, section 5.2.2 and 5.3, from appendix B's components to the text."""
    scheme, authority, path, query, fragment = _APPENDIX_B.match(reference).group(2, 4, 5, 7, 9)
    b_scheme, b_authority, b_path, b_query = _APPENDIX_B.match(base).group(2, 4, 5, 7)
    if scheme is not None or authority is not None:
        path = _section_5_2_4(path)
    else:
        if path == "":
            path = b_path
            query = b_query if query is None else query
        elif path.startswith("/"):
            path = _section_5_2_4(path)
        elif b_authority is not None and b_path == "":
            path = _section_5_2_4(f"/{path}")
        else:
            path = _section_5_2_4(b_path[: b_path.rfind("/") + 1] + path)
        authority = b_authority
    scheme = b_scheme if scheme is None else scheme
    text = f"{scheme}:" + ("" if authority is None else f"//{authority}") + path
    return text + ("" if query is None else f"?{query}") + ("" if fragment is None else f"#{fragment}")


def _section_5_2_of_2396(base, reference):
    """RFC 2396, section 5.2, steps 3 to 7; R-2396-17 for a base without a path."""
    scheme, authority, path, query, fragment = _APPENDIX_B.match(reference).group(2, 4, 5, 7, 9)
    b_scheme, b_authority, b_path = _APPENDIX_B.match(base).group(2, 4, 5)
    if scheme is not None:
        return reference
    if authority is None:
        authority = b_authority
        if not path.startswith("/"):
            buffer = b_path if b_path or b_authority is None else "/"
            path = _dots_on_strings(buffer[: buffer.rfind("/") + 1] + path)
    text = f"{b_scheme}:" + ("" if authority is None else f"//{authority}") + path
    return text + ("" if query is None else f"?{query}") + ("" if fragment is None else f"#{fragment}")


def _pairs(count, seed, bases):
    random = Random(seed)
    paths = _paths(count, seed)
    for path in paths:
        query, fragment = random.choice(("", "", "?", "?y/../x")), random.choice(("", "", "#", "#s/./x"))
        location = random.choice(("", "", "", "//", "//h", "s:", "S://h")) if path.startswith("/") else ""
        yield random.choice(bases), location + path + query + fragment


BASES_3986 = ("s://a/b/c/d;p?q", "s://a", "s://a?q", "s:/b/c", "s:b/c/d", "s:", "s:/a/../b/..", "s:///x/y#f")
BASES_2396 = ("s://a/b/c/d;p?q", "s://a", "s://a?q", "s:/b/c", "s:/a/../b/..", "s:///x/y#f")


def test_references_are_transformed_as_by_rfc3986():
    """RFC 3986, section 5.2.2: thousands of bases and references."""
    for base, reference in _pairs(4000, 2, BASES_3986):
        assert resolve(base, reference, "rfc3986").text == _section_5_2_2(base, reference), (base, reference)


def test_references_are_transformed_as_by_rfc2396():
    """RFC 2396, section 5.2: the same, but for references to the same document (R-2396-06)."""
    compared = 0
    for base, reference in _pairs(4000, 3, BASES_2396):
        target = resolve(base, reference, "rfc2396")
        if not target.same_document:
            assert target.text == _section_5_2_of_2396(base, reference), (base, reference)
            compared += 1
    assert compared


def _has_a_relative_path(reference):
    """Return True for a reference of RFC 1808 that begins with a relative path, which is not empty."""
    if SPECIFICATIONS["rfc1808"].problem(reference) is not None:
        return False
    parts = parse(reference, "rfc1808")
    is_relative = parts.path != "" and not parts.path.startswith("/")
    return is_relative and not parts.scheme and not parts.net_loc


@pytest.fixture(scope="module")
def merged_pairs():
    """Bases and references of RFC 1808 whose path is appended to that of the base."""
    pairs = _pairs(3000, 4, ("s://a/b/c/d;p?q", "s://a/b/../c/d", "s://a/b//c"))
    pairs_to_merge = [(base, reference) for base, reference in pairs if _has_a_relative_path(reference)]
    assert pairs_to_merge
    return pairs_to_merge


def test_paths_are_merged_as_by_rfc1808(merged_pairs):
    """RFC 1808, section 4, step 6: a relative path that is not empty, appended to that of the base."""
    for base, reference in merged_pairs:
        path = parse(base, "rfc1808").path
        merged_path = path[: path.rfind("/") + 1] + parse(reference, "rfc1808").path
        target = parse(resolve(base, reference, "rfc1808").text, "rfc1808")
        assert target.path == _dots_on_strings(merged_path), (base, reference)


def test_a_reference_with_a_relative_path_keeps_its_other_components_in_rfc1808(merged_pairs):
    """Empty components are left out (R-1808-09)."""
    for base, reference in merged_pairs:
        parts = parse(reference, "rfc1808")
        target = parse(resolve(base, reference, "rfc1808").text, "rfc1808")
        assert target.params == (parts.params or None), (base, reference)
        assert target.query == (parts.query or None), (base, reference)
        assert target.fragment == (parts.fragment or None), (base, reference)


@pytest.mark.parametrize("spec", ["rfc1808", "rfc2396", "rfc2732"])
def test_an_absolute_reference_is_kept_verbatim(spec, walks):
    """RFC 1808 section 4 step 2b, RFC 2396 section 5.2 step 3: nothing of the base, no dot removed."""
    rule = "absoluteURL" if spec == "rfc1808" else "absoluteURI"
    for reference in walks(spec, rule).members(200, seed=5):
        assert resolve("zz://h/a/b", reference, spec).text == reference, reference


def _reads_as_authority(reference):
    """Return True if a reference of RFC 3986 has a target whose path reads as an authority (R-3986-09)."""
    components = parse(reference, "rfc3986")
    return components.authority is None and _section_5_2_4(components.path).startswith("//")


@pytest.fixture
def absolute_references(walks):
    """Absolute references of RFC 3986, without those whose target reads as something else."""
    references = walks("rfc3986", "URI").members(400, seed=6)
    return [reference for reference in references if not _reads_as_authority(reference)]


def test_an_absolute_reference_loses_its_dots_in_rfc3986(absolute_references):
    """RFC 3986 section 5.2.2: its own components, without dot segments."""
    assert absolute_references != []
    for reference in absolute_references:
        components = parse(reference, "rfc3986")
        target = parse(resolve("zz://h/a/b", reference, "rfc3986").text, "rfc3986")
        assert target == components._replace(path=_section_5_2_4(components.path)), reference


def test_the_target_of_an_absolute_reference_is_its_own_target_in_rfc3986(absolute_references):
    targets = [resolve("zz://h/a/b", reference, "rfc3986").text for reference in absolute_references]
    assert targets != []
    assert [resolve("zz://h/a/b", target, "rfc3986").text for target in targets] == targets


BASE = "s://u@h:1/b/c/d;p?q"


class TargetsByRfc(NamedTuple):
    """The targets of a reference by three RFCs."""

    rfc1808: str
    rfc2396: str
    rfc3986: str


def same_in_each_rfc(target):
    return TargetsByRfc(target, target, target)


#: By reference; the base is the one above.
TARGETS = {
    "": same_in_each_rfc("s://u@h:1/b/c/d;p?q"),
    "?": TargetsByRfc("s://u@h:1/b/c/d;p?q", "s://u@h:1/b/c/?", "s://u@h:1/b/c/d;p?"),
    "?y": TargetsByRfc("s://u@h:1/b/c/d;p?y", "s://u@h:1/b/c/?y", "s://u@h:1/b/c/d;p?y"),
    ";": TargetsByRfc("s://u@h:1/b/c/d;p?q", "s://u@h:1/b/c/;", "s://u@h:1/b/c/;"),
    ";x": TargetsByRfc("s://u@h:1/b/c/d;x", "s://u@h:1/b/c/;x", "s://u@h:1/b/c/;x"),
    ";?y": TargetsByRfc("s://u@h:1/b/c/d;p?y", "s://u@h:1/b/c/;?y", "s://u@h:1/b/c/;?y"),
    "#z": same_in_each_rfc("s://u@h:1/b/c/d;p?q#z"),
    "g?": TargetsByRfc("s://u@h:1/b/c/g", "s://u@h:1/b/c/g?", "s://u@h:1/b/c/g?"),
    "g#": TargetsByRfc("s://u@h:1/b/c/g", "s://u@h:1/b/c/g#", "s://u@h:1/b/c/g#"),
    "..;x": TargetsByRfc("s://u@h:1/b/;x", "s://u@h:1/b/c/..;x", "s://u@h:1/b/c/..;x"),
    "g;a/../y": TargetsByRfc("s://u@h:1/b/c/g;a/../y", "s://u@h:1/b/c/y", "s://u@h:1/b/c/y"),
    "../../../g": TargetsByRfc("s://u@h:1/../g", "s://u@h:1/../g", "s://u@h:1/g"),
    "/./g": TargetsByRfc("s://u@h:1/./g", "s://u@h:1/./g", "s://u@h:1/g"),
    "/g/../x": TargetsByRfc("s://u@h:1/g/../x", "s://u@h:1/g/../x", "s://u@h:1/x"),
    "//": TargetsByRfc("s://u@h:1/b/c/d;p?q", "s://", "s://"),
    "///g": TargetsByRfc("s://u@h:1/g", "s:///g", "s:///g"),
    "//k/./g": TargetsByRfc("s://k/./g", "s://k/./g", "s://k/g"),
    "//k?y": same_in_each_rfc("s://k?y"),
    "t:/a/../g": TargetsByRfc("t:/a/../g", "t:/a/../g", "t:/g"),
    "s:g": same_in_each_rfc("s:g"),
    "%2E%2E/g": same_in_each_rfc("s://u@h:1/b/c/%2E%2E/g"),
    "g/.": same_in_each_rfc("s://u@h:1/b/c/g/"),
    "g:1/2": same_in_each_rfc("g:1/2"),
    "./g:1": same_in_each_rfc("s://u@h:1/b/c/g:1"),
    "g/../.": same_in_each_rfc("s://u@h:1/b/c/"),
    "./../g": same_in_each_rfc("s://u@h:1/b/g"),
    "...": same_in_each_rfc("s://u@h:1/b/c/..."),
}


@pytest.mark.parametrize("reference", TARGETS)
def test_three_algorithms_have_their_own_targets(reference):
    """RFC 1808 section 4, RFC 2396 section 5.2, RFC 3986 section 5.2, on one base."""
    targets = [resolve(BASE, reference, spec).text for spec in TargetsByRfc._fields]
    assert TargetsByRfc(*targets) == TARGETS[reference]


@pytest.mark.parametrize("reference", TARGETS)
def test_rfc2732_has_the_targets_of_rfc2396(reference):
    """RFC 2732 changes the grammar alone."""
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
def test_unusual_bases_resolve_as_in_the_table(spec, base, reference, expected):
    """Unusual bases have no path, no authority or a fragment, are opaque, or are unknown."""
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
def test_other_admissible_results_have_their_rulings(name):
    """A ruling admits results besides the recommended one; each is listed once, with the ruling."""
    spec, base, reference, also = ALSO[name]
    assert resolve(base, reference, spec).also == tuple(Alternative(*entry) for entry in also)


by_reference_to_the_same_document = pytest.mark.parametrize(
    ("base", "reference", "target"),
    [
        ("s://a/b?q#f", "", "s://a/b?q"),
        ("s://a/b?q#f", "#g", "s://a/b?q#g"),
        ("s:opaque#f", "#", "s:opaque#"),
    ],
)


@by_reference_to_the_same_document
def test_a_reference_that_is_empty_or_a_fragment_alone_has_the_document_as_target(base, reference, target):
    """R-2396-06."""
    assert resolve(base, reference, "rfc2396").text == target


@by_reference_to_the_same_document
def test_a_reference_to_the_same_document_is_flagged(base, reference, target):
    """R-2396-06."""
    assert resolve(base, reference, "rfc2396").same_document


@pytest.mark.parametrize(
    ("spec", "base", "reference"),
    [
        pytest.param("rfc2396", "s://a/b", "?", id="empty-query"),
        pytest.param("rfc3986", "s://a/b?q", "", id="rfc3986"),
    ],
)
def test_a_reference_that_is_resolved_is_not_flagged_as_one_to_the_same_document(spec, base, reference):
    """RFC 2396, section 5.2, step 2: an empty query is a query. RFC 3986, section 5.2.2: no exceptions."""
    assert not resolve(base, reference, spec).same_document


class Refused(NamedTuple):
    """A resolution, the base or reference that is refused, and the offset in it."""

    spec: str
    base: str
    reference: str
    text: str
    position: int


REFUSED = [
    Refused("rfc3986", "a/b", "g", text="a/b", position=0),
    Refused("rfc3986", "//h/b", "g", text="//h/b", position=0),
    Refused("rfc2396", "a/b", "g", text="a/b", position=0),
    Refused("rfc1808", "a/b", "g", text="a/b", position=0),
    Refused("rfc2396", "s:opaque", "g", text="s:opaque", position=2),
    Refused("rfc2396", "mailto:a", "/g", text="mailto:a", position=7),
    Refused("rfc2396", "s:opaque", "?q", text="s:opaque", position=2),
    Refused("rfc3986", "s://a/b", "1:2", text="1:2", position=1),
    Refused("rfc3986", "s://a/\\", "g", text="s://a/\\", position=6),
    Refused("rfc1808", "s://a/b", "~g", text="~g", position=0),
    Refused("rfc2396", "s://a/b", "g^", text="g^", position=1),
    Refused("rfc2396", "^", "g^", text="g^", position=1),
]


@pytest.mark.parametrize("row", REFUSED, ids=[f"{row.spec}-{row.base}-{row.reference}" for row in REFUSED])
def test_an_invalid_base_or_reference_is_an_error(row):
    """An invalid reference, a base that is invalid, relative or opaque: R-1808-17, R-2396-21, R-3986-12."""
    with pytest.raises(InvalidURL) as caught:
        resolve(row.base, row.reference, row.spec)
    assert caught.value.text == row.text
    assert caught.value.position == row.position
    assert caught.value.spec == row.spec


def test_rfc1738_has_no_relative_references():
    """RFC 1738 leaves them to a later document."""
    with pytest.raises(Unsupported, match="RFC 1738 does not define relative references"):
        resolve("http://h/", "g", "rfc1738")


TEXTS = st.text("aZ09:/?#;%.+@[]\u00e9 ", max_size=10) | st.text(max_size=6)


@settings(derandomize=True, deadline=None, max_examples=150, database=None)
@given(st.sampled_from(["rfc1808", "rfc2396", "rfc2732", "rfc3986"]), TEXTS, TEXTS)
def test_noise_is_resolved_or_refused(spec, base, reference):
    """For any base and reference there is a valid target, or InvalidURL of one of the two."""
    for text in (base, f"s://h/b/{base}", "s:/b"):
        try:
            target = resolve(text, reference, spec)
        except InvalidURL as problem:
            assert problem.text in (text, reference)  # noqa: PT017 - both outcomes are right
        else:
            assert SPECIFICATIONS[spec].problem(target.text) is None


@settings(derandomize=True, deadline=None, max_examples=150, database=None)
@given(st.sampled_from(["rfc1808", "rfc2396", "rfc2732", "rfc3986"]), TEXTS)
def test_an_empty_reference_is_the_base_without_its_fragment(spec, noise):
    """Other bases are refused; RFC 1808 keeps the fragment (R-1808-12)."""
    base = f"s://h/b/{noise}"
    with contextlib.suppress(InvalidURL):
        assert resolve(base, "", spec).text.partition("#")[0] == base.partition("#")[0]


@settings(derandomize=True, deadline=None, max_examples=150, database=None)
@given(st.sampled_from(["rfc2396", "rfc2732", "rfc3986"]), TEXTS)
def test_noise_is_normalized_or_refused(spec, text):
    """A normal form is valid."""
    with contextlib.suppress(InvalidURL):
        assert SPECIFICATIONS[spec].problem(normalize(text, spec, "scheme")) is None


BASES = (
    "http://a/b/c/d;p?q#f",
    "http://a",
    "http://a/b/../c",
    "f:/a",
    "f:a/b/c",
    "file:///a//b/",
    "http://a?b/c",
    "mailto:u@h",
)
REFERENCES = (
    *("", "#s", "?y", ";x", ";x?y#s", "g", "./g", "../g", "../../../g", "g/.", "g/..", "./..", ".//g"),
    *("/g", "/./g", "//g", "///g", "g:h", "http:g", "g;x=1/../y", "../../../../..", ".", "..", "?", "#"),
)


def _target(base, reference, spec):
    """Return the text of the target, or None if the base or the reference is refused."""
    try:
        return resolve(base, reference, spec).text
    except InvalidURL:
        return None


@pytest.mark.parametrize("spec", ["rfc1808", "rfc2396", "rfc2732", "rfc3986"])
def test_the_last_step_holds_the_target(spec):
    pairs = [pair for pair in product(BASES, REFERENCES) if _target(*pair, spec) is not None]
    assert pairs
    for base, reference in pairs:
        *_, last_step = resolution_steps(base, reference, spec)
        assert last_step.value == _target(base, reference, spec), (base, reference)


@pytest.mark.parametrize("spec", ["rfc2396", "rfc2732"])
def test_a_resolution_that_is_refused_has_no_steps(spec):
    """An opaque base (R-2396-21); the other RFCs refuse none of these pairs."""
    pairs = [pair for pair in product(BASES, REFERENCES) if _target(*pair, spec) is None]
    assert pairs
    for base, reference in pairs:
        with pytest.raises(InvalidURL, match="an opaque base has no path to resolve against"):
            resolution_steps(base, reference, spec)


@pytest.mark.parametrize(
    ("spec", "reference", "labels"),
    [
        pytest.param("rfc1808", "", ["2a"], id="1808-empty"),
        pytest.param("rfc1808", "g:h", ["2b"], id="1808-absolute"),
        pytest.param("rfc1808", "//h", ["2c", "3", "7"], id="1808-location"),
        pytest.param("rfc1808", "/g", ["2c", "3", "4", "7"], id="1808-rooted"),
        pytest.param("rfc1808", "?y", ["2c", "3", "5", "5a", "5b", "7"], id="1808-query"),
        pytest.param("rfc1808", ";x", ["2c", "3", "5", "5a", "7"], id="1808-params"),
        pytest.param("rfc1808", "./../g/.", ["2c", "3", "6", "6a", "6b", "6c", "7"], id="1808-relative"),
        pytest.param("rfc1808", "g/..", ["2c", "3", "6", "6d", "7"], id="1808-final-pair"),
        pytest.param("rfc2396", "#s", ["1", "2"], id="2396-same-document"),
        pytest.param("rfc2396", "g:h", ["1", "3"], id="2396-absolute"),
        pytest.param("rfc2396", "//h", ["1", "3", "4", "7"], id="2396-network-path"),
        pytest.param("rfc2396", "/g", ["1", "3", "4", "5", "7"], id="2396-absolute-path"),
        pytest.param(
            "rfc2396", "../../../g", ["1", "3", "4", "6a", "6b", "6e", "6e", "6g", "7"], id="2396-excess"
        ),
        pytest.param("rfc3986", "g:h", ["5.2.2", "5.2.2", "5.3"], id="3986-absolute"),
        pytest.param("rfc3986", "?y", ["5.2.2", "5.2.2", "5.2.2", "5.3"], id="3986-query"),
        pytest.param("rfc3986", "", ["5.2.2"] * 4 + ["5.3"], id="3986-empty"),
        pytest.param("rfc3986", "g", ["5.2.2", "5.2.2", "5.2.3", "5.3"], id="3986-merged"),
    ],
)
def test_the_steps_have_their_labels(spec, reference, labels):
    steps = resolution_steps("http://a/b/c/d;p?q", reference, spec)
    assert [step.label for step in steps] == labels


def test_the_steps_show_the_buffers_of_the_rfc():
    """RFC 3986, section 5.2.4: the two buffers after each step for /a/b/c/./../../g."""
    steps = resolution_steps("http://h/a/b/c/x", "./../../g", "rfc3986")
    steps_of_dots = [step for step in steps if step.label.startswith("  ")]  # those of section 5.2.4
    assert [(step.label.strip(), step.what) for step in steps_of_dots] == [
        ("2E", "output /a, input /b/c/./../../g"),
        ("2E", "output /a/b, input /c/./../../g"),
        ("2E", "output /a/b/c, input /./../../g"),
        ("2B", "output /a/b/c, input /../../g"),
        ("2C", "output /a/b, input /../g"),
        ("2C", "output /a, input /g"),
        ("2E", "output /a/g, input (empty)"),
    ]


@pytest.mark.parametrize(("spec", "label"), [("rfc1808", "6c"), ("rfc2396", "6e")])
def test_a_step_names_the_segments_that_it_removes(spec, label):
    """RFC 1808, section 4, step 6c; RFC 2396, section 5.2, step 6e: also between equal segments."""
    steps = resolution_steps("http://h/../", "c/../c", spec)
    (removal,) = [step for step in steps if step.label == label]
    assert removal.removed == ("c", "..")


def test_an_unknown_base_leaves_the_reference():
    """RFC 1808, section 4, step 1."""
    assert [step.value for step in resolution_steps("", "../g", "rfc1808")] == ["../g"]


@pytest.mark.parametrize("base", ["a:b/c", "a:./b", "http://a", "http://a/b/c"])
@pytest.mark.parametrize("reference", ["..//..", ".//..", "../..", "./.", "..//../g", "a/../../.."])
@pytest.mark.parametrize("spec", ["rfc1808", "rfc3986"])
def test_the_last_step_has_the_target_of_paths_with_empty_segments(spec, base, reference):
    *_, last_step = resolution_steps(base, reference, spec)
    assert last_step.value == resolve(base, reference, spec).text
