"""The guard process: what it kills at the end of its pipe, and what it leaves alone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from urlharness.sessions.guard import Guard, watch
from urlharness.sessions.process import Poller, Process

#: The seconds after which a process should long have ended, also on a busy machine.
PATIENCE = 600


@pytest.fixture
def adapter():
    """Return a function that starts a lasting process, and returns it and the inode of its stdin."""
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
    "messages",
    [
        pytest.param(["{stdin} 0", "{stdin} {group}"], id="started"),
        pytest.param(["{stdin} 0"], id="announced"),
        pytest.param(["{stdin} 0", "{stdin}"], id="ended-without-its-group"),
    ],
)
def test_the_guard_kills_the_processes_that_it_knows(adapter, messages):
    child, stdin = adapter()
    watch(line.format(stdin=stdin, group=child.pid).encode() for line in messages)
    assert child.wait(PATIENCE) == -signal.SIGKILL


@pytest.mark.parametrize(
    "messages",
    [
        pytest.param(["{stdin} 0", "{stdin} {group}", "{stdin}"], id="ended"),
        # an end without a start, then the number of another stdin, and a group that does not exist
        pytest.param(["{stdin}", "1 0", "1 2147483647"], id="others"),
    ],
)
def test_the_guard_leaves_other_processes_alone(adapter, messages):
    child, stdin = adapter()
    watch(line.format(stdin=stdin, group=child.pid).encode() for line in messages)
    with pytest.raises(subprocess.TimeoutExpired):
        child.wait(0.05)


@pytest.fixture
def guard(adapter):
    """A guard that runs, because it was told of a process; it is left after the test."""
    running_guard = Guard()
    _, stdin = adapter()
    running_guard.announce(stdin)
    yield running_guard
    running_guard.leave()


def test_the_guard_runs_in_its_own_session(guard):
    assert os.getsid(guard._process) == guard._process


def test_the_guard_stays_the_same_process(guard, adapter):
    process = guard._process
    _, stdin = adapter()
    guard.announce(stdin)
    assert guard._process == process


def test_the_guard_kills_a_started_process_when_the_harness_leaves_it(guard, adapter):
    child, stdin = adapter()
    guard.announce(stdin)
    guard.report_start(stdin, child.pid)
    guard.leave()
    assert child.wait(PATIENCE) == -signal.SIGKILL


def test_the_guard_kills_the_holder_of_the_stdin_of_an_adapter_that_ended_without_a_start(guard, adapter):
    child, stdin = adapter()
    guard.announce(stdin)
    guard.report_end(stdin)
    assert child.wait(PATIENCE) == -signal.SIGKILL


def test_a_guard_that_was_left_is_no_zombie(guard):
    process = guard._process
    guard.leave()
    assert not Path(f"/proc/{process}").exists()


def test_a_guard_that_was_killed_does_not_stop_the_harness(adapter):
    guard = Guard()
    _, stdin = adapter()
    guard.announce(stdin)
    process = guard._process
    os.kill(process, signal.SIGKILL)
    os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT)
    guard.report_end(stdin)  # into a broken pipe
    guard.leave()
    assert not Path(f"/proc/{process}").exists()


def test_a_process_tells_the_guard_that_it_starts_and_has_ended(monkeypatch, python):
    """A start is announced before it happens, and an end is reported before the number is free again."""
    messages = []
    guard = Guard()
    monkeypatch.setattr(guard, "_start", lambda: None)
    monkeypatch.setattr(guard, "_tell", lambda *numbers: messages.append(numbers))
    monkeypatch.setattr("urlharness.sessions.process.guard", guard)
    process = Process([*python, "-c", "input()"], Poller())
    process.start()
    group = process._popen.pid
    process.kill()
    (stdin, _), *_ = messages
    assert messages == [(stdin, 0), (stdin, group), (stdin,)]


#: A harness that tells the guard of an adapter and forks; it is killed, and the process that it forked stays.
FORKING_HARNESS = """
import os, signal, time
from urlharness.sessions.guard import guard

guard.announce(STDIN)
guard.report_start(STDIN, GROUP)
if os.fork():
    os.kill(os.getpid(), signal.SIGKILL)
print(os.getpid(), flush=True)
time.sleep(60)
"""


def test_a_forked_process_does_not_keep_the_guard_waiting(adapter):
    """It may live longer than the harness, such as a worker of multiprocessing."""
    child, stdin = adapter()
    code = FORKING_HARNESS.replace("STDIN", str(stdin)).replace("GROUP", str(child.pid))
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) as harness:
        forked_process = int(harness.stdout.readline())
        try:
            assert child.wait(PATIENCE) == -signal.SIGKILL
        finally:
            os.kill(forked_process, signal.SIGKILL)
