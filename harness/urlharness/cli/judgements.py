"""The judgements of the gate on stdout and stderr: what is new, the reasons, and commands that accept it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple

import click

from urlharness.cli.output import print_stderr
from urlharness.exitcodes import Exit
from urlharness.shell import baseline_create_command, baseline_update_command, join
from urlharness.text import file_name, logged
from urlharness.wording import counted

if TYPE_CHECKING:
    from rich.console import Console

    from urlharness.corpus.lock import KnownIds
    from urlharness.gate.gate import Group, Judgement
    from urlharness.report.failures import FindingGroup
    from urlharness.results.model import Results

#: A function from the name of an adapter to the words of a `baseline` command that name the source of its
#: answers: the adapter and options, or a results file. No words: no command can accept the answers.
SourceWords = Callable[[str], Sequence[str]]

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


class JudgedWithGroups(NamedTuple):
    """A judgement with what is new in it and fails the gate, grouped by what differs."""

    judgement: Judgement
    groups: Sequence[FindingGroup]


def baseline_files(options: Sequence[str], names: Sequence[str]) -> Mapping[str, Path]:
    """Map adapters to files from `ADAPTER=FILE`, or from `FILE` if there is only one adapter."""
    files: dict[str, Path] = {}
    for option in options:
        names_in_option = [name for name in names if option.startswith(f"{name}=")]
        if names_in_option:
            # the longest, because the name of an adapter may contain an equals sign
            name = max(names_in_option, key=len)
            file = option.removeprefix(f"{name}=")
        elif len(names) == 1:
            (name,) = names
            file = option
        else:
            why = "use ADAPTER=FILE with an adapter of this run" if names else "it needs a named ADAPTER"
            raise click.BadParameter(f"{option!r}: {why}", param_hint="--baseline")
        if name in files:
            raise click.BadParameter(f"{option!r}: {name} already has a baseline", param_hint="--baseline")
        files[name] = Path(file)
    return files


# ---- stdout


def with_new_groups(results: Results, judgements: Sequence[Judgement]) -> list[JudgedWithGroups]:
    """Return each judgement with the groups of its new findings."""
    from urlharness.report.failures import groups_of_new_findings

    return [
        JudgedWithGroups(judgement, groups_of_new_findings(results, judgement)) for judgement in judgements
    ]


def print_judgements(out: Console, results: Results, judged: Sequence[JudgedWithGroups]) -> None:
    """Print the verdict on each adapter, and the groups of what is new, the first of them in full."""
    failing = sum(1 for _, groups in judged if groups)
    most_in_full = max(1, _IN_FULL // max(1, failing))
    for judged_adapter in judged:
        _print_judgement(out, results, judged_adapter, most_in_full)


def _print_judgement(
    out: Console, results: Results, judged_adapter: JudgedWithGroups, most_in_full: int
) -> None:
    """Print the verdict on an adapter, its first groups with an example in full, and how many more there are.

    If the adapter does not pass by a baseline, say how many failures were known, too.
    """
    from urlharness.report.failures import count_unlisted, known_failures_in_words
    from urlharness.report.terminal import print_flags, print_group, print_headings, print_words

    judgement, groups = judged_adapter
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


# ---- stderr


def print_reasons(
    results: Results,
    judged: Sequence[JudgedWithGroups],
    files: Mapping[str, Path],
    known_ids: KnownIds | None,
    source_words: SourceWords,
) -> None:
    """Print on stderr the reason of each judgement, and commands that show or accept a failure.

    A judgement without a reason has no lines. `files` maps adapters to the files of their baselines.
    """
    several = len(judged) > 1
    for judged_adapter in judged:
        judgement = judged_adapter.judgement
        if not judgement.reason:
            continue
        file = files.get(judgement.name)
        for line in _lines_about_judgement(judged_adapter, results, file, known_ids):
            print_stderr(logged(line))
        words = source_words(judgement.name)
        if judgement.groups and judgement.listable and words:
            for line in _accepting_commands(judgement, file, words, several=several):
                print_stderr(logged(line))


def _lines_about_judgement(
    judged_adapter: JudgedWithGroups, results: Results, file: Path | None, known_ids: KnownIds | None
) -> Iterator[str]:
    """Yield the lines on a judgement with a reason: what is wrong, and what to look at.

    `file` is that of the baseline, or None without one.
    """
    from urlharness.report.failures import ids_by_severity, sorted_findings

    judgement, new_groups = judged_adapter
    findings = sorted_findings(new_groups)
    reason = f"urlconform: {judgement.reason}"
    is_about_baseline = file is not None and judgement.code is not Exit.ADAPTER_DEAD
    yield from _broken_into_lines(f"{reason} ({file})" if is_about_baseline else reason)
    for note in judgement.notes:
        yield from _broken_into_lines(f"urlconform: {file}: {note}")
    for group in judgement.groups:
        ids = ids_by_severity(group, findings)
        yield f"  {_group_in_words(replace(group, ids=ids), known_ids)}"
    if not judgement.installed and judgement.code is Exit.ADAPTER_DEAD:
        yield "  accept: --allow-missing"
    if example_id := _example_id(judgement, new_groups):
        yield f"  see one: {results.repro_command(example_id, judgement.name)}"


def _example_id(judgement: Judgement, new_groups: Sequence[FindingGroup]) -> str:
    """Return the id of a case to look at, or "". For an adapter that died, it is the case that ended it."""
    if judgement.code is Exit.ADAPTER_DEAD:
        return judgement.example_id
    examples = [group.example for group in new_groups]
    with_failure = (example.id for example in examples if example.failure is not None)
    return next(with_failure, judgement.example_id)


def _accepting_commands(
    judgement: Judgement, file: Path | None, source_words: Sequence[str], *, several: bool
) -> Iterator[str]:
    """Yield the command after which the gate passes with the same answers."""
    name = judgement.name
    source, *options = source_words
    if judgement.code is Exit.STALE and file is not None:
        yield f"  remove them: {baseline_update_command(str(file), source, options, only_shrink=True)}"
    elif judgement.code is Exit.FAILED and file is not None:
        yield f"  accept: {baseline_update_command(str(file), source, options)}"
    elif judgement.code is Exit.FAILED:
        path = str(_unused_baseline_path(name, several=several))
        option = join(["--baseline", f"{name}={path}" if several else path])
        yield f"  accept: {baseline_create_command(source, options, path)}, then {option}"


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
