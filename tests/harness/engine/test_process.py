"""A child process: its lines, its end, its environment, and the last of its stderr."""

from __future__ import annotations

import time

import pytest

from urlharness.engine.process import Poller, Process, ProcessFailure
from urlharness.limits import environment
from urlharness.text import excerpt


@pytest.fixture
def start(python, monkeypatch):
    """Starts a Python script; what still runs is ended with the test."""
    monkeypatch.setattr("urlharness.engine.process._GRACE", 30.0)
    started = []

    def run(code: str) -> Process:
        process = Process([*python, "-c", code], Poller())
        process.start()
        started.append(process)
        return process

    yield run
    for process in started:
        process.kill()


def turns(process: Process):
    """The lines of each turn, with a wait before it; a test that hangs is ended."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        process.flush()
        process._poller.wait(process.poll_interval)
        yield process.pump()
    pytest.fail("nothing happens")


def lines(process: Process, count: int) -> list[bytes]:
    found: list[bytes] = []
    for some in turns(process):
        found += some
        if len(found) >= count:
            break
    return found


def end(process: Process) -> ProcessFailure:
    with pytest.raises(ProcessFailure) as failure:
        lines(process, 10**6)
    return failure.value


def test_lines_are_whole_however_they_come(start):
    process = start(
        "import os, time\nfor part in (b'on', b'e\\ntw', b'o\\n\\nthree\\n'):\n os.write(1, part)"
    )
    assert lines(process, 3) == [b"one", b"two", b"three"]


def test_writing_never_blocks(start):
    """More than any pipe holds is queued, and written while lines are read."""
    process = start("import os\nwhile bytes := os.read(0, 1 << 16): os.write(1, bytes)")
    sent = [b"%06d" % number * 50 for number in range(5000)]
    process.write(b"\n".join(sent) + b"\n")
    assert lines(process, len(sent)) == sent
    assert process.unsent == 0


def test_what_is_not_read_stays_queued(start):
    process = start("import time; print('ready', flush=True); time.sleep(60)")
    process.write(b"x" * 10**6)
    assert lines(process, 1) == [b"ready"]
    assert 10**6 - 2**20 < process.unsent < 10**6


def test_input_ends_behind_the_last_words(start):
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
            "import os; os.fork() or os.execvp('sleep', ['sleep', '20'])", "no-answer", "", 0, id="held-open"
        ),
    ],
)
def test_the_end_is_told(start, code, outcome, detail, status):
    failure = end(start(code))
    assert (failure.outcome, failure.status) == (outcome, status)
    assert detail in failure.detail


def test_who_closed_its_output_is_not_waited_for(start, monkeypatch):
    """It can never answer."""
    monkeypatch.setattr("urlharness.engine.process._CLOSED_GRACE", 0.05)
    failure = end(start("import os, time; os.close(1); time.sleep(600)"))
    assert (failure.outcome, failure.detail) == ("no-answer", "it closed its output and went on")


@pytest.mark.parametrize(("parting", "last"), [(30.0, False), (0.0, True)], ids=["soon", "last-words"])
def test_how_it_ends_behind_its_output_is_told(start, monkeypatch, parting, last):
    """A program that ends a moment later, and one that was told to end: its exit code may be its answer."""
    monkeypatch.setattr("urlharness.engine.process._CLOSED_GRACE", parting)
    process = start("import os, time; os.close(1); time.sleep(0.3); os._exit(3)")
    process.write(b"", last=last)
    assert end(process).detail == "exit code 3"


def test_lines_before_the_end_are_read(start):
    """Even where it is found to have ended before anybody waited for them."""
    process = start("import os\nprint('last words', flush=True)\nif os.fork(): os._exit(1)\ninput()")
    process._popen.wait(60)
    assert process.pump() == [b"last words"]
    assert end(process).detail == "exit code 1"


def test_only_the_end_of_stderr_is_kept(start):
    process = start("import sys; sys.stderr.write('a' * 200_000 + 'z'); print('now', flush=True); input()")
    assert lines(process, 1) == [b"now"]
    assert process.kill() == "a" * 65_535 + "z"
    assert not process.running


def test_endless_stderr_keeps_nobody_waiting(start, monkeypatch):
    """However fast it comes, it is read once in a turn."""
    process = start("input()")
    reads = []

    def read(number: int, _size: int) -> bytes:
        reads.append(number)
        assert len(reads) < 9, "it reads on and on"
        return b"e"

    process._poller.ready = {process._stderr}
    monkeypatch.setattr("urlharness.engine.process.os.read", read)
    assert process.pump() == []
    monkeypatch.undo()
    assert len(reads) == 1


@pytest.mark.parametrize("parting", ["", "sys.stderr.write('e' * 300_000); sys.stdout.write('o' * 300_000);"])
def test_stop_lets_it_end_by_itself(start, tmp_path, parting):
    """Even where it has more to say than its pipes hold."""
    marker = tmp_path / "ended"
    process = start(f"import sys; sys.stdin.read(); {parting} open({str(marker)!r}, 'w').close()")
    process.stop()
    assert marker.exists()
    assert not process.running


def test_it_can_be_started_again(start):
    process = start("print('hi'); input()")
    assert lines(process, 1) == [b"hi"]
    process.write(b"for the first one")
    process.kill()
    process.start()
    assert process.unsent == 0
    assert lines(process, 1) == [b"hi"]


def test_a_watch_may_have_many_processes(python):
    watch = Poller()
    processes = [Process([*python, "-c", f"print({n}); input()"], watch) for n in range(3)]
    found = []
    for process in processes:
        process.start()
    deadline = time.monotonic() + 60
    while len(found) < 3 and time.monotonic() < deadline:
        watch.wait(0.1)
        for process in processes:
            found += process.pump()
    for process in processes:
        process.kill()
    assert sorted(found) == [b"0", b"1", b"2"]
    watch.wait(0)
    assert watch.ready == set()


def test_the_environment_is_that_of_paths_and_locale(start, monkeypatch):
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("SECRET_TOKEN", "x")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    assert environment().get("LC_ALL") == "C.UTF-8"
    process = start("import os; print(*os.environ)")
    names = set(lines(process, 1)[0].decode().split())
    assert {"PATH", "LC_ALL"} <= names
    assert not {"SECRET_TOKEN", "JAVA_HOME", "PYTEST_CURRENT_TEST"} & names


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        (b"", "''"),
        (b"a\xff", "'a\ufffd'"),
        (b"\x1b[31m", "'\\x1b[31m'"),
        (b"x" * 81, "'" + "x" * 80 + "'..."),
    ],
)
def test_excerpt(line, shown):
    assert excerpt(line) == shown
