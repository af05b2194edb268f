"""Reports of the real program: colours on a terminal, and a standard output that is a file or a pipe."""

from __future__ import annotations

import json
import shlex
import subprocess
from xml.etree import ElementTree as ET

import pytest

from urlharness.exitcodes import Exit
from urlharness.results.model import Participant, Result

#: The options of a quick run.
SECTION_5_1 = ("--spec", "1808", "--section", "5.1")


@pytest.fixture
def results(make_case, record, tmp_path):
    """The path of the results of a run with a failing case."""
    path = tmp_path / "r.jsonl"
    ran = Participant("urllib", "ran", specs=("rfc3986",))
    record([make_case("rfc3986-5.2-x")], ran, Result("rfc3986-5.2-x", "urllib", "fail"), path=path)
    return path


def test_reports_on_standard_output_follow_the_tables(program, environment, results, tmp_path):
    """A redirected standard output is not opened again, which would truncate it."""
    log = tmp_path / "log"
    line = [program, "report", str(results)]
    for form in ("github", "markdown", "badge"):
        line += ["--report", f"{form}=/dev/stdout"]
    with log.open("wb") as stream:
        subprocess.run(line, stdout=stream, env=environment, check=True, timeout=60)
    text = log.read_text("utf-8")
    parts = ("Statements ", "\n::error ", "\n::notice ", "\n## ❌ ", '\n "urllib": {\n  "rfc3986"')
    places = [text.find(part) for part in parts]
    assert -1 not in places
    assert places == sorted(places)
    assert "\0" not in text


def test_a_quiet_run_leaves_stdout_to_its_report(urlconform_process):
    done = urlconform_process("run", "urllib", *SECTION_5_1, "--quiet", "--report", "junit=/dev/stdout")
    assert ET.fromstring(done.stdout).tag == "testsuites"
    assert done.stderr.startswith("urlconform: urllib: gate failed on required vectors of rfc1808")
    assert done.returncode == Exit.FAILED


CONFIGURED_REPORT = """\
[tool.urlconform]
adapters = ['reference']
report = { junit = "/dev/stdout" }
"""


def test_a_configured_report_may_be_written_to_stdout(urlconform_process, tmp_path):
    (tmp_path / "pyproject.toml").write_text(CONFIGURED_REPORT, "ascii")
    done = urlconform_process("run", "--quiet", *SECTION_5_1)
    assert ET.fromstring(done.stdout).tag == "testsuites"
    assert done.returncode == Exit.PASSED


def test_results_go_to_a_pipe(urlconform_process):
    done = urlconform_process("run", "reference", *SECTION_5_1, "--report", "json=/dev/stdout")
    first, *_, last = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert first["type"] == "header"
    assert last["type"] == "footer"
    assert "Statements" in done.stdout
    assert done.returncode == Exit.PASSED


def test_results_go_to_a_device(urlconform_process):
    done = urlconform_process("run", "reference", *SECTION_5_1, "--report", "json=/dev/null")
    assert "{" not in done.stdout
    assert "Statements" in done.stdout
    assert done.returncode == Exit.PASSED


def test_an_ascii_encoding_gets_ascii_tables(urlconform_process):
    done = urlconform_process("run", "reference", *SECTION_5_1, env={"PYTHONIOENCODING": "ascii"})
    assert done.stderr == ""
    assert done.stdout.isascii()
    assert done.returncode == Exit.PASSED


#: The character with which an escape sequence begins.
ESCAPE = "\x1b"


@pytest.fixture
def report_on_a_terminal(program, environment, results):
    """Return a function that prints a report on a terminal, with a value of NO_COLOR; it returns the text."""

    def show(no_color):
        line = ["script", "-qec", shlex.join([program, "report", str(results)]), "/dev/null"]
        env = {**environment, "NO_COLOR": no_color}
        process = subprocess.run(line, env=env, capture_output=True, text=True, check=True, timeout=60)
        assert "Statements " in process.stdout
        return process.stdout

    return show


def test_no_color_removes_every_escape_sequence_of_a_report(report_on_a_terminal):
    assert ESCAPE not in report_on_a_terminal("1")


def test_a_report_on_a_terminal_has_colours_with_an_empty_no_color(report_on_a_terminal):
    assert ESCAPE in report_on_a_terminal("")
