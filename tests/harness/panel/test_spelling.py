"""Components: how a text splits into them, and which spellings of them are one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from urlharness.panel.spelling import (
    contradicts_authority,
    may_differ_by_dots,
    normal_form,
    split,
    without_dots,
)

TEXTS = st.text("aZ0:/?#[]@%41.~\\é ", max_size=16)


#: The delimiters before and after each component, in the order of the components in a text.
DELIMITERS = {
    "scheme": ("", ":"),
    "userinfo": ("", "@"),
    "host": ("", ""),
    "port": (":", ""),
    "path": ("", ""),
    "query": ("?", ""),
    "fragment": ("#", ""),
}


def put_together(components):
    """Return the text of components, as in RFC 3986, section 5.3."""
    parts = dict.fromkeys(DELIMITERS, "")
    for name, (before, after) in DELIMITERS.items():
        if components[name] is not None:
            parts[name] = f"{before}{components[name]}{after}"
    if components["host"] is not None:
        parts["scheme"] += "//"
    return "".join(parts.values())


@given(TEXTS)
def test_splitting_loses_nothing(text):
    """RFC 3986, appendix B."""
    assert put_together(split(text)) == text


@pytest.mark.parametrize(
    ("path", "without"),
    [
        pytest.param("/a/../b", "/b", id="two-dots"),
        pytest.param("/../b", "/b", id="above-the-root"),
        pytest.param("/a/.", "/a/", id="one-dot-at-the-end"),
    ],
)
def test_dots_are_removed_from_a_path_that_begins_with_a_slash(path, without):
    """RFC 3986, section 5.2.4."""
    assert without_dots(path) == without


@pytest.mark.parametrize(
    ("path", "without"),
    [
        pytest.param("../../../x", "../../../x", id="before-a-name"),
        pytest.param("../..", "../../", id="at-the-end"),
    ],
)
def test_leading_dots_of_a_relative_path_stay(path, without):
    assert without_dots(path) == without


@pytest.mark.parametrize(
    ("path", "without"),
    [
        pytest.param("../b", "b", id="leading"),
        pytest.param("a/../b", "/b", id="after-the-first-segment"),
        pytest.param("a/b/../c", "a/c", id="inside"),
        pytest.param("a/..", "/", id="at-the-end"),
        pytest.param("a/../../b", "/b", id="above-the-beginning"),
    ],
)
def test_dots_are_removed_from_the_path_of_a_url_that_begins_with_a_name(path, without):
    """RFC 3986, section 5.2.4, R-3986-08."""
    assert without_dots(path, is_whole=True) == without


@pytest.mark.parametrize(
    ("path", "kept"), [("/a/../b", "/a/../b"), ("/%7e/./", "/~/./")], ids=["dots", "triplet-and-dots"]
)
def test_dots_of_a_result_are_kept(path, kept):
    assert normal_form({"path": path}, keep_dots=True) == {"path": kept}


def test_empty_components_are_kept_but_for_the_port():
    """RFC 3986, section 3.2.3: a normalizer omits an empty port."""
    assert normal_form({"port": "", "query": ""}, keep_empty=True) == {"port": None, "query": ""}


CONTRADICTIONS = [
    pytest.param("h:80", False, id="default-port"),
    pytest.param("H", False, id="case"),
    pytest.param("g", True, id="another-host"),
    pytest.param("u@h", True, id="userinfo"),
    pytest.param("", False, id="empty"),
]


@pytest.mark.parametrize(("authority", "contradicting"), CONTRADICTIONS)
def test_an_authority_contradicts_its_parts_by_more_than_spelling(authority, contradicting):
    """RFC 3986, section 3.2."""
    parts = {"scheme": "http", "userinfo": None, "host": "h", "port": None}
    assert contradicts_authority({**parts, "authority": authority}) is contradicting


#: Two paths with one normal form, and whether the removal of dot segments leads from one to the other.
PATHS_WITH_DOTS = [
    pytest.param("/a/../b", "/b", True, id="all-removed"),
    pytest.param("/a/./../b", "/a/../b", True, id="one-dot-removed"),
    pytest.param("/a/b/../../c/.", "/a/../c/.", True, id="inner-dots-removed"),
    pytest.param("/../a/./b", "/a/./b", True, id="dots-above-the-root-removed"),
    pytest.param("/a/b/..", "/a/./", True, id="different-dots"),
    pytest.param("/..//h", "/.//h", True, id="guard-before-two-slashes"),
    pytest.param("/..", "//..", False, id="lost-slash"),
    pytest.param("r/..", "/r/..", False, id="lost-slash-before-a-segment"),
    pytest.param("/a/x/../b/.", "/a/y/../b/.", False, id="another-removable-segment"),
]


@pytest.mark.parametrize(("path", "other_path", "may_differ"), PATHS_WITH_DOTS)
def test_a_path_that_loses_more_than_dots_is_no_spelling(path, other_path, may_differ):
    """RFC 3986, section 5.2.4."""
    assert may_differ_by_dots(path, other_path) is may_differ
    assert may_differ_by_dots(other_path, path) is may_differ


def test_long_paths_may_differ_by_dots():
    """The steps of a removal are not followed there."""
    assert may_differ_by_dots("/a" + "/.." * 1000, "//a" + "/.." * 1000)
