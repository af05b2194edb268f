"""However a run ends, its file has whole lines, can be read, and says what is missing."""

from __future__ import annotations

import fcntl
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from urlharness.cli.errors import exit_code_of
from urlharness.results.coverage import missing
from urlharness.results.model import read_results

SELECTION = ("--spec", "rfc3986", "--section", "5")

#: Answers some questions, then says so in a file and nothing more.
STOPPING = """
import json, sys, time
from pathlib import Path
HELLO = {"type": "hello", "protocol": 1, "implementation": {"name": "x", "version": "1"},
         "ops": ["resolve"], "specs": []}
asked = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps(HELLO), flush=True)
    elif message["type"] == "run":
        asked += 1
        if asked > 20:
            Path(sys.argv[1]).touch()
            time.sleep(60)
        print(json.dumps({"id": message["id"], "status": "unsupported"}), flush=True)
"""


def until(met, seconds=30.0):
    """Wait for a condition."""
    deadline = time.monotonic() + seconds
    while not met():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


@pytest.fixture
def stopped(program, environment, tmp_path):
    """Starts a run that hangs after twenty answers, ends it by a signal, and gives code, stderr and file."""
    adapter, reached, results = tmp_path / "stopping.py", tmp_path / "reached", tmp_path / "r.jsonl"
    adapter.write_text(STOPPING, encoding="utf-8")

    def end(number: int, *more: str) -> tuple[int, str, Path]:
        line = [program, "run", f"jsonl:{sys.executable} {adapter} {reached}", *SELECTION]
        with subprocess.Popen(
            [*line, "--timeout", "60", "--report", f"json={results}", *more],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
            start_new_session=True,
        ) as child:
            try:
                until(reached.exists)
                until(lambda: results.read_bytes().count(b'{"type":"case"') >= 20)
                child.send_signal(number)
                _, err = child.communicate(timeout=30)
            finally:
                child.kill()
        return child.returncode, err, results

    return end


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupted(stopped, urlconform, number):
    """The file is closed with a footer that says so, and fits; the code is 130."""
    code, err, path = stopped(number)
    assert (code, "interrupted; what was settled" in err) == (130, True)
    results = read_results(path)
    (name,) = results.results
    asked = len(results.vectors)
    settled = f"{name}: {len(results.of(name))} of {asked} vectors have an outcome."
    assert (results.complete, results.interrupted, len(results.of(name)) >= 20) == (False, True, True)
    done = urlconform("report", str(path))
    assert done.returncode == 0
    assert "The run was interrupted" in done.stdout
    assert settled in done.stdout
    assert "no footer" not in done.stdout


def test_an_interrupted_run_decides_nothing(stopped, tmp_path):
    """Nothing had failed so far: no report may say that the gate is passed."""
    reports = {form: tmp_path / form for form in ("markdown", "github")}
    code, *_ = stopped(signal.SIGINT, *(f"--report={form}={path}" for form, path in reports.items()))
    assert code == 130
    for path in reports.values():
        text = path.read_text("utf-8")
        assert "the run was interrupted, and nothing was decided" in text
        assert "passed the gate" not in text
        assert "the gate is passed" not in text
        assert "✅" not in text


def test_killed(stopped, urlconform):
    """Nobody could write a footer: all that was settled is there, and the report says that it is cut."""
    code, _, path = stopped(signal.SIGKILL)
    assert code == -signal.SIGKILL
    results = read_results(path)
    (name,) = results.results
    asked, settled = len(results.vectors), len(results.of(name))
    assert (results.complete, results.interrupted, 20 <= settled < asked) == (False, False, True)
    done = urlconform("report", str(path))
    assert done.returncode == 0
    assert "The run was cut short" in done.stdout
    assert "The file has no footer: the run was killed, or is still running." in done.stdout
    assert f"{name}: {settled} of {asked} vectors have an outcome." in done.stdout


def test_a_torn_line_is_told(stopped, urlconform):
    """What was in the middle of being written is left out, and the line is named."""
    *_, path = stopped(signal.SIGKILL)
    (settled,) = map(len, read_results(path).results.values())
    lines = path.read_bytes().count(b"\n")
    path.write_bytes(path.read_bytes()[:-5])
    done = urlconform("report", str(path))
    assert f"The file ends in the middle of line {lines:,}." in done.stdout
    assert f": {settled - 1} of " in done.stdout


def test_cut_among_the_vectors(make_case, record, tmp_path):
    results = record([make_case("rfc3986-3.3-x")], end=False)
    assert missing(results)[-1] == "No adapter was asked, and the run may have more vectors than the file."


def test_full_device(urlconform):
    done = urlconform("run", "urllib", *SELECTION, "--report", "json=/dev/full")
    assert (done.returncode, done.stderr) == (2, "urlconform: /dev/full: No space left on device\n")


def test_two_runs_do_not_write_one_file(urlconform, tmp_path):
    """The second is refused while the first still writes, and leaves its file alone."""
    with (tmp_path / "r.jsonl").open("ab") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        stream.write(b"mine")
        stream.flush()
        done = urlconform("run", "urllib", *SELECTION, "--report", "json=r.jsonl")
        assert (done.returncode, done.stderr) == (6, "urlconform: r.jsonl: another run is writing it\n")
        assert (tmp_path / "r.jsonl").read_bytes() == b"mine"
    assert urlconform("run", "urllib", *SELECTION, "--report", "json=r.jsonl").returncode == 1
    assert read_results(tmp_path / "r.jsonl").complete


@pytest.mark.parametrize("size", [300, 20_000, 110_000], ids=["header", "vectors", "cases"])
def test_full_disk(program, environment, tmp_path, size):
    """A file that may not grow: one line that names it, no adapter left behind, what is there can be read."""
    line = [program, "run", "urllib", "--spec", "rfc3986", "--report", "json=r.jsonl"]
    done = subprocess.run(
        line,
        capture_output=True,
        text=True,
        env=environment,
        cwd=tmp_path,
        timeout=60,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
    )
    assert (done.returncode, done.stderr) == (2, "urlconform: r.jsonl: File too large\n")
    assert (tmp_path / "r.jsonl").stat().st_size == size
    if size > 300:
        assert not read_results(tmp_path / "r.jsonl").complete


def test_an_interrupt_that_python_has_wrapped():
    """Python 3.11 makes a RuntimeError of what comes while a class is made, in an import for one."""
    wrapped = RuntimeError("Error calling __set_name__")
    wrapped.__cause__ = KeyboardInterrupt()
    assert exit_code_of(wrapped) == 130
    with pytest.raises(RuntimeError):
        exit_code_of(RuntimeError("another"))
