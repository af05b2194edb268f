"""What tests of baselines share: the command in this process, an adapter, a list of what it gets wrong."""

from __future__ import annotations

import importlib
import json
import shutil
import subprocess
import sys
from typing import NamedTuple

import pytest

from urlharness.cli import cli
from urlharness.cli.errors import exit_code_of
from urlharness.gate.baseline import read_baseline

ONE = ("--spec", "1808", "--section", "5.2")
SAYS = """
def answer(question):
    return ANSWERS.get(question["reference"], {"status": "ok", "url": "x"})
answer.hello = {"ops": ["resolve"]}
"""
LIB = "python:mine:answer"


class Done(NamedTuple):
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Runs the command in this process; nothing that an adapter says moves the cursor."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", sys.path.copy())
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def call(*arguments: str) -> Done:
        sys.modules.pop("mine", None)
        importlib.invalidate_caches()
        try:
            code = cli.main(arguments, "urlconform", standalone_mode=False)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - what is not foreseen is raised again
            code = exit_code_of(error)
        out, err = capsys.readouterr()
        assert "\x1b" not in out + err
        return Done(code, out, err)

    yield call
    sys.modules.pop("mine", None)


@pytest.fixture
def answers(tmp_path):
    """Sets what the adapter answers to references; by default everything resolves to `x`."""

    def set_answers(**changed):
        (tmp_path / "mine.py").write_text(f"ANSWERS = {changed!r}\n{SAYS}", "utf-8")

    set_answers()
    return set_answers


@pytest.fixture(scope="module")
def made(program, environment, tmp_path_factory):
    """The baseline of the adapter as it is, made once."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "mine.py").write_text(f"ANSWERS = {{}}\n{SAYS}", "utf-8")
    command = [program, "baseline", "create", LIB, *ONE, "-o", "b.json"]
    subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
    return folder / "b.json"


@pytest.fixture
def listed(made, answers, tmp_path):
    """That baseline in b.json; gives its ids."""
    shutil.copy(made, tmp_path)
    return [entry.id for entry in read_baseline(made).entries]


@pytest.fixture
def changed(tmp_path):
    """Changes that baseline, whose new text need not be canonical."""

    def change_it(change):
        document = json.loads((tmp_path / "b.json").read_text("utf-8"))
        change(document)
        (tmp_path / "b.json").write_text(json.dumps(document), "utf-8")

    return change_it
