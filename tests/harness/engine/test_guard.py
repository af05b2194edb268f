"""The guard process: what it kills at the end of its pipe, and what it leaves alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from urlharness.engine.guard import Guard, watch
from urlharness.engine.process import Poller, Process


@pytest.fixture
def adapter():
    """Starts a process that stays; gives it with the inode of its stdin."""
    started = []

    def start():
        reading, writing = os.pipe()
        child = subprocess.Popen(["sleep", "60"], stdin=reading, start_new_session=True)
        started.append((child, writing))
        os.close(reading)
        return child, os.fstat(writing).st_ino

    yield start
    for child, writing in started:
        os.close(writing)
        child.kill()
        child.wait()


@pytest.mark.parametrize(
    ("tells", "killed"),
    [
        pytest.param(["{stdin} 0", "{stdin} {group}"], True, id="started"),
        pytest.param(["{stdin} 0"], True, id="announced"),
        pytest.param(["{stdin} 0", "{stdin} {group}", "{stdin}"], False, id="ended"),
        pytest.param(["{stdin} 0", "{stdin}"], True, id="ended-without-its-group"),
        pytest.param(["{stdin}", "1 0", "1 2147483647"], False, id="others"),
    ],
)
def test_the_guard_kills_the_processes_that_it_knows(adapter, tells, killed):
    child, stdin = adapter()
    watch(line.format(stdin=stdin, group=child.pid).encode() for line in tells)
    if killed:
        assert child.wait(600) == -9
    else:
        with pytest.raises(subprocess.TimeoutExpired):
            child.wait(0.05)


def test_the_guard_runs_in_its_own_session(adapter):
    """It runs in its own session, acts when the pipe ends, and is no zombie."""
    guard = Guard()
    child, stdin = adapter()
    guard.announce(stdin)
    process = guard._process
    assert os.getsid(process) == process
    guard.started(stdin, child.pid)
    other_process, inode = adapter()
    guard.announce(inode)
    guard.ended(inode)
    assert guard._process == process
    guard.leave()
    assert child.wait(600) == -9
    assert other_process.wait(600) == -9
    assert not Path(f"/proc/{process}").exists()


def test_a_guard_that_was_killed_does_not_stop_the_harness(adapter):
    guard = Guard()
    _, stdin = adapter()
    guard.announce(stdin)
    os.kill(guard._process, 9)
    os.waitid(os.P_PID, guard._process, os.WEXITED | os.WNOWAIT)
    guard.ended(stdin)
    guard.leave()


def test_processes_tell_the_guard(monkeypatch, python):
    """That a process starts is told before, and that it has ended before its number is free again."""
    messages = []
    guard = Guard()
    monkeypatch.setattr(guard, "_start", lambda: None)
    monkeypatch.setattr(guard, "_tell", lambda *numbers: messages.append(numbers))
    monkeypatch.setattr("urlharness.engine.process.guard", guard)
    process = Process([*python, "-c", "input()"], Poller())
    process.start()
    group = process._popen.pid
    process.kill()
    stdin = messages[0][0]
    assert messages == [(stdin, 0), (stdin, group), (stdin,)]


def test_a_forked_process_does_not_keep_the_guard_waiting(adapter):
    """It may live longer than the harness, such as a worker of multiprocessing."""
    child, stdin = adapter()
    code = f"""
import os, signal, time
from urlharness.engine.guard import guard
guard.announce({stdin})
guard.started({stdin}, {child.pid})
if os.fork():
    os.kill(os.getpid(), signal.SIGKILL)
print(os.getpid(), flush=True)
time.sleep(60)
"""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as harness:
        try:
            assert child.wait(600) == -9
        finally:
            os.kill(int(harness.stdout.readline()), 9)
