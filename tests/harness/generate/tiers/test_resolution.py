"""The shapes of the tier of resolution: each pair once, dot segments and components in every position."""

from __future__ import annotations

import re

import pytest

from urlharness.generate.tiers.resolution import BASE_PATHS, REFERENCE_PATHS, label_pair, pairs
from urloracle.rfcs import specification


def test_each_pair_is_asked_once():
    all_pairs = list(pairs())
    assert all_pairs
    assert len(set(all_pairs)) == len(all_pairs)


#: Bounds of the number of pairs, which is exact in tiers.json: with fewer of them, few shapes would meet in
#: one; with more, a run would take long.
FEWEST_PAIRS = 20_000
MOST_PAIRS = 40_000


def test_the_tier_has_so_many_pairs_that_shapes_meet():
    assert len(list(pairs())) > FEWEST_PAIRS


def test_the_tier_has_so_few_pairs_that_a_run_is_quick():
    assert len(list(pairs())) < MOST_PAIRS


def positions_of(dots, paths):
    """Return the positions in which a dot segment stands in a path."""
    positions = set()
    for path in paths:
        segments = path.removeprefix("/").split("/")
        if segments == [dots]:
            positions.add("alone")
        elif dots in segments:
            first, *inner, last = segments
            if first == dots:
                positions.add("first")
            if dots in inner:
                positions.add("inner")
            if last == dots:
                positions.add("last")
    return positions


SHAPES = pytest.mark.parametrize("shapes", [BASE_PATHS, REFERENCE_PATHS], ids=["bases", "references"])
DOT_SEGMENTS = pytest.mark.parametrize("dots", [".", ".."])


@SHAPES
@DOT_SEGMENTS
def test_a_dot_segment_stands_in_every_position_of_an_absolute_path(shapes, dots):
    absolute_paths = [path for path in shapes if path.startswith("/")]
    assert positions_of(dots, absolute_paths) == {"alone", "first", "inner", "last"}


@SHAPES
@DOT_SEGMENTS
def test_a_dot_segment_is_a_relative_path(shapes, dots):
    assert dots in shapes


@SHAPES
def test_some_path_has_an_empty_segment_in_the_middle(shapes):
    inner_segments = set()
    for path in shapes:
        inner_segments.update(path.removeprefix("/").split("/")[1:-1])
    assert "" in inner_segments


@SHAPES
def test_some_path_has_an_encoded_dot(shapes):
    assert [path for path in shapes if "%2E" in path.upper()] != []


#: The regular expression of RFC 3986, appendix B, with names for its groups.
COMPONENTS = re.compile(
    r"((?P<scheme>[^:/?#]+):)?(//(?P<authority>[^/?#]*))?(?P<path>[^?#]*)(\?(?P<query>[^#]*))?(#(?P<fragment>.*))?"
)


@pytest.fixture(scope="module")
def components_of_references():
    """The components of each reference of the tier."""
    return [COMPONENTS.fullmatch(reference).groupdict() for _, reference in pairs()]


@pytest.mark.parametrize("name", ["scheme", "authority", "query", "fragment"])
def test_some_reference_has_no_such_component(components_of_references, name):
    """RFC 3986, section 3.3: the path is always there, but may be empty."""
    assert None in {components[name] for components in components_of_references}


@pytest.mark.parametrize("name", ["authority", "path", "query", "fragment"])
def test_some_reference_has_an_empty_component(components_of_references, name):
    """RFC 3986, section 3.1: a scheme begins with a letter, so it is never empty."""
    assert "" in {components[name] for components in components_of_references}


@pytest.mark.parametrize("name", ["scheme", "authority", "path", "query", "fragment"])
def test_some_reference_has_a_component_with_characters(components_of_references, name):
    assert any(components[name] for components in components_of_references)


@pytest.mark.parametrize(
    ("spec", "base", "reference"),
    [
        pytest.param("rfc2396", "http:?", "//h/g", id="with-authority"),
        pytest.param("rfc2732", "http:b/c#f", "//", id="with-empty-authority"),
        pytest.param("rfc2396", "http:?", "g", id="path"),
    ],
)
def test_a_reference_has_no_specified_target_against_an_opaque_base(spec, base, reference):
    """RFC 2396, section 5: relative URI cannot be used with a base that is not hierarchical."""
    label = label_pair(specification(spec), base, reference)
    assert label.binding == "unspecified"
    assert label.ruling == "R-2396-21"


@pytest.mark.parametrize(
    ("spec", "base", "reference"),
    [
        pytest.param("rfc2396", "http:?", "http://h/g", id="absolute-reference"),
        pytest.param("rfc2396", "http:/b", "//h/g", id="hierarchical-base"),
        pytest.param("rfc1808", "http:b/c", "//h/g", id="rfc-without-opaque-bases"),
    ],
)
def test_a_target_is_required_unless_a_relative_reference_meets_an_opaque_base(spec, base, reference):
    """RFC 2396, section 5, excludes no other base. In RFC 1808, section 2.2, no URL is opaque."""
    label = label_pair(specification(spec), base, reference)
    assert label.binding == "required"
    assert label.ruling is None
