"""Texts to add to tests: an independent oracle confirms their answers, and a second choice agrees.

The tests of format `uri` of the JSON-Schema-Test-Suite are not part of this repository. If
URLCONFORM_JSON_SCHEMA_TESTS names a folder with its files, the figures of docs/your-tests.md are checked.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from urlharness.adequacy.additions import choose_additions, curve
from urlharness.adequacy.measuring import measure
from urlharness.adequacy.readers import Defaults, ProjectTests, ResolutionTest, VerdictTest, read_tests

from ...harness.adequacy.test_additions import second_choice  # noqa: TID252 - tests are not an installed package
from ..generate.independent_resolution import RESOLVERS  # noqa: TID252 - tests are not an installed package
from ..oracle.independent_oracle.recogniser import verdict  # noqa: TID252 - tests are not an installed package

PAGE = Path(__file__).parents[3] / "docs" / "your-tests.md"
SUITE = os.environ.get("URLCONFORM_JSON_SCHEMA_TESTS")
#: More texts than there are to add for any of the tests below.
EVERYTHING = 10_000

#: Few tests of a rule of each RFC, from which texts to add are chosen.
TESTS = [
    VerdictTest("", "rfc1738", "httpurl", "http://h/", True),
    # half a minute of CPU and more
    pytest.param(VerdictTest("", "rfc2396", "absoluteURI", "a:b", True), marks=pytest.mark.long),
    pytest.param(VerdictTest("", "rfc3986", "URI", "http://a.b/?c=d#e", True), marks=pytest.mark.long),
]


def measured(verdicts=(), resolutions=()):
    """Return the catalogue of the rule or the resolution that tests ask for, and what the tests notice."""
    tests = ProjectTests("csv", list(verdicts), list(resolutions), {})
    (part,) = measure(tests, os.cpu_count() or 1, print).parts
    return part.catalogue, part.noticed


@pytest.mark.parametrize("test", TESTS, ids=lambda test: f"{test.spec}-{test.rule}")
def test_the_independent_oracle_confirms_every_text_to_add(test):
    catalogue, noticed = measured(verdicts=[test])
    additions = choose_additions(catalogue, noticed, EVERYTHING)
    assert additions
    for addition in additions:
        (text,) = addition.inputs
        assert verdict(text, test.spec, test.rule).valid is addition.answer, text


@pytest.mark.long
def test_the_independent_oracle_confirms_every_pair_to_add():
    """The pairs of base and reference are resolved by RFC 3986, section 5.2.2."""
    test = ResolutionTest("", "rfc3986", "http://a/b/c/d;p?q", "../g", "http://a/b/g")
    catalogue, noticed = measured(resolutions=[test])
    additions = choose_additions(catalogue, noticed, EVERYTHING)
    assert additions
    for addition in additions:
        assert RESOLVERS["rfc3986"](*addition.inputs).recommended == addition.answer, addition.inputs


@pytest.mark.parametrize("test", TESTS, ids=lambda test: f"{test.spec}-{test.rule}")
def test_a_second_implementation_chooses_the_same_first_twenty(test):
    catalogue, _ = measured(verdicts=[test])
    first_twenty = [addition.inputs[0] for addition in choose_additions(catalogue, 0, 20)]
    assert first_twenty == second_choice(catalogue, 20)


@pytest.mark.skipif(not SUITE, reason="URLCONFORM_JSON_SCHEMA_TESTS names no folder")
@pytest.mark.parametrize("name", ["uri", "uri-reference"])
def test_the_page_has_the_figures_of_the_json_schema_test_suite(name):
    assert SUITE is not None
    tests = read_tests([Path(SUITE) / f"{name}.json"], Defaults("rfc3986"))
    (part,) = measure(tests, os.cpu_count() or 1, print).parts
    numbers = curve(part.catalogue, part.noticed)
    cells = [part.tests, f"{part.noticed_kinds:,} of {part.catalogue.kinds:,}", f"{part.share:.0f} %"]
    row = " | ".join(map(str, [f"`{name}.json`", *cells, *numbers.values()]))
    assert re.search(rf"^\| {re.escape(row)} \|$", PAGE.read_text("utf-8"), re.MULTILINE), row
