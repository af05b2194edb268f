"""docs/adapters.md: its commands are run in their order in an empty folder, as a newcomer would."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.once

PAGE = (Path(__file__).parents[2] / "docs" / "adapters.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_commands_of_the_page(environment, tmp_path):
    """A block that names its file is written there; one of sh is run; a text after it is what it printed."""
    if shutil.which("jq") is None:
        (pytest.fail if os.environ.get("URLCONFORM_LANGUAGES") == "all" else pytest.skip)("there is no jq")
    path = f"{Path(sys.executable).parent}:{environment['PATH']}"
    printed, ran = "", 0
    for kind, text in BLOCKS:
        if named := re.search(r"^# (\w+\.\w+)", text, re.MULTILINE):
            (tmp_path / named[1]).write_text(text, "utf-8")
        elif kind == "sh" and "pip install" not in text:
            done = subprocess.run(
                ["bash", "-euo", "pipefail", "-c", text],
                cwd=tmp_path, env={**environment, "PATH": path}, capture_output=True, text=True, timeout=120,
                check=False,
            )  # fmt: skip
            assert done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr}"
            assert "Traceback" not in done.stderr
            printed, ran = done.stdout, ran + 1
        elif kind == "text":
            shown = [line.split("…")[0].rstrip() for line in text.splitlines()]
            plain = [re.sub(r"[\d.,]+", "0", line) for line in shown if line]
            there = re.sub(r"[\d.,]+", "0", printed)
            assert [line for line in plain if line not in there] == [], printed
            assert not shown[0] or there.startswith(plain[0]), f"{shown[0]} is not how it begins"
    assert ran >= 8


def test_what_readme_shows_is_what_its_command_prints(urlconform):
    """The table under “What it prints”, by the command that is named above it."""
    if shutil.which("java") is None:
        pytest.skip("there is no Java")
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    shown = re.search(
        r"^## What it prints\n\n`urlconform (.*)`.*\n\n```text\n((?:.*\n)*?)```$", readme, re.MULTILINE
    )
    assert shown is not None
    printed = [line.rstrip() for line in urlconform(*shown[1].split()).stdout.splitlines()]
    lines = shown[2].splitlines()
    assert printed[: len(lines)] == lines
