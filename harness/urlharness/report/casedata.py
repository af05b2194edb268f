"""The cases of the HTML report as data for its script: what the list needs, and what a case view adds.

The list is read before anything is shown, so it holds no answers: for each case its place, its id, its
question and a pattern of outcomes.  The details are read after that: expectations, statements, answers.
What is equal is stored once and named by its number.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from urlharness.corpus import SPECS
from urlharness.flags import explanations
from urlharness.report.answers import Answers
from urlharness.report.figures import KIND_OF
from urlharness.report.labels import HEAD, WORD, labels
from urlharness.report.likeness import Likeness, likeness
from urlharness.report.repeating import around
from urlharness.report.tables import columns
from urlharness.results import AskedVector, Participant, Result, Results
from urlharness.scores import place
from urlharness.verdict import FAILING

#: Cases that are stored, not generated.
CORE = "core"
#: No answer in a pattern or a partition; others are characters counted from `a` and from `0`.
NONE = "."


def spec_name(spec: str) -> str:
    """A specification as readers call it: RFC 1738."""
    return f"RFC {spec.removeprefix('rfc')}"


class Blocks(NamedTuple):
    """The two data blocks as JSON, and who answers like whom."""

    listed: bytes
    details: bytes
    likeness: Likeness


def blocks(results: Results) -> Blocks:
    """The data of a run: the list of its cases, and the details of each."""
    shown = columns(results)
    made = _Tables(shown)
    for asked, tier, answers in _cases(results, shown):
        made.add(asked, tier, answers)
    names = [participant.name for participant in shown]
    alike = likeness(names, made.compared)
    listed = {
        "implementations": names,
        "heads": labels(names, HEAD),
        "words": labels(names, WORD),
        "order": alike.order,
        "specs": {spec: spec_name(spec) for spec in SPECS},
        "sections": made.sections.values,
        "outcomes": list(KIND_OF),
        "kinds": KIND_OF,
        "failing": sorted(FAILING),
        "flags": {name: entry.effect for name, entry in explanations().items()},
        "flagsets": made.flagsets.values,
        "patterns": made.patterns.values,
        "again": around(results.header),
        "cases": made.listed,
    }
    details = {
        "requirements": made.requirements.values,
        "partitions": made.partitions.values,
        "answers": made.answers.rows,
        "cases": made.details,
    }
    return Blocks(msgspec.json.encode(listed), msgspec.json.encode(details), alike)


def _cases(
    results: Results, shown: list[Participant]
) -> Iterator[tuple[AskedVector, str, list[Result | None]]]:
    """Every stored case in the order of the RFCs with its answers, then the generated ones that were kept."""
    found = [results.of(participant.name) for participant in shown]
    for asked in sorted(results.vectors.values(), key=lambda asked: place(asked.case)):
        yield asked, CORE, [answers.get(asked.case.vector.id) for answers in found]
    tiers = {tally.part: tally.tier for tally in results.tallies}
    kept: dict[str, tuple[AskedVector, dict[str, Result]]] = {}
    for example in results.examples:
        _, answers = kept.setdefault(example.asked.case.vector.id, (example.asked, {}))
        answers[example.result.implementation] = example.result
    for asked, answers in sorted(kept.values(), key=lambda each: place(each[0].case)):
        tier = tiers.get(asked.case.file, "generated")
        yield asked, tier, [answers.get(participant.name) for participant in shown]


class _Interned:
    """Values by number, each stored once."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._numbers: dict[Any, int] = {}

    def number(self, key: Any, value: Any = None) -> int:
        """The number of what has this key; stored as `value`, or as the key itself, when it is new."""
        if key not in self._numbers:
            self._numbers[key] = len(self.values)
            self.values.append(key if value is None else value)
        return self._numbers[key]


@dataclass
class _Tables:
    """The tables of both blocks while they are filled; `compared` is what `likeness` takes."""

    shown: list[Participant]
    listed: list[list[Any]] = field(default_factory=list)
    details: list[list[Any]] = field(default_factory=list)
    compared: list[list[bytes | None]] = field(default_factory=list)
    answers: Answers = field(default_factory=Answers)
    sections: _Interned = field(default_factory=_Interned)
    requirements: _Interned = field(default_factory=_Interned)
    flagsets: _Interned = field(default_factory=_Interned)
    patterns: _Interned = field(default_factory=_Interned)
    partitions: _Interned = field(default_factory=_Interned)

    def add(self, asked: AskedVector, tier: str, answers: list[Result | None]) -> None:
        """One case with the answer of each implementation."""
        case, vector = asked.case, asked.case.vector
        place = (case.spec, case.section)
        numbers = [
            None if result is None else self.answers.number(case, result, participant.features)
            for participant, result in zip(self.shown, answers, strict=True)
        ]
        letters = (NONE if result is None else _LETTERS[result.outcome] for result in answers)
        partition, classes = _partition(numbers)
        self.listed.append(
            [
                self.sections.number(place, [*place, asked.title if tier == CORE else ""]),
                vector.id,
                vector.op,
                vector.level,
                vector.binding,
                vector.class_ or "",
                self.flagsets.number(case.flags),
                tier,
                vector.inputs,
                self.patterns.number("".join(letters)),
            ]
        )
        self.details.append(
            [
                self.requirements.number(asked.requirement.id, asked.requirement),
                vector.expect,
                vector.ruling or "",
                vector.comment or "",
                asked.title if tier == CORE else case.file,
                self.partitions.number(partition),
                *classes,
            ]
        )
        if tier == CORE:
            likeness = self.answers.likeness
            self.compared.append([None if number is None else likeness[number] for number in numbers])


_LETTERS: Mapping[str, str] = {outcome: chr(ord("a") + number) for number, outcome in enumerate(KIND_OF)}


def _partition(numbers: list[int | None]) -> tuple[str, list[int]]:
    """Which implementations gave the same answer, a character for each; and the answer of each class."""
    classes: dict[int, str] = {}
    letters = [
        NONE if number is None else classes.setdefault(number, chr(ord("0") + len(classes)))
        for number in numbers
    ]
    return "".join(letters), list(classes)
