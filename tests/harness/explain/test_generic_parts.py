"""The components of any text, by the regular expression of RFC 3986, appendix B."""

from __future__ import annotations

import pytest

from urlharness.explain.generic_parts import Parts, split_generic

#: Texts and their components.
SPLITS = [
    pytest.param("a://h/p?q#f", Parts("a", "h", "/p", "q", "f"), id="all"),
    pytest.param("", Parts(None, None, "", None, None), id="nothing"),
    pytest.param("a://?#", Parts("a", "", "", "", ""), id="empty-ones"),
    pytest.param(":p", Parts(None, None, ":p", None, None), id="colon-first"),
    pytest.param("?a#b?c#d", Parts(None, None, "", "a", "b?c#d"), id="delimiters-in-the-fragment"),
    pytest.param("#\n", Parts(None, None, "", None, "\n"), id="line-break"),
]


@pytest.mark.parametrize(("text", "parts"), SPLITS)
def test_a_text_has_the_components_of_appendix_b(text, parts):
    assert split_generic(text) == parts


@pytest.mark.parametrize("text", ["a:b", "//h", "/p"])
def test_a_reference_is_absolute_if_it_takes_no_part_of_a_path_from_the_base(text):
    assert split_generic(text).absolute


@pytest.mark.parametrize("text", ["", "p", "?q"])
def test_a_reference_without_scheme_authority_and_first_slash_is_not_absolute(text):
    assert not split_generic(text).absolute


@pytest.mark.parametrize(
    ("text", "rootless"),
    [("a:b", True), ("a:/b", False), ("//h", False)],
    ids=["rootless", "slash", "authority"],
)
def test_a_path_is_rootless_without_authority_and_first_slash(text, rootless):
    assert split_generic(text).rootless is rootless


@pytest.mark.parametrize(
    ("text", "dotted"),
    [("/a/./b", True), ("..", True), ("/a/.b", False), ("?a/..", False)],
    ids=["one-dot", "two-dots", "dot-in-a-segment", "dots-in-a-query"],
)
def test_a_path_is_dotted_if_a_whole_segment_is_one_or_two_dots(text, dotted):
    assert split_generic(text).dotted is dotted
