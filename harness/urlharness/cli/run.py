"""`urlconform run`: put the corpus to adapters, print the compliance, write reports, gate."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import get_args

import click

from urlharness import foreign, gate
from urlharness.adapters.registry import BUNDLED, Adapter, find
from urlharness.cli.output import console, progress
from urlharness.cli.reports import check_reports, results_file, write_reports
from urlharness.corpus import Case, load
from urlharness.exitcodes import Exit
from urlharness.report import terminal
from urlharness.results import Results, ResultsWriter, read_results
from urlharness.runner import open_results
from urlharness.runner import run as run_adapter
from urlharness.selection import Selection, Tier, spec_name
from urlharness.session import Limits
from urlharness.streams import Stream


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("names", metavar="[ADAPTER]...", nargs=-1)
@click.option("--spec", "specs", multiple=True, metavar="SPEC", help="Only this RFC, such as rfc3986.")
@click.option(
    "--section", "sections", multiple=True, metavar="N", help="Only this section and everything below it."
)
@click.option("--rule", "rules", multiple=True, metavar="RULE", help="Only validate vectors of this rule.")
@click.option(
    "--tier",
    "tiers",
    type=click.Choice(["core", *get_args(Tier)]),
    multiple=True,
    default=["core"],
    show_default=True,
    help="Which tiers: the corpus as stored (core), or generated ones.",
)
@click.option(
    "--flag", "flags", multiple=True, metavar="FLAG", help="Only cases with this flag: security, basic, …"
)
@click.option("-k", "words", multiple=True, metavar="WORD", help="Only ids that contain this.")
@click.option("--list", "list_only", is_flag=True, help="Print the ids that are selected and stop.")
@click.option("--maxfail", type=click.IntRange(min=1), metavar="N", help="Stop an adapter at N failures.")
@click.option("--strict", is_flag=True, help="Partial answers of a named adapter fail the gate too.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0.001),
    default=5.0,
    show_default=True,
    metavar="S",
    help="Seconds for one case.",
)
@click.option(
    "--start-timeout",
    type=click.FloatRange(min=0.001),
    default=30.0,
    show_default=True,
    metavar="S",
    help="Seconds for an adapter to say hello.",
)
@click.option(
    "--report",
    "reports",
    multiple=True,
    metavar="FORMAT=FILE",
    help="Also write a report: json (results.jsonl), junit or html.",
)
@click.option("--vectors", "vectors", type=click.Path(path_type=Path, exists=True), metavar="PATH",
              help="Use the corpus in this directory, or a foreign one in this file.")  # fmt: skip
def run(
    names: tuple[str, ...],
    specs: tuple[str, ...],
    sections: tuple[str, ...],
    rules: tuple[str, ...],
    tiers: tuple[str, ...],
    flags: tuple[str, ...],
    words: tuple[str, ...],
    list_only: bool,
    maxfail: int | None,
    strict: bool,
    timeout: float,
    start_timeout: float,
    reports: tuple[str, ...],
    vectors: Path | None,
) -> int:
    """Judge adapters by RFC section.

    Without an ADAPTER this is a survey of the reference and every library found here, which fails only where
    the reference does.  A named adapter is gated: it fails on any required vector of the RFCs it claims.
    """
    targets = check_reports(reports)
    named = [find(name) for name in dict.fromkeys(names)]
    adapters = named or list(BUNDLED.values())
    selection = Selection(tuple(map(spec_name, specs)), sections, rules, words, flags)
    other = foreign.load(vectors) if vectors is not None and not vectors.is_dir() else None
    corpus = load(vectors) if other is None else other.corpus
    cases = selection.pick(corpus.cases) if "core" in tiers or other is not None else []
    streams, digests = _generated(tiers, selection)
    if not cases and not streams:
        click.echo("urlconform: no vector meets the selection", err=True)
        return Exit.NOTHING_RAN
    if list_only:
        for case in chain(cases, *(stream.cases() for stream in streams)):
            click.echo(case.vector.id)
        return Exit.PASSED
    limits = Limits(start=start_timeout, case=timeout)
    with tempfile.TemporaryDirectory() as scratch:
        path = results_file(targets, Path(scratch))
        writer = open_results(path.open("wb"), corpus, cases, digests)
        blind = () if other is None else other.blind
        interrupted = _ask(adapters, cases, streams, writer, limits, maxfail, blind)
        results = read_results(path)
        if targets.get("json", path) != path:  # a pipe or a device, which cannot be read back
            targets["json"].write_bytes(path.read_bytes())
    shown = [adapter.name for adapter in named]
    _print(results, shown)
    write_reports(results, targets)
    if interrupted:
        click.echo("urlconform: interrupted; what was settled is in the reports", err=True)
        return Exit.INTERRUPTED
    if other is not None and other.says:
        click.echo(f"urlconform: {other.says}", err=True)
        if not shown:  # a survey, and nobody answers for what another side expects
            return Exit.PASSED
    judged = selection.specs or (other.specs if other is not None else ())
    code, reasons = gate.judge(results, shown, judged, strict=strict)
    for reason in reasons:
        click.echo(f"urlconform: {reason}", err=True)
    return code


def _generated(tiers: Sequence[str], selection: Selection) -> tuple[list[Stream], Mapping[str, str]]:
    """The streams of the generated tiers, and the digest that each part of them should have."""
    wanted = [tier for tier in get_args(Tier) if tier in tiers]
    if not wanted:
        return [], {}
    from urlharness.generate.selected import digests, streams

    found = streams(wanted, selection)
    return found, digests(found)


def _ask(
    adapters: Sequence[Adapter],
    cases: list[Case],
    streams: Sequence[Stream],
    writer: ResultsWriter,
    limits: Limits,
    maxfail: int | None,
    blind: Sequence[str],
) -> bool:
    """Run every adapter; True where the user interrupted.  The results file is closed in any case."""
    interrupted = True
    try:
        total = len(cases) + sum(stream.total for stream in streams)
        with progress([adapter.name for adapter in adapters], total) as told:
            for adapter in adapters:
                run_adapter(
                    adapter,
                    cases,
                    writer,
                    limits,
                    streams=streams,
                    maxfail=maxfail,
                    blind=blind,
                    progress=told,
                )
        interrupted = False
    except KeyboardInterrupt:
        pass
    finally:
        writer.close(interrupted=interrupted)
    return interrupted


def _print(results: Results, names: Sequence[str]) -> None:
    out = console()
    terminal.render(out, results)
    for participant in results.participants:
        if participant.name in names:
            out.print(terminal.failures(results, participant.name))
