"""`baseline create|update|check`."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from msgspec import structs

from urlharness.adapters.registry import BUNDLED, NotInstalled, UnknownAdapter, find
from urlharness.cli.config import ConfiguredCommand, adapter_named, configured_folder
from urlharness.cli.judge.exam import ask, exam
from urlharness.cli.judge.reports import files_of, project_files, same_file
from urlharness.cli.options import Chosen, Terms, gated, limited, selecting
from urlharness.corpus.lock import KnownIds
from urlharness.corpus.model import case_kind
from urlharness.corpus.selection import Selection
from urlharness.exitcodes import Exit
from urlharness.gate.baseline import Baseline
from urlharness.gate.gate import judged_specs, of, silent, tallies, unanswered, unlevelled
from urlharness.gate.policy import Policy
from urlharness.gate.update import NothingJudged
from urlharness.limits import AdapterDead, Limits
from urlharness.results.coverage import given_up
from urlharness.results.model import Participant, Results, ResultsError, read_results
from urlharness.text import logged

if TYPE_CHECKING:
    from urlharness.corpus.model import Operation, Spec
    from urlharness.gate.baseline import Entry


# -------------------- cli.baseline: `urlconform baseline`: make, update and check lists of known wrong answers.


#: How many were answered, of each whole, by operation.
_Numbers = Mapping[Any, Mapping[Any, int]]


_FILE = click.Path(path_type=Path, dir_okay=False)


_CONTEXT = {"help_option_names": ["-h", "--help"]}


#: So many ids of a kind are printed.
_FIRST = 20


@click.group(context_settings=_CONTEXT)
def baseline() -> None:
    """Make, update and check lists of known wrong answers, for `urlconform run ADAPTER --baseline FILE`."""


#: For a results file.
_NAME = click.option("-a", "--adapter", "name", metavar="ADAPTER",
                     help="Which adapter of a results file that has several.")  # fmt: skip


@baseline.command("create", cls=ConfiguredCommand, context_settings=_CONTEXT)
@click.argument("source", metavar="[ADAPTER|RESULTS]", required=False)
@click.option("-o", "output", type=_FILE, required=True, metavar="FILE", help="The baseline to write.")
@click.option("--force", is_flag=True, help="Write over a baseline that exists, its issues and notes lost.")
@_NAME
@selecting
@gated
@limited
def create(
    source: str,
    output: Path,
    force: bool,
    name: str | None,
    chosen: Chosen,
    terms: Terms,
    limits: Limits,
) -> int:
    """List every failing answer of an adapter, asked now, or of a results.jsonl of an earlier run.

    Without either it is the adapter of [tool.urlconform], where there is one.
    """
    from urlharness.gate.baseline import write_baseline
    from urlharness.gate.gate import not_gated
    from urlharness.gate.update import create as created
    from urlharness.results.coverage import asked_in_part

    if not output.name:
        raise click.BadParameter("it names no file", param_hint="-o")
    keep_sources(output, source, chosen.vectors)
    if output.exists() and not force:
        why = f"{output}: exists; urlconform baseline update keeps its issues and notes, --force does not"
        raise click.UsageError(why)
    run = settle(source, name, chosen, terms, limits)
    made = created(run.results, run.participant, run.judged, run.policy, known=run.known.ids)
    write_baseline(made, output)
    click.echo(f"{output}: {_sum(entry.outcome for entry in made.entries)} ({', '.join(made.spec)})")
    in_part = asked_in_part(run.results, run.participant.name, run.judged, run.known.ids)
    for clause in not_gated(in_part):
        click.echo(f"  {clause}")
    _print("+", [f"{entry.id} {entry.outcome}" for entry in made.entries])
    return Exit.PASSED


@baseline.command("update", cls=ConfiguredCommand, context_settings=_CONTEXT)
@click.argument("file", type=_FILE)
@click.argument("source", metavar="[ADAPTER|RESULTS]", required=False)
@click.option("--only-shrink", is_flag=True, help="Remove what passes or is gone; add and change nothing.")
@_NAME
@selecting
@gated
@limited
def update(
    file: Path,
    source: str,
    only_shrink: bool,
    name: str | None,
    chosen: Chosen,
    terms: Terms,
    limits: Limits,
) -> int:
    """Bring a baseline up to date with an adapter, asked now, or with a results.jsonl of an earlier run.

    Without either it is the adapter of [tool.urlconform], where there is one.  Issues and notes are kept, and
    so are entries of vectors that were not asked.  Ends with 1 where --only-shrink leaves something that the
    gate fails on.
    """
    from urlharness.gate.baseline import BaselineError, canonical, read_baseline, write_baseline
    from urlharness.gate.findings import misfit
    from urlharness.gate.gate import other_corpus
    from urlharness.gate.update import update as updated

    before = read_baseline(file)
    run = settle(source, name, chosen, terms, limits, before)
    problem = misfit(before, run.participant)
    if problem:
        raise BaselineError(f"{file}: {problem}")
    made = updated(
        before,
        run.results,
        run.participant,
        run.judged,
        run.policy,
        known=run.known.ids,
        only_shrink=only_shrink,
    )
    if canonical(made.baseline) == file.read_text(encoding="utf-8"):
        what = "unchanged"
    else:
        write_baseline(made.baseline, file)
        what = f"{len(made.added)} added, {len(made.changed)} changed, {len(made.removed)} removed"
    click.echo(f"{file}: {what}, {_entries(len(made.baseline.entries))}")
    _print("+", [f"{entry.id} {entry.outcome}" for entry in made.added])
    _print("~", [_difference(old, new) for old, new in made.changed])
    _print("~", list(_answered(before, made.baseline)))
    _print("~", list(_renewed(before, made.baseline)))
    _print("-", [f"{entry.id}: {why}" for entry, why in made.removed])
    advice = ("mend what is left, or baseline update without --only-shrink",) if made.left else ()
    note = other_corpus(made.baseline, run.results.header.corpus, *advice)
    if note:
        click.echo(logged(f"{file}: {note}"))
    if made.left:
        click.echo(f"urlconform: {file}: {_sum(one.kind for one in made.left)} left", err=True)
        _print("!", [f"{one.id} {one.kind}" for one in made.left])
        return Exit.FAILED
    return Exit.PASSED


@baseline.command("check", context_settings=_CONTEXT)
@click.argument("files", type=_FILE, metavar="FILE...", nargs=-1, required=True)
@click.option("--vectors", "vectors", type=click.Path(path_type=Path, exists=True), metavar="PATH",
              help="The corpus in this directory, or a foreign one in this file.")  # fmt: skip
@click.option("--fix", is_flag=True, help="Write what is not in canonical form anew.")
def check(files: tuple[Path, ...], vectors: Path | None, fix: bool) -> int:
    """Check baselines without an adapter: form, ids, and whether the vectors are still the same."""
    from urlharness.cli.judge.exam import exam
    from urlharness.corpus.selection import Selection
    from urlharness.gate.baseline import canonical, digest, read_baseline, write_baseline
    from urlharness.gate.gate import not_numbered, other_corpus

    asked = exam(Chosen(Selection(), ("core",), vectors))
    known = asked.known()
    digests = {**known.parts, **{case.vector.id: digest(case) for case in asked.cases}}
    sizes = Counter((case.spec, case.vector.op) for case in asked.cases)
    code = Exit.PASSED
    for file in files:
        found = read_baseline(file)
        problems = [*_problems(found, digests, known.why), *_too_many(found, sizes, known.cases)]
        if file.read_text(encoding="utf-8") != canonical(found):
            if fix:
                write_baseline(found, file)
            else:
                problems.insert(0, "not in canonical form (--fix)")
        for problem in problems:
            click.echo(logged(f"{file}: {problem}"))
            code = Exit.FAILED
        if not problems:
            click.echo(f"{file}: {_entries(len(found.entries))}, all current")
        notes = [other_corpus(found, asked.corpus.digest), *not_numbered(found, found.spec)]
        for note in filter(None, notes):
            click.echo(logged(f"{file}: {note}"))
    return code


def _problems(found: Baseline, digests: Mapping[str, str], why: Callable[[str], str]) -> list[str]:
    """What the gate would find without asking anything."""
    problems = []
    for entry in found.entries:
        if entry.id not in digests:
            problems.append(f"{entry.id}: unknown id: {why(entry.id)}")
        elif entry.digest != digests[entry.id]:
            problems.append(f"{entry.id}: moved: the vector has changed since it was listed")
    return problems


def _too_many(
    found: Baseline, sizes: Mapping[tuple[Spec, Operation], int], cases: Mapping[str, int]
) -> Iterator[str]:
    """Of which operations and generated parts a list says that more is answered than the corpus asks."""
    for spec, counts in sorted(found.answered.items()):
        for op, count in sorted(counts.items()):
            there = sizes.get((spec, op), 0)
            if count > there:
                yield f"answered: {spec} {op}: {count:,}, but the corpus has {there:,} such vectors"
    for part, outcomes in sorted(found.generated.items()):
        if (count := sum(outcomes.values())) > cases.get(part, 0):
            has = f"{cases[part]:,} cases of it" if part in cases else "no such part"
            yield f"generated: {part}: {count:,}, but the corpus has {has}"


def _difference(old: Entry, new: Entry) -> str:
    """What a changed entry says now."""
    if old.outcome != new.outcome:
        return f"{new.id}: {old.outcome}, now {new.outcome}"
    return f"{new.id}: another answer" if old.got != new.got else f"{new.id}: the vector has changed"


def _answered(old: Baseline, new: Baseline) -> Iterator[str]:
    """Of which operations, of RFCs and of generated parts, another number is answered than before."""
    yield from _numbers("vectors", old.answered, new.answered)
    yield from _numbers("cases", old.generated, new.generated)


def _numbers(what: str, old: _Numbers, new: _Numbers) -> Iterator[str]:
    for name in sorted({*old, *new}):
        before, now = old.get(name, {}), new.get(name, {})
        for op in sorted({*before, *now}):
            if op not in before:
                yield f"{name} {op}: {now[op]:,} {what} answered"
            elif before[op] != now.get(op, 0):
                yield f"{name} {op}: {before[op]:,} {what} answered, now {now.get(op, 0):,}"


def _renewed(old: Baseline, new: Baseline) -> Iterator[str]:
    """The corpus where it is another than before."""
    if old.corpus != new.corpus:
        yield f"made with corpus {old.corpus}, now {new.corpus}"


def _print(mark: str, lines: Sequence[str]) -> None:
    """The first of some lines, and how many more there are."""
    for line in lines[:_FIRST]:
        click.echo(logged(f"  {mark} {line}"))
    if len(lines) > _FIRST:
        click.echo(f"  {mark} … and {len(lines) - _FIRST} more")


def _sum(kinds: Iterable[str]) -> str:
    """How many of each kind, and of all."""
    counts = Counter(kinds)
    each = ", ".join(f"{count} {kind}" for kind, count in sorted(counts.items()))
    return f"{_entries(counts.total())}" + (f": {each}" if each else "")


def _entries(count: int) -> str:
    return f"{count} {'entry' if count == 1 else 'entries'}"


# -------------------- cli.sources: What a baseline is made from: the answers of one adapter, asked now or read from the results of a run.


class Settled(NamedTuple):
    """The answers of one adapter: the RFCs that are judged, all if empty, and what fails of them."""

    results: Results
    participant: Participant
    judged: Collection[str]
    policy: Policy
    known: KnownIds


def settle(
    source: str,
    name: str | None,
    chosen: Chosen,
    terms: Terms,
    limits: Limits,
    before: Baseline | None = None,
) -> Settled:
    """The answers that `source` names, a results file or an adapter; `name` is one of several in a file.

    What `before` lists is judged as the gate does.  Raises AdapterDead, NothingJudged, NotInstalled,
    ResultsError and UnknownAdapter: a list that is made of half a run would not be one.
    """
    asked = exam(chosen)
    policy = terms.policy(asked.corpus.cases)
    if configured_folder() is None and _is_file(source):
        results = _read(Path(source), chosen.selection)
        participant = _participant(results, name, source)
    else:
        if asked.empty:
            raise NothingJudged("no vector meets the selection")
        adapter = adapter_named(source)
        with tempfile.TemporaryDirectory() as scratch:
            path = Path(scratch) / "results.jsonl"
            if ask([adapter], asked, path, limits):
                raise KeyboardInterrupt
            results = read_results(path)
        participant = _participant(results, adapter.name, source)
    wanted = chosen.selection.specs or (asked.other.specs if asked.other is not None else ())
    judged = judged_specs(wanted, participant.specs, before)
    _refuse_unsettled(results, participant, judged, wanted, policy)
    return Settled(results, participant, judged, policy, asked.known())


def _is_file(source: str) -> bool:
    """A bundled adapter goes before a file of its name; `./NAME` is the file."""
    if source in BUNDLED:
        return False
    if Path(source).exists():
        return True
    try:
        find(source)
    except UnknownAdapter as error:
        raise UnknownAdapter(f"{source}: no results file, and {error}") from None
    return False


def _read(path: Path, selection: Selection) -> Results:
    """The results in a file as far as they meet the selection."""
    results = read_results(path)
    if not results.complete:
        raise ResultsError(f"{path}: the run was interrupted, stopped or cut; a baseline needs all of it")
    if selection == Selection(specs=selection.specs):
        return results  # RFCs are chosen when they are judged
    cases = selection.pick([asked.case for asked in results.vectors.values()])
    kinds = {case.vector.id: case_kind(case) for case in cases}
    kept = {
        name: {one: answers[one] for one in kinds if one in answers}
        for name, answers in results.results.items()
    }
    return structs.replace(
        results,
        vectors={identifier: results.vectors[identifier] for identifier in kinds},
        results=kept,
        tallies=(),
        counted={
            name: Counter((kinds[one], result.outcome) for one, result in answers.items())
            for name, answers in kept.items()
        },
    )


def _participant(results: Results, name: str | None, source: str) -> Participant:
    """The participant that is meant; raises where there is none, and where it did not run."""
    names = [one.name for one in results.participants]
    if name is None and len(names) != 1:
        raise click.UsageError(f"{source}: which adapter? --adapter {' or '.join(names) or 'of none'}")
    found = [one for one in results.participants if name in (None, one.name)]
    if not found:
        raise click.UsageError(f"{source}: no adapter {name!r}; there are {', '.join(names)}")
    participant = found[0]
    if participant.state == "not installed":
        raise NotInstalled(f"{participant.name}: {participant.message}")
    if participant.state == "dead":
        raise AdapterDead(f"{participant.name}: {participant.message}")
    return participant


def _refuse_unsettled(
    results: Results,
    participant: Participant,
    judged: Collection[str],
    wanted: Collection[str],
    policy: Policy,
) -> None:
    """Refuse a run that the adapter did not live to the end of, or by which the gate would judge nothing."""
    name = participant.name
    counted = results.counted.get(name, {})
    outcomes = {one for kind, one in counted if of(kind.spec, judged)}
    for tally in tallies(results, name, judged):
        outcomes |= tally.outcomes.keys()
    if "aborted" in outcomes:
        raise AdapterDead(f"{name}: {given_up(results, name)}; a baseline needs all of its answers")
    nothing = unlevelled(results, name, judged, policy) or unanswered(results, name, judged, policy)
    if nothing:
        raise NothingJudged(f"{name}: nothing was judged: {nothing}; nothing is written")
    silence = silent(results, name, wanted, policy)
    if silence:
        raise NothingJudged(f"{name}: {silence}; no list passes with such a --spec, and nothing is written")


# -------------------- cli.sources_kept: A baseline is written over none of the files that it is made from, and over no configuration.


def keep_sources(output: Path, source: str, vectors: Path | None) -> None:
    """Raises a usage error where a list made from `source` would overwrite a file that is read for it."""
    for what, file in _sources_kept_read(source, vectors):
        if same_file(output, file):
            raise click.BadParameter(f"{str(output)!r} would be written over {what}", param_hint="-o")


def _sources_kept_read(source: str, vectors: Path | None) -> Iterator[tuple[str, Path]]:
    """What each file is, as far as that is known; nothing of an adapter is run."""
    if configured_folder() is None and source not in BUNDLED and Path(source).exists():
        yield "the results that it is made of", Path(source)
    else:
        try:
            adapter = adapter_named(source)
        except UnknownAdapter:
            return  # whoever is about to ask it says so
        for file in files_of(adapter):
            yield f"a file of {adapter.name}", file
    if vectors is not None:
        yield "the file of --vectors", vectors
    yield from project_files()
