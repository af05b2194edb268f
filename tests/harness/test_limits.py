"""Limits: the same bounds wherever a limit is set; the budget of an adapter."""

from __future__ import annotations

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

SECONDS = ("timeout", "start-timeout", "total-timeout")


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


#: A limit, where it can be set, and values that are accepted and refused.
BOUNDS = [
    *(
        (
            name,
            (by_option, by_configuration, by_argument, *((by_pytest,) if name != "total-timeout" else ())),
            (LEAST_SECONDS, MOST_SECONDS),
            (LEAST_SECONDS * 0.99, math.nextafter(MOST_SECONDS, math.inf), math.inf, math.nan),
        )
        for name in SECONDS
    ),
    ("jobs", (by_option, by_configuration, by_argument), (1, MOST_JOBS), (0, MOST_JOBS + 1)),
]
ROWS = [
    pytest.param(setter, name, value, value in accepted, id=f"{setter.__name__}-{name}-{value:.9g}")
    for name, setters, accepted, refused in BOUNDS
    for setter in setters
    for value in accepted + refused
]


@pytest.mark.parametrize(("setter", "name", "value", "accepted"), ROWS)
def test_limits_have_the_same_bounds_everywhere(tmp_path, setter, name, value, accepted):
    """Command line, configuration, Python API and pytest accept the same values."""
    if accepted:
        setter(name, value, tmp_path)
    else:
        with pytest.raises(ValueError, match=r"bounds|Expected|seconds|range"):
            setter(name, value, tmp_path)


# ---- the budget of an adapter


def test_an_adapter_has_a_number_of_restarts():
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


def test_all_cases_have_a_time():
    budget = Budget(Limits(total=5.0), 10.0)
    budget.check(14.9)
    with pytest.raises(AdapterDead, match="the time limit of 5 s for all cases was reached"):
        budget.check(15.0)


def test_changed_limits_are_named():
    assert USUAL.unusual == (None, None)
    assert Limits(start=7.0, case=1.0).unusual == (1.0, 7.0)
