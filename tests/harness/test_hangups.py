"""A terminal that goes away while a run is on: the run ends as on Ctrl-C, unless it was told to go on."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time

import pytest

from urlharness.results.model import read_results

pytestmark = pytest.mark.once
SELECTION = ("--spec", "rfc3986", "--section", "5.4.2")

#: Says that it was asked in a file, and then takes its time.
SLOW = """
import json, sys, time
from pathlib import Path
HELLO = {"type": "hello", "protocol": 1, "implementation": {"name": "x", "version": "1"},
         "ops": ["resolve"], "specs": []}
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps(HELLO), flush=True)
    elif message["type"] == "run":
        Path("reached").touch()
        time.sleep(float(sys.argv[1]))
        print(json.dumps({"id": message["id"], "status": "reject"}), flush=True)
"""


def until(met, seconds=30.0):
    """Wait for a condition."""
    deadline = time.monotonic() + seconds
    while not met():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


@pytest.fixture
def line(program, tmp_path):
    """The command of a run, whose adapter takes so many seconds for an answer."""
    (tmp_path / "slow.py").write_text(SLOW, encoding="utf-8")
    return lambda seconds: [
        *(program, "run", f"jsonl:{sys.executable} slow.py {seconds}", *SELECTION, "--timeout", "60"),
        *("--report", "json=r.jsonl", "--report", "markdown=r.md"),
    ]


def test_the_terminal_goes(line, environment, tmp_path):
    """What cannot be printed any more keeps no report from being written."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        line(60),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment,
        cwd=tmp_path,
        start_new_session=True,
    ) as child:
        os.close(theirs)
        try:
            until((tmp_path / "reached").exists)
            os.close(ours)
            child.send_signal(signal.SIGHUP)
            assert child.wait(60) == 130
        finally:
            child.kill()
    assert read_results(tmp_path / "r.jsonl").interrupted
    assert (tmp_path / "r.md").stat().st_size


def test_nohup(line, environment, tmp_path):
    with subprocess.Popen(
        ["nohup", *line(0.5), "--maxfail", "1"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
        cwd=tmp_path,
        start_new_session=True,
    ) as child:
        try:
            until((tmp_path / "reached").exists)
            child.send_signal(signal.SIGHUP)
            assert child.wait(60) == 1
        finally:
            child.kill()
    assert not read_results(tmp_path / "r.jsonl").interrupted
