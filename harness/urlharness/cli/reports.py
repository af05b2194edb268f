"""The reports that a command writes: the option `--report FORMAT=FILE`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import click

from urlharness.cli.files import same_file
from urlharness.cli.output import ignoring_broken_pipe, print_stderr
from urlharness.jsonio import descriptor_of, errors_named, write_atomically
from urlharness.report import RENDERERS, render

if TYPE_CHECKING:
    from urlharness.gate.gate import Judgement
    from urlharness.results.model import Results

#: The names of the parts of a JUnit report in a folder.
_PART = "junit-{}.xml"
_FIRST_PART = _PART.format(1)

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
        is_folder = name == "junit" and (file.endswith("/") or Path(file).is_dir())
        # the first part stands for all of them
        path = Path(file) / _FIRST_PART if is_folder else Path(file)
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
    folder = path.parent
    if _is_divided(name, path) and not folder.exists():
        folder = folder.parent  # the folder of the parts is made
    if not folder.is_dir():
        return f"{folder}: no such directory"
    if path.is_dir() and (name != "badge" or path.suffix == ".json"):
        return f"{path} is a directory, but this report needs a file"
    if name == "badge" and path.is_file() and path.suffix != ".json" and not is_stdout(path):
        return f"{path} is a file; badges are written to a folder, or to a file named *.json"
    return ""


def _is_divided(name: str, path: Path) -> bool:
    """Return True if a report is written in parts, of which the path is the first."""
    return name == "junit" and path.name == _FIRST_PART


def is_stdout(path: Path) -> bool:
    """Return True if a path names stdout, to which several reports can be written."""
    return descriptor_of(path) == 1


def replaced_files(targets: Mapping[str, Path]) -> list[Path]:
    """Return the files that reports write or replace. `targets` come from `check_reports`.

    Of a folder of badges or parts, return those that exist already.
    """
    badges = targets.get("badge")
    files = [path for path in targets.values() if path is not badges or not path.is_dir()]
    if badges is not None and badges.is_dir():
        files += badges.glob("*/rfc*.json")
    if "junit" in targets and _is_divided("junit", targets["junit"]):
        files += targets["junit"].parent.glob(_PART.format("*"))
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
            elif name == "junit":
                _write_junit(results, judgements, path)
            else:
                write_atomically(path, render(name, results, judgements, baselines), "utf-8")


def _write_junit(results: Results, judgements: Sequence[Judgement], path: Path) -> None:
    """Write a JUnit report in parts or as one file. Print a line if a file is too large for GitLab."""
    from urlharness.report import junit

    if not _is_divided("junit", path):
        text = junit.render(results, judgements)
        write_atomically(path, text, "utf-8")
        size = len(text.encode("utf-8", "backslashreplace"))
        if size > junit.GITLAB_LIMIT:
            megabytes = f"{size / 1e6:.0f} MB, and GitLab takes {junit.GITLAB_LIMIT / 1e6:.0f} MB"
            print_stderr(f"urlconform: {path}: {megabytes}; --report junit=FOLDER/ writes parts")
        return
    path.parent.mkdir(exist_ok=True)
    parts = []
    for number, text in enumerate(junit.render_parts(results, judgements), 1):
        part = path.with_name(_PART.format(number))
        write_atomically(part, text, "utf-8")
        parts.append(part)
    # a part of an earlier report would be read as one of this report
    for earlier in path.parent.glob(_PART.format("*")):
        if earlier not in parts:
            earlier.unlink()
