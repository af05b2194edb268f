"""The shapes of the tier of resolution: each pair once, dot segments and components in every position."""

from __future__ import annotations

import re

import pytest

from urlharness.generate.resolution import BASE_PATHS, REFERENCE_PATHS, label_pair, pairs
from urloracle.rfcs import specification


def test_each_pair_is_asked_once():
    all_pairs = list(pairs())
    assert len(set(all_pairs)) == len(all_pairs)
    assert 20_000 < len(all_pairs) < 40_000


@pytest.mark.parametrize("shapes", [BASE_PATHS, REFERENCE_PATHS], ids=["bases", "references"])
def test_dot_segments_stand_in_every_position(shapes):
    """Leading, inner, trailing, alone; after a slash and not; and segments that only look like them."""
    segments = [(path, path.removeprefix("/").split("/")) for path in shapes]
    for dots in (".", ".."):
        for rooted in (True, False):
            having = [
                path_segments
                for path, path_segments in segments
                if path.startswith("/") == rooted and dots in path_segments
            ]
            places = {
                "alone"
                if len(path_segments) == 1
                else "first"
                if n == 0
                else "last"
                if n == len(path_segments) - 1
                else "inner"
                for path_segments in having
                for n, segment in enumerate(path_segments)
                if segment == dots
            }
            assert places >= ({"alone", "first", "last", "inner"} if rooted else {"alone"}), (dots, rooted)
    assert any("" in path_segments[1:-1] for _, path_segments in segments)
    assert any("%2E" in path.upper() for path in shapes)


@pytest.mark.parametrize("name", ["scheme", "authority", "path", "query", "fragment"])
def test_each_component_is_absent_empty_and_present(name):
    """In the reference; a scheme and a path cannot be present and empty, and absent, in this order."""
    parts = re.compile(
        r"((?P<scheme>[^:/?#]+):)?(//(?P<authority>[^/?#]*))?(?P<path>[^?#]*)(\?(?P<query>[^#]*))?(#(?P<fragment>.*))?"
    )
    values = {parts.fullmatch(reference)[name] for _, reference in pairs()}
    impossible = {"scheme": {""}, "path": {None}}.get(name, set())
    assert values >= {None, ""} - impossible
    assert any(values - {None, ""})


@pytest.mark.parametrize(
    ("spec", "base", "reference", "binding", "ruling"),
    [
        ("rfc2396", "http:?", "//h/g", "unspecified", "R-2396-21"),
        ("rfc2732", "http:b/c#f", "//", "unspecified", "R-2396-21"),
        ("rfc2396", "http:?", "g", "unspecified", "R-2396-21"),
        ("rfc2396", "http:?", "http://h/g", "required", None),
        ("rfc2396", "http:/b", "//h/g", "required", None),
        ("rfc1808", "http:b/c", "//h/g", "required", None),
    ],
)
def test_no_relative_reference_has_a_required_result_against_an_opaque_base(
    spec, base, reference, binding, ruling
):
    """RFC 2396, section 5: relative URI cannot be used with a base that is not hierarchical."""
    label = label_pair(specification(spec), base, reference)
    assert label.binding == binding
    assert label.ruling == ruling
