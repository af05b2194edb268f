"""The cases of the HTML report as data for its script; equal answers are stored once."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from urlharness.corpus import SPECS, Case, Decoded, Expected
from urlharness.flags import explanations
from urlharness.protocol import Components
from urlharness.report.figures import KIND_OF
from urlharness.report.tables import columns
from urlharness.results import Result, Results
from urlharness.scores import place
from urlharness.verdict import FAILING, Verdict, compare_components, compare_decoded


def spec_name(spec: str) -> str:
    """A specification as readers call it: RFC 1738."""
    return f"RFC {spec.removeprefix('rfc')}"


def payload(results: Results) -> bytes:
    """The cases as JSON for the script; equal answers are stored once, and cases refer to them by number."""
    ordered = sorted(results.vectors.values(), key=lambda asked: place(asked.case))
    sections: dict[tuple[str, str], int] = {}
    titles: list[str] = []
    requirements: dict[str, int] = {}
    statements: list[Any] = []
    cases = []
    for asked in ordered:
        key = (asked.case.spec, asked.case.section)
        if key not in sections:
            sections[key] = len(sections)
            titles.append(asked.title)
        if asked.requirement.id not in requirements:
            requirements[asked.requirement.id] = len(requirements)
            statements.append(msgspec.to_builtins(asked.requirement))
        cases.append(
            [
                sections[key],
                requirements[asked.requirement.id],
                {**msgspec.to_builtins(asked.case.vector), "flags": list(asked.case.flags)},
                asked.title,
            ]
        )
    answers = _Answers()
    shown = columns(results)
    answered = [
        [
            answers.number(asked.case, results.of(p.name).get(asked.case.vector.id), p.features)
            for asked in ordered
        ]
        for p in shown
    ]
    value = {
        "implementations": [p.name for p in shown],
        "specs": {spec: spec_name(spec) for spec in SPECS},
        "sections": [[*key, titles[number]] for key, number in sections.items()],
        "kinds": KIND_OF,
        "flags": {name: entry.effect for name, entry in explanations().items()},
        "failing": sorted(FAILING),
        "requirements": statements,
        "cases": cases,
        "answers": answers.rows,
        "columns": answered,
    }
    return json.dumps(value, separators=(",", ":")).encode("ascii")


class _Answers:
    """Answers interned by value; -1 stands for none."""

    def __init__(self) -> None:
        self.rows: list[Any] = []
        self._numbers: dict[str, int] = {}

    def number(self, case: Case, result: Result | None, features: tuple[str, ...]) -> int:
        """The number of an answer, stored when it is new."""
        if result is None:
            return -1
        got = {name: value for name, value in result.got.items() if name != "id"}  # differs in every reply
        marks = component_marks(case, result, features)
        row = [result.outcome, result.variant, result.detail, got, result.stderr, marks]
        key = json.dumps(row)
        if key not in self._numbers:
            self._numbers[key] = len(self.rows)
            self.rows.append(row)
        return self._numbers[key]


def component_marks(
    case: Case, result: Result, features: tuple[str, ...]
) -> tuple[int, list[str], list[str]] | None:
    """Which parts differ from the nearest admissible answer, and which the library does not expose.

    Parts are components, or those of a decoded view; None where neither is asked for.
    """
    if result.outcome not in ("fail", "partial", "variant"):
        return None
    best: tuple[int, list[str], list[str]] | None = None
    for number, expected in enumerate(case.vector.expect.alternatives):
        try:
            verdicts = _part_by_part(case, expected, result, features)
        except msgspec.ValidationError:
            return None  # a reply of any shape may stand here
        if verdicts is None:
            continue
        wrong = [name for name, verdict in verdicts.items() if verdict.outcome == "fail"]
        hidden = [name for name, verdict in verdicts.items() if verdict.outcome == "partial"]
        if best is None or len(wrong) < len(best[1]):
            best = (number, wrong, hidden)
    return best


def _part_by_part(
    case: Case, expected: Expected, result: Result, features: tuple[str, ...]
) -> dict[str, Verdict] | None:
    """The verdict on each part that is expected; None for an expectation without parts."""
    if isinstance(expected.components, dict):
        got = msgspec.convert(result.got.get("components"), Components)
        return {
            name: compare_components(case.spec, {name: value}, got, features)
            for name, value in expected.components.items()
        }
    if isinstance(expected.decoded, dict):
        view = msgspec.convert(result.got.get("decoded"), Decoded)
        return {
            name: compare_decoded({name: value}, view, features) for name, value in expected.decoded.items()
        }
    return None
