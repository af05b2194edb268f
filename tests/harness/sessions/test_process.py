"""A child process: its lines, how it exits, its environment, its stderr, and what is recorded."""

from __future__ import annotations

import math
import os
import signal
import time
from unittest import mock

import pytest

from urlharness.protocol.failures import AdapterDead
from urlharness.sessions.process import (
    Poller,
    Process,
    ProcessFailure,
    Recording,
    WireLine,
    error_line,
    program_environment,
    stderr_tail,
    stop_processes,
)


@pytest.fixture
def start(python, monkeypatch):
    """Return a function that starts a Python script, which is killed after the test."""
    monkeypatch.setattr("urlharness.sessions.process._GRACE", 30.0)
    started = []

    def run(code: str) -> Process:
        process = Process([*python, "-c", code], Poller())
        process.start()
        started.append(process)
        return process

    yield run
    for process in started:
        process.kill()


def pumped(process: Process):
    """Yield the lines of each pump, with a wait before it; end a test that hangs."""
    deadline = time.monotonic() + 600
    while time.monotonic() < deadline:
        process.flush()
        process._poller.wait(process.poll_interval)
        yield process.pump()
    pytest.fail("the process does nothing")


def lines(process: Process, count: int) -> list[bytes]:
    read_lines: list[bytes] = []
    for new_lines in pumped(process):
        read_lines += new_lines
        if len(read_lines) >= count:
            break
    return read_lines


def end(process: Process) -> ProcessFailure:
    with pytest.raises(ProcessFailure) as failure:
        lines(process, 10**6)
    return failure.value


def test_a_line_is_read_as_a_whole_in_whatever_parts_it_comes(start):
    process = start(
        "import os, time\nfor part in (b'on', b'e\\ntw', b'o\\n\\nthree\\n'):\n os.write(1, part)"
    )
    assert lines(process, 3) == [b"one", b"two", b"three"]


def test_writing_never_blocks(start):
    """More than any pipe holds is queued, and written while lines are read."""
    process = start("import os\nwhile bytes := os.read(0, 1 << 16): os.write(1, bytes)")
    written_lines = [b"%06d" % number * 50 for number in range(5000)]
    process.write(b"\n".join(written_lines) + b"\n")
    assert lines(process, len(written_lines)) == written_lines
    assert not process.unsent


#: The most bytes that a pipe of a process without privileges holds on Linux.
LARGEST_PIPE = 2**20


def test_unread_input_stays_queued_but_for_what_the_pipe_holds(start):
    process = start("import time; print('ready', flush=True); time.sleep(60)")
    process.write(b"x" * 3 * LARGEST_PIPE)
    assert lines(process, 1) == [b"ready"]
    assert 2 * LARGEST_PIPE <= len(process.unsent) < 3 * LARGEST_PIPE


def test_stdin_is_closed_after_the_last_bytes(start):
    process = start("import sys; print(len(sys.stdin.read()))")
    process.write(b"x" * 200_000)
    process.write(b"y", last=True)
    assert lines(process, 1) == [b"200001"]


@pytest.mark.parametrize(
    ("code", "outcome", "detail", "status"),
    [
        pytest.param("import sys; sys.exit(2)", "crash", "exit code 2", 2, id="exit"),
        pytest.param("import os; os.kill(os.getpid(), 15)", "crash", "killed by SIGTERM", -15, id="signal"),
        pytest.param(
            "import os; os.kill(os.getpid(), 36)", "crash", "killed by signal 36", -36, id="nameless-signal"
        ),
        pytest.param("print('half', end='')", "no-answer", "after 'half'", 0, id="half-a-line"),
        pytest.param("pass", "no-answer", "it ended without an answer", 0, id="nothing"),
        pytest.param("print('x' * 2**21)", "garbage", "more than 1048576", None, id="line-too-long"),
        pytest.param(
            "import os; os.fork() or os.execvp('sleep', ['sleep', '20'])",
            "no-answer",
            "it ended without an answer",
            0,
            id="held-open",
        ),
    ],
)
def test_the_end_of_a_process_has_its_outcome(start, code, outcome, detail, status):
    failure = end(start(code))
    assert failure.outcome == outcome
    assert failure.status == status
    assert detail in failure.detail


def test_a_process_that_closed_stdout_is_not_waited_for(start, monkeypatch):
    monkeypatch.setattr("urlharness.sessions.process._CLOSED_GRACE", 0.05)
    failure = end(start("import os, time; os.close(1); time.sleep(600)"))
    assert failure.outcome == "no-answer"
    assert failure.detail == "it closed its output, but kept running"


@pytest.mark.parametrize(("grace", "last"), [(30.0, False), (0.0, True)], ids=["soon", "stdin-closed"])
def test_the_exit_code_counts_after_stdout_is_closed(start, monkeypatch, grace, last):
    monkeypatch.setattr("urlharness.sessions.process._CLOSED_GRACE", grace)
    process = start("import os, time; os.close(1); time.sleep(0.1); os._exit(3)")
    process.write(b"", last=last)
    assert end(process).detail == "exit code 3"


def test_lines_before_the_exit_are_read(start):
    """The process has exited before its lines are waited for."""
    process = start("import os\nprint('last words', flush=True)\nif os.fork(): os._exit(1)\ninput()")
    process._popen.wait(600)
    assert process.pump() == [b"last words"]
    assert end(process).detail == "exit code 1"


def test_only_the_end_of_stderr_is_kept(start):
    process = start("import sys; sys.stderr.write('a' * 200_000 + 'z'); print('now', flush=True); input()")
    assert lines(process, 1) == [b"now"]
    assert process.kill() == "a" * 65_535 + "z"  # 64 KiB in all
    assert not process.running


def test_endless_stderr_does_not_block(start, monkeypatch):
    """It is read once in each pump."""
    process = start("input()")
    reads = []

    def read(number: int, _size: int) -> bytes:
        reads.append(number)
        assert len(reads) < 9, "it never stops reading"  # without this the test would not end
        return b"e"

    process._poller.ready = {process._stderr}
    monkeypatch.setattr("urlharness.sessions.process.os.read", read)
    assert process.pump() == []
    monkeypatch.undo()
    assert len(reads) == 1


@pytest.mark.parametrize(
    "output",
    ["", "sys.stderr.write('e' * 300_000); sys.stdout.write('o' * 300_000);"],
    ids=["silent", "writes-more-than-a-pipe-holds"],
)
def test_stop_lets_a_process_exit_by_itself(start, tmp_path, output):
    marker = tmp_path / "ended"
    process = start(f"import sys; sys.stdin.read(); {output} open({str(marker)!r}, 'w').close()")
    stop_processes([process], process._poller, math.inf)
    assert marker.exists()
    assert not process.running


#: Says its process id, and ignores the end of stdin.
STAYS = "import os, time; print(os.getpid(), flush=True); time.sleep(60)"


@pytest.fixture
def start_staying(start, monkeypatch):
    """Return a function that starts processes that ignore the end of stdin; each wait takes a second.

    It returns the processes, their ids and the poller.
    """
    poller = Poller()
    poller.clock = 0.0

    def wait(seconds):
        Poller.wait(poller, min(seconds, 0.001))
        poller.clock += 1.0

    def run(count):
        processes = [start(STAYS) for _ in range(count)]
        pids = []
        for process in processes:
            (pid,) = lines(process, 1)
            pids.append(int(pid))
            for pipe in (process._stdout, process._stderr):
                poller.add(pipe)
            process._poller = poller
        monkeypatch.setattr(poller, "wait", wait)
        monkeypatch.setattr(poller, "now", lambda: poller.clock)
        return processes, pids, poller

    return run


@pytest.mark.parametrize(
    ("deadline", "latest"), [(math.inf, 31.0), (3.0, 3.0), (-1.0, 0.0)], ids=["none", "soon", "over"]
)
def test_processes_that_do_not_exit_are_killed_together(start_staying, alive, deadline, latest):
    """They have one grace period, which does not pass the deadline."""
    processes, pids, poller = start_staying(3)
    stop_processes(processes, poller, deadline)
    assert poller.clock <= latest
    assert [pid for pid in pids if alive(pid)] == []


def test_an_interrupt_in_the_grace_period_kills_all(start_staying, alive, monkeypatch):
    processes, pids, poller = start_staying(2)
    monkeypatch.setattr(poller, "wait", mock.Mock(side_effect=KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        stop_processes(processes, poller, math.inf)
    assert [pid for pid in pids if alive(pid)] == []


@pytest.fixture
def surviving(start, monkeypatch):
    """A process that could not be killed, and its process id."""
    process = start(STAYS)
    (line,) = lines(process, 1)
    pid = int(line)
    with monkeypatch.context() as without_permission:
        without_permission.setattr("urlharness.sessions.process._SPARED_GRACE", 0.01)
        without_permission.setattr(
            "urlharness.sessions.process.os.killpg", mock.Mock(side_effect=PermissionError)
        )
        process.kill()
    yield process, pid
    if process._survivor is not None:
        process._survivor.kill()
        process._survivor.wait(600)


def test_a_process_that_cannot_be_killed_is_not_waited_for(surviving, alive):
    process, pid = surviving
    assert not process.running
    assert alive(pid, patience=0)


def test_a_process_that_could_not_be_killed_is_not_started_again_while_it_runs(surviving, monkeypatch):
    """Every start would leave one more."""
    process, pid = surviving
    monkeypatch.setattr("urlharness.sessions.process._LATE_GRACE", 0.01)
    with pytest.raises(AdapterDead, match=f"process {pid} could not be killed"):
        process.start()


def test_a_process_that_could_not_be_killed_is_started_again_after_its_end(surviving):
    process, pid = surviving
    os.kill(pid, signal.SIGKILL)
    process._survivor.wait(600)
    process.start()
    assert process.running


def test_a_killed_process_that_ends_late_is_waited_for_at_the_next_start(start, monkeypatch):
    """A machine with more to do than it has cores may end a killed process only after a second."""
    process = start(STAYS)
    (line,) = lines(process, 1)
    with monkeypatch.context() as busy:
        busy.setattr("urlharness.sessions.process._KILLED_GRACE", 0.01)
        busy.setattr("urlharness.sessions.process.os.killpg", mock.Mock())
        process.kill()
    survivor = process._survivor
    wait = survivor.wait

    def end_and_wait(timeout):
        os.kill(int(line), signal.SIGKILL)
        return wait(timeout)

    monkeypatch.setattr(survivor, "wait", end_and_wait)
    process.start()
    assert process.running


def test_a_process_can_be_started_again(start):
    process = start("print('hi'); input()")
    assert lines(process, 1) == [b"hi"]
    process.write(b"for the first one")
    process.kill()
    process.start()
    assert not process.unsent
    assert lines(process, 1) == [b"hi"]


def test_one_poller_serves_many_processes(python):
    poller = Poller()
    processes = [Process([*python, "-c", f"print({n}); input()"], poller) for n in range(3)]
    read_lines = []
    for process in processes:
        process.start()
    deadline = time.monotonic() + 600
    while len(read_lines) < 3 and time.monotonic() < deadline:
        poller.wait(0.1)
        for process in processes:
            read_lines += process.pump()
    for process in processes:
        process.kill()
    assert sorted(read_lines) == [b"0", b"1", b"2"]


def test_a_killed_process_leaves_nothing_to_the_poller(python):
    poller = Poller()
    process = Process([*python, "-c", "input()"], poller)
    process.start()
    process.kill()
    poller.wait(0)
    assert poller.ready == set()


def test_the_environment_is_that_of_paths_and_locale(start, monkeypatch):
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("SECRET_TOKEN", "x")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    process = start("import os; print(*os.environ)")
    names = set(lines(process, 1)[0].decode().split())
    assert {"PATH", "LC_ALL"} <= names
    assert {"SECRET_TOKEN", "JAVA_HOME", "PYTEST_CURRENT_TEST"}.isdisjoint(names)


#: Variables of the dynamic linker and of the interpreter.
INTERPRETER = ["LD_LIBRARY_PATH", "LD_PRELOAD", "DYLD_LIBRARY_PATH", "PYTHONPATH", "PYTHONPLATLIBDIR"]


@pytest.mark.parametrize("name", INTERPRETER)
def test_only_the_interpreter_of_this_process_gets_what_it_needs_to_start(monkeypatch, name):
    monkeypatch.setenv(name, "x")
    assert name in program_environment(interpreter=True)
    assert name not in program_environment()


@pytest.mark.parametrize("interpreter", [False, True], ids=["program", "interpreter"])
@pytest.mark.parametrize("name", ["SECRET_TOKEN", "VIRTUAL_ENV"])
def test_a_variable_that_no_program_needs_is_not_in_its_environment(monkeypatch, name, interpreter):
    monkeypatch.setenv(name, "x")
    assert name not in program_environment(interpreter=interpreter)


def test_a_recording_has_both_directions_and_the_exit_status(python):
    recording = Recording()
    process = Process(
        [*python, "-c", "print(input()); print('no end', end='', flush=True); raise SystemExit(3)"],
        Poller(),
        recording=recording,
    )
    process.start()
    process.write(b"hello\n")
    assert end(process).detail == "exit code 3"
    process.kill()
    assert recording.status == 3
    assert recording.lines() == [
        WireLine("->", b"hello"),
        WireLine("<-", b"hello"),
        WireLine("<-", b"no end", complete=False),
    ]


def test_a_recorded_process_that_is_killed_has_no_exit_status(python):
    recording = Recording()
    process = Process([*python, "-c", "input()"], Poller(), recording=recording)
    process.start()
    process.kill()
    assert recording.status is None
    assert recording.lines() == []


def test_a_start_error_names_the_program_and_the_reason(tmp_path):
    command = [str(tmp_path / "nosuch"), "-x"]
    with pytest.raises(AdapterDead) as raised:
        Process(command, Poller()).start()
    assert str(raised.value) == f"{command[0]}: no such file or directory"


@pytest.mark.parametrize(
    ("stderr", "tail"),
    [
        pytest.param("one\ntwo\n", "one\ntwo\n", id="short"),
        pytest.param(
            "".join(f"{n}\n" for n in range(30)), "".join(f"{n}\n" for n in range(10, 30)), id="lines"
        ),
        pytest.param("é" * 9999 + "\n", "é" * 2047 + "\n", id="bytes"),
        pytest.param("\r".join("abc"), "a\rb\rc", id="carriage-returns"),
    ],
)
def test_the_tail_of_stderr_is_20_lines_of_at_most_4096_bytes(stderr, tail):
    assert stderr_tail(stderr) == tail


@pytest.mark.parametrize(
    ("stderr", "line"),
    [
        pytest.param("Traceback:\n  File x\nValueError: no\n", "ValueError: no", id="python"),
        pytest.param(
            "Error: Cannot find package 'x'\n    at f (error.js:1)\n\nNode.js v20\n",
            "Error: Cannot find package 'x'",
            id="node",
        ),
        pytest.param("panic: nil map\n\ngoroutine 1 [running]:\nexit status 2\n", "panic: nil map", id="go"),
        pytest.param("one\n\ttwo\r\n\n", "two", id="last-line"),
        pytest.param(" \n", "", id="blank"),
    ],
)
def test_the_error_line_is_found_in_stderr(stderr, line):
    assert error_line(stderr) == line
