"""The comparison of two checkouts with the real program: it names faults that are planted in a copy."""

from __future__ import annotations

import importlib
import os
import shutil
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
#: The only scene of the comparison: a run with a report, and a command that fails.
SCENE = """
    run urllib --no-config --spec rfc1808 --section 5.2 --report junit=run.xml
    repro nothing -a urllib
"""


@pytest.fixture
def copy(tmp_path):
    """A copy of the sources, and a Python whose program is this copy."""
    sources = []
    for package in ("oracle/urloracle", "harness/urlharness", "vectors/urlvectors", "vectors/urlauthor"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
        sources.append(str(tmp_path / package.partition("/")[0]))
    (tmp_path / "bin").mkdir()
    program = Path(sysconfig.get_path("scripts"), "urlconform")
    for name, command in (("python", sys.executable), ("urlconform", f"{sys.executable} {program}")):
        path = tmp_path / "bin" / name
        path.write_text(f'#!/bin/sh\nPYTHONPATH={os.pathsep.join(sources)} exec {command} "$@"\n', "utf-8")
        path.chmod(0o755)
    return tmp_path


@pytest.fixture
def compare(copy, monkeypatch, capsys):
    """Return a function that compares this checkout with the copy.

    It returns what the program prints and its exit code.
    """
    monkeypatch.syspath_prepend(str(ROOT / "tests"))
    program = importlib.import_module("compare_checkouts")
    monkeypatch.setattr(program, "SCENES", {"planted": SCENE})
    pythons = ["--before-python", sys.executable, "--after-python", str(copy / "bin" / "python")]
    monkeypatch.setattr(sys, "argv", ["compare", str(ROOT), str(copy), *pythons, "--only", "planted"])

    def run():
        code = program.main()
        return capsys.readouterr().out, code

    return run


def test_a_copy_without_a_fault_does_not_differ(compare):
    printed, code = compare()
    assert printed.endswith("2 calls, 0 expected differences, 0 that nothing explains\n")
    assert code == 0


#: A file of the source, a text in it, what replaces it, and the difference that is printed.
FAULTS = [
    pytest.param("exitcodes.py", "USAGE = 2", "USAGE = 9", "exit code\n    - 2\n    + 9\n", id="exit-code"),
    pytest.param(
        "cli/judge/repro.py",
        "no vector named",
        "there is no vector named",
        "    + urlconform: Invalid value for ID: there is no vector named",
        id="message",
    ),
    pytest.param(
        "report/junit.py",
        "Mark(tag, outcome, got)",
        'Mark(tag, "failed", got)',
        ".type\n    - fail\n    + failed\n",
        id="field-of-a-report",
    ),
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("file", "right", "wrong", "difference"), FAULTS)
def test_the_difference_that_a_planted_fault_makes_is_printed(compare, copy, file, right, wrong, difference):
    path = copy / "harness" / "urlharness" / file
    source = path.read_text("utf-8")
    assert right in source
    path.write_text(source.replace(right, wrong), "utf-8")
    printed, code = compare()
    assert difference in printed
    assert code == 1
