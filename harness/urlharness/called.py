"""How a line for a shell calls the command that runs now, whatever the PATH has."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

NAME = "urlconform"


def called() -> list[str]:
    """The words that a shell runs this command by: its name, where the PATH leads to it.

    Otherwise its path, or where no file of that name is known, the Python that runs it and its module.
    """
    script = _script()
    if script is None:
        return [sys.executable, "-m", "urlharness.cli"]
    found = shutil.which(NAME)
    return [NAME] if found is not None and script.samefile(found) else [str(script)]


def _script() -> Path | None:
    """The file of the command: what was started, or else what was installed beside the Python that runs."""
    for path in (Path(sys.argv[0]).absolute(), Path(sys.executable).with_name(NAME)):
        if path.name == NAME and path.is_file():
            return path
    return None
