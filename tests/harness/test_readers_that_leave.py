"""Readers of stdout, stderr or a report that go away: the exit code of a gate is what it would be."""

from __future__ import annotations

import fcntl
import os
import select
import subprocess

import pytest

pytestmark = pytest.mark.once
SELECTION = ("--spec", "3986")


@pytest.mark.parametrize("form", ["json", "junit", "markdown", "html"])
def test_a_reader_of_a_report_that_went_away_is_told(program, environment, tmp_path, form):
    """The verdict is that of the run, and the other reports are written."""
    os.mkfifo(tmp_path / "pipe")
    reading = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    fcntl.fcntl(reading, fcntl.F_SETPIPE_SZ, 4096)  # less than any of the reports
    other = ("--report", "badge=b.json")
    with subprocess.Popen(
        [program, "run", "urllib", *SELECTION, *other, "--report", f"{form}=pipe"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=tmp_path,
    ) as child:
        try:
            select.select([reading], [], [], 60)  # it is open on the other side, and something has come
            os.close(reading)
            _, stderr = child.communicate(timeout=60)
        finally:
            child.kill()
    assert child.returncode == 1
    first, second, *_ = stderr.splitlines()
    assert first == "urlconform: pipe: its reader went away, and has not all of it"
    assert second.startswith("urlconform: urllib: gate failed")
    assert (tmp_path / "b.json").stat().st_size


@pytest.mark.parametrize(
    ("arguments", "code"),
    [(("run", "urllib", *SELECTION), 1), (("run", "nope"), 2), (("run", "python:gone:f", *SELECTION), 3)],
    ids=["gate", "usage", "dead"],
)
def test_nobody_reads_why(program, environment, tmp_path, arguments, code):
    """The exit code is what it is when stderr has lost its reader."""
    reading, writing = os.pipe()
    os.close(reading)
    line = [program, *arguments]
    done = subprocess.run(line, stdout=writing, stderr=writing, env=environment, cwd=tmp_path, check=False)
    os.close(writing)
    assert done.returncode == code
