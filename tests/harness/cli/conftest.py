"""Fixtures for the tests of commands: an adapter with settable answers, and its baseline."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from urlharness.exitcodes import Exit
from urlharness.gate.baseline import read_baseline

SECTION_5_2 = ("--spec", "1808", "--section", "5.2")
LIB = "python:mine:answer"
ANSWERING_MODULE = """
def answer(question):
    return ANSWERS.get(question["reference"], {"status": "ok", "url": "x"})
answer.hello = {"ops": ["resolve"]}
"""


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, int], None]:
    """Return a function that gives the commands of a module a terminal of some columns, without colours."""

    def give(module: str, width: int) -> None:
        def console() -> Console:
            return Console(
                file=sys.stdout, width=width, force_terminal=True, color_system=None, highlight=False
            )

        monkeypatch.setattr(f"urlharness.cli.{module}.console", console)

    return give


@pytest.fixture
def answers(tmp_path) -> Callable[..., None]:
    """Return a function that sets the answers of the adapter; by default every reference resolves to `x`."""

    def set_answers(**changed):
        (tmp_path / "mine.py").write_text(f"ANSWERS = {changed!r}\n{ANSWERING_MODULE}", "utf-8")

    set_answers()
    return set_answers


@pytest.fixture
def make_dying_adapter(adapter, tmp_path) -> Callable[[str], str]:
    """Return a function that makes an adapter that a reference kills, and that starts only once."""

    def make(reference: str) -> str:
        marker = tmp_path / "started"
        program = f"""
        if os.path.exists({str(marker)!r}):
            sys.exit("only once")
        open({str(marker)!r}, "w").close()
        def right(message):
            if message["reference"] == {reference!r}:
                os._exit(1)
            return {{"id": message["id"], "status": "ok", "url": "x"}}
        """
        return f"jsonl:{' '.join(adapter(program))}"

    return make


@pytest.fixture(scope="session")
def baseline_texts() -> list[str]:
    """Return a list that keeps the text of the baseline, once it was made."""
    return []


@pytest.fixture
def baseline_file(baseline_texts, answers, urlconform, tmp_path) -> Path:
    """The file b.json with the baseline of the adapter."""
    path = tmp_path / "b.json"
    if not baseline_texts:
        assert urlconform("baseline", "create", LIB, *SECTION_5_2, "-o", "b.json").returncode == Exit.PASSED
        baseline_texts.append(path.read_text("utf-8"))
    (text,) = baseline_texts
    path.write_text(text, "utf-8")
    return path


@pytest.fixture
def baseline_ids(baseline_file) -> list[str]:
    """The ids of the baseline of the adapter, which is in b.json."""
    return [entry.id for entry in read_baseline(baseline_file).entries]


@pytest.fixture
def change_baseline(tmp_path) -> Callable[..., None]:
    """Return a function that changes b.json; the result may be not canonical."""

    def change_it(change):
        document = json.loads((tmp_path / "b.json").read_text("utf-8"))
        change(document)
        (tmp_path / "b.json").write_text(json.dumps(document), "utf-8")

    return change_it


@pytest.fixture
def configure(tmp_path) -> Callable[[str], Path]:
    """Return a function that writes `[tool.urlconform]` to pyproject.toml."""

    def write(text: str) -> Path:
        path = tmp_path / "pyproject.toml"
        path.write_text(f"[tool.urlconform]\n{text}\n", "utf-8")
        return path

    return write
