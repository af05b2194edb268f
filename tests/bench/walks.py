"""Count the modules of the harness that a command enters: those in which a function runs in its process.

    python tests/bench/walks.py [run urllib --section 5.2]

Prints the modules in the order in which they are entered, and their number.
"""

from __future__ import annotations

import contextlib
import os
import sys
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import FrameType

import urlharness
from urlharness.cli import execute

_ROOT = Path(urlharness.__file__).parent


def entered(arguments: list[str]) -> list[str]:
    """Run a command with its output discarded; return the modules whose functions ran, in order."""
    modules: dict[str, None] = {}

    def profile(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and frame.f_code.co_flags & CO_OPTIMIZED and frame.f_code.co_name[0] != "<":
            name = frame.f_code.co_filename
            if name.startswith(f"{_ROOT}{os.sep}"):
                modules[Path(name).relative_to(_ROOT).with_suffix("").as_posix().replace("/", ".")] = None

    with Path(os.devnull).open("w", encoding="utf-8") as nothing, contextlib.redirect_stdout(nothing):
        sys.setprofile(profile)
        try:
            execute(arguments)
        finally:
            sys.setprofile(None)
    return list(modules)


if __name__ == "__main__":
    names = entered(sys.argv[1:] or ["run", "urllib", "--section", "5.2"])
    sys.stdout.write("\n".join([*names, f"{len(names)} modules", ""]))
