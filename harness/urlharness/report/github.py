"""GitHub workflow annotations, one per line: errors, then warnings. In both, the most important come first.

GitHub shows ten errors and ten warnings of a step and drops the rest. Therefore, one annotation reports a
finding or a whole group of failures. At most ten annotations of each level are written, and a last notice
states the total.
"""

from __future__ import annotations

import os
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from urlharness.exitcodes import Exit
from urlharness.gate.gate import Judgement
from urlharness.report.failures import Failure, FailureGroup, describe_finding, failure_groups, new_findings
from urlharness.report.summary import gate_reason, headline
from urlharness.results.coverage import caveats, extent, given_up
from urlharness.results.model import Results
from urlharness.results.verdict import Outcome
from urlharness.text import clipped, logged
from urlharness.wording import counted, rfc

#: GitHub shows this many annotations of each level for a step.
SHOWN = 10

_LINE_LIMIT, _TITLE_LIMIT = 400, 150  # characters

#: The first line of an entry, or of a partly answered vector, in the text of a baseline. The group is the id.
_ENTRY = re.compile(r'(?:\s*\{?\s*"id": |   )"([^"]*)"')

#: How the title of a finding ends, by its kind.
_FOUND = {
    "regression": "is wrong and not in the baseline",
    "lost": "is not answered as before",
    "changed": "is wrong in another way than in the baseline",
    "moved": "is not the vector that the baseline lists",
    "unknown id": "is in the baseline and not in the corpus",
    "coverage": "has fewer answers than in the baseline",
    "stale": "passes and is in the baseline",
}

Level = Literal["error", "warning", "notice"]


class Annotation(NamedTuple):
    """One workflow command. The title and the lines may be any text."""

    level: Level
    title: str
    lines: Sequence[str]
    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        where = {"file": self.file, "line": str(self.line)} if self.line else {}
        title = {"title": clipped(logged(self.title), _TITLE_LIMIT)}
        properties = ",".join(f"{name}={_property(value)}" for name, value in {**where, **title}.items())
        lines = (clipped(logged(line), _LINE_LIMIT).replace("%", "%25") for line in self.lines)
        return f"::{self.level} {properties}::{'%0A'.join(lines)}"


def render(results: Results, judgements: Sequence[Judgement] = (), baselines: Mapping[str, Path] = {}) -> str:
    """Return the annotations.

    If an implementation has a baseline, annotations report its findings instead of all its failures.
    """
    found = list(_states(results, {one.name for one in judgements if one.reason}))
    for judgement in judgements:
        if judgement.code != Exit.PASSED and judgement.reason:
            groups = (f"{one.label}: {', '.join(one.ids)}" for one in judgement.groups)
            title = f"{judgement.name}: gate not passed"
            found.append(Annotation("error", title, [gate_reason(judgement), *groups]))
    for judgement in judgements:
        found += _findings(results, judgement, baselines.get(judgement.name))
    failed = {one.name for one in judgements if one.code != Exit.PASSED}
    shown = (group for group in failure_groups(results) if group.implementation not in baselines)
    found += _groups(shown, failed if judgements else {one.name for one in results.participants})
    commands = []
    for level in ("error", "warning"):
        commands += [str(one) for one in found if one.level == level][:SHOWN]
    ran = not results.complete or any(one.state == "ran" for one in results.participants)
    if ran or not found or len(commands) < len(found):  # otherwise it would repeat why nothing ran
        commands.append(str(_summary(results, judgements, len(commands), len(found))))
    return "\n".join(commands) + "\n"


def _states(results: Results, judged: Container[str]) -> Iterator[Annotation]:
    """Yield an annotation for each reason for missing results: a cut run, a dead or given-up adapter."""
    if not results.complete:
        yield Annotation("error", "incomplete run", [caveats(results)[0]])
    for one in results.participants:
        if one.name in judged:
            continue
        if one.state != "ran":
            level: Level = "error" if one.state == "dead" else "warning"
            yield Annotation(level, f"{one.name}: {one.status}", [one.message or one.status])
        elif why := given_up(results, one.name):
            yield Annotation("error", f"{one.name}: given up", [why])


def _groups(found: Iterable[FailureGroup], judged: Container[str]) -> Iterator[Annotation]:
    """Yield an error for each group in an RFC that a judged implementation claims, else a warning."""
    for group in found:
        asked = group.size - group.outcomes.get(Outcome.ABORTED, 0)  # `_states` says why cases were aborted
        if not asked:
            continue
        failed = counted(asked, "case fails", "cases fail")
        class_ = f" ({group.class_})" if group.class_ else ""
        title = f"{group.implementation}: {rfc(group.spec)} {group.place}: {failed}{class_}"
        level: Level = "error" if group.claimed and group.implementation in judged else "warning"
        shown = next((one for one in group.failures if one.result.outcome != Outcome.ABORTED), None)
        counts = ", ".join(f"{number:,} {outcome}" for outcome, number in group.outcomes.items())
        yield Annotation(level, title, [counts] if shown is None else _description(shown))


def _description(one: Failure, before: str = "") -> list[str]:
    return [f"{label}: {text}" for label, text in one.in_full(before)]


def _findings(results: Results, judgement: Judgement, baseline: Path | None) -> Iterator[Annotation]:
    """Yield an error for each new finding, then a warning for each stale entry."""
    numbers = _line_numbers(baseline) if baseline is not None else {}
    file = _in_repository(baseline) if baseline is not None else ""

    def annotation(level: Level, kind: str, id_: str, lines: Sequence[str]) -> Annotation:
        title = f"{judgement.name}: {kind}: {id_} {_FOUND[kind]}"
        return Annotation(level, title, lines or [title], file, numbers.get(id_, 0))

    if judgement.findings:
        for one in new_findings(results, judgement):
            described = _description(one.failure, one.text) if one.failure is not None else [one.text]
            yield annotation("error", one.kind, one.id, described)
    for found in judgement.findings:
        if found.kind == "stale":
            yield annotation("warning", found.kind, found.id, [describe_finding(found)])


def _line_numbers(baseline: Path) -> dict[str, int]:
    """Map the id of each entry of a baseline to its line. Return {} if the file cannot be read."""
    try:
        lines = baseline.read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError):
        return {}
    numbers: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        if entry := _ENTRY.match(line):
            numbers.setdefault(entry[1], number)
    return numbers


def _in_repository(file: Path) -> str:
    """Return the path relative to the root of the repository, as GitHub needs it.

    Return a path outside the repository unchanged.
    """
    root = os.environ.get("GITHUB_WORKSPACE", "")
    if root and file.resolve().is_relative_to(Path(root).resolve()):
        return file.resolve().relative_to(Path(root).resolve()).as_posix()
    return str(file)


def _summary(results: Results, judgements: Sequence[Judgement], shown: int, found: int) -> Annotation:
    outcome = headline(results, judgements)
    about = f"{outcome.name}: " if outcome.name else ""
    lines = [f"{about}{outcome.text} ({extent(results)}, corpus {results.header.corpus})", *caveats(results)]
    lines += dict.fromkeys(note for one in judgements for note in one.notes)
    if found > shown:
        lines.append(f"{shown:,} of {counted(found, 'annotation')} are shown; the other reports have all.")
    return Annotation("notice", "URL conformance", lines)


def _property(text: str) -> str:
    """Escape the value of a property, which ends at a comma or a colon."""
    return text.replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
