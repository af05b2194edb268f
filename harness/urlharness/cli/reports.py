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


def check_reports(options: Iterable[str], formats: Sequence[str] = FORMATS) -> dict[str, Path]:
    """Map the format of each `FORMAT=FILE` to its file. Raise a usage error if a report cannot be written."""
    targets: dict[str, Path] = {}
    for option in options:
        name, _, file = option.partition("=")
        if name not in formats or not file:
            raise _report_error(_format_error(option, name, formats))
        if name in targets:
            raise _report_error(f"{option!r}: another report of this format is already given")
        if file == "-":
            raise _report_error("`-` is not supported; use /dev/stdout")
        path = Path(file)
        if problem := _path_error(name, path):
            raise _report_error(problem)
        if not is_stdout(path) and any(same_file(path, target) for target in targets.values()):
            raise _report_error(f"{path}: another report is written to this file")
        targets[name] = path
    return targets


def _report_error(why: str) -> click.BadParameter:
    """Return the usage error of --report."""
    return click.BadParameter(why, param_hint="--report")


def _format_error(option: str, name: str, formats: Sequence[str]) -> str:
    """Return why an option does not name a format and a file. The results file gets a hint of its own."""
    why = f"{option!r} is not FORMAT=FILE; the formats are {', '.join(formats)}"
    if name == "json" and name not in formats:
        return f"{why}; json is the results file, which `run` writes"
    return why


def _path_error(name: str, path: Path) -> str:
    """Return why a report of this format cannot be written to a path, or an empty string if it can."""
    if not path.parent.is_dir():
        return f"{path.parent}: no such directory"
    if path.is_dir() and (name != "badge" or path.suffix == ".json"):
        return f"{path} is a directory, but this report needs a file"
    if name == "badge" and path.is_file() and path.suffix != ".json" and not is_stdout(path):
        return f"{path} is a file; badges are written to a folder, or to a file named *.json"
    return ""


def is_stdout(path: Path) -> bool:
    """Return True if a path names stdout, to which several reports can be written."""
    return descriptor_of(path) == 1


def replaced_files(targets: Mapping[str, Path]) -> list[Path]:
    """Return the files that reports write or replace. `targets` come from `check_reports`.

    Of a folder of badges, return the badges that exist already.
    """
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
    report = targets.get("json")
    if report is None:
        return scratch / "results.jsonl"
    can_be_read_back = report.is_file() or not report.exists()
    return report if can_be_read_back else scratch / "results.jsonl"


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
