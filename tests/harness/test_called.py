"""A line that starts the command again finds it, whether or not the PATH does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from urlharness.shell import called

pytestmark = pytest.mark.once

CASE = "rfc1808-5.1-segment"
SCRIPTS = Path(sysconfig.get_path("scripts"))
SCRIPT = str(SCRIPTS / "urlconform")
MODULE = f"{sys.executable} -m urlharness.cli"


@pytest.fixture
def paths(tmp_path, environment) -> dict[str, str]:
    """A PATH of each kind; what they have beside the command is the same."""
    usual = os.pathsep.join(
        entry for entry in environment["PATH"].split(os.pathsep) if not (Path(entry) / "urlconform").exists()
    )
    for name in ("link", "other"):
        (tmp_path / name).mkdir()
    (tmp_path / "link" / "urlconform").symlink_to(SCRIPT)
    other = tmp_path / "other" / "urlconform"
    other.write_text("#!/bin/sh\necho another\n", "utf-8")
    other.chmod(0o755)
    folders = {"there": SCRIPTS, "link": tmp_path / "link", "other": tmp_path / "other"}
    return {"none": usual, **{name: f"{folder}{os.pathsep}{usual}" for name, folder in folders.items()}}


@pytest.mark.parametrize(
    ("path", "program", "wanted"),
    [
        pytest.param("there", [SCRIPT], "urlconform", id="on-the-path"),
        pytest.param("link", [SCRIPT], "urlconform", id="a-link-on-the-path"),
        pytest.param("there", MODULE.split(), "urlconform", id="as-a-module"),
        pytest.param("none", [SCRIPT], SCRIPT, id="not-on-the-path"),
        pytest.param("none", [".venv/bin/urlconform"], "{tmp}/.venv/bin/urlconform", id="by-a-relative-path"),
        pytest.param("other", [SCRIPT], SCRIPT, id="another-on-the-path"),
        pytest.param("none", MODULE.split(), SCRIPT, id="a-module-not-on-the-path"),
    ],
)
def test_the_line_by_hand_finds_the_command(urlconform, environment, tmp_path, paths, path, program, wanted):
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "bin").symlink_to(SCRIPTS)
    env = {"PATH": paths[path]}
    done = urlconform("repro", CASE, "-a", "reference", program=program, env=env)
    line = done.stdout.splitlines()[-1].removeprefix("by hand").strip()
    assert line.endswith(f" {wanted.format(tmp=tmp_path)} serve reference"), line
    pasted = subprocess.run(
        ["bash", "-c", line], cwd=tmp_path, env=environment | env, capture_output=True, text=True, check=False
    )
    assert (pasted.returncode, pasted.stderr) == (0, "")
    assert json.loads(pasted.stdout.splitlines()[1])["url"] == "http://a/b/c/g"


def test_the_doctor_finds_it_too(urlconform, tmp_path, paths):
    (tmp_path / "bad.py").write_text("def f(question):\n    return {'status': 'odd'}\n", "utf-8")
    done = urlconform("adapters", "doctor", "python:bad:f", "--json", env={"PATH": paths["none"]})
    lines = [found["reproduce"] for found in json.loads(done.stdout)["checks"] if found.get("reproduce")]
    assert lines
    assert all(f" {SCRIPT} serve python:bad:f" in line for line in lines)


def test_without_a_script_it_is_the_module(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["-c"])
    monkeypatch.setattr(sys, "executable", "/nowhere/python3")
    assert called() == ["/nowhere/python3", "-m", "urlharness.cli"]
