"""What a failing vector tells its reader: requirement, question, both answers, and how to ask again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec

from urlharness.baseline import Entry, answer
from urlharness.corpus import Case, Requirement
from urlharness.findings import Finding
from urlharness.flags import explained
from urlharness.report.texts import logged
from urlharness.results import Result
from urlharness.words import asked, expectation

#: What is left of an answer that a hostile adapter made long.
_LONGEST = 2000


@dataclass(frozen=True, slots=True)
class Story:
    """One vector and what became of it; `command` asks it again."""

    case: Case
    requirement: Requirement
    result: Result
    command: str
    finding: Finding | None = None

    @property
    def headline(self) -> str:
        """One line: what was found, and what differs."""
        result = self.result
        what = f"{result.outcome}: {result.detail}" if result.detail else result.outcome
        if self.finding is not None and self.finding.listed is not None:
            what = f"{_FOUND[self.finding.kind]} {told(self.finding.listed)}; now {what}"
        return shown_in_log(what)

    @property
    def text(self) -> str:
        """All of it, a labelled line each; what an adapter wrote can do nothing to a terminal."""
        case, requirement, result = self.case, self.requirement, self.result
        vector = case.vector
        listed = self.finding.listed if self.finding is not None else None
        question = ", ".join(f"{name} {value}" for name, value in asked(vector))
        got = answer(result)
        lines = (
            ("", self.headline),
            ("requirement", f"{requirement.statement} ({requirement.id})"),
            ("section", place(case, requirement)),
            *(("flag", flag) for flag in explained(case.flags)),
            ("ruling", vector.ruling or ""),
            ("question", " ".join(filter(None, (vector.op, vector.rule, question)))),
            ("expected", expectation(vector.expect)),
            ("listed", told(listed) if listed is not None else ""),
            ("got", msgspec.json.encode(got).decode() if got else result.outcome),
            ("says", str(result.got.get("message", ""))),
            ("stderr", result.stderr.strip()),
            ("again", self.command),
        )
        return "\n".join(
            f"{label:13}{shown_in_log(text)}" if label else shown_in_log(text)
            for label, text in lines
            if text
        )


def place(case: Case, requirement: Requirement) -> str:
    """Where the requirement stands: RFC, section and paragraph."""
    paragraph = requirement.paragraph
    numbers = paragraph if isinstance(paragraph, tuple) else (paragraph,)
    shown = " and ".join(map(str, numbers))
    return f"RFC {case.spec.removeprefix('rfc')}, section {requirement.section}, paragraph {shown}"


def reason(entry: Entry, baseline: Path) -> str:
    """Why a listed vector is expected to fail."""
    why = " ".join(filter(None, (entry.note, entry.issue)))
    return shown_in_log(f"{baseline.name}: {entry.outcome}" + (f", {why}" if why else ""))


def told(entry: Entry) -> str:
    """What a baseline lists: the outcome and the answer."""
    got = f" {msgspec.json.encode(entry.got).decode()}" if entry.got else ""
    return f"{entry.outcome}{got}"


_FOUND = {
    "changed": "changed: another wrong answer than the one listed,",
    "moved": "moved: the vector is not the one that was listed as",
}


def shown_in_log(text: str) -> str:
    """What anybody but us wrote, as pytest prints it: a line of at most 2,000 characters, and no command.

    Terminals obey escapes, build servers `##[error]`.
    """
    shown = logged(text)
    return shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}… ({len(shown)} characters)"
