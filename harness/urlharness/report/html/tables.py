"""The tables of the HTML report: RFCs, sections, generated rules, implementations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from urlharness.corpus.selection import within
from urlharness.report.failures import Failure, generated_failures
from urlharness.report.summary import (
    KIND_OF,
    Bar,
    Figure,
    kinds_by_section,
    outcome_bar,
    score_figures,
    section_figures,
    total_score,
)
from urlharness.results.coverage import asked_sizes, partly_asked
from urlharness.results.model import Participant, Results, Tally
from urlharness.results.scores import Rate, Score, by_section, by_spec
from urlharness.results.verdict import Outcome

#: The failures of a rule and implementation that are shown without the script, which shows all.
SHOWN = 5


@dataclass(frozen=True, slots=True)
class Cell:
    """The results of one implementation in one row, or a state in words.

    `settled` counts the vectors with an outcome, `failing` the failing vectors, `required` the failing
    vectors that are required. `claim` is set if the implementation does not claim the RFC.
    """

    name: str
    state: str = ""
    verdict: str = ""
    claim: str = ""
    passed: int = 0
    total: int = 0
    settled: int = 0
    failing: int = 0
    required: int = 0
    bar: Bar = Bar([], "")  # noqa: RUF009 - a tuple
    figures: tuple[Figure, ...] = ()

    @property
    def share(self) -> int:
        """The percentage of vectors that passed, rounded down."""
        return Rate(self.passed, self.total).floor(100) or 0


@dataclass(frozen=True, slots=True)
class Row:
    """An RFC, a section or a rule; `whole` is its number of vectors if not all were asked."""

    spec: str
    section: str
    title: str
    vectors: int
    cells: list[Cell]
    whole: int = 0


def columns(results: Results) -> list[Participant]:
    """Return the implementations that have a column: those that ran or have results."""
    return [p for p in results.participants if p.state == "ran" or results.of(p.name)]


def outcome_counts(results: Results, participant: Participant) -> list[tuple[Outcome, int]]:
    """Return the number of each outcome of an implementation."""
    counts = Counter[Outcome]()
    for (_, outcome), count in results.counted.get(participant.name, {}).items():
        counts[outcome] += count
    return [(name, counts[name]) for name in KIND_OF if counts[name]]


def spec_rows(results: Results, shown: Sequence[Participant]) -> list[Row]:
    """Return a row for each RFC."""
    sizes = asked_sizes(results)
    partly = {part.spec: part.total for part in partly_asked(results) if not part.tier}
    counts = {participant.name: kinds_by_section(results, participant.name) for participant in shown}
    rows = []
    for spec, scores in by_spec(results).items():
        total = sum(size for place, size in sizes.items() if place[0] == spec)
        yes = "passes what was asked" if spec in partly else "complies"
        cells = []
        for participant in shown:
            name, score = participant.name, scores.get(participant.name)
            if score is None:
                cells.append(Cell(name, "not asked"))
                continue
            own = (kinds for place, kinds in counts[name].items() if place[0] == spec)
            cell = _cell(name, sum(own, Counter[str]()), total, score)
            verdict = _verdict(results, participant, score, total, yes)
            claim = "not claimed" if participant.specs else "claims no RFC"
            claim, settled = "" if spec in participant.specs else claim, score.coverage.total
            cell = replace(cell, verdict=verdict, claim=claim, settled=settled)
            cells.append(replace(cell, passed=score.compliance.passed, total=score.compliance.total))
        rows.append(Row(spec, "", "", total, cells, partly.get(spec, 0)))
    return rows


def section_rows(results: Results, shown: Sequence[Participant]) -> dict[str, list[Row]]:
    """Return the rows of the sections of each RFC; a section includes the sections below it."""
    totals, scores = asked_sizes(results), by_section(results)
    counts = {participant.name: kinds_by_section(results, participant.name) for participant in shown}
    found: dict[str, list[Row]] = {}
    for spec, section in scores:
        places = [place for place in scores if place[0] == spec and within(place[1], section)]
        total = sum(totals[place] for place in places)
        cells = []
        for name, kinds in counts.items():
            own = [scores[place][name] for place in places if name in scores[place]]
            summed = sum((kinds.get(place, Counter()) for place in places), Counter[str]())
            cell = _cell(name, summed, total, total_score(own), sections=True)
            cells.append(cell if own else Cell(name, "not asked"))
        title = results.titles.get((spec, section), "")
        found.setdefault(spec, []).append(Row(spec, section, title, total, cells))
    return found


def rule_rows(results: Results, shown: Sequence[Participant]) -> list[Row]:
    """Return a row for each rule of the generated tiers."""
    rows = []
    for part in dict.fromkeys(tally.part for tally in results.tallies):
        tallies = {tally.implementation: tally for tally in results.tallies if tally.part == part}
        first = next(iter(tallies.values()))
        most = max(sum(tally.outcomes.values()) for tally in tallies.values())
        cells = [_tally_cell(participant.name, tallies.get(participant.name), most) for participant in shown]
        rows.append(Row(first.spec, first.rule or "", first.tier, most, cells))
    return rows


def rule_failures(results: Results) -> list[tuple[Tally, list[Failure]]]:
    """Return each generated rule that has failures, with the first failures of each implementation."""
    kept = generated_failures(results)
    found = []
    for tally in {tally.part: tally for tally in results.tallies}.values():
        shown = [one for (_, part), own in kept.items() if part == tally.part for one in own[:SHOWN]]
        found += [(tally, shown)] if shown else []
    return found


def _verdict(results: Results, participant: Participant, score: Score, total: int, yes: str) -> str:
    """Return whether an implementation complies: one failure is enough for no, yes needs a complete run."""
    if score.compliance.passed < score.compliance.total:
        return "does not comply"
    if not results.complete or participant.state != "ran" or score.coverage.total < total:
        return "so far"
    return yes if score.compliance.total else "nothing to judge"


def _tally_cell(name: str, tally: Tally | None, total: int) -> Cell:
    if tally is None:
        return Cell(name, "not asked")
    counts = Counter[str]()
    for outcome, count in tally.outcomes.items():
        counts[KIND_OF[outcome]] += count
    score = Score()
    score.include_tally(tally)
    return _cell(name, counts, total, score)


def _cell(name: str, counts: Counter[str], total: int, score: Score, *, sections: bool = False) -> Cell:
    return Cell(
        name,
        passed=counts["passed"],
        total=total,
        failing=counts["failed"] + counts["abnormal"],
        required=score.failing,
        bar=outcome_bar(counts, total),
        figures=tuple(section_figures(score) if sections else score_figures(score)),
    )
