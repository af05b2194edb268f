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
#: answers: first the adapter or a results file, then options. No words: no command can accept the answers.
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
    """Map adapters to files from `ADAPTER=FILE`, or from `FILE` if there is only one adapter.

    `names` are the adapters of the run. Raise a usage error if an option does not name one of them, or if two
    options name the same.
    """
    files: dict[str, Path] = {}
    for option in options:
        name = _adapter_of_baseline(option, names)
        if name in files:
            raise click.BadParameter(f"{option!r}: {name} already has a baseline", param_hint="--baseline")
        files[name] = Path(option.removeprefix(f"{name}="))
    return files


def _adapter_of_baseline(option: str, names: Sequence[str]) -> str:
    """Return the adapter that `ADAPTER=FILE` names, or the only one for `FILE`, or raise a usage error."""
    names_in_option = [name for name in names if option.startswith(f"{name}=")]
    if names_in_option:
        # the longest, because the name of an adapter may contain an equals sign
        return max(names_in_option, key=len)
    if len(names) == 1:
        return names[0]
    why = "use ADAPTER=FILE with an adapter of this run" if names else "it needs a named ADAPTER"
    raise click.BadParameter(f"{option!r}: {why}", param_hint="--baseline")


# ---- stdout


def with_new_groups(results: Results, judgements: Sequence[Judgement]) -> list[JudgedWithGroups]:
    """Return each judgement with the groups of its new findings."""
    from urlharness.report.failures import groups_of_new_findings

    return [
        JudgedWithGroups(judgement, groups_of_new_findings(results, judgement)) for judgement in judgements
    ]


def print_judgements(out: Console, results: Results, judged: Sequence[JudgedWithGroups]) -> None:
    """Print the verdict on each adapter, and the groups of what is new, the first of them in full."""
    failing = [judged_adapter for judged_adapter in judged if judged_adapter.groups]
    most_in_full = _IN_FULL
    if failing:
        most_in_full = max(1, _IN_FULL // len(failing))
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
    verdict = judgement.sentence or f"{judgement.name}: passed"
    print_words(out, f"{logged(verdict)}\n", "bold")
    in_full = groups[:most_in_full]
    for group in in_full:
        print_group(out, group)
    examples = [group.example.failure for group in in_full]
    print_flags(out, (failure for failure in examples if failure is not None))
    most_listed = most_in_full + _HEADINGS
    print_headings(out, groups[most_in_full:most_listed])
    rest = count_unlisted(results, judgement, groups, most_listed)
    if rest:
        print_words(out, f"... and {rest:,} more; see --report html=FILE\n")
    if judgement.code is Exit.PASSED:
        return
    known_failures = known_failures_in_words(results, judgement)
    if known_failures:
        print_words(out, f"{logged(known_failures)}\n")


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
    `known_ids` are those of the corpus, by which an unknown id is explained, or None without a baseline.
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
            line = _line_that_accepts(judgement, file, words, several=several)
            if line:
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
    reason = f"urlconform: {judgement.sentence}"
    is_about_baseline = file is not None and judgement.code is not Exit.ADAPTER_DEAD
    if is_about_baseline:
        reason += f" ({file})"
    yield from _broken_into_lines(reason)
    for note in judgement.notes:
        yield from _broken_into_lines(f"urlconform: {file}: {note}")
    for group in judgement.groups:
        ids = ids_by_severity(group, findings)
        yield f"  {_group_in_words(replace(group, ids=ids), known_ids)}"
    if not judgement.installed and judgement.code is Exit.ADAPTER_DEAD:
        yield "  accept: --allow-missing"
    example_id = _example_id(judgement, new_groups)
    if example_id:
        yield f"  see one: {results.repro_command(example_id, judgement.name)}"


def _example_id(judgement: Judgement, new_groups: Sequence[FindingGroup]) -> str:
    """Return the id of a case to look at, or "". For an adapter that died, it is the case that ended it."""
    if judgement.code is Exit.ADAPTER_DEAD:
        return judgement.example_id
    examples = [group.example for group in new_groups]
    with_failure = (example.id for example in examples if example.failure is not None)
    return next(with_failure, judgement.example_id)


def _line_that_accepts(
    judgement: Judgement, file: Path | None, source_words: Sequence[str], *, several: bool
) -> str:
    """Return a line with the command after which the gate passes with the same answers, or "" without one.

    `file` is that of the baseline, or None without one. `source_words` are those of `SourceWords`, at least
    one. `several` is True if the run has other adapters, too: then the new baseline names its adapter.
    """
    source, *options = source_words
    if file is None:
        if judgement.code is not Exit.FAILED:
            return ""
        return _line_that_creates_baseline(judgement.name, source, options, several=several)
    if judgement.code is Exit.STALE:
        return f"  remove them: {baseline_update_command(str(file), source, options, only_shrink=True)}"
    if judgement.code is Exit.FAILED:
        return f"  accept: {baseline_update_command(str(file), source, options)}"
    return ""


def _line_that_creates_baseline(name: str, source: str, options: Sequence[str], *, several: bool) -> str:
    """Return a line with the command that makes a baseline of an adapter, and the option that names it."""
    path = str(_unused_baseline_path(name, several=several))
    baseline = f"{name}={path}" if several else path
    option = join(["--baseline", baseline])
    return f"  accept: {baseline_create_command(source, options, path)}, then {option}"


def _unused_baseline_path(name: str, *, several: bool) -> Path:
    """Return an unused path for a new baseline of the adapter, whose name is a part of it among several."""
    stem = "baseline"
    if several:
        stem = f"{file_name(name, names_in_folder={})}.baseline"
    path = Path(f"{stem}.json")
    number = 1
    while path.exists():
        number += 1
        path = Path(f"{stem}-{number}.json")
    return path


def _broken_into_lines(text: str) -> Iterator[str]:
    """Yield a text as lines of at most `_WIDTH` columns, broken after semicolons if possible."""
    first, *further = text.replace("; ", ";\n").split("\n")
    lines = [first]
    for clause in further:
        longer_line = f"{lines[-1]} {clause}"
        if len(longer_line) <= _WIDTH:
            lines[-1] = longer_line
        else:
            lines.append(f"  {clause}")
    for line in lines:
        # a clause without a semicolon may still be too long
        yield from wrap(line, _WIDTH, break_long_words=False, break_on_hyphens=False)


def _group_in_words(group: Group, known_ids: KnownIds | None) -> str:
    """Return the label of a group and as many of its ids as fit into a line, or the number of its cases.

    Failures of generated cases have no ids. `known_ids` explain an unknown id, if they are given.
    """
    if not group.ids:
        return f"{group.label}: {counted(group.count, 'generated case')}"
    names = list(group.ids[:_MOST_IDS])
    if group.label == "unknown id" and known_ids is not None:
        names = [f"{identifier} ({known_ids.why_missing(identifier)})" for identifier in names]
    while len(names) > 1 and len(", ".join(names)) > _WIDTH - _WIDTH_OF_OTHER_WORDS:
        names.pop()
    rest = group.count - len(names)
    suffix = f" and {rest:,} more" if rest > 0 else ""
    return f"{group.label}: {', '.join(names)}{suffix}"
