"""The line that asks a case again is one that does: of another corpus it says where that is."""

from __future__ import annotations

import io
import json
import shlex

import msgspec
import pytest
from rich.console import Console

from urlharness.report import firstfailing, github, junit, markdown
from urlharness.report.repeating import repro_line
from urlharness.results import Participant, Result

LIB = Participant("lib", "ran")
CASE = "rfc3986-3.3-x"


@pytest.fixture
def run(make_case, record):
    """A run of one case, which fails, by such a command line."""

    def make(*argv, identifier=CASE):
        case = make_case(identifier)
        results = record([case], LIB, Result(case.vector.id, "lib", "fail", detail="why"))
        header = msgspec.structs.replace(results.header, argv=argv)
        return msgspec.structs.replace(results, header=header)

    return make


#: A command line, and what the line that repeats a case of it ends with.
LINES = [
    pytest.param(("run", "lib"), "", id="installed"),
    pytest.param(("run", "lib", "--vectors", "a.json"), " --vectors a.json", id="two-words"),
    pytest.param(("run", "--vectors=a b.json", "lib"), " --vectors 'a b.json'", id="one-word"),
    pytest.param(("run", "--vectors", "a", "--vectors", "b", "lib"), " --vectors b", id="the-last-one"),
    pytest.param(("run", "--vectors", "$(x);y"), " --vectors '$(x);y'", id="hostile"),
    pytest.param(("run", "--", "--vectors", "a.json"), "", id="a-name"),
    pytest.param(("run", "--vectors"), "", id="no-value"),
]


@pytest.mark.parametrize(("argv", "end"), LINES)
def test_line(run, argv, end):
    assert repro_line(run(*argv), CASE, "lib") == f"urlconform repro {CASE} -a lib{end}"


def test_generated_cases_are_of_no_file(run):
    results = run("run", "lib", "--tier", "complete", "--vectors", "a.json")
    line = repro_line(results, "complete-rfc3986-URI-000001", "lib")
    assert line == "urlconform repro complete-rfc3986-URI-000001 -a lib"


def test_names_are_quoted(run):
    line = repro_line(run("run"), "a b", "exec:x 'y'")
    assert shlex.split(line) == ["urlconform", "repro", "a b", "-a", "exec:x 'y'"]


def in_terminal(results) -> str:
    stream = io.StringIO()
    Console(file=stream, width=200).print(firstfailing.failures(results, "lib"), soft_wrap=True)
    return stream.getvalue()


@pytest.mark.parametrize("render", [in_terminal, junit.render, markdown.render, github.render])
def test_every_report_has_the_line(run, render):
    results = run("run", "lib", "--vectors", "other.json")
    assert f"urlconform repro {CASE} -a lib --vectors other.json" in render(results)


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
