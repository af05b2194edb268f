"""The command `report`, and the option `--report FORMAT=FILE` of `run`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import click

from urlharness.cli.files import refuse_overwriting, same_file
from urlharness.cli.options import Tables, showing
from urlharness.cli.output import busy, console, ignoring_broken_pipe
from urlharness.exitcodes import Exit
from urlharness.jsonio import descriptor_of, errors_named, write_atomically
from urlharness.report import RENDERERS, render
from urlharness.shell import join

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
    refuse_overwriting("--report", replaced_files(targets), {"the results file": file})
    with busy(f"reading {plain(file.name)}"):
        results = read_results(file)
    tables.check([one.name for one in results.participants])
    out = console()
    if len(results.participants) == 1:
        print_first_failures(out, results, results.participants[0].name)
    print_report(out, results, *tables, again=join(["urlconform", "report", str(file)]))
    write_reports(results, targets)
    return Exit.PASSED
