"""The GitHub Action: its shell steps run as a runner would, hostile inputs and outputs included."""

from __future__ import annotations

import os
import re
import shutil
import tomllib
from itertools import chain
from pathlib import Path

import pytest
import yaml

from urlharness.exitcodes import Exit

from .conftest import EXAMPLE, KNOWN_FAILURES

ROOT = Path(__file__).parents[2]
ACTION = ".github/actions/gate/action.yml"
GATING = ROOT / "docs" / "gating.md"

#: Values that would do something if they were read as anything but a value.
HOSTILE = {
    "substitution": "$(touch injected)",
    "backticks": "`touch injected`",
    "double-quotes": '"; touch injected; "',
    "single-quotes": "'; touch injected; '",
    "line-end": "x\ntouch injected",
    "expression": "${{ github.token }}",
    "option": "--help",
    "pattern": "*",
}

every_hostile_value = pytest.mark.parametrize("value", HOSTILE.values(), ids=HOSTILE)


@pytest.fixture(scope="module")
def action(workflow):
    """The action that gates a library, as its YAML file has it."""
    return workflow(ACTION)


@pytest.fixture
def steps(action):
    """The steps of the action by their name."""
    return {step["name"]: step for step in action["runs"]["steps"]}


def values(action, **action_inputs: str) -> dict[str, str]:
    """Return the values of the expressions in the action: these inputs, and the defaults of the others."""
    inputs = {name: entry.get("default", "") for name, entry in action["inputs"].items()} | action_inputs
    return {f"inputs.{name}": text for name, text in inputs.items()} | {
        "steps.install.outputs.program": "urlconform",
        "github.action_path": str(ROOT / ".github/actions/gate"),
    }


@pytest.fixture
def shell_steps(action):
    """The steps of the action that run a script."""
    return [step for step in action["runs"]["steps"] if "run" in step]


def test_the_scripts_set_up_the_adapter_install_the_command_and_gate(shell_steps):
    assert [step["name"] for step in shell_steps] == ["Set up the adapter", "Install urlconform", "Gate"]


def test_no_script_contains_an_expression(shell_steps):
    assert [step["name"] for step in shell_steps if "${{" in step["run"]] == []


def test_every_script_is_run_by_bash(shell_steps):
    assert {step["shell"] for step in shell_steps} == {"bash"}


PIP_INSTALL = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--"]
CHECKOUT = ROOT / ".github/actions/gate/../../.."


@pytest.mark.parametrize(
    ("version", "installed"),
    [pytest.param("", str(CHECKOUT), id="its-own"), pytest.param("1.2.0", "urlconform==1.2.0", id="named")],
)
def test_the_action_installs_the_command_into_a_new_environment(runner, action, steps, version, installed):
    runner.stub("python3")
    bin_folder = runner.world / "temp/urlconform/venv/bin"
    bin_folder.mkdir(parents=True)
    for name in ("python", "urlconform"):
        shutil.copy(runner.world / "bin/python3", bin_folder / name)
    done = runner.run(steps["Install urlconform"], values(action, version=version))
    assert done.returncode == 0, done.stderr
    assert runner.calls("python3") == [["-m", "venv", "--system-site-packages", str(bin_folder.parent)]]
    assert runner.calls("python") == [[*PIP_INSTALL, installed]]
    assert runner.written("GITHUB_PATH") == ""
    assert runner.written("GITHUB_OUTPUT") == f"program={bin_folder / 'urlconform'}\n"


def test_the_action_installs_the_command_into_the_environment_of_the_job(runner, action, steps):
    runner.stub("python3")
    done = runner.run(steps["Install urlconform"], values(action, version="1.2.0"), VIRTUAL_ENV="/venv")
    assert done.returncode == 0, done.stderr
    assert runner.calls("python3") == [["-m", "pip", "--version"], [*PIP_INSTALL, "urlconform==1.2.0"]]
    assert runner.written("GITHUB_PATH") == ""
    assert runner.written("GITHUB_OUTPUT") == "program=urlconform\n"


def test_the_version_of_the_action_itself_is_in_its_checkout():
    assert (CHECKOUT / "pyproject.toml").is_file()


@pytest.mark.parametrize("version", [*HOSTILE.values(), "git+file:///x"], ids=[*HOSTILE, "address"])
def test_a_text_that_is_no_version_is_refused(runner, action, steps, version):
    runner.stub("python3")
    done = runner.run(steps["Install urlconform"], values(action, version=version), VIRTUAL_ENV="/venv")
    assert done.stderr == "urlconform: version is no version\n"
    assert done.returncode == 2
    assert list(runner.folder.iterdir()) == []


@pytest.mark.parametrize(
    "version",
    ["1 --pre", "1; touch injected", "1$(touch injected)"],
    ids=["option", "command", "substitution"],
)
def test_a_hostile_version_is_one_argument_of_pip(runner, action, steps, version):
    runner.stub("python3")
    runner.run(steps["Install urlconform"], values(action, version=version), VIRTUAL_ENV="/venv")
    assert runner.calls("python3")[-1] == [*PIP_INSTALL, f"urlconform=={version}"]
    assert list(runner.folder.iterdir()) == []


def gate(runner, action, steps, **inputs):
    """Run the step that gates with these inputs, and return its exit code and output."""
    return runner.run(steps["Gate"], values(action, **inputs))


def folder_of_reports(runner) -> Path:
    """Return the folder of the reports, as the outputs of the step name it."""
    return Path(runner.written("GITHUB_OUTPUT").partition("reports=")[2].partition("\n")[0])


def test_inputs_become_arguments(runner, action, steps):
    runner.stub("urlconform")
    done = gate(
        runner,
        action,
        steps,
        adapter="jsonl:./mine --fast",
        spec="rfc3986\n rfc1808",
        baseline="known wrong.json",
        args="--jobs\n2\n\n--report\nbadge=a b.json",
    )
    assert done.returncode == 0, done.stderr
    (call,) = runner.calls("urlconform")
    reports = folder_of_reports(runner)
    assert call[:4] == ["run", "--gate", "--report", f"json={reports}/results.jsonl"]
    assert call[call.index("--spec") :] == [
        "--spec",
        "rfc3986",
        "--spec",
        "rfc1808",
        "--baseline",
        "known wrong.json",
        "--jobs",
        "2",
        "--report",
        "badge=a b.json",
        "--",
        "jsonl:./mine --fast",
    ]
    assert runner.written("GITHUB_OUTPUT") == f"reports={reports}\nexit-code=0\n"


def test_lines_may_end_as_on_windows(runner, action, steps):
    runner.stub("urlconform")
    gate(runner, action, steps, spec="rfc3986\r\nrfc1808\r\n", args="--jobs\r\n2\r\n")
    (call,) = runner.calls("urlconform")
    assert call[call.index("--spec") :] == ["--spec", "rfc3986", "--spec", "rfc1808", "--jobs", "2"]


@pytest.mark.parametrize(
    ("name", "before"),
    [
        # after two hyphens nothing is an option
        pytest.param("adapter", "\n--\n", id="adapter"),
        pytest.param("baseline", "", id="baseline"),
        pytest.param("args", "", id="args"),
    ],
)
@every_hostile_value
def test_a_hostile_input_is_an_argument(runner, action, steps, name, before, value):
    """No input is run, expanded or taken for an option of its own."""
    runner.stub("urlconform")
    done = gate(runner, action, steps, **{name: value})
    assert done.returncode == 0, done.stderr
    assert list(runner.folder.iterdir()) == []
    call = "\n".join(runner.calls("urlconform")[0])
    assert call.endswith(f"{before}{value}")


@every_hostile_value
def test_each_word_of_a_hostile_rfc_is_the_argument_of_an_option(runner, action, steps, value):
    runner.stub("urlconform")
    done = gate(runner, action, steps, spec=value)
    assert done.returncode == 0, done.stderr
    assert list(runner.folder.iterdir()) == []
    call = "\n".join(runner.calls("urlconform")[0])
    assert call.endswith("\n--spec\n".join(["", *value.split()]))


def test_a_planted_expression_is_detected(runner, action, steps):
    """If an input were pasted into the script, a command in it would run."""
    planted = {**steps["Gate"], "run": f"echo {HOSTILE['substitution']}"}
    runner.run(planted, values(action))
    assert [path.name for path in runner.folder.iterdir()] == ["injected"]


@pytest.mark.parametrize("code", [0, 1, 3, 4, 5])
def test_the_exit_code_is_that_of_the_gate(runner, action, steps, code):
    runner.stub("urlconform", code=code)
    assert gate(runner, action, steps).returncode == code
    assert f"exit-code={code}\n" in runner.written("GITHUB_OUTPUT")


def token_of(output: str) -> str:
    """Return the token with which the first line of a step switches off workflow commands."""
    command, token = output.splitlines()[0].rsplit("::", 1)
    assert command == "::stop-commands"
    return token


def commands_in(output: str) -> str:
    """Return the part of an output in which workflow commands are switched on again."""
    return output.rpartition(f"::{token_of(output)}::")[2]


def test_output_of_adapters_is_not_a_workflow_command(runner, action, steps):
    """The output of a run is enclosed in two lines with a token."""
    runner.stub("urlconform", stdout="::error::planted\n::add-mask::x\n")
    output = gate(runner, action, steps).stdout
    lines = output.splitlines()
    end = lines.index(f"::{token_of(output)}::")
    assert {"::error::planted", "::add-mask::x"} <= set(lines[1:end])
    assert {"::error::planted", "::add-mask::x"}.isdisjoint(lines[end:])


def test_an_adapter_cannot_know_the_token_of_a_run(runner, action, steps):
    runner.stub("urlconform")
    first_token = token_of(gate(runner, action, steps).stdout)
    second_token = token_of(gate(runner, action, steps).stdout)
    assert re.fullmatch("[0-9a-f]{32}", first_token)
    assert second_token != first_token


def test_the_example_is_gated_with_summary_reports_and_annotations(runner, action, steps):
    """The command is the installed one, not a stub."""
    shutil.copytree(EXAMPLE, runner.folder / "tinyurl", ignore=shutil.ignore_patterns("__pycache__"))
    done = gate(runner, action, steps, **{"working-directory": "tinyurl"})
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{KNOWN_FAILURES} known failures" in runner.written("GITHUB_STEP_SUMMARY")
    expected = {"results.jsonl", "junit.xml", "report.html", "summary.md", "annotations"}
    reports = folder_of_reports(runner)
    assert {path.name for path in reports.iterdir() if path.stat().st_size} == expected
    assert "::notice" in commands_in(done.stdout)


def test_a_failure_is_annotated(runner, action, steps):
    shutil.copytree(EXAMPLE, runner.folder / "tinyurl", ignore=shutil.ignore_patterns("__pycache__"))
    (runner.folder / "tinyurl/pyproject.toml").unlink()
    inputs = {
        "working-directory": "tinyurl",
        "adapter": "python:conformance:adapter",
        "args": "--section\n5.4.2",
    }
    done = gate(runner, action, steps, **inputs)
    assert done.returncode == 1
    assert "::error" in commands_in(done.stdout)
    assert "exit-code=1\n" in runner.written("GITHUB_OUTPUT")


def test_reports_are_uploaded_whatever_the_outcome(steps):
    upload = steps["Upload the reports"]
    assert upload["if"].startswith("${{ always() && ")
    assert upload["uses"].startswith("actions/upload-artifact@v")
    assert upload["with"]["path"] == "${{ steps.gate.outputs.reports }}"


def test_the_lines_of_a_setup_run_in_the_working_directory_until_one_fails(runner, action, steps):
    (runner.folder / "lib").mkdir()
    inputs = {"working-directory": "lib", "setup": "echo 'a b' > built\nfalse\ntouch later"}
    done = runner.run(steps["Set up the adapter"], values(action, **inputs))
    assert done.returncode == 1
    assert [path.name for path in (runner.folder / "lib").iterdir()] == ["built"]


def test_without_a_setup_there_is_nothing_to_run(steps):
    assert steps["Set up the adapter"]["if"] == "${{ inputs.setup != '' }}"


_JOB = re.compile(r"^```yaml\n(jobs:.*?)^```$", re.MULTILINE | re.DOTALL)
_JOBS = [yaml.safe_load(job)["jobs"]["urls"] for job in _JOB.findall(GATING.read_text("utf-8"))]
#: The last steps of the jobs on the page about gating: they call the action for a library in these languages.
CALLS = dict(zip(("go", "java"), (job["steps"][-1] for job in _JOBS), strict=True))


@pytest.fixture(scope="module")
def current_action():
    """The name of the action of the current version, as a job writes it after the account."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    return f"/urlconform/{Path(ACTION).parent}@v{version}"


@pytest.mark.parametrize("language", CALLS)
def test_a_job_on_the_page_calls_the_action_of_the_current_version(current_action, language):
    assert CALLS[language]["uses"].endswith(current_action)


@pytest.mark.parametrize("language", CALLS)
def test_a_job_on_the_page_has_only_inputs_of_the_action(action, language):
    assert CALLS[language]["with"].keys() <= action["inputs"].keys()


@pytest.mark.parametrize("language", [pytest.param("go", marks=pytest.mark.long), "java"])
def test_a_library_in_another_language_is_gated(runner, action, steps, urlconform, language):
    """The steps are those of the page, without a clone: a template, a baseline of its failures, the job.

    Only a section is asked. The gate passes, and no longer does when an answer of the baseline is changed.
    """
    inputs = CALLS[language]["with"]
    folder = runner.folder
    if shutil.which(inputs["setup"].split()[0]) is None:
        pytest.skip(f"{language} is not installed")
    (folder / "go.mod").write_text("module example.com/lib\n\ngo 1.18\n", "utf-8")
    assert urlconform("adapters", "new", language, "-o", "conformance", cwd=folder).returncode == 0
    path = f"{runner.environment['PATH']}{os.pathsep}{os.environ['PATH']}"
    built = runner.run(steps["Set up the adapter"], values(action, **inputs), PATH=path)
    assert built.returncode == 0, built.stderr
    specs = chain.from_iterable(("--spec", spec) for spec in inputs["spec"].split())
    section = ("--section", "5.2")
    process = urlconform(
        "baseline", "create", inputs["adapter"], *specs, *section, "-o", inputs["baseline"], cwd=folder
    )
    assert process.returncode == 0, process.stderr
    done = gate(runner, action, steps, **inputs, args="\n".join(section))
    assert done.returncode == 0, done.stdout + done.stderr
    baseline = folder / inputs["baseline"]
    baseline.write_text(
        baseline.read_text("utf-8").replace('{"status": "ok"', '{"status": "reject"', 1), "utf-8"
    )
    assert gate(runner, action, steps, **inputs, args="\n".join(section)).returncode == Exit.FAILED


@pytest.fixture
def call_of_the_example(workflow):
    """The step of the workflow of the example that calls the action."""
    job = workflow("examples/tinyurl/.github/workflows/ci.yml")["jobs"]["urls"]
    (call,) = [step for step in job["steps"] if "gate" in step["uses"]]
    return call


def test_the_workflow_of_the_example_calls_the_action_of_the_current_version(
    call_of_the_example, current_action
):
    assert call_of_the_example["uses"].endswith(current_action)


def test_the_workflow_of_the_example_has_only_inputs_of_the_action(call_of_the_example, action):
    assert call_of_the_example.get("with", {}).keys() <= action["inputs"].keys()
