"""The page on gating from its first line to its last: files are written, commands run, outputs seen."""

from __future__ import annotations

import fnmatch
import os
import re
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "gating.md"
EXAMPLE = ROOT / "examples" / "tinyurl"
pytestmark = pytest.mark.once

_BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: Files of the page that are the example's own, whole or in part; the others stand on the page alone.
FILES = ("conformance.py", "pyproject.toml", ".github/workflows/ci.yml", ".gitlab-ci.yml")


def blocks(page: str) -> list[tuple[str, str, str]]:
    """The blocks of a page: language, file, text."""
    return [(kind, file, text) for kind, file, text in _BLOCK.findall(page)]


def unseen(shown: str, output: str) -> list[str]:
    """The lines that a page shows and the output does not have, in their order; `*` stands for anything."""
    lines = iter(output.splitlines())
    return [
        wanted
        for wanted in shown.splitlines()
        if not any(fnmatch.fnmatchcase(line, _escaped(wanted)) for line in lines)
    ]


def _escaped(text: str) -> str:
    return text.replace("[", "[[]")


def bash(script: str, folder: Path) -> str:
    """What a script prints; it fails where one of its commands does."""
    scripts = sysconfig.get_path("scripts")
    kept = {
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
        "PYTEST_ADDOPTS": "-p no:cacheprovider -p no:hypothesispytest",
    }
    command = ["bash", "-euo", "pipefail", "-c", script]
    done = subprocess.run(
        command,
        cwd=folder,
        env=kept,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=120,
        check=False,
    )
    output = done.stdout.decode("utf-8")
    assert done.returncode == 0, f"{script}\n{output}"
    return output


def test_the_page_from_nothing_to_a_gate(tmp_path):
    """The library is there, and everything else is made as the page says."""
    shutil.copy(EXAMPLE / "tinyurl.py", tmp_path)
    output, ran = "", 0
    for kind, file, text in blocks(PAGE.read_text("utf-8")):
        if file:
            (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / file).write_text(text, "utf-8")
        elif kind == "sh" and "pip install" not in text:
            output, ran = bash(text, tmp_path), ran + 1
        elif kind == "text":
            assert unseen(text, output) == [], output
    assert ran == 10


@pytest.mark.parametrize(
    ("shown", "output", "missing"),
    [
        ("b\nd", "a\nb\nc\nd", []),
        ("d\nb", "a\nb\nc\nd", ["b"]),
        ("exit code 0", "exit code 1", ["exit code 0"]),
        ("* [1]", "x [1]", []),
    ],
)
def test_output_that_is_not_as_shown_is_seen(shown, output, missing):
    assert unseen(shown, output) == missing


@pytest.mark.parametrize("file", FILES)
def test_the_page_shows_the_files_of_the_example(file):
    (shown,) = [text for _, name, text in blocks(PAGE.read_text("utf-8")) if name == file]
    assert shown in (EXAMPLE / file).read_text("utf-8")


@pytest.fixture
def copy(tmp_path):
    """A copy of the example repository."""
    folder = tmp_path / "tinyurl"
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("__pycache__", ".pytest_cache"))
    return folder


def test_the_example_passes_both_ways(copy):
    """The command and pytest agree on what is known; the library's own test runs beside the vectors."""
    assert "as the baseline says, 19 known outcomes" in bash("urlconform run", copy)
    said = bash("pytest --urlconform project -q", copy)
    assert re.search(r"\d+ passed, \d+ skipped, 19 xfailed", said)


def test_a_mended_bug_fails_both_ways(copy):
    source = (copy / "tinyurl.py").read_text("utf-8")
    mended = source.replace('query = query or b["query"]', 'query = b["query"] if query is None else query')
    assert mended != source
    (copy / "tinyurl.py").write_text(mended, "utf-8")
    assert "3 stale entries" in bash("urlconform run && exit 9 || test $? = 4", copy)
    said = bash("pytest --urlconform project -q urlconform || test $? = 1", copy)
    assert re.search(r"3 failed, .* 16 xfailed", said)


def test_the_recipe_for_gitlab(copy):
    """Its script as a runner calls it, but for the installation; the reports that it names are there."""
    job = yaml.safe_load((copy / ".gitlab-ci.yml").read_text("utf-8"))["urls"]
    assert job["script"][0].startswith("pip install ")
    for line in job["script"][1:]:
        bash(line, copy)
    (copy / "pyproject.toml").unlink()
    bash(f"{job['script'][-1]} && exit 9 || test $? = 2", copy)  # it gates, or it is red
    artifacts = job["artifacts"]
    assert artifacts["when"] == "always"
    for name in (*artifacts["paths"], artifacts["reports"]["junit"]):
        assert (copy / name).stat().st_size
