"""The contents of summaries: questions, answers, compliance, worst sections, the headline, and figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, zip_longest
from typing import Literal, NamedTuple

from urlharness.corpus.describe import show_value
from urlharness.corpus.model import COMPLIANCE_LEVELS, Hex, Vector
from urlharness.corpus.specifications import Spec, is_asked, is_component, meant_component, reported_specs
from urlharness.exitcodes import Exit
from urlharness.gate.gate import Judgement, exit_code
from urlharness.panel.severity import TARGETING, general_component
from urlharness.report.failures import Failure, claims, severity, stored_failures, wrong_component
from urlharness.results.coverage import WHOLE_RFC, Place, extent_in_words, incomplete_places
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
    youden_in_words,
)
from urlharness.results.verdict import Outcome
from urlharness.text import plain, visible
from urlharness.wording import counted, rfc

#: The maximum number of implementations in a summary.
SHOWN = 8

#: The minimum share of vectors that must be answered for a result to say something about a library.
LEAST_ANSWERED = 0.1

#: How much a failed statement of an appendix counts beside one of a section when sections are ordered.
_APPENDIX_WEIGHT = 0.75

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

#: The inputs that say how a text is understood. An example leaves them out.
_CONDITIONS = ("rule", "profile", "mode", "base")

#: The words instead of an example if no failure can be one.
NO_EXAMPLE = "no example: all are right under another RFC"

#: The words for an implementation that complies with no RFC.
NO_RFC = "no RFC"

#: The result of `scores_by_spec`: the scores of each RFC by implementation.
SpecScores = Mapping[str, Mapping[str, Score]]


@dataclass(frozen=True, eq=False)
class WorstSection:
    """A section in which statements fail.

    `failed` is the number of failed statements, and `statements` the number of statements with a state.
    `failures` are the failures of the participant in the section.
    """

    spec: str
    section: str
    title: str
    failed: int
    statements: int
    failures: Sequence[Failure]
    participant: Participant

    # a run has hundreds of such sections and shows few, and the RFCs may have to be asked for an example
    @cached_property
    def example(self) -> Failure | None:
        """The most serious failure.

        It is None if every wrong answer in the section is right under another RFC that the library claims.
        """
        return telling_example(self.failures, self.participant)

    @property
    def text(self) -> str:
        """The example in a few words, such as `accepts http://a@b@c/`."""
        return NO_EXAMPLE if self.example is None else example_text(self.example)

    @cached_property
    def is_grave(self) -> bool:
        """True if the example concerns the host or the user information."""
        if not any(map(_concerns_target, self.failures)):  # this is fast, and the example is not
            return False
        return self.example is not None and _concerns_target(self.example)


def _concerns_target(failure: Failure) -> bool:
    """Return True if a failure concerns the host or the user information."""
    return general_component(wrong_component(failure)) in TARGETING


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
        if self.neutral:
            return "neutral"
        return "passed" if self.passed else "failed"


class Figure(NamedTuple):
    """A figure of a score. `exact` is the fraction or the formula from which it is computed."""

    name: str
    text: str
    exact: str


# ---- the summary


def asked_text(results: Results) -> str:
    """Return the numbers of asked vectors, statements, RFCs and implementations in words.

    If some statements have no required vector, say how many have one, because only these are scored.
    """
    words = extent_in_words(results)
    if results.asked and not results.tallies:
        asked_statements = {kind.requirement for kind in results.asked}
        words += f" of {counted(len(asked_statements), 'statement')}"
        scored = {kind.requirement for kind in results.asked if kind.binding == "required"}
        if len(scored) < len(asked_statements):
            words += f" ({len(scored):,} with required vectors)"
    parts = [words]
    specs = asked_specs(results)
    if len(specs) == 1:
        parts.append(rfc(specs[0]))
    elif specs:
        parts.append(counted(len(specs), "RFC"))
    parts.append(counted(len(results.participants), "implementation"))
    return ", ".join(parts)


def unknown_names_in_words(results: Results) -> list[str]:
    """Return a sentence for each unknown name of a component in the answers of an implementation."""
    sentences = []
    for participant in results.participants:
        for name, specs in _specs_by_unknown_name(results, participant).items():
            answers = counted(len(specs), "answer")
            fault = f"unknown component {name!r} in {answers}, ignored{meant_component(name, specs[0])}"
            sentences.append(f"{participant.name}: {fault}.")
    return sentences


def _specs_by_unknown_name(results: Results, participant: Participant) -> Mapping[str, Sequence[Spec]]:
    """Map each unknown name of a component to the RFC of each answer of an implementation that has it."""
    specs_by_name: dict[str, list[Spec]] = {}
    for answer in results.of(participant.name).values():
        components = answer.got.get("components")
        if not components or answer.id not in results.vectors:
            continue
        spec = results.vectors[answer.id].case.spec
        for name in components:
            if not is_component(name, spec):
                specs_by_name.setdefault(name, []).append(spec)
    return specs_by_name


def statement_sizes(results: Results) -> Mapping[Place, int]:
    """Count the asked statements with a required vector, by (RFC, section) and by (RFC, WHOLE_RFC)."""
    # as a set, because several vectors have the same requirement
    scored = {
        (kind.spec, kind.section, kind.requirement) for kind in results.asked if kind.binding == "required"
    }
    sizes = Counter[Place]()
    for spec, section, _ in scored:
        sizes[spec, section] += 1
        sizes[spec, WHOLE_RFC] += 1
    return sizes


def library_names(results: Results) -> Mapping[str, str]:
    """Map each implementation to the name that reports show.

    For a program or module, this is the name of the library in its hello, unless two implementations name the
    same library.
    """
    names = {}
    for participant in results.participants:
        about = participant.implementation
        names[participant.name] = participant.name
        if about is not None and ":" in participant.name:
            names[participant.name] = about.name
    count = Counter(names.values())
    return {name: library if count[library] == 1 else name for name, library in names.items()}


def shown_and_left_out(
    results: Results, names: Collection[str] = ()
) -> tuple[list[Participant], list[Participant]]:
    """Return (implementations to show, implementations left out) of those that ran.

    Show the first `SHOWN` of the implementations in `names` or, if none of these ran, of all. If another
    implementation ran, a reference whose answers are all right is in neither list.
    """
    candidates, _ = without_perfect_reference(results, results.ran)
    named_candidates = [participant for participant in candidates if participant.name in names]
    displayed = (named_candidates or candidates)[:SHOWN]
    left_out = [participant for participant in candidates if participant not in displayed]
    return displayed, left_out


def without_perfect_reference(
    results: Results, participants: Sequence[Participant]
) -> tuple[list[Participant], list[Participant]]:
    """Return (implementations to show, hidden implementations).

    A reference whose answers are all right is hidden if another implementation remains.
    """
    perfect = [
        participant
        for participant in participants
        if participant.name == "reference" and is_perfect(results, participant)
    ]
    remaining = [participant for participant in participants if participant not in perfect]
    return (remaining, perfect) if remaining else (perfect, [])


def is_perfect(results: Results, participant: Participant) -> bool:
    """Return True if an implementation was asked all cases and every required one is right."""
    answers = answers_to_all_rfcs(results, participant)
    return results.complete and answers.total > 0 and answers.right == answers.total


def counted_specs(results: Results, participant: Participant) -> set[Spec]:
    """Return the asked RFCs that an implementation claims, or all asked RFCs if it claims none of them."""
    specs = results.asked_specs(participant.name)
    return {spec for spec in specs if claims(participant, spec)} or specs


def total_answers(results: Results, participant: Participant) -> Answers:
    """Count the answers to required cases, stored and generated, of the RFCs in `counted_specs`."""
    return _required_answers(results, participant, counted_specs(results, participant))


def answers_to_all_rfcs(results: Results, participant: Participant) -> Answers:
    """Count the answers to required cases, stored and generated, of all asked RFCs."""
    return _required_answers(results, participant, specs=())


def _required_answers(results: Results, participant: Participant, specs: Collection[str]) -> Answers:
    """Count the answers to required cases, stored and generated, of these RFCs (empty: all)."""
    answers = Answers()
    for (kind, outcome), count in results.counted_of(participant.name, specs).items():
        if kind.binding == "required":
            answers.count(outcome, count)
    for tally in results.tallies_of(participant.name, specs):
        for outcome, count in tally.required.items():
            answers.count(outcome, count)
    return answers


def answers_to_witnesses(results: Results, participant: Participant) -> Answers:
    """Count the answers to required witnesses of the corpus, of the RFCs in `counted_specs`."""
    answers = Answers()
    specs = counted_specs(results, participant)
    for (kind, outcome), count in results.counted_of(participant.name, specs).items():
        if kind.binding == "required" and kind.witness:
            answers.count(outcome, count)
    return answers


def answers_text(answers: Answers, subject: str = "") -> str:
    """Return the counts in words, such as "190 wrong of 1,146 answered; 18 not exposed, 910 not offered".

    `subject` says after the number what was answered, if the context does not.
    """
    answered = f"{answers.answered:,} {subject}".rstrip()
    text = f"{answers.wrong:,} wrong of {answered} answered"
    silent = []
    if answers.partial:
        silent.append(f"{answers.partial:,} not exposed")
    if answers.unsupported:
        silent.append(f"{answers.unsupported:,} not offered")
    if answers.unasked:
        silent.append(f"{answers.unasked:,} never asked")
    if silent:
        text += f"; {', '.join(silent)}"
    return text


def asked_specs(results: Results) -> list[str]:
    """Return the RFCs with asked vectors, in the order of reports."""
    specs = {kind.spec for kind in results.asked}
    return [spec for spec in reported_specs() if spec in specs]


def specs_asked_of(results: Results, participants: Sequence[Participant]) -> list[str]:
    """Return the asked RFCs that one of the implementations is asked about, in the order of reports."""
    return [
        spec
        for spec in asked_specs(results)
        if any(is_asked(spec, participant.specs) for participant in participants)
    ]


def complying_specs(results: Results, name: str, scores: SpecScores) -> list[str]:
    """Return the RFCs that an implementation complies with, among those that were asked in full.

    A run that was cut short shows no compliance.
    """
    if not results.complete:
        return []
    incomplete = incomplete_places(results)
    specs = []
    for spec, scores_by_name in scores.items():
        score = scores_by_name.get(name, Score())
        if score.complies and not score.failing and (spec, WHOLE_RFC) not in incomplete:
            specs.append(spec)
    return specs


def compliance_text(results: Results, name: str, scores: SpecScores) -> str:
    """Return in words which RFCs an implementation complies with. Return "" if the run decides no RFC."""
    decided_specs = _decided_specs(results, name)
    specs = complying_specs(results, name, scores)
    if not specs:
        return NO_RFC if decided_specs and results.complete else ""
    if len(specs) > 1 and len(specs) == len(decided_specs):
        return f"all {len(specs)} RFCs"
    numbers = ", ".join(spec.removeprefix("rfc") for spec in specs)
    return f"RFC {numbers}"


def _decided_specs(results: Results, name: str) -> set[Spec]:
    """Return the RFCs on which a complete run decides whether an implementation complies with them.

    They were asked in full, of this implementation, too, and have a vector that decides.
    """
    incomplete = incomplete_places(results)
    claimed = results.participant(name).specs
    deciding_specs = {kind.spec for kind in results.asked if kind.level in COMPLIANCE_LEVELS}
    return {
        spec for spec in deciding_specs if (spec, WHOLE_RFC) not in incomplete and is_asked(spec, claimed)
    }


class Distance(NamedTuple):
    """The distance of an implementation from an RFC: the share of statements of the RFC that hold."""

    spec: str
    held: Rate


def distance_from_compliance(
    results: Results, participant: Participant, scores: SpecScores
) -> Distance | None:
    """Return how far an implementation is from the first of the RFCs in `counted_specs`.

    Return None if it complies with an RFC, if the run decides no RFC, or if no statement has a state.
    """
    if compliance_text(results, participant.name, scores) != NO_RFC:
        return None
    specs = counted_specs(results, participant)
    spec = next((spec for spec in scores if spec in specs), None)
    if spec is None:
        return None
    held = scores[spec].get(participant.name, Score()).held
    return Distance(spec, held) if held.total else None


def worst_sections(results: Results, participant: Participant, limit: int) -> list[WorstSection]:
    """Return the worst of the sections in `failed_sections`, as `worst_of_failed` does."""
    return worst_of_failed(failed_sections(results, participant), limit)


def worst_of_failed(sections: Iterable[WorstSection], limit: int) -> list[WorstSection]:
    """Return the worst sections, in the order of the RFCs.

    Sections whose example is about the host or the user information are worse than all others. Otherwise,
    those with more failed statements are worse (see `_weight` for appendices). Take the worst
    section of each RFC, then the second worst of each, and so on, until there are `limit` sections.
    """
    sections_by_spec: dict[str, list[WorstSection]] = {}
    for section in sections:
        sections_by_spec.setdefault(section.spec, []).append(section)
    worst = list(islice(_worst_in_turn(sections_by_spec.values()), limit))
    order = list(sections_by_spec)
    return sorted(worst, key=lambda section: order.index(section.spec))


def _worst_in_turn(sections_of_specs: Iterable[Iterable[WorstSection]]) -> Iterator[WorstSection]:
    """Yield the worst section of each RFC, then the second worst of each, and so on."""
    for sections_of_round in zip_longest(*map(_worst_first, sections_of_specs)):
        for section in sections_of_round:
            if section is not None:  # the RFC has no further section
                yield section


def _worst_first(sections: Iterable[WorstSection]) -> Iterator[WorstSection]:
    """Yield the sections of an RFC, the worst first.

    It is a generator because it takes long to tell which of all sections are grave.
    """
    not_grave = []
    for section in sorted(sections, key=_weight, reverse=True):
        if section.is_grave:
            yield section
        else:
            not_grave.append(section)
    yield from not_grave


def _weight(section: WorstSection) -> float:
    """Return the number of failed statements. Those of an appendix, whose number is a letter, count less."""
    is_appendix = not section.section[:1].isdigit()
    return section.failed * _APPENDIX_WEIGHT if is_appendix else section.failed


def failed_sections(results: Results, participant: Participant) -> list[WorstSection]:
    """Return the sections with a failure of the RFCs in `counted_specs`, in the order of reports."""
    failures: dict[Place, list[Failure]] = {}
    for failure in stored_failures(results, participant):
        case = failure.asked.case
        failures.setdefault((case.spec, case.section), []).append(failure)
    specs = counted_specs(results, participant)
    sections = []
    for (spec, section), counts in _states_by_section(results, participant).items():
        title = results.titles.get((spec, section), "")
        section_failures = failures.get((spec, section))
        if section_failures and spec in specs and has_row(title):
            failed_section = WorstSection(
                spec=spec,
                section=section,
                title=title,
                failed=counts[State.FAILED],
                statements=counts.total(),
                failures=section_failures,
                participant=participant,
            )
            sections.append(failed_section)
    return sections


def _states_by_section(results: Results, participant: Participant) -> Mapping[Place, Counter[State]]:
    """Count the statements of each section by state, in the order of reports. Some statements have none."""
    states: dict[Place, Counter[State]] = {}
    for statement in statements(results, participant.name):
        if statement.state is not None:
            section_states = states.setdefault((statement.spec, statement.section), Counter())
            section_states[statement.state] += 1
    return states


def telling_example(failures: Iterable[Failure], participant: Participant) -> Failure | None:
    """Return the most serious failure. Of equally serious ones, return that with the shortest question.

    An answer that is right under another RFC that the library claims is no example. Return None if there is
    no other failure.
    """
    # loaded here because it takes as long as all other modules, and most runs of a gate have no failure
    from urlharness.compare.causes import is_right_under_claimed_rfc  # noqa: PLC0415

    for failure in sorted(failures, key=_example_order):
        if not is_right_under_claimed_rfc(failure.asked.case, failure.result, participant):
            return failure
    return None


def _example_order(failure: Failure) -> tuple[object, ...]:
    """Return the sort key for examples: the severity, but before the id the length of the question."""
    gravity = severity(failure)
    return (gravity._replace(id=""), len(failure.question), gravity.id)


def example_text(failure: Failure, *, whole: bool = True) -> str:
    """Return what went wrong in a few words, such as `accepts http://a@b@c/`.

    If `whole` is False, leave out the expected answer.
    """
    vector = failure.asked.case.vector
    outcome = failure.result.outcome
    expected = vector.expect.alternatives[0]
    got = failure.result.got
    question = _short_question(vector)
    if outcome.abnormal:
        return f"{_ENDS.get(outcome, outcome)} {question}"
    if expected.valid is False:
        return f"accepts {question}{_rule_suffix(vector)}"
    if got.get("status") == "reject":
        return f"rejects {question}{_rule_suffix(vector)}"
    url = got.get("url")
    if isinstance(expected.result, str) and isinstance(url, str):
        words = f"{vector.op}s"  # such as "resolves"
        if vector.op != "recompose":  # its components would be long
            words += f" {question}"
        words += f" to {_short_input(url)}"
        return f"{words}, not {_short_input(expected.result)}" if whole else words
    verdict = plain(failure.got)
    if not whole:
        verdict, _, _ = verdict.partition(", not ")
    return f"{question}: {verdict}"


def _short_question(vector: Vector) -> str:
    """Return the inputs of a vector, without those that only say how a text is understood."""
    inputs = [_short_input(text) for name, text in vector.inputs.items() if name not in _CONDITIONS]
    # a question for the base that applies may have no other input
    return ", ".join(inputs) or _short_input(vector.inputs.get("base", ""))


def _rule_suffix(vector: Vector) -> str:
    """Return ` as RULE`, or "" if the rule is one of whole URLs and the text may be a URL."""
    rule = vector.rule or ""
    url = vector.inputs.get("url")
    may_be_url = isinstance(url, str) and ":" in url
    is_of_urls = "ur" in rule.lower()  # in every RFC, these rules have names such as `URI` or `genericurl`
    if not rule or (is_of_urls and may_be_url):
        return ""
    return f" as {rule}"


def _short_input(text: object) -> str:
    """Return an input or an answer as text. A string that is empty or contains blanks is quoted.

    Return only the word "components" for components, which would be long.
    """
    if isinstance(text, str):
        needs_quotes = not text or " " in text
        # a full-width letter looks like another one
        readable = plain(text) if text.isascii() else visible(text)
        return f"'{readable}'" if needs_quotes else readable
    return show_value(text) if isinstance(text, Hex) else "components"


# ---- the headline


def headline(results: Results, judgements: Sequence[Judgement] = ()) -> Headline:
    """Return the decision of the gate or, without a gate, which implementations fail required cases.

    Of a run that was interrupted or cut, but not by --maxfail, say that nothing was decided.
    """
    if not results.complete and not results.stopped:
        how = "interrupted" if results.interrupted else "cut short"
        name = results.participants[0].name if len(results.participants) == 1 else ""
        return Headline(passed=False, name=name, text=f"the run was {how}, and nothing was decided")
    if judgements:
        return _headline_of_gate(results, judgements)
    return _headline_without_gate(results)


def _headline_of_gate(results: Results, judgements: Sequence[Judgement]) -> Headline:
    """Return the decision of the gate: on the only implementation or the reference, or on several."""
    passed = exit_code(judgements) == Exit.PASSED and results.complete
    first = judgements[0]
    count = len(judgements)
    if count < len(results.participants):  # a survey judges only the reference
        passes = "passes" if first.code == Exit.PASSED else "does not pass"
        survey = _headline_without_gate(results)
        text = f"{passes}; in the whole survey, {survey.text}"
        return Headline(passed, first.name, text, neutral=passed and not survey.passed)
    if count == 1:
        return Headline(passed, first.name, first.reason or "the gate is passed")
    failed = sum(judgement.code != Exit.PASSED for judgement in judgements)
    if failed:
        return Headline(passed, name="", text=f"{failed} of {count} implementations do not pass the gate")
    return Headline(passed, name="", text=f"all {count} implementations pass the gate")


def _headline_without_gate(results: Results) -> Headline:
    """Return the answers of the only implementation in words, or how many of several failed, and in what."""
    dead = [participant for participant in results.participants if participant.state == "dead"]
    started_or_dead = [*results.ran, *dead]
    if not started_or_dead:
        return Headline(passed=False, name="", text="nothing ran")
    if len(started_or_dead) == 1:
        return _headline_of_one(results, started_or_dead[0])
    return _headline_of_several(results, dead_count=len(dead))


def _headline_of_one(results: Results, participant: Participant) -> Headline:
    """Return the answers of the only implementation that was asked, in words."""
    if participant.state == "dead":
        return Headline(passed=False, name=participant.name, text="it did not start")
    answers = total_answers(results, participant)
    is_good = results.complete and not (answers.wrong or answers.unasked)
    passed = is_good and answers.answered > 0
    return Headline(passed, participant.name, answers_text(answers), neutral=is_good and not passed)


def _headline_of_several(results: Results, *, dead_count: int) -> Headline:
    """Return how many implementations failed, and in what, and all answers together in words.

    `dead_count` is the number of implementations that did not start.
    """
    answers = [total_answers(results, participant) for participant in results.ran]
    counts_by_verdict = {
        "gave wrong answers": sum(1 for counts in answers if counts.wrong),
        "gave no complete answer": sum(1 for counts in answers if not counts.answered),
        "did not answer to the end": sum(1 for counts in answers if counts.unasked),
        "did not start": dead_count,
    }
    passed = results.complete and not any(counts_by_verdict.values())
    verdicts = _verdicts_in_words(counts_by_verdict, len(results.participants))
    total = Answers()
    for counts in answers:
        total.include(counts)
    parts = [verdicts] if verdicts else []
    if total.total:
        parts.append(answers_text(total))
    neutral = results.complete and not passed and not dead_count
    return Headline(passed, name="", text=": ".join(parts), neutral=neutral)


def _verdicts_in_words(counts: Mapping[str, int], implementation_count: int) -> str:
    """Return how many implementations got each verdict, or an empty string if all counts are 0."""
    clauses: list[str] = []
    for verdict, count in counts.items():
        if count:
            # only the first clause says of how many
            of_all = "" if clauses else f" of {implementation_count} implementations"
            clauses.append(f"{count}{of_all} {verdict}")
    return ", ".join(clauses)


def whole_percent(rate: Rate) -> str:
    """Return a rate as a whole percentage, rounded down, but "<1 %" for a small one. No cases give 0 %."""
    percentage = rate.floor(100) or 0
    if not percentage and rate.value:
        return "<1 %"
    return f"{percentage} %"


def percent(rate: Rate | Mean) -> str:
    """Return a rate in percent, rounded down: only a full rate is 100 %.

    A small rate becomes "<0.1 %", and NOTHING stands for one without cases.
    """
    tenths = rate.floor(1000)
    if tenths is None:
        return NOTHING
    if not tenths and rate.value:
        return "<0.1 %"
    percentage, tenth = divmod(tenths, 10)
    return f"{percentage} %" if tenths in (0, 1000) else f"{percentage}.{tenth} %"


def score_figures(score: Score) -> list[Figure]:
    """Return every figure of a score, in the order of the tables: the means with J, then the coverage."""
    figures = []
    for name, mean in score.means.items():
        statement_count = counted(mean.count, "statement")
        figures.append(Figure(name, percent(mean), f"mean of {statement_count}"))
        if name == "rejected":  # J follows the two means from which it is computed
            figures.append(Figure("J", youden_in_words(score), f"accepted rate + rejected rate {MINUS} 1"))
    coverage = score.coverage
    of_all = f"{coverage.passed} of {coverage.total}"
    figures.append(Figure("coverage", percent(coverage), of_all))
    return figures


def total_score(scores: Iterable[Score]) -> Score:
    """Return the sum of the scores of several sections, which must not have a statement in common."""
    total = Score()
    for score in scores:
        total.include(score)
    return total


def quality(score: Score) -> float:
    """Return the share of held statements among those that hold or fail, or 0 if there are none.

    Libraries are ordered by it: one that offers few operations is no worse than one that fails in many.
    """
    held = score.states[State.HELD]
    failed = score.states[State.FAILED]
    return held / (held + failed) if held else 0.0
