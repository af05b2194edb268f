"""Fixtures: a runner of the shell steps of workflows, in a folder of its own, and runs that hang."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from .stopping import ANSWERED, SLOW_FUNCTION, SLOW_PROGRAM, STOPPING, wait_until

ROOT = Path(__file__).parents[2]
#: The repository of a library that is gated.
EXAMPLE = ROOT / "examples" / "tinyurl"
#: The number of failures that its baseline lists.
KNOWN_FAILURES = len(json.loads((EXAMPLE / "urlconform-baseline.json").read_bytes())["entries"])

_EXPRESSION = re.compile(r"\$\{\{\s*([\w.-]+)\s*\}\}")

#: A program that stands for another. It appends its arguments to a file, one in each line, and prints and
#: exits with what `Runner.stub` has left for it.
STUB = """#!/bin/sh
{ printf '%s\\n' "$@"; echo; } >>"$WORLD/calls/$(basename "$0")"
cat "$WORLD/stdout" 2>/dev/null
cat "$WORLD/stderr" >&2 2>/dev/null
for argument; do
    case $argument in json=*/results.jsonl) [ -e "$WORLD/writes" ] && echo x >"${argument#json=}";; esac
done
exit "$(cat "$WORLD/exit-code" 2>/dev/null || echo 0)"
"""


@dataclass(frozen=True)
class Runner:
    """Runs steps as GitHub does: the script in a file, bash without profiles, `-eo pipefail`.

    `folder` is the repository of the job, `world` has the files of the runner and the stubs, and `scripts` is
    the folder of the installed command.
    """

    folder: Path
    world: Path
    scripts: str

    def run(
        self, step: Mapping[str, Any], values: Mapping[str, str], **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a shell step and return its exit code and output.

        `values` has what its expressions stand for.
        """
        with self.started(step, values, **environment) as shell:
            out, err = shell.communicate(timeout=120)
        return subprocess.CompletedProcess(shell.args, shell.returncode, out, err)

    @contextlib.contextmanager
    def started(
        self, step: Mapping[str, Any], values: Mapping[str, str], **environment: str
    ) -> Iterator[subprocess.Popen[str]]:
        """Start a shell step and yield its shell, which is killed at the end of the `with` statement."""
        script = self.world / "step.sh"
        script.write_text(step["run"], "utf-8")
        step_environment = {name: filled(text, values) for name, text in step.get("env", {}).items()}
        with subprocess.Popen(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=self.folder / filled(step.get("working-directory", "."), values),
            env={**self.environment, **environment, **step_environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        ) as shell:
            try:
                yield shell
            finally:
                shell.kill()

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables that a runner sets for every step."""
        return {
            "PATH": f"{self.world / 'bin'}{os.pathsep}{self.scripts}{os.pathsep}/usr/bin:/bin",
            "HOME": str(self.world),
            "LANG": "C.UTF-8",
            "WORLD": str(self.world),
            "RUNNER_TEMP": str(self.world / "temp"),
            "GITHUB_OUTPUT": str(self.world / "GITHUB_OUTPUT"),
            "GITHUB_PATH": str(self.world / "GITHUB_PATH"),
            "GITHUB_STEP_SUMMARY": str(self.world / "GITHUB_STEP_SUMMARY"),
        }

    def stub(
        self, name: str, *, stdout: str = "", stderr: str = "", code: int = 0, writes_results: bool = True
    ) -> None:
        """Put a program in the place of another, which prints these texts and exits with this code.

        With `writes_results` it also writes the results file that its arguments name.
        """
        (self.world / "bin" / name).write_text(STUB, "utf-8")
        (self.world / "bin" / name).chmod(0o755)
        (self.world / "stdout").write_text(stdout, "utf-8")
        (self.world / "stderr").write_text(stderr, "utf-8")
        (self.world / "exit-code").write_text(str(code), "utf-8")
        if writes_results:
            (self.world / "writes").touch()

    def calls(self, name: str) -> list[list[str]]:
        """Return the arguments of each call of a stub."""
        path = self.world / "calls" / name
        text = path.read_bytes().decode() if path.exists() else ""  # read as bytes, so that a CR stays a CR
        return [call.split("\n") for call in text.removesuffix("\n\n").split("\n\n") if call]

    def written(self, name: str) -> str:
        """Return the text that the steps wrote into a file of the runner, such as GITHUB_OUTPUT."""
        path = self.world / name
        return path.read_text("utf-8") if path.exists() else ""


def filled(text: object, values: Mapping[str, str]) -> str:
    """Return a text in which each expression is replaced by what it stands for.

    Raises KeyError if `values` does not have it.
    """
    return _EXPRESSION.sub(lambda match: values[match[1]], str(text))


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    """A runner with an empty repository."""
    for name in ("repository", "world", "world/bin", "world/calls", "world/temp"):
        (tmp_path / name).mkdir()
    return Runner(tmp_path / "repository", tmp_path / "world", sysconfig.get_path("scripts"))


@pytest.fixture(scope="session")
def workflow():
    """Return a function that reads a YAML file below the root; the key `on` is True there, as in YAML 1.1."""

    def read(path: str) -> Any:
        return yaml.safe_load((ROOT / path).read_text("utf-8"))

    return read


@pytest.fixture
def start_run(
    program: str, environment: dict[str, str], tmp_path: Path
) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Return a function that starts a run, and returns its process when the adapter hangs.

    `name` is the adapter, by default one that hangs for some seconds after a few answers. `before` is a
    command that starts the run, such as `nohup`.
    """
    (tmp_path / "stopping.py").write_text(STOPPING.replace("ANSWERED", str(ANSWERED)), encoding="utf-8")
    (tmp_path / "slow.py").write_text(SLOW_FUNCTION, encoding="utf-8")
    (tmp_path / "each.py").write_text(SLOW_PROGRAM, encoding="utf-8")
    started = []

    def begin(
        name: str = "",
        *arguments: str,
        before: Sequence[str] = (),
        seconds: float = 600.0,
        selection: Sequence[str] = ("--spec", "rfc3986", "--section", "5"),
        **options: Any,
    ) -> subprocess.Popen[str]:
        name = name or f"jsonl:{sys.executable} stopping.py {seconds}"
        reports = ("--report", "json=r.jsonl", "--report", "markdown=r.md")
        command = [*before, program, "run", name, *arguments, *selection, "--timeout", "300", *reports]
        streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True} | options
        child = subprocess.Popen(command, env=environment, cwd=tmp_path, start_new_session=True, **streams)
        started.append(child)
        wait_until((tmp_path / "reached").exists)
        return child

    yield begin
    for child in started:
        child.kill()
        child.communicate()


@pytest.fixture
def pid_of_adapter(tmp_path: Path) -> Callable[[], int]:
    """Return a function that returns the process id of the adapter that hangs."""
    return lambda: int((tmp_path / "reached").read_text("ascii"))
