"""A run in several processes has the results of a run in one process, and no process outlives it."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import msgspec
import pytest

from urlharness.exitcodes import Exit
from urlharness.results.model import read_results

from .stopping import ANSWERED

SELECTION = ("--spec", "1808")

#: A program that runs the command in its arguments on one processor.
ON_ONE_PROCESSOR = """
import os, sys
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
os.execv(sys.argv[1], sys.argv[1:])
"""
HANGING_ADAPTER = f"jsonl:{sys.executable} stopping.py 600.0"


@pytest.fixture
def hanging_run(start_run):
    """The process of a run of two adapters, of which the first hangs."""
    return start_run("", "urllib", selection=SELECTION)


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
    for line in lines:
        line.get("result", line).pop("seconds", None)  # an example of a generated part has a result
    return lines


def lines_without_times(output):
    """Return the lines of an output, except that on the slowest case, which slow machines have."""
    return [line for line in output.splitlines() if not line.startswith("Slowest: ")]


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param("reference urllib --spec 2396", id="two-adapters", marks=pytest.mark.long),
        pytest.param("reference --flag basic", id="one-adapter", marks=pytest.mark.long),
        pytest.param("reference urllib --spec 1808 --spec 2732", id="two-rfcs", marks=pytest.mark.long),
        pytest.param("urllib reference --maxfail 30 --spec 1738", id="stopped-after-30-failures"),
        pytest.param(
            "urllib reference --spec 1808 --tier core --tier resolution -k dot",
            id="tiers",
            marks=pytest.mark.long,
        ),
    ],
)
def test_the_results_are_those_of_one_process(urlconform_process, program, tmp_path, arguments):
    on_one_processor = (sys.executable, "-c", ON_ONE_PROCESSOR, program)
    words = arguments.split()
    alone = urlconform_process("run", *words, "--report", "json=alone", program=on_one_processor)
    together = urlconform_process("run", *words, "--report", "json=together")
    assert lines_without_times(alone.stdout) == lines_without_times(together.stdout)
    assert alone.stderr == together.stderr
    assert alone.returncode == together.returncode
    assert without_times(tmp_path / "alone") == without_times(tmp_path / "together")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "sent_signal", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=["SIGINT", "SIGTERM", "SIGHUP"]
)
def test_an_interrupted_run_has_the_results_so_far_of_an_adapter_that_hangs(
    hanging_run, tmp_path, sent_signal
):
    hanging_run.send_signal(sent_signal)
    _, stderr = hanging_run.communicate(timeout=600)
    assert stderr == "urlconform: interrupted; the reports contain the results so far\n"
    assert hanging_run.returncode == Exit.INTERRUPTED
    results = read_results(tmp_path / "r.jsonl")
    assert results.interrupted
    assert len(results.of(HANGING_ADAPTER)) >= ANSWERED


@pytest.mark.parametrize("sent_signal", [signal.SIGINT, signal.SIGKILL], ids=["SIGINT", "SIGKILL"])
def test_no_adapter_and_no_worker_outlives_the_command(hanging_run, pid_of_adapter, alive, sent_signal):
    worker = parent(pid_of_adapter())
    hanging_run.send_signal(sent_signal)
    hanging_run.communicate(timeout=600)
    assert not alive(pid_of_adapter(), 60)
    assert not alive(worker, 60)


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="one process asks all on one processor")
def test_a_killed_process_ends_the_run_with_the_name_of_its_adapter(hanging_run, pid_of_adapter, alive):
    os.kill(parent(pid_of_adapter()), signal.SIGKILL)
    _, stderr = hanging_run.communicate(timeout=600)
    assert stderr == f"urlconform: {HANGING_ADAPTER}: the process that asked it was killed\n"
    assert hanging_run.returncode == Exit.ADAPTER_DEAD
    assert not alive(pid_of_adapter(), 60)
