"""`run`: select, ask, report, gate."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, count
from pathlib import Path

import click

from urlharness.adapters.registry import BUNDLED, Adapter
from urlharness.cli.config import ConfiguredCommand, adapter_named, where_no_adapter_is
from urlharness.cli.errors import ignoring_broken_pipe, print_stderr
from urlharness.cli.judge.exam import Exam, ask, exam
from urlharness.cli.judge.reports import (
    FORMATS,
    check_reports,
    refuse_overwriting,
    results_file,
    write_reports,
)
from urlharness.cli.options import Chosen, Terms, gated, limited, repeated_options, selecting
from urlharness.cli.output import busy, console
from urlharness.exitcodes import Exit
from urlharness.gate.baseline import read_baseline
from urlharness.gate.gate import Group, Judgement, decide, failure_test
from urlharness.limits import Limits
from urlharness.report.terminal import first_failures, print_tables
from urlharness.results.model import Results, copy_results, read_results
from urlharness.shell import baseline_create, baseline_update, join, option_words, repro
from urlharness.text import counted, file_name, logged

#: How many ids of a group are printed.
_FIRST = 5


@click.command(cls=ConfiguredCommand)
@click.argument("names", metavar="[ADAPTER]...", nargs=-1)
@selecting
@click.option("--gate", "gate_only", is_flag=True,
              help="An ADAPTER is required, here or in [tool.urlconform]: never a survey.")  # fmt: skip
@click.option("--list", "list_only", is_flag=True, help="Print the ids that are selected and stop.")
@click.option(
    "--maxfail",
    type=click.IntRange(min=1),
    metavar="N",
    help="Stop an adapter at N failures that no baseline lists; it has not passed.",
)
@click.option("--baseline", "baselines", multiple=True, metavar="[ADAPTER=]FILE",
              help="Known wrong answers: only what differs from them fails, or is stale.")  # fmt: skip
@gated
@limited
@click.option("--report", "reports", multiple=True, metavar="FORMAT=FILE",
              help=f"Also write a report: {', '.join(FORMATS)}.")  # fmt: skip
def run(
    names: tuple[str, ...],
    chosen: Chosen,
    gate_only: bool,
    list_only: bool,
    maxfail: int | None,
    baselines: tuple[str, ...],
    terms: Terms,
    limits: Limits,
    reports: tuple[str, ...],
) -> int:
    """Judge adapters by RFC section.

    Without an ADAPTER this is a survey of the reference and every library found here, which fails only if
    the reference does.  A named adapter is gated: it fails on any required vector of the RFCs it claims, or
    on what differs from its baseline.  Defaults are in [tool.urlconform] of pyproject.toml.
    """
    named = _adapters(names, required=gate_only)
    targets = check_reports(reports)
    files = _baseline_files(baselines, [adapter.name for adapter in named])
    refuse_overwriting("--report", targets.values(), _inputs(files, chosen.vectors))
    listed = {name: read_baseline(file) for name, file in files.items()}
    with busy("reading the corpus"):
        asked = exam(chosen)
    policy = terms.policy(asked.corpus.cases)
    if asked.empty:
        click.echo("urlconform: no vector meets the selection", err=True)
        return Exit.NOTHING_RAN
    if list_only:
        return _list(asked)
    shown, other = [adapter.name for adapter in named], asked.other
    judged = chosen.selection.specs or (other.specs if other is not None else ())
    with tempfile.TemporaryDirectory() as scratch:
        path = results_file(targets, Path(scratch))
        counts = failure_test(shown, judged, policy, listed)
        interrupted = ask(named or list(BUNDLED.values()), asked, path, limits, maxfail, counts)
        with busy("reading the results"):
            results = read_results(path)
        if targets.get("json", path) != path:  # a pipe or a device, which cannot be read back
            with ignoring_broken_pipe(targets["json"]):
                copy_results(path, targets["json"])
    _print(results, shown)
    if interrupted:
        write_reports(results, targets, (), files)
        print_stderr("urlconform: interrupted; the reports have the results so far")
        return Exit.INTERRUPTED
    known = asked.known() if listed else None
    ids = known.ids if known is not None else None
    decision = decide(results, shown, judged, policy=policy, baselines=listed, known=ids)
    write_reports(results, targets, decision.judgements, files)
    if other is not None and other.says:
        print_stderr(f"urlconform: {other.says}")
        if not shown:  # a survey by the expectations of another project fails for no adapter
            return Exit.PASSED
    options = repeated_options(chosen, terms, limits)
    why = known.why if known is not None else str
    for judgement in decision.judgements:
        for line in reasons(judgement, shown, files, options, why, partial(_repro, results)):
            print_stderr(line)
    return decision.code


def _adapters(names: Sequence[str], *, required: bool) -> list[Adapter]:
    """Return the adapters, each once; raises a usage error if one is required and none is named."""
    if required and not names:
        why = f"--gate needs an ADAPTER: {where_no_adapter_is()}"
        todo = "name one here, or in adapters of [tool.urlconform] in pyproject.toml"
        raise click.UsageError(f"{why}; {todo}", click.get_current_context())
    return [adapter_named(name) for name in dict.fromkeys(names)]


def _baseline_files(given: Sequence[str], names: Sequence[str]) -> Mapping[str, Path]:
    """Return the file of each adapter from `ADAPTER=FILE`, or from `FILE` if one adapter is named."""
    files: dict[str, Path] = {}
    for item in given:
        named = max((name for name in names if item.startswith(f"{name}=")), key=len, default=None)
        if named is None and len(names) != 1:
            why = "use ADAPTER=FILE with an adapter of this run" if names else "it needs a named ADAPTER"
            raise click.BadParameter(f"{item!r}: {why}", param_hint="--baseline")
        name = names[0] if named is None else named
        if name in files:
            raise click.BadParameter(f"{item!r}: {name} has a baseline already", param_hint="--baseline")
        files[name] = Path(item if named is None else item.removeprefix(f"{named}="))
    return files


def _inputs(baselines: Mapping[str, Path], vectors: Path | None) -> Iterator[tuple[str, Path]]:
    """Yield what each file is that the run reads, and its path."""
    for name, file in baselines.items():
        yield f"the baseline of {name}", file
    if vectors is not None:
        yield "the file of --vectors", vectors


def _list(asked: Exam) -> Exit:
    for case in chain(asked.cases, *(stream.cases() for stream in asked.streams)):
        click.echo(case.vector.id)
    return Exit.PASSED


def _print(results: Results, names: Sequence[str]) -> None:
    out = console()
    print_tables(out, results)
    for participant in results.participants:
        if participant.name in names:
            out.print(first_failures(results, participant.name), soft_wrap=True)


def reasons(
    judgement: Judgement,
    names: Sequence[str],
    baselines: Mapping[str, Path],
    options: Sequence[str],
    why: Callable[[str], str],
    repeat: Callable[[str, str], str],
) -> list[str]:
    """Return the lines that are printed for a judgement, safe for a terminal.

    `names` are the adapters of the run, `options` those of its command line, `why` explains an unknown id,
    and `repeat` returns the command that puts a case to an adapter again.
    """
    if not judgement.reason:
        return []
    baseline = baselines.get(judgement.name)
    where = f" ({baseline})" if baseline is not None else ""
    lines = [f"urlconform: {judgement.reason}{where}"]
    lines += [f"  {_group(group, why)}" for group in judgement.groups]
    if judgement.shown:
        lines.append(f"  see one: {repeat(judgement.shown, judgement.name)}")
    if judgement.groups and judgement.listable and (command := _command(judgement, names, baseline, options)):
        lines.append(f"  {'remove them' if judgement.code == Exit.STALE else 'accept'}: {command}")
    return [logged(line) for line in lines]


def _repro(results: Results, identifier: str, name: str) -> str:
    """Return the command that puts a case of the run to an adapter again."""
    header = results.header
    vectors = header.vectors if identifier in results.vectors else ""  # generated cases are in no file
    return repro(
        identifier,
        name,
        vectors=vectors,
        timeout=header.timeout,
        start_timeout=header.start_timeout,
    )


def _group(group: Group, why: Callable[[str], str]) -> str:
    if not group.ids:  # of generated cases only some failures are kept
        return f"{group.what}: {counted(group.count, 'generated case')}"
    first = [f"{one} ({why(one)})" if group.what == "unknown id" else one for one in group.ids[:_FIRST]]
    more = group.count - len(first)
    return f"{group.what}: {', '.join(first)}" + (f" and {more} more" if more else "")


def _command(
    judgement: Judgement, names: Sequence[str], baseline: Path | None, options: Sequence[str]
) -> str:
    """Return the command after which the gate passes, or an empty string if there is none, or in a survey."""
    name, stale = judgement.name, judgement.code == Exit.STALE
    if judgement.code not in (Exit.FAILED, Exit.STALE) or name not in names:
        return ""
    if baseline is not None:
        return baseline_update(str(baseline), name, options, only_shrink=stale)
    file = _new_baseline(name, several=len(names) > 1)
    used = option_words(baseline=f"{name}={file}" if len(names) > 1 else file)
    return f"{baseline_create(name, options, str(file))}, then {join(used)}"


def _new_baseline(name: str, *, several: bool) -> Path:
    """Return a name for the baseline of an adapter that no file has yet."""
    stem = f"{file_name(name, {})}.baseline" if several else "baseline"
    names = chain([f"{stem}.json"], (f"{stem}-{number}.json" for number in count(2)))
    return next(path for path in map(Path, names) if not path.exists())
