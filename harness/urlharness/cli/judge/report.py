"""The command `report`, which prints the summary of an earlier run and writes reports from its results."""

from __future__ import annotations

from pathlib import Path

import click

from urlharness.cli.files import refuse_overwriting
from urlharness.cli.options import TableOptions, with_table_options
from urlharness.cli.output import busy, console
from urlharness.cli.reports import replaced_files, report_targets, write_reports
from urlharness.exitcodes import Exit
from urlharness.report import RENDERERS
from urlharness.shell import join


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@with_table_options
@click.option(
    "--report",
    "reports",
    multiple=True,
    metavar="FORMAT=FILE",
    help=f"Write a report: {', '.join(RENDERERS)}.",
)
def report(files: tuple[Path, ...], table_options: TableOptions, reports: tuple[str, ...]) -> int:
    """Print the summary of an earlier run, and write reports, from its results file.

    Several files are merged: those of jobs that divide the cases, with the same corpus and adapters. If the
    run had one adapter, its first failures are printed too. The decision of the gate is not repeated.
    The reports that the run itself wrote contain it.
    """
    from urlharness.report.terminal import print_first_failures, print_report
    from urlharness.results.model import merge_results, read_results
    from urlharness.text import plain

    if "-" in map(str, files):
        raise click.BadParameter("`-` is not supported; use /dev/stdin", param_hint="FILE")
    targets = report_targets(reports, tuple(RENDERERS))
    inputs = {f"the results file {file}" if len(files) > 1 else "the results file": file for file in files}
    refuse_overwriting("--report", replaced_files(targets), inputs)
    results_by_file = {}
    for file in dict.fromkeys(files):
        with busy(f"reading {plain(file.name)}"):
            results_by_file[file] = read_results(file)
    results = merge_results(results_by_file)
    names = [participant.name for participant in results.participants]
    table_options.check(names)
    if not table_options.quiet:
        out = console()
        if len(names) == 1:
            print_first_failures(out, results, names[0])
        print_report(
            out,
            results,
            table_options.implementations,
            sections=table_options.sections,
            components=table_options.components,
            again=join(["urlconform", "report", *map(str, files)]),
        )
    write_reports(results, targets)
    return Exit.PASSED
