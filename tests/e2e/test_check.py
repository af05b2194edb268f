"""`urlconform check` as a process: pipes, Ctrl-C, a terminal."""

from __future__ import annotations

import io
import os
import pty
import signal
import subprocess
import sys

import pyarrow as pa
import pytest
from pyarrow import parquet

from urlharness.exitcodes import Exit

from .stopping import wait_until


def in_parquet(texts):
    """Return the content of a Parquet file with a column of texts."""
    stream = io.BytesIO()
    parquet.write_table(pa.table({"url": texts}), stream)
    return stream.getvalue()


#: For each format a file with a text that RFC 3986 refuses.
CONTENTS = {
    "text": b"http://a/b\nhttp://a b\n",
    "csv": b"n,url\n1,http://a\n2,b c\n",
    "parquet": in_parquet(["http://a", None, "//[x"]),
}


@pytest.mark.parametrize("form", CONTENTS)
def test_every_format_is_read_from_a_pipe(program, environment, form):
    """Parquet is read from its end, although a pipe cannot go back."""
    done = subprocess.run(
        [program, "check", "-", "--format", form, "--spec", "3986"],
        input=CONTENTS[form],
        capture_output=True,
        env=environment,
        check=False,
    )
    assert done.returncode == Exit.FAILED, done.stderr
    assert done.stdout.startswith(b"stdin: URI of")


#: The lines of a block that is written into the pipe, and the number of blocks. They are more than what is
#: judged at once, so that some lines are judged while the command waits for the next.
BLOCK = 100_000
BLOCKS = 20


def write_whole(descriptor, octets):
    """Write octets to a pipe, which may take a part of them at a time."""
    unsent = octets
    while unsent:
        unsent = unsent[os.write(descriptor, unsent) :]


def test_ctrl_c_closes_an_output_that_has_the_lines_judged_so_far(program, tmp_path, environment):
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
    for _ in range(BLOCKS):
        write_whole(writing, b"http://a/\n" * BLOCK)
    wait_until(lambda: any(part.stat().st_size for part in tmp_path.glob(".o.parquet.*.part")))
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    os.close(writing)
    assert errors == b"urlconform: interrupted\n"
    assert process.returncode == Exit.INTERRUPTED
    assert 0 < parquet.read_table(tmp_path / "o.parquet").num_rows < BLOCK * BLOCKS


#: The command `check`, which otherwise shows a progress bar only if it takes long.
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
    assert "30/30 bytes" in output  # three lines of ten
