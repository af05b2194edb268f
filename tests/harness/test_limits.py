"""Limits: the same bounds wherever a limit is set; the budget of an adapter."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from types import SimpleNamespace

import click
import pytest

from urlharness.api import _limits
from urlharness.cli.judge.run import run as command
from urlharness.config import read_configuration
from urlharness.limits import (
    HELLO_AGAIN,
    LEAST_SECONDS,
    MOST_JOBS,
    MOST_SECONDS,
    USUAL,
    Abnormal,
    AdapterDead,
    Budget,
    Limits,
)
from urlharness.pytest_plugin.settings import _seconds


def by_option(name: str, value: float, _: Path) -> None:
    arguments = ["--no-config", f"--{name}={value}"]
    try:
        command.make_context("run", arguments, help_option_names=["-h", "--help"]).close()
    except click.BadParameter as error:
        raise ValueError(error.message) from None


def by_configuration(name: str, value: float, folder: Path) -> None:
    path = folder / "pyproject.toml"
    path.write_text(f"[tool.urlconform]\n{name} = {value}\n", "utf-8")
    read_configuration(path)


def by_argument(name: str, value: float, _: Path) -> None:
    usual = {"timeout": 5.0, "start_timeout": 30.0, "total_timeout": None, "jobs": 1}
    _limits(**usual | {name.replace("-", "_"): value})


def by_pytest(name: str, value: float, _: Path) -> None:
    config = SimpleNamespace(getoption=lambda _: str(value))
    try:
        _seconds(config, name, 5.0)
    except pytest.UsageError as error:
        raise ValueError(str(error)) from None


#: Where each limit can be set.
SETTERS = {
    "timeout": (by_option, by_configuration, by_argument, by_pytest),
    "start-timeout": (by_option, by_configuration, by_argument, by_pytest),
    "total-timeout": (by_option, by_configuration, by_argument),
    "jobs": (by_option, by_configuration, by_argument),
}
SECONDS_WITHIN = (LEAST_SECONDS, MOST_SECONDS)
SECONDS_BEYOND = (LEAST_SECONDS * 0.99, math.nextafter(MOST_SECONDS, math.inf), math.inf, math.nan)


def rows(seconds: tuple[float, ...], jobs: tuple[int, ...]) -> list[object]:
    """Return a row for each limit, each place where it can be set, and each number."""
    table = []
    for name, setters in SETTERS.items():
        numbers = jobs if name == "jobs" else seconds
        for set_limit, number in itertools.product(setters, numbers):
            identifier = f"{set_limit.__name__}-{name}-{number:.9g}"
            table.append(pytest.param(set_limit, name, number, id=identifier))
    return table


ACCEPTED = rows(SECONDS_WITHIN, jobs=(1, MOST_JOBS))
REFUSED = rows(SECONDS_BEYOND, jobs=(0, MOST_JOBS + 1))


@pytest.mark.parametrize(("set_limit", "name", "limit"), ACCEPTED)
def test_a_limit_within_the_bounds_is_accepted_everywhere(tmp_path, set_limit, name, limit):
    """By the command line, a configuration, the Python interface and pytest."""
    set_limit(name, limit, tmp_path)


@pytest.mark.parametrize(("set_limit", "name", "limit"), REFUSED)
def test_a_limit_beyond_the_bounds_is_refused_everywhere(tmp_path, set_limit, name, limit):
    """By the command line, a configuration, the Python interface and pytest."""
    with pytest.raises(ValueError, match=r"bounds|Expected|seconds|range"):
        set_limit(name, limit, tmp_path)


# ---- the budget of an adapter


def test_an_adapter_is_given_up_after_its_last_restart():
    budget = Budget(Limits(restarts=2), 0.0)
    for index in range(2):
        budget.count_abnormal(index, Abnormal("crash", "exit code 1"))
        budget.check(1.0)
    budget.count_abnormal(2, Abnormal("crash", "exit code 3"))
    with pytest.raises(AdapterDead, match="more than 2 times; the last time: exit code 3"):
        budget.check(1.0)


def test_an_adapter_that_only_says_hello_is_given_up():
    budget = Budget(Limits(), 0.0)
    for index in range(3):
        budget.check(1.0)
        budget.count_abnormal(index, Abnormal("garbage", HELLO_AGAIN))
    with pytest.raises(AdapterDead, match=HELLO_AGAIN):
        budget.check(1.0)


def test_ends_without_a_question_to_blame_are_limited():
    budget = Budget(Limits(restarts=1), 0.0)
    for _ in range(4):
        budget.check(1.0)
        budget.count_end("exit code 1", blamed=False)
    with pytest.raises(AdapterDead, match="no question is to blame; the last time: exit code 1"):
        budget.check(1.0)


def test_an_adapter_is_given_up_when_the_time_for_all_cases_is_over():
    budget = Budget(Limits(total=5.0), 10.0)
    budget.check(14.9)
    with pytest.raises(AdapterDead, match="the time limit of 5 s for all cases was reached"):
        budget.check(15.0)


def test_usual_limits_are_not_named():
    assert USUAL.unusual == (None, None)


def test_changed_limits_are_named():
    assert Limits(start=7.0, case=1.0).unusual == (1.0, 7.0)
