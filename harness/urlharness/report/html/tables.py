"""The tables of the HTML report: RFCs, sections, components, generated rules, implementations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from urlharness.corpus.loader import load_titles
from urlharness.corpus.selection import is_within
from urlharness.exitcodes import Exit
from urlharness.gate.gate import Judgement
from urlharness.report.failures import (
    Failure,
    FindingGroup,
    count_unlisted,
    generated_failures,
    groups_of_new_findings,
    known_failures_in_words,
)
from urlharness.report.summary import KIND_OF, Figure, score_figures, total_score
from urlharness.results.coverage import asked_sizes, partly_asked
from urlharness.results.model import Participant, Results, Tally
from urlharness.results.scores import (
    NO_COMPONENTS,
    Answers,
    Rate,
    Score,
    SectionScores,
    State,
    answers_by_component,
    has_row,
    sum_of_sections,
)
from urlharness.results.verdict import Outcome

#: The maximum number of failures of a rule and implementation in the tables. The viewer shows all.
SHOWN = 5

#: The maximum number of groups of new findings of an implementation with an example in full.
GROUPS = 100

#: The number of groups that are unfolded at first, for all implementations together. At least one of each
#: implementation is unfolded. Without a baseline, at most `FAILURES` are.
OPEN, FAILURES = 5, 2

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
    "unasked": ("never asked", "abnormal"),
}

#: The bounds between the red colours of the heat map, in percent of failed statements.
_SHADES = (10, 33, 66)


#: The number of failed statements that weigh as much as a held one when cells are sorted. No RFC has as many
#: statements, so all failed ones together weigh less than a held one.
_FAILED_PER_HELD = 1000

#: The number of characters of a section, such as "3.2", for which a narrow column has room.
_SHORT_SECTION = 3

#: The sign for a share of no statements: a middle dot.
_NO_SHARE = "\u00b7"


class Segment(NamedTuple):
    """A part of a bar: the CSS class of its colour, its start and its width in percent."""

    kind: str
    start: str
    width: str


class _BarPart(NamedTuple):
    """A part of a bar: the word for what it counts, the CSS class of its colour, and the number."""

    word: str
    kind: str
    number: int


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
        is_expected = self.claim == "not claimed" and self.verdict == "does not comply"
        return self.claim if is_expected else self.verdict

    @property
    def share(self) -> str:
        """The percentage of held statements, rounded down, or a dot if no statement is held or failed."""
        if self.score is None:
            return _NO_SHARE
        states = self.score.states
        if not states[State.HELD] and not states[State.FAILED]:
            return _NO_SHARE
        return str(self.score.held.floor(100))

    @property
    def sort_key(self) -> float:
        """The sort key: the share of held statements. If it is equal, fewer failed statements are better."""
        if self.score is None or not self.score.statements:
            return -1.0
        states = self.score.states
        balance = states[State.HELD] - states[State.FAILED] / _FAILED_PER_HELD
        return round(balance / self.score.statements, 6)

    @property
    def shade(self) -> str:
        """The CSS class of the colour in the heat map.

        It depends on the share of failed statements. For this share, statements that are partly answered or
        open do not count.
        """
        if self.score is None or not self.score.statements:
            return "none"
        states = self.score.states
        held = states[State.HELD]
        failed = states[State.FAILED]
        if failed:
            return _red_class(failed, failed + held)
        if held == self.score.statements:
            return "full"
        return "some" if held else "open"

    @property
    def statements(self) -> Bar:
        """The bar of the statements, by state."""
        counts = self.score.states if self.score is not None else Counter[State]()
        parts = [_BarPart(state.value, kind, counts[state]) for state, kind in STATES.items()]
        return _bar_of_parts(parts)

    @property
    def vectors(self) -> Bar:
        """The bar of the required vectors, by answer."""
        return answer_bar(self.answers)

    @property
    def witnesses(self) -> Bar:
        """The bar of the witnesses among the required vectors, by answer."""
        return answer_bar(self.score.witnesses if self.score is not None else Answers())

    @property
    def words(self) -> str:
        """The implementation and the states of its statements in words, or why it has none."""
        if self.score is None:
            return f"{self.name}: not asked"
        if not self.score.statements:
            return f"{self.name}: no statement with a required vector"
        return f"{self.name}: {self.statements.words}"

    @property
    def figures(self) -> list[Figure]:
        """Means over statements and the coverage, or nothing if the implementation was not asked."""
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
    def short_section(self) -> str:
        """The number or name of the section, shortened for a narrow column."""
        if len(self.section) <= _SHORT_SECTION:
            return self.section
        beginning = self.section[:_SHORT_SECTION].title()
        return f"{beginning}."

    @property
    def depth(self) -> int:
        """The depth of the section, from 0."""
        return self.section.count(".")


class ComponentCell(NamedTuple):
    """One implementation in the row of a component: its answers, and the bar of them."""

    name: str
    answers: Answers
    bar: Bar


class ComponentRow(NamedTuple):
    """A component of an RFC, with the answers of each implementation."""

    name: str
    cells: list[ComponentCell]


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
        answers = Answers()
        if self.tally is not None:
            for outcome, count in self.tally.outcomes.items():
                answers.count(outcome, count)
        return answers

    @property
    def share(self) -> int:
        """The percentage of cases that are right, rounded down."""
        return Rate(self.answers.right, self.answers.total).floor(100) or 0

    @property
    def shade(self) -> str:
        """The CSS class of the colour: by the share of wrong answers, or by whether all are right."""
        answers = self.answers
        if not answers.wrong:
            return "full" if answers.right == answers.total else "open"
        return _red_class(answers.wrong, answers.answered)

    @property
    def figures(self) -> list[Figure]:
        """The figures of the cases."""
        score = Score()
        if self.tally is not None:
            score.include_tally(self.tally)
        return score_figures(score)


def _red_class(failed: int, total: int) -> str:
    """Return the CSS class of the colour for a share of failures: `red-` and a number of bounds."""
    percentage = 100 * failed / total
    bounds_below = [bound for bound in _SHADES if percentage > bound]
    return f"red-{len(bounds_below)}"


class RuleRow(NamedTuple):
    """A rule of a generated tier."""

    spec: str
    rule: str
    tier: str
    cases: int
    cells: list[RuleCell]


class Judged(NamedTuple):
    """The gate's judgement of one implementation, with the groups of its new findings.

    `baseline` is the file of the baseline, or empty. `shown` are the groups to show unfolded, and `folded`
    the others. `more` are the groups of which only the headings are shown. `ungrouped` counts the failures of
    generated cases that are in no group. `known` says how many failures equal their entry in the baseline.
    """

    judgement: Judgement
    baseline: str
    known: str
    shown: list[FindingGroup]
    folded: list[FindingGroup]
    more: list[FindingGroup]
    ungrouped: int

    @property
    def is_passed(self) -> bool:
        """True if the gate is passed."""
        return self.judgement.code is Exit.PASSED

    @property
    def reason(self) -> str:
        """The reason of the judgement."""
        return self.judgement.reason or "passed"


def participants_with_column(results: Results) -> list[Participant]:
    """Return the implementations that have a column: those that ran or have results."""
    return [
        participant
        for participant in results.participants
        if participant.state == "ran" or results.of(participant.name)
    ]


def outcome_counts(results: Results, participant: Participant) -> list[tuple[Outcome, int]]:
    """Return (outcome, number of cases) for each outcome of an implementation."""
    counts = Counter[Outcome]()
    for (_, outcome), count in results.counted.get(participant.name, {}).items():
        counts[outcome] += count
    return [(outcome, counts[outcome]) for outcome in KIND_OF if counts[outcome]]


def spec_rows(
    results: Results, participants: Sequence[Participant], section_scores: SectionScores
) -> list[Row]:
    """Return a row for each RFC, with a cell for each of these implementations."""
    asked_by_spec = Counter[str]()
    for (spec, _), size in asked_sizes(results).items():
        asked_by_spec[spec] += size
    whole_of_partly_asked = {part.spec: part.total for part in partly_asked(results) if not part.tier}
    rows = []
    for spec, scores in sum_of_sections(section_scores).items():
        asked_count = asked_by_spec[spec]
        success = "passes what was asked" if spec in whole_of_partly_asked else "complies"
        cells = []
        for participant in participants:
            score = scores.get(participant.name)
            verdict = "not asked"
            if score is not None:
                verdict = _verdict_in_words(results, participant, score, asked_count, success)
            cells.append(Cell(participant.name, score, verdict, _claim_in_words(participant, spec)))
        whole = whole_of_partly_asked.get(spec, 0)
        rows.append(Row(spec, section="", title="", vectors=asked_count, cells=cells, whole=whole))
    return rows


def _claim_in_words(participant: Participant, spec: str) -> str:
    """Return in words that an implementation does not claim an RFC, or an empty string if it does."""
    if spec in participant.specs:
        return ""
    return "not claimed" if participant.specs else "claims no RFC"


def _verdict_in_words(
    results: Results, participant: Participant, score: Score, asked_count: int, success: str
) -> str:
    """Return `success` if an implementation complies, else why it does not, or why this is undecided.

    A single failure decides. A success needs a complete run, in which all vectors of the RFC, `asked_count`,
    have an outcome, and a right answer to every deciding vector.
    """
    if score.compliance.passed < score.compliance.total:
        return "does not comply" if score.required.wrong else "not all answered"
    has_ended = results.complete and participant.state == "ran"
    if not has_ended or score.coverage.total < asked_count:
        return "so far"
    return success if score.compliance.total else "nothing to judge"


def section_rows(
    results: Results, participants: Sequence[Participant], scores: SectionScores
) -> dict[str, list[Row]]:
    """Map each RFC to the rows of its sections. The row of a section includes its subsections."""
    titles = {section: results.titles.get(section, "") for section in scores}
    return _section_rows(results, participants, scores, titles)


def top_rows(
    results: Results, participants: Sequence[Participant], scores: SectionScores
) -> dict[str, list[Row]]:
    """Map each RFC to the rows of its sections of the first level."""
    titles = {**load_titles(), **results.titles}  # results contain no titles of sections without vectors
    top_sections = dict.fromkeys((spec, section.partition(".")[0]) for spec, section in scores)
    top_titles = {section: titles.get(section, "") for section in top_sections}
    return _section_rows(results, participants, scores, top_titles)


def _section_rows(
    results: Results,
    participants: Sequence[Participant],
    scores: SectionScores,
    titles: Mapping[tuple[str, str], str],
) -> dict[str, list[Row]]:
    """Map each RFC to the rows of its sections in `titles`, which maps (RFC, section) to the title."""
    sizes = asked_sizes(results)
    rows: dict[str, list[Row]] = {}
    for (spec, section), title in titles.items():
        if not has_row(title):
            continue
        sections = []
        for scored_spec, scored_section in scores:
            if scored_spec == spec and is_within(scored_section, section):
                sections.append((scored_spec, scored_section))
        scores_within = [scores[key] for key in sections]
        cells = [_section_cell(participant.name, scores_within) for participant in participants]
        asked_count = sum(sizes[key] for key in sections)
        rows.setdefault(spec, []).append(Row(spec, section, title, asked_count, cells))
    return rows


def _section_cell(name: str, sections: Iterable[Mapping[str, Score]]) -> Cell:
    """Return the cell of an implementation in a row that sums up several sections.

    Each section maps implementations to their scores. If none has this one, it was not asked.
    """
    scores = [section_scores[name] for section_scores in sections if name in section_scores]
    return Cell(name, total_score(scores) if scores else None)


def component_rows(results: Results, participants: Sequence[Participant]) -> dict[str, list[ComponentRow]]:
    """Map each RFC to the rows of its components, in the order of the RFC.

    Answers that show no component have a row if one of them is wrong.
    """
    rows: dict[str, list[ComponentRow]] = {}
    for spec, components in answers_by_component(results).items():
        rows_of_spec = []
        for component, answers_by_name in components.items():
            is_wrong = any(answers.wrong for answers in answers_by_name.values())
            if component != NO_COMPONENTS or is_wrong:
                rows_of_spec.append(_component_row(component, answers_by_name, participants))
        rows[spec] = rows_of_spec
    return rows


def _component_row(
    component: str, answers_by_name: Mapping[str, Answers], participants: Iterable[Participant]
) -> ComponentRow:
    """Return the row of a component. An implementation without answers has an empty cell."""
    cells = []
    for participant in participants:
        answers = answers_by_name.get(participant.name, Answers())
        cells.append(ComponentCell(participant.name, answers, answer_bar(answers)))
    return ComponentRow(component, cells)


def rule_rows(results: Results, participants: Sequence[Participant]) -> list[RuleRow]:
    """Return a row for each rule of the generated tiers."""
    tallies_by_part: dict[str, list[Tally]] = {}
    for tally in results.tallies:
        tallies_by_part.setdefault(tally.part, []).append(tally)
    rows = []
    for tallies in tallies_by_part.values():
        tally_of = {tally.implementation: tally for tally in tallies}
        # an implementation that was stopped may have fewer cases than the others
        cases = max(sum(tally.outcomes.values()) for tally in tallies)
        cells = [RuleCell(participant.name, tally_of.get(participant.name)) for participant in participants]
        first = tallies[0]  # all of a part have the same RFC, rule and tier
        rows.append(RuleRow(first.spec, first.rule or "", first.tier, cases, cells))
    return rows


def rule_failures(results: Results) -> list[tuple[Tally, list[Failure]]]:
    """Return (tally, first failures of each implementation) for each generated rule with failures."""
    failures_by_part: dict[str, list[Failure]] = {}
    for (_, part), failures in generated_failures(results).items():
        failures_by_part.setdefault(part, []).extend(failures[:SHOWN])
    # all tallies of a part name the same rule, so any of them may stand for it
    tally_of_part = {tally.part: tally for tally in results.tallies}
    return [
        (tally, failures_by_part[part]) for part, tally in tally_of_part.items() if part in failures_by_part
    ]


def answer_bar(answers: Answers) -> Bar:
    """Return the bar of answers: the right ones first, then the others in the order of `ANSWERS`."""
    parts = []
    for name, (word, kind) in ANSWERS.items():
        count = getattr(answers, name)
        parts.append(_BarPart(word, kind, count))
    return _bar_of_parts(parts)


def _bar_of_parts(parts: Iterable[_BarPart]) -> Bar:
    """Return the bar of parts, without those that count nothing."""
    present = [part for part in parts if part.number]
    total = sum(part.number for part in present)
    segments = []
    counted_before = 0
    for part in present:
        start = _css_percentage(counted_before, total)
        width = _css_percentage(part.number, total)
        segments.append(Segment(part.kind, start, width))
        counted_before += part.number
    words = ", ".join(f"{part.number:,} {part.word}" for part in present)
    return Bar(segments, words or "none")


def _css_percentage(count: int, total: int) -> str:
    """Return a share for a style, such as "12.50%". The total must not be 0."""
    percentage = 100 * count / total
    return f"{percentage:.2f}%"


def judged_with_findings(
    results: Results, judgements: Sequence[Judgement], baselines: Mapping[str, Path]
) -> list[Judged]:
    """Return each judgement with its new findings. Those with findings share the `OPEN` unfolded groups.

    `baselines` maps an implementation to the file of its baseline.
    """
    groups_by_name = {judgement.name: groups_of_new_findings(results, judgement) for judgement in judgements}
    judgements_with_findings = [name for name, groups in groups_by_name.items() if groups]
    unfolded = max(1, OPEN // max(1, len(judgements_with_findings)))
    judged = []
    for judgement in judgements:
        groups = groups_by_name[judgement.name]
        baseline = baselines.get(judgement.name)
        judged.append(_make_judged(results, judgement, groups, baseline, unfolded))
    return judged


def _make_judged(
    results: Results,
    judgement: Judgement,
    groups: Sequence[FindingGroup],
    baseline: Path | None,
    unfolded: int,
) -> Judged:
    """Return a judgement with the groups of its new findings, of which at most `unfolded` are unfolded.

    Without a `baseline`, at most `FAILURES` are.
    """
    opened = unfolded if baseline is not None else min(unfolded, FAILURES)
    is_passed = judgement.code is Exit.PASSED  # then the reason counts the known failures
    unchanged = "" if is_passed else known_failures_in_words(results, judgement)
    return Judged(
        judgement=judgement,
        baseline="" if baseline is None else str(baseline),
        known=unchanged,
        shown=list(groups[:opened]),
        folded=list(groups[opened:GROUPS]),
        more=list(groups[GROUPS:]),
        ungrouped=count_unlisted(results, judgement, groups, len(groups)),
    )
