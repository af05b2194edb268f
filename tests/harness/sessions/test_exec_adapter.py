"""An `exec:` adapter: exit codes, output, timeouts, and processes beside each other."""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path

import msgspec
import pytest

from urlharness.adapters.registry import find
from urlharness.protocol.failures import Abnormal, AdapterDead
from urlharness.protocol.limits import Limits
from urlharness.protocol.messages import Reply
from urlharness.sessions.client import open_client

from .test_client import LIMITS, QUESTION, ask


@pytest.fixture
def program(tmp_path: Path, python):
    """Return a function that writes a Python program and returns its `exec:` adapter."""

    def write(code: str):
        path = tmp_path / "case.py"
        path.write_text(f"import json, os, sys, time\n{code}\n", "utf-8")
        return find(f"exec:{' '.join(python)} {path}")

    return write


#: The code of a program, and its answer.
PROGRAMS = [
    pytest.param("pass", Reply(0, "ok"), id="exit-0"),
    pytest.param('print(\'{"url": "x:y"}\')', Reply(0, "ok", url="x:y"), id="with-an-answer"),
    pytest.param('print(\'{"status": "reject"}\')', Reply(0, "reject"), id="the-answer-says-no"),
    pytest.param(
        "print(json.dumps({'url': json.load(sys.stdin)['url']}))", Reply(0, "ok", url="a:b"), id="stdin"
    ),
    pytest.param("sys.exit('bad port')", Reply(0, "reject", "bad port"), id="exit-1-with-a-reason"),
    pytest.param("sys.exit(1)", Reply(0, "reject"), id="exit-1"),
    pytest.param("sys.exit(3)", Reply(0, "unsupported"), id="exit-3"),
]
#: The code of a program, and the outcome with the beginning of its detail.
ABNORMAL = [
    pytest.param("sys.exit(2)", Abnormal("crash", "exit code 2"), id="exit-2"),
    pytest.param("os.kill(os.getpid(), 11)", Abnormal("crash", "killed by SIGSEGV"), id="signal"),
    pytest.param("print('fine')", Abnormal("garbage", "not an answer"), id="no-json"),
    pytest.param("print('[1]')", Abnormal("garbage", "not an answer"), id="no-object"),
    pytest.param('print(\'{"status": "maybe"}\')', Abnormal("garbage", "not an answer"), id="unknown-status"),
    pytest.param('os.write(1, b\'{"url": "\\xff"}\')', Abnormal("garbage", "not an answer"), id="not-utf-8"),
]


@pytest.mark.parametrize(("code", "expected"), PROGRAMS)
def test_exit_code_and_output_are_the_answer(program, code, expected):
    assert ask(program(code)) == expected


@pytest.mark.parametrize(("code", "expected"), ABNORMAL)
def test_a_program_without_an_answer_has_an_abnormal_outcome(program, code, expected):
    reply = ask(program(code))
    assert reply.outcome == expected.outcome
    assert reply.detail.startswith(expected.detail)


@pytest.mark.parametrize(
    ("output", "begin", "end"),
    [
        pytest.param(b"fine", "not an answer: JSON is malformed: ", ": 'fine'", id="no-json"),
        pytest.param(
            b'{"status": "maybe"}', 'not an answer: status is "maybe", expected one of', "}'", id="value"
        ),
        pytest.param(
            b'{"url": 1}', "not an answer: url is 1, expected a string", "'{\"url\": 1}'", id="type"
        ),
        pytest.param(b"x" * 999, "not an answer: JSON is malformed: ", f": '{'x' * 80}'...", id="long"),
    ],
)
def test_an_invalid_output_is_shown(program, output, begin, end):
    detail = ask(program(f"os.write(1, {output!r} + b'\\n')")).detail
    assert detail.startswith(begin)
    assert detail.endswith(end)


#: A child that holds stdout open, in the process group of the program or in its own.
FORK = """
child = os.fork()
if child == 0:
    {leave}
    time.sleep(20)
    os._exit(0)
with open({path!r}, "w") as file:
    file.write(str(child))
{then}
"""


@pytest.fixture
def time_out(program, tmp_path):
    """Return a function that asks a program that does not answer, and returns the process id of its child."""
    path = tmp_path / "pid"

    def ask_until_forked(leave):
        adapter = program(FORK.format(leave=leave, path=str(path), then="time.sleep(60)"))
        for seconds in (0.2, 1, 30, 600):  # on a busy machine it may take longer to start
            assert ask(adapter, Limits(case=seconds)).outcome == "timeout"
            if path.exists() and path.read_text("ascii"):
                break
        return int(path.read_text("ascii"))

    return ask_until_forked


def test_a_timeout_kills_the_process_group(time_out, alive):
    assert not alive(time_out("pass"))


def test_a_timeout_does_not_wait_for_a_child_in_its_own_group(time_out, alive):
    """It holds stdout open, and is in no group that could be killed."""
    child = time_out("os.setsid()")
    assert alive(child, patience=0)
    os.kill(child, signal.SIGKILL)


@pytest.mark.parametrize("leave", ["pass", "os.setsid()"], ids=["same-group", "own-group"])
def test_an_exit_is_an_answer_even_if_a_child_holds_stdout_open(program, tmp_path, leave):
    path = tmp_path / "pid"
    then = "print('{\"url\":', flush=True)\nprint('\"x:y\"}', flush=True)\nos._exit(0)"
    assert ask(program(FORK.format(leave=leave, path=str(path), then=then))) == Reply(0, "ok", url="x:y")
    with contextlib.suppress(ProcessLookupError):  # with its group it may have been killed
        os.kill(int(path.read_text("ascii")), signal.SIGKILL)


@pytest.mark.parametrize("repeated", [b"xx", b"x\n"], ids=["one-line", "many-lines"])
def test_endless_output_is_garbage(program, repeated):
    reply = ask(program(f"while True: os.write(1, {repeated!r} * 32768)"))
    assert reply.outcome == "garbage"
    assert "more than 1048576 bytes" in reply.detail


@pytest.mark.sampled(2)
@pytest.mark.parametrize("jobs", [1, 5])
def test_results_come_in_order_from_any_number_of_processes(program, jobs):
    """The exit code is the last character of the URL."""
    adapter = program("sys.exit(int(json.load(sys.stdin)['url'][-1]))")
    questions = [msgspec.structs.replace(QUESTION, url=f"a:{number % 4}") for number in range(8)]
    client = open_client(adapter, LIMITS._replace(jobs=jobs), "tests")
    results = [reply for _, reply in client.ask(questions)]
    client.close()
    kinds = [reply.outcome if isinstance(reply, Abnormal) else reply.status for reply in results]
    assert kinds == ["ok", "reject", "crash", "unsupported"] * 2


def test_a_crash_has_the_end_of_stderr(program):
    reply = ask(program("os.write(2, b'x' * 9999 + b'the end'); sys.exit(9)"))
    assert reply.stderr.endswith("xthe end")
    assert len(reply.stderr) == 4096  # the most bytes of it that a failure has


def test_a_rejection_has_the_error_line_of_stderr(program):
    reply = ask(program("sys.stderr.write('TypeError: Invalid\\n    in <a:1>\\n'); sys.exit(1)"))
    assert reply == Reply(0, "reject", "TypeError: Invalid")


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(
            'Traceback (most recent call last):\n  File "a.py", line 1, in f\nKeyError: 1', id="python"
        ),
        pytest.param("TypeError: Invalid\n    at f (a.js:1:2)", id="node"),
        pytest.param('Exception in thread "main" E\n\tat A.f(A.java:1)', id="java"),
        pytest.param("a.rb:1:in 'f': no (E)\n\tfrom a.rb:2:in '<main>'", id="ruby"),
        pytest.param("PHP Fatal error:  Uncaught E in a.php:1", id="php"),
    ],
)
def test_a_stack_trace_makes_exit_code_1_a_crash(program, lines):
    reply = ask(program(f"sys.stderr.write({lines!r}); sys.exit(1)"))
    assert reply.outcome == "crash"
    assert reply.detail == "exit code 1 with a stack trace"
    assert reply.stderr == lines


def test_a_program_gets_the_question_without_an_id(program, tmp_path):
    log = tmp_path / "log"
    reply = ask(program(f"open({str(log)!r}, 'w').write(' '.join(sorted(json.load(sys.stdin))))"))
    assert log.read_text("ascii") == "op rule spec type url"
    assert reply.status == "ok"


def test_a_program_gets_a_clean_environment(program, tmp_path, monkeypatch):
    monkeypatch.setenv("SECRET_TOKEN", "x")
    log = tmp_path / "log"
    assert ask(program(f"open({str(log)!r}, 'w').write(' '.join(os.environ))")).status == "ok"
    names = log.read_text("utf-8").split()
    assert "PATH" in names
    assert "SECRET_TOKEN" not in names


@pytest.mark.parametrize(
    "command", ["no-such-program", "/", "./nothing here"], ids=["name", "folder", "path-with-a-blank"]
)
def test_a_missing_program_is_dead(command):
    with pytest.raises(AdapterDead, match=": no such program"):
        open_client(find(f"exec:{command}"), LIMITS, "tests")


def test_the_program_runs_in_the_folder_of_its_configuration(tmp_path, monkeypatch):
    program = tmp_path / "refuses_with_its_folder.sh"
    program.write_text("#!/bin/sh\npwd >&2; exit 1\n", "ascii")
    program.chmod(0o755)
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    assert ask(find(f"exec:./{program.name}", tmp_path)).message == str(tmp_path)
