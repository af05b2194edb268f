"""The transcripts in README and docs: each command prints what the page shows below it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*(ROOT / "docs").glob("*.md"), *ROOT.glob("*.md")])
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
#: A command that takes half a minute; tests of its parts are quick.
SLOW_COMMAND = "vectors adequacy --tests"
TRANSCRIPTS = [
    pytest.param(
        block,
        id=f"{page.relative_to(ROOT)}-{number}",
        marks=[pytest.mark.long] if SLOW_COMMAND in block else [],
    )
    for page in PAGES
    for number, block in enumerate(_BLOCK.findall(page.read_text(encoding="utf-8")))
]


def unprinted_pieces(block: str, folder: Path) -> list[str]:
    """Return the shown pieces that the commands do not print; a line `…` separates pieces."""
    unprinted = []
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        width = max(map(len, output.splitlines()), default=0)
        printed = printed_lines(command, folder, columns=max(width, 80))
        for piece in re.split(r"^\s*…$", output, flags=re.MULTILINE):
            lines = [line.rstrip() for line in piece.strip("\n").splitlines()]
            if not any(printed[at : at + len(lines)] == lines for at in range(len(printed) + 1)):
                unprinted.append(piece)
    return unprinted


def printed_lines(command: str, folder: Path, columns: int) -> list[str]:
    """Return the lines that a command prints, those on stderr first, without blanks at their ends."""
    path = f"{sysconfig.get_path('scripts')}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=folder,
        env=os.environ | {"COLUMNS": str(columns), "PATH": path},
        check=False,
    )
    return [line.rstrip() for line in (done.stderr + done.stdout).splitlines()]


@pytest.mark.parametrize("block", TRANSCRIPTS)
def test_the_commands_of_a_transcript_print_what_it_shows(block, tmp_path):
    if "java-net-uri" in block and not shutil.which("javac"):
        pytest.skip("Java is not installed")
    assert unprinted_pieces(block, tmp_path) == []


def test_a_line_that_a_command_does_not_print_is_reported(tmp_path):
    command = "$ urlconform validate a:b --spec rfc3986 --json\n"
    assert unprinted_pieces(f"{command}no such line\n", tmp_path) == ["no such line\n"]
