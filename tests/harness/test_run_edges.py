"""Edges of a run: results that go to a pipe, adapters that break between answers, ends from outside."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.once

SELECTION = ("--spec", "rfc1808", "--section", "5.2")

FLAKY = """
import json, sys
asked = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "protocol": 1, "implementation": {"name": "x", "version": "1"},
                          "ops": ["resolve"], "specs": []}), flush=True)
    elif message["type"] == "run":
        print(json.dumps({"id": message["id"], "status": "unsupported"}), flush=True)
        asked += 1
        if asked == 5:
            sys.exit(9)
"""

HANGING = """
import json, os, sys, time
open(sys.argv[1], "w").write(str(os.getpid()))
sys.stdin.readline()
print(json.dumps({"type": "hello", "protocol": 1, "implementation": {"name": "x", "version": "1"},
                  "ops": ["resolve"], "specs": []}), flush=True)
time.sleep(60)
"""


def test_results_to_a_pipe(urlconform):
    done = urlconform("run", "reference", *SELECTION, "--report", "json=/dev/stdout")
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    assert (lines[0]["type"], lines[-1]["type"]) == ("header", "footer")
    assert done.returncode == 0


def test_results_to_nowhere(urlconform):
    done = urlconform("run", "reference", *SELECTION, "--report", "json=/dev/null")
    assert done.returncode == 0
    assert "Complies with" in done.stdout


def test_one_file_for_two_reports(urlconform, tmp_path):
    done = urlconform("run", "reference", "--report", f"json={tmp_path}/x", "--report", f"html={tmp_path}/x")
    assert done.returncode == 2
    assert "already taken" in done.stderr


def test_restarts_are_told(urlconform, tmp_path):
    """Nobody is blamed for what happens behind a good answer, and nobody is left in the dark about it."""
    program = tmp_path / "flaky.py"
    program.write_text(FLAKY, encoding="utf-8")
    results = tmp_path / "r.jsonl"
    done = urlconform("run", f"jsonl:{sys.executable} {program}", *SELECTION, "--report", f"json={results}")
    assert "had to be started again" in done.stdout
    footer = json.loads(results.read_text(encoding="utf-8").splitlines()[-1])
    (counts,) = footer["counts"].values()
    assert list(footer["restarts"].values()) == [(sum(counts.values()) - 1) // 5]
    assert "crash" not in counts


def test_termination_is_an_interruption(program, tmp_path):
    """A cancelled CI job: the results file is closed, and the adapter does not outlive the run."""
    adapter = tmp_path / "hanging.py"
    adapter.write_text(HANGING, encoding="utf-8")
    pid, results = tmp_path / "pid", tmp_path / "r.jsonl"
    line = [
        program,
        "run",
        f"jsonl:{sys.executable} {adapter} {pid}",
        *SELECTION,
        "--report",
        f"json={results}",
    ]
    with subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
        while not (pid.exists() and pid.read_text(encoding="utf-8")):
            time.sleep(0.05)
        time.sleep(0.3)
        child.send_signal(signal.SIGTERM)
        assert child.wait(20) == 130
    footer = json.loads(results.read_text(encoding="utf-8").splitlines()[-1])
    assert footer["interrupted"] is True
    number = int(pid.read_text(encoding="utf-8"))
    for _ in range(50):
        try:
            os.kill(number, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)
    raise AssertionError("the adapter outlived the run")


def test_a_closed_stdout_keeps_the_exit_code(program):
    line = f"{program} run reference --spec rfc2732 --section 1.1 >&-"
    assert subprocess.run(line, shell=True, check=False, capture_output=True).returncode == 0


def test_a_wrong_use_is_one_line(urlconform):
    done = urlconform("validate", "x", "--spec", "rfc9999")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
