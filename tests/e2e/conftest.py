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

from .stopping import ANSWERED, EACH, FUNCTION, STOPPING, until

ROOT = Path(__file__).parents[2]
#: The repository of a library that is gated.
EXAMPLE = ROOT / "examples" / "tinyurl"
#: The number of the entries of its baseline.
KNOWN_FAILURES = len(json.loads((EXAMPLE / "urlconform-baseline.json").read_bytes())["entries"])

_EXPRESSION = re.compile(r"\$\{\{\s*([\w.-]+)\s*\}\}")

#: Stands for a program: it writes its arguments down, one a line, and says and ends with what it is told.
STUB = """#!/bin/sh
{ printf '%s\\n' "$@"; echo; } >>"$WORLD/calls/$(basename "$0")"
cat "$WORLD/says" 2>/dev/null
cat "$WORLD/says-wrong" >&2 2>/dev/null
for argument; do
    case $argument in json=*/results.jsonl) [ -e "$WORLD/writes" ] && echo x >"${argument#json=}";; esac
done
exit "$(cat "$WORLD/ends" 2>/dev/null || echo 0)"
"""


@dataclass(frozen=True)
class Runner:
    """Runs steps as GitHub does: the script in a file, bash without profiles, `-eo pipefail`."""

    folder: Path
    world: Path
    scripts: str

    def run(
        self, step: Mapping[str, Any], values: Mapping[str, str], **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a shell step; `values` has what its expressions stand for."""
        with self.started(step, values, **environment) as shell:
            out, err = shell.communicate(timeout=120)
        return subprocess.CompletedProcess(shell.args, shell.returncode, out, err)

    @contextlib.contextmanager
    def started(
        self, step: Mapping[str, Any], values: Mapping[str, str], **environment: str
    ) -> Iterator[subprocess.Popen[str]]:
        """The shell of a step while it runs; it is ended with the body."""
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
        self, name: str, *, says: str = "", says_wrong: str = "", ends: int = 0, writes: bool = True
    ) -> None:
        """Put a program in the place of another, which says something and ends with a code.

        `says_wrong` is for stderr; `writes` lets it write the results that it is told to.
        """
        (self.world / "bin" / name).write_text(STUB, "utf-8")
        (self.world / "bin" / name).chmod(0o755)
        (self.world / "says").write_text(says, "utf-8")
        (self.world / "says-wrong").write_text(says_wrong, "utf-8")
        (self.world / "ends").write_text(str(ends), "utf-8")
        if writes:
            (self.world / "writes").touch()

    def calls(self, name: str) -> list[list[str]]:
        """The arguments of each call of a stub."""
        path = self.world / "calls" / name
        text = path.read_bytes().decode() if path.exists() else ""  # a CR is a CR
        return [call.split("\n") for call in text.removesuffix("\n\n").split("\n\n") if call]

    def written(self, name: str) -> str:
        """Return the text that the steps wrote into a file of the runner, such as GITHUB_OUTPUT."""
        path = self.world / name
        return path.read_text("utf-8") if path.exists() else ""


def filled(text: object, values: Mapping[str, str]) -> str:
    """Return a text with what each of its expressions stands for; all must be known."""
    return _EXPRESSION.sub(lambda match: values[match[1]], str(text))


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    """A runner with an empty repository."""
    for name in ("repository", "world", "world/bin", "world/calls", "world/temp"):
        (tmp_path / name).mkdir()
    return Runner(tmp_path / "repository", tmp_path / "world", sysconfig.get_path("scripts"))


@pytest.fixture(scope="session")
def workflow():
    """Reads a file of YAML below the root; the key `on` is True there, as YAML 1.1 has it."""

    def read(path: str) -> Any:
        return yaml.safe_load((ROOT / path).read_text("utf-8"))

    return read


@pytest.fixture
def start_run(
    program: str, environment: dict[str, str], tmp_path: Path
) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts a run that hangs, and waits until it does; `seconds` is how long."""
    (tmp_path / "stopping.py").write_text(STOPPING.replace("ANSWERED", str(ANSWERED)), encoding="utf-8")
    (tmp_path / "slow.py").write_text(FUNCTION, encoding="utf-8")
    (tmp_path / "each.py").write_text(EACH, encoding="utf-8")
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
        line = [*before, program, "run", name, *arguments, *selection, "--timeout", "300", *reports]
        streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True} | options
        child = subprocess.Popen(line, env=environment, cwd=tmp_path, start_new_session=True, **streams)
        started.append(child)
        until((tmp_path / "reached").exists)
        return child

    yield begin
    for child in started:
        child.kill()
        child.communicate()


@pytest.fixture
def pid_of_adapter(tmp_path: Path) -> Callable[[], int]:
    """Returns the process of the adapter that hangs."""
    return lambda: int((tmp_path / "reached").read_text("ascii"))
