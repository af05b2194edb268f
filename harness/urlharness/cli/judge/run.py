"""The command `run`: select cases, ask adapters, write reports, decide the gate."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import chain
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

import click

from urlharness.adapters.registry import BUNDLED, available_adapters
from urlharness.cli.files import program_files, refuse_overwriting
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
from urlharness.protocol.limits import Limits
from urlharness.shell import baseline_create_command, baseline_update_command, join
from urlharness.text import file_name, logged
from urlharness.wording import counted

if TYPE_CHECKING:
    from rich.console import Console

    from urlharness.adapters.registry import Adapter
    from urlharness.cli.exam import Exam
    from urlharness.corpus.lock import KnownIds
    from urlharness.gate.gate import Group, Judgement
    from urlharness.gate.policy import FailureTest
    from urlharness.report.failures import FindingGroup
    from urlharness.results.model import Results

#: A judgement with what is new in it and fails the gate, grouped by what differs.
_Judged = tuple["Judgement", "Sequence[FindingGroup]"]

#: The maximum number of groups of new findings to print with an example in full, for all adapters together.
#: Each adapter has at least one.
_IN_FULL = 10

#: The maximum number of further groups of an adapter, of which only the headings are printed.
_HEADINGS = 20

#: The maximum number of ids of a group to print.
_MOST_IDS = 5

#: The maximum width of a line on stderr. Only commands may be longer.
_WIDTH = 199

#: The columns of a line that the ids of a group leave to the other words.
_WIDTH_OF_OTHER_WORDS = 40


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
@click.option("--list", "list_only", is_flag=True, help="Only print the ids of the selected cases.")
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
    table_options.check(adapter_names or [*BUNDLED])
    targets = report_targets(report)
    files = _baseline_files(baseline, adapter_names)
    _refuse_overwriting(targets, files, case_options.vectors, adapters)
    baselines = {name: read_baseline(file) for name, file in files.items()}
    with busy("reading the corpus"):
        exam = load_exam(case_options)
    policy = gate_options.policy(exam.corpus.cases)
    if exam.empty:
        print_stderr(logged(f"urlconform: {case_options.selection.no_match_message(exam.corpus.cases)}"))
        return Exit.NOTHING_RAN
    if list_only:
        return _print_ids(exam)
    foreign = exam.foreign
    judged_specs = case_options.selection.specs or (() if foreign is None else foreign.specs)
    counts = failure_test(adapter_names, judged_specs, policy, baselines)
    results, interrupted = _ask(adapters, exam, targets, limits, maxfail, counts)
    if interrupted:
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
    judged = _with_new_groups(results, decision.judgements)
    gated = [(judgement, groups) for judgement, groups in judged if judgement.name in adapter_names]
    _print_results(results, table_options, gated, run_again)
    write_reports(results, targets, decision.judgements, files)
    if foreign is not None and foreign.note:
        print_stderr(f"urlconform: {foreign.note}")
        if not adapter_names:  # a survey with a foreign corpus never fails
            return Exit.PASSED
    for judgement, groups in judged:
        lines = _lines_about_judgement(judgement, groups, results, adapter_names, files, options, known_ids)
        for line in lines:
            print_stderr(logged(line))
    return decision.code


# ---- input


def _no_adapter_error() -> click.UsageError:
    """Return the error of --gate without an adapter, which says where one can be given."""
    why = f"--gate needs an ADAPTER: give one here, or set `adapters` in {PLACES}"
    file = find_configuration()
    if file is not None and not file.configuration.adapters:
        why = f"{why}; {file.path} does not set it"
    return click.UsageError(why, click.get_current_context())


def _baseline_files(options: Sequence[str], names: Sequence[str]) -> Mapping[str, Path]:
    """Map adapters to files from `ADAPTER=FILE`, or from `FILE` if there is only one adapter."""
    files: dict[str, Path] = {}
    for option in options:
        # the longest, because the name of an adapter may contain an equals sign
        prefix = max((name for name in names if option.startswith(f"{name}=")), key=len, default=None)
        if prefix is None and len(names) != 1:
            why = "use ADAPTER=FILE with an adapter of this run" if names else "it needs a named ADAPTER"
            raise click.BadParameter(f"{option!r}: {why}", param_hint="--baseline")
        name = names[0] if prefix is None else prefix
        if name in files:
            raise click.BadParameter(f"{option!r}: {name} already has a baseline", param_hint="--baseline")
        files[name] = Path(option if prefix is None else option.removeprefix(f"{prefix}="))
    return files


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


def _print_ids(exam: Exam) -> Exit:
    """Print the ids of the stored and the generated cases, and return the exit code."""
    generated = (stream.cases() for stream in exam.streams)
    for case in chain(exam.cases, *generated):
        click.echo(logged(case.vector.id))
    return Exit.PASSED


def _ask(
    adapters: Sequence[Adapter],
    exam: Exam,
    targets: Mapping[str, ReportTarget],
    limits: Limits,
    maxfail: int | None,
    counts: FailureTest,
) -> tuple[Results, bool]:
    """Ask the adapters, or all bundled ones if there are none. Return (results, whether it was interrupted).

    The results are also written to the json report of `targets`.
    """
    from urlharness.cli.exam import ask_adapters
    from urlharness.results.model import ResultsFollower, copy_results

    with tempfile.TemporaryDirectory() as scratch:
        path = results_file(targets, Path(scratch))
        with closing(ResultsFollower(path)) as follower:
            interrupted = ask_adapters(
                adapters or [*BUNDLED.values()], exam, path, limits, maxfail, counts, follower.read_on
            )
            with busy("reading the results"):
                results = follower.results()
        report = targets.get("json")
        if report is not None and report.path != path:  # a pipe or device, which cannot be read back
            with ignoring_broken_pipe(report.path):
                copy_results(path, report.path)
    return results, interrupted


# ---- output


def _with_new_groups(results: Results, judgements: Sequence[Judgement]) -> list[_Judged]:
    """Return each judgement with the groups of its new findings."""
    from urlharness.report.failures import groups_of_new_findings

    return [(judgement, groups_of_new_findings(results, judgement)) for judgement in judgements]


def _print_results(
    results: Results,
    table_options: TableOptions,
    judged: Sequence[_Judged] = (),
    run_again: str = "",
) -> None:
    """Print the new findings in full, then the summary. A survey names the command to `run_again`."""
    if table_options.quiet:
        return
    from urlharness.report.terminal import print_report

    out = console()
    failing = sum(1 for _, groups in judged if groups)
    most_in_full = max(1, _IN_FULL // max(1, failing))
    for judgement, groups in judged:
        _print_judgement(out, results, judgement, groups, most_in_full)
    is_survey = run_again != ""
    is_short = is_survey and not (table_options.sections or table_options.components)
    # only a short survey says how many other libraries could be judged
    installed = sum(adapter.name not in BUNDLED for adapter in available_adapters()) if is_short else 0
    print_report(
        out,
        results,
        table_options.implementations,
        sections=table_options.sections,
        components=table_options.components,
        again=run_again,
        others=installed,
    )


def _print_judgement(
    out: Console,
    results: Results,
    judgement: Judgement,
    groups: Sequence[FindingGroup],
    most_in_full: int,
) -> None:
    """Print the verdict on an adapter, its first groups with an example in full, and how many more there are.

    If the adapter does not pass by a baseline, say how many failures were known, too.
    """
    from urlharness.report.failures import count_unlisted, known_failures_in_words
    from urlharness.report.terminal import print_flags, print_group, print_headings, print_words

    verdict = judgement.reason or f"{judgement.name}: passed"
    print_words(out, f"{logged(verdict)}\n", "bold")
    in_full = groups[:most_in_full]
    for group in in_full:
        print_group(out, group)
    examples = [group.example.failure for group in in_full]
    print_flags(out, (failure for failure in examples if failure is not None))
    headed = groups[most_in_full : most_in_full + _HEADINGS]
    print_headings(out, headed)
    if rest := count_unlisted(results, judgement, groups, most_in_full + _HEADINGS):
        print_words(out, f"... and {rest:,} more; see --report html=FILE\n")
    if judgement.code is not Exit.PASSED and (listed := known_failures_in_words(results, judgement)):
        print_words(out, f"{logged(listed)}\n")


def _lines_about_judgement(
    judgement: Judgement,
    new_groups: Sequence[FindingGroup],
    results: Results,
    names: Sequence[str],
    files: Mapping[str, Path],
    options: Sequence[str],
    known_ids: KnownIds | None,
) -> Iterator[str]:
    """Yield the lines to print on a judgement: the reason, and commands that show or accept a failure.

    A judgement without a reason has no lines. `new_groups` are the groups of the new findings of the
    judgement. `names` are the named adapters of the run. `files` maps them to the files of their baselines.
    `options` are the options of the command that must be repeated.
    """
    if not judgement.reason:
        return
    from urlharness.report.failures import ids_by_severity, sorted_findings

    findings = sorted_findings(new_groups)
    file = files.get(judgement.name)
    reason = f"urlconform: {judgement.reason}"
    yield from _broken_into_lines(reason if file is None else f"{reason} ({file})")
    for note in judgement.notes:
        yield from _broken_into_lines(f"urlconform: {file}: {note}")
    for group in judgement.groups:
        ids = ids_by_severity(group, findings)
        yield f"  {_group_in_words(replace(group, ids=ids), known_ids)}"
    if not judgement.installed and judgement.code is Exit.ADAPTER_DEAD:
        yield "  accept: --allow-missing"
    if example_id := _example_id(judgement, new_groups):
        yield f"  see one: {results.repro_command(example_id, judgement.name)}"
    if judgement.groups and judgement.listable and judgement.name in names:
        yield from _accepting_commands(judgement, names, file, options)


def _example_id(judgement: Judgement, new_groups: Sequence[FindingGroup]) -> str:
    """Return the id of a case to look at, or "". For an adapter that died, it is the case that ended it."""
    if judgement.code is Exit.ADAPTER_DEAD:
        return judgement.example_id
    examples = [group.example for group in new_groups]
    with_failure = (example.id for example in examples if example.failure is not None)
    return next(with_failure, judgement.example_id)


def _accepting_commands(
    judgement: Judgement, names: Sequence[str], file: Path | None, options: Sequence[str]
) -> Iterator[str]:
    """Yield the command after which the gate passes with the same answers."""
    name = judgement.name
    if judgement.code is Exit.STALE and file is not None:
        yield f"  remove them: {baseline_update_command(str(file), name, options, only_shrink=True)}"
    elif judgement.code is Exit.FAILED and file is not None:
        yield f"  accept: {baseline_update_command(str(file), name, options)}"
    elif judgement.code is Exit.FAILED:
        several = len(names) > 1
        path = str(_unused_baseline_path(name, several=several))
        option = join(["--baseline", f"{name}={path}" if several else path])
        yield f"  accept: {baseline_create_command(name, options, path)}, then {option}"


def _unused_baseline_path(name: str, *, several: bool) -> Path:
    """Return an unused path for a new baseline of the adapter."""
    stem = f"{file_name(name, {})}.baseline" if several else "baseline"
    path = Path(f"{stem}.json")
    number = 1
    while path.exists():
        number += 1
        path = Path(f"{stem}-{number}.json")
    return path


def _broken_into_lines(text: str) -> Iterator[str]:
    """Yield a text as lines of at most `_WIDTH` columns, broken after semicolons if possible."""
    line = ""
    for clause in text.replace("; ", ";\n").split("\n"):
        if line and len(f"{line} {clause}") > _WIDTH:
            yield from wrap(line, _WIDTH, break_long_words=False, break_on_hyphens=False)
            line = " "  # the other lines are indented, by this blank and the next one
        line = f"{line} {clause}" if line else clause
    yield from wrap(line, _WIDTH, break_long_words=False, break_on_hyphens=False)


def _group_in_words(group: Group, known_ids: KnownIds | None) -> str:
    """Return the label of a group and as many of its ids as fit into a line, or the number of its cases.

    Failures of generated cases have no ids.
    """
    if not group.ids:  # failures of generated cases are only counted
        return f"{group.label}: {counted(group.count, 'generated case')}"
    ids = group.ids[:_MOST_IDS]
    if group.label == "unknown id" and known_ids is not None:
        ids = tuple(f"{identifier} ({known_ids.why_missing(identifier)})" for identifier in ids)
    while len(ids) > 1 and len(", ".join(ids)) > _WIDTH - _WIDTH_OF_OTHER_WORDS:
        ids = ids[:-1]
    rest = group.count - len(ids)
    suffix = f" and {rest:,} more" if rest > 0 else ""
    return f"{group.label}: {', '.join(ids)}{suffix}"
