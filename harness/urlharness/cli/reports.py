"""The reports that a command writes: the option `--report FORMAT=FILE`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import click

from urlharness.cli.files import same_file
from urlharness.cli.output import ignoring_broken_pipe, print_stderr
from urlharness.jsonio import WholeFile, descriptor_of, errors_named, write_atomically
from urlharness.report import RENDERERS, render

if TYPE_CHECKING:
    from urlharness.gate.gate import Judgement
    from urlharness.results.model import Results

#: The names of the parts of a JUnit report in a folder.
_PART = "junit-{}.xml"

#: The formats of `run --report`. The format json is the results file itself.
FORMATS = ("json", *RENDERERS)


class ReportTarget(NamedTuple):
    """The place of a report: a file, or a folder of badges.

    If `divided` is True, the report is written in parts to a folder, and `path` is that of the first part.
    """

    path: Path
    divided: bool = False


def report_targets(options: Iterable[str], formats: Sequence[str] = FORMATS) -> dict[str, ReportTarget]:
    """Map the format of each `FORMAT=FILE` to its target. Raise a usage error if a report cannot be written.

    A JUnit report is divided if the file is a folder: if it exists as one, or ends with a slash.
    """
    targets: dict[str, ReportTarget] = {}
    for option in options:
        name, _, file = option.partition("=")
        if name not in formats or not file:
            raise _report_error(_why_no_format(option, name, formats))
        if name in targets:
            raise _report_error(f"{option!r}: another report of this format is already given")
        if file == "-":
            raise _report_error("`-` is not supported; use /dev/stdout")
        target = _target_of(name, file)
        problem = _target_problem(name, target)
        if problem:
            raise _report_error(problem)
        path = target.path
        if not is_stdout(path) and any(same_file(path, earlier.path) for earlier in targets.values()):
            raise _report_error(f"{path}: another report is written to this file")
        targets[name] = target
    return targets


def _report_error(why: str) -> click.BadParameter:
    """Return the usage error of --report."""
    return click.BadParameter(why, param_hint="--report")


def _target_of(name: str, file: str) -> ReportTarget:
    """Return the target of a report of this format. `file` is what the user has named: a file or folder."""
    if name == "junit" and (file.endswith("/") or Path(file).is_dir()):
        first_part = Path(file, _PART.format(1))
        return ReportTarget(first_part, divided=True)
    return ReportTarget(Path(file))


def _why_no_format(option: str, name: str, formats: Sequence[str]) -> str:
    """Return why an option does not name a format and a file. The results file gets a hint of its own."""
    why = f"{option!r} is not FORMAT=FILE; the formats are {', '.join(formats)}"
    if name == "json" and name not in formats:
        return f"{why}; json is the results file, which `run` writes"
    return why


def _target_problem(name: str, target: ReportTarget) -> str:
    """Return why a report of this format cannot be written to a target, or an empty string if it can."""
    path = target.path
    folder = path.parent
    if target.divided and not folder.exists():
        folder = folder.parent  # the folder of the parts is made
    if not folder.is_dir():
        return f"{folder}: no such directory"
    if path.is_dir() and (name != "badge" or path.suffix == ".json"):
        return f"{path} is a directory, but this report needs a file"
    if name == "badge" and path.is_file() and path.suffix != ".json" and not is_stdout(path):
        return f"{path} is a file; badges are written to a folder, or to a file named *.json"
    return ""


def is_stdout(path: Path) -> bool:
    """Return True if a path names stdout, to which several reports can be written."""
    return descriptor_of(path) == 1


def replaced_files(targets: Mapping[str, ReportTarget]) -> list[Path]:
    """Return the files that reports write or replace. `targets` come from `report_targets`.

    Of a folder of badges or parts, return those that exist already, and the first part. The other names are
    not known before the reports are written.
    """
    files: list[Path] = []
    for name, target in targets.items():
        if name == "badge" and target.path.is_dir():
            files += target.path.glob("*/rfc*.json")
            continue
        files.append(target.path)
        if target.divided:
            files += _existing_parts(target.path.parent)
    return files


def _existing_parts(folder: Path) -> list[Path]:
    """Return the parts of a JUnit report that are in a folder."""
    return [*folder.glob(_PART.format("*"))]


def results_file(targets: Mapping[str, ReportTarget], scratch: Path) -> Path:
    """Return the path for the results file.

    This is the path of the json report if that file can be read back. Otherwise, it is a path in the folder
    `scratch`.
    """
    target = targets.get("json")
    if target is None:
        return scratch / "results.jsonl"
    report = target.path
    can_be_read_back = report.is_file() or not report.exists()
    return report if can_be_read_back else scratch / "results.jsonl"


def write_reports(
    results: Results,
    targets: Mapping[str, ReportTarget],
    judgements: Sequence[Judgement] = (),
    baselines: Mapping[str, Path] = MappingProxyType({}),
) -> None:
    """Write every report except json, which the run itself writes.

    `judgements` come from the gate (empty: no gate). `baselines` maps an adapter to the file of its
    baseline. Raise OSError with the name of the file if a report cannot be written.
    """
    for name, target in targets.items():
        if name not in RENDERERS:
            continue
        path = target.path
        with errors_named(path), ignoring_broken_pipe(path):
            if name == "badge" and not is_stdout(path):
                _write_badges(results, path)
            elif target.divided:
                _write_parts(results, judgements, path.parent)
            elif name == "junit":
                _write_junit(results, judgements, path)
            else:
                text = render(name, results, judgements, baselines)
                write_atomically(path, text, "utf-8")


def _write_badges(results: Results, path: Path) -> None:
    """Write badges: all to one file if the path is `*.json` or a device, and otherwise to a folder."""
    from urlharness.report import badge

    badge.write(results, path)


def _write_junit(results: Results, judgements: Sequence[Judgement], path: Path) -> None:
    """Write a JUnit report piece by piece. Print a line if it is too large for GitLab."""
    from urlharness.report import junit

    size = 0
    with WholeFile(path) as stream:
        for piece in junit.render_pieces(results, judgements):
            stream.write(piece)
            size += len(piece)
    if size > junit.GITLAB_LIMIT:
        sizes = f"{_megabytes_in_words(size)}, and GitLab takes {_megabytes_in_words(junit.GITLAB_LIMIT)}"
        print_stderr(f"urlconform: {path}: {sizes}; --report junit=FOLDER/ writes parts")


def _megabytes_in_words(size: int) -> str:
    """Return a number of bytes in words, in megabytes."""
    return f"{size / 1e6:.0f} MB"


def _write_parts(results: Results, judgements: Sequence[Judgement], folder: Path) -> None:
    """Write a JUnit report in parts to a folder, in place of the parts of an earlier report."""
    from urlharness.report import junit

    folder.mkdir(exist_ok=True)
    parts = []
    for number, text in enumerate(junit.render_parts(results, judgements, junit.PART_SIZE), 1):
        part = folder / _PART.format(number)
        write_atomically(part, text, "utf-8")
        parts.append(part)
    # a part of an earlier report would be read as one of this report
    for earlier in _existing_parts(folder):
        if earlier not in parts:
            earlier.unlink()
