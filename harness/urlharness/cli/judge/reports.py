"""The command `report`, and the option `--report FORMAT=FILE` of `run`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import click

from urlharness.cli.options import Tables, showing
from urlharness.cli.output import busy, console, ignoring_broken_pipe
from urlharness.config import files_above
from urlharness.exitcodes import Exit
from urlharness.jsonio import errors_named
from urlharness.report import RENDERERS, render
from urlharness.shell import join

if TYPE_CHECKING:
    from urlharness.gate.gate import Judgement
    from urlharness.results.model import Results

#: The formats of `run --report`. The format json is the results file itself.
FORMATS = ("json", *RENDERERS)

#: Paths of stdout. A report is written to the open stream, because other lines go there too.
STDOUT = frozenset(("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"))


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
        if name == "badge" and path.is_file() and path.suffix != ".json" and file not in STDOUT:
            raise _refused(f"{path} is a file; badges are written to a folder, or to a file named *.json")
        if file == "-":
            raise _refused("`-` is not supported; use /dev/stdout")
        if file not in STDOUT and any(same_file(path, other) for other in targets.values()):
            raise _refused(f"{path}: another report is written to this file")
        targets[name] = path
    return targets


def _refused(why: str) -> click.BadParameter:
    return click.BadParameter(why, param_hint="--report")


def refuse_overwriting(option: str, outputs: Iterable[Path], inputs: Mapping[str, Path | None]) -> None:
    """Raise a usage error if an output is an input, or a pyproject.toml that the command may read."""
    outputs = list(outputs)
    project = [("the configuration of the project", path) for path in files_above()] if outputs else []
    for what, file in (*inputs.items(), *project):
        for path in outputs:
            if file is not None and same_file(path, file):
                raise click.BadParameter(f"'{path}' would overwrite {what}", param_hint=option)


def same_file(one: Path, other: Path) -> bool:
    """Return True if two paths lead to the same file. Devices and pipes are compared by name."""
    if one.exists() and other.exists():
        return one == other or (one.is_file() and other.is_file() and one.samefile(other))
    return os.path.realpath(one) == os.path.realpath(other)


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
            if name == "badge" and str(path) not in STDOUT:
                from urlharness.report import badge

                badge.write(results, path)
            else:
                _write(render(name, results, judgements, baselines), path)


def _write(text: str, path: Path) -> None:
    """Write a file. For stdout, write to the open stream, because opening it again would truncate it."""
    if str(path) in STDOUT:
        sys.stdout.flush()
        sys.stdout.write(text)
        sys.stdout.flush()
    else:
        path.write_text(text, encoding="utf-8")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@showing
@click.option("--report", "reports", multiple=True, metavar="FORMAT=FILE",
              help=f"Write a report: {', '.join(RENDERERS)}.")  # fmt: skip
def report(file: Path, tables: Tables, reports: tuple[str, ...]) -> int:
    """Print the summary of an earlier run, and write reports, from its results file.

    If the run had one adapter, its first failures are printed too. The decision of the gate is not repeated.
    The reports that the run itself wrote contain it.
    """
    from urlharness.report.terminal import print_first_failures, print_report
    from urlharness.results.model import read_results
    from urlharness.text import plain

    if str(file) == "-":
        raise click.BadParameter("`-` is not supported; use /dev/stdin", param_hint="FILE")
    targets = check_reports(reports, tuple(RENDERERS))
    refuse_overwriting("--report", targets.values(), {"the results file": file})
    with busy(f"reading {plain(file.name)}"):
        results = read_results(file)
    tables.check([one.name for one in results.participants])
    out = console()
    if len(results.participants) == 1:
        print_first_failures(out, results, results.participants[0].name)
    print_report(out, results, *tables, again=join(["urlconform", "report", str(file)]))
    write_reports(results, targets)
    return Exit.PASSED
