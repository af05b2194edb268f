"""The line that asks a case again is one that does: of another corpus it says where that is."""

from __future__ import annotations

import html
import io
import json
import shlex
import sys

import msgspec
import pytest
from rich.console import Console

from urlharness.report import github, junit, markdown, terminal
from urlharness.report.failures import repro_line
from urlharness.results.model import Participant, Result

pytestmark = pytest.mark.once

LIB = Participant("lib", "ran")
CASE = "rfc3986-3.3-x"


@pytest.fixture
def run(make_case, record):
    """A run of one case, which fails, with such a header."""

    def make(identifier=CASE, **header):
        case = make_case(identifier)
        results = record([case], LIB, Result(case.vector.id, "lib", "fail", detail="why"))
        changed = msgspec.structs.replace(results.header, **header)
        return msgspec.structs.replace(results, header=changed)

    return make


#: What a header says, and what the line has before and behind the case and the adapter.
LINES = [
    pytest.param({}, "", "", id="installed"),
    pytest.param({"vectors": "a b.json"}, "", " --vectors 'a b.json'", id="corpus"),
    pytest.param({"folder": ".."}, "(cd -P .. && ", ")", id="folder"),
    pytest.param({"folder": "../..", "vectors": "a"}, "(cd -P ../.. && ", " --vectors a)", id="both"),
    pytest.param(
        {"folder": "`x`", "vectors": "$(x);y"}, "(cd -P '`x`' && ", " --vectors '$(x);y')", id="hostile"
    ),
    pytest.param({"timeout": 7.0}, "", " --timeout 7", id="timeout"),
    pytest.param({"start_timeout": 0.25}, "", " --start-timeout 0.25", id="start-timeout"),
    pytest.param(
        {"folder": "..", "vectors": "a", "timeout": 600.0, "start_timeout": 60.0},
        "(cd -P .. && ",
        " --vectors a --timeout 600 --start-timeout 60)",
        id="all",
    ),
    pytest.param({"argv": ("run", "--vectors", "a.json")}, "", "", id="words-of-another-program"),
]


@pytest.mark.parametrize(("header", "before", "behind"), LINES)
def test_line(run, header, before, behind):
    line = repro_line(run(**header), CASE, "lib")
    assert line == f"{before}urlconform repro {CASE} -a lib{behind}"


def test_generated_cases_are_of_no_file(run):
    results = run(folder="..", vectors="a.json", timeout=7.0)
    line = repro_line(results, "complete-rfc3986-URI-000001", "lib")
    assert line == "(cd -P .. && urlconform repro complete-rfc3986-URI-000001 -a lib --timeout 7)"


def test_names_are_quoted(run):
    line = repro_line(run(), "a b", "exec:x 'y'")
    assert shlex.split(line) == ["urlconform", "repro", "a b", "-a", "exec:x 'y'"]


def in_terminal(results) -> str:
    stream = io.StringIO()
    Console(file=stream, width=200).print(terminal.first_failures(results, "lib"), soft_wrap=True)
    return stream.getvalue()


@pytest.mark.parametrize("render", [in_terminal, junit.render, markdown.render, github.render])
def test_every_report_has_the_line(run, render):
    line = f"urlconform repro {CASE} -a lib --vectors other.json"
    assert line in render(run(vectors="other.json"))
    below = html.unescape(render(run(folder="..", vectors="other.json")))
    assert f"(cd -P .. && {line})" in below


@pytest.mark.once
def test_the_line_asks_the_case_again(urlconform, tmp_path):
    """As it stands in the report, in the folder of the run."""
    (tmp_path / "some urls.json").write_text(json.dumps([{"input": "http://a b/", "failure": True}]), "utf-8")
    done = urlconform("run", "python:urllib.parse:urlsplit", "--vectors", "some urls.json")
    (line,) = {line.strip() for line in done.stdout.splitlines() if line.startswith("  urlconform repro ")}
    assert f"  see one: {line}\n" in done.stderr
    assert "--vectors 'some urls.json'" in line
    again = urlconform(*shlex.split(line)[1:])
    assert "no vector named" not in again.stderr
    assert "http://a b/" in again.stdout


@pytest.mark.once
@pytest.mark.parametrize(
    ("given", "behind"),
    [
        pytest.param((), "", id="usual"),
        pytest.param(("--timeout", "5", "--start-timeout", "30"), "", id="the-usual-ones-said"),
        pytest.param(("--timeout", "7.5"), " --timeout 7.5", id="timeout"),
        pytest.param(("--start-timeout", "60"), " --start-timeout 60", id="start-timeout"),
    ],
)
def test_the_line_waits_as_long_as_the_run(urlconform, tmp_path, given, behind):
    """Whoever needs a minute to say hello is not dead when it is asked again."""
    (tmp_path / "urls.json").write_text(json.dumps([{"input": "http://a b/", "failure": True}]), "utf-8")
    done = urlconform("run", "python:urllib.parse:urlsplit", "--vectors", "urls.json", *given)
    (line,) = (line for line in done.stderr.splitlines() if line.startswith("  see one: "))
    assert line.endswith(f" --vectors urls.json{behind}")
    again = urlconform(*shlex.split(line.partition("see one: ")[2])[1:])
    assert (again.returncode, again.stderr) == (1, "")
    assert "http://a b/" in again.stdout


@pytest.mark.once
def test_the_time_for_a_hello_can_be_said(urlconform, tmp_path):
    (tmp_path / "silent.py").write_text("import sys; sys.stdin.read()", "utf-8")
    adapter = f"jsonl:{sys.executable} silent.py"
    done = urlconform("repro", "rfc3986-5.4.1-ex-13", "-a", adapter, "--start-timeout", "0.2")
    assert done.returncode == 3
    assert "no answer within 0.2 s" in done.stderr
