"""The contents of summaries: questions, answers, compliance, worst sections, the headline, and figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Literal, NamedTuple

from urlharness.corpus.describe import show_value
from urlharness.corpus.model import COMPLIANCE_LEVELS, Hex, Vector
from urlharness.corpus.specifications import Spec, reported_specs
from urlharness.exitcodes import Exit
from urlharness.gate.gate import Judgement, exit_code
from urlharness.report.failures import Failure, claims, severity, stored_failures, wrong_component
from urlharness.results.coverage import Place, extent, partial
from urlharness.results.model import Participant, Results
from urlharness.results.scores import (
    MINUS,
    NOTHING,
    Answers,
    Mean,
    Rate,
    Score,
    State,
    has_row,
    statements,
    youden,
)
from urlharness.results.verdict import Outcome
from urlharness.text import plain
from urlharness.wording import counted, rfc

#: The maximum number of implementations in a summary.
SHOWN = 8

#: The minimum share of vectors that must be answered for a result to say something about a library.
LEAST_ANSWERED = 0.1

#: The kinds of outcome, in the order of bars.
KINDS: Mapping[str, tuple[Outcome, ...]] = {
    "passed": (Outcome.PASS, Outcome.VARIANT),
    "partial": (Outcome.PARTIAL,),
    "failed": (Outcome.FAIL,),
    "abnormal": tuple(outcome for outcome in Outcome if outcome.abnormal),
    "unsupported": (Outcome.UNSUPPORTED,),
}

#: The kind of each outcome.
KIND_OF = {outcome: kind for kind, outcomes in KINDS.items() for outcome in outcomes}


#: What an implementation did with an input, in words, for each outcome without a valid answer.
_ENDS = {
    Outcome.CRASH: "crashes on",
    Outcome.TIMEOUT: "times out on",
    Outcome.ERROR: "fails with an error on",
    Outcome.GARBAGE: "sends an invalid reply to",
    Outcome.NO_ANSWER: "does not answer",
    Outcome.ABORTED: "was given up before",
}

#: The components in which a fault is gravest. They decide which host a client contacts, and as which user.
_GRAVE = frozenset(("host", "userinfo", "authority"))

#: The words instead of an example if no failure can be one.
NO_EXAMPLE = "right under another RFC"

#: The words for an implementation that complies with no RFC.
NO_RFC = "no RFC"

#: The result of `by_spec`: the scores of each RFC by implementation.
SpecScores = Mapping[str, Mapping[str, Score]]


class WorstSection(NamedTuple):
    """A section in which statements fail.

    `failed` is the number of failed statements, and `statements` the number of statements with a state.
    `example` is the most serious failure. It is None if every wrong answer in the section is right under
    another RFC that the library claims.
    """

    spec: str
    section: str
    title: str
    failed: int
    statements: int
    example: Failure | None

    @property
    def text(self) -> str:
        """The example in a few words, such as `accepts http://a@b@c/`."""
        return NO_EXAMPLE if self.example is None else example_text(self.example)

    @property
    def grave(self) -> bool:
        """True if the example concerns the host or the user information."""
        return self.example is not None and wrong_component(self.example) in _GRAVE


class Headline(NamedTuple):
    """The result of a run in one line.

    `name` is the implementation that the line is about, or empty if it is about several. `neutral` is True if
    no gate decides and the run is neither a success nor a failure. This is so if nothing was answered, or if
    several implementations ran and some gave wrong answers.
    """

    passed: bool
    name: str
    text: str
    neutral: bool = False

    @property
    def state(self) -> Literal["passed", "failed", "neutral"]:
        """The state, for which every report shows a sign."""
        return "neutral" if self.neutral else "passed" if self.passed else "failed"


class Figure(NamedTuple):
    """A figure of a score. `exact` is the fraction or the formula from which it is computed."""

    name: str
    text: str
    exact: str


# ---- the summary


def asked_text(results: Results) -> str:
    """Return the numbers of asked vectors, statements, RFCs and implementations in words."""
    statements = counted(len({kind.requirement for kind in results.asked}), "statement")
    of = f" of {statements}" if results.asked and not results.tallies else ""
    specs = asked_specs(results)
    rfcs = f", {rfc(specs[0]) if len(specs) == 1 else counted(len(specs), 'RFC')}" if specs else ""
    return f"{extent(results)}{of}{rfcs}, {counted(len(results.participants), 'implementation')}"


def statement_sizes(results: Results) -> Mapping[Place, int]:
    """Count the asked statements with a required vector, by (RFC, section) and by (RFC, "")."""
    scored = {
        (kind.spec, kind.section, kind.requirement) for kind in results.asked if kind.binding == "required"
    }
    sizes = Counter[Place]((spec, section) for spec, section, _ in scored)
    sizes.update((spec, "") for spec, _, _ in scored)
    return sizes


def library_names(results: Results) -> Mapping[str, str]:
    """Map each implementation to the name that reports show.

    For a program or module, this is the name of the library in its hello, unless two implementations name the
    same library.
    """
    found = {
        one.name: one.implementation.name if one.implementation is not None and ":" in one.name else one.name
        for one in results.participants
    }
    taken = Counter(found.values())
    return {name: shown if taken[shown] == 1 else name for name, shown in found.items()}


def compared(results: Results, wanted: Collection[str] = ()) -> tuple[list[Participant], list[Participant]]:
    """Return (implementations to show, implementations left out) of those that ran.

    Show the first `SHOWN` of the implementations in `wanted` or, if none of these ran, of all. If another
    implementation ran, a reference whose answers are all right is in neither list.
    """
    ran = [one for one in results.participants if one.state == "ran"]
    ran = [one for one in ran if one.name != "reference" or not is_perfect(results, one.name)] or ran
    shown = [one for one in ran if one.name in wanted] or ran
    shown = shown[:SHOWN]
    return shown, [one for one in ran if one not in shown]


def is_perfect(results: Results, name: str) -> bool:
    """Return True if an implementation was asked all cases and every required one is right."""
    found = total_answers(
        results, next(one for one in results.participants if one.name == name), all_specs=True
    )
    return results.complete and 0 < found.total == found.right


def counted_specs(results: Results, participant: Participant) -> set[Spec]:
    """Return the asked RFCs that an implementation claims, or all asked RFCs if it claims none of them."""
    asked = results.asked_specs(participant.name)
    return {spec for spec in asked if claims(participant, spec)} or asked


def total_answers(
    results: Results, participant: Participant, *, all_specs: bool = False, witnesses: bool = False
) -> Answers:
    """Count the answers to required cases of the RFCs in `counted_specs`, or of all RFCs.

    With `witnesses`, count only answers to witnesses of the corpus.
    """
    found, specs = Answers(), () if all_specs else counted_specs(results, participant)
    for (kind, outcome), count in results.counted_of(participant.name, specs).items():
        if kind.binding == "required" and (kind.witness or not witnesses):
            found.count(outcome, count)
    for tally in () if witnesses else results.tallies_of(participant.name, specs):
        for outcome, count in tally.required.items():
            found.count(outcome, count)
    return found


def answers_text(answers: Answers) -> str:
    """Return the counts in words, such as "190 wrong of 1,146 answered; 18 not exposed, 910 not offered"."""
    missing = {"not exposed": answers.partial, "not offered": answers.unsupported}
    rest = ", ".join(f"{count:,} {what}" for what, count in missing.items() if count)
    wrong = f"{answers.wrong:,} wrong of {answers.answered:,} answered"
    return f"{wrong}; {rest}" if rest else wrong


def asked_specs(results: Results) -> list[str]:
    """Return the RFCs with asked vectors, in the order of reports."""
    specs = {kind.spec for kind in results.asked}
    return [spec for spec in reported_specs() if spec in specs]


def complying(results: Results, name: str, scores: SpecScores) -> list[str]:
    """Return the RFCs that an implementation complies with, among those that were asked in full."""
    in_part, own = partial(results), {spec: row.get(name, Score()) for spec, row in scores.items()}
    return [
        spec
        for spec, score in own.items()
        if score.complies and not score.failing and results.complete and (spec, "") not in in_part
    ]


def compliance_text(results: Results, name: str, scores: SpecScores) -> str:
    """Return in words which RFCs an implementation complies with. Return "" if the run decides no RFC."""
    in_part, found = partial(results), complying(results, name, scores)
    whole = {
        kind.spec
        for kind in results.asked
        if kind.level in COMPLIANCE_LEVELS and (kind.spec, "") not in in_part
    }
    if not found:
        return NO_RFC if whole and results.complete else ""
    every = len(found) == len(whole) > 1
    return f"all {len(found)} RFCs" if every else f"RFC {', '.join(spec[3:] for spec in found)}"


class Distance(NamedTuple):
    """How far an implementation is from an RFC: the share of statements of the RFC that hold."""

    spec: str
    held: Rate


def distance(results: Results, participant: Participant, scores: SpecScores) -> Distance | None:
    """Return how far an implementation is from the first of the RFCs in `counted_specs`.

    Return None if it complies with an RFC, if the run decides no RFC, or if no statement has a state.
    """
    if compliance_text(results, participant.name, scores) != NO_RFC:
        return None
    specs = counted_specs(results, participant)
    spec = next((one for one in scores if one in specs), "")
    held = scores[spec].get(participant.name, Score()).held if spec else Rate()
    return Distance(spec, held) if held.total else None


def worst_sections(results: Results, participant: Participant, limit: int) -> list[WorstSection]:
    """Return the worst sections of the RFCs in `counted_specs`, in the order of the RFCs.

    Sections whose example is about the host or the user information are worse than all others. Otherwise,
    those with more failed statements are worse (see `badness` for appendices). Take the worst
    section of each RFC, then the second worst of each, and so on, until there are `limit` sections.
    """
    failures: dict[Place, list[Failure]] = {}
    for failure in stored_failures(results, participant):
        failures.setdefault((failure.asked.case.spec, failure.asked.case.section), []).append(failure)
    states: dict[Place, Counter[State]] = {}
    for one in statements(results, participant.name):
        if one.state is not None:
            states.setdefault((one.spec, one.section), Counter())[one.state] += 1
    found: dict[str, list[WorstSection]] = {}
    specs = counted_specs(results, participant)
    for place, counts in states.items():
        title = results.titles.get(place, "")
        if place in failures and place[0] in specs and has_row(title):
            example = telling_example(failures[place], participant)
            section = WorstSection(*place, title, counts[State.FAILED], counts.total(), example)
            found.setdefault(place[0], []).append(section)

    def badness(one: WorstSection) -> tuple[bool, float]:
        """Return the sort key. In appendices, a failed statement counts as three quarters of one."""
        return one.grave, one.failed * (1 if one.section[:1].isdigit() else 0.75)

    ranked = [sorted(own, key=badness, reverse=True) for own in found.values()]
    chosen = [one for rank in zip_longest(*ranked) for one in rank if one is not None][:limit]
    return [one for own in ranked for one in own if one in chosen]


def telling_example(failures: Iterable[Failure], participant: Participant) -> Failure | None:
    """Return the most serious failure. Of equally serious ones, return that with the shortest question.

    An answer that is right under another RFC that the library claims is no example. Return None if there is
    no other failure.
    """
    # loaded here because it takes as long as all other modules, and most runs of a gate have no failure
    from urlharness.compare.causes import right_under_a_claimed_rfc  # noqa: PLC0415

    by_severity = sorted(
        failures,
        key=lambda failure: (*severity(failure)[:-1], len(failure.question), failure.result.id),
    )
    for failure in by_severity:
        if not right_under_a_claimed_rfc(failure.asked.case, failure.result, participant):
            return failure
    return None


def example_text(failure: Failure, *, whole: bool = True) -> str:
    """Return what went wrong in a few words, such as `accepts http://a@b@c/`.

    If `whole` is False, leave out the expected answer.
    """
    vector, outcome = failure.asked.case.vector, failure.result.outcome
    expected = vector.expect.alternatives[0]
    values = [
        value for name, value in vector.inputs.items() if name not in ("rule", "profile", "mode", "base")
    ]
    what = ", ".join(map(_short_value, values)) or _short_value(vector.inputs.get("base", ""))
    if outcome.abnormal:
        return f"{_ENDS.get(outcome, outcome)} {what}"
    if expected.valid is False:
        return f"accepts {what}{_as_rule(vector)}"
    if failure.result.got.get("status") == "reject":
        return f"rejects {what}{_as_rule(vector)}"
    if isinstance(expected.result, str) and isinstance(got := failure.result.got.get("url"), str):
        what = "" if vector.op == "recompose" else f" {what}"  # components would be long
        wanted = f", not {_short_value(expected.result)}" if whole else ""
        return f"{vector.op}s{what} to {_short_value(got)}{wanted}"
    found = plain(failure.got)
    return f"{what}: {found if whole else found.partition(', not ')[0]}"


def _as_rule(vector: Vector) -> str:
    """Return ` as RULE`, or "" if the rule is one of whole URLs and the text may be a URL."""
    rule, url = vector.rule or "", vector.inputs.get("url")
    whole = not rule or ("ur" in rule.lower() and isinstance(url, str) and ":" in url)
    return "" if whole else f" as {rule}"


def _short_value(value: object) -> str:
    """Return a value as text. A string that is empty or contains blanks is quoted."""
    if isinstance(value, str):
        return plain(value) if value and " " not in value else f"'{plain(value)}'"
    return show_value(value) if isinstance(value, Hex) else "components"


# ---- the headline


def headline(results: Results, judgements: Sequence[Judgement] = ()) -> Headline:
    """Return the decision of the gate or, without a gate, which implementations fail required cases."""
    if not results.complete and not results.stopped:
        how = "interrupted" if results.interrupted else "cut short"
        name = results.participants[0].name if len(results.participants) == 1 else ""
        return Headline(False, name, f"the run was {how}, and nothing was decided")
    if not judgements:
        return _headline_without_gate(results)
    passed = exit_code(judgements) == Exit.PASSED and results.complete
    first, count = judgements[0], len(judgements)
    if count < len(results.participants):  # a survey judges only the reference
        passes = "passes" if first.code == Exit.PASSED else "does not pass"
        survey = _headline_without_gate(results)
        text = f"{passes}; in the whole survey, {survey.text}"
        return Headline(passed, first.name, text, passed and not survey.passed)
    if count == 1:
        return Headline(passed, first.name, gate_reason(first) or "the gate is passed")
    failed = sum(one.code != Exit.PASSED for one in judgements)
    some = f"{failed} of {count} implementations do not pass the gate"
    return Headline(passed, "", some if failed else f"all {count} implementations pass the gate")


def gate_reason(judgement: Judgement) -> str:
    """Return the reason of a judgement without the name of the implementation."""
    return judgement.reason.removeprefix(f"{judgement.name}: ")


def _headline_without_gate(results: Results) -> Headline:
    dead = [one for one in results.participants if one.state == "dead"]
    ran = [one for one in results.participants if one.state == "ran"]
    if not ran and not dead:
        return Headline(False, "", "nothing ran")
    answers = [total_answers(results, one) for one in ran]
    wrong, silent = sum(one.wrong > 0 for one in answers), sum(not one.answered for one in answers)
    passed = results.complete and not (dead or wrong or silent)
    if len(ran) + len(dead) == 1:
        (one,) = ran or dead
        if dead:
            return Headline(False, one.name, "it did not start")
        return Headline(
            passed, one.name, answers_text(answers[0]), results.complete and not (passed or wrong)
        )
    verdicts = {"gave wrong answers": wrong, "gave no complete answer": silent, "did not start": len(dead)}
    counts = [f"{count} {what}" for what, count in verdicts.items() if count]
    of = f" of {len(results.participants)} implementations "
    text = ", ".join(counts).replace(" ", of, 1)
    total = Answers()
    for found in answers:
        total.include(found)
    text = ": ".join(filter(None, (text, answers_text(total) if total.total else "")))
    return Headline(passed, "", text, results.complete and not (passed or dead))


def whole_percent(rate: Rate) -> str:
    """Return a rate as a whole percentage, rounded down."""
    floor = rate.floor(100)
    return "<1 %" if not floor and rate.value else f"{floor or 0} %"


def percent(rate: Rate | Mean) -> str:
    """Return a rate in percent, rounded down: only a full rate is 100 %."""
    tenths = rate.floor(1000)
    if tenths is None:
        return NOTHING
    if not tenths and rate.value:
        return "<0.1 %"
    return f"{tenths // 10} %" if tenths in (0, 1000) else f"{tenths // 10}.{tenths % 10} %"


def score_figures(score: Score) -> list[Figure]:
    """Return every figure of a score, in the order of the tables."""
    found = [
        Figure(name, percent(mean), f"mean of {counted(mean.count, 'statement')}")
        for name, mean in score.means.items()
    ]
    found.insert(2, Figure("J", youden(score), f"accepted rate + rejected rate {MINUS} 1"))
    rate = score.coverage
    return [*found, Figure("coverage", percent(rate), f"{rate.passed} of {rate.total}")]


def total_score(scores: Iterable[Score]) -> Score:
    """Add up the scores of several sections."""
    total = Score()
    for score in scores:
        total.include(score)
    return total
