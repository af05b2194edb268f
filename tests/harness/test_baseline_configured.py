"""What `baseline create|update` and the gate take from the configuration, and what of it is not for them."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from urlharness.exitcodes import Exit

pytestmark = pytest.mark.once

URLLIB = 'adapters = ["urllib"]\nspec = ["1808"]\nsection = ["5.2"]\nbaseline = "b.json"\n'


@pytest.fixture
def write(tmp_path):
    """Writes the table of a pyproject.toml."""

    def write(text: str) -> Path:
        path = tmp_path / "pyproject.toml"
        path.write_text(f"[tool.urlconform]\n{text}\n", "utf-8")
        return path

    return write


def test_a_baseline_is_that_of_its_adapter(write, urlconform, tmp_path, program, environment):
    """The configured one holds for the configured adapter, from every folder below, and for no other."""
    write(URLLIB)
    missing = urlconform("run")
    assert (missing.returncode, missing.stderr.count("\n")) == (Exit.INVALID_FILE, 1)
    assert "b.json: no such file; urlconform baseline create makes one" in missing.stderr
    made = urlconform("baseline", "create", "urllib", "-o", "b.json")
    assert made.returncode == 0
    assert "(rfc1808)" in made.stdout
    assert "as the baseline says" in urlconform("run").stderr
    assert urlconform("run", "reference").stderr == ""
    (tmp_path / "below").mkdir()
    below = {"cwd": tmp_path / "below", "env": environment, "capture_output": True, "text": True}
    done = subprocess.run([program, "run"], check=True, **below)
    assert "(../b.json)" in done.stderr


@pytest.mark.parametrize("adapters", ["[]", '["urllib", "reference"]'], ids=["none", "two"])
def test_a_baseline_is_not_made_of_nobody(write, urlconform, adapters):
    write(f"adapters = {adapters}")
    done = urlconform("baseline", "create", "-o", "b.json")
    assert (done.returncode, done.stderr.count("\n")) == (Exit.USAGE, 1)
    assert "no adapter and no results are named, and [tool.urlconform] has not one adapter" in done.stderr


#: A configured report, and what `run` says of it.
REPORTS = {
    "folder": ('report = { html = "no/such/x" }', "no/such: no such directory"),
    "format": ('report = { pdf = "x" }', "'pdf=x' is not FORMAT=FILE"),
    "folder-in-place-of-a-file": ('report = { junit = "." }', "is a directory"),
    "same-file-twice": ('report = { html = "x", junit = "x" }', "already taken by another report"),
}


@pytest.mark.parametrize(("report", "words"), REPORTS.values(), ids=REPORTS)
def test_a_list_needs_no_reports(write, urlconform, tmp_path, report, words):
    """None is written, and so it does not matter where to."""
    path = write(URLLIB + report)
    made = urlconform("baseline", "create", "-o", "b.json")
    assert (made.returncode, made.stderr) == (Exit.PASSED, "")
    before = (tmp_path / "b.json").read_text("ascii")
    updated = urlconform("baseline", "update", "b.json")
    assert (updated.returncode, updated.stderr) == (Exit.PASSED, "")
    assert (tmp_path / "b.json").read_text("ascii") == before
    assert {one.name for one in tmp_path.iterdir()} == {"pyproject.toml", "b.json"}
    refused = urlconform("run")
    assert refused.returncode == Exit.USAGE
    assert refused.stderr.startswith(f"urlconform: {path}: [tool.urlconform] report: ")
    assert words in refused.stderr
