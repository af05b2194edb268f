"""Pages of the documentation: their files are written, their commands run, and the outputs compared."""

from __future__ import annotations

import fnmatch
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
import yaml

from .conftest import EXAMPLE, KNOWN_FAILURES

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "gating.md"
ADAPTERS = ROOT / "docs" / "adapters.md"

_BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: Files of the page that the example repository also has; the page may show only a part of them.
FILES = ("conformance.py", "pyproject.toml", ".github/workflows/ci.yml", ".gitlab-ci.yml")


def blocks(page: str) -> list[tuple[str, str, str]]:
    """Return (language, file, text) for each block of a page."""
    return [(kind, file, text) for kind, file, text in _BLOCK.findall(page)]


def unseen(printed: str, output: str) -> list[str]:
    """Return the lines of the page that the output lacks, in order; `*` in a line matches anything."""
    lines = iter(output.splitlines())
    return [
        expected_line
        for expected_line in printed.splitlines()
        if not any(fnmatch.fnmatchcase(line, _escaped(expected_line)) for line in lines)
    ]


def _escaped(text: str) -> str:
    return text.replace("[", "[[]")


def bash(script: str, folder: Path) -> str:
    """Return what a script prints; fail if one of its commands fails."""
    scripts = sysconfig.get_path("scripts")
    shell_environment = {
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
        "PYTEST_ADDOPTS": "-p no:cacheprovider -p no:hypothesispytest",
    }
    command = ["bash", "-euo", "pipefail", "-c", script]
    done = subprocess.run(
        command,
        cwd=folder,
        env=shell_environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=120,
        check=False,
    )
    output = done.stdout.decode("utf-8")
    assert done.returncode == 0, f"{script}\n{output}"
    return output


def test_the_page_leads_from_nothing_to_a_gate(tmp_path):
    """Given only the library, write the files and run the commands of the page."""
    shutil.copy(EXAMPLE / "tinyurl.py", tmp_path)
    page = PAGE.read_text("utf-8")
    output = ""
    ran = 0
    for kind, file, text in blocks(page):
        if file:
            (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / file).write_text(text, "utf-8")
        elif kind == "sh" and "pip install" not in text:
            output = bash(text, tmp_path)
            ran += 1
        elif kind == "text":
            assert unseen(text, output) == [], output
    assert ran == scripts_of(page) > 0


def scripts_of(page: str) -> int:
    """Return how many blocks of a page are shell scripts that install nothing."""
    return len(re.findall(r"^```sh\n(?!.*pip install)", page, re.MULTILINE))


@pytest.mark.parametrize(
    ("printed", "output", "missing"),
    [
        ("b\nd", "a\nb\nc\nd", []),
        ("d\nb", "a\nb\nc\nd", ["b"]),
        ("exit code 0", "exit code 1", ["exit code 0"]),
        ("* [1]", "x [1]", []),
    ],
)
def test_output_that_differs_from_the_page_is_detected(printed, output, missing):
    assert unseen(printed, output) == missing


@pytest.mark.parametrize("file", FILES)
def test_the_page_shows_the_files_of_the_example(file):
    (page_text,) = [text for _, name, text in blocks(PAGE.read_text("utf-8")) if name == file]
    assert page_text in (EXAMPLE / file).read_text("utf-8")


@pytest.fixture
def copy(tmp_path):
    """Return a copy of the example repository."""
    folder = tmp_path / "tinyurl"
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("__pycache__", ".pytest_cache"))
    return folder


def test_the_example_passes_with_the_command_and_with_pytest(copy):
    """The command and pytest agree on known failures; the test of the library runs with the vectors."""
    assert f"passed; {KNOWN_FAILURES} known failures" in bash("urlconform run", copy)
    output = bash("pytest --urlconform project -q", copy)
    assert re.search(rf"\d+ passed, \d+ skipped, {KNOWN_FAILURES} xfailed", output)


def test_a_fixed_bug_fails_with_the_command_and_with_pytest(copy):
    source = (copy / "tinyurl.py").read_text("utf-8")
    mended = source.replace('query = query or b["query"]', 'query = b["query"] if query is None else query')
    assert mended != source
    (copy / "tinyurl.py").write_text(mended, "utf-8")
    stale = re.search(r"(\d+) stale entries", bash("urlconform run && exit 9 || test $? = 4", copy))
    mended_count = int(stale[1])
    output = bash("pytest --urlconform project -q urlconform || test $? = 1", copy)
    assert re.search(rf"{mended_count} failed, .* {KNOWN_FAILURES - mended_count} xfailed", output)


def test_the_recipe_for_gitlab_writes_reports_and_gates(copy):
    """Run the script as a CI runner would, without the installation; it writes the reports that it names."""
    job = yaml.safe_load((copy / ".gitlab-ci.yml").read_text("utf-8"))["urls"]
    assert job["script"][0].startswith("pip install ")
    for line in job["script"][1:]:
        bash(line, copy)
    (copy / "pyproject.toml").unlink()
    bash(f"{job['script'][-1]} && exit 9 || test $? = 2", copy)  # it gates: without an adapter it fails
    artifacts = job["artifacts"]
    assert artifacts["when"] == "always"
    for name in (*artifacts["paths"], artifacts["reports"]["junit"]):
        assert (copy / name).stat().st_size


def test_the_commands_of_the_page_on_adapters_print_what_it_shows(environment, tmp_path):
    """Write each block that names a file, run each sh block, and compare its output with the next text."""
    if shutil.which("jq") is None:
        (pytest.fail if os.environ.get("URLCONFORM_LANGUAGES") == "all" else pytest.skip)("there is no jq")
    path = f"{Path(sys.executable).parent}:{environment['PATH']}"
    page = ADAPTERS.read_text("utf-8")
    printed = ""
    ran = 0
    for kind, _, text in blocks(page):
        if named := re.search(r"^# (\w+\.\w+)", text, re.MULTILINE):
            (tmp_path / named[1]).write_text(text, "utf-8")
        elif kind == "sh" and "pip install" not in text:
            done = subprocess.run(
                ["bash", "-euo", "pipefail", "-c", text],
                cwd=tmp_path,
                env={**environment, "PATH": path},
                capture_output=True,
                text=True,
                timeout=120,
                check=False,
            )
            assert done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr}"
            assert "Traceback" not in done.stderr
            printed = done.stdout
            ran += 1
        elif kind == "text":
            commands = [line.split("…")[0].rstrip() for line in text.splitlines()]
            plain = [re.sub(r"[\d.,]+", "0", line) for line in commands if line]
            normalized = re.sub(r"[\d.,]+", "0", printed)
            assert [line for line in plain if line not in normalized] == [], printed
            assert not commands[0] or normalized.startswith(plain[0]), f"{commands[0]} is not how it begins"
    assert ran == scripts_of(page) > 0
