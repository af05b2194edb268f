"""`urlconform check` as a process: pipes, Ctrl-C, a terminal."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time

import pyarrow as pa
import pytest
from pyarrow import parquet

from urlharness.exitcodes import Exit


@pytest.mark.parametrize("form", ["text", "csv", "parquet"])
def test_any_format_is_read_from_a_pipe(tmp_path, program, environment, form):
    """A pipe may hold any format, also Parquet, which is read from its end."""
    path = tmp_path / "t"
    match form:
        case "text":
            path.write_text("http://a/b\nhttp://a b\n", "utf-8")
        case "csv":
            path.write_text("n,url\n1,http://a\n2,b c\n", "utf-8")
        case "parquet":
            parquet.write_table(pa.table({"url": ["http://a", None, "//[x"]}), path)
    done = subprocess.run(
        [program, "check", "-", "--format", form, "--spec", "3986"],
        input=path.read_bytes(),
        capture_output=True,
        env=environment,
        check=False,
    )
    assert done.returncode == Exit.FAILED, done.stderr
    assert done.stdout.startswith(b"stdin: URI of")


def test_ctrl_c_closes_the_output(program, tmp_path, environment):
    """Ctrl-C closes the output; the exit code is 130."""
    reading, writing = os.pipe()
    arguments = ["-", "--spec", "3986", "-o", "o.parquet"]
    process = subprocess.Popen(
        [program, "check", *arguments],
        stdin=reading,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env=environment,
    )
    os.close(reading)
    block = b"http://a/\n" * 100_000
    for _ in range(20):  # more than a block, so that one is judged and the next is waited for
        unsent = block
        while unsent:
            unsent = unsent[os.write(writing, unsent) :]
    deadline = time.monotonic() + 600
    while time.monotonic() < deadline:
        if any(part.stat().st_size for part in tmp_path.glob(".o.parquet.*.part")):
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    os.close(writing)
    assert errors == b"urlconform: interrupted\n"
    assert process.returncode == Exit.INTERRUPTED
    assert 0 < parquet.read_table(tmp_path / "o.parquet").num_rows < 20 * 100_000


#: The command `check` with a progress bar from the beginning.
CHECK_WITHOUT_DELAY = """
import sys

import urlharness.cli.output as output
from urlharness.cli import main

output._DELAY = 0
sys.argv[1:] = ["check", "t.txt", "--spec", "3986"]
main()
"""


def test_work_beyond_the_delay_shows_a_progress_bar(tmp_path, environment):
    (tmp_path / "t.txt").write_text("http://a/\n" * 3, "utf-8")
    leader, follower = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-c", CHECK_WITHOUT_DELAY],
        stderr=follower,
        stdout=subprocess.PIPE,
        check=False,
        cwd=tmp_path,
        env=environment,
    )
    os.close(follower)
    output = os.read(leader, 1 << 16).decode()
    os.close(leader)
    assert done.returncode == Exit.PASSED, output
    assert "t.txt" in output
    assert "30/30 bytes" in output
