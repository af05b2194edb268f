"""Runs that are ended from outside: results and reports are closed, and no adapter is left."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from urlharness.corpus.selection import Selection
from urlharness.exitcodes import Exit
from urlharness.results.model import read_results

from .stopping import ANSWERED

#: An adapter that answers all questions, and does not exit at the end of its input.
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


def is_running(pid):
    """Return True if a process runs; that of an adapter has ended when its harness has."""
    return Path(f"/proc/{pid}/exe").exists()


by_interrupting_signal = pytest.mark.parametrize(
    "sent_signal", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=["SIGINT", "SIGTERM", "SIGHUP"]
)


@by_interrupting_signal
def test_an_interrupted_run_keeps_the_results_so_far(start_run, urlconform_process, tmp_path, sent_signal):
    child = start_run()
    child.send_signal(sent_signal)
    child.communicate(timeout=600)
    results = read_results(tmp_path / "r.jsonl")
    assert results.interrupted
    assert not results.complete
    (results_of_adapter,) = results.results.values()
    operations = [results.vectors[vector_id].case.vector.op for vector_id in results_of_adapter]
    assert operations.count("resolve") == ANSWERED
    done = urlconform_process("report", "r.jsonl")
    assert "The run was interrupted" in done.stdout
    assert done.returncode == Exit.PASSED


#: What a report says that has decided about a gate.
VERDICT = re.compile("passed the gate|gate is passed|gate passed|✅")


@by_interrupting_signal
def test_an_interrupted_run_writes_reports_without_a_verdict(
    start_run, tmp_path, pid_of_adapter, sent_signal
):
    child = start_run("", "--report", "github=annotations")
    child.send_signal(sent_signal)
    _, stderr = child.communicate(timeout=600)
    assert "interrupted; the reports contain the results so far" in stderr
    assert child.returncode == Exit.INTERRUPTED
    assert not is_running(pid_of_adapter())
    reports = [(tmp_path / name).read_text("utf-8") for name in ("r.md", "annotations")]
    assert [report for report in reports if "interrupted" not in report] == []
    assert [report for report in reports if VERDICT.search(report)] == []


@pytest.mark.parametrize(
    "name",
    ["python:slow:answer", f"exec:{sys.executable} each.py"],
    ids=["function", "program-for-each-case"],
)
def test_a_run_is_interrupted_with_every_kind_of_adapter(start_run, tmp_path, pid_of_adapter, name):
    child = start_run(name, selection=("--spec", "rfc1808", "--section", "5.1"))
    child.send_signal(signal.SIGINT)
    _, stderr = child.communicate(timeout=600)
    assert "Traceback" not in stderr
    assert child.returncode == Exit.INTERRUPTED
    assert read_results(tmp_path / "r.jsonl").interrupted
    assert not is_running(pid_of_adapter())


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
    _, stderr = child.communicate(timeout=600)
    assert child.returncode == code, stderr
    assert not alive(pid_of_adapter())


@pytest.mark.parametrize(
    "name",
    ["python:slow:answer", f"exec:{sys.executable} each.py"],
    ids=["function", "program-for-each-case"],
)
def test_no_adapter_outlives_a_killed_harness(start_run, pid_of_adapter, alive, name):
    child = start_run(name, "--jobs", "2", selection=("--spec", "rfc1808", "--section", "5.1"))
    child.kill()
    child.wait(600)
    assert not alive(pid_of_adapter())


@pytest.fixture
def results_of_a_killed_run(start_run, pid_of_adapter, tmp_path, alive):
    """The path of the results of a run that was killed."""
    child = start_run()
    child.kill()
    child.wait(600)
    assert not alive(pid_of_adapter())
    return tmp_path / "r.jsonl"


def test_the_results_of_a_killed_run_can_be_read(results_of_a_killed_run, corpus):
    """They have no footer, which would say that the run was complete or interrupted."""
    results = read_results(results_of_a_killed_run)
    assert not results.complete
    assert not results.interrupted
    assert len(results.vectors) == len(Selection(specs=("rfc3986",), sections=("5",)).pick(corpus.cases))


def test_a_report_of_a_killed_run_says_that_it_was_cut_short(results_of_a_killed_run, urlconform_process):
    done = urlconform_process("report", str(results_of_a_killed_run))
    assert "cut short" in done.stdout
    assert "no footer" in done.stdout
    assert done.returncode == Exit.PASSED


def test_a_report_names_the_line_in_which_results_end(results_of_a_killed_run, urlconform_process):
    content = results_of_a_killed_run.read_bytes()
    last_line = content.count(b"\n")
    results_of_a_killed_run.write_bytes(content[:-5])  # in the middle of the last line
    done = urlconform_process("report", str(results_of_a_killed_run))
    assert f"line {last_line:,}" in done.stdout


def test_a_hangup_interrupts_the_run(start_run, tmp_path):
    """The reports are written even if the terminal is gone and nothing can be printed."""
    leader, follower = pty.openpty()
    child = start_run(stdin=follower, stdout=follower, stderr=follower)
    os.close(follower)
    os.close(leader)
    child.send_signal(signal.SIGHUP)
    assert child.wait(600) == Exit.INTERRUPTED
    assert read_results(tmp_path / "r.jsonl").interrupted
    assert (tmp_path / "r.md").stat().st_size


def test_nohup_ignores_a_hangup(start_run, tmp_path):
    few_questions = ("--spec", "rfc3986", "--section", "5.4")  # the adapter answers slowly
    child = start_run("", before=["nohup"], seconds=0.3, selection=few_questions, stderr=subprocess.DEVNULL)
    child.send_signal(signal.SIGHUP)
    assert child.wait(600) == Exit.NOTHING_RAN  # every question is unsupported
    assert not read_results(tmp_path / "r.jsonl").interrupted
