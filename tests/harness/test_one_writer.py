"""Two runs do not write one results file, whichever of them is one of Python and whichever of the command."""

from __future__ import annotations

import re
import subprocess

import pytest

from urlharness import run
from urlharness.exitcodes import Exit
from urlharness.results.model import ResultsError, read_results

pytestmark = pytest.mark.once

ONE = {"spec": "rfc1808", "words": "rfc1808-5.1-opaque"}
RIGHT = {"status": "ok", "url": "g:h"}


def unasked(_: dict) -> dict:
    raise AssertionError("it was asked")


def by_python(path, _program, _environment) -> str:
    with pytest.raises(ResultsError) as caught:
        run(unasked, **ONE, results=path)
    return str(caught.value)


def by_command(path, program, environment) -> str:
    line = [program, "run", "urllib", "-k", ONE["words"], "--report", f"json={path}"]
    done = subprocess.run(line, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == Exit.INVALID_FILE
    return done.stderr


@pytest.mark.parametrize("other", [by_python, by_command])
def test_while_python_runs(tmp_path, program, environment, other):
    """Another run is refused and changes nothing; when this one is over, the file is free."""
    path = tmp_path / "r.jsonl"
    said = []

    def answer(_: dict) -> dict:
        said.append(other(path, program, environment))
        return RIGHT

    report = run(answer, **ONE, results=path)
    (words,) = said
    assert f"{path}: another run is writing it" in words
    assert report.outcomes[ONE["words"]].outcome == "pass"
    assert read_results(path) == report.results
    assert run(lambda _: RIGHT, **ONE, results=str(path)).results.complete


def test_while_the_command_runs(tmp_path, urlconform):
    """The command asks an adapter that runs Python with its file."""
    path = tmp_path / "r.jsonl"
    (tmp_path / "mine.py").write_text(
        f"""from urlharness import run
def answer(question):
    try:
        run("urllib", **{ONE}, results={str(path)!r})
    except Exception as error:
        raise RuntimeError(type(error).__name__) from None
""",
        "utf-8",
    )
    done = urlconform("run", "python:mine:answer", "-k", ONE["words"], "--report", "json=r.jsonl")
    assert done.returncode == Exit.FAILED
    (result,) = read_results(path).of("python:mine:answer").values()
    assert (result.outcome, result.got["message"]) == ("error", "RuntimeError: ResultsError")


def test_a_run_that_ends_early_frees_its_file(tmp_path):
    path = tmp_path / "r.jsonl"
    with pytest.raises(Exception, match=re.escape("no hello")):
        run("jsonl:true", **ONE, results=path)
    assert run(lambda _: RIGHT, **ONE, results=path).results.complete
