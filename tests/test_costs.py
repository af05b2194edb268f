"""The costs of commands in the benchmarks: a command that fails ends them, and a limit can be missed."""

import importlib.util
import sys
from pathlib import Path

import pytest


@pytest.fixture
def bench(monkeypatch):
    """Return a function that imports a module of the benchmarks, which are not a package."""

    def load(name):
        path = Path(__file__).parent / "bench" / f"{name}.py"
        module_spec = importlib.util.spec_from_file_location(name, path)
        module = importlib.util.module_from_spec(module_spec)
        monkeypatch.setitem(sys.modules, name, module)
        module_spec.loader.exec_module(module)
        return module

    return load


FAILING = """
import sys

print("no licence", file=sys.stderr)
sys.exit({code})
"""


@pytest.mark.parametrize("code", [1, 3])
def test_a_command_that_fails_ends_the_bench_with_its_exit_code_and_message(bench, code):
    failing = [sys.executable, "-c", FAILING.format(code=code)]
    with pytest.raises(SystemExit, match=rf"exit code {code}\nno licence"):
        bench("costs").spent(failing)


def test_the_bench_returns_what_a_command_prints(bench):
    assert bench("costs").run([sys.executable, "-c", "print(1)"]).stdout == "1\n"


@pytest.mark.parametrize(("limit", "met"), [(180.0, True), (181.0, False)])
def test_the_goal_of_validate_is_a_cost_of_at_most_1_8_times_that_of_python(bench, limit, met):
    costs = bench("costs")
    commands = {" ".join(("urlconform", *costs.VALIDATE)): limit, costs.PEER: 100.0}
    judged = bench("goals").judge({"tables": [], "commands": commands})
    assert [(judgement.goal, judgement.met) for judgement in judged] == [("at most 1.8", met)]
