"""The reports that a command writes: the option `--report FORMAT=FILE`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import click

from urlharness.cli.files import same_file
from urlharness.cli.output import ignoring_broken_pipe
from urlharness.jsonio import descriptor_of, errors_named, write_atomically
from urlharness.report import RENDERERS, render

if TYPE_CHECKING:
    from urlharness.gate.gate import Judgement
    from urlharness.results.model import Results

#: The formats of `run --report`. The format json is the results file itself.
FORMATS = ("json", *RENDERERS)


def check_reports(wanted: Iterable[str], formats: Sequence[str] = FORMATS) -> dict[str, Path]:
    """Map the format of each `FORMAT=FILE` to its file. Raise a usage error if a report cannot be written."""
    targets: dict[str, Path] = {}
    for item in wanted:
        name, equals, file = item.partition("=")
        if name not in formats or not equals or not file:
            why = f"{item!r} is not FORMAT=FILE; the formats are {', '.join(formats)}"
            json = name == "json" and name not in formats
            raise _refused(f"{why}; json is the results file, which `run` writes" if json else why)
        path = Path(file)
        if name in targets:
            raise _refused(f"{item!r}: another report of this format is already given")
        if not path.parent.is_dir():
            raise _refused(f"{path.parent}: no such directory")
        if path.is_dir() and (name != "badge" or path.suffix == ".json"):
            raise _refused(f"{path} is a directory, but this report needs a file")
        if name == "badge" and path.is_file() and path.suffix != ".json" and not is_stdout(path):
            raise _refused(f"{path} is a file; badges are written to a folder, or to a file named *.json")
        if file == "-":
            raise _refused("`-` is not supported; use /dev/stdout")
        if not is_stdout(path) and any(same_file(path, other) for other in targets.values()):
            raise _refused(f"{path}: another report is written to this file")
        targets[name] = path
    return targets


def _refused(why: str) -> click.BadParameter:
    return click.BadParameter(why, param_hint="--report")


def is_stdout(path: Path) -> bool:
    """Return True if a path names stdout, to which several reports can be written."""
    return descriptor_of(path) == 1


def replaced_files(targets: Mapping[str, Path]) -> list[Path]:
    """Return the files that reports write or replace. `targets` come from `check_reports`."""
    badges = targets.get("badge")
    files = [path for path in targets.values() if path is not badges or not path.is_dir()]
    if badges is not None and badges.is_dir():
        files += badges.glob("*/rfc*.json")
    return files


def results_file(targets: Mapping[str, Path], scratch: Path) -> Path:
    """Return the path for the results file.

    This is the path of the json report if that file can be read back. Otherwise, it is a path in the folder
    `scratch`.
    """
    wanted = targets.get("json")
    readable = wanted is not None and (wanted.is_file() or not wanted.exists())
    return wanted if wanted is not None and readable else scratch / "results.jsonl"


def write_reports(
    results: Results,
    targets: Mapping[str, Path],
    judgements: Sequence[Judgement] = (),
    baselines: Mapping[str, Path] = MappingProxyType({}),
) -> None:
    """Write every report except json, which the run itself writes.

    `judgements` come from the gate (empty: no gate). `baselines` maps an adapter to the file of its
    baseline. Raise OSError with the name of the file if a report cannot be written.
    """
    for name, path in targets.items():
        if name not in RENDERERS:
            continue
        with errors_named(path), ignoring_broken_pipe(path):
            if name == "badge" and not is_stdout(path):
                from urlharness.report import badge

                badge.write(results, path)
            else:
                write_atomically(path, render(name, results, judgements, baselines), "utf-8")
