"""The answers of each RFC to one question, side by side."""

from __future__ import annotations

import json

import pytest

from urlharness.explain.by_rfc import (
    compare_equivalence,
    compare_resolutions,
    compare_splits,
    compare_verdicts,
    with_common_names,
)
from urloracle.operations import parse
from urloracle.rfcs import SPECIFICATIONS


def test_each_rfc_that_has_the_rule_gives_a_verdict():
    verdict = compare_verdicts("a_b", rule="HOST")
    assert {spec: answer.problem is None for spec, answer in verdict.answers.items()} == {
        "rfc1738": False,
        "rfc2396": False,
        "rfc2732": False,
        "rfc3986": True,
    }


@pytest.mark.parametrize(
    ("host", "unanimous"), [("a_b", False), ("ab", True), ("a b", True)], ids=["one", "all", "none"]
)
def test_verdicts_are_unanimous_if_all_rfcs_accept_or_all_refuse(host, unanimous):
    assert compare_verdicts(host, rule="HOST").unanimous is unanimous


# a URL of RFC 1738, and its components under the common names
COMMON = [
    ("http://h:80/a?b", {"authority": "h:80", "host": "h", "port": "80", "path": "/a", "query": "b"}),
    ("ftp://u:p@h/a", {"authority": "u:p@h", "userinfo": "u:p", "path": "/a"}),
    ("http://h", {"authority": "h", "path": "", "query": None}),
    ("gopher://h/1a", {"path": "/1a"}),
    ("wais://h/d/t/p", {"path": "/d/t/p"}),
    ("nntp://h/g/1", {"path": "/g/1"}),
    ("mailto:a@b", {"authority": None, "path": "a@b"}),
    ("x:y", {"authority": None, "path": "y"}),
    ("x://h/a", {"authority": "h", "path": "/a"}),
]


@pytest.mark.parametrize(("text", "components"), COMMON)
def test_components_of_rfc1738_have_common_names(text, components):
    common_components = with_common_names("rfc1738", SPECIFICATIONS["rfc1738"].asdict(parse(text, "rfc1738")))
    assert {name: common_components[name] for name in components} == components


def test_the_net_loc_of_rfc_1808_is_the_authority():
    """RFC 1808, section 2.1, and RFC 3986, section 3.2: what follows `//`."""
    answer = compare_splits("//h/a").answers["rfc1808"]
    assert answer.components["authority"] == "h"


def test_the_params_of_rfc_1808_keep_their_name():
    """RFC 1808, section 2.1. RFC 3986 has no such component: they are part of the path (section 3.3)."""
    answer = compare_splits("//h/a;b").answers["rfc1808"]
    assert answer.components["params"] == "b"


@pytest.mark.parametrize(
    ("text", "spec", "variants"),
    [
        ("HTTP://h/", "rfc1738", {"case-sensitive"}),
        ("http://h/", "rfc1738", set()),
        ("foo:a?b", "rfc2396", {"other-split"}),
        ("http://h/?", "rfc1808", {"empty-as-absent"}),
    ],
    ids=["case", "no-variant", "split", "empty"],
)
def test_an_rfc_admits_its_variants(text, spec, variants):
    assert compare_splits(text).answers[spec].admits == variants


def test_each_rfc_that_defines_resolution_has_a_target():
    targets = compare_resolutions("http://a/b/c/d;p?q", "../../../g")
    assert {spec: answer.result for spec, answer in targets.answers.items()} == {
        "rfc1808": "http://a/../g",
        "rfc2396": "http://a/../g",
        "rfc2732": "http://a/../g",
        "rfc3986": "http://a/g",
    }


def test_rfc_2396_admits_a_target_without_excess_segments():
    """RFC 2396, section 5.2, step 6 g: an implementation may remove them."""
    answer = compare_resolutions("http://a/b/c/d;p?q", "../../../g").answers["rfc2396"]
    assert "excess-dropped" in answer.admits


def test_each_rfc_refuses_a_relative_base_at_the_same_offset():
    """RFC 3986 demands a URI, the others a scheme."""
    targets = compare_resolutions("a/b", "g")
    assert {spec: answer.problem.position for spec, answer in targets.answers.items()} == {
        "rfc1808": 0,
        "rfc2396": 0,
        "rfc2732": 0,
        "rfc3986": 0,
    }


def test_each_rfc_that_defines_equivalence_compares_two_urls():
    comparison = compare_equivalence("http://h/%2e/", "http://h/")
    assert {spec: answer.equal for spec, answer in comparison.answers.items()} == {
        "rfc1738": False,
        "rfc2396": False,
        "rfc2732": False,
        "rfc3986": True,
    }


def test_the_other_split_of_an_opaque_part_is_listed(explain):
    """RFC 2396, appendix B: an opaque part with a question mark in it."""
    answer = json.loads(explain("foo:a?b", "--json"))["answers"]["rfc2396"]
    (split,) = answer["also"]
    assert split["ruling"] == "R-2396-04"
    assert split["components"]["path"] == "a?b"
