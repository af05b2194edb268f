"""The components of the tier of recomposition, and their labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from urlharness.corpus.specifications import url_specs
from urlharness.generate.tiers.recomposition import component_sets, label_form, label_forms
from urloracle.rfcs import specification

NAMES_OF_RFC1808 = ("scheme", "net_loc", "path", "params", "query", "fragment")
NAMES_OF_RFC3986 = ("scheme", "authority", "userinfo", "host", "port", "path", "query", "fragment")


@pytest.mark.parametrize("spec", url_specs())
def test_components_are_asked_once(spec):
    sets_asked = [str(components) for components in component_sets(spec)]
    assert sets_asked
    assert len(set(sets_asked)) == len(sets_asked)


#: Bounds of the number of sets of an RFC, which is exact in tiers.json: with fewer of them, few spellings of
#: components would meet in one; with more, a run would take long.
FEWEST_SETS = 4_000
MOST_SETS = 10_000


@pytest.mark.parametrize("spec", url_specs())
def test_the_tier_has_so_many_sets_that_components_meet(spec):
    assert len(list(component_sets(spec))) > FEWEST_SETS


@pytest.mark.parametrize("spec", url_specs())
def test_the_tier_has_so_few_sets_that_a_run_is_quick(spec):
    assert len(list(component_sets(spec))) < MOST_SETS


@pytest.mark.parametrize(
    ("spec", "name"),
    [*(("rfc1808", name) for name in NAMES_OF_RFC1808), *(("rfc3986", name) for name in NAMES_OF_RFC3986)],
)
def test_each_component_is_absent_empty_and_present(spec, name):
    """RFC 3986, section 3: a scheme has at least a letter, and a path is always there but may be empty."""
    texts = {components[name] for components in component_sets(spec)}
    assert (None in texts) == (name != "path")
    assert ("" in texts) == (name != "scheme")
    assert any(texts)


def _components(names, **present):
    return {name: present.get(name, "" if name == "path" else None) for name in names}


class Recomposed(NamedTuple):
    """Components to recompose, and their label."""

    spec: str
    components: Mapping[str, str | None]
    texts: list[str]
    binding: str = "required"
    ruling: str | None = None


RECOMPOSED = {
    "empty-query": Recomposed("rfc3986", _components(NAMES_OF_RFC3986, path="/a", query=""), ["/a?"]),
    "path-like-an-authority": Recomposed(
        "rfc3986", _components(NAMES_OF_RFC3986, path="//a"), ["//a"], "unspecified", "G-12"
    ),
    "path-like-a-scheme": Recomposed(
        "rfc3986", _components(NAMES_OF_RFC3986, path="a:b"), ["a:b"], "unspecified", "G-12"
    ),
    "query-alone": Recomposed("rfc2396", _components(NAMES_OF_RFC3986, path="", query="q"), ["?q"]),
    # R-2396-11: the parts of a registry name are not components of its text
    "registry-name": Recomposed(
        "rfc2396",
        _components(NAMES_OF_RFC3986, authority="a_b:080", host="a_b", port="080", path="/"),
        ["//a_b:080/"],
    ),
    "delimiter-of-an-empty-query": Recomposed(
        "rfc1808",
        _components(NAMES_OF_RFC1808, path="/a", query=""),
        ["/a", "/a?"],
        "permitted-set",
        "R-1808-09",
    ),
    "slashes-of-an-empty-authority": Recomposed(
        "rfc1808",
        _components(NAMES_OF_RFC1808, net_loc="", path="/a"),
        ["///a", "/a"],
        "permitted-set",
        "R-1808-22",
    ),
    "slash-at-the-end-of-telnet": Recomposed(
        "rfc1738",
        _components(("scheme", "user", "password", "host", "port"), scheme="telnet", host="h"),
        ["telnet://h/", "telnet://h"],
        "permitted-set",
        "R-1738-29",
    ),
}


@pytest.mark.parametrize("row", RECOMPOSED.values(), ids=RECOMPOSED)
def test_components_are_labelled_with_texts_binding_and_ruling(row):
    label = label_form(specification(row.spec), row.components)
    assert [alternative.result for alternative in label.expect.alternatives] == row.texts
    assert label.binding == row.binding
    assert label.ruling == row.ruling


def test_a_registry_name_is_binding_wherever_it_can_be_read_back():
    """R-2396-11; a path without a slash would belong to the registry name (G-12)."""
    labels = [
        (components["path"], label.binding)
        for components, label in label_forms(specification("rfc2396"))
        if components["authority"] == "a_b:080"
    ]
    assert set(labels) == {("", "required"), ("/p", "required"), ("a", "unspecified")}
