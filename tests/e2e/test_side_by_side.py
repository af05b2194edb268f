"""A run in several processes has the results of a run in one process, and leaves none behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from urlharness.exitcodes import Exit
from urlharness.results.model import read_results

SELECTION = ("--spec", "1808")

#: Answers some questions, then says so in a file and nothing more.
HANGING = """
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
        if asked == 21:
            Path("pid").write_text(str(os.getpid()))
            Path("pid").rename("reached")
            time.sleep(600)
        print(json.dumps({"id": message["id"], "status": "unsupported"}), flush=True)
"""
#: Runs the program that its arguments give, on one processor.
ON_ONE_PROCESSOR = """
import os, sys
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
os.execv(sys.argv[1], sys.argv[1:])
"""
HANGING_ADAPTER = f"jsonl:{sys.executable} hanging.py"


def until(met):
    """Wait for a condition."""
    deadline = time.monotonic() + 600
    while not met():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


@pytest.fixture
def hanging_run(program, environment, tmp_path):
    """A run of two adapters, of which the first hangs."""
    (tmp_path / "hanging.py").write_text(HANGING, encoding="utf-8")
    line = [program, "run", HANGING_ADAPTER, "urllib", *SELECTION, "--timeout", "300", "--report", "json=r"]
    child = subprocess.Popen(
        line, env=environment, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    until((tmp_path / "reached").exists)
    yield child
    child.kill()
    child.communicate()


@pytest.fixture
def adapter(tmp_path):
    """Returns the process of the adapter that hangs."""
    return lambda: int((tmp_path / "reached").read_text("ascii"))


def parent(pid):
    """Return the process that has started a process."""
    status = Path(f"/proc/{pid}/status").read_text("ascii")
    return int(status.partition("PPid:")[2].split()[0])


def without_times(path):
    """Return the lines of a results file, without those that depend on time or processes."""
    lines = [msgspec.json.decode(line) for line in path.read_bytes().splitlines()]
    for name in ("started", "argv"):
        del lines[0][name]
    del lines[-1]["digest"]
    return lines


@pytest.mark.parametrize(
    "arguments",
    [
        ("reference", "urllib", "--spec", "2396"),
        ("reference", "--flag", "basic"),
        ("reference", "urllib", "--spec", "1808", "--spec", "2732"),
        ("urllib", "reference", "--maxfail", "30", "--spec", "1738"),
        ("urllib", "reference", "--spec", "1808", "--tier", "core", "--tier", "resolution", "-k", "dot"),
    ],
)
def test_the_results_are_those_of_one_process(urlconform_process, program, tmp_path, arguments):
    on_one_processor = (sys.executable, "-c", ON_ONE_PROCESSOR, program)
    alone = urlconform_process("run", *arguments, "--report", "json=alone", program=on_one_processor)
    together = urlconform_process("run", *arguments, "--report", "json=together")
    assert (alone.stdout, alone.stderr) == (together.stdout, together.stderr)
    assert alone.returncode == together.returncode
    assert without_times(tmp_path / "alone") == without_times(tmp_path / "together")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_run_has_the_results_so_far_of_each_adapter(hanging_run, tmp_path, number):
    hanging_run.send_signal(number)
    _, stderr = hanging_run.communicate(timeout=600)
    assert stderr == "urlconform: interrupted; the reports contain the results so far\n"
    assert hanging_run.returncode == Exit.INTERRUPTED
    results = read_results(tmp_path / "r")
    assert results.interrupted
    assert len(results.of(HANGING_ADAPTER)) >= 20


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_no_adapter_outlives_the_command(hanging_run, adapter, alive, number):
    worker = parent(adapter())
    hanging_run.send_signal(number)
    hanging_run.communicate(timeout=600)
    assert not alive(adapter(), 60)
    assert not alive(worker, 60)


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="one process asks all on one processor")
def test_a_killed_process_ends_the_run_with_the_name_of_its_adapter(hanging_run, adapter, alive):
    os.kill(parent(adapter()), signal.SIGKILL)
    _, stderr = hanging_run.communicate(timeout=600)
    assert stderr == f"urlconform: {HANGING_ADAPTER}: the process that asked it was killed\n"
    assert hanging_run.returncode == Exit.ADAPTER_DEAD
    assert not alive(adapter(), 60)
