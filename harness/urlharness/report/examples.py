"""The first failing cases of generated tiers, for readers who run no script."""

from __future__ import annotations

from typing import NamedTuple

from urlharness.results import Results
from urlharness.words import asked, expectation

#: Examples of one rule and one implementation that stand in the page itself; the script has all of them.
SHOWN = 5


class Failure(NamedTuple):
    """A generated case that an implementation failed: the question in words, what was expected, what came."""

    implementation: str
    id: str
    question: str
    expected: str
    detail: str


class Failures(NamedTuple):
    """Of one rule the failures that are shown."""

    spec: str
    tier: str
    rule: str
    shown: list[Failure]


def failures(results: Results) -> list[Failures]:
    """For each rule with a failing case the first ones of each implementation."""
    parts = {tally.part: tally for tally in results.tallies}
    found: dict[str, dict[str, list[Failure]]] = {}
    for example in results.examples:
        vector = example.asked.case.vector
        part = found.setdefault(example.asked.case.file, {})
        part.setdefault(example.result.implementation, []).append(
            Failure(
                example.result.implementation,
                vector.id,
                ", ".join(f"{name} {value}" for name, value in asked(vector) if name != "rule"),
                expectation(vector.expect),
                example.result.detail or example.result.outcome,
            )
        )
    return [
        Failures(
            tally.spec,
            tally.tier,
            tally.rule or "",
            [failure for each in found[part].values() for failure in each[:SHOWN]],
        )
        for part, tally in parts.items()
        if part in found
    ]
