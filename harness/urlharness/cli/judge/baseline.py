"""The commands `baseline create`, `baseline update` and `baseline check`."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from msgspec import structs

from urlharness.adapters.registry import BUNDLED, NotInstalled, UnknownAdapter, find
from urlharness.cli.exam import ask, exam
from urlharness.cli.files import program_files, refuse_overwriting
from urlharness.cli.options import (
    Chosen,
    ConfiguredCommand,
    ExistingPath,
    Terms,
    adapter_named,
    configured_folder,
    gated,
    limited,
    selecting,
)
from urlharness.corpus.lock import KnownIds, vector_digest
from urlharness.corpus.model import Case, Operation, case_kind
from urlharness.corpus.selection import Selection
from urlharness.corpus.specifications import Spec
from urlharness.exitcodes import Exit
from urlharness.gate import update as gate_update
from urlharness.gate.baseline import (
    ALL,
    Baseline,
    BaselineError,
    canonical,
    read_baseline_file,
    write_baseline,
)
from urlharness.gate.findings import misfit, retired_answers
from urlharness.gate.gate import (
    JudgedRun,
    coverage_not_checked,
    coverage_not_listed,
    judged_specs,
    old_format,
    other_corpus,
    removed_note,
)
from urlharness.gate.update import NothingJudged
from urlharness.protocol.failures import AdapterDead
from urlharness.protocol.limits import Limits
from urlharness.results.coverage import given_up, partly_run
from urlharness.results.model import Participant, Results, ResultsError, read_results
from urlharness.results.verdict import Outcome
from urlharness.text import logged
from urlharness.wording import counted

#: The maximum number of lines to print after each mark (+, ~, -, !).
_FIRST = 20

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.group()
def baseline() -> None:
    """Make, update and check baselines: lists of known wrong answers.

    A baseline also locks which questions a library answers. `urlconform run --baseline FILE` reads it.
    """


_adapter_option = click.option("-a", "--adapter", "name", metavar="ADAPTER",
                               help="The adapter to use if the results file contains several.")  # fmt: skip


@baseline.command("create", short_help="Write a baseline of all wrong answers.", cls=ConfiguredCommand)
@click.argument("source", metavar="[ADAPTER|RESULTS]", required=False)
@click.option("-o", "output", type=_FILE, required=True, metavar="FILE", help="The baseline file to write.")
@click.option("--force", is_flag=True, help="Replace an existing baseline; its issues and notes are lost.")
@_adapter_option
@selecting
@gated
@limited
def create(
    source: str, output: Path, force: bool, name: str | None, chosen: Chosen, terms: Terms, limits: Limits
) -> int:
    """Write a baseline of all wrong answers: those of ADAPTER, which is run now, or those in a results file.

    The default is the adapter that [tool.urlconform] names, if it names exactly one.
    """
    if not output.name:
        raise click.BadParameter("a file name is missing", param_hint="-o")
    refuse_overwriting("-o", [output], _inputs(source, chosen))
    if output.exists() and not force:
        why = f"{output}: exists already; urlconform baseline update keeps issues and notes, --force does not"
        raise click.UsageError(why)
    run, participant, known = _answers(source, name, chosen, terms, limits)
    made = gate_update.create(run.results, participant, run.specs, run.policy, corpus_ids=known.ids)
    write_baseline(made, output)
    click.echo(f"{output}: {_sum(entry.outcome for entry in made.entries)} ({', '.join(made.spec)})")
    if note := coverage_not_checked(partly_run(run.results, run.name, run.specs, known.ids)):
        click.echo(f"  {note}")
    _print("+", [f"{entry.id} {entry.outcome}" for entry in made.entries])
    return Exit.PASSED


@baseline.command("update", short_help="Update a baseline to new answers.", cls=ConfiguredCommand)
@click.argument("file", type=_FILE)
@click.argument("source", metavar="[ADAPTER|RESULTS]", required=False)
@click.option(
    "--only-shrink", is_flag=True, help="Only remove entries of passing or removed vectors; accept no loss."
)
@_adapter_option
@selecting
@gated
@limited
def update(
    file: Path, source: str, only_shrink: bool, name: str | None, chosen: Chosen, terms: Terms, limits: Limits
) -> int:
    """Update a baseline to the answers of ADAPTER, which is run now, or to the answers in a results file.

    The default is the adapter that [tool.urlconform] names, if it names exactly one. Issues, notes and the
    entries of vectors that were not asked are kept. Exit with 1 if findings are left that the update did not
    apply, for example because of --only-shrink.
    """
    refuse_overwriting("FILE", [file], _inputs(source, chosen))
    if not file.is_file() and file.exists():
        raise BaselineError(f"{file}: not a regular file, so it cannot be updated")
    before, is_canonical = read_baseline_file(file)
    run, participant, known = _answers(source, name, chosen, terms, limits, before)
    if problem := misfit(before, participant):
        raise BaselineError(f"{file}: {problem}")
    made = gate_update.update(
        before, run.results, participant, run.specs, run.policy, corpus_ids=known.ids, only_shrink=only_shrink
    )
    if is_canonical and canonical(made.baseline) == canonical(before):
        what = "unchanged"
    else:
        write_baseline(made.baseline, file)
        what = f"{len(made.added)} added, {len(made.changed)} changed, {len(made.removed)} removed"
    click.echo(f"{file}: {what}, {_entry_count(len(made.baseline.entries))}")
    _print("+", [f"{entry.id} {entry.outcome}" for entry in made.added])
    _print("~", [f"{new.id} {new.outcome}, it was {old.outcome}" for old, new in made.changed])
    old_counts, new_counts = _answered(before), _answered(made.baseline)
    counts = {key: (old_counts[key], new_counts[key]) for key in sorted(old_counts | new_counts)}
    _print("~", [f"{key}: {old:,} answered, now {new:,}" for key, (old, new) in counts.items() if old != new])
    _print("~", [f"{one.id}: {one.detail}" for one in made.lost])
    if made.baseline.schema != before.schema:
        _print("~", [f"of format {before.schema}, now {made.baseline.schema}"])
    if made.baseline.corpus != before.corpus:
        _print("~", [f"made with corpus {before.corpus}, now {made.baseline.corpus}"])
    _print("-", [f"{entry.id}: {why}" for entry, why in made.removed])
    advice = ("fix the failures that are left, or omit --only-shrink",) if made.unapplied else ()
    for note in other_corpus(made.baseline, run.results.header.corpus, *advice), old_format(made.baseline):
        if note:
            click.echo(logged(f"{file}: {note}"))
    if made.unapplied:
        click.echo(f"urlconform: {file}: {_sum(one.kind for one in made.unapplied)} left", err=True)
        _print("!", [f"{one.id} {one.kind}" for one in made.unapplied])
        return Exit.FAILED
    return Exit.PASSED


@baseline.command("check", short_help="Check baselines without an adapter.")
@click.argument("files", type=_FILE, metavar="FILE...", nargs=-1, required=True)
@click.option("--vectors", type=ExistingPath(path_type=Path), metavar="PATH",
              help="Use the corpus in this directory, or the foreign corpus in this file.")  # fmt: skip
@click.option("--fix", is_flag=True, help="Rewrite files that are not in canonical form.")
def check(files: tuple[Path, ...], vectors: Path | None, fix: bool) -> int:
    """Check baselines without an adapter: canonical form, unknown ids, changed vectors, too high counts."""
    if fix:
        refuse_overwriting("FILE", files, {"the file of --vectors": vectors})
    asked = exam(Chosen(Selection(), ("core",), vectors))
    known = asked.known()
    digests = {**known.parts, **{case.vector.id: vector_digest(case) for case in asked.cases}}
    code = Exit.PASSED
    for file in files:
        found, is_canonical = read_baseline_file(file)
        retired = retired_answers(found, asked.cases, asked.corpus.digest, known.ids)
        problems = [*_problems(found, digests, known), *_too_many_answers(found, asked.cases, retired)]
        if not is_canonical:
            if fix and not file.is_file():
                raise BaselineError(f"{file}: not a regular file, so --fix cannot rewrite it")
            if fix:
                write_baseline(found, file)
            else:
                problems.insert(0, "not in canonical form (use --fix)")
        for problem in problems:
            click.echo(logged(f"{file}: {problem}"))
            code = Exit.FAILED
        if not problems:
            click.echo(f"{file}: {_entry_count(len(found.entries))}, all current")
        notes = other_corpus(found, asked.corpus.digest), coverage_not_listed(found, found.spec)
        for note in (*notes, removed_note(found, known.ids), old_format(found)):
            if note:
                click.echo(logged(f"{file}: {note}"))
    return code


def _problems(found: Baseline, digests: Mapping[str, str], known: KnownIds) -> Iterator[str]:
    """Yield the problems of a baseline: unknown ids, changed vectors, and counts that are too high."""
    existing = digests.keys() | known.ids.removed
    for entry in found.entries:
        if entry.id not in existing:
            yield f"{entry.id}: unknown id: {known.why_missing(entry.id)}"
        elif entry.digest != digests.get(entry.id, entry.digest):
            yield f"{entry.id}: moved: the vector has changed since the baseline was made"
    for spec, ids in _listed_ids(found):
        yield from (
            f"{spec}: unknown id: {one}: {known.why_missing(one)}" for one in ids if one not in existing
        )
    for part, counts in sorted(found.generated.items()):
        if (count := sum(counts.values())) > (there := known.cases.get(part, 0)):
            yield f"{part}: the baseline counts {counted(count, 'outcome')}, but the tier has only {there:,}"


def _too_many_answers(
    found: Baseline, cases: Sequence[Case], retired: Mapping[tuple[Spec, Operation], int]
) -> Iterator[str]:
    """Yield a problem for each count of answers that exceeds the number of existing and removed vectors."""
    sizes = Counter((case.spec, case.vector.op) for case in cases)
    for spec, counts in sorted(found.answered.items()):
        for op, count in sorted(counts.items()):
            there = sizes[spec, op]
            if count > there + retired.get((spec, op), 0):
                what = f"the baseline counts {counted(count, 'answer')}, but the corpus has only {there:,}"
                yield f"{spec} {op}: {what}"


def _listed_ids(found: Baseline) -> Iterator[tuple[Spec, Sequence[str]]]:
    """Yield each RFC with ids that the baseline lists: partly answered, unanswered, or complete."""
    yield from ((spec, [*ids]) for spec, ids in found.partly.items())
    for spec, ops in found.unanswered.items():
        yield from ((spec, ids) for ids in ops.values() if ids != ALL)
    for spec, complete in found.complete.items():
        yield from ((spec, ids) for ids in complete.values())


def _answered(baseline: Baseline) -> Counter[str]:
    """Count the answers in a baseline by RFC and operation, or by generated part and operation."""
    tables: tuple[Mapping[Any, Mapping[Any, int]], ...] = (baseline.answered, baseline.generated)
    items = [item for table in tables for item in table.items()]
    return Counter({f"{name} {op}": count for name, counts in items for op, count in counts.items()})


def _print(mark: str, lines: Sequence[str]) -> None:
    """Print the first lines, each after the mark, and the number of further lines."""
    for line in lines[:_FIRST]:
        click.echo(logged(f"  {mark} {line}"))
    if len(lines) > _FIRST:
        click.echo(f"  {mark} … and {len(lines) - _FIRST} more")


def _sum(kinds: Iterable[str]) -> str:
    """Return the number of entries in words, in total and of each kind."""
    counts = Counter(kinds)
    each = ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))
    return _entry_count(counts.total()) + (f": {each}" if each else "")


def _entry_count(count: int) -> str:
    return counted(count, "entry", "entries")


def _answers(
    source: str,
    name: str | None,
    chosen: Chosen,
    terms: Terms,
    limits: Limits,
    before: Baseline | None = None,
) -> tuple[JudgedRun, Participant, KnownIds]:
    """Run the adapter or read the results file `source`. Return (judged run, participant, known ids).

    `name` selects the adapter if the file contains several. `before` is the baseline to update. Raise
    AdapterDead if the adapter was given up, and NothingJudged if no baseline can be made.
    """
    asked = exam(chosen)
    policy = terms.policy(asked.corpus.cases)
    if path := _results_file(source):
        results = _read(path, chosen.selection)
        participant = _participant(results, name, source)
    else:
        if asked.empty:
            raise NothingJudged(chosen.selection.nothing_selected(asked.corpus.cases))
        adapter = adapter_named(source)
        with tempfile.TemporaryDirectory() as scratch:
            path = Path(scratch) / "results.jsonl"
            if ask([adapter], asked, path, limits):
                raise KeyboardInterrupt
            results = read_results(path)
        participant = _participant(results, adapter.name, source)
    wanted = chosen.selection.specs or (asked.other.specs if asked.other is not None else ())
    name = participant.name
    run = JudgedRun(results, name, judged_specs(wanted, participant.specs, before), policy)
    if Outcome.ABORTED in run.outcomes:
        raise AdapterDead(f"{name}: {given_up(results, name)}; a baseline needs an answer to every case")
    if nothing := run.no_level_selected() or run.nothing_answered():
        raise NothingJudged(f"{name}: nothing was judged: {nothing}; nothing is written")
    if silence := run.unanswered(wanted):
        raise NothingJudged(f"{name}: {silence}; with this --spec no baseline can pass; nothing is written")
    return run, participant, asked.known()


def _inputs(source: str, chosen: Chosen) -> Mapping[str, Path | None]:
    """Return the files that a baseline is made from, for `refuse_overwriting`."""
    results = _results_file(source)
    programs = program_files([adapter_named(source)] if results is None else [])
    return {"the results file": results, "the file of --vectors": chosen.vectors, **programs}


def _results_file(source: str) -> Path | None:
    """Return the path of a results file, or None for an adapter.

    A name from the configuration, and the name of a bundled adapter, is always an adapter.
    """
    if configured_folder() is not None or source in BUNDLED:
        return None
    if Path(source).exists():
        return Path(source)
    try:
        find(source)
    except UnknownAdapter as error:
        raise UnknownAdapter(f"{source}: no such file, and {error}") from None
    return None


def _read(path: Path, selection: Selection) -> Results:
    """Return the results of the selected cases from a file. Raise ResultsError if the run is not complete."""
    results = read_results(path)
    if not results.complete:
        raise ResultsError(
            f"{path}: the run was interrupted or stopped, or the file is cut; a baseline needs a complete run"
        )
    if selection == Selection(specs=selection.specs):
        return results  # the selection by RFC is applied when the results are judged
    cases = selection.pick([asked.case for asked in results.vectors.values()])
    kinds = {case.vector.id: case_kind(case) for case in cases}
    kept = {
        name: {one: answers[one] for one in kinds if one in answers}
        for name, answers in results.results.items()
    }
    counted = {
        name: Counter((kinds[one], result.outcome) for one, result in answers.items())
        for name, answers in kept.items()
    }
    vectors = {one: results.vectors[one] for one in kinds}
    return structs.replace(results, vectors=vectors, results=kept, tallies=(), counted=counted)


def _participant(results: Results, name: str | None, source: str) -> Participant:
    """Return the participant with this name, or the only one. Raise an error if it did not run."""
    names = [one.name for one in results.participants]
    if name is None and len(names) != 1:
        options = " or ".join(f"--adapter {one}" for one in names)
        raise click.UsageError(f"{source}: which adapter? use {options}")
    participant = next((one for one in results.participants if name in (None, one.name)), None)
    if participant is None:
        raise click.UsageError(f"{source}: no adapter named {name!r}; choose from {', '.join(names)}")
    if participant.state == "not installed":
        raise NotInstalled(f"{participant.name}: {participant.message}")
    if participant.state == "dead":
        raise AdapterDead(f"{participant.name}: {participant.message}")
    return participant
