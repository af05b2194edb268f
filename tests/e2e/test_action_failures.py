"""The GitHub Action when a run fails or is cancelled: its message and its reports."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from urlharness.exitcodes import Exit

from .conftest import EXAMPLE
from .stopping import wait_until

ROOT = Path(__file__).parents[2]

#: A program in place of the command: it leaves a file when it begins, and writes its reports at SIGTERM.
LONG_RUN = """#!{python}
import os, signal, sys
from pathlib import Path
world = Path(os.environ["WORLD"])
def end(*_):
    for argument in sys.argv:
        name, _, file = argument.partition("=")
        if name in ("json", "markdown", "github"):
            Path(file).write_text(f"{{name}} of what was settled\\n")
    sys.exit(130)
signal.signal(signal.SIGTERM, end)
(world / "begun").touch()
signal.pause()
"""


#: The Python of an environment without pip, which makes only environments without pip.
WITHOUT_PIP = """#!/bin/sh
case $2 in venv) shift 2; set -- -m venv --without-pip "$@";; esac
exec {python} "$@"
"""


@pytest.fixture
def steps(workflow):
    """The shell steps of the action by their id."""
    action = workflow(".github/actions/gate/action.yml")
    return {step["id"]: step for step in action["runs"]["steps"] if "run" in step}


@pytest.fixture
def expression_values(workflow):
    """The values of the expressions in the action, with the defaults of the inputs."""
    inputs = workflow(".github/actions/gate/action.yml")["inputs"]
    return {f"inputs.{name}": entry.get("default", "") for name, entry in inputs.items()} | {
        "steps.install.outputs.program": "urlconform",
        "github.action_path": str(ROOT / ".github/actions/gate"),
    }


@pytest.mark.parametrize("sent_signal", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_a_cancelled_job_has_its_reports(runner, steps, expression_values, sent_signal):
    """Only the shell gets the signal, and passes it on to the command."""
    program = runner.world / "bin/urlconform"
    program.write_text(LONG_RUN.format(python=sys.executable), "utf-8")
    program.chmod(0o755)
    with runner.started(steps["gate"], expression_values) as shell:
        wait_until((runner.world / "begun").exists)
        assert "reports=" in runner.written("GITHUB_OUTPUT")
        shell.send_signal(sent_signal)
        out, _ = shell.communicate(timeout=600)
    assert shell.returncode == 130
    assert "exit-code=130" in runner.written("GITHUB_OUTPUT")
    assert runner.written("GITHUB_STEP_SUMMARY") == "markdown of what was settled\n"
    assert out.endswith("::\ngithub of what was settled\n")


@pytest.mark.parametrize(
    "printed",
    ["printed without an end", "with an end\n", ""],
    ids=["without-line-end", "with-line-end", "nothing"],
)
def test_workflow_commands_are_switched_on_again(runner, steps, expression_values, printed):
    """The line that switches them on is a line of its own, whatever was printed before."""
    runner.stub("urlconform", stdout=printed, stderr="and here")
    done = runner.run(steps["gate"], expression_values)
    token = done.stdout.splitlines()[0].rpartition("::")[2]
    assert f"\n::{token}::\n" in done.stdout


@pytest.fixture(params=[2, 3, 5, 6], ids="exit-code-{}".format)
def failed_run(request, runner, steps, expression_values):
    """A gate whose command ends with an exit code, without reports: the code and the finished step."""
    messages = "debug\nurlconform: 100% :: `wrong`\x1b\n"
    runner.stub("urlconform", stderr=messages, code=request.param, writes_results=False)
    return request.param, runner.run(steps["gate"], expression_values)


def test_a_run_without_reports_has_the_exit_code_of_its_command(failed_run):
    code, done = failed_run
    assert done.returncode == code


def test_a_run_without_reports_is_annotated_with_its_last_message(failed_run):
    """The message is without its control character, and its percent sign is escaped."""
    code, done = failed_run
    message = f"urlconform: 100%25 :: `wrong` (exit code {code})"
    assert done.stdout.splitlines()[-1] == f"::error title=URL conformance::{message}"


def test_a_run_without_reports_has_its_last_message_in_the_summary(runner, failed_run):
    """The message is without its control character."""
    code, _ = failed_run
    message = f"urlconform: 100% :: `wrong` (exit code {code})"
    assert runner.written("GITHUB_STEP_SUMMARY") == f"## URL conformance\n\n    {message}\n"


def test_a_run_without_reports_keeps_all_messages_in_its_log(failed_run):
    _, done = failed_run
    assert "debug" in done.stderr


def test_annotations_name_files_from_the_root_of_the_repository(runner, steps, expression_values):
    """The run is started in a folder below the root."""
    shutil.copytree(EXAMPLE, runner.folder / "a b/tinyurl", ignore=shutil.ignore_patterns("__pycache__"))
    library = runner.folder / "a b/tinyurl/tinyurl.py"
    mended = re.sub(
        r"query = query or b.*", 'query = b["query"] if query is None else query', library.read_text("utf-8")
    )
    library.write_text(mended, "utf-8")
    inputs = {**expression_values, "inputs.working-directory": "a b/tinyurl"}
    done = runner.run(steps["gate"], inputs, GITHUB_WORKSPACE=str(runner.folder))
    assert "::warning file=a b/tinyurl/urlconform-baseline.json,line=" in done.stdout
    assert done.returncode == 4


@pytest.mark.parametrize("argument", ["--help", "--list"])
def test_a_run_without_cases_fails(runner, steps, expression_values, argument):
    """The command is the installed one, not a stub."""
    inputs = {"inputs.adapter": "reference", "inputs.args": f"{argument}\n--no-config"}
    done = runner.run(steps["gate"], {**expression_values, **inputs})
    assert done.returncode == 5
    assert "exit-code=5" in runner.written("GITHUB_OUTPUT")
    assert "nothing was run" in runner.written("GITHUB_STEP_SUMMARY")
    assert "::error title=URL conformance::urlconform: nothing was run" in done.stdout


@pytest.mark.parametrize("argument", ["", "--list"], ids=["run", "list"])
@pytest.mark.parametrize("folder", [".", "tinyurl/elsewhere"], ids=["root", "below"])
def test_a_gate_without_an_adapter_fails(runner, steps, expression_values, folder, argument):
    """Neither an input nor the configuration names an adapter. The command is the installed one.

    `--list` asks nothing and needs no adapter elsewhere, but a gate refuses it, too.
    """
    (runner.folder / folder).mkdir(parents=True, exist_ok=True)
    (runner.folder / "pyproject.toml").write_text('[tool.urlconform]\nspec = ["rfc1808"]\n', "utf-8")
    inputs = {**expression_values, "inputs.working-directory": folder, "inputs.args": argument}
    done = runner.run(steps["gate"], inputs)
    assert done.returncode == Exit.USAGE
    assert "exit-code=2" in runner.written("GITHUB_OUTPUT")
    why = (
        "urlconform: --gate needs an ADAPTER: give one here, or set `adapters` in [tool.urlconform] of"
        f" pyproject.toml, or urlconform.toml; {runner.folder}/pyproject.toml does not set it"
        " (see urlconform run --help) (exit code 2)"
    )
    (annotation,) = [line for line in done.stdout.splitlines() if line.startswith("::error")]
    assert annotation == f"::error title=URL conformance::{why}"
    assert runner.written("GITHUB_STEP_SUMMARY") == f"## URL conformance\n\n    {why}\n"


@pytest.mark.parametrize("inputs", ["", "--spec\nrfc1808"], ids=["all", "some"])
def test_a_dead_adapter_is_annotated_once(runner, steps, expression_values, inputs):
    """The command is the installed one, not a stub."""
    adapter = {"inputs.adapter": "jsonl:/bin/true", "inputs.args": inputs}
    done = runner.run(steps["gate"], {**expression_values, **adapter})
    assert done.returncode == 3
    (line,) = [line for line in done.stdout.splitlines() if re.match("::(error|warning|notice)", line)]
    assert line.startswith("::error title=jsonl%3A/bin/true%3A gate not passed::could not start: no hello: ")


def test_a_job_without_pip_gets_an_environment_that_sees_its_libraries(runner, steps, expression_values):
    """The environment of the job has no pip, so the action installs the command into a new one."""
    bare = runner.world / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(bare)], check=True)
    (library,) = bare.glob("lib/python*/site-packages")
    (library / "tinylib.py").write_text("", "utf-8")
    # the pip of the Python below will do, and saves the time to install another
    program = runner.world / "bin/python3"
    program.write_text(WITHOUT_PIP.format(python=bare / "bin/python3"), "utf-8")
    program.chmod(0o755)
    environment = runner.world / "temp/urlconform/venv"
    wheel = write_wheel(runner.world)
    step = {**steps["install"], "run": steps["install"]["run"].replace("urlconform==$VERSION", wheel)}
    done = runner.run(
        step,
        {**expression_values, "inputs.version": "1"},
        VIRTUAL_ENV=str(bare),
        PIP_NO_INDEX="1",
    )
    assert done.returncode == 0, done.stderr
    assert runner.written("GITHUB_OUTPUT") == f"program={environment / 'bin/urlconform'}\n"
    assert runner.written("GITHUB_PATH") == ""
    imported = subprocess.run([str(environment / "bin/python"), "-c", "import tinylib"], check=False)
    assert imported.returncode == 0


def write_wheel(folder: Path) -> str:
    """Write a wheel that has nothing but the command `urlconform`, and return its path."""
    path = folder / "urlconform-1-py3-none-any.whl"
    about = "urlconform-1.dist-info"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: urlconform\nVersion: 1\n")
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{about}/entry_points.txt", "[console_scripts]\nurlconform = os:getcwd\n")
        wheel.writestr(f"{about}/RECORD", "")
    return str(path)
