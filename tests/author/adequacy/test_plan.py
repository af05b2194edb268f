"""The command `vectors adequacy`, its figures and goals; the stored result belongs to the corpus."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from urlauthor.adequacy import plan
from urlauthor.adequacy.analysis import TIERS
from urlauthor.adequacy.plan import Measured
from urlauthor.adequacy.subjects import subjects
from urlauthor.adequacy.suites import Count
from urlauthor.cli import adequacy
from urlharness.corpus.loader import load
from urlharness.corpus.model import corpus_dir
from urlharness.corpus.specifications import SPECS
from urlharness.exitcodes import Exit

ALL, SOME = Count(10, 10).asdict(), Count(9, 10).asdict()
REACHED = {
    tier: {figure: ALL for tier_name, figure in plan.GOALS if tier_name == tier} for tier, _ in plan.GOALS
}


def test_no_goal_is_missed_by_figures_that_reach_it():
    assert list(plan.missed({"rfc3986": REACHED})) == []


@pytest.mark.parametrize("goal", plan.GOALS, ids="-".join)
def test_each_goal_can_be_missed(goal):
    tier, figure = goal
    figures = {**REACHED, tier: {**REACHED[tier], figure: SOME}}
    (line,) = plan.missed({"rfc3986": figures})
    assert line.startswith(f"rfc3986 {tier} {figure}: 9 of 10 is 90.00%")


@pytest.mark.parametrize("goal", plan.GOALS, ids="-".join)
def test_a_sample_misses_a_goal_only_on_evidence(goal):
    """One miss of ten refutes a goal of 100 %, but is likely if a run as a whole reaches 99 % or 95 %."""
    tier, figure = goal
    few = SOME
    many = Count(5, 10).asdict()
    reports = [{"rfc3986": {**REACHED, tier: {**REACHED[tier], figure: rate}}} for rate in (few, many)]
    assert len(list(plan.missed(reports[0], 10))) == (plan.GOALS[goal] == 1)
    assert len(list(plan.missed(reports[1], 10))) == 1


def test_a_sample_that_kills_everything_misses_nothing():
    assert list(plan.missed({"rfc3986": REACHED}, 10)) == []
    nothing = Count(0, 0).asdict()
    assert list(plan.missed({"rfc3986": {"whole": {"second_order": nothing}}}, 10)) == []


@pytest.mark.parametrize("spec", SPECS)
def test_a_sample_is_a_part_of_what_a_full_run_examines(spec):
    """A full run examines a mutant in the first subject that has it, whatever the witnesses are."""
    drawn = plan._draw_samples(plan.Plan((spec,), 5, 1), subjects(spec))
    seen = set()
    assert [of_rule for of_rule in drawn if len({subject.rule for subject in of_rule}) != 1] == []
    for subject, (numbers, sample) in (entry for of_rule in drawn for entry in of_rule.items()):
        changes = [(subject.mutants[number].change, subject.overlaid) for number in sample]
        assert seen.isdisjoint(changes)
        seen.update(changes)
        assert set(numbers) <= set(sample)
        assert len(numbers) == min(5, len(sample))
    assert seen == {
        (mutant.change, subject.overlaid) for subject in subjects(spec) for mutant in subject.mutants
    }


def test_a_rate_is_1_only_if_nothing_is_missing():
    assert Count(99_999, 100_000).asdict()["rate"] == 0.9999
    assert Count(0, 0).rate == 1


def _stored_figures():
    return [figures for tiers in _stored()["specs"].values() for figures in tiers.values()]


def test_a_first_order_rate_stands_beside_a_held_out_one():
    first_order = [figures for figures in _stored_figures() if "first_order" in figures]
    assert first_order
    assert first_order == [figures for figures in _stored_figures() if "held_out" in figures]


def test_a_rate_of_faults_stands_beside_its_domain():
    faults = [figures["faults"] for figures in _stored_figures() if "faults" in figures]
    assert faults
    assert [rate for rate in faults if "domain" not in rate] == []


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


SURVIVOR = {
    "rule": "URI-reference", "changed": "host", "operator": "drop-alternative", "witness": "//[",
    "components": False,
}  # fmt: skip


def _measured(killed):
    counts = {tier: Count(killed, 10, 2) for tier in TIERS}
    return Measured(dict(counts), dict(counts), dict(counts), {"whole": Count(5, 5)}, survivors=[SURVIVOR])


@pytest.fixture
def adequacy_run(monkeypatch):
    """Runs the command with figures that are made up; gives the plans it was run with."""
    plans = []

    def ask(killed, *arguments):
        def run(plan, _report):
            plans.append(plan)
            return {spec: _measured(killed) for spec in plan.specs}

        monkeypatch.setattr(plan, "run", run)
        return CliRunner().invoke(adequacy, arguments, standalone_mode=False), plans

    return ask


def test_a_missed_goal_fails_the_command(adequacy_run):
    assert adequacy_run(10)[0].return_value == Exit.PASSED
    missed, _ = adequacy_run(9)
    assert "rfc3986 core first_order: 9 of 10 is 90.00%, but the goal is 100%" in missed.output
    assert missed.return_value == Exit.FAILED


def test_only_a_goal_of_all_mutants_is_missed_by_nine_of_a_sample_of_ten(adequacy_run):
    """Nine of ten pairs may be a sample of a run that reaches 99 %."""
    result, _ = adequacy_run(9, "--sample", "10")
    assert "core first_order" in result.output
    assert "second_order: 9 of 10" not in result.output
    assert "held_out: 9 of 10" not in result.output
    assert result.return_value == Exit.FAILED


def test_the_figures_are_printed_as_json(adequacy_run):
    result, plans = adequacy_run(10, "--json", "--spec", "rfc3986", "--sample", "7", "--seed", "3")
    figures = json.loads(result.stdout)
    assert figures["rfc3986"]["core"]["first_order"] == {
        "rate": 1.0,
        "killed": 10,
        "live": 10,
        "equivalent": 2,
    }
    assert list(figures) == ["rfc3986"]
    assert plans[0].specs == ("rfc3986",)
    assert plans[0].sample == 7
    assert plans[0].seed == 3


def test_the_result_and_the_survivors_are_written_to_files(adequacy_run, tmp_path):
    """The result has the digest of the corpus; a survivor is a candidate labelled by the automaton."""
    out = tmp_path / "a.json"
    survivors = tmp_path / "s.json"
    adequacy_run(10, "--spec", "rfc3986", "-o", str(out), "--survivors", str(survivors))
    written = json.loads(out.read_text())
    assert written["corpus"] == load().digest
    assert written["sample"] is None
    assert json.loads(survivors.read_text()) == {
        "rfc3986": [
            {
                "op": "validate",
                "rule": "URI-reference",
                "url": "//[",
                "expect": {"valid": False, "at": 3, "rules": ["host"]},
                "binding": "required",
                "mutants": [["host", "drop-alternative"]],
            }
        ]
    }
