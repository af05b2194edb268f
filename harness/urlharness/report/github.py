"""Annotations for GitHub: workflow commands, one a line, the most important first.

GitHub shows ten errors and ten warnings of a step and drops the rest.  So a line stands for a group of
failures or for one finding, no more are written than are shown, and a notice counts them all.  An adapter
that died is one line: of what it was not asked there is nothing to see.
"""

from __future__ import annotations

import os
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NamedTuple

from urlharness.exitcodes import Exit
from urlharness.gate.findings import KINDS, Finding
from urlharness.gate.gate import Judgement
from urlharness.report.failures import Failure, Group, groups
from urlharness.report.summary import headline, reason
from urlharness.results.coverage import caveats, extent, given_up
from urlharness.results.model import Results
from urlharness.results.verdict import Outcome
from urlharness.text import clipped, counted, logged, rfc

#: Annotations of one kind that GitHub shows of a step.
SHOWN = 10


_LONGEST = 400  # characters of one text in a message


_TITLE = 150


#: What a finding of each kind is, in a title.
_FOUND = {
    "regression": "is wrong and not listed",
    "changed": "is wrong in another way than listed",
    "moved": "is another vector than the one listed",
    "unknown id": "is listed and not in the corpus",
    "coverage": "is answered less than when it was listed",
    "stale": "is listed and right",
}


Level = Literal["error", "warning", "notice"]


class Annotation(NamedTuple):
    """One workflow command; the lines of its message may be any text."""

    level: Level
    title: str
    lines: Sequence[str]
    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        place = {"file": self.file, "line": str(self.line)} if self.file and self.line else {}
        title = {"title": clipped(logged(self.title), _TITLE)}
        properties = ",".join(f"{name}={_property(value)}" for name, value in {**place, **title}.items())
        message = "\n".join(clipped(logged(line), _LONGEST) for line in self.lines)
        return f"::{self.level} {properties}::{_data(message)}"


def render(
    results: Results,
    judgements: Sequence[Judgement] = (),
    baselines: Mapping[str, Path] = MappingProxyType({}),
) -> str:
    """The commands; with `judgements` of the gate, and the file of the baseline of each adapter that has one.

    What the gate found against a baseline stands at its line in the file, in place of the failures.
    """
    found = list(_states(results, {one.name for one in judgements if one.reason}))
    for judgement in judgements:
        if judgement.code != Exit.PASSED and judgement.reason:
            lines = [reason(judgement), *(f"{one.what}: {', '.join(one.ids)}" for one in judgement.groups)]
            found.append(Annotation("error", f"{judgement.name}: gate not passed", lines))
    for judgement in judgements:
        found += _findings(results, judgement, baselines.get(judgement.name))
    failed = {one.name for one in judgements if one.code != Exit.PASSED}
    shown = (group for group in groups(results) if group.implementation not in baselines)
    found += _groups(shown, failed if judgements else {one.name for one in results.participants})
    commands = []
    for level in ("error", "warning"):
        commands += [str(one) for one in found if one.level == level][:SHOWN]
    ran = not results.complete or any(one.state == "ran" for one in results.participants)
    if ran or not found or len(commands) < len(found):  # where nothing ran, it would say the same again
        commands.append(str(_summary(results, judgements, len(commands), len(found))))
    return "\n".join(commands) + "\n"


def _states(results: Results, judged: Container[str]) -> Iterator[Annotation]:
    """What keeps the run from saying anything: a cut, and adapters that did not run, or not to the end.

    Of those that are `judged` the gate has said it.
    """
    if not results.complete:
        yield Annotation("error", "half a run", [caveats(results)[0]])
    for one in results.participants:
        if one.name in judged:
            continue
        if one.state != "ran":
            level: Level = "error" if one.state == "dead" else "warning"
            yield Annotation(level, f"{one.name}: {one.state}", [one.message or one.state])
        elif why := given_up(results, one.name):
            yield Annotation("error", f"{one.name}: given up", [why])


def _groups(found: Iterable[Group], judged: Container[str]) -> Iterator[Annotation]:
    """Failures of the RFCs that a judged implementation claims are errors, others warnings."""
    for group in found:
        asked = group.size - group.outcomes.get(Outcome.ABORTED, 0)
        if not asked:
            continue
        failed = counted(asked, "case fails", "cases fail")
        class_ = f" ({group.class_})" if group.class_ else ""
        title = f"{group.implementation}: {rfc(group.spec)} {group.place}: {failed}{class_}"
        level: Level = "error" if group.claimed and group.implementation in judged else "warning"
        yield Annotation(level, title, _lines(group))


def _lines(group: Group) -> list[str]:
    shown = next((one for one in group.failures if one.result.outcome is not Outcome.ABORTED), None)
    if shown is None:
        return [", ".join(f"{number:,} {outcome}" for outcome, number in group.outcomes.items())]
    return _told(shown)


def _told(one: Failure) -> list[str]:
    requirement = one.asked.requirement.statement
    return [
        one.question,
        f"expected {one.expected}",
        f"{one.result.outcome}: {one.why}",
        requirement,
        one.command,
    ]


def _findings(results: Results, judgement: Judgement, baseline: Path | None) -> Iterator[Annotation]:
    """A finding is an error; one that only asks for a shorter list, a warning."""
    places = _places(judgement.findings, baseline)
    for found in sorted(judgement.findings, key=lambda one: KINDS.index(one.kind)):
        if found.found is not None and found.found.outcome is Outcome.ABORTED:
            continue
        asked = results.vectors.get(found.id)
        lines = (
            [f"listed as {found.listed.outcome} {found.listed.issue}".rstrip()]
            if found.listed is not None
            else []
        )
        if asked is not None and found.found is not None:
            lines += _told(Failure(asked, found.found, results))
        level: Level = "warning" if found.kind == "stale" else "error"
        file = _in_repository(baseline) if baseline is not None and found.id in places else ""
        title = f"{judgement.name}: {found.kind}: {found.id} {_FOUND[found.kind]}"
        yield Annotation(level, title, lines or [title], file, places.get(found.id, 0))


def _places(findings: Sequence[Finding], baseline: Path | None) -> dict[str, int]:
    """The line of each listed id in the file, which has one entry a line; none where it cannot be read."""
    wanted = {f'"id": "{found.id}"': found.id for found in findings if found.listed is not None}
    if baseline is None or not wanted:
        return {}
    try:
        lines = baseline.read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError):
        return {}
    places: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        start, _, _ = line.strip().removeprefix("{").partition(",")
        if start in wanted:
            places.setdefault(wanted[start], number)
    return places


def _in_repository(file: Path) -> str:
    """The file as GitHub names it: from the root of the repository, wherever the run was started."""
    root = os.environ.get("GITHUB_WORKSPACE", "")
    if root and file.resolve().is_relative_to(Path(root).resolve()):
        return file.resolve().relative_to(Path(root).resolve()).as_posix()
    return str(file)


def _summary(results: Results, judgements: Sequence[Judgement], shown: int, found: int) -> Annotation:
    outcome = headline(results, judgements)
    about = f"{outcome.name}: " if outcome.name else ""
    more = [f"{shown:,} of {counted(found, 'annotation')} are shown; the other reports have all."]
    text = f"{about}{outcome.text} ({extent(results)}, corpus {results.header.corpus})"
    return Annotation(
        "notice", "URL conformance", [text, *caveats(results), *(more if found > shown else [])]
    )


def _data(text: str) -> str:
    """The message of a command: three characters are escaped."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """The value of a property, which ends at a comma or a colon as well."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")
