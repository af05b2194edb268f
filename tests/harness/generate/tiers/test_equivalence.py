"""The pairs of the tier of equivalence, and their labels."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from urlharness.generate.tiers.equivalence import CHANGES, URLS, label_pair, pairs
from urlharness.generate.tiers.normalization import Spelling
from urloracle.rfcs import specification


def test_each_pair_is_asked_once():
    all_pairs = list(pairs())
    assert all_pairs
    assert len(set(all_pairs)) == len(all_pairs)


#: Bounds of the number of pairs, which is exact in tiers.json: with fewer of them, few changes would meet in
#: one; with more, a run would take long.
FEWEST_PAIRS = 5_000
MOST_PAIRS = 10_000


def test_the_tier_has_so_many_pairs_that_changes_meet():
    assert len(list(pairs())) > FEWEST_PAIRS


def test_the_tier_has_so_few_pairs_that_a_run_is_quick():
    assert len(list(pairs())) < MOST_PAIRS


@pytest.mark.parametrize("name", CHANGES)
def test_every_change_changes_some_url(name):
    assert [url for url in URLS if CHANGES[name](url) != url] != []


@pytest.mark.parametrize(
    ("name", "spelling", "before", "after"),
    [
        pytest.param("scheme-case", Spelling(), "http://h/p", "HTTP://h/p", id="scheme-case"),
        pytest.param(
            "host-case", Spelling(host="//a%3aB"), "http://a%3aB/p", "http://A%3ab/p", id="host-case"
        ),
        pytest.param(
            "path-hex-case",
            Spelling(path="/%c3%A9a"),
            "http://h/%c3%A9a",
            "http://h/%C3%a9a",
            id="path-hex-case",
        ),
        pytest.param(
            "path-unreserved",
            Spelling(path="/%41b"),
            "http://h/%41b",
            "http://h/%41%62",
            id="path-unreserved",
        ),
        pytest.param(
            "path-decoded",
            Spelling(path="/%41%2F%20%C3"),
            "http://h/%41%2F%20%C3",
            "http://h/A/%20%C3",
            id="path-decoded",
        ),
        pytest.param(
            "port-default", Spelling(scheme="ftp:"), "ftp://h/p", "ftp://h:21/p", id="port-of-a-known-scheme"
        ),
        pytest.param(
            "port-default", Spelling(scheme="x:"), "x://h/p", "x://h/p", id="no-port-of-another-scheme"
        ),
        pytest.param("double-dot", Spelling(), "http://h/p", "http://h/x/../p", id="double-dot"),
        pytest.param(
            "query-order", Spelling(query="?a&b"), "http://h/p?a&b", "http://h/p?b&a", id="query-order"
        ),
        pytest.param(
            "password-empty", Spelling(userinfo="u@"), "http://u@h/p", "http://u:@h/p", id="password-empty"
        ),
    ],
)
def test_each_change_gives_its_spelling(name, spelling, before, after):
    assert spelling.text == before
    assert CHANGES[name](spelling).text == after


class LabelledPair(NamedTuple):
    """A pair of URLs and its label; `ruling` is None if the RFC itself decides."""

    spec: str
    first: str
    second: str
    equal: bool
    mode: str = "syntax"
    binding: str = "required"
    ruling: str | None = None


PAIRS = [
    LabelledPair("rfc3986", "HTTP://H/%7e", "http://h/~", equal=True),
    LabelledPair(
        "rfc3986", "http://h:80/", "http://h/", equal=False, binding="permitted-set", ruling="R-3986-20"
    ),
    LabelledPair(
        "rfc2396", "http://h:80/", "http://h/", equal=False, binding="impl-defined", ruling="R-2396-27"
    ),
    LabelledPair(
        "rfc2396",
        "wais://h:210/d",
        "wais://h/d",
        mode="scheme",
        equal=True,
        binding="permitted-set",
        ruling="R-2396-27",
    ),
    LabelledPair("rfc1738", "http://H/", "http://h/", equal=True, binding="impl-defined", ruling="G-11"),
    LabelledPair("rfc1738", "HTTP://h/", "http://h/", equal=True, binding="impl-defined", ruling="R-1738-03"),
    LabelledPair(
        "rfc1738", "http://h:80/", "http://h/", mode="scheme", equal=True, binding="permitted-set"
    ),  # section 3.1
]


@pytest.mark.parametrize("row", PAIRS, ids=[f"{row.spec}-{row.first}" for row in PAIRS])
def test_a_pair_is_labelled_with_verdict_binding_and_ruling(row):
    label = label_pair(specification(row.spec), row.first, row.second, row.mode)
    assert label.expect.alternatives[0].equal is row.equal
    assert label.binding == row.binding
    assert label.ruling == row.ruling
