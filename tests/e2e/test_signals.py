"""Runs that are ended from outside: results and reports are closed, adapters are ended, the code is 130."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from urlharness.corpus.selection import Selection
from urlharness.exitcodes import Exit
from urlharness.results.model import read_results

from .stopping import ANSWERED

#: Answers all questions, and then stays.
STAYING = """
import json, os, sys, time
from pathlib import Path
HELLO = {"type": "hello", "protocol": 1, "implementation": {"name": "x", "version": "1"},
         "ops": ["resolve"], "specs": []}
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps(HELLO), flush=True)
    elif message["type"] == "run":
        print(json.dumps({"id": message["id"], "status": "unsupported"}), flush=True)
Path("pid").write_text(str(os.getpid()))
Path("pid").rename("reached")
time.sleep(60)
"""


@pytest.mark.parametrize(
    "sent_signal", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=["SIGINT", "SIGTERM", "SIGHUP"]
)
def test_an_interrupted_run_writes_reports_and_decides_nothing(
    start_run, urlconform_process, tmp_path, pid_of_adapter, sent_signal
):
    """The footer says so, the reports are written, no adapter is left, and nothing is decided."""
    child = start_run("", "--report", "github=annotations")
    child.send_signal(sent_signal)
    _, stderr = child.communicate(timeout=600)
    assert "interrupted; the reports contain the results so far" in stderr
    assert child.returncode == Exit.INTERRUPTED
    results = read_results(tmp_path / "r.jsonl")
    (name,) = results.results
    assert not results.complete
    assert results.interrupted
    answered_ids = [
        identity for identity in results.of(name) if results.vectors[identity].case.vector.op == "resolve"
    ]
    assert len(answered_ids) == ANSWERED
    done = urlconform_process("report", "r.jsonl")
    assert "The run was interrupted" in done.stdout
    assert done.returncode == Exit.PASSED
    assert not Path(f"/proc/{pid_of_adapter()}/exe").exists()
    for report in ("r.md", "annotations"):
        text = (tmp_path / report).read_text("utf-8")
        assert "interrupted" in text
        for words in ("passed the gate", "gate is passed", "gate passed", "✅"):
            assert words not in text


@pytest.mark.parametrize("name", ["python:slow:answer", f"exec:{sys.executable} each.py"])
def test_a_run_is_interrupted_with_every_kind_of_adapter(start_run, tmp_path, pid_of_adapter, name):
    child = start_run(name, selection=("--spec", "rfc1808", "--section", "5.1"))
    child.send_signal(signal.SIGINT)
    _, stderr = child.communicate(timeout=600)
    assert "Traceback" not in stderr
    assert child.returncode == Exit.INTERRUPTED
    assert read_results(tmp_path / "r.jsonl").interrupted
    assert not Path(f"/proc/{pid_of_adapter()}/exe").exists()


@pytest.mark.parametrize(
    ("sent_signal", "code"),
    [
        pytest.param(signal.SIGINT, Exit.INTERRUPTED, id="SIGINT"),
        pytest.param(signal.SIGTERM, Exit.INTERRUPTED, id="SIGTERM"),
        pytest.param(signal.SIGKILL, -signal.SIGKILL, id="SIGKILL"),
    ],
)
def test_no_adapter_that_ignores_the_end_of_its_input_outlives_a_harness(
    start_run, pid_of_adapter, tmp_path, alive, sent_signal, code
):
    """The harness is ended while it gives the adapter time to exit."""
    (tmp_path / "staying.py").write_text(STAYING, encoding="utf-8")
    child = start_run(f"jsonl:{sys.executable} staying.py")
    child.send_signal(sent_signal)
    child.communicate(timeout=600)
    assert child.returncode == code
    assert not alive(pid_of_adapter())


@pytest.mark.parametrize("name", ["python:slow:answer", f"exec:{sys.executable} each.py"])
def test_no_adapter_outlives_a_killed_harness(start_run, pid_of_adapter, alive, name):
    child = start_run(name, "--jobs", "2", selection=("--spec", "rfc1808", "--section", "5.1"))
    child.kill()
    child.wait(600)
    assert not alive(pid_of_adapter())


def test_the_results_of_a_killed_run_are_cut_but_readable(
    start_run, urlconform_process, pid_of_adapter, tmp_path, alive, corpus
):
    """There is no footer: what was written can be read, and the report says that it is cut."""
    child = start_run()
    child.kill()
    child.wait(600)
    assert not alive(pid_of_adapter())
    results = read_results(tmp_path / "r.jsonl")
    assert not results.complete
    assert not results.interrupted
    assert len(results.vectors) == len(Selection(specs=("rfc3986",), sections=("5",)).pick(corpus.cases))
    done = urlconform_process("report", "r.jsonl")
    assert "cut short" in done.stdout
    assert "no footer" in done.stdout
    assert done.returncode == Exit.PASSED
    path = tmp_path / "r.jsonl"
    lines = path.read_bytes().count(b"\n")
    path.write_bytes(path.read_bytes()[:-5])
    assert f"line {lines:,}" in urlconform_process("report", "r.jsonl").stdout


def test_a_hangup_interrupts_the_run(start_run, tmp_path):
    """The reports are written even if the terminal is gone and nothing can be printed."""
    ours, theirs = pty.openpty()
    child = start_run(stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    os.close(ours)
    child.send_signal(signal.SIGHUP)
    assert child.wait(600) == Exit.INTERRUPTED
    assert read_results(tmp_path / "r.jsonl").interrupted
    assert (tmp_path / "r.md").stat().st_size


def test_nohup_ignores_a_hangup(start_run, tmp_path):
    child = start_run("", before=["nohup"], seconds=0.3, stderr=subprocess.DEVNULL)
    child.send_signal(signal.SIGHUP)
    assert child.wait(600) == Exit.NOTHING_RAN  # every question is unsupported
    assert not read_results(tmp_path / "r.jsonl").interrupted
