"""`urlconform report`: the results of an earlier run, printed and rendered again."""

from __future__ import annotations

from pathlib import Path

import click

from urlharness.cli.reports import RENDERED, check_reports, keep_inputs, write_reports
from urlharness.exitcodes import Exit


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--report", "reports", multiple=True, metavar="FORMAT=FILE",
              help=f"Write a report: {', '.join(RENDERED)}.")  # fmt: skip
def report(file: Path, reports: tuple[str, ...]) -> int:
    """Render the results of a run, a results.jsonl FILE, again.

    It prints the tables of the run, and where one adapter alone was asked the first of its failures.  It
    judges nothing: what a gate found is in the reports of the run.
    """
    from urlharness.cli.output import busy, console
    from urlharness.report import terminal
    from urlharness.report.texts import plain
    from urlharness.results import read_results

    if str(file) == "-":
        raise click.BadParameter("a pipe is read from /dev/stdin, not from -", param_hint="FILE")
    targets = check_reports(reports, RENDERED)
    keep_inputs(targets, [("the results that it is made of", file)])
    with busy(f"reading {plain(file.name)}"):
        results = read_results(file)
    out = console()
    terminal.render(out, results)
    if len(results.participants) == 1:
        out.print(terminal.failures(results, results.participants[0].name), soft_wrap=True)
    write_reports(results, targets)
    return Exit.PASSED
