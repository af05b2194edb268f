"""Scores from results: statements that hold or fail, means over statements, components, and compliance.

The unit of a score is a statement of an RFC (a requirement of the corpus). Its state depends on its required
vectors alone. The shares of valid texts accepted and of invalid texts rejected are means over statements, so
that hundreds of vectors of one production weigh as much as one vector of another. J = accepted + rejected - 1
is 0 for an adapter that accepts everything. If a run asks only some vectors of a statement, these alone
decide.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

import msgspec

from urlharness.corpus.model import COMPLIANCE_LEVELS, Case, CaseKind, is_difference, section_key
from urlharness.corpus.specifications import report_place
from urlharness.protocol.messages import ReplyComponents
from urlharness.results.model import Result, Results, Tally
from urlharness.results.verdict import Outcome, Verdict, judge_components

#: The text of a figure without cases.
NOTHING = "\u2013"

#: The sign of a negative J.
MINUS = "\u2212"

#: The order of components in tables. Further components of RFC 1738 follow in the order of its sections.
_COMPONENTS = (
    "scheme",
    "net_loc",
    "authority",
    "userinfo",
    "user",
    "password",
    "host",
    "port",
    "path",
    "params",
    "query",
    "fragment",
)

#: The row of `answers_by_component` that counts the URLs for which an implementation returned no components.
NO_COMPONENTS = ""

#: Titles of sections that have no row in a table. Their statements count for the RFC.
_WITHOUT_ROW = re.compile(
    r"((non-)?normative |informative )?references|(the )?(authors?|editors?)['\u2019]? address(es)?"
    r"|acknowledge?ments|index|front matter|(full )?copyright( statement)?",
    re.IGNORECASE,
)

#: The names of the means of a score. The rates of a statement have the same names.
_MEANS = ("accepted", "rejected", "components", "results")

#: Bindings whose vectors count for means.
_RATED = frozenset(("required", "permitted-set"))


class State(StrEnum):
    """The state of a statement, by the answers to its required vectors.

    `held`: all are right. `failed`: at least one is wrong. `open`: none was answered. `partly answered`: any
    other case.
    """

    HELD = "held"
    FAILED = "failed"
    PARTLY = "partly answered"
    OPEN = "open"


@dataclass(slots=True)
class Rate:
    """The number of passed cases and the number of all cases.

    For the coverage, `passed` counts the answered cases.
    """

    passed: int = 0
    total: int = 0

    def add(self, passed: int, total: int) -> None:
        """Add numbers of passed and of all cases."""
        self.passed += passed
        self.total += total

    def floor(self, parts: int) -> int | None:
        """Return the rate times `parts`, rounded down, or None if there are no cases.

        If `parts` is 100, this is the rate in percent. Only a full rate gives `parts` itself.
        """
        return self.passed * parts // self.total if self.total else None

    @property
    def value(self) -> float | None:
        """The rate from 0 to 1, or None if there are no cases."""
        return self.passed / self.total if self.total else None


@dataclass(slots=True)
class Mean:
    """The mean of the rates of `count` statements, with equal weights. `sum` is the sum of the rates."""

    sum: Fraction = Fraction(0)
    count: int = 0

    def add(self, rate: Rate) -> None:
        """Include a rate in the mean, unless the rate has no cases."""
        if rate.total:
            self.sum += Fraction(rate.passed, rate.total)
            self.count += 1

    def include(self, mean: Mean) -> None:
        """Include the rates of another mean, each with the same weight."""
        self.sum += mean.sum
        self.count += mean.count

    def floor(self, parts: int) -> int | None:
        """Return the mean times `parts`, rounded down, or None if there is no rate.

        If `parts` is 100, this is the mean in percent. Only a full mean gives `parts` itself.
        """
        return int(self.sum * parts / self.count) if self.count else None

    @property
    def value(self) -> float | None:
        """The mean from 0 to 1, or None if there is no rate."""
        return float(self.sum / self.count) if self.count else None


@dataclass(slots=True)
class Answers:
    """The number of vectors by answer.

    `wrong` includes abnormal ends, such as crashes. `unasked` counts the vectors that were never asked
    because the adapter was given up. Reports call `partial` not exposed, and `unsupported` not offered.
    """

    right: int = 0
    wrong: int = 0
    partial: int = 0
    unsupported: int = 0
    unasked: int = 0

    def count(self, outcome: Outcome, times: int = 1) -> None:
        """Count vectors of one outcome: as unsupported if it is neither passing, failing nor partial."""
        if outcome.passing:
            self.right += times
        elif outcome is Outcome.ABORTED:
            self.unasked += times
        elif outcome.failing:
            self.wrong += times
        elif outcome is Outcome.PARTIAL:
            self.partial += times
        else:
            self.unsupported += times

    def include(self, answers: Answers) -> None:
        """Add the counts of other vectors."""
        self.right += answers.right
        self.wrong += answers.wrong
        self.partial += answers.partial
        self.unsupported += answers.unsupported
        self.unasked += answers.unasked

    def without(self, subset: Answers) -> Answers:
        """Subtract the counts of `subset`, which must be counts of some of these vectors."""
        return Answers(
            self.right - subset.right,
            self.wrong - subset.wrong,
            self.partial - subset.partial,
            self.unsupported - subset.unsupported,
            self.unasked - subset.unasked,
        )

    @property
    def answered(self) -> int:
        """The number of complete answers, right or wrong."""
        return self.right + self.wrong

    @property
    def total(self) -> int:
        """The number of vectors."""
        return self.right + self.wrong + self.partial + self.unsupported + self.unasked


@dataclass(slots=True)
class Statement:
    """The answers of one implementation to the vectors of one statement.

    `required` counts the answers to all required vectors, and `witnesses` those to witnesses among them.
    """

    requirement: str
    spec: str
    section: str
    required: Answers = field(default_factory=Answers)
    witnesses: Answers = field(default_factory=Answers)
    accepted: Rate = field(default_factory=Rate)
    rejected: Rate = field(default_factory=Rate)
    components: Rate = field(default_factory=Rate)
    results: Rate = field(default_factory=Rate)

    def count(self, kind: CaseKind, outcome: Outcome, times: int = 1) -> None:
        """Count vectors of the same kind and outcome."""
        if kind.binding == "required":
            self.required.count(outcome, times)
            if kind.witness:
                self.witnesses.count(outcome, times)
        if outcome in (Outcome.UNSUPPORTED, Outcome.ABORTED) or kind.binding not in _RATED:
            return  # what a library does not offer, or is not asked, is neither right nor wrong
        passed = times if outcome.passing else 0
        if kind.op == "parse":
            self.components.add(passed, times)
        elif kind.op != "validate":
            self.results.add(passed, times)
        elif kind.valid is True:
            self.accepted.add(passed, times)
        elif kind.valid is False:
            self.rejected.add(passed, times)

    @property
    def never_asked(self) -> bool:
        """True if the statement is open because none of its required vectors was asked."""
        return 0 < self.required.total == self.required.unasked

    @property
    def rates(self) -> dict[str, Rate]:
        """The rates by name. A score contains their means over statements."""
        return {name: getattr(self, name) for name in _MEANS}

    @property
    def state(self) -> State | None:
        """The state, or None if the statement has no required vector."""
        vectors = self.required
        if not vectors.total:
            return None
        if vectors.wrong:
            return State.FAILED
        if vectors.right == vectors.total:
            return State.HELD
        return State.PARTLY if vectors.right or vectors.partial else State.OPEN


@dataclass(slots=True)
class Score:
    """The figures of one implementation over a set of cases.

    `states` counts the statements by state. `never_asked` counts the open ones that were never asked, because
    the adapter was given up. `unscored` counts the statements without a required vector.
    `required` counts the answers to required vectors, and `witnesses` those to witnesses among them. `whole`
    is False if some cases were not asked.
    """

    states: Counter[State] = field(default_factory=Counter)
    never_asked: int = 0
    unscored: int = 0
    required: Answers = field(default_factory=Answers)
    witnesses: Answers = field(default_factory=Answers)
    accepted: Mean = field(default_factory=Mean)
    rejected: Mean = field(default_factory=Mean)
    components: Mean = field(default_factory=Mean)
    results: Mean = field(default_factory=Mean)
    coverage: Rate = field(default_factory=Rate)
    compliance: Rate = field(default_factory=Rate)
    whole: bool = True

    @property
    def failing(self) -> int:
        """The number of required vectors that fail the gate: wrong ones, and those that were never asked."""
        return self.required.wrong + self.required.unasked

    @property
    def statements(self) -> int:
        """The number of statements that have a state."""
        return self.states.total()

    @property
    def held(self) -> Rate:
        """The share of statements that hold among those that have a state."""
        return Rate(self.states[State.HELD], self.statements)

    @property
    def j(self) -> float | None:
        """Youden's J, or None unless both valid and invalid texts were asked."""
        accepted = self.accepted.value
        rejected = self.rejected.value
        if accepted is None or rejected is None:
            return None
        return accepted + rejected - 1

    @property
    def complies(self) -> bool:
        """True if every required vector of the levels that decide on compliance was asked and passed."""
        return self.whole and 0 < self.compliance.total == self.compliance.passed

    @property
    def means(self) -> dict[str, Mean]:
        """The means over statements, by name."""
        return {name: getattr(self, name) for name in _MEANS}

    def count(self, kind: CaseKind, outcome: Outcome, times: int = 1) -> None:
        """Count cases of the same kind and outcome for coverage and compliance."""
        self.coverage.add(times if outcome.answered else 0, times)
        if kind.binding == "required" and kind.level in COMPLIANCE_LEVELS:
            self.compliance.add(times if outcome.passing else 0, times)

    def add(self, statement: Statement) -> None:
        """Add a statement. `count` adds the cases to coverage and compliance, which this does not."""
        if statement.state is None:
            self.unscored += 1
        else:
            self.states[statement.state] += 1
            self.never_asked += statement.never_asked
        self.required.include(statement.required)
        self.witnesses.include(statement.witnesses)
        means = self.means
        for name, rate in statement.rates.items():
            means[name].add(rate)

    def include(self, score: Score) -> None:
        """Add the figures of another score. The two scores must not have a statement in common.

        The sum is whole only if both scores are.
        """
        self.states.update(score.states)
        self.never_asked += score.never_asked
        self.unscored += score.unscored
        self.required.include(score.required)
        self.witnesses.include(score.witnesses)
        means_of_score = score.means
        for name, mean in self.means.items():
            mean.include(means_of_score[name])
        self.coverage.add(score.coverage.passed, score.coverage.total)
        self.compliance.add(score.compliance.passed, score.compliance.total)
        self.whole = self.whole and score.whole

    def include_tally(self, tally: Tally) -> None:
        """Add the generated cases of a tally. All of them test one statement, but give it no state."""
        rates = {"coverage": self.coverage, "compliance": self.compliance}
        for name, (passed, total) in tally.rates.items():
            if name in _MEANS:
                self.means[name].add(Rate(passed, total))
            else:
                rates[name].add(passed, total)
        for outcome, times in tally.required.items():
            self.required.count(outcome, times)


def youden_in_words(score: Score) -> str:
    """Format Youden's J with two decimal places, rounded down, or return NOTHING if there is no J.

    J is negative if the adapter is worse than chance.
    """
    accepted = score.accepted
    rejected = score.rejected
    if not accepted.count or not rejected.count:
        return NOTHING
    j = accepted.sum / accepted.count + rejected.sum / rejected.count - 1
    hundredths = math.floor(j * 100)  # of the exact fraction, which a float would round
    sign = MINUS if hundredths < 0 else ""
    ones, decimals = divmod(abs(hundredths), 100)
    return f"{sign}{ones}.{decimals:02}"


def statements(results: Results, implementation: str) -> list[Statement]:
    """Return the statements that an implementation was asked about, with its answers.

    The statements are in the order of reports.
    """
    by_key: dict[tuple[str, str, str], Statement] = {}
    counted = results.counted.get(implementation, {})
    for kind, outcome in sorted(counted, key=_order_of_counted):
        key = (kind.spec, kind.section, kind.requirement)
        if key not in by_key:
            by_key[key] = Statement(kind.requirement, kind.spec, kind.section)
        by_key[key].count(kind, outcome, counted[kind, outcome])
    return list(by_key.values())


def _order_of_counted(kind_and_outcome: tuple[CaseKind, Outcome]) -> tuple[object, ...]:
    """Return the sort key of a kind of cases, whatever their outcome is."""
    kind, _ = kind_and_outcome
    return report_order(kind)


#: The scores of each (RFC, section) by implementation.
SectionScores = Mapping[tuple[str, str], Mapping[str, Score]]


def scores_by_section(results: Results) -> SectionScores:
    """Map each (RFC, section), in the order of reports, to the scores by implementation."""
    scores: dict[tuple[str, str], dict[str, Score]] = {
        (kind.spec, kind.section): {} for kind in sorted(results.asked, key=report_order)
    }
    for participant in results.participants:
        name = participant.name
        for (kind, outcome), count in results.counted.get(name, {}).items():
            scores_of_section = scores[kind.spec, kind.section]
            if name not in scores_of_section:
                scores_of_section[name] = Score()
            scores_of_section[name].count(kind, outcome, count)
        for statement in statements(results, name):  # its cases have been counted, so it has a score
            scores[statement.spec, statement.section][name].add(statement)
    return scores


def scores_by_spec(results: Results) -> Mapping[str, Mapping[str, Score]]:
    """Map each RFC to the scores by implementation."""
    return sum_of_sections(scores_by_section(results))


def sum_of_sections(scores: SectionScores) -> Mapping[str, Mapping[str, Score]]:
    """Map each RFC to the scores by implementation, from those of its sections.

    Each statement is in one section.
    """
    scores_by_rfc: dict[str, dict[str, Score]] = {}
    for (spec, _), scores_of_section in scores.items():
        scores_of_rfc = scores_by_rfc.setdefault(spec, {})
        for name, score in scores_of_section.items():
            if name not in scores_of_rfc:
                scores_of_rfc[name] = Score()
            scores_of_rfc[name].include(score)
    return scores_by_rfc


def has_row(title: str) -> bool:
    """Return False if tables leave out sections with this title, such as References."""
    return _WITHOUT_ROW.fullmatch(title.strip()) is None


def scores_by_rule(results: Results) -> Mapping[tuple[str, str], Mapping[str, Mapping[str, Score]]]:
    """Map each (RFC, tier) to its rules, and each rule to the scores by implementation.

    A tier of one operation has no rules. Instead of them, it has one row with the name of its inputs, such as
    `pairs`.
    """
    scores: dict[tuple[str, str], dict[str, dict[str, Score]]] = {}
    for tally in results.tallies:
        row = scores.setdefault((tally.spec, tally.tier), {}).setdefault(tally.subject, {})
        row.setdefault(tally.implementation, Score()).include_tally(tally)
    return scores


def scores_by_tier(results: Results) -> Mapping[tuple[str, str], Mapping[str, Score]]:
    """Map each (RFC, tier) to the scores by implementation."""
    scores: dict[tuple[str, str], dict[str, Score]] = {}
    for tally in results.tallies:
        row = scores.setdefault((tally.spec, tally.tier), {})
        row.setdefault(tally.implementation, Score()).include_tally(tally)
    return scores


def answers_by_component(results: Results) -> Mapping[str, Mapping[str, Mapping[str, Answers]]]:
    """Map each RFC to its components, and each component to the answers by implementation.

    Only required vectors of `parse` count. The row NO_COMPONENTS counts the URLs for which an implementation
    returned no components. Such a URL counts as wrong if the outcome fails, for example because the
    implementation rejected the URL. Otherwise, it counts as unsupported.
    """
    names_by_spec: dict[str, dict[str, None]] = {}
    counts_by_spec: dict[str, Counter[tuple[str, _Outcomes]]] = {}
    vectors = [vector for vector in results.vectors.values() if _counts_for_components(vector.case)]
    for asked_vector in sorted(vectors, key=lambda vector: report_order(vector.case)):
        case = asked_vector.case
        names = names_by_spec.setdefault(case.spec, {})
        for expected in case.vector.expect.alternatives:
            names.update(dict.fromkeys(expected.components or {}))
        counts = counts_by_spec.setdefault(case.spec, Counter())
        counts.update(_outcomes_by_implementation(results, case))
    ordered_rows = {}
    for spec, counts in counts_by_spec.items():
        rows = _rows_of_components(names_by_spec[spec], counts)
        ordered_rows[spec] = {name: rows[name] for name in sorted(rows, key=_component_order)}
    return ordered_rows


#: The outcome of each component of a reply. Most replies of an implementation have the same outcomes.
_Outcomes = tuple[tuple[str, Outcome], ...]


def _outcomes_by_implementation(results: Results, case: Case) -> Iterator[tuple[str, _Outcomes]]:
    """Yield each implementation that has a result of a case, with the outcome of each component.

    Equal replies, which results that were read from a file share, are judged once.
    """
    outcomes_by_reply: dict[tuple[int, Outcome, tuple[str, ...]], _Outcomes] = {}
    for participant in results.participants:
        answer = results.of(participant.name).get(case.vector.id)
        if answer is None:
            continue
        key = (id(answer.got), answer.outcome, participant.features)
        if key not in outcomes_by_reply:
            outcomes = _component_outcomes(case, answer, participant.features)
            outcomes_by_reply[key] = tuple(outcomes.items())
        yield participant.name, outcomes_by_reply[key]


def _rows_of_components(
    names: Collection[str], counts: Mapping[tuple[str, _Outcomes], int]
) -> Mapping[str, Mapping[str, Answers]]:
    """Map each component to the answers by implementation. Those of `names` have a row in any case.

    `counts` has the number of replies with the same outcomes for each implementation.
    """
    rows: dict[str, dict[str, Answers]] = {name: {} for name in names}
    for (implementation, outcomes), count in counts.items():
        for component, outcome in outcomes:
            answers_by_name = rows.setdefault(component, {})
            if implementation not in answers_by_name:
                answers_by_name[implementation] = Answers()
            answers_by_name[implementation].count(outcome, count)
    return rows


def _counts_for_components(case: Case) -> bool:
    """Return True for a required question for components to which an answer has components."""
    vector = case.vector
    if is_difference(case) or vector.op != "parse" or vector.binding != "required":
        return False
    return any(expected.components for expected in vector.expect.alternatives)


def _component_outcomes(case: Case, answer: Result, features: Collection[str]) -> dict[str, Outcome]:
    """Return the outcome of each component of the admissible answer with the fewest wrong components.

    If the implementation returned no components, return an outcome for NO_COMPONENTS alone.
    """
    components = answer.got.get("components")
    if components is None:
        return {NO_COMPONENTS: answer.outcome if answer.outcome.failing else Outcome.UNSUPPORTED}
    got = msgspec.convert(components, ReplyComponents)
    verdicts = [
        judge_components(case.spec, expected.components, got, features)
        for expected in case.vector.expect.alternatives
        if expected.components is not msgspec.UNSET
    ]
    best = min(verdicts, key=_count_failing)
    return {name: verdict.outcome for name, verdict in best.items()}


def _count_failing(verdicts: Mapping[str, Verdict]) -> int:
    """Return the number of components whose verdict fails the gate."""
    return sum(verdict.outcome.failing for verdict in verdicts.values())


def _component_order(name: str) -> tuple[bool, int]:
    """Return the sort key of the row of a component in `answers_by_component`.

    Components without a fixed place come last, in the order in which they were found. Only the row
    NO_COMPONENTS comes after them.
    """
    rank = _COMPONENTS.index(name) if name in _COMPONENTS else len(_COMPONENTS)
    return (name == NO_COMPONENTS, rank)


def report_order(case: Case | CaseKind) -> tuple[tuple[bool, int, int], tuple[tuple[int, int, str], ...]]:
    """Return the sort key of a case: RFCs as in reports, sections in natural order."""
    return (report_place(case.spec), section_key(case.section))
