"""Limits have the same bounds wherever they can be set."""

from __future__ import annotations

import itertools
import math

import click
import pytest

from urlharness import stream
from urlharness.cli.judge.run import run as command
from urlharness.config import read_configuration
from urlharness.protocol.limits import LEAST_SECONDS, MOST_JOBS, MOST_SECONDS, USUAL, Limits


def by_option(name: str, value: float, _: pytest.Pytester) -> None:
    arguments = ["--no-config", f"--{name}={value}"]
    try:
        command.make_context("run", arguments, help_option_names=["-h", "--help"]).close()
    except click.BadParameter as error:
        raise ValueError(error.message) from None


def by_configuration(name: str, value: float, pytester: pytest.Pytester) -> None:
    path = pytester.path / "pyproject.toml"
    path.write_text(f"[tool.urlconform]\n{name} = {value}\n", "utf-8")
    read_configuration(path)


def by_argument(name: str, value: float, _: pytest.Pytester) -> None:
    """Set a limit of a stream of results, of which none is asked for."""
    stream("urllib", spec="rfc2732", **{name.replace("-", "_"): value})


def by_pytest(name: str, value: float, pytester: pytest.Pytester) -> None:
    try:
        pytester.parseconfigure("--urlconform", "urllib", f"--urlconform-{name}={value}")
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


#: Messages of the Python interface, of a configuration, and of seconds and numbers by option.
REFUSALS = r"bounds|Expected|seconds|range"
ACCEPTED = rows(SECONDS_WITHIN, jobs=(1, MOST_JOBS))
REFUSED = rows(SECONDS_BEYOND, jobs=(0, MOST_JOBS + 1))


@pytest.mark.parametrize(("set_limit", "name", "limit"), ACCEPTED)
@pytest.mark.sampled(6)
def test_a_limit_within_the_bounds_is_accepted_everywhere(pytester, set_limit, name, limit):
    """Limits are set by the command line, a configuration, the Python interface and pytest."""
    set_limit(name, limit, pytester)


@pytest.mark.parametrize(("set_limit", "name", "limit"), REFUSED)
def test_a_limit_beyond_the_bounds_is_refused_everywhere(pytester, set_limit, name, limit):
    """Limits are set by the command line, a configuration, the Python interface and pytest."""
    with pytest.raises(ValueError, match=REFUSALS):
        set_limit(name, limit, pytester)


#: Limits, and those of one case and of the start that differ from the default.
UNUSUAL = {
    "none": (USUAL, (None, None)),
    "case": (Limits(case=1.0), (1.0, None)),
    "start": (Limits(start=7.0), (None, 7.0)),
    "both": (Limits(start=7.0, case=1.0), (1.0, 7.0)),
}


@pytest.mark.parametrize(("limits", "unusual_seconds"), UNUSUAL.values(), ids=UNUSUAL)
def test_unusual_seconds_are_the_limits_that_differ_from_the_default(limits, unusual_seconds):
    assert limits.unusual_seconds == unusual_seconds
