"""Tables of the HTML report: a row for each RFC, and for each of its sections."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from urlharness.report.figures import KIND_OF, Bar, Figure, bar, figures, fractions
from urlharness.results import AskedVector, Participant, Results, Tally
from urlharness.scores import Score, by_section, by_spec
from urlharness.verdict import Outcome


def columns(results: Results) -> list[Participant]:
    """The implementations that have a column: those with results, or that ran."""
    return [p for p in results.participants if p.state == "ran" or results.of(p.name)]


@dataclass(frozen=True, slots=True)
class Introduction:
    """An implementation as the head of the report names it."""

    participant: Participant
    counts: list[tuple[Outcome, int]]

    @property
    def version(self) -> str:
        """Its version, where it lived to tell it."""
        found = self.participant.implementation
        return found.version if found else ""

    @property
    def runtime(self) -> str:
        """Its language and what runs it."""
        found = self.participant.implementation
        return " · ".join(part for part in (found.language, found.runtime) if part) if found else ""


@dataclass(frozen=True, slots=True)
class Cell:
    """What one implementation did in one row: a state in words, or figures."""

    name: str
    state: str
    verdict: str = ""
    claimed: bool = True
    passed: int = 0
    total: int = 0
    failing: int = 0
    bar: Bar = Bar([], "")  # noqa: RUF009 - a tuple
    figures: tuple[Figure, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """One RFC, or one section of it."""

    spec: str
    section: str
    title: str
    vectors: int
    cells: list[Cell]

    @property
    def depth(self) -> int:
        """How far the section is indented."""
        return min(self.section.count("."), 3)


def introduction(results: Results, participant: Participant) -> Introduction:
    """The implementation with the number of its outcomes."""
    counted: Counter[Outcome] = Counter(result.outcome for result in results.of(participant.name).values())
    return Introduction(participant, [(name, counted[name]) for name in KIND_OF if counted[name]])


def summary(results: Results, shown: list[Participant]) -> list[Row]:
    """A row for each RFC."""
    rows = []
    for spec, scores in by_spec(results).items():
        asked = [vector for vector in results.vectors.values() if vector.case.spec == spec]
        cells = [_summary_cell(results, p, scores.get(p.name), asked) for p in shown]
        rows.append(Row(spec, "", "", len(asked), cells))
    return rows


def _summary_cell(
    results: Results, participant: Participant, score: Score | None, asked: list[AskedVector]
) -> Cell:
    if score is None:
        return Cell(participant.name, "not asked")
    counts = _count(results, participant.name, asked)
    # half a run must not look like a verdict
    whole = results.complete and participant.state == "ran" and score.coverage.total == len(asked)
    if not score.compliance.total:
        verdict = "nothing to judge"
    elif score.complies:
        verdict = "complies" if whole else "passes so far"
    else:
        verdict = "does not comply"
    return Cell(
        participant.name,
        "",
        verdict,
        not participant.specs or asked[0].case.spec in participant.specs,
        score.compliance.passed,
        score.compliance.total,
        counts["failed"] + counts["abnormal"],
        bar(counts, len(asked)),
        tuple(figures(score)),
    )


def _count(results: Results, name: str, asked: Iterable[AskedVector]) -> Counter[str]:
    found = results.of(name)
    return Counter(
        KIND_OF[found[vector.case.vector.id].outcome] for vector in asked if vector.case.vector.id in found
    )


def chapters(results: Results, shown: list[Participant]) -> dict[str, list[Row]]:
    """For each RFC the rows of its section table."""
    found: dict[str, list[Row]] = {}
    asked: dict[tuple[str, str], list[AskedVector]] = {}
    for vector in results.vectors.values():
        asked.setdefault((vector.case.spec, vector.case.section), []).append(vector)
    for (spec, section), scores in by_section(results).items():
        vectors = asked[spec, section]
        cells = []
        for participant in shown:
            score = scores.get(participant.name)
            if score is None:
                cells.append(Cell(participant.name, "not asked"))
                continue
            counts = _count(results, participant.name, vectors)
            cells.append(
                Cell(
                    participant.name,
                    "",
                    passed=counts["passed"],
                    total=len(vectors),
                    failing=counts["failed"] + counts["abnormal"],
                    bar=bar(counts, len(vectors)),
                    figures=tuple(fractions(score)),
                )
            )
        title = "; ".join(dict.fromkeys(vector.title for vector in vectors if vector.title))
        found.setdefault(spec, []).append(Row(spec, section, title, len(vectors), cells))
    return found


def generated(results: Results, shown: list[Participant]) -> list[Row]:
    """A row for each rule of the generated tiers, with the counts of its cases."""
    rows = []
    for part in dict.fromkeys(tally.part for tally in results.tallies):
        tallies = {tally.implementation: tally for tally in results.tallies if tally.part == part}
        first = next(iter(tallies.values()))
        most = max(sum(tally.outcomes.values()) for tally in tallies.values())
        cells = [_tally_cell(participant.name, tallies.get(participant.name), most) for participant in shown]
        rows.append(Row(first.spec, first.rule or "", first.tier, most, cells))
    return rows


def _tally_cell(name: str, tally: Tally | None, total: int) -> Cell:
    if tally is None:
        return Cell(name, "not asked")
    counts = Counter[str]()
    for outcome, count in tally.outcomes.items():
        counts[KIND_OF[outcome]] += count
    score = Score()
    score.include(tally)
    return Cell(
        name,
        "",
        passed=counts["passed"],
        total=total,
        failing=tally.failing,
        bar=bar(counts, total),
        figures=tuple(figures(score)),
    )
