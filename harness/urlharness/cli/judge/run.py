"""The command `run`: select cases, ask adapters, write reports, decide the gate."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from urlharness.adapters.registry import BUNDLED, NotInstalled, available_adapters
from urlharness.cli.files import program_files, refuse_overwriting
from urlharness.cli.judgements import (
    JudgedWithGroups,
    baseline_files,
    print_judgements,
    print_reasons,
    with_new_groups,
)
from urlharness.cli.options import (
    CaseOptions,
    ConfiguredCommand,
    GateOptions,
    TableOptions,
    library_named,
    repeated_options,
    with_case_options,
    with_gate_options,
    with_limits,
    with_table_options,
)
from urlharness.cli.output import busy, console, ignoring_broken_pipe, print_stderr
from urlharness.cli.reports import (
    FORMATS,
    ReportTarget,
    replaced_files,
    report_targets,
    results_file,
    write_reports,
)
from urlharness.config import PLACES, find_configuration
from urlharness.exitcodes import Exit
from urlharness.protocol.failures import AdapterDead
from urlharness.protocol.limits import Limits
from urlharness.shell import join
from urlharness.text import logged

if TYPE_CHECKING:
    from urlharness.adapters.registry import Adapter
    from urlharness.cli.exam import Exam
    from urlharness.gate.policy import FailureTest
    from urlharness.results.model import Results


@click.command(cls=ConfiguredCommand)
@click.argument("names", metavar="[ADAPTER]...", nargs=-1)
@with_case_options
@click.option(
    "--gate",
    "gate_only",
    is_flag=True,
    help="Require an ADAPTER, here or in the configuration; never make a survey.",
)
@click.option(
    "--allow-missing",
    is_flag=True,
    help="With --gate, accept a named ADAPTER that is not installed, unless none is.",
)
@click.option("--list", "list_only", is_flag=True, help="Only print the ids of what would be asked.")
@click.option(
    "--maxfail",
    type=click.IntRange(min=1),
    metavar="N",
    help="Stop an adapter after N failures that are not in its baseline. A stopped adapter cannot pass.",
)
@click.option(
    "--baseline",
    multiple=True,
    metavar="[ADAPTER=]FILE",
    help="Known wrong answers; only differences from them fail.",
)
@with_gate_options
@with_limits
@with_table_options
@click.option(
    "--report",
    multiple=True,
    metavar="FORMAT=FILE",
    help=f"Also write a report; formats: {', '.join(FORMATS)}.",
)
def run(
    names: tuple[str, ...],
    case_options: CaseOptions,
    gate_only: bool,
    allow_missing: bool,
    list_only: bool,
    maxfail: int | None,
    baseline: tuple[str, ...],
    gate_options: GateOptions,
    limits: Limits,
    table_options: TableOptions,
    report: tuple[str, ...],
) -> int:
    """Judge adapters, and print how many statements of each RFC hold.

    Without an ADAPTER, this is a survey of the reference and of the libraries that need no install. A survey
    fails only if the reference fails. A named ADAPTER fails if it gives a wrong answer to a required vector
    of an RFC that it claims. With a baseline, it fails if its answers differ from the baseline. Defaults come
    from [tool.urlconform] in pyproject.toml, or from urlconform.toml.
    """
    from urlharness.cli.exam import load_exam
    from urlharness.gate.baseline import read_baseline
    from urlharness.gate.gate import decide, failure_test

    if gate_only and not names:
        raise _no_adapter_error()
    adapters = [library_named(name) for name in dict.fromkeys(names)]
    adapter_names = [adapter.name for adapter in adapters]
    table_options.check_implementations(adapter_names or [*BUNDLED])
    targets = report_targets(report)
    files = baseline_files(baseline, adapter_names)
    _refuse_overwriting(targets, files, case_options.vectors, adapters)
    baselines = {name: read_baseline(file) for name, file in files.items()}
    with busy("reading the corpus"):
        exam = load_exam(case_options)
    policy = gate_options.policy(exam.corpus.cases)
    if exam.is_empty:
        print_stderr(logged(f"urlconform: {case_options.selection.no_match_message(exam.corpus.cases)}"))
        return Exit.NOTHING_RAN
    if list_only:
        return _print_ids(exam, adapters, limits)
    judged_specs = case_options.selection.specs or exam.foreign_specs
    is_failure = failure_test(adapter_names, judged_specs, policy, baselines)
    run_so_far = _ask(adapters, exam, targets, limits, maxfail, is_failure)
    results = run_so_far.results
    if run_so_far.interrupted:
        _print_results(results, table_options)
        write_reports(results, targets, judgements=(), baselines=files)
        print_stderr("urlconform: interrupted; the reports contain the results so far")
        return Exit.INTERRUPTED
    known_ids = exam.known_ids() if baselines else None
    decision = decide(
        results,
        adapter_names,
        judged_specs,
        policy=policy,
        baselines=baselines,
        corpus_ids=None if known_ids is None else known_ids.ids,
        require_installed=gate_only and not allow_missing,
    )
    options = repeated_options(case_options, gate_options, limits)
    run_again = "" if adapter_names else join(["urlconform", "run", *options])
    judged = with_new_groups(results, decision.judgements)
    gated = [judged_adapter for judged_adapter in judged if judged_adapter.judgement.name in adapter_names]
    _print_results(results, table_options, gated, run_again)
    write_reports(results, targets, decision.judgements, files)
    foreign = exam.foreign
    if foreign is not None and foreign.note:
        print_stderr(f"urlconform: {foreign.note}")
        if not adapter_names:  # a survey with a foreign corpus never fails
            return Exit.PASSED
    source_words = partial(_source_words, adapter_names, options)
    print_reasons(results, judged, files, known_ids, source_words)
    return decision.code


def _source_words(adapter_names: Sequence[str], options: Sequence[str], name: str) -> list[str]:
    """Return the words by which a `baseline` command asks an adapter again: see `SourceWords`.

    No command accepts the answers of an adapter that the user does not name. `options` are those of the run.
    """
    if name not in adapter_names:
        return []
    return [name, *options]


# ---- input


def _no_adapter_error() -> click.UsageError:
    """Return the error of --gate without an adapter, which says where one can be given."""
    why = f"--gate needs an ADAPTER: give one here, or set `adapters` in {PLACES}"
    file = find_configuration()
    if file is not None and not file.configuration.adapters:
        why = f"{why}; {file.path} does not set it"
    return click.UsageError(why, click.get_current_context())


def _refuse_overwriting(
    targets: Mapping[str, ReportTarget],
    baselines: Mapping[str, Path],
    vectors: Path | None,
    adapters: Sequence[Adapter],
) -> None:
    """Raise a usage error if a report would replace a file that the run reads."""
    inputs: dict[str, Path | None] = {f"the baseline of {name}": file for name, file in baselines.items()}
    inputs["the file of --vectors"] = vectors
    inputs.update(program_files(adapters))
    refuse_overwriting("--report", replaced_files(targets), inputs)


def _print_ids(exam: Exam, adapters: Sequence[Adapter], limits: Limits) -> Exit:
    """Print the ids of the stored and the generated cases, and return the exit code.

    If adapters are named, only cases that one of them would be asked are listed. That depends on the RFCs
    that an adapter claims, so each is started.
    """
    from urlharness.corpus.specifications import is_asked
    from urlharness.runner import ConnectedAdapter

    specs_of_adapters = []
    for adapter in adapters:
        try:
            with closing(ConnectedAdapter(adapter, limits)) as connected:
                specs_of_adapters.append(connected.participant.specs)
        except (AdapterDead, NotInstalled) as failure:
            print_stderr(logged(f"urlconform: {adapter.name}: {failure}"))
    if adapters and not specs_of_adapters:
        return Exit.ADAPTER_DEAD
    generated = (stream.cases() for stream in exam.streams)
    for case in chain(exam.cases, *generated):
        is_asked_by_any = any(is_asked(case.spec, specs) for specs in specs_of_adapters)
        if is_asked_by_any or not adapters:
            click.echo(logged(case.vector.id))
    return Exit.PASSED


class _RunSoFar(NamedTuple):
    """The results of a run. `interrupted` is True if the user ended it before all cases were asked."""

    results: Results
    interrupted: bool


def _ask(
    adapters: Sequence[Adapter],
    exam: Exam,
    targets: Mapping[str, ReportTarget],
    limits: Limits,
    maxfail: int | None,
    is_failure: FailureTest,
) -> _RunSoFar:
    """Ask the adapters, or all bundled ones if there are none, and return the results.

    The results are also written to the json report of `targets`. An adapter is stopped after `maxfail` cases
    for which `is_failure` returns True.
    """
    from urlharness.cli.exam import ask_adapters
    from urlharness.results.model import ResultsFollower, copy_results

    with tempfile.TemporaryDirectory() as scratch:
        path = results_file(targets, Path(scratch))
        with closing(ResultsFollower(path)) as follower:
            interrupted = ask_adapters(
                adapters or list(BUNDLED.values()),
                exam,
                path,
                limits,
                maxfail,
                is_failure,
                meanwhile=follower.read_on,
            )
            with busy("reading the results"):
                results = follower.results()
        report = targets.get("json")
        if report is not None and report.path != path:  # a pipe or device, which cannot be read back
            with ignoring_broken_pipe(report.path):
                copy_results(path, report.path)
    return _RunSoFar(results, interrupted)


# ---- output


def _print_results(
    results: Results,
    table_options: TableOptions,
    judged: Sequence[JudgedWithGroups] = (),
    run_again: str = "",
) -> None:
    """Print the new findings in full, then the summary. A survey names the command to `run_again`."""
    if table_options.quiet:
        return
    from urlharness.report.terminal import print_report

    out = console()
    print_judgements(out, results, judged)
    is_survey = run_again != ""
    is_short = is_survey and not (table_options.sections or table_options.components)
    not_asked: list[str] = []
    if is_short:  # only a short survey says which other libraries could be judged
        not_asked = [adapter.name for adapter in available_adapters() if adapter.name not in BUNDLED]
    print_report(
        out,
        results,
        table_options.implementations,
        sections=table_options.sections,
        components=table_options.components,
        command=run_again,
        not_asked=not_asked,
    )
