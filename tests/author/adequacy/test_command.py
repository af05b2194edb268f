"""`urlconform vectors adequacy`: what it prints and writes, and when it fails."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from urlauthor.adequacy import plan
from urlauthor.adequacy.analysis import TIERS
from urlauthor.adequacy.plan import Measured
from urlauthor.adequacy.suites import Count
from urlauthor.cli import adequacy
from urlharness.corpus.loader import load
from urlharness.exitcodes import Exit


SURVIVOR = {
    "rule": "URI-reference", "changed": "host", "operator": "drop-alternative", "witness": "//[",
    "components": False,
}  # fmt: skip


def _measured(killed):
    counts = {tier: Count(killed, 10, 2) for tier in TIERS}
    return Measured(dict(counts), dict(counts), dict(counts), {"whole": Count(5, 5)}, survivors=[SURVIVOR])


@pytest.fixture
def asked(monkeypatch):
    """Runs the command with figures that are made up; gives the plans it was run with."""
    plans = []

    def ask(killed, *arguments):
        def run(plan, _report):
            plans.append(plan)
            return {spec: _measured(killed) for spec in plan.specs}

        monkeypatch.setattr(plan, "run", run)
        return CliRunner().invoke(adequacy, arguments, standalone_mode=False), plans

    return ask


def test_goals_decide(asked):
    assert asked(10)[0].return_value == Exit.PASSED
    missed, _ = asked(9)
    assert missed.return_value == Exit.FAILED
    assert "rfc3986 core first_order: 9 of 10 is 90.00%, the goal 100%" in missed.output


def test_json(asked):
    result, plans = asked(10, "--json", "--spec", "rfc3986", "--sample", "7", "--seed", "3")
    figures = json.loads(result.stdout)
    assert figures["rfc3986"]["core"]["first_order"] == {
        "rate": 1.0,
        "killed": 10,
        "live": 10,
        "equivalent": 2,
    }
    assert list(figures) == ["rfc3986"]
    assert (plans[0].specs, plans[0].sample, plans[0].seed) == (("rfc3986",), 7, 3)


def test_files(asked, tmp_path):
    """The result has the digest of the corpus; a survivor is a candidate labelled by the automaton."""
    out, survivors = tmp_path / "a.json", tmp_path / "s.json"
    asked(10, "--spec", "rfc3986", "-o", str(out), "--survivors", str(survivors))
    written = json.loads(out.read_text())
    assert (written["corpus"], written["sample"]) == (load().digest, None)
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
