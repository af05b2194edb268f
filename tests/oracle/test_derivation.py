"""Derivation trees: the rules of the RFC over the parts of the text, and nothing lost between them."""

from __future__ import annotations

import pytest

from urlharness.corpus.loader import load
from urloracle.derivation import Derivation, derivation
from urloracle.errors import InvalidURL
from urloracle.explanation import derive
from urloracle.rfcs import SPECIFICATIONS

#: A tree has a node for each character, so long texts only take time.
LONGEST = 1_000

CASES = [
    (case.spec, case.vector.rule, case.vector.profile, case.vector.url)
    for case in load().cases
    if case.vector.op == "validate" and case.vector.expect.valid is True
    if isinstance(case.vector.url, str) and len(case.vector.url) <= LONGEST
]


def nodes(tree: Derivation):
    yield tree
    for child in tree.children:
        yield from nodes(child)


def outline(tree: Derivation) -> list[tuple[str, str]]:
    return [(node.rule, node.text) for node in nodes(tree) if len(node.text) > 1]


@pytest.mark.parametrize("spec", SPECIFICATIONS)
def test_valid_texts_of_the_corpus_have_a_tree(spec):
    """Every third text of an RFC."""
    found = 0
    for rule, profile, url in [case[1:] for case in CASES if case[0] == spec][::3]:
        tree = derive(url, spec, rule, profile)
        assert tree.text == url
        for node in nodes(tree):
            assert url[node.start : node.start + len(node.text)] == node.text
            ends = [node.start, *(child.start + len(child.text) for child in node.children)]
            starts = [*(child.start for child in node.children), node.start + len(node.text)]
            assert all(end <= start for end, start in zip(ends, starts, strict=True)), (url, node.rule)
        found += 1
    assert found > 50


def test_a_tree():
    assert outline(derive("http://u@[::1]/a%41?q", "rfc3986")) == [
        ("URI-reference", "http://u@[::1]/a%41?q"),
        ("URI", "http://u@[::1]/a%41?q"),
        ("scheme", "http"),
        ("hier-part", "//u@[::1]/a%41"),
        ("authority", "u@[::1]"),
        ("host", "[::1]"),
        ("IP-literal", "[::1]"),
        ("IPv6address", "::1"),
        ("path-abempty", "/a%41"),
        ("segment", "a%41"),
        ("pchar", "%41"),
        ("pct-encoded", "%41"),
    ]


@pytest.mark.parametrize(
    ("url", "rule"),
    [
        pytest.param("//h", "server", id="a-server"),
        pytest.param("//a_b", "reg_name", id="a-registry-name"),
    ],
)
def test_server_before_registry_name(url, rule):
    """R-2396-11: the order of the alternatives decides."""
    inside = [node.rule for node in nodes(derive(url, "rfc2396"))]
    assert rule in inside
    assert len({"server", "reg_name"} & set(inside)) == 1


def test_a_scheme_keeps_its_case():
    """R-1738-03: the text is shown as it is."""
    tree = derive("HTTP://h/", "rfc1738")
    assert (tree.rule, tree.text) == ("httpurl", "HTTP://h/")


def test_an_invalid_text_has_no_tree():
    assert derivation(SPECIFICATIONS["rfc3986"].grammar, "scheme", "1") is None
    with pytest.raises(InvalidURL):
        derive("http://h/ ", "rfc3986")
