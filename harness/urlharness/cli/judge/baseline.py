"""The commands `baseline create`, `baseline update` and `baseline check`."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click
from msgspec import structs

from urlharness.adapters.registry import BUNDLED, NotInstalled, UnknownAdapter, find
from urlharness.cli.exam import Exam, ask_adapters, load_exam
from urlharness.cli.files import program_files, refuse_overwriting
from urlharness.cli.options import (
    CaseOptions,
    ConfiguredCommand,
    ExistingPath,
    GateOptions,
    adapter_named,
    folder_of_configured_adapters,
    with_case_options,
    with_gate_options,
    with_limits,
)
from urlharness.corpus.lock import KnownIds, vector_digest
from urlharness.corpus.model import Case, case_kind
from urlharness.corpus.selection import Selection
from urlharness.corpus.specifications import Spec
from urlharness.exitcodes import Exit
from urlharness.gate import update as gate_update
from urlharness.gate.baseline import (
    ALL,
    Baseline,
    BaselineError,
    canonical_text,
    read_baseline_file,
    write_baseline,
)
from urlharness.gate.findings import misfit_reason, retired_answers
from urlharness.gate.gate import (
    JudgedRun,
    judged_specs,
    old_format_note,
    other_corpus_note,
    removed_note,
    unchecked_coverage_note,
    uncounted_coverage_note,
)
from urlharness.gate.update import NothingJudged
from urlharness.protocol.failures import AdapterDead
from urlharness.protocol.limits import Limits
from urlharness.results.coverage import partly_asked_names, reason_given_up
from urlharness.results.model import Participant, Results, ResultsError, read_results
from urlharness.results.verdict import Outcome
from urlharness.text import logged
from urlharness.wording import counted

#: The maximum number of lines to print after each mark (+, ~, -, !).
_MOST_LINES = 20

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.group()
def baseline() -> None:
    """Make, update and check baselines: lists of known wrong answers.

    A baseline also locks which questions a library answers. `urlconform run --baseline FILE` reads it.
    """


_adapter_option = click.option(
    "-a",
    "--adapter",
    "name",
    metavar="ADAPTER",
    help="The adapter to use if the results file contains several.",
)


@baseline.command("create", short_help="Write a baseline of all wrong answers.", cls=ConfiguredCommand)
@click.argument("source", metavar="[ADAPTER|RESULTS]", required=False)
@click.option("-o", "output", type=_FILE, required=True, metavar="FILE", help="The baseline file to write.")
@click.option("--force", is_flag=True, help="Replace an existing baseline; its issues and notes are lost.")
@_adapter_option
@with_case_options
@with_gate_options
@with_limits
def create(
    source: str,
    output: Path,
    force: bool,
    name: str | None,
    case_options: CaseOptions,
    gate_options: GateOptions,
    limits: Limits,
) -> int:
    """Write a baseline of all wrong answers: those of ADAPTER, which is run now, or those in a results file.

    The default is the adapter that the configuration names, if it names exactly one.
    """
    if not output.name:
        raise click.BadParameter("a file name is missing", param_hint="-o")
    refuse_overwriting("-o", [output], _input_files(source, case_options))
    if output.exists() and not force:
        why = f"{output}: exists already; urlconform baseline update keeps issues and notes, --force does not"
        raise click.UsageError(why)
    answers = _run_or_read(source, name, case_options, gate_options, limits)
    run = answers.run
    corpus_ids = answers.known_ids.ids
    new = gate_update.create(run.results, answers.participant, run.specs, run.policy, corpus_ids=corpus_ids)
    write_baseline(new, output)
    entries = _entries_in_words(entry.outcome for entry in new.entries)
    click.echo(logged(f"{output}: {entries} ({', '.join(new.spec)})"))
    partly_asked = partly_asked_names(run.results, run.name, run.specs, corpus_ids)
    note = unchecked_coverage_note(partly_asked)
    if note:
        click.echo(f"  {note}")
    _print_marked("+", [f"{entry.id} {entry.outcome}" for entry in new.entries])
    return Exit.PASSED


@baseline.command("update", short_help="Update a baseline to new answers.", cls=ConfiguredCommand)
@click.argument("file", type=_FILE)
@click.argument("source", metavar="[ADAPTER|RESULTS]", required=False)
@click.option(
    "--only-shrink", is_flag=True, help="Only remove entries of passing or removed vectors; accept no loss."
)
@_adapter_option
@with_case_options
@with_gate_options
@with_limits
def update(
    file: Path,
    source: str,
    only_shrink: bool,
    name: str | None,
    case_options: CaseOptions,
    gate_options: GateOptions,
    limits: Limits,
) -> int:
    """Update a baseline to the answers of ADAPTER, which is run now, or to the answers in a results file.

    The default is the adapter that the configuration names, if it names exactly one. Issues, notes and the
    entries of vectors that were not asked are kept. Exit with 1 if findings are left that the update did not
    apply, for example because of --only-shrink.
    """
    refuse_overwriting("FILE", [file], _input_files(source, case_options))
    if not file.is_file() and file.exists():
        raise BaselineError(f"{file}: not a regular file, so it cannot be updated")
    before, is_canonical = read_baseline_file(file)
    answers = _run_or_read(source, name, case_options, gate_options, limits, before)
    run = answers.run
    problem = misfit_reason(before, answers.participant)
    if problem:
        raise BaselineError(f"{file}: {problem}")
    change = gate_update.update(
        before,
        run.results,
        answers.participant,
        run.specs,
        run.policy,
        corpus_ids=answers.known_ids.ids,
        only_shrink=only_shrink,
    )
    after = change.baseline
    if is_canonical and canonical_text(after) == canonical_text(before):
        summary = "unchanged"
    else:
        write_baseline(after, file)
        summary = f"{len(change.added)} added, {len(change.changed)} changed, {len(change.removed)} removed"
    click.echo(logged(f"{file}: {summary}, {_counted_entries(len(after.entries))}"))
    _print_change(before, change)
    advice = []
    if change.unapplied:
        advice.append("fix the failures that are left, or omit --only-shrink")
    corpus_note = other_corpus_note(after, run.results.header.corpus, *advice)
    _print_lines(file, [corpus_note, old_format_note(after)])
    if not change.unapplied:
        return Exit.PASSED
    remaining = _entries_in_words(finding.kind for finding in change.unapplied)
    click.echo(f"urlconform: {file}: {remaining} left", err=True)
    _print_marked("!", [f"{finding.id} {finding.kind}" for finding in change.unapplied])
    return Exit.FAILED


@baseline.command("check", short_help="Check baselines without an adapter.")
@click.argument("files", type=_FILE, metavar="FILE...", nargs=-1, required=True)
@click.option(
    "--vectors",
    type=ExistingPath(path_type=Path),
    metavar="PATH",
    help="Use the corpus in this directory, or the foreign corpus in this file.",
)
@click.option("--fix", is_flag=True, help="Rewrite files that are not in canonical form.")
def check(files: tuple[Path, ...], vectors: Path | None, fix: bool) -> int:
    """Check baselines without an adapter: canonical form, unknown ids, changed vectors, too high counts."""
    if fix:
        refuse_overwriting("FILE", files, {"the file of --vectors": vectors})
    exam = load_exam(CaseOptions(Selection(), ("core",), vectors))
    known_ids = exam.known_ids()
    digests = dict(known_ids.parts)
    digests.update((case.vector.id, vector_digest(case)) for case in exam.cases)
    code = Exit.PASSED
    for file in files:
        baseline, is_canonical = read_baseline_file(file)
        problems = []
        if not is_canonical and fix:
            _rewrite(baseline, file)
        elif not is_canonical:
            problems.append("not in canonical form (use --fix)")
        problems += _problems_with_corpus(baseline, digests, known_ids)
        problems += _problems_with_counts(baseline, exam, known_ids)
        if problems:
            code = Exit.FAILED
        lines = problems or [f"{_counted_entries(len(baseline.entries))}, all current"]
        notes = [
            other_corpus_note(baseline, exam.corpus.digest),
            uncounted_coverage_note(baseline, baseline.spec),
            removed_note(baseline, known_ids.ids),
            old_format_note(baseline),
        ]
        _print_lines(file, [*lines, *notes])
    return code


def _rewrite(baseline: Baseline, file: Path) -> None:
    """Write a baseline in canonical form to its file. Raise BaselineError if that is a pipe or device."""
    if not file.is_file():
        raise BaselineError(f"{file}: not a regular file, so --fix cannot rewrite it")
    write_baseline(baseline, file)


# ---- the problems of a baseline


def _problems_with_corpus(
    baseline: Baseline, digests: Mapping[str, str], known_ids: KnownIds
) -> Iterator[str]:
    """Yield a problem for each part of a baseline that does not fit the corpus.

    These are unknown ids, changed vectors, and counts that are higher than the size of a tier. `digests` maps
    the existing ids to the digests of their vectors.
    """
    existing = digests.keys() | known_ids.ids.removed
    for entry in baseline.entries:
        if entry.id not in existing:
            yield f"{entry.id}: unknown id: {known_ids.why_missing(entry.id)}"
        elif entry.id in digests and entry.digest != digests[entry.id]:  # a removed vector has no digest
            yield f"{entry.id}: moved: the vector has changed since the baseline was made"
    for spec, ids in _listed_ids(baseline):
        for identifier in ids:
            if identifier not in existing:
                yield f"{spec}: unknown id: {identifier}: {known_ids.why_missing(identifier)}"
    for part, counts in sorted(baseline.generated.items()):
        count = sum(counts.values())
        size = known_ids.cases.get(part, 0)
        if count > size:
            yield f"{part}: the baseline counts {counted(count, 'outcome')}, but the tier has only {size:,}"


def _listed_ids(baseline: Baseline) -> Iterator[tuple[Spec, Sequence[str]]]:
    """Yield each RFC with ids that the baseline lists: partly answered, unanswered, or complete.

    An RFC can come several times. The entry ALL lists no ids.
    """
    for spec, partly_answered in baseline.partly.items():
        yield spec, [*partly_answered]
    for spec, unanswered in baseline.unanswered.items():
        for ids in unanswered.values():
            if ids != ALL:
                yield spec, ids
    for spec, complete in baseline.complete.items():
        for ids in complete.values():
            yield spec, ids


def _problems_with_counts(baseline: Baseline, exam: Exam, known_ids: KnownIds) -> Iterator[str]:
    """Yield a problem for each count of answers that exceeds the number of existing and removed vectors."""
    retired_counts = retired_answers(baseline, exam.cases, exam.corpus.digest, known_ids.ids)
    sizes = Counter((case.spec, case.vector.op) for case in exam.cases)
    for spec, counts in sorted(baseline.answered.items()):
        for op, count in sorted(counts.items()):
            size = sizes[spec, op]
            retired = retired_counts.get((spec, op), 0)
            if count > size + retired:
                answers = counted(count, "answer")
                yield f"{spec} {op}: the baseline counts {answers}, but the corpus has only {size:,}"


# ---- output


def _print_change(before: Baseline, change: gate_update.Update) -> None:
    """Print a line for each entry and each count that an update has changed."""
    after = change.baseline
    added = [f"{entry.id} {entry.outcome}" for entry in change.added]
    changed = [f"{new.id} {new.outcome}, it was {old.outcome}" for old, new in change.changed]
    lost = [f"{finding.id}: {finding.detail}" for finding in change.lost]
    removed = [f"{entry.id}: {why}" for entry, why in change.removed]
    _print_marked("+", added)
    _print_marked("~", changed)
    _print_marked("~", list(_changed_counts(before, after)))
    _print_marked("~", lost)
    if after.schema != before.schema:
        _print_marked("~", [f"of format {before.schema}, now {after.schema}"])
    if after.corpus != before.corpus:
        _print_marked("~", [f"made with corpus {before.corpus}, now {after.corpus}"])
    _print_marked("-", removed)


def _changed_counts(before: Baseline, after: Baseline) -> Iterator[str]:
    """Yield in words each number of answers that is not the same as before."""
    old_counts = _answer_counts(before)
    new_counts = _answer_counts(after)
    for name, operation in sorted(old_counts | new_counts):
        old = old_counts[name, operation]
        new = new_counts[name, operation]
        if old != new:
            yield f"{name} {operation}: {old:,} answered, now {new:,}"


def _answer_counts(baseline: Baseline) -> Counter[tuple[str, str]]:
    """Count the answers in a baseline by RFC and operation, or by generated part and operation."""
    counts = Counter[tuple[str, str]]()
    tables: tuple[Mapping[Any, Mapping[Any, int]], ...] = (baseline.answered, baseline.generated)
    for table in tables:
        for name, operations in table.items():
            for operation, count in operations.items():
                counts[name, operation] = count
    return counts


def _print_marked(mark: str, lines: Sequence[str]) -> None:
    """Print the first lines, each after the mark, and the number of further lines."""
    for line in lines[:_MOST_LINES]:
        click.echo(logged(f"  {mark} {line}"))
    if len(lines) > _MOST_LINES:
        click.echo(f"  {mark} … and {len(lines) - _MOST_LINES} more")


def _print_lines(file: Path, lines: Iterable[str]) -> None:
    """Print lines about a file, without those that are empty."""
    for line in lines:
        if line:
            click.echo(logged(f"{file}: {line}"))


def _entries_in_words(kinds: Iterable[str]) -> str:
    """Return the number of entries in words, in total and of each kind. `kinds` are those of the entries."""
    counts = Counter(kinds)
    total = _counted_entries(counts.total())
    if not counts:
        return total
    by_kind = ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))
    return f"{total}: {by_kind}"


def _counted_entries(count: int) -> str:
    """Return a number of entries in words."""
    return counted(count, "entry", "entries")


# ---- the answers that a baseline is made from


class _Answers(NamedTuple):
    """The sources of a baseline: a run of one adapter, for the judged RFCs, and the ids of the corpus."""

    run: JudgedRun
    participant: Participant
    known_ids: KnownIds


def _run_or_read(
    source: str,
    name: str | None,
    case_options: CaseOptions,
    gate_options: GateOptions,
    limits: Limits,
    before: Baseline | None = None,
) -> _Answers:
    """Run the adapter or read the results file `source`, and return the answers of one adapter.

    `name` selects the adapter if the file contains several. `before` is the baseline to update. Raise
    AdapterDead if the adapter was given up, and NothingJudged if no baseline can be made.
    """
    exam = load_exam(case_options)
    policy = gate_options.policy(exam.corpus.cases)
    path = _results_file(source)
    if path is not None:
        results = _read_selected(path, case_options.selection)
        participant = _participant_to_judge(results, name, source)
    else:
        results = _ask_adapter(source, exam, case_options.selection, limits)
        # of an adapter that runs now, there is only one participant, whatever `name` says
        participant = _participant_to_judge(results, name=None, source=source)
    selected = case_options.selection.specs or exam.foreign_specs
    specs = judged_specs(selected, participant.specs, before)
    run = JudgedRun(results, participant.name, specs, policy)
    _refuse_unusable_run(run, selected)
    return _Answers(run, participant, exam.known_ids())


def _refuse_unusable_run(run: JudgedRun, selected: Sequence[str]) -> None:
    """Raise AdapterDead or NothingJudged if no baseline can be made of a run for these RFCs."""
    if Outcome.ABORTED in run.outcomes:
        why = f"{run.name}: {reason_given_up(run.results, run.name)}"
        raise AdapterDead(f"{why}; a baseline needs an answer to every case")
    why_nothing = run.no_level_note() or run.nothing_answered_note()
    if why_nothing:
        raise NothingJudged(f"{run.name}: nothing was judged: {why_nothing}; nothing is written")
    unanswered = run.unanswered_note(selected)
    if unanswered:
        why = f"{run.name}: {unanswered}; with this --spec no baseline can pass"
        raise NothingJudged(f"{why}; nothing is written")


def _ask_adapter(name: str, exam: Exam, selection: Selection, limits: Limits) -> Results:
    """Ask the adapter of this name all cases, and return the results.

    Raise NothingJudged if the selection matches no case. After an interrupt, no baseline is made.
    """
    if exam.is_empty:
        raise NothingJudged(selection.no_match_message(exam.corpus.cases))
    adapter = adapter_named(name)
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "results.jsonl"
        if ask_adapters([adapter], exam, path, limits):
            raise KeyboardInterrupt
        return read_results(path)


def _input_files(source: str, case_options: CaseOptions) -> Mapping[str, Path | None]:
    """Map words to the files that a baseline is made from, for `refuse_overwriting`."""
    results = _results_file(source)
    adapters = [adapter_named(source)] if results is None else []
    inputs: dict[str, Path | None] = {
        "the results file": results,
        "the file of --vectors": case_options.vectors,
    }
    inputs.update(program_files(adapters))
    return inputs


def _results_file(source: str) -> Path | None:
    """Return the path of a results file, or None for an adapter. Raise UnknownAdapter if it is neither.

    A name from the configuration, and the name of a bundled adapter, is always an adapter.
    """
    if folder_of_configured_adapters() is not None or source in BUNDLED:
        return None
    if Path(source).exists():
        return Path(source)
    try:
        find(source)
    except UnknownAdapter as error:
        raise UnknownAdapter(f"{source}: no such file, and {error}") from None
    return None


def _read_selected(path: Path, selection: Selection) -> Results:
    """Return the results of the selected cases from a file. Raise ResultsError if the run is not complete.

    If cases are selected by more than their RFC, generated cases, of which only counts are known, are left
    out.
    """
    results = read_results(path)
    if not results.complete:
        raise ResultsError(
            f"{path}: the run was interrupted or stopped, or the file is cut; a baseline needs a complete run"
        )
    if selection == Selection(specs=selection.specs):
        return results  # the selection by RFC is applied when the results are judged
    cases = [asked_case.case for asked_case in results.vectors.values()]
    return _only_cases(results, selection.pick(cases))


def _only_cases(results: Results, cases: Iterable[Case]) -> Results:
    """Return the results of some stored cases of a run, without generated cases."""
    kinds = {case.vector.id: case_kind(case) for case in cases}
    selected_answers = {}
    counts = {}
    for name, answers in results.results.items():
        selected = {identifier: answers[identifier] for identifier in kinds if identifier in answers}
        selected_answers[name] = selected
        outcomes = [(kinds[identifier], answer.outcome) for identifier, answer in selected.items()]
        counts[name] = Counter(outcomes)
    vectors = {identifier: results.vectors[identifier] for identifier in kinds}
    return structs.replace(results, vectors=vectors, results=selected_answers, tallies=(), counted=counts)


def _participant_to_judge(results: Results, name: str | None, source: str) -> Participant:
    """Return the participant with this name, or the only one.

    Raise a usage error if there is none or no single one, and NotInstalled or AdapterDead if it did not run.
    """
    by_name = {participant.name: participant for participant in results.participants}
    if name is not None:
        if name not in by_name:
            raise click.UsageError(f"{source}: no adapter named {name!r}; choose from {', '.join(by_name)}")
        participant = by_name[name]
    elif len(by_name) == 1:
        (participant,) = by_name.values()
    else:
        options = " or ".join(f"--adapter {candidate}" for candidate in by_name)
        raise click.UsageError(f"{source}: which adapter? use {options}")
    if participant.state == "not installed":
        raise NotInstalled(f"{participant.name}: {participant.message}")
    if participant.state == "dead":
        raise AdapterDead(f"{participant.name}: {participant.message}")
    return participant
