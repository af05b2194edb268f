"""Adapters that are Python functions, in a real process: Ctrl-C, what they print, and their tracebacks."""

from __future__ import annotations

import re
import signal
import subprocess
import sys

import pytest

from urlharness.exitcodes import Exit
from urlharness.results.model import read_results

from .stopping import wait_until

CASE = "rfc3986-5.4.2-ex-01"
#: The options of a quick run: the section of that case.
SECTION = ("--spec", "rfc3986", "--section", "5.4.2")
#: A program that asks a function, which leaves a file and hangs. The function catches what is an Exception.
ASKING_PROGRAM = """
import time
from pathlib import Path
from urlharness import run

def function(question):
    try:
        Path("asked").touch()
        time.sleep(60)
    except Exception:
        pass
    return {"status": "ok"}

run(function, spec="rfc1808", results="r.jsonl")
"""


def test_ctrl_c_ends_a_run_of_a_function(environment, tmp_path):
    """The caller gets a KeyboardInterrupt, and the results file is complete."""
    (tmp_path / "asks.py").write_text(ASKING_PROGRAM, "utf-8")
    child = subprocess.Popen(
        [sys.executable, "asks.py"],
        cwd=tmp_path,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509 - one thread
    )
    wait_until(lambda: (tmp_path / "asked").exists() or child.poll() is not None)
    assert child.poll() is None
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=600)
    assert err.splitlines()[-1] == "KeyboardInterrupt"
    assert child.returncode == -signal.SIGINT
    assert read_results(tmp_path / "r.jsonl").interrupted


#: A function that prints in each of the ways there are: at import, in an answer, by a process, and at exit.
PRINTING = """
import atexit, os, subprocess
print("imported", end="", flush=True)
atexit.register(print, "goodbye", end="")

def answer(question):
    print("printed", end="")
    os.write(1, b"written")
    subprocess.run(["echo", "echoed"])
    return {"status": "unsupported"}
"""


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        pytest.param(
            ("run", "python:printing:answer", *SECTION, "--report", "junit=/dev/stdout"),
            "</testsuites>",
            id="run-with-a-report-on-stdout",
        ),
        pytest.param(("repro", CASE, "-a", "python:printing:answer"), CASE, id="repro"),
    ],
)
def test_what_an_adapter_prints_is_not_in_the_output(urlconform_process, tmp_path, arguments, expected):
    (tmp_path / "printing.py").write_text(PRINTING, encoding="utf-8")
    done = urlconform_process(*arguments)
    words = ("imported", "printed", "written", "echoed", "goodbye")
    assert [word for word in words if word in done.stdout + done.stderr] == []
    assert expected in done.stdout


def test_repro_shows_what_a_crashed_function_printed(urlconform_process, tmp_path):
    text = PRINTING.replace("    return", "    print(flush=True)\n    os._exit(7)\n    return")
    (tmp_path / "printing.py").write_text(text, encoding="utf-8")
    done = urlconform_process("repro", CASE, "-a", "python:printing:answer")
    assert "crash exit code 7" in done.stdout
    assert "| importedwrittenechoed\n" in done.stdout
    assert done.returncode == Exit.FAILED


@pytest.fixture(params=["python:boom:f", f"jsonl:{sys.executable} boom.py"], ids=["function", "program"])
def adapter_of_failing_module(request, tmp_path) -> str:
    """An adapter whose module raises an exception when it is loaded."""
    (tmp_path / "boom.py").write_text("import sys\nraise ValueError('no good')\n", "utf-8")
    return request.param


def test_repro_shows_the_traceback_of_a_module_that_does_not_load(
    urlconform_process, adapter_of_failing_module
):
    """It begins at the first line of the module."""
    done = urlconform_process("repro", CASE, "-a", adapter_of_failing_module)
    rows = re.findall(r"^(?:stderr|) +\| (.*)$", done.stdout, re.MULTILINE)
    start = rows.index("Traceback (most recent call last):")
    assert 'boom.py"' in rows[start + 1]
    assert rows[-1].endswith("ValueError: no good")
    assert "importlib" not in done.stdout


def test_repro_of_a_module_that_does_not_load_says_the_reason(urlconform_process, adapter_of_failing_module):
    done = urlconform_process("repro", CASE, "-a", adapter_of_failing_module)
    assert "ValueError: no good" in done.stderr
    assert done.returncode == Exit.ADAPTER_DEAD


#: A module that cannot be imported without the variables; its answers have nothing to do with them.
NEEDS_VARIABLES = """
import os

MISSING = [name for name in ("LD_LIBRARY_PATH", "PYTHONPATH") if name not in os.environ]
if MISSING:
    raise OSError(f"cannot open shared object file without {MISSING}")

def answer(question):
    return {"status": "unsupported", "message": " ".join(sorted(os.environ))}
"""


@pytest.fixture
def run_where_variables_are_needed(urlconform_process, tmp_path):
    """Return a function that runs the command beside the module, with the variables."""
    (tmp_path / "needs.py").write_text(NEEDS_VARIABLES, "utf-8")
    variables = {"LD_LIBRARY_PATH": str(tmp_path), "PYTHONPATH": str(tmp_path)}
    return lambda *arguments: urlconform_process(*arguments, env=variables)


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(("run", "python:needs:answer", *SECTION), id="run"),
        pytest.param(("run", "python:needs:answer", *SECTION, "--jobs", "2"), id="jobs"),
        pytest.param(("repro", CASE, "-a", "python:needs:answer"), id="repro"),
        pytest.param(("adapters", "doctor", "python:needs:answer", "--check", "hello"), id="doctor"),
    ],
)
def test_the_process_of_a_function_has_what_the_interpreter_needs(run_where_variables_are_needed, arguments):
    """A module that a plain import loads is loaded in the process, too."""
    done = run_where_variables_are_needed(*arguments)
    assert "cannot open shared object file" not in done.stdout + done.stderr
    assert done.returncode != Exit.ADAPTER_DEAD


def test_a_program_gets_no_variables_of_the_interpreter(run_where_variables_are_needed):
    done = run_where_variables_are_needed("repro", CASE, "-a", f"jsonl:{sys.executable} needs.py")
    assert "cannot open shared object file" in done.stdout + done.stderr
