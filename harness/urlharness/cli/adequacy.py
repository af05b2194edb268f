"""`urlconform vectors adequacy`: what the corpus and the generated tiers would notice."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from urlharness.corpus import SPECS
from urlharness.exitcodes import Exit

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--spec", "specs", multiple=True, type=click.Choice(SPECS), help="This RFC only; repeatable.")
@click.option("--sample", type=click.IntRange(min=1), metavar="N",
              help="Only N mutants, pairs and faults of each rule: an estimate.")  # fmt: skip
@click.option("--seed", type=int, default=1, show_default=True, help="What sampling begins with.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
@click.option("--survivors", type=_FILE, metavar="FILE",
              help="Write what the core misses, with witnesses, as JSON.")  # fmt: skip
@click.option("-o", "--output", type=_FILE, metavar="FILE", help="Write result and corpus digest.")
@click.option("--processes", type=click.IntRange(min=1), metavar="N", help="Default: one for each CPU.")
def adequacy(specs: tuple[str, ...], sample: int | None, seed: int, as_json: bool,
             survivors: Path | None, output: Path | None, processes: int | None) -> int:  # fmt: skip
    """Measure what the corpus would notice: mutants and faults; 1 where a goal is missed."""
    from urlharness.adequacy import report, running
    from urlharness.adequacy.measured import Plan
    from urlharness.corpus import load

    for file in filter(None, (output, survivors)):
        if not file.parent.is_dir():
            raise click.BadParameter(f"{file.parent}: no such directory")
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends the processes as Ctrl-C does
    digest = load().digest
    chosen = running.specs_of(specs, SPECS)
    workers = processes or os.cpu_count() or 1
    plan = Plan(chosen, sample, seed, processes=workers, cover=survivors is not None)
    with _progress() as told:
        measured = running.run(plan, told)
    found = report.figures(measured)
    if output is not None:
        text = json.dumps(report.document(found, digest, sample, seed), indent=1) + "\n"
        output.write_text(text, encoding="ascii")
    if survivors is not None:
        from urlharness.adequacy.witnesses import candidates

        grouped = {spec: candidates(spec, measured[spec].survivors) for spec in chosen}
        survivors.write_text(json.dumps(grouped, indent=1) + "\n", encoding="ascii")
        for spec, witnesses in grouped.items():
            click.echo(f"{spec}: {_summary(witnesses)}", err=True)
    if as_json:
        click.echo(json.dumps(found, indent=1))
    else:
        _print(list(report.rows(found)), report.COLUMNS)
    missed = list(report.missed(found))
    for line in missed:
        click.echo(f"under the goal: {line}", err=True)
    return Exit.FAILED if missed else Exit.PASSED


def _summary(witnesses: list[dict[str, object]]) -> str:
    rules = Counter(str(one["rule"]) for one in witnesses)
    return f"{len(witnesses)} witnesses: " + ", ".join(f"{rule} {count}" for rule, count in rules.items())


def _print(rows: list[tuple[str, ...]], columns: tuple[str, ...]) -> None:
    from rich.table import Table

    from urlharness.cli.output import console

    table = Table(box=None, pad_edge=False)
    for name in ("RFC", "tier", *(column.replace("_", " ") for column in columns), "fault domain"):
        table.add_column(name)
    for row in rows:
        table.add_row(*row)
    console().print(table)


@contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """A bar on a terminal's stderr; silence elsewhere."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("mutants", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
