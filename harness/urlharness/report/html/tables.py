"""The tables of the HTML report: RFCs, sections, components, generated rules, implementations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from urlharness.corpus.loader import load_titles
from urlharness.corpus.selection import within
from urlharness.exitcodes import Exit
from urlharness.gate.gate import Judgement
from urlharness.report.failures import (
    Failure,
    NewFinding,
    count_findings,
    generated_failures,
    known_failures,
    new_findings,
)
from urlharness.report.summary import KIND_OF, Figure, gate_reason, score_figures, total_score
from urlharness.results.coverage import asked_sizes, partly_asked
from urlharness.results.model import Participant, Results, Tally
from urlharness.results.scores import (
    NO_COMPONENTS,
    Answers,
    Rate,
    Score,
    State,
    by_component,
    by_spec,
    has_row,
)
from urlharness.results.verdict import Outcome

#: The maximum number of failures of a rule and implementation in the tables. The viewer shows all.
SHOWN = 5

#: The maximum number of findings of an implementation to show in full, with a baseline and without one.
FINDINGS, FAILURES = 100, 2

#: The number of findings that are unfolded at first, for all implementations together. At least one finding
#: of each implementation is unfolded.
OPEN = 5

#: The states of statements and the kinds of answers, each with the CSS class of its colour.
STATES: Mapping[State, str] = {
    State.HELD: "passed",
    State.FAILED: "failed",
    State.PARTLY: "partial",
    State.OPEN: "unsupported",
}
ANSWERS: Mapping[str, tuple[str, str]] = {
    "right": ("right", "passed"),
    "wrong": ("wrong", "failed"),
    "partial": ("not exposed", "partial"),
    "unsupported": ("not offered", "unsupported"),
}

#: The bounds between the red colours of the heat map, in percent of failed statements.
_SHADES = (10, 33, 66)


#: (Claim, verdict) of an implementation that fails this RFC and claims only others.
_NOT_CLAIMED = ("not claimed", "does not comply")

SectionScores = Mapping[tuple[str, str], Mapping[str, Score]]


class Segment(NamedTuple):
    """A part of a bar: the CSS class of its colour, its start and its width in percent."""

    kind: str
    start: str
    width: str


class Bar(NamedTuple):
    """Counts drawn as a bar, and the same counts in words."""

    segments: list[Segment]
    words: str


class Cell(NamedTuple):
    """One implementation in one row. `score` is None if the implementation was not asked.

    `claim` is "not claimed" or "claims no RFC", or empty if the implementation claims the RFC.
    """

    name: str
    score: Score | None = None
    verdict: str = ""
    claim: str = ""

    @property
    def answers(self) -> Answers:
        """The answers to required vectors."""
        return self.score.required if self.score is not None else Answers()

    @property
    def standing(self) -> str:
        """The verdict, or "not claimed" if the implementation fails this RFC and claims only others."""
        return self.claim if (self.claim, self.verdict) == _NOT_CLAIMED else self.verdict

    @property
    def share(self) -> str:
        """The percentage of held statements, rounded down, or a dot if no statement is held or failed."""
        states = self.score.states if self.score is not None else Counter[State]()
        if self.score is None or not states[State.HELD] + states[State.FAILED]:
            return "\u00b7"
        return str(self.score.held.floor(100))

    @property
    def sorting(self) -> float:
        """The sort key: the share of held statements. If it is equal, fewer failed statements are better."""
        if self.score is None or not self.score.statements:
            return -1.0
        held, failed = self.score.states[State.HELD], self.score.states[State.FAILED]
        return round((held - failed / 1000) / self.score.statements, 6)

    @property
    def shade(self) -> str:
        """The CSS class of the colour in the heat map.

        It depends on the share of failed statements. For this share, statements that are partly answered or
        open do not count.
        """
        if self.score is None or not self.score.statements:
            return "none"
        states = self.score.states
        if not states[State.FAILED]:
            return "full" if states[State.HELD] == self.score.statements else _unfailed(states)
        share = 100 * states[State.FAILED] / (states[State.FAILED] + states[State.HELD])
        return f"red-{sum(share > bound for bound in _SHADES)}"

    @property
    def statements(self) -> Bar:
        """The bar of the statements, by state."""
        counts = self.score.states if self.score is not None else Counter[State]()
        return _bar((state.value, kind, counts[state]) for state, kind in STATES.items())

    @property
    def vectors(self) -> Bar:
        """The bar of the required vectors, by answer."""
        return answer_bar(self.answers)

    @property
    def witnesses(self) -> Bar:
        """The bar of the witnesses among the required vectors, by answer."""
        return answer_bar(self.score.witnesses if self.score is not None else Answers())

    @property
    def made(self) -> Answers:
        """The answers to the required vectors that are not witnesses."""
        every = self.answers
        own = self.score.witnesses if self.score is not None else Answers()
        return Answers(*(getattr(every, name) - getattr(own, name) for name in ANSWERS))

    @property
    def words(self) -> str:
        """The implementation and its statements, in words."""
        if self.score is None:
            return f"{self.name}: not asked"
        if not self.score.statements:
            return f"{self.name}: no statement with a required vector"
        return f"{self.name}: {self.statements.words}"

    @property
    def figures(self) -> list[Figure]:
        """Means over statements, and the coverage."""
        return score_figures(self.score) if self.score is not None else []


class Row(NamedTuple):
    """An RFC or a section. `vectors` is the number of vectors that were asked.

    `whole` is the number of all vectors of an RFC if only some were asked, otherwise 0.
    """

    spec: str
    section: str
    title: str
    vectors: int
    cells: list[Cell]
    whole: int = 0

    @property
    def short(self) -> str:
        """The number or name of the section, shortened for a narrow column."""
        return self.section if len(self.section) <= 3 else f"{self.section[:3].title()}."

    @property
    def depth(self) -> int:
        """The depth of the section, from 0."""
        return self.section.count(".")


class ComponentRow(NamedTuple):
    """A component of an RFC, with the answers of each implementation."""

    name: str
    cells: list[tuple[str, Answers, Bar]]


class RuleCell(NamedTuple):
    """One implementation in the row of a generated rule. `tally` is None if it was not asked."""

    name: str
    tally: Tally | None

    @property
    def bar(self) -> Bar:
        """The bar of all cases, by answer."""
        return answer_bar(self.answers)

    @property
    def answers(self) -> Answers:
        """The number of cases by answer."""
        found = Answers()
        for outcome, count in self.tally.outcomes.items() if self.tally is not None else ():
            found.count(outcome, count)
        return found

    @property
    def share(self) -> int:
        """The percentage of cases that are right, rounded down."""
        return Rate(self.answers.right, self.answers.total).floor(100) or 0

    @property
    def shade(self) -> str:
        """The CSS class of the colour, by the share of wrong answers."""
        answers = self.answers
        if not answers.wrong:
            return "full" if answers.right == answers.total else "open"
        return f"red-{sum(100 * answers.wrong / answers.answered > bound for bound in _SHADES)}"

    @property
    def figures(self) -> list[Figure]:
        """The figures of the cases."""
        score = Score()
        if self.tally is not None:
            score.include_tally(self.tally)
        return score_figures(score)


class RuleRow(NamedTuple):
    """A rule of a generated tier."""

    spec: str
    rule: str
    tier: str
    cases: int
    cells: list[RuleCell]


class Judged(NamedTuple):
    """The gate's judgement of one implementation, with its new findings.

    `baseline` is the file of the baseline, or empty. `shown` are the findings to show in full and unfolded.
    `folded` are those to show in full but folded, and `more` those to show only by kind and id. `left` counts
    all findings that are not in `shown`. `known` says how many failures equal their entry in the baseline.
    """

    judgement: Judgement
    baseline: str
    known: str
    shown: list[NewFinding]
    folded: list[NewFinding]
    more: list[NewFinding]
    left: int

    @property
    def reason(self) -> str:
        """The reason of the judgement."""
        return gate_reason(self.judgement) or "passed"


def columns(results: Results) -> list[Participant]:
    """Return the implementations that have a column: those that ran or have results."""
    return [p for p in results.participants if p.state == "ran" or results.of(p.name)]


def outcome_counts(results: Results, participant: Participant) -> list[tuple[Outcome, int]]:
    """Return (outcome, number of cases) for each outcome of an implementation."""
    counts = Counter[Outcome]()
    for (_, outcome), count in results.counted.get(participant.name, {}).items():
        counts[outcome] += count
    return [(name, counts[name]) for name in KIND_OF if counts[name]]


def spec_rows(results: Results, shown: Sequence[Participant]) -> list[Row]:
    """Return a row for each RFC."""
    sizes = asked_sizes(results)
    partly = {part.spec: part.total for part in partly_asked(results) if not part.tier}
    rows = []
    for spec, scores in by_spec(results).items():
        total = sum(size for place, size in sizes.items() if place[0] == spec)
        yes = "passes what was asked" if spec in partly else "complies"
        cells = []
        for participant in shown:
            score = scores.get(participant.name)
            verdict = _verdict(results, participant, score, total, yes) if score is not None else "not asked"
            claim = "not claimed" if participant.specs else "claims no RFC"
            cells.append(Cell(participant.name, score, verdict, "" if spec in participant.specs else claim))
        rows.append(Row(spec, "", "", total, cells, partly.get(spec, 0)))
    return rows


def section_rows(
    results: Results, shown: Sequence[Participant], scores: SectionScores
) -> dict[str, list[Row]]:
    """Map each RFC to the rows of its sections. The row of a section includes its subsections."""
    return _section_rows(results, shown, scores, {place: results.titles.get(place, "") for place in scores})


def top_rows(results: Results, shown: Sequence[Participant], scores: SectionScores) -> dict[str, list[Row]]:
    """Map each RFC to the rows of its sections of the first level."""
    titles = {**load_titles(), **results.titles}  # results contain no titles of sections without vectors
    tops = dict.fromkeys((spec, section.partition(".")[0]) for spec, section in scores)
    return _section_rows(results, shown, scores, {place: titles.get(place, "") for place in tops})


def _section_rows(
    results: Results,
    shown: Sequence[Participant],
    scores: SectionScores,
    wanted: Mapping[tuple[str, str], str],
) -> dict[str, list[Row]]:
    """Map each RFC to the rows of its sections in `wanted`, which maps (RFC, section) to the title."""
    totals = asked_sizes(results)
    found: dict[str, list[Row]] = {}
    for (spec, section), title in wanted.items():
        if not has_row(title):
            continue
        places = [place for place in scores if place[0] == spec and within(place[1], section)]
        total = sum(totals[place] for place in places)
        cells = []
        for participant in shown:
            own = [scores[place][participant.name] for place in places if participant.name in scores[place]]
            cells.append(Cell(participant.name, total_score(own) if own else None))
        found.setdefault(spec, []).append(Row(spec, section, title, total, cells))
    return found


def component_rows(results: Results, shown: Sequence[Participant]) -> dict[str, list[ComponentRow]]:
    """Map each RFC to the rows of its components, in the order of the RFC."""
    return {
        spec: [
            ComponentRow(
                name,
                [(one.name, own := found.get(one.name, Answers()), answer_bar(own)) for one in shown],
            )
            for name, found in rows.items()
            if name != NO_COMPONENTS or any(answers.wrong for answers in found.values())
        ]
        for spec, rows in by_component(results).items()
    }


def rule_rows(results: Results, shown: Sequence[Participant]) -> list[RuleRow]:
    """Return a row for each rule of the generated tiers."""
    rows = []
    for part in dict.fromkeys(tally.part for tally in results.tallies):
        tallies = {tally.implementation: tally for tally in results.tallies if tally.part == part}
        first = next(iter(tallies.values()))
        most = max(sum(tally.outcomes.values()) for tally in tallies.values())
        cells = [RuleCell(participant.name, tallies.get(participant.name)) for participant in shown]
        rows.append(RuleRow(first.spec, first.rule or "", first.tier, most, cells))
    return rows


def rule_failures(results: Results) -> list[tuple[Tally, list[Failure]]]:
    """Return (tally, first failures of each implementation) for each generated rule with failures."""
    kept = generated_failures(results)
    found = []
    for tally in {tally.part: tally for tally in results.tallies}.values():
        shown = [one for (_, part), own in kept.items() if part == tally.part for one in own[:SHOWN]]
        found += [(tally, shown)] if shown else []
    return found


def answer_bar(answers: Answers) -> Bar:
    """Return the bar of answers."""
    return _bar((word, kind, getattr(answers, name)) for name, (word, kind) in ANSWERS.items())


def _bar(parts: Iterable[tuple[str, str, int]]) -> Bar:
    """Return the bar of parts. A part is (word, CSS class of its colour, count)."""
    counted = [part for part in parts if part[2]]
    total, done, segments = sum(count for *_, count in counted), 0, []
    for _, kind, count in counted:
        segments.append(Segment(kind, f"{100 * done / total:.2f}%", f"{100 * count / total:.2f}%"))
        done += count
    return Bar(segments, ", ".join(f"{count:,} {word}" for word, _, count in counted) or "none")


def _unfailed(states: Counter[State]) -> str:
    """Return the CSS class of a section without failed statements in which not all statements hold."""
    return "some" if states[State.HELD] else "open"


def _verdict(results: Results, participant: Participant, score: Score, total: int, yes: str) -> str:
    """Return `yes` if an implementation complies. Otherwise, say why it does not, or why this is undecided.

    A single failure decides. `yes` needs a complete run and a right answer to every deciding vector.
    """
    if score.compliance.passed < score.compliance.total:
        return "does not comply" if score.failing else "not all answered"
    if not results.complete or participant.state != "ran" or score.coverage.total < total:
        return "so far"
    return yes if score.compliance.total else "nothing to judge"


def judged(results: Results, judgements: Sequence[Judgement], baselines: Mapping[str, Path]) -> list[Judged]:
    """Return each judgement of a named implementation with its new findings."""
    named = [one for one in judgements if one.criteria is not None]  # the others are of a survey
    every = {one.name: new_findings(results, one) for one in named}
    each = max(1, OPEN // max(1, sum(map(bool, every.values()))))
    found = []
    for one in named:
        new, file = every[one.name], baselines.get(one.name)
        count, baseline = (FAILURES, "") if file is None else (FINDINGS, str(file))
        shown = new[: min(each, count)]
        left = count_findings(results, one, new) - len(shown)
        known = "" if one.code is Exit.PASSED else known_failures(results, one)  # the reason says it
        found.append(Judged(one, baseline, known, shown, new[len(shown) : count], new[count:], left))
    return found
