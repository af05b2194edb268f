"""The table of misbehaving adapters for the other windows and for three processes."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from urlharness.sessions.client import open_sessions

_PATH = Path(__file__).parents[2] / "harness" / "sessions" / "test_session.py"
_spec = spec_from_file_location("session_table", _PATH)
table = module_from_spec(_spec)
_spec.loader.exec_module(table)

WINDOWS = (1, 64)  # the quick tests have 4
#: Adapters whose answers depend on how many questions a process was asked.
COUNTING = {"wrong_every_7th", "answers_everything_with_one_text"}


@pytest.mark.sampled(9)
@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize(
    ("script", "outcome", "words"), table.ONE_BLAMED, ids=[script for script, *_ in table.ONE_BLAMED]
)
def test_exactly_the_question_of_the_fault_is_blamed(examine, script, outcome, words, window):
    table.check_one_blamed(examine, script, outcome, words, window)


@pytest.mark.sampled(9)
@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("script", table.NONE_BLAMED)
def test_no_question_is_blamed(examine, script, window):
    assert set(examine(script, window).values()) == {("pass", "")}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize(
    ("script", "outcomes"), table.MANY_BLAMED, ids=[script for script, *_ in table.MANY_BLAMED]
)
def test_many_questions_are_blamed(examine, script, outcomes, window):
    table.check_many_blamed(examine, script, outcomes, window)


@pytest.mark.parametrize("window", WINDOWS)
def test_results_before_the_total_timeout_stay(examine, window):
    table.check_total_timeout(examine, window)


def relies_on_the_clock(script: str) -> bool:
    """Return True if the script lets time pass, which it does for every process at once."""
    text = (table.SCRIPTS / f"{script}.py").read_text("utf-8")
    return "hang" in text or "time_passes" in text


#: Adapters whose answers depend neither on the clock nor on the number of questions.
INDEPENDENT = [
    script
    for script in [script for script, *_ in table.ONE_BLAMED + table.MANY_BLAMED] + table.NONE_BLAMED
    if not relies_on_the_clock(script) and script not in COUNTING
]


@pytest.mark.sampled(9)
@pytest.mark.parametrize("script", INDEPENDENT)
def test_three_processes_give_the_same_results_as_one(examine, script, signs):
    def open_three(command, limits, harness):
        return open_sessions(command, limits._replace(jobs=3), harness)

    of_one = examine(script, 4)
    signs.with_name("known").unlink(missing_ok=True)  # what the adapter `flaky` remembers
    assert examine(script, 4, open_three) == of_one
