"""An adapter in Python that prints: tables and reports have nothing of it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from urlharness.cli.output import prints_to_stderr

pytestmark = pytest.mark.once

PRINTING = """
import atexit, os, subprocess
print("imported", end="", flush=True)
atexit.register(print, "goodbye", end="")

def answer(question):
    print("printed", end="")
    os.write(1, b"written")
    subprocess.run(["echo", "echoed"])
    return {"status": "unsupported"}
"""


@pytest.mark.parametrize("command", ["run", "repro"])
def test_what_an_adapter_prints_stands_in_no_table(urlconform, tmp_path, command):
    """Nor in a report that goes to stdout, and stderr is that of its own process, whose end a crash shows."""
    (tmp_path / "printing.py").write_text(PRINTING, encoding="utf-8")
    arguments = {
        "run": ("run", "python:printing:answer", "--spec", "rfc3986", "--section", "5.4.2",
                "--report", "junit=/dev/stdout"),
        "repro": ("repro", "rfc3986-5.4.2-ex-01", "-a", "python:printing:answer"),
    }[command]  # fmt: skip
    done = urlconform(*arguments)
    words = ("imported", "printed", "written", "echoed", "goodbye")
    assert [word for word in words if word in done.stdout + done.stderr] == []
    assert ("</testsuites>" in done.stdout) == (command == "run")


def test_what_it_printed_stands_beside_its_crash(urlconform, tmp_path):
    text = PRINTING.replace("    return", "    print(flush=True)\n    os._exit(7)\n    return")
    (tmp_path / "printing.py").write_text(text, encoding="utf-8")
    done = urlconform("repro", "rfc3986-5.4.2-ex-01", "-a", "python:printing:answer")
    assert done.returncode == 1
    assert "crash exit code 7" in done.stdout
    assert "\nstderr      | importedwrittenechoed\n            | printed\nexchange " in done.stdout


def test_what_is_printed_in_this_process_goes_to_stderr(capfd, tmp_path, monkeypatch):
    """Of a function that is a value here; behind it the streams and the folder are those before it."""
    monkeypatch.chdir(tmp_path)
    before = sys.stdout, sys.stderr, Path.cwd()
    with prints_to_stderr():
        os.write(1, b"written")
        sys.stdout = sys.stderr = None
        os.chdir("/")
    os.write(1, b"said")
    assert (sys.stdout, sys.stderr, Path.cwd()) == before
    assert capfd.readouterr() == ("said", "written")
