"""An adapter of the configuration, named in a folder below it: it is not found, and said where it is."""

from __future__ import annotations

import json
import subprocess

import pytest

pytestmark = pytest.mark.once

CASE = "rfc1808-5.1-segment"
ANSWER = 'def answer(q): return {"status": "ok", "url": "http://a/b/c/g"}\n'
EXEC = """#!/bin/sh
cat >/dev/null
printf '%s\\n' '{"url": "http://a/b/c/g"}'
"""
JSONL = """
import json, sys
print('{"type":"hello","protocol":1,"implementation":{"name":"x","version":"1"},"ops":["resolve"],"specs":[]}')
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "run":
        sys.stdout.flush()
        print(json.dumps({"id": message["id"], "status": "ok", "url": "http://a/b/c/g"}), flush=True)
    sys.stdout.flush()
"""
NAMES = ["python:mine:answer", "jsonl:python3 one.py", "exec:./one.sh"]
#: A command, and the options that it has.
COMMANDS = [
    pytest.param(("repro", CASE, "-a"), (), id="repro"),
    pytest.param(("repro", CASE, "-a"), ("--timeout", "7.5", "--start-timeout", "40"), id="repro-timeout"),
    pytest.param(("adapters", "doctor"), ("--check", "operations", "--check", "ids"), id="doctor"),
    pytest.param(("adapters", "doctor"), ("--json", "--check", "operations"), id="doctor-json"),
]


@pytest.fixture
def project(tmp_path):
    """A folder with a configuration and its adapters, and a link to one below it."""
    top = tmp_path / "a project"
    (top / "one" / "below").mkdir(parents=True)
    (top / "pyproject.toml").write_text(f"[tool.urlconform]\nadapters = {json.dumps(NAMES)}\n", "ascii")
    for name, text in (("mine.py", ANSWER), ("one.py", JSONL), ("one.sh", EXEC)):
        (top / name).write_text(text, "ascii")
    (top / "one.sh").chmod(0o755)
    (tmp_path / "way").symlink_to(top / "one" / "below")
    return top


@pytest.fixture
def call(program, environment):
    """Runs a command in a folder."""

    def run(folder, *words):
        line = [program, *words]
        return subprocess.run(line, cwd=folder, env=environment, capture_output=True, text=True, check=False)

    return run


#: Every command for one of them, and one command for each of the others.
EACH = [
    pytest.param(*row.values, name, id=f"{row.id}-{name}")
    for number, row in enumerate(COMMANDS)
    for name in (NAMES[: 1 if number else None])
]


@pytest.mark.parametrize(("command", "options", "name"), EACH)
def test_a_line_is_given_that_finds_it(call, project, program, environment, tmp_path, command, options, name):
    """As the command was, from wherever a link led to its folder."""
    done = call(tmp_path / "way", *command, name, *options)
    assert (done.returncode, done.stderr.count("\n")) == (3, 1)
    beginning, line = done.stderr.split("[tool.urlconform] of ../../pyproject.toml has this adapter: ")
    assert beginning.startswith("urlconform: ")
    assert line.startswith("(cd -P ../.. && urlconform ")
    for option in options:
        assert f" {option}" in line
    pasted = subprocess.run(
        ["bash", "-c", line.replace("urlconform", program, 1)],
        cwd=tmp_path / "way", env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    there = call(project, *command, name, *options)
    assert (pasted.returncode, pasted.stderr) == (there.returncode, there.stderr)
    assert "cd -P" not in pasted.stderr
    assert [*map(steady, pasted.stdout.splitlines())] == [*map(steady, there.stdout.splitlines())]


def steady(line):
    """A line of output without what is drawn by lot."""
    return "" if '"id"' in line else line


def test_a_corpus_is_seen_from_there(call, project):
    """The paths of options are those of the folder that the line leads to."""
    below = project / "one" / "below"
    entry = {"input": "g", "base": "http://a/b/c/d", "href": "http://a/b/c/g"}
    (below / "v.json").write_text(json.dumps([entry]), "ascii")
    done = call(below, "repro", "v-0-resolve", "-a", NAMES[0], "--vectors", "v.json")
    assert f"urlconform repro v-0-resolve -a {NAMES[0]} --vectors one/below/v.json)" in done.stderr


#: Where nothing is said: the table, the folder of the command, and the adapter.
SILENT = [
    pytest.param({"adapters": ["python:other:f"]}, "one", "python:mine:answer", id="not-configured"),
    pytest.param({"adapters": ["python:no:f"]}, ".", "python:no:f", id="in-that-folder"),
    pytest.param({"adapters": "broken"}, "one", "python:mine:answer", id="invalid"),
    pytest.param(None, "one", "python:mine:answer", id="no-table"),
]


@pytest.mark.parametrize("command", [("repro", CASE, "-a"), ("adapters", "doctor")], ids=["repro", "doctor"])
@pytest.mark.parametrize(("table", "folder", "name"), SILENT)
def test_nothing_is_said_of_what_is_not_there(call, project, command, table, folder, name):
    lines = [] if table is None else [f"{key} = {json.dumps(value)}" for key, value in table.items()]
    head = ["[tool.urlconform]"] if lines else ["[tool.other]"]
    (project / "pyproject.toml").write_text("\n".join([*head, *lines]), "ascii")
    done = call(project / folder, *command, name)
    assert (done.returncode, "cd -P" in done.stdout + done.stderr) == (3, False)


def test_an_adapter_that_is_found_is_asked_here(call, project):
    """That of the current folder goes before, as for every command."""
    below = project / "one"
    (below / "mine.py").write_text(ANSWER.replace("/g", "/x"), "ascii")
    done = call(below, "repro", CASE, "-a", NAMES[0])
    assert (done.returncode, "http://a/b/c/x" in done.stdout, done.stderr) == (1, True, "")
