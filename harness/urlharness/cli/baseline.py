"""`urlconform baseline`: make, update and check lists of known wrong answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from urlharness.cli.configured import ConfiguredCommand
from urlharness.cli.options import Chosen, Terms, gated, limited, selecting
from urlharness.exitcodes import Exit
from urlharness.limits import Limits
from urlharness.report.texts import logged

if TYPE_CHECKING:
    from urlharness.baseline import Baseline, Entry
    from urlharness.corpus import Operation, Spec

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
    from urlharness.against import not_gated
    from urlharness.answered import asked_in_part
    from urlharness.baseline import write_baseline
    from urlharness.cli.sources import settle
    from urlharness.cli.sources_kept import keep_sources
    from urlharness.listing import create as created

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
    from urlharness.against import other_corpus
    from urlharness.baseline import BaselineError, canonical, read_baseline, write_baseline
    from urlharness.cli.sources import settle
    from urlharness.findings import misfit
    from urlharness.listing import update as updated

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
    from urlharness.against import not_numbered, other_corpus
    from urlharness.baseline import canonical, digest, read_baseline, write_baseline
    from urlharness.cli.asking import exam
    from urlharness.selection import Selection

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
    for part, of in sorted(found.generated.items()):
        if (count := sum(of.values())) > cases.get(part, 0):
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
