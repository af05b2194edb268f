"""The command `run`: select cases, ask adapters, write reports, decide the gate."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, count
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

import click

from urlharness.adapters.registry import BUNDLED, available
from urlharness.cli.files import program_files, refuse_overwriting
from urlharness.cli.options import (
    Chosen,
    ConfiguredCommand,
    Tables,
    Terms,
    adapter_named,
    gated,
    limited,
    repeated_options,
    selecting,
    showing,
)
from urlharness.cli.output import busy, console, ignoring_broken_pipe, print_stderr
from urlharness.cli.reports import (
    FORMATS,
    check_reports,
    replaced_files,
    results_file,
    write_reports,
)
from urlharness.config import TABLE, find_configuration
from urlharness.exitcodes import Exit
from urlharness.protocol.limits import Limits
from urlharness.shell import baseline_create, baseline_update, join, repro
from urlharness.text import file_name, logged
from urlharness.wording import counted

if TYPE_CHECKING:
    from urlharness.cli.exam import Exam
    from urlharness.corpus.lock import KnownIds
    from urlharness.gate.gate import Group, Judgement
    from urlharness.report.failures import NewFinding
    from urlharness.results.model import Results

#: The maximum number of new findings to print in full, for all adapters together. Each adapter has at least
#: one.
_IN_FULL = 10

#: The maximum number of ids of a group to print.
_FIRST = 5

#: The maximum width of a line on stderr. Only commands may be longer.
_WIDTH = 199


@click.command(cls=ConfiguredCommand)
@click.argument("names", metavar="[ADAPTER]...", nargs=-1)
@selecting
@click.option("--gate", "gate_only", is_flag=True,
              help="Require an ADAPTER, here or in [tool.urlconform]; never make a survey.")  # fmt: skip
@click.option("--allow-missing", is_flag=True,
              help="With --gate, accept a named ADAPTER that is not installed, unless none is.")  # fmt: skip
@click.option("--list", "list_only", is_flag=True, help="Only print the ids of the selected cases.")
@click.option(
    "--maxfail",
    type=click.IntRange(min=1),
    metavar="N",
    help="Stop an adapter after N failures that are not in its baseline. A stopped adapter cannot pass.",
)
@click.option("--baseline", multiple=True, metavar="[ADAPTER=]FILE",
              help="Known wrong answers; only differences from them fail.")  # fmt: skip
@gated
@limited
@showing
@click.option("--report", multiple=True, metavar="FORMAT=FILE",
              help=f"Also write a report; formats: {', '.join(FORMATS)}.")  # fmt: skip
def run(
    names: tuple[str, ...],
    chosen: Chosen,
    gate_only: bool,
    allow_missing: bool,
    list_only: bool,
    maxfail: int | None,
    baseline: tuple[str, ...],
    terms: Terms,
    limits: Limits,
    tables: Tables,
    report: tuple[str, ...],
) -> int:
    """Judge adapters, and print how many statements of each RFC hold.

    Without an ADAPTER, this is a survey of the reference and of the libraries that need no install. A survey
    fails only if the reference fails. A named ADAPTER fails if it gives a wrong answer to a required vector
    of an RFC that it claims. With a baseline, it fails if its answers differ from the baseline. Defaults come
    from [tool.urlconform] in pyproject.toml.
    """
    from urlharness.cli.exam import ask, exam
    from urlharness.gate.baseline import read_baseline
    from urlharness.gate.gate import decide, failure_test
    from urlharness.report.failures import new_findings
    from urlharness.results.model import copy_results, read_results

    if gate_only and not names:
        raise _no_adapter()
    named = [adapter_named(name) for name in dict.fromkeys(names)]
    shown = [adapter.name for adapter in named]
    tables.check(shown or [*BUNDLED])
    targets, files = check_reports(report), _baseline_files(baseline, shown)
    inputs: dict[str, Path | None] = {f"the baseline of {name}": file for name, file in files.items()}
    inputs["the file of --vectors"] = chosen.vectors
    refuse_overwriting("--report", replaced_files(targets), {**inputs, **program_files(named)})
    listed = {name: read_baseline(file) for name, file in files.items()}
    with busy("reading the corpus"):
        asked = exam(chosen)
    policy = terms.policy(asked.corpus.cases)
    if asked.empty:
        print_stderr(logged(f"urlconform: {chosen.selection.nothing_selected(asked.corpus.cases)}"))
        return Exit.NOTHING_RAN
    if list_only:
        return _list(asked)
    other = asked.other
    judged = chosen.selection.specs or (other.specs if other is not None else ())
    with tempfile.TemporaryDirectory() as scratch:
        path = results_file(targets, Path(scratch))
        counts = failure_test(shown, judged, policy, listed)
        interrupted = ask(named or list(BUNDLED.values()), asked, path, limits, maxfail, counts)
        with busy("reading the results"):
            results = read_results(path)
        if targets.get("json", path) != path:  # results go to a pipe or device, which cannot be read back
            with ignoring_broken_pipe(targets["json"]):
                copy_results(path, targets["json"])
    if interrupted:
        _print(results, tables)
        write_reports(results, targets, (), files)
        print_stderr("urlconform: interrupted; the reports contain the results so far")
        return Exit.INTERRUPTED
    known = asked.known() if listed else None
    ids = known.ids if known is not None else None
    decision = decide(
        results,
        shown,
        judged,
        policy=policy,
        baselines=listed,
        corpus_ids=ids,
        require_installed=gate_only and not allow_missing,
    )
    options = repeated_options(chosen, terms, limits)
    again = "" if shown else join(["urlconform", "run", *options])
    found = {one.name: new_findings(results, one) for one in decision.judgements}
    own = [(one, found[one.name]) for one in decision.judgements if one.name in shown]
    _print(results, tables, own, again)
    write_reports(results, targets, decision.judgements, files)
    if other is not None and other.note:
        print_stderr(f"urlconform: {other.note}")
        if not shown:  # a survey with a foreign corpus never fails
            return Exit.PASSED
    for judgement in decision.judgements:
        for line in _reasons(judgement, found[judgement.name], results, shown, files, options, known):
            print_stderr(logged(line))
    return decision.code


def _no_adapter() -> click.UsageError:
    why = f"--gate needs an ADAPTER: give one here, or set `adapters` in [{TABLE}] of pyproject.toml"
    if (found := find_configuration()) and not found.configuration.adapters:
        why = f"{why}; {found.path} does not set it"
    return click.UsageError(why, click.get_current_context())


def _baseline_files(given: Sequence[str], names: Sequence[str]) -> Mapping[str, Path]:
    """Map adapters to files from `ADAPTER=FILE`, or from `FILE` if there is only one adapter."""
    files: dict[str, Path] = {}
    for item in given:
        named = max((name for name in names if item.startswith(f"{name}=")), key=len, default=None)
        if named is None and len(names) != 1:
            why = "use ADAPTER=FILE with an adapter of this run" if names else "it needs a named ADAPTER"
            raise click.BadParameter(f"{item!r}: {why}", param_hint="--baseline")
        name = names[0] if named is None else named
        if name in files:
            raise click.BadParameter(f"{item!r}: {name} already has a baseline", param_hint="--baseline")
        files[name] = Path(item if named is None else item.removeprefix(f"{named}="))
    return files


def _list(asked: Exam) -> Exit:
    for case in chain(asked.cases, *(stream.cases() for stream in asked.streams)):
        click.echo(case.vector.id)
    return Exit.PASSED


def _print(
    results: Results,
    tables: Tables,
    judged: Sequence[tuple[Judgement, Sequence[NewFinding]]] = (),
    again: str = "",
) -> None:
    """Print the new findings in full, then the summary."""
    from urlharness.report.failures import count_findings, known_failures, unlike
    from urlharness.report.terminal import print_failure, print_flags, print_report, print_words

    out = console()
    each = max(1, _IN_FULL // max(1, sum(map(bool, (found for _, found in judged)))))
    for judgement, found in judged:
        verdict = judgement.reason or f"{judgement.name}: passed"
        print_words(out, f"{logged(verdict)}\n", "bold")
        shown = unlike(found)[:each]
        for one in shown:
            lines = one.failure.in_full(one.text) if one.failure is not None else [("before", one.text)]
            print_failure(out, one.id, one.kind, lines)
        print_flags(out, (one.failure for one in shown if one.failure is not None))
        if left := count_findings(results, judgement, found) - len(shown):
            print_words(out, f"... and {left:,} more; see --report html=FILE\n")
        if judgement.code is not Exit.PASSED and (known := known_failures(results, judgement)):
            print_words(out, f"{logged(known)}\n")
    short = again and not (tables.sections or tables.components)
    others = sum(one.name not in BUNDLED for one in available()) if short else 0
    print_report(out, results, *tables, again=again, others=others)


def _reasons(
    judgement: Judgement,
    found: Sequence[NewFinding],
    results: Results,
    names: Sequence[str],
    files: Mapping[str, Path],
    options: Sequence[str],
    known: KnownIds | None,
) -> Iterator[str]:
    """Yield the lines to print on a judgement: the reason, and commands that show or accept a failure.

    `found` are the new findings of the judgement. `names` are the named adapters of the run. `files` maps
    them to the files of their baselines. `options` are the options of the command that must be repeated.
    """
    if not judgement.reason:
        return
    from urlharness.report.failures import severe_ids

    name, file, header = judgement.name, files.get(judgement.name), results.header
    reason = f"urlconform: {judgement.reason}" + (f" ({file})" if file is not None else "")
    yield from _broken(reason)
    for note in judgement.notes:
        yield from _broken(f"urlconform: {file}: {note}")
    for group in judgement.groups:
        yield f"  {_group(replace(group, ids=severe_ids(group, found)), known)}"
    if not judgement.installed and judgement.code is Exit.ADAPTER_DEAD:
        yield "  accept: --allow-missing"
    if example_id := _example_id(judgement, found):
        vectors = header.vectors if example_id in results.vectors else ""  # else a generated case
        again = repro(
            example_id, name, vectors=vectors, timeout=header.timeout, start_timeout=header.start_timeout
        )
        yield f"  see one: {again}"
    if not judgement.groups or not judgement.listable or name not in names:
        return
    if judgement.code is Exit.STALE and file is not None:
        yield f"  remove them: {baseline_update(str(file), name, options, only_shrink=True)}"
    elif judgement.code is Exit.FAILED and file is not None:
        yield f"  accept: {baseline_update(str(file), name, options)}"
    elif judgement.code is Exit.FAILED:
        new = _new_baseline(name, several=len(names) > 1)
        option = join(["--baseline", f"{name}={new}" if len(names) > 1 else str(new)])
        yield f"  accept: {baseline_create(name, options, str(new))}, then {option}"


def _example_id(judgement: Judgement, found: Sequence[NewFinding]) -> str:
    """Return the id of a case to look at, or "". For an adapter that died, it is the case that ended it."""
    if judgement.code is Exit.ADAPTER_DEAD:
        return judgement.example_id
    return next((finding.id for finding in found if finding.failure is not None), judgement.example_id)


def _broken(text: str) -> Iterator[str]:
    """Yield a text as lines of at most `_WIDTH` columns, broken after semicolons if possible."""
    line = ""
    for clause in text.replace("; ", ";\n").split("\n"):
        if line and len(f"{line} {clause}") > _WIDTH:
            yield from wrap(line, _WIDTH, break_long_words=False, break_on_hyphens=False)
            line = " "
        line = f"{line} {clause}" if line else clause
    yield from wrap(line, _WIDTH, break_long_words=False, break_on_hyphens=False)


def _group(group: Group, known: KnownIds | None) -> str:
    if not group.ids:  # failures of generated cases are only counted
        return f"{group.label}: {counted(group.count, 'generated case')}"
    first = group.ids[:_FIRST]
    if group.label == "unknown id" and known is not None:
        first = tuple(f"{one} ({known.why_missing(one)})" for one in first)
    while len(first) > 1 and len(", ".join(first)) > _WIDTH - 40:
        first = first[:-1]
    more = f" and {group.count - len(first):,} more" if group.count > len(first) else ""
    return f"{group.label}: {', '.join(first)}{more}"


def _new_baseline(name: str, *, several: bool) -> Path:
    """Return an unused path for a new baseline of the adapter."""
    stem = f"{file_name(name, {})}.baseline" if several else "baseline"
    names = chain([f"{stem}.json"], (f"{stem}-{number}.json" for number in count(2)))
    return next(path for path in map(Path, names) if not path.exists())
