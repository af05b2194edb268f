"""The spellings of the tier of normalization, and its labels."""

from __future__ import annotations

from itertools import combinations, product
from typing import NamedTuple

import pytest

from urlharness.generate.tiers.normalization import COMPONENTS, Spelling, label_url, spellings
from urloracle.rfcs import specification


def test_each_url_is_asked_once():
    texts = [spelling.text for spelling in spellings()]
    assert texts
    assert len(set(texts)) == len(texts)


#: Bounds of the number of URLs, which is exact in tiers.json: with fewer of them, few spellings would meet in
#: one; with more, a run would take long.
FEWEST_URLS = 10_000
MOST_URLS = 20_000


def test_the_tier_has_so_many_urls_that_spellings_meet():
    assert len(list(spellings())) > FEWEST_URLS


def test_the_tier_has_so_few_urls_that_a_run_is_quick():
    assert len(list(spellings())) < MOST_URLS


TWO_COMPONENTS = [*combinations(Spelling._fields, 2)]
WITH_HOST_OR_PATH = [names for names in TWO_COMPONENTS if {*names} & {"host", "path"}]


def pairs_that_meet(*names):
    """Return the pairs of spellings of two components that some URL has."""
    return {tuple(getattr(spelling, name) for name in names) for spelling in spellings()}


def all_pairs(*names):
    return set(product(*(COMPONENTS[Spelling._fields.index(name)] for name in names)))


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    ("first", "second"), [names for names in TWO_COMPONENTS if names not in WITH_HOST_OR_PATH]
)
def test_every_two_spellings_meet(first, second):
    assert pairs_that_meet(first, second) == all_pairs(first, second)


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("first", "second"), WITH_HOST_OR_PATH)
def test_most_spellings_of_a_host_or_path_meet_those_of_another_component(first, second):
    """Some would be split otherwise, such as a path that begins with two slashes."""
    spelling_pairs = pairs_that_meet(first, second)
    missing = all_pairs(first, second) - spelling_pairs
    assert len(missing) < len(spelling_pairs) / 2


UNAMBIGUOUS = {
    "http://h/p": Spelling(),
    "http://u@h:1/p?q#f": Spelling(userinfo="u@", port=":1", query="?q", fragment="#f"),
}
#: A parser may split these texts otherwise.
AMBIGUOUS = {
    "http://g": Spelling(host="", path="//g"),
    "http://ha": Spelling(path="a"),
    "http://u@/p": Spelling(userinfo="u@", host=""),
}


@pytest.mark.parametrize(("text", "spelling"), [*UNAMBIGUOUS.items(), *AMBIGUOUS.items()])
def test_a_spelling_has_its_text(text, spelling):
    assert spelling.text == text


@pytest.mark.parametrize("text", UNAMBIGUOUS)
def test_a_spelling_that_is_split_into_its_components_is_unambiguous(text):
    assert UNAMBIGUOUS[text].is_unambiguous


@pytest.mark.parametrize("text", AMBIGUOUS)
def test_a_spelling_that_is_not_split_into_its_components_is_ambiguous(text):
    assert not AMBIGUOUS[text].is_unambiguous


class LabelledUrl(NamedTuple):
    """A URL to normalize and its label; `ruling` is None if the RFC itself decides."""

    spec: str
    url: str
    mode: str = "syntax"
    binding: str = "required"
    ruling: str | None = None


LABELLED = [
    LabelledUrl("rfc3986", "HTTP://H/%7e/../b"),  # sections 6.2.2.1 to 6.2.2.3
    LabelledUrl("rfc3986", "http://h:80/", binding="permitted-set", ruling="R-3986-20"),
    LabelledUrl("rfc3986", "http://h:080/", mode="scheme", binding="impl-defined", ruling="R-3986-45"),
    LabelledUrl("rfc3986", "ftp://h:21/", mode="scheme", binding="permitted-set", ruling="R-3986-32"),
    LabelledUrl("rfc3986", "%2E%2E/g", binding="unspecified", ruling="R-3986-40"),
    LabelledUrl("rfc3986", "f:/.//g", binding="impl-defined", ruling="R-3986-09"),
    LabelledUrl("rfc2396", "http://h/a/../b", binding="impl-defined", ruling="R-2396-27"),
    LabelledUrl("rfc2732", "http://[::A]/"),
]


EACH_LABELLED = pytest.mark.parametrize("row", LABELLED, ids=[f"{row.spec}-{row.url}" for row in LABELLED])


@EACH_LABELLED
def test_a_url_is_labelled_with_binding_and_ruling(row):
    label = label_url(specification(row.spec), row.url, row.mode)
    assert label.binding == row.binding
    assert label.ruling == row.ruling


@EACH_LABELLED
def test_every_normal_form_but_the_first_has_a_variant(row):
    label = label_url(specification(row.spec), row.url, row.mode)
    first_variant, *variants = [alternative.variant for alternative in label.expect.alternatives]
    assert first_variant is None
    assert [variant for variant in variants if not variant] == []
