"""A function object in the process of its caller: no call of exit ends that one, and Ctrl-C always does."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

from urlharness import run
from urlharness.adapters.registry import UnknownAdapter
from urlharness.results.model import read_results

pytestmark = pytest.mark.once

ONE = {"spec": "rfc1808", "section": "5.1", "words": "5.1-segment"}


class Exits:
    """Whatever is asked of it, it calls exit."""

    def __call__(self, *_):
        sys.exit(0)

    keys = __iter__ = __getitem__ = __str__ = __repr__ = __call__


class Text(Exception):
    """Its text calls exit."""

    __str__ = Exits.__call__


class Keys(dict):
    """Its keys call exit."""

    keys = __iter__ = Exits.__call__


class Property:
    """Its hello calls exit."""

    hello = property(Exits.__call__)
    __call__ = Exits.__call__


def raising(error):
    def function(question):
        raise error

    return function


def giving(answer, **hello):
    def function(question):
        return answer

    function.hello = hello
    return function


#: A function, the outcome of every case, and what is told of it.
FUNCTIONS = [
    pytest.param(raising(SystemExit(0)), "crash", "it called exit(0)", id="itself"),
    pytest.param(giving(Keys(status="ok")), "crash", "it called exit(0)", id="keys"),
    pytest.param(raising(SystemExit(Exits())), "crash", "it called exit", id="code"),
    pytest.param(raising(Text()), "error", "Text, whose text raises SystemExit", id="text"),
]


@pytest.mark.parametrize(("function", "outcome", "told"), FUNCTIONS)
def test_an_exit_is_an_outcome(function, outcome, told):
    for result in run(function, **ONE).outcomes.values():
        assert (result.outcome, result.detail or result.got["message"]) == (outcome, told)


#: A function whose hello calls exit.
HELLOS = [
    pytest.param(Property(), id="property"),
    pytest.param(giving({}, implementation={"name": Exits(), "version": "1"}), id="name"),
]


@pytest.mark.parametrize("function", HELLOS)
def test_a_hello_that_exits_is_none(function):
    with pytest.raises(UnknownAdapter, match=r"^the hello of a (Property|function): it called exit\(0\)$"):
        run(function, **ONE)


CTRL_C = """
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
    """Its caller is interrupted as by any code of its own, and the results are closed before."""
    (tmp_path / "asks.py").write_text(CTRL_C, "utf-8")
    child = subprocess.Popen(
        [sys.executable, "asks.py"], cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509 - one thread
    )  # fmt: skip
    deadline = time.monotonic() + 50
    while not (tmp_path / "asked").exists():
        assert child.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=50)
    assert (child.returncode, err.splitlines()[-1]) == (-signal.SIGINT, "KeyboardInterrupt")
    assert read_results(tmp_path / "r.jsonl").interrupted
