"""A child process: its lines, its end, its environment, and the last of its stderr."""

from __future__ import annotations

import pytest

from urlharness.process import Failure, Process, environment, excerpt


@pytest.fixture
def start(python):
    """Starts a Python script; what still runs is ended with the test."""
    started = []

    def run(code: str) -> Process:
        process = Process([*python, "-c", code])
        process.start()
        started.append(process)
        return process

    yield run
    for process in started:
        process.kill()


def lines(process: Process, count: int) -> list[bytes]:
    found: list[bytes] = []
    while len(found) < count:
        found += process.read_lines(20)
    return found


def test_lines_are_whole_however_they_come(start):
    process = start(
        "import os, time\nfor part in (b'on', b'e\\ntw', b'o\\n\\nthree\\n'):\n os.write(1, part)"
    )
    assert lines(process, 3) == [b"one", b"two", b"three"]


def test_lines_that_were_not_taken_come_first_the_next_time(start):
    process = start("import os; os.write(1, b'1\\n2\\n3\\n'); input()")
    assert next(process.read_lines(20)) == b"1"
    assert lines(process, 2) == [b"2", b"3"]


def test_writing_never_blocks(start):
    """More than any pipe holds is queued, and written while lines are read."""
    process = start("import os\nwhile octets := os.read(0, 1 << 16): os.write(1, octets)")
    sent = [b"%06d" % number * 50 for number in range(5000)]
    process.write(b"\n".join(sent) + b"\n")
    assert lines(process, len(sent)) == sent


@pytest.mark.parametrize(
    ("code", "outcome", "detail"),
    [
        pytest.param("import sys; sys.exit(2)", "crash", "exit code 2", id="exit"),
        pytest.param("import os; os.kill(os.getpid(), 15)", "crash", "killed by SIGTERM", id="signal"),
        pytest.param(
            "import os; os.kill(os.getpid(), 36)", "crash", "killed by signal 36", id="nameless-signal"
        ),
        pytest.param("print('half', end='')", "no-answer", "after 'half'", id="half-a-line"),
        pytest.param("pass", "no-answer", "it ended without an answer", id="nothing"),
    ],
)
def test_the_end_is_told(start, code, outcome, detail):
    with pytest.raises(Failure, match=detail) as failure:
        list(start(code).read_lines(20))
    assert failure.value.outcome == outcome


def test_lines_before_the_end_are_read(start):
    process = start("print('last words'); raise SystemExit(1)")
    assert lines(process, 1) == [b"last words"]
    with pytest.raises(Failure, match="exit code 1"):
        list(process.read_lines(20))


def test_only_the_end_of_stderr_is_kept(start):
    process = start("import sys; sys.stderr.write('a' * 100_000 + 'z'); print('now', flush=True); input()")
    assert lines(process, 1) == [b"now"]
    assert process.kill() == "a" * 4095 + "z"
    assert not process.running


def test_endless_stderr_keeps_nobody_waiting(start, monkeypatch):
    """However fast it comes, the time limit holds: between two looks at the clock it is read once."""
    process = start("input()")
    reads = []

    def wait(_seconds: float) -> set[int]:
        reads.clear()
        return {process._stderr}

    def read(number: int, _size: int) -> bytes:
        reads.append(number)
        assert len(reads) < 9, "it reads on and on"
        return b"e"

    monkeypatch.setattr(process, "_wait", wait)
    monkeypatch.setattr("urlharness.process.os.read", read)
    with pytest.raises(Failure, match="no answer within"):
        list(process.read_lines(0.05))
    monkeypatch.undo()


def test_stop_lets_it_end_by_itself(start, tmp_path):
    marker = tmp_path / "ended"
    process = start(f"import sys; sys.stdin.read(); open({str(marker)!r}, 'w').close()")
    process.stop()
    assert marker.exists()
    assert not process.running


def test_it_can_be_started_again(start):
    process = start("print('hi'); input()")
    assert lines(process, 1) == [b"hi"]
    process.kill()
    process.start()
    assert lines(process, 1) == [b"hi"]


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
