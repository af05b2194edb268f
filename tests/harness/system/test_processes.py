"""Workers: their answers in order, their exceptions, and their end."""

from __future__ import annotations

import operator
import os
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from urlharness.system.processes import PythonWorker, WorkerEnded, python_command


@pytest.fixture
def worker(request: pytest.FixtureRequest) -> Iterator[PythonWorker]:
    """A worker of the function that a test names; it multiplies by default."""
    started = PythonWorker(getattr(request, "param", operator.mul))
    yield started
    started.close()


def test_answers_come_in_the_order_of_the_calls(worker):
    calls = [worker.ask("a", number) for number in (1, 2, 3)]
    assert [worker.wait_for_answer(call) for call in calls] == ["a", "aa", "aaa"]


def test_an_answer_comes_after_answers_that_nobody_took(worker):
    worker.ask("a", 1)
    worker.ask({}, 1)  # raises in the worker
    assert worker.wait_for_answer(worker.ask("b", 2)) == "bb"


def test_an_exception_of_the_function_is_raised_here(worker):
    failing = worker.ask({}, 1)
    later = worker.ask("a", 1)
    with pytest.raises(TypeError, match="unsupported operand"):
        worker.wait_for_answer(failing)
    assert worker.wait_for_answer(later) == "a"


@pytest.mark.parametrize("worker", [os._exit], indirect=True)
def test_a_worker_that_ends_is_an_error(worker):
    with pytest.raises(WorkerEnded):
        worker.wait_for_answer(worker.ask(1))
    with pytest.raises(WorkerEnded):  # the first call after the end may still find a connection
        worker.wait_for_answer(worker.ask(1))


@pytest.mark.parametrize("worker", [time.sleep], indirect=True)
def test_a_busy_worker_is_closed(worker, alive):
    worker.ask(60)
    worker.close()
    assert not alive(worker._process.pid, 0.0)


@pytest.mark.parametrize(
    "name", ["os", "io", "signal", "queue", "multiprocessing", "urlharness", "sitecustomize"]
)
def test_a_python_process_imports_nothing_of_the_current_folder(tmp_path, name):
    (tmp_path / f"{name}.py").write_text("raise SystemExit('planted')", "ascii")
    command = python_command("import os, io, signal, queue, multiprocessing, urlharness")
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.returncode == 0


def test_a_python_process_imports_from_the_module_path_of_this_one(monkeypatch, tmp_path):
    (tmp_path / "planted_module.py").write_text("", "ascii")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    command = python_command("import planted_module")
    assert subprocess.run(command, check=False).returncode == 0
