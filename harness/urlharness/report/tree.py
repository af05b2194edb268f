"""The section tree of the HTML report: each section with what stands below it, as a selection takes it."""

from __future__ import annotations

from collections import Counter

from urlharness.facts import Facts
from urlharness.report.figures import bar, fractions
from urlharness.report.tables import Cell, Row, asked, kinds
from urlharness.results import Participant, Results
from urlharness.scores import Rate, Score, by_section


def tree(results: Results, shown: list[Participant]) -> dict[str, list[Row]]:
    """For each RFC its sections in their order; a section counts the vectors of all those below it."""
    scores = by_section(results)
    found: dict[str, list[Row]] = {}
    for spec in dict.fromkeys(spec for spec, _ in scores):

        def section_of(of: Facts, spec: str = spec) -> str | None:
            return of.section if of.spec == spec else None

        totals = asked(results, section_of)
        counts = {participant.name: kinds(results, participant.name, section_of) for participant in shown}
        sections = [section for one, section in scores if one == spec]
        for section in sections:
            below = [each for each in sections if f"{each}.".startswith(f"{section}.")]
            total = sum(totals[each] for each in below)
            cells = []
            for name, counted in counts.items():
                own = [scores[spec, each][name] for each in below if name in scores[spec, each]]
                summed = sum((counted.get(each, Counter()) for each in below), Counter[str]())
                cells.append(_cell(name, own, summed, total))
            title = results.titles.get((spec, section), "")
            found.setdefault(spec, []).append(Row(spec, section, title, total, cells))
    return found


def share(cell: Cell) -> int:
    """What of the vectors of a cell passed, in percent and cut: only a full share is 100."""
    return Rate(cell.passed, cell.total).cut(100) or 0


def _cell(name: str, scores: list[Score], counts: Counter[str], total: int) -> Cell:
    if not scores:
        return Cell(name, "not asked")
    whole = Score()
    for score in scores:
        whole.failing += score.failing
        for figure, rate in score.rates.items():
            summed = whole.rates[figure]
            summed.passed += rate.passed
            summed.total += rate.total
    return Cell(
        name,
        "",
        passed=counts["passed"],
        total=total,
        failing=counts["failed"] + counts["abnormal"],
        required=whole.failing,
        bar=bar(counts, total),
        figures=tuple(fractions(whole)),
    )
