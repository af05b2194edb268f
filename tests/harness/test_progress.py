"""Progress of a run: bars on a terminal where it takes a while, and nothing anywhere else."""

from __future__ import annotations

import io
import re
import sys
import time

import pytest

from urlharness.cli import output

pytestmark = pytest.mark.once

NAMES = ["reference", "jsonl:/a/rather/long/command --with --many --options --indeed", "[bold]x\x1b[5m"]


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True

    def lines(self) -> list[str]:
        """Everything that was ever shown, without the movements of the cursor."""
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self.getvalue()).splitlines()


#: What is shown of a run on a terminal of so many columns.
SHOWN = {
    20: r"re… 20,000 of 20,000",
    30: r"reference\s+20,000 of 20,000",
    40: r"reference +20,000 of 20,000",
    50: r"reference +━+ 20,000 of 20,000",
    60: r"reference +━+ 20,000 of 20,000 +\d+:\d\d",
    80: r"reference +━+ 20,000 of 20,000 +[0-9,]+/s +\d+:\d\d",
    200: r"reference +━+ 20,000 of 20,000 +[0-9,]+/s +\d+:\d\d",
}


@pytest.fixture(params=SHOWN)
def width(request):
    """Columns of the terminal."""
    return request.param


@pytest.fixture
def terminal(width, monkeypatch):
    """Puts a terminal of some width, on which nobody is patient, in the place of stderr."""
    for name in ("NO_COLOR", "FORCE_COLOR", "LINES", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setattr(output, "_PATIENCE", 0.0)

    def put() -> Terminal:  # within the test: whoever captures puts its own there before
        stream = Terminal()
        monkeypatch.setattr(sys, "stderr", stream)
        return stream

    return put


def until(met):
    deadline = time.monotonic() + 20
    while not met():
        assert time.monotonic() < deadline, "it is not shown"
        time.sleep(0.02)


def tell(told, name, total):
    for done in range(1, total + 1):
        told(name, done, total)


def test_bars_tell_count_rate_and_time(terminal, width):
    """One row for each adapter, however long its name; one that did not start is passed over."""
    screen = terminal()
    with output.progress(NAMES, 20_000) as told:
        tell(told, NAMES[0], 20_000)
        tell(told, NAMES[2], 20_000)
        until(lambda: any(re.match(r"\[b.* 20,000 of 20,000", line) for line in screen.lines()))
    rows = [line.rstrip() for line in screen.lines() if line.strip()]
    assert any(re.fullmatch(SHOWN[width], row) for row in rows)
    assert any(row.startswith("[bo"[: 2 if width < 30 else 3]) for row in rows)
    assert max(map(len, screen.lines())) <= width
    assert {row[:2] for row in rows} <= {name[:2] for name in NAMES}, "a row goes on in the next one"
    assert "\x1b[5m" not in screen.getvalue()


def test_what_was_told_last_is_shown(terminal):
    """Before a hang two cases are told at once: the second is no less true."""
    screen = terminal()
    with output.progress(["a"], 10) as told:
        told("a", 1, 10)
        told("a", 2, 10)
        until(lambda: any("2 of 10" in line for line in screen.lines()))


def test_nothing_for_quick_work(terminal, monkeypatch):
    screen = terminal()
    monkeypatch.setattr(output, "_PATIENCE", 60.0)
    with output.progress(NAMES, 10) as told, output.busy("reading"):
        tell(told, NAMES[0], 10)
    assert screen.getvalue() == ""


def test_what_takes_its_time_is_named(terminal):
    screen = terminal()
    with output.busy("reading [x].jsonl"):
        until(lambda: any("reading [x].jsonl" in line for line in screen.lines()))


def test_nothing_without_escapes(terminal, monkeypatch):
    """With NO_COLOR nothing moves on a terminal either: only escapes could move it."""
    screen = terminal()
    for setting, shown in (("1", False), ("", True)):
        monkeypatch.setenv("NO_COLOR", setting)
        with output.progress(["a"], 10) as told:
            told("a", 1, 10)
            if shown:
                until(lambda: "1 of 10" in screen.getvalue())
        with output.busy("reading"):
            if shown:
                until(lambda: "reading" in screen.getvalue())
        assert bool(screen.getvalue()) is shown


def test_nothing_in_a_pipe(capsys, monkeypatch):
    monkeypatch.setattr(output, "_PATIENCE", 0.0)
    with output.progress(NAMES, 10) as told, output.busy("reading"):
        tell(told, NAMES[0], 10)
        time.sleep(0.05)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(None, "-:--"), (0, "0:00"), (59.6, "1:00"), (75, "1:15"), (3600, "1:00:00"), (86_461, "24:01:01")],
)
def test_times_are_short(seconds, shown):
    assert output._clock(seconds) == shown
