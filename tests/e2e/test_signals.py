"""Runs that are ended from outside: results and reports are closed, adapters are ended, the code is 130."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from urlharness.corpus.selection import Selection
from urlharness.exitcodes import Exit
from urlharness.results.model import read_results

SELECTION = ("--spec", "rfc3986", "--section", "5")

#: How many questions the next adapter answers.
ANSWERED = 20
#: Answers some questions, then says so in a file and nothing more.
STOPPING = """
import json, os, sys, time
from pathlib import Path
HELLO = {"type": "hello", "protocol": 1, "implementation": {"name": "x", "version": "1"},
         "ops": ["resolve"], "specs": []}
asked = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps(HELLO), flush=True)
    elif message["type"] == "run":
        asked += 1
        if asked == ANSWERED + 1:
            Path("pid").write_text(str(os.getpid()))
            Path("pid").rename("reached")
            time.sleep(float(sys.argv[1]))
        time.sleep(0.01)  # results are written to the file about every 50 ms
        print(json.dumps({"id": message["id"], "status": "unsupported"}), flush=True)
"""

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

#: The same as a function, and as a program for each case.
FUNCTION = """
import os, time
from pathlib import Path
def answer(question):
    if question.get("reference") == "./g":
        Path("pid").write_text(str(os.getpid()))
        Path("pid").rename("reached")
        time.sleep(60)
    return {"status": "ok", "url": "x"}
"""
EACH = "import json, sys; sys.path.insert(0, '.'); import slow; slow.answer(json.load(sys.stdin))"


def until(met, seconds=600.0):
    """Wait for a condition."""
    deadline = time.monotonic() + seconds
    while not met():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


@pytest.fixture
def start(program, environment, tmp_path):
    """Starts a run that hangs, and waits until it does; `seconds` is how long."""
    (tmp_path / "stopping.py").write_text(STOPPING.replace("ANSWERED", str(ANSWERED)), encoding="utf-8")
    (tmp_path / "slow.py").write_text(FUNCTION, encoding="utf-8")
    (tmp_path / "each.py").write_text(EACH, encoding="utf-8")
    started = []

    def begin(name="", *arguments, before=(), seconds=60.0, selection=SELECTION, **options):
        name = name or f"jsonl:{sys.executable} stopping.py {seconds}"
        reports = ("--report", "json=r.jsonl", "--report", "markdown=r.md")
        line = [*before, program, "run", name, *selection, "--timeout", "60", *reports, *arguments]
        streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True} | options
        child = subprocess.Popen(line, env=environment, cwd=tmp_path, start_new_session=True, **streams)
        started.append(child)
        until((tmp_path / "reached").exists)
        return child

    yield begin
    for child in started:
        child.kill()
        child.communicate()


@pytest.mark.parametrize(
    "sent_signal", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=["SIGINT", "SIGTERM", "SIGHUP"]
)
def test_an_interrupted_run_writes_reports_and_decides_nothing(
    start, urlconform_process, tmp_path, sent_signal
):
    """The footer says so, the reports are written, no adapter is left, and nothing is decided."""
    child = start("", "--report", "github=annotations")
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
    assert not Path(f"/proc/{(tmp_path / 'reached').read_text('ascii')}/exe").exists()
    for report in ("r.md", "annotations"):
        text = (tmp_path / report).read_text("utf-8")
        assert "interrupted" in text
        for words in ("passed the gate", "gate is passed", "gate passed", "✅"):
            assert words not in text


@pytest.mark.parametrize("name", ["python:slow:answer", f"exec:{sys.executable} each.py"])
def test_a_run_is_interrupted_with_every_kind_of_adapter(start, tmp_path, name):
    child = start(name, selection=("--spec", "rfc1808", "--section", "5.1"))
    child.send_signal(signal.SIGINT)
    _, stderr = child.communicate(timeout=600)
    assert "Traceback" not in stderr
    assert child.returncode == Exit.INTERRUPTED
    assert read_results(tmp_path / "r.jsonl").interrupted
    assert not Path(f"/proc/{(tmp_path / 'reached').read_text('ascii')}/exe").exists()


@pytest.mark.parametrize(
    ("sent_signal", "code"),
    [
        pytest.param(signal.SIGINT, Exit.INTERRUPTED, id="SIGINT"),
        pytest.param(signal.SIGTERM, Exit.INTERRUPTED, id="SIGTERM"),
        pytest.param(signal.SIGKILL, -signal.SIGKILL, id="SIGKILL"),
    ],
)
def test_no_adapter_that_ignores_the_end_of_its_input_outlives_a_harness(
    start, tmp_path, alive, sent_signal, code
):
    """The harness is ended while it gives the adapter time to exit."""
    (tmp_path / "staying.py").write_text(STAYING, encoding="utf-8")
    child = start(f"jsonl:{sys.executable} staying.py")
    child.send_signal(sent_signal)
    child.communicate(timeout=600)
    assert child.returncode == code
    assert not alive(int((tmp_path / "reached").read_text("ascii")))


@pytest.mark.parametrize("name", ["python:slow:answer", f"exec:{sys.executable} each.py"])
def test_no_adapter_outlives_a_killed_harness(start, tmp_path, alive, name):
    child = start(name, "--jobs", "2", selection=("--spec", "rfc1808", "--section", "5.1"))
    child.kill()
    child.wait(600)
    assert not alive(int((tmp_path / "reached").read_text("ascii")))


def test_the_results_of_a_killed_run_are_cut_but_readable(start, urlconform_process, tmp_path, alive, corpus):
    """There is no footer: what was written can be read, and the report says that it is cut."""
    child = start()
    child.kill()
    child.wait(600)
    assert not alive(int((tmp_path / "reached").read_text("ascii")))
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


def test_a_hangup_interrupts_the_run(start, tmp_path):
    """The reports are written even if the terminal is gone and nothing can be printed."""
    ours, theirs = pty.openpty()
    child = start(stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    os.close(ours)
    child.send_signal(signal.SIGHUP)
    assert child.wait(600) == Exit.INTERRUPTED
    assert read_results(tmp_path / "r.jsonl").interrupted
    assert (tmp_path / "r.md").stat().st_size


def test_nohup_ignores_a_hangup(start, tmp_path):
    child = start("", before=["nohup"], seconds=0.3, stderr=subprocess.DEVNULL)
    child.send_signal(signal.SIGHUP)
    assert child.wait(600) == Exit.NOTHING_RAN  # every question is unsupported
    assert not read_results(tmp_path / "r.jsonl").interrupted
