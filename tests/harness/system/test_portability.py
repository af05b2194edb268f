"""Commands on a system that lacks what Windows lacks: a process removes it before it begins."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from urlharness.system import portability

#: What Windows lacks, by module. The standard library has been imported before, and keeps what it needs.
PROGRAM = """
import contextlib, io, json, multiprocessing.connection, os, select, signal, subprocess, sys, tempfile
MISSING = {
    os: ["O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK", "fork", "geteuid", "killpg", "posix_spawn", "pread",
         "register_at_fork", "sched_getaffinity", "set_blocking"],
    select: ["POLLIN", "POLLOUT", "poll"],
    signal: ["SIGALRM", "SIGHUP", "SIGKILL", "pthread_sigmask", "setitimer", "sigpending"],
}
for module, names in MISSING.items():
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
sys.modules["fcntl"] = None  # an import of it raises ImportError
from urlharness.cli import main

ended = []
report, commands = sys.argv[1:]
for words in json.loads(commands):
    sys.argv = ["urlconform", *words]
    output = io.TextIOWrapper(io.BytesIO(), "utf-8")
    try:
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            code = main()
    except SystemExit as end:
        code = end.code
    output.flush()
    ended.append((code, output.buffer.getvalue().decode()))
with open(report, "w") as stream:
    json.dump(ended, stream)
"""

#: Commands, the exit code, and a part of what they print.
COMMANDS = {
    "version": (["--version"], 0, "urlconform"),
    "validate": (["validate", "http://a b/"], 1, "RFC 3986 invalid"),
    "explain": (["explain", "http://h/p"], 0, "path"),
    "resolve": (["resolve", "http://a/b", "c"], 0, "http://a/c"),
    "generate": (["generate", "--valid", "--count", "1"], 0, "valid: 1 text"),
    "run": (["run", "urllib", "--spec", "rfc1808", "--section", "5.2"], 1, "gate failed"),
    "process": (
        ["run", "python:json:dumps", "--spec", "rfc1808"],
        3,
        "adapters with a process of their own run on Linux and macOS only",
    ),
}


@pytest.fixture(scope="module")
def ended(tmp_path_factory, computed_once):
    """The exit code and the output of each command, by its name."""
    commands = [words for words, _code, _part in COMMANDS.values()]

    def run_commands():
        folder = tmp_path_factory.mktemp("commands")
        program = [sys.executable, "-c", PROGRAM, "report.json", json.dumps(commands)]
        subprocess.run(program, cwd=folder, check=True)
        return json.loads((folder / "report.json").read_text())

    return dict(zip(COMMANDS, computed_once("commands-on-windows", run_commands), strict=True))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", COMMANDS)
def test_the_exit_code_is_the_same_on_windows(ended, name):
    _, expected_code, _ = COMMANDS[name]
    code, _output = ended[name]
    assert code == expected_code


@pytest.mark.parametrize("name", COMMANDS)
def test_the_output_answers_on_windows(ended, name):
    _, _, part = COMMANDS[name]
    _code, output = ended[name]
    assert part in " ".join(output.split())


def test_all_processors_count_where_the_system_does_not_say_which_may_be_used(monkeypatch):
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    assert portability.usable_processors() == 3


def test_programs_cannot_be_started_where_their_groups_cannot_be_ended(monkeypatch):
    monkeypatch.delattr(os, "killpg")
    assert not portability.can_start_programs()


def test_a_user_without_a_number_has_the_number_0(monkeypatch):
    monkeypatch.delattr(os, "geteuid")
    assert portability.user_id() == 0
