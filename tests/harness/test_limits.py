"""The bounds of limits: the same ones wherever a limit is set."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import click
import pytest

from urlharness import run
from urlharness.cli.judge.run import run as command
from urlharness.config import read_configuration
from urlharness.limits import LEAST_SECONDS, MOST_JOBS, MOST_SECONDS
from urlharness.pytest_plugin.settings import _seconds

pytestmark = pytest.mark.once

SECONDS = ("timeout", "start-timeout", "total-timeout")
ONE = {"spec": "rfc1808", "words": "5.1-params-only"}


def by_option(name: str, value: float, _: Path) -> None:
    arguments = ["--no-config", f"--{name}={value}"]
    try:
        command.make_context("run", arguments).close()
    except click.BadParameter as error:
        raise ValueError(error.message) from None


def by_configuration(name: str, value: float, folder: Path) -> None:
    path = folder / "pyproject.toml"
    path.write_text(f"[tool.urlconform]\n{name} = {value}\n", "utf-8")
    read_configuration(path)


def by_argument(name: str, value: float, _: Path) -> None:
    run("urllib", **ONE, **{name.replace("-", "_"): value})


def by_pytest(name: str, value: float, _: Path) -> None:
    config = SimpleNamespace(getoption=lambda _: str(value))
    try:
        _seconds(config, name, 5.0)
    except pytest.UsageError as error:
        raise ValueError(str(error)) from None


#: What is set, where that can be set, and values that are taken and that are not.
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
    pytest.param(door, name, value, value in taken, id=f"{door.__name__}-{name}-{value:.9g}")
    for name, doors, taken, refused in BOUNDS
    for door in doors
    for value in taken + refused
]


@pytest.mark.parametrize(("door", "name", "value", "taken"), ROWS)
def test_bounds(tmp_path, door, name, value, taken):
    """What one door refuses every other one does, and what it takes can be run with."""
    if taken:
        door(name, value, tmp_path)
    else:
        with pytest.raises(ValueError, match=r"bounds|seconds|number|range"):
            door(name, value, tmp_path)


def test_the_bounds_cost_nobody_anything():
    """Whoever sets a limit has them, help included: their module loads the standard library alone."""
    code = "import sys, urlharness.limits; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", f"import sys; sys.path = {sys.path!r}; {code}"],
                          capture_output=True, text=True, check=True)  # fmt: skip
    assert set(done.stdout.split()) - sys.stdlib_module_names == {"__main__", "urlharness"}
