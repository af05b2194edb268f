"""Console and progress: bars on a terminal if the work takes long, and nothing anywhere else."""

from __future__ import annotations

import io
import os
import re
import sys
import time
from pathlib import Path

import pytest

from urlharness.cli import output

NAMES = ["reference", "jsonl:/a/rather/long/command --with --many --options --indeed", "[bold]x\x1b[5m"]


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True

    def lines(self) -> list[str]:
        """Everything that was ever shown, without the movements of the cursor."""
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self.getvalue()).splitlines()


@pytest.fixture
def terminal(monkeypatch):
    """Puts a terminal of some width in the place of stderr, on which bars are shown at once."""
    for name in ("NO_COLOR", "FORCE_COLOR", "LINES", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr(output, "_DELAY", 0.0)

    def put(width: int = 80) -> Terminal:  # within the test: capturing puts its own stream there before
        monkeypatch.setenv("COLUMNS", str(width))
        stream = Terminal()
        monkeypatch.setattr(sys, "stderr", stream)
        return stream

    return put


def until(met):
    deadline = time.monotonic() + 10
    while not met():
        assert time.monotonic() < deadline, "it is not shown"
        time.sleep(0.01)


def tell(report, name, total):
    for done in range(1, total + 1):
        report(name, done, total)


@pytest.mark.parametrize("width", [50, 80, 200])
def test_bars_show_count_rate_and_time(terminal, width):
    """One row for each adapter, however long its name; one that did not start has no row."""
    screen = terminal(width)
    with output.progress(NAMES, 20_000) as report:
        tell(report, NAMES[0], 20_000)
        tell(report, NAMES[2], 20_000)
        until(lambda: any(re.match(r"\[b.* 20,000 of 20,000", line) for line in screen.lines()))
    rows = [line.rstrip() for line in screen.lines() if line.strip()]
    assert (
        any(re.match(r"ref.* +━* *20,000 of 20,000 +[0-9,]+/s +\d+:\d\d", row) for row in rows) or width < 80
    )
    assert max(map(len, screen.lines())) <= width
    assert {row[:2] for row in rows} == {"re", "[b"}
    assert "\x1b[5m" not in screen.getvalue()


def test_a_run_that_hangs_shows_its_first_adapter(terminal):
    screen = terminal()
    with output.progress(["one", "two"], 10):
        until(lambda: any("0 of 10" in line for line in screen.lines()))
    assert "two" not in screen.getvalue()


def test_the_last_report_is_shown(terminal):
    """Two cases are reported at once before a hang: the second is shown, too."""
    screen = terminal()
    with output.progress(["a"], 10) as report:
        report("a", 1, 10)
        report("a", 2, 10)
        until(lambda: any("2 of 10" in line for line in screen.lines()))


def test_files_are_shown_by_their_size(terminal):
    screen = terminal()
    with output.progress(sizes=True) as report:
        report("urls.txt", 500_000, 2_000_000)
        until(lambda: any("0.5/2.0 MB" in line for line in screen.lines()))


def test_quick_work_shows_nothing(terminal, monkeypatch):
    screen = terminal()
    monkeypatch.setattr(output, "_DELAY", 60.0)
    with output.progress(NAMES, 10) as report, output.busy("reading"):
        tell(report, NAMES[0], 10)
    assert screen.getvalue() == ""


def test_what_takes_long_is_named(terminal):
    screen = terminal()
    with output.busy("reading [x].jsonl"):
        until(lambda: any("reading [x].jsonl" in line for line in screen.lines()))


def test_no_color_means_no_progress(terminal, monkeypatch):
    """Only escape sequences could move it."""
    screen = terminal()
    monkeypatch.setenv("NO_COLOR", "1")
    with output.progress(["a"], 10) as report, output.busy("reading"):
        report("a", 1, 10)
        time.sleep(0.05)
    assert screen.getvalue() == ""


def test_a_pipe_shows_no_progress(capsys, monkeypatch):
    monkeypatch.setattr(output, "_DELAY", 0.0)
    with output.progress(NAMES, 10) as report, output.busy("reading"):
        tell(report, NAMES[0], 10)
        time.sleep(0.05)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(None, "-:--"), (0, "0:00"), (59.6, "1:00"), (75, "1:15"), (3600, "1:00:00"), (86_461, "24:01:01")],
)
def test_times_are_short(seconds, shown):
    assert output._clock(seconds) == shown


def test_what_an_adapter_prints_in_this_process_goes_to_stderr(capfd, tmp_path, monkeypatch):
    """Afterwards the streams and the current folder are those from before."""
    monkeypatch.chdir(tmp_path)
    before = sys.stdout, sys.stderr, Path.cwd()
    with output.prints_to_stderr():
        os.write(1, b"written")
        sys.stdout = sys.stderr = None
        os.chdir("/")
    os.write(1, b"said")
    assert (sys.stdout, sys.stderr, Path.cwd()) == before
    assert capfd.readouterr() == ("said", "written")
