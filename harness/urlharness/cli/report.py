"""`urlconform report`: the results of an earlier run, printed and rendered again."""

from __future__ import annotations

from pathlib import Path

import click

from urlharness.cli.output import console
from urlharness.cli.reports import check_reports, write_reports
from urlharness.exitcodes import Exit
from urlharness.report import terminal
from urlharness.results import read_results


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--report", "reports", multiple=True, metavar="FORMAT=FILE",
              help="Write a report: junit or html.")  # fmt: skip
def report(file: Path, reports: tuple[str, ...]) -> int:
    """Render the results of a run, a results.jsonl FILE, again."""
    targets = check_reports(reports)
    results = read_results(file)
    terminal.render(console(), results)
    write_reports(results, targets)
    return Exit.PASSED
