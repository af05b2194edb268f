"""A runner whose author had only the folder of a bundle: it gives the outcomes of the harness."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from .recorded import LIBRARIES

RUNNER = Path(__file__).with_name("runner.rb")
RUBY = shutil.which("ruby")

pytestmark = pytest.mark.skipif(RUBY is None, reason="ruby is not installed")


def outcomes_of_runner(cases: Path, answers: Path) -> dict[str, tuple[str, str]]:
    """Return the outcome and the variant of each case of a file by id, as the runner prints them."""
    command = [RUBY, RUNNER, cases, answers]
    printed = subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout
    outcomes = {}
    for line in printed.splitlines():
        record = json.loads(line)
        outcomes[record["id"]] = (record["outcome"], record["variant"])
    return outcomes


def recorded_outcomes(answers: Path) -> dict[str, tuple[str, str]]:
    """Return the outcome and the variant that the harness gave to each answer."""
    outcomes = {}
    for line in answers.read_text("ascii").splitlines()[1:]:
        record = json.loads(line)
        outcomes[record["id"]] = (record["outcome"], record["variant"])
    return outcomes


def different_outcomes(cases: Path, answers: Path) -> list[str]:
    """Return the ids of the cases of a file to which the runner gives another outcome than the harness."""
    expected = recorded_outcomes(answers)
    outcomes = outcomes_of_runner(cases, answers)
    answered = expected.keys() & outcomes.keys()
    assert answered
    return [identifier for identifier in sorted(answered) if outcomes[identifier] != expected[identifier]]


@pytest.fixture(scope="module")
def cases_of_rfc3986(bundle):
    return bundle("rfc3986") / "urlvectors-rfc3986.json"


@pytest.mark.parametrize("name", LIBRARIES)
def test_published_answers_have_the_outcomes_of_the_harness(cases_of_rfc3986, published_answers, name):
    assert different_outcomes(cases_of_rfc3986, published_answers / f"{name}.jsonl") == []


@pytest.mark.long
@pytest.mark.parametrize("name", ["reference", "odd", "odd-tells-empty"])
def test_answers_to_all_cases_have_the_outcomes_of_the_harness(bundle, made_answers, name):
    answers = made_answers / f"{name}.jsonl"
    for cases in bundle().glob("urlvectors-*.json"):
        assert different_outcomes(cases, answers) == [], cases.name


def test_a_case_without_an_answer_is_said_to_have_none(cases_of_rfc3986, tmp_path):
    answers = tmp_path / "answers.jsonl"
    answers.write_text('{"tells_empty_from_absent": true}\n', "ascii")
    outcomes = outcomes_of_runner(cases_of_rfc3986, answers)
    assert set(outcomes.values()) == {("no-answer", "")}
