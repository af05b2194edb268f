"""`urlconform check`: files of URLs judged by one rule, counted by reason."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from urlharness.exitcodes import Exit

if TYPE_CHECKING:
    from urlharness.batch import Engine
    from urlharness.batch.sources import Source


_PATIENCE = 2.0  # seconds before a bar is shown


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--spec", metavar="SPEC", required=True, help="The RFC, such as rfc3986.")
@click.option("--rule", metavar="RULE", help="The rule of its grammar; default: a whole URL.")
@click.option(
    "--profile",
    type=click.Choice(["scheme-specific", "generic", "prose"]),
    help="Grammar alone, schemes apart, or prose too.",
)
@click.option("--column", metavar="NAME", help="The column of URLs; default: url, or the only one of texts.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "csv", "parquet"]),
    help="What the files are; default: what their names say, else text.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="OUT.parquet",
    help="Write all rows, with columns valid, offset and reason.",
)
@click.option("--components", is_flag=True, help="Write a column of components too.")
@click.option("--threads", type=click.IntRange(1, 256), metavar="N", help="Default: one a processor.")
@click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")  # fmt: skip
def check(
    files: tuple[str, ...],
    spec: str,
    rule: str | None,
    profile: Any,
    column: str | None,
    form: Any,
    output: Path | None,
    components: bool,
    threads: int | None,
    as_json: bool,
) -> int:
    """Judge every URL in parquet, CSV or text files of any size; `-` is stdin.

    Text has a URL a line; text and CSV may be compressed (.gz, .bz2, .zst, .lz4).  Prints how many URLs are
    valid, and how many are not for each reason, with an example.  1 where one is invalid, 5 where there is
    none to judge, 6 where a file cannot be read.
    """
    engine = _engine(spec, rule, profile, threads or len(os.sched_getaffinity(0)))
    from urlharness.batch.check import Run, Tally, as_dict, render, writer
    from urlharness.batch.check import check as check_files
    from urlharness.batch.sources import ColumnError, FileError, Source
    from urlharness.cli.output import console

    _refuse(files, engine, output, components=components)
    engine.warm_up()  # compiling is not what is timed
    tally, begin = Tally(), time.monotonic()
    opened: Any = writer(output, engine, components=components) if output else nullcontext()
    try:
        with opened as out, _progress(files) as shown:
            sources = (Source(name, form, column, whole=output is not None) for name in files)
            check_files(engine, sources, tally, out, shown)
    except FileError as problem:
        kept = f" ({output} holds the {out.rows:,} rows before it)" if out is not None and out.rows else ""
        click.echo(f"urlconform: {problem}{kept}", err=True)
        return Exit.INVALID_FILE
    except ColumnError as problem:
        raise click.UsageError(str(problem)) from None
    run = Run(engine.spec.title, engine.rule, files, tally, time.monotonic() - begin)
    if as_json:
        click.echo(json.dumps(as_dict(run)))
    else:
        render(console(), run)
    if tally.invalid:
        return Exit.FAILED
    return Exit.PASSED if tally.valid else Exit.NOTHING_RAN


def _engine(spec: str, rule: str | None, profile: Any, threads: int) -> Engine:
    """The engine of the rule; raises usage errors where names do not exist or libraries are missing."""
    from urlharness.corpus.selection import spec_name

    try:
        from urlharness.batch import Engine
    except ImportError as missing:
        raise click.ClickException(str(missing)) from None
    from urlharness.batch.engine import UnknownRule, UnknownSpecification

    try:
        return Engine(spec_name(spec), rule, profile, threads=threads)
    except UnknownSpecification as unknown:
        raise click.BadParameter(str(unknown), param_hint="--spec") from None
    except UnknownRule as unknown:
        names = ", ".join(unknown.known)
        raise click.BadParameter(f"{spec} has {unknown}; there are {names}", param_hint="--rule") from None


def _refuse(files: tuple[str, ...], engine: Engine, output: Path | None, *, components: bool) -> None:
    """Raise usage errors for what would only fail when the work is under way, or destroy an input."""
    from urlharness.batch.engine import Unsupported

    if components and output is None:
        raise click.UsageError("--components go to the file that -o names")
    if components:
        try:
            engine.components  # noqa: B018 - asked whether it has any
        except Unsupported as unsupported:
            raise click.UsageError(str(unsupported)) from None
    if output is not None and output.exists():
        for name in files:
            if name != "-" and Path(name).exists() and output.samefile(name):
                raise click.UsageError(f"-o names {name}, which is read")
    if files.count("-") > 1:
        raise click.UsageError("stdin can be read once")


@contextmanager
def _progress(files: tuple[str, ...]) -> Iterator[Callable[[Source], None]]:
    """A bar on a terminal's stderr for work that takes its time; silence elsewhere."""
    import sys

    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    from urlharness.text import plain

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn(),
        TimeRemainingColumn(),
    )
    bars = Progress(*columns, console=Console(stderr=True), transient=True)
    begin, tasks = time.monotonic(), dict[str, Any]()

    def shown(source: Source) -> None:
        if time.monotonic() - begin < _PATIENCE:
            return
        if source.name not in tasks:
            bars.start()
            title = (
                f"{plain(source.name)} ({len(tasks) + 1} of {len(files)})" if len(files) > 1 else source.name
            )
            tasks[source.name] = bars.add_task(title, total=source.size)
        bars.update(tasks[source.name], completed=source.position)

    try:
        yield shown
    finally:
        bars.stop()
