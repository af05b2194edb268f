"""`urlconform run`: put the corpus to adapters, print the compliance, write reports, gate."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from urlharness.cli.configured import ConfiguredCommand, adapter_named, where_no_adapter_is
from urlharness.cli.options import Chosen, Terms, gated, limited, selecting
from urlharness.cli.reports import FORMATS, check_reports, keep_inputs, results_file, write_reports
from urlharness.exitcodes import Exit
from urlharness.limits import Limits

if TYPE_CHECKING:
    from urlharness.adapters.registry import Adapter
    from urlharness.cli.asking import Exam
    from urlharness.cli.lists import Lists
    from urlharness.cli.repeated import Repeated
    from urlharness.judgement import Judgement
    from urlharness.known_ids import Known
    from urlharness.results import Results


@click.command(cls=ConfiguredCommand, context_settings={"help_option_names": ["-h", "--help"]})
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

    Without an ADAPTER this is a survey of the reference and every library found here, which fails only where
    the reference does.  A named adapter is gated: it fails on any required vector of the RFCs it claims, or
    on what differs from its baseline.  Defaults stand in [tool.urlconform] of pyproject.toml.
    """
    from urlharness import gate
    from urlharness.adapters.registry import BUNDLED
    from urlharness.baseline import read_baseline
    from urlharness.cli.asking import ask, exam
    from urlharness.cli.lists import Lists
    from urlharness.cli.output import busy
    from urlharness.cli.readers import may_leave, say
    from urlharness.cli.repeated import repeated, said
    from urlharness.linefiles import copy
    from urlharness.pasting import place_of
    from urlharness.results import read_results

    named = _adapters(names, required=gate_only)
    targets = check_reports(reports)
    files = _baseline_files(baselines, [adapter.name for adapter in named])
    keep_inputs(targets, _inputs(files, chosen.vectors, named))
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
        counts = gate.counting(shown, judged, policy, listed)
        interrupted = ask(named or list(BUNDLED.values()), asked, path, limits, maxfail, counts)
        with busy("reading the results"):
            results = read_results(path)
        if targets.get("json", path) != path:  # a pipe or a device, which cannot be read back
            with may_leave(targets["json"]):
                copy(path, targets["json"])
    _print(results, shown)
    if interrupted:
        write_reports(results, targets, (), files)
        say("urlconform: interrupted; what was settled is in the reports")
        return Exit.INTERRUPTED
    known = asked.known() if listed else None
    ids = known.ids if known is not None else None
    found = gate.judgements(results, shown, judged, policy=policy, baselines=listed, known=ids)
    write_reports(results, targets, found, files)
    if other is not None and other.says:
        say(f"urlconform: {other.says}")
        if not shown:  # a survey, and nobody answers for what another side expects
            return Exit.PASSED
    options = repeated(chosen, terms, limits, place_of(named))
    _tell(found, results, Lists(shown, files, configured=not said("baselines")), options, known)
    return gate.code_of(found)


def _adapters(names: Sequence[str], *, required: bool) -> list[Adapter]:
    """The adapters that are named, each once; raises a usage error where one is required and none is."""
    if required and not names:
        why = f"--gate needs an ADAPTER, and none is named: {where_no_adapter_is()}"
        todo = "name one here, or in adapters of [tool.urlconform] in pyproject.toml"
        raise click.UsageError(f"{why}; {todo}", click.get_current_context())
    return [adapter_named(name) for name in dict.fromkeys(names)]


def _baseline_files(given: Sequence[str], names: Sequence[str]) -> Mapping[str, Path]:
    """The file of each adapter, of `ADAPTER=FILE`, or of `FILE` where one adapter is named."""
    files: dict[str, Path] = {}
    for item in given:
        named = max((name for name in names if item.startswith(f"{name}=")), key=len, default=None)
        if named is None and len(names) != 1:
            why = "ADAPTER=FILE with an adapter of this run" if names else "it goes with a named ADAPTER"
            raise click.BadParameter(f"{item!r}: {why}", param_hint="--baseline")
        name = names[0] if named is None else named
        if name in files:
            raise click.BadParameter(f"{item!r}: {name} has one already", param_hint="--baseline")
        files[name] = Path(item if named is None else item.removeprefix(f"{named}="))
    return files


def _inputs(
    baselines: Mapping[str, Path], vectors: Path | None, adapters: Sequence[Adapter]
) -> Iterator[tuple[str, Path]]:
    """What each file is that the run reads, as far as that is known."""
    from urlharness.adapters.files import files_of

    for name, file in baselines.items():
        yield f"the baseline of {name}", file
    if vectors is not None:
        yield "the file of --vectors", vectors
    for adapter in adapters:
        for file in files_of(adapter):
            yield f"a file of {adapter.name}", file


def _tell(
    found: Iterable[Judgement], results: Results, lists: Lists, options: Repeated, known: Known | None
) -> None:
    """Say what the gate found, with the commands that go on from there."""
    from urlharness.cli import reasons
    from urlharness.cli.readers import say
    from urlharness.report.repeating import repro_line

    why = known.why if known is not None else str
    for judgement in found:
        for line in reasons.lines(judgement, lists, options, why, partial(repro_line, results)):
            say(line)


def _list(asked: Exam) -> Exit:
    for case in chain(asked.cases, *(stream.cases() for stream in asked.streams)):
        click.echo(case.vector.id)
    return Exit.PASSED


def _print(results: Results, names: Sequence[str]) -> None:
    from urlharness.cli.output import console
    from urlharness.report import terminal

    out = console()
    terminal.render(out, results)
    for participant in results.participants:
        if participant.name in names:
            out.print(terminal.failures(results, participant.name), soft_wrap=True)
