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
    """Return (language, file, text) for each block of a page; the file is empty if the block names none."""
    return [(kind, file, text) for kind, file, text in _BLOCK.findall(page)]


def is_script(kind: str, text: str) -> bool:
    """Return True if a block is a shell script that installs nothing."""
    return kind == "sh" and "pip install" not in text


def missing_lines(printed: str, output: str) -> list[str]:
    """Return the lines of the page that are not in the output in this order; `*` in a line is any text."""
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


@pytest.mark.long
def test_the_page_leads_from_nothing_to_a_gate(tmp_path):
    """Given only the library, the files of the page are written and its commands run, block by block."""
    shutil.copy(EXAMPLE / "tinyurl.py", tmp_path)
    outputs = outputs_on_the_page(PAGE.read_text("utf-8"), tmp_path)
    assert outputs
    for text, printed in outputs:
        assert missing_lines(text, printed) == [], printed


@pytest.mark.parametrize("path", [PAGE, ADAPTERS], ids=lambda path: path.stem)
def test_every_script_of_a_page_is_found(path):
    """The number of scripts that install nothing is counted in another way."""
    page = path.read_text("utf-8")
    scripts = [text for kind, _, text in blocks(page) if is_script(kind, text)]
    assert scripts
    assert len(scripts) == len(re.findall(r"^```sh\n(?!.*pip install)", page, re.MULTILINE))


def outputs_on_the_page(page: str, folder: Path) -> list[tuple[str, str]]:
    """Write the files of a page into a folder, and run its scripts there.

    Return each output that the page shows, with what the script before it has printed.
    """
    outputs = []
    output = ""
    for kind, file, text in blocks(page):
        if file:
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(text, "utf-8")
        elif is_script(kind, text):
            output = bash(text, folder)
        elif kind == "text":
            outputs.append((text, output))
    return outputs


@pytest.mark.parametrize(
    ("printed", "output", "missing"),
    [
        pytest.param("b\nd", "a\nb\nc\nd", [], id="some-lines"),
        pytest.param("d\nb", "a\nb\nc\nd", ["b"], id="other-order"),
        pytest.param("exit code 0", "exit code 1", ["exit code 0"], id="other-line"),
        pytest.param("* [1]", "x [1]", [], id="wildcard-and-brackets"),
    ],
)
def test_output_that_differs_from_the_page_is_detected(printed, output, missing):
    assert missing_lines(printed, output) == missing


@pytest.mark.parametrize("file", FILES)
def test_the_page_shows_the_files_of_the_example(file):
    (page_text,) = [text for _, name, text in blocks(PAGE.read_text("utf-8")) if name == file]
    assert page_text in (EXAMPLE / file).read_text("utf-8")


@pytest.fixture
def copy(tmp_path):
    """A copy of the example repository."""
    folder = tmp_path / "tinyurl"
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("__pycache__", ".pytest_cache"))
    return folder


def test_the_example_passes_with_the_command_and_with_pytest(copy):
    """Both count the same known failures; pytest runs the test of the library beside the vectors."""
    assert f"passed; {KNOWN_FAILURES} known failures" in bash("urlconform run", copy)
    output = bash("pytest --urlconform project -q", copy)
    assert re.search(rf"\d+ passed, \d+ skipped, {KNOWN_FAILURES} xfailed", output)


@pytest.mark.long
def test_a_fixed_bug_fails_with_the_command_and_with_pytest(copy):
    source = (copy / "tinyurl.py").read_text("utf-8")
    mended = source.replace('query = query or b["query"]', 'query = b["query"] if query is None else query')
    assert mended != source
    (copy / "tinyurl.py").write_text(mended, "utf-8")
    # the script fails unless the command ends with exit code 4: the baseline is stale
    stale = re.search(r"(\d+) stale entries", bash("urlconform run && exit 9 || test $? = 4", copy))
    mended_count = int(stale[1])
    # pytest ends with exit code 1 if a test failed
    output = bash("pytest --urlconform project -q urlconform || test $? = 1", copy)
    assert re.search(rf"{mended_count} failed, .* {KNOWN_FAILURES - mended_count} xfailed", output)


def test_the_recipe_for_gitlab_writes_reports_and_gates(copy):
    """The script is run as GitLab runs it, without the installation; it writes the reports that it names."""
    job = yaml.safe_load((copy / ".gitlab-ci.yml").read_text("utf-8"))["urls"]
    assert job["script"][0].startswith("pip install ")
    for line in job["script"][1:]:
        bash(line, copy)
    (copy / "pyproject.toml").unlink()
    # it gates: without an adapter it fails with exit code 2, and else this script does
    bash(f"{job['script'][-1]} && exit 9 || test $? = 2", copy)
    artifacts = job["artifacts"]
    assert artifacts["when"] == "always"
    for name in (*artifacts["paths"], artifacts["reports"]["junit"]):
        assert (copy / name).stat().st_size, name


#: How many scripts of the page on adapters run in CI: those of the first adapter, until the doctor.
FIRST_SCRIPTS = 5


@pytest.mark.parametrize(
    "count", [FIRST_SCRIPTS, pytest.param(None, marks=pytest.mark.long)], ids=["first", "all"]
)
def test_the_commands_of_the_page_on_adapters_print_what_it_shows(environment, tmp_path, count):
    """A block whose first comment is a file name is that file; the other scripts run.

    Each text on the page is compared with what the script before it has printed: numbers may be others, and
    `…` stands for the rest of a line or for left out lines.
    """
    if shutil.which("jq") is None:
        (pytest.fail if os.environ.get("URLCONFORM_LANGUAGES") == "all" else pytest.skip)("there is no jq")
    path = f"{Path(sys.executable).parent}:{environment['PATH']}"
    outputs = outputs_of_adapters_page(tmp_path, {**environment, "PATH": path}, count)
    assert outputs
    for text, printed in outputs:
        assert unprinted_lines(text, printed) == [], printed
        assert begins_as_shown(text, printed), text


def outputs_of_adapters_page(
    folder: Path, environment: dict[str, str], count: int | None
) -> list[tuple[str, str]]:
    """Write the files of the page on adapters into a folder, and run its first `count` scripts there, or all.

    Return each text that the page shows, with what the script before it has printed. Fail if a script fails.
    """
    outputs = []
    printed = ""
    scripts_run = 0
    for kind, _, text in blocks(ADAPTERS.read_text("utf-8")):
        if file_name := re.search(r"^# (\w+\.\w+)", text, re.MULTILINE):
            (folder / file_name[1]).write_text(text, "utf-8")
        elif is_script(kind, text):
            if scripts_run == count:
                break
            scripts_run += 1
            done = subprocess.run(
                ["bash", "-euo", "pipefail", "-c", text],
                cwd=folder,
                env=environment,
                capture_output=True,
                text=True,
                timeout=120,
                check=False,
            )
            assert done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr}"
            assert "Traceback" not in done.stderr
            printed = done.stdout
        elif kind == "text":
            outputs.append((text, printed))
    return outputs


def with_zeros(text: str) -> str:
    """Return a text with 0 for each number, which may be another on another machine."""
    return re.sub(r"[\d.,]+", "0", text)


def shown_lines(text: str) -> list[str]:
    """Return the lines that a page shows, without numbers and up to `…`."""
    return [with_zeros(line.partition("…")[0].rstrip()) for line in text.splitlines()]


def unprinted_lines(text: str, printed: str) -> list[str]:
    """Return the lines that a page shows and a script has not printed."""
    return [line for line in shown_lines(text) if line not in with_zeros(printed)]


def begins_as_shown(text: str, printed: str) -> bool:
    """Return True if an output begins with the first line that a page shows, which may be `…` alone."""
    return with_zeros(printed).startswith(shown_lines(text)[0])
