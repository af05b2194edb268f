"""The command `report`: print the summary of an earlier run, write reports, and judge it by a baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click
from click.core import ParameterSource

from urlharness.cli.files import refuse_overwriting
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
    ExistingPath,
    GateOptions,
    TableOptions,
    with_gate_options,
    with_table_options,
)
from urlharness.cli.output import busy, console
from urlharness.cli.reports import replaced_files, report_targets, write_reports
from urlharness.corpus.selection import Selection, spec_name
from urlharness.exitcodes import Exit
from urlharness.report import RENDERERS
from urlharness.shell import join, option_words

if TYPE_CHECKING:
    from urlharness.corpus.lock import KnownIds
    from urlharness.gate.gate import Decision
    from urlharness.results.model import Results

#: The options that say how to judge, so that they need a baseline.
_GATE_OPTIONS = ("spec", "strict", "fail_on", "policy", "vectors")


class _Gate(NamedTuple):
    """The decision of the gate on an earlier run, and the ids of the corpus by which it was made."""

    decision: Decision
    known_ids: KnownIds


@click.command(cls=ConfiguredCommand)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--baseline",
    "baselines",
    multiple=True,
    metavar="[ADAPTER=]FILE",
    help="Judge the run as `run --baseline` does, by these known wrong answers.",
)
@click.option(
    "--spec", multiple=True, metavar="SPEC", help="With --baseline: judge only this RFC, such as rfc3986."
)
@with_gate_options
@click.option(
    "--vectors",
    type=ExistingPath(path_type=Path),
    metavar="PATH",
    help="With --baseline: the corpus of the run, if it was not the installed one.",
)
@with_table_options
@click.option(
    "--report",
    "reports",
    multiple=True,
    metavar="FORMAT=FILE",
    help=f"Write a report: {', '.join(RENDERERS)}.",
)
def report(
    files: tuple[Path, ...],
    baselines: tuple[str, ...],
    spec: tuple[str, ...],
    gate_options: GateOptions,
    vectors: Path | None,
    table_options: TableOptions,
    reports: tuple[str, ...],
) -> int:
    """Print the summary of an earlier run, and write reports, from its results file.

    Several files are merged: those of jobs that divide the cases, with the same corpus and adapters. If the
    run had one adapter, its first failures are printed too.

    With --baseline, the gate judges the adapters that have one, as `run` does, with the same exit codes. Only
    for this, settings of the configuration count, such as its policy. Without it, there is no gate, and the
    exit code is 0.
    """
    from urlharness.results.model import merge_results, read_results
    from urlharness.text import plain

    if "-" in map(str, files):
        raise click.BadParameter("`-` is not supported; use /dev/stdin", param_hint="FILE")
    _refuse_gate_options_alone(baselines)
    specs = tuple(map(spec_name, spec))
    targets = report_targets(reports, tuple(RENDERERS))
    refuse_overwriting("--report", replaced_files(targets), _input_files(files, baselines, vectors))
    results_by_file = {}
    for file in dict.fromkeys(files):
        with busy(f"reading {plain(file.name)}"):
            results_by_file[file] = read_results(file)
    results = merge_results(results_by_file)
    names = [participant.name for participant in results.participants]
    table_options.check_implementations(names)
    paths = baseline_files(baselines, names)
    baselines_by_words = {f"the baseline of {name}": path for name, path in paths.items()}
    refuse_overwriting("--report", replaced_files(targets), baselines_by_words)
    gate = _decide(results, paths, specs, gate_options, vectors) if paths else None
    judgements = [] if gate is None else gate.decision.judgements
    judged = with_new_groups(results, judgements)
    _print_results(results, table_options, files, judged)
    write_reports(results, targets, judgements, paths)
    if gate is None:
        return Exit.PASSED
    source_words = partial(_source_words, files, results, _typed_options(specs, gate_options))
    print_reasons(results, judged, paths, gate.known_ids, source_words)
    return gate.decision.code


def _source_words(files: Sequence[Path], results: Results, options: Sequence[str], name: str) -> list[str]:
    """Return the words by which a `baseline` command reads the answers of an adapter: see `SourceWords`.

    A baseline is made from one file of a complete run, so there are no words for others. `options` decide
    what fails.
    """
    if len(files) > 1 or not results.complete:
        return []
    words = [str(files[0])]
    if len(results.participants) > 1:
        words += option_words(adapter=name)
    return [*words, *options]


def _input_files(
    files: Sequence[Path], baselines: Sequence[str], vectors: Path | None
) -> dict[str, Path | str | None]:
    """Map words to the files that the command reads, for `refuse_overwriting`."""
    inputs: dict[str, Path | str | None] = {"the file of --vectors": vectors}
    for file in files:
        words = f"the results file {file}" if len(files) > 1 else "the results file"
        inputs[words] = file
    for option in baselines:  # ADAPTER=FILE, or only FILE
        _, _, file_after_name = option.partition("=")
        inputs[f"the baseline {option}"] = file_after_name or option
    return inputs


def _refuse_gate_options_alone(baselines: Sequence[str]) -> None:
    """Raise a usage error if the command line says how to judge, but has no baseline to judge by."""
    if baselines:
        return
    context = click.get_current_context()
    for name in _GATE_OPTIONS:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            option = f"--{name.replace('_', '-')}"
            raise click.UsageError(f"{option} needs --baseline, without which there is no gate", context)


def _typed_options(specs: Sequence[str], gate_options: GateOptions) -> list[str]:
    """Return the options of the command line that decide what fails."""
    context = click.get_current_context()
    by_name = {
        "spec": option_words(spec=specs),
        "strict": option_words(strict=gate_options.strict, no_strict=not gate_options.strict),
        "fail_on": option_words(fail_on=gate_options.levels),
        "policy": option_words(policy=[f"{key}={answer}" for key, answer in gate_options.settings]),
    }
    words: list[str] = []
    for name, words_of_option in by_name.items():
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            words += words_of_option
    return words


def _decide(
    results: Results,
    paths: Mapping[str, Path],
    specs: Sequence[str],
    gate_options: GateOptions,
    vectors: Path | None,
) -> _Gate:
    """Judge the adapters that have a baseline. `paths` maps them to its file, `specs` are the RFCs to judge.

    `vectors` is the corpus, or None for the installed one. Raise ResultsError if the run was interrupted or
    asked another corpus, and BaselineError if a baseline is invalid.
    """
    from urlharness.cli.exam import load_exam
    from urlharness.gate.baseline import read_baseline
    from urlharness.gate.gate import decide
    from urlharness.results.model import ResultsError

    baselines = {name: read_baseline(path) for name, path in paths.items()}
    with busy("reading the corpus"):
        exam = load_exam(CaseOptions(Selection(), ("core",), vectors))
    asked_digest = results.header.corpus
    digest = exam.corpus.digest
    if digest != asked_digest:
        corpus = "the installed one" if vectors is None else f"that of {vectors}"
        why = f"the run asked corpus {asked_digest}, but {corpus} is {digest}"
        raise ResultsError(f"{why}: run again, or name its corpus by --vectors")
    if not results.complete and not results.stopped:
        raise ResultsError("the run was interrupted, or its file is cut, so nothing can be decided")
    known_ids = exam.known_ids()
    decision = decide(
        results,
        list(paths),
        specs or exam.foreign_specs,
        policy=gate_options.policy(exam.corpus.cases),
        baselines=baselines,
        corpus_ids=known_ids.ids,
    )
    return _Gate(decision, known_ids)


def _print_results(
    results: Results, table_options: TableOptions, files: Sequence[Path], judged: Sequence[JudgedWithGroups]
) -> None:
    """Print what is new or, without a gate, the first failures of an only adapter. Then print the summary."""
    if table_options.quiet:
        return
    from urlharness.report.terminal import print_first_failures, print_report

    out = console()
    participants = results.participants
    if judged:
        print_judgements(out, results, judged)
    elif len(participants) == 1:
        print_first_failures(out, results, participants[0].name)
    print_report(
        out,
        results,
        table_options.implementations,
        sections=table_options.sections,
        components=table_options.components,
        command=join(["urlconform", "report", *map(str, files)]),
    )
