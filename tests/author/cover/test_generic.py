"""References from parts: which parts stand together, and targets by lists of segments."""

from __future__ import annotations

import pytest

from urlauthor.cover.generic import components, fits, target, whole_text, without_dots, without_dots_1808

NAMES = ("scheme", "userinfo", "host", "port", "path", "params", "query", "fragment")


def texts(**parts):
    return dict.fromkeys(NAMES) | {"path": ""} | parts


# RFC 3986, section 5.2.4, and the ends of its steps 2A to 2D.
DOTS = {
    "/a/b/c/./../../g": "/a/g",
    "mid/content=5/../6": "mid/6",
    "../g": "g",
    "..": "",
    "./": "",
    "..//g": "/g",
    "a/..": "/",
    "a/../b": "/b",
    "/..": "/",
    "/a/.": "/a/",
    "/a//../b": "/a/b",
}


@pytest.mark.parametrize("path", DOTS)
def test_dot_segments_are_removed_as_in_rfc3986(path):
    assert without_dots(path) == DOTS[path]


# RFC 1808, section 5, without the base.
OLD_DOTS = {"/b/c/../g": "/b/g", "/../g": "/../g", "/b/..": "/", "/b/./g/.": "/b/g/", "a/../../g": "../g"}


@pytest.mark.parametrize("path", OLD_DOTS)
def test_dot_segments_are_removed_as_in_rfc1808(path):
    assert without_dots_1808(path) == OLD_DOTS[path]


FITTING = [
    pytest.param("rfc3986", {"host": "h", "path": "a"}, False, id="rootless-after-host"),
    pytest.param("rfc3986", {"path": "//a"}, False, id="two-slashes"),
    pytest.param("rfc3986", {"path": "a:b"}, False, id="colon"),
    pytest.param("rfc3986", {"scheme": "f", "path": "a:b"}, True, id="colon-after-scheme"),
    pytest.param("rfc3986", {"userinfo": "u"}, False, id="user-without-host"),
    pytest.param("rfc2396", {"scheme": "f"}, False, id="nothing-after-scheme"),
    pytest.param("rfc2396", {"scheme": "f", "path": "a", "query": "q"}, False, id="opaque-query"),
    pytest.param("rfc2396", {"query": "q"}, False, id="query-alone"),
    pytest.param("rfc1808", {"host": "h", "query": "q"}, False, id="query-in-net-loc"),
    pytest.param("rfc3986", {"host": "h", "query": "q"}, True, id="query-after-host"),
]


@pytest.mark.parametrize(("spec", "parts", "fitting"), FITTING)
def test_only_parts_that_go_together_fit(spec, parts, fitting):
    assert fits(texts(**parts), spec) is fitting


@pytest.mark.parametrize("parts", [{"path": "a"}, {"userinfo": "u"}], ids=["path", "userinfo"])
def test_parts_may_fit_while_others_are_not_chosen_yet(parts):
    assert fits(parts, "rfc3986")


BASE = texts(scheme="http", host="a", path="/b/c/d", query="q")
TARGETS = [
    pytest.param("rfc3986", {"query": "y"}, "http://a/b/c/d?y", id="3986-query"),
    pytest.param("rfc2396", {"query": "y"}, "http://a/b/c/?y", id="2396-query"),
    pytest.param("rfc1808", {"query": "y"}, "http://a/b/c/d?y", id="1808-query"),
    pytest.param("rfc3986", {"path": "/../g"}, "http://a/g", id="3986-rooted"),
    pytest.param("rfc2396", {"path": "/../g"}, "http://a/../g", id="2396-rooted"),
    pytest.param("rfc1808", {"path": "../../../g"}, "http://a/../g", id="1808-excess"),
    pytest.param("rfc3986", {"fragment": "s"}, "http://a/b/c/d?q#s", id="3986-fragment"),
    pytest.param("rfc1808", {"params": "x"}, "http://a/b/c/d;x", id="1808-params"),
    pytest.param("rfc3986", {"host": "g", "path": "/./x"}, "http://g/x", id="3986-network"),
]


@pytest.mark.parametrize(("spec", "parts", "target_text"), TARGETS)
def test_a_reference_of_parts_resolves_to_its_target(spec, parts, target_text):
    resolved = target(BASE, texts(**parts), spec)
    assert whole_text({"params": None, **resolved}) == target_text  # only those of RFC 1808 have `params`


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        pytest.param("rfc2396", {"path": "../../../g"}, id="2396-excess"),
        pytest.param("rfc1808", {"host": "", "path": "/x"}, id="1808-empty-net-loc"),
    ],
)
def test_a_reference_whose_target_the_rfc_leaves_open_has_none(spec, parts):
    assert target(BASE, texts(**parts), spec) is None


REGISTRY_NAME = texts(scheme="f", userinfo="u", host="a_b", path="/")


def test_a_registry_name_of_rfc2396_has_neither_host_nor_userinfo():
    split = components(REGISTRY_NAME, "rfc2396", registry=True)
    assert split["authority"] == "u@a_b"
    assert split["host"] is None
    assert split["userinfo"] is None


def test_a_registry_name_of_rfc3986_is_a_host():
    assert components(REGISTRY_NAME, "rfc3986", registry=True)["host"] == "a_b"


@pytest.mark.parametrize("registry", [True, False], ids=["registry-name", "server"])
def test_the_location_of_rfc1808_is_not_divided(registry):
    """RFC 1808 does not say what is in a network location, so the host of the row does not matter."""
    split = components(REGISTRY_NAME, "rfc1808", registry=registry)
    assert split["net_loc"] == "u@a_b"
    assert "host" not in split
