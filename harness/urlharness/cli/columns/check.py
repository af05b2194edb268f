"""The command `check`, which judges files of URLs by one rule and counts the invalid ones by reason."""

from __future__ import annotations

import time
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from urlharness.cli.files import refuse_overwriting
from urlharness.cli.oracle_options import oracle_command, print_json, profile_option, spec_option
from urlharness.cli.output import console, print_stderr, progress
from urlharness.exitcodes import Exit
from urlharness.system.portability import usable_processors
from urlharness.system.textlines import Format
from urlharness.text import logged

if TYPE_CHECKING:
    from urlharness.batch import Engine
    from urlharness.batch.check import Run
    from urlharness.cli.oracle_options import ProfileValue, SpecValue


@oracle_command(
    click.argument("files", metavar="FILE...", nargs=-1, required=True),
    spec_option(required=True, text="The RFC, such as rfc3986."),
    click.option(
        "--rule", metavar="RULE", help="The rule of the grammar (default: the rule of URLs with a scheme)."
    ),
    profile_option,
    click.option(
        "--column", metavar="NAME", help="The column of URLs (default: url, or the only column of texts)."
    ),
    click.option(
        "--format",
        "form",
        type=click.Choice(get_args(Format)),
        help="The format of the files (default: by the file name, otherwise text).",
    ),
    click.option(
        "-o",
        "--output",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="OUT.parquet",
        help="Write all rows to this file, with columns valid, offset and reason.",
    ),
    click.option("--components", is_flag=True, help="Also write a column of components; needs -o."),
    click.option(
        "--threads",
        type=click.IntRange(1, 256),
        metavar="N",
        help="Number of threads (default: one for each processor).",
    ),
)
def check(
    files: tuple[str, ...],
    spec: SpecValue,
    rule: str | None,
    profile: ProfileValue | None,
    column: str | None,
    form: Format | None,
    output: Path | None,
    components: bool,
    threads: int | None,
    as_json: bool,
) -> int:
    """Judge every URL in parquet, CSV or text files of any size. The file `-` is stdin.

    Without --rule, a URL must have a scheme: the rule is URI in RFC 3986, absoluteURI in RFC 2396 and 2732,
    absoluteURL in RFC 1808, and url in RFC 1738. With --rule URI-reference, relative references are valid,
    too. A text file contains one URL per line. Text and CSV files may be compressed (.gz, .bz2, .zst, .lz4).

    The command prints the number of valid URLs and, for each reason, the number of invalid URLs with an
    example. The exit code is 1 if any URL is invalid, 5 if there is no URL to judge, and 6 if a file cannot
    be read.
    """
    try:
        from urlharness.batch import Engine
    except ImportError as missing:
        raise click.ClickException(str(missing)) from None
    from urlharness.batch.check import as_dict, print_run

    # In a list of URLs, an empty line or a relative reference is an error.
    engine = Engine(spec.id, rule or spec.absolute, profile, threads=threads or usable_processors())
    _refuse_contradictions(files, output, components=components)
    if components:
        engine.components  # noqa: B018 - raises Unsupported
    engine.warm_up()  # so that the time does not include compiling
    run = _check_files(engine, files, form, column, output, components=components)
    if run is None:
        return Exit.INVALID_FILE
    if as_json:
        print_json(as_dict(run))
    else:
        print_run(console(), run)
    if run.counts.invalid:
        return Exit.FAILED
    return Exit.PASSED if run.counts.valid else Exit.NOTHING_RAN


def _check_files(
    engine: Engine,
    files: tuple[str, ...],
    form: Format | None,
    column: str | None,
    output: Path | None,
    *,
    components: bool,
) -> Run | None:
    """Judge every row of the files, and return the run, or None if a file cannot be read.

    The rows are also written to `output`, if it is given, with their components if the user wants these. If a
    file cannot be read, print on stderr why, and how many rows the output has. Raise a usage error if there
    is no such column.
    """
    from urlharness.batch.check import Run, VerdictCounts, Writer
    from urlharness.batch.check import check as check_sources
    from urlharness.batch.sources import ColumnError, FileError, Source

    begin = time.monotonic()
    counts = VerdictCounts()
    writer = None if output is None else Writer(output, engine, components=components)
    # opened one after the other
    sources = (Source(name, form, column, whole=output is not None) for name in files)
    try:
        with nullcontext() if writer is None else writer, progress(sizes=True) as report:
            check_sources(
                engine,
                sources,
                counts,
                writer,
                lambda source: report(source.name, source.position, source.size),
            )
    except FileError as problem:
        note = ""
        if writer is not None and writer.rows:
            note = f" ({output} has the {writer.rows:,} rows before the error)"
        print_stderr(logged(f"urlconform: {problem}{note}"))
        return None
    except ColumnError as problem:
        raise click.UsageError(str(problem)) from None
    return Run(engine.spec.title, engine.rule, files, counts, time.monotonic() - begin)


def _refuse_contradictions(files: tuple[str, ...], output: Path | None, *, components: bool) -> None:
    """Raise a usage error if the options contradict each other or an input would be overwritten."""
    if components and output is None:
        raise click.UsageError("--components needs -o, the file to write them to")
    if output is not None:
        refuse_overwriting("-o", [output], {f"the input {name}": name for name in files})
        is_named_parquet = output.suffix.lower() in ("", ".parquet", ".pq")
        is_device = output.exists() and not output.is_file()
        if not is_named_parquet and not is_device:
            raise click.UsageError(f"-o {output}: the output is Parquet; name it *.parquet")
    if files.count("-") > 1:
        raise click.UsageError("`-` is given twice, but stdin can be read only once")
