"""Its tables and section tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from urlharness.corpus.model import SPECS, CaseKind
from urlharness.report.summary import KIND_OF, Bar, Figure, bar, figures, fractions
from urlharness.results.coverage import partly_asked
from urlharness.results.model import Participant, Results, Tally
from urlharness.results.scores import Rate, Score, by_section, by_spec
from urlharness.results.verdict import Outcome

# -------------------- report.tables: Tables of the HTML report: a row for each RFC, and for each rule of a generated tier.


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
    """What one implementation did in one row: a state in words, or figures.

    `settled` is how many vectors of the row have an outcome; `failing` how many of them fail, and `required`
    how many of those are required; `claim` says in words what it does not claim.
    """

    name: str
    state: str
    verdict: str = ""
    claim: str = ""
    passed: int = 0
    total: int = 0
    settled: int = 0
    failing: int = 0
    required: int = 0
    bar: Bar = Bar([], "")  # noqa: RUF009 - a tuple
    figures: tuple[Figure, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """One RFC, or one section of it; `whole` is how many vectors it has where not all were asked."""

    spec: str
    section: str
    title: str
    vectors: int
    cells: list[Cell]
    whole: int = 0

    @property
    def depth(self) -> int:
        """How far the section is indented."""
        return min(self.section.count("."), 3)


def introduction(results: Results, participant: Participant) -> Introduction:
    """The implementation with the number of its outcomes."""
    counted = Counter[Outcome]()
    for (_, outcome), count in results.counted.get(participant.name, {}).items():
        counted[outcome] += count
    return Introduction(participant, [(name, counted[name]) for name in KIND_OF if counted[name]])


def asked(results: Results, row_of: Callable[[CaseKind], str | None]) -> Counter[str | None]:
    """How many vectors were asked of each row; those of no row are counted under None."""
    found = Counter[str | None]()
    for of, count in results.asked.items():
        found[row_of(of)] += count
    return found


def kinds(
    results: Results, name: str, row_of: Callable[[CaseKind], str | None]
) -> dict[str | None, Counter[str]]:
    """For each row how many results of an implementation there are of each kind."""
    found: dict[str | None, Counter[str]] = {}
    for (of, outcome), count in results.counted.get(name, {}).items():
        found.setdefault(row_of(of), Counter())[KIND_OF[outcome]] += count
    return found


def summary(results: Results, shown: list[Participant]) -> list[Row]:
    """A row for each RFC."""
    totals = asked(results, _spec)
    counts = {participant.name: kinds(results, participant.name, _spec) for participant in shown}
    scores = by_spec(results)
    partly = {part.spec: part.total for part in partly_asked(results)}
    rows = []
    for spec in SPECS:
        if not totals[spec]:
            continue
        cells = [
            _summary_cell(
                results,
                participant,
                spec,
                scores[spec].get(participant.name),
                counts[participant.name].get(spec, Counter()),
                totals[spec],
                "passes what was asked" if spec in partly else "complies",
            )
            for participant in shown
        ]
        rows.append(Row(spec, "", "", totals[spec], cells, partly.get(spec, 0)))
    return rows


def _spec(of: CaseKind) -> str:
    return of.spec


def _summary_cell(
    results: Results,
    participant: Participant,
    spec: str,
    score: Score | None,
    counts: Counter[str],
    total: int,
    yes: str,
) -> Cell:
    if score is None:
        return Cell(participant.name, "not asked")
    # one vector decides against, at any time; in favour it takes a whole run
    if score.compliance.passed < score.compliance.total:
        verdict = "does not comply"
    elif not results.complete or participant.state != "ran" or score.coverage.total < total:
        verdict = "so far"
    else:
        verdict = yes if score.compliance.total else "nothing to judge"
    claim = "not claimed" if participant.specs else "claims no RFC"
    return Cell(
        participant.name,
        "",
        verdict,
        "" if spec in participant.specs else claim,
        passed=score.compliance.passed,
        total=score.compliance.total,
        settled=score.coverage.total,
        failing=counts["failed"] + counts["abnormal"],
        required=score.failing,
        bar=bar(counts, total),
        figures=tuple(figures(score)),
    )


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
        failing=counts["failed"] + counts["abnormal"],
        required=tally.failing,
        bar=bar(counts, total),
        figures=tuple(figures(score)),
    )


# -------------------- report.tree: The section tree of the HTML report: each section with what stands below it, as a selection takes it.


def tree(results: Results, shown: list[Participant]) -> dict[str, list[Row]]:
    """For each RFC its sections in their order; a section counts the vectors of all those below it."""
    scores = by_section(results)
    found: dict[str, list[Row]] = {}
    for spec in dict.fromkeys(spec for spec, _ in scores):

        def section_of(of: CaseKind, spec: str = spec) -> str | None:
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
