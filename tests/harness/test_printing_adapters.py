"""An adapter in the process of the command that prints: tables and reports have nothing of it."""

from __future__ import annotations

import pytest

PRINTING = """
import atexit, os, subprocess
print("imported", end="")
atexit.register(print, "goodbye", end="")

def answer(question):
    print("printed", end="")
    os.write(1, b"written")
    subprocess.run(["echo", "echoed"])
    return {"status": "unsupported"}
"""


@pytest.mark.parametrize("command", ["run", "repro"])
def test_what_an_adapter_prints_stands_in_no_table(urlconform, tmp_path, command):
    """Nor in a report that goes to stdout: it goes to stderr, as that of a served one does."""
    (tmp_path / "printing.py").write_text(PRINTING, encoding="utf-8")
    arguments = {
        "run": ("run", "python:printing:answer", "--spec", "rfc3986", "--section", "5.4.2",
                "--report", "junit=/dev/stdout"),
        "repro": ("repro", "rfc3986-5.4.2-ex-01", "-a", "python:printing:answer"),
    }[command]  # fmt: skip
    done = urlconform(*arguments)
    words = ("imported", "printed", "written", "echoed", "goodbye")
    assert [word for word in words if word in done.stdout] == []
    assert [word for word in words if word not in done.stderr] == []
    assert ("</testsuites>" in done.stdout) == (command == "run")
