"""The URLs of the tier of decoding, and their labels."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from urlharness.generate.tiers.decoding import SCHEMES, label_url, urls
from urloracle.rfcs import specification

RFC1738 = specification("rfc1738")


def test_each_url_is_asked_once():
    all_urls = list(urls())
    assert all_urls
    assert len(set(all_urls)) == len(all_urls)


#: Bounds of the number of URLs, which is exact in tiers.json: with fewer of them, few encodings would meet in
#: one; with more, a run would take long.
FEWEST_URLS = 20_000
MOST_URLS = 40_000


def test_the_tier_has_so_many_urls_that_encodings_meet():
    assert len(list(urls())) > FEWEST_URLS


def test_the_tier_has_so_few_urls_that_a_run_is_quick():
    assert len(list(urls())) < MOST_URLS


def test_every_scheme_has_its_parts():
    """RFC 1738, section 5: the ten schemes."""
    assert {scheme.partition(":")[0] for scheme in SCHEMES} == {*RFC1738.schemes}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("text", ["%2F", "%09", "%0D%0A", "%00", "%FF", "%2541"])
def test_encodings_occur_in_valid_urls_of_most_schemes(text):
    """Section 2.2; a news group, an nntp group and a host have no encodings."""
    schemes = {url.partition(":")[0] for url in urls() if text in url and RFC1738.problem(url) is None}
    assert schemes >= {*RFC1738.schemes} - {"nntp"}


class Labelled(NamedTuple):
    """What the label of a URL says, with the number of answers that it admits."""

    binding: str
    ruling: str | None
    alternatives: int


LABELS = {
    "ftp://h/a": Labelled("required", None, 1),
    "ftp://h/": Labelled("unspecified", "R-1738-22", 1),
    "ftp://h/a?b": Labelled("permitted-set", "R-1738-12", 2),
    "ftp://h/a?b;type=I": Labelled("permitted-set", "R-1738-21", 4),
    "ftp://h/a%0Ab": Labelled("impl-defined", "R-1738-43", 2),
    "gopher://h/%31": Labelled("impl-defined", "R-1738-20", 2),
    "gopher://h/1a%0Ab": Labelled("impl-defined", "R-1738-19", 3),
    "nntp://h/g": Labelled("impl-defined", "R-1738-28", 2),
    "http://999.1.1.1/": Labelled("impl-defined", "R-1738-07", 2),
}


@pytest.mark.parametrize("url", LABELS)
def test_a_url_is_labelled_with_binding_ruling_and_alternatives(url):
    label = label_url(RFC1738, url)
    assert Labelled(label.binding, label.ruling, len(label.expect.alternatives)) == LABELS[url]
