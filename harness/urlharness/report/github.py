"""GitHub workflow annotations, one per line: errors, then warnings. In both, the most important come first.

GitHub shows ten errors and ten warnings of a step and drops the rest. Therefore, one annotation reports a
finding or a whole group of failures. At most ten annotations of each level are written, and a last notice
states the total.
"""

from __future__ import annotations

import os
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Literal, NamedTuple

from urlharness.exitcodes import Exit
from urlharness.gate.gate import Judgement
from urlharness.report.failures import (
    Failure,
    FailureGroup,
    FindingGroup,
    describe_finding,
    failure_groups,
    groups_of_new_findings,
)
from urlharness.report.summary import headline
from urlharness.results.coverage import caveats, extent_in_words, reason_given_up
from urlharness.results.model import Results
from urlharness.results.verdict import Outcome
from urlharness.text import clipped, logged
from urlharness.wording import counted, rfc

#: GitHub shows this many annotations of each level for a step.
SHOWN = 10

#: The maximum number of characters of a line and of a title.
_LINE_LIMIT, _TITLE_LIMIT = 400, 150

#: The maximum number of kinds of difference that the annotation of a gate names.
_HEADINGS = 3

#: The first line of an entry, or of a partly answered vector, in the text of a baseline.
_ENTRY = re.compile(r'(?:\s*\{?\s*"id": |   )"(?P<id>[^"]*)"')

Level = Literal["error", "warning", "notice"]


class Annotation(NamedTuple):
    """One workflow command. The title and the lines may be any text."""

    level: Level
    title: str
    lines: Sequence[str]
    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        """The command in one line, with all texts escaped and cut to what GitHub shows."""
        properties = ",".join(self._properties())
        lines = [clipped(logged(line), _LINE_LIMIT) for line in self.lines]
        message = "%0A".join(line.replace("%", "%25") for line in lines)
        return f"::{self.level} {properties}::{message}"

    def _properties(self) -> Iterator[str]:
        """Yield the properties of the command: the file and the line if there is a line, and the title."""
        if self.line:
            yield f"file={_escaped_property(self.file)}"
            yield f"line={self.line}"
        title = clipped(logged(self.title), _TITLE_LIMIT)
        yield f"title={_escaped_property(title)}"


def render(results: Results, judgements: Sequence[Judgement] = (), baselines: Mapping[str, Path] = {}) -> str:
    """Return the annotations: the most important ones of each level, and a notice unless it says nothing new.

    If the gate judges an implementation, annotations report groups of what is new, by what differs. For its
    RFCs that are not claimed, and for other implementations, they report groups of failures by section.
    """
    annotations = _all_annotations(results, judgements, baselines)
    commands = []
    for level in ("error", "warning"):
        lines_of_level = [str(annotation) for annotation in annotations if annotation.level == level]
        commands += lines_of_level[:SHOWN]
    has_run = not results.complete or results.ran
    # without a run, the summary would repeat why nothing ran
    if has_run or not annotations or len(commands) < len(annotations):
        summary = _summary_annotation(results, judgements, len(commands), len(annotations))
        commands.append(str(summary))
    return "\n".join(commands) + "\n"


def _all_annotations(
    results: Results, judgements: Sequence[Judgement], baselines: Mapping[str, Path]
) -> list[Annotation]:
    """Return all errors and warnings. Of each level, the most important come first."""
    judged = {judgement.name for judgement in judgements if judgement.reason}
    gated = [judgement for judgement in judgements if not judgement.is_of_survey]
    if judgements:
        failed = {judgement.name for judgement in judgements if judgement.code != Exit.PASSED}
    else:
        failed = {participant.name for participant in results.participants}
    reported = {judgement.name for judgement in gated if judgement.name in failed}
    groups = _unreported_groups(results, reported, baselines)
    return [
        *_state_annotations(results, judged),
        *_gate_annotations(results, judgements),
        *_finding_annotations_in_turn(results, gated, baselines),
        *_group_annotations(groups, failed),
    ]


def _finding_annotations_in_turn(
    results: Results, judgements: Iterable[Judgement], baselines: Mapping[str, Path]
) -> Iterator[Annotation]:
    """Yield the first annotation of each judgement, then the second of each, and so on.

    So, one adapter does not take the room of the others.
    """
    annotations_of_judgements = [
        _finding_annotations(results, judgement, baselines.get(judgement.name)) for judgement in judgements
    ]
    for turn in zip_longest(*annotations_of_judgements):
        for annotation in turn:
            if annotation is not None:  # a judgement has none left
                yield annotation


def _unreported_groups(
    results: Results, reported: Container[str], baselines: Container[str]
) -> Iterator[FailureGroup]:
    """Yield the groups of failures that no annotation reports by what differs.

    Implementations with one of the `baselines` are left out, and of the `reported` ones, the RFCs that they
    claim.
    """
    for group in failure_groups(results):
        is_compared = group.implementation in baselines
        is_reported = group.claimed and group.implementation in reported
        if not is_compared and not is_reported:
            yield group


def _gate_annotations(results: Results, judgements: Iterable[Judgement]) -> Iterator[Annotation]:
    """Yield an error for each gate that is not passed, with the first kinds of difference and with ids."""
    for judgement in judgements:
        if judgement.code != Exit.PASSED:
            lines = [judgement.reason]
            if not judgement.is_of_survey:
                groups = groups_of_new_findings(results, judgement)
                lines += [group.heading for group in groups[:_HEADINGS]]
            for group in judgement.groups:
                ids = ", ".join(group.ids)
                lines.append(f"{group.label}: {ids}")
            yield Annotation("error", f"{judgement.name}: gate not passed", lines)


def _state_annotations(results: Results, judged: Container[str]) -> Iterator[Annotation]:
    """Yield an annotation for each reason for missing results: a cut run, a dead or given-up adapter.

    The gate says the reason for the `judged` adapters.
    """
    if not results.complete:
        yield Annotation("error", "incomplete run", [caveats(results)[0]])
    for participant in results.participants:
        name = participant.name
        if name in judged:
            continue
        if participant.state != "ran":
            level: Level = "error" if participant.state == "dead" else "warning"
            reason = participant.message or participant.status
            yield Annotation(level, f"{name}: {participant.status}", [reason])
            continue
        reason = reason_given_up(results, name)
        if reason:
            yield Annotation("error", f"{name}: given up", [reason])


def _group_annotations(groups: Iterable[FailureGroup], failed: Container[str]) -> Iterator[Annotation]:
    """Yield an annotation for each group.

    It is an error if the implementation is one of the `failed` ones and claims the RFC, else a warning.
    """
    for group in groups:
        cases = counted(group.size, "case fails", "cases fail")
        if group.class_:
            cases += f" ({group.class_})"
        title = f"{group.implementation}: {rfc(group.spec)} {group.place}: {cases}"
        is_error = group.claimed and group.implementation in failed
        level: Level = "error" if is_error else "warning"
        yield Annotation(level, title, _example_lines(group))


def _example_lines(group: FailureGroup) -> list[str]:
    """Return the first failure of a group that was not aborted or, without one, the counts of the group."""
    for failure in group.failures:
        if failure.result.outcome != Outcome.ABORTED:
            return _description_lines(failure)
    return [group.counts]


def _description_lines(failure: Failure, before: str = "") -> list[str]:
    """Return a line for each fact about a failure. `before` is what the baseline says of it, or empty."""
    return [f"{label}: {text}" for label, text in failure.labelled_facts(before)]


def _finding_annotations(
    results: Results, judgement: Judgement, baseline: Path | None
) -> Iterator[Annotation]:
    """Yield an error for each group of new findings, then a warning for each stale entry.

    `baseline` is the file of the baseline, in which annotations are shown, or None.
    """
    line_of_entry: Mapping[str, int] = {}
    file = ""
    if baseline is not None:
        line_of_entry = _line_numbers(baseline)
        file = _path_in_repository(baseline)
    for group in groups_of_new_findings(results, judgement):
        title = f"{judgement.name}: {group.heading_with_kinds}"
        line = line_of_entry.get(group.example.id, 0)
        yield Annotation("error", title, _finding_lines(group), file, line)
    for finding in judgement.findings:
        if finding.kind == "stale":
            title = f"{judgement.name}: stale: {finding.id} passes and is in the baseline"
            line = line_of_entry.get(finding.id, 0)
            yield Annotation("warning", title, [describe_finding(finding)], file, line)


def _finding_lines(group: FindingGroup) -> list[str]:
    """Return the example of a group of new findings in full, and how many more there are."""
    example = group.example
    lines = [f"{example.kind}: {example.id}"]
    if example.failure is not None:
        lines += _description_lines(example.failure, example.text)
    elif example.text:
        lines.append(example.text)
    if group.rest:
        lines.append(f"and {group.rest}")
    return lines


def _line_numbers(baseline: Path) -> dict[str, int]:
    """Map the id of each entry of a baseline to its line. Return {} if the file cannot be read."""
    try:
        lines = baseline.read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError):
        return {}
    numbers: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        entry = _ENTRY.match(line)
        if entry:
            numbers.setdefault(entry["id"], number)
    return numbers


def _path_in_repository(file: Path) -> str:
    """Return a path relative to the root of the repository, which GitHub names in GITHUB_WORKSPACE.

    Return a path outside the repository unchanged.
    """
    workspace = os.environ.get("GITHUB_WORKSPACE", "")
    if not workspace:
        return str(file)
    root = Path(workspace).resolve()
    path = file.resolve()
    if not path.is_relative_to(root):
        return str(file)
    return path.relative_to(root).as_posix()


def _summary_annotation(
    results: Results, judgements: Sequence[Judgement], written: int, total: int
) -> Annotation:
    """Return the last notice: the decision, and how many of `total` annotations are `written`."""
    decision = headline(results, judgements)
    about = f"{decision.name}: " if decision.name else ""
    scope = f"{extent_in_words(results)}, corpus {results.header.corpus}"
    lines = [f"{about}{decision.text} ({scope})"]
    lines += caveats(results)
    notes = [note for judgement in judgements for note in judgement.notes]
    lines += dict.fromkeys(notes)  # several judgements may have the same note
    if total > written:
        annotations = counted(total, "annotation")
        lines.append(f"{written:,} of {annotations} are shown; the other reports have all.")
    return Annotation("notice", "URL conformance", lines)


def _escaped_property(text: str) -> str:
    """Return the value of a property with its percent signs, colons and commas escaped.

    An unescaped comma or colon would end it.
    """
    return text.replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
