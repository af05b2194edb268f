"""The figures held against the goals, and the stored result against the corpus that it was measured on."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from urlauthor.adequacy import plan
from urlauthor.adequacy.suites import Count
from urlharness.corpus.loader import load
from urlharness.corpus.model import SPECS, corpus_dir


ALL, SOME = Count(10, 10).asdict(), Count(9, 10).asdict()
REACHED = {tier: {figure: ALL for one, figure in plan.GOALS if one == tier} for tier, _ in plan.GOALS}


def test_goals_that_are_reached():
    assert list(plan.missed({"rfc3986": REACHED})) == []


@pytest.mark.parametrize("goal", plan.GOALS, ids="-".join)
def test_each_goal_can_be_missed(goal):
    tier, figure = goal
    found = {**REACHED, tier: {**REACHED[tier], figure: SOME}}
    (line,) = plan.missed({"rfc3986": found})
    assert line.startswith(f"rfc3986 {tier} {figure}: 9 of 10 is 90.00%")


def test_a_rate_of_one_says_all():
    assert Count(99_999, 100_000).asdict()["rate"] == 0.9999
    assert Count(0, 0).rate == 1


def test_every_figure_has_what_goes_with_it():
    """A first-order rate stands beside a held-out one, and a rate of faults beside its domain."""
    for tiers in _stored()["specs"].values():
        for figures in tiers.values():
            assert ("first_order" in figures) == ("held_out" in figures)
            assert "faults" not in figures or "domain" in figures["faults"]


def test_the_stored_result_is_of_its_schema():
    schema = json.loads((corpus_dir() / "schemas" / "adequacy.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    assert list(validator.iter_errors(_stored())) == []
    assert not validator.is_valid({**_stored(), "corpus": "?"})
    assert not validator.is_valid({**_stored(), "specs": {"rfc3986": {"core": {"first_order": {"rate": 2}}}}})


def test_the_stored_result_fits_the_corpus():
    assert _stored()["corpus"] == load().digest, "adequacy.json is stale: run `tox -e adequacy`"


def test_the_stored_result_is_no_estimate_and_reaches_every_goal():
    stored = _stored()
    assert stored["sample"] is None
    assert list(stored["specs"]) == list(SPECS)
    assert list(plan.missed(stored["specs"])) == []


def _stored():
    return json.loads((corpus_dir() / "adequacy.json").read_text(encoding="utf-8"))
