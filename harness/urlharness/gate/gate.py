"""Decide whether a run passes the gate: a judgement for each adapter, and an exit code for the run.

The rules, in order, with the exit code of an adapter that does not meet them:

1. A named adapter is judged by the RFCs that the user names. If the user names none, it is judged by the RFCs
   that its hello and its baseline claim. If no adapter is named, the run is a survey: only the reference is
   judged.
2. The adapter must be installed (3 if the run requires that, otherwise 5) and start (3).
3. The generated cases must equal the pinned ones (6).
4. At least one case that can fail must be asked and answered (5).
5. Without a baseline, every outcome that the policy rejects fails (1), and at least one answer must be
   complete (5). With a baseline, every finding fails (1, or 4 if all findings are stale entries). Findings
   are: a failure that is not listed; a locked answer or component that is lost; fewer answers than the
   baseline counts; a listed failure that fails in another way or passes; an entry whose vector has changed or
   does not exist. A baseline of another implementation or RFC is invalid (6). A baseline of format 1 locks no
   single answers, and a note of the judgement says so.
6. The adapter must not have been given up (3) or stopped by `--maxfail` (1).
7. For each RFC that the user names, there must be an answer (5).
8. The run gets the first code of PRECEDENCE that an adapter has. Adapters that are not installed, and that
   the run does not require, count only if no adapter is installed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

from urlharness.corpus.model import LEVELS, Case, CaseKind
from urlharness.corpus.specifications import SPECS, is_asked
from urlharness.exitcodes import Exit
from urlharness.gate.baseline import OLD_FORMAT, Baseline, Entry
from urlharness.gate.findings import (
    Finding,
    count_asked_entries,
    findings,
    misfit_reason,
    removed_entries,
    vector_finding,
)
from urlharness.gate.policy import PLAIN, FailureTest, Policy, is_plain_failure
from urlharness.results.coverage import (
    answered_by_part,
    answered_by_spec,
    last_fatal_case,
    partly_asked_names,
    reason_given_up,
    stop_in_words,
)
from urlharness.results.model import Participant, Result, Results, Tally
from urlharness.results.verdict import Outcome
from urlharness.text import clipped
from urlharness.wording import counted, first_names, rfc, rfcs

#: The exit codes in order of precedence. A run gets the first of these codes that an adapter has.
PRECEDENCE = (Exit.ADAPTER_DEAD, Exit.INVALID_FILE, Exit.FAILED, Exit.NOTHING_RAN, Exit.STALE, Exit.PASSED)

#: Singular and plural noun for each kind of finding, in reporting order.
FINDINGS: Mapping[str, tuple[str, str]] = {
    "regression": ("regression", "regressions"),
    "lost": ("lost answer", "lost answers"),
    "coverage": ("loss of coverage", "losses of coverage"),
    "changed": ("changed", "changed"),
    "moved": ("moved", "moved"),
    "unknown id": ("unknown id", "unknown ids"),
    "stale": ("stale entry", "stale entries"),
}

#: The maximum number of ids in a group.
_IDS = 20

NO_REQUIRED_ANSWER = "the RFC leaves the answer to every selected vector open, and the policy judges none"


@dataclass(frozen=True)
class Group:
    """Cases with the same outcome or kind of finding: the first ids, and the number of all cases."""

    label: str
    ids: tuple[str, ...]
    count: int


@dataclass(frozen=True)
class Criteria:
    """The criteria by which a named adapter is judged. If `specs` is empty, it is judged by all RFCs."""

    specs: frozenset[str]
    policy: Policy
    baseline: Baseline | None = None

    @cached_property
    def entries(self) -> dict[str, Entry]:
        """The entries of the baseline by id."""
        return self.baseline.by_id() if self.baseline is not None else {}

    def judges(self, spec: str) -> bool:
        """Return True if cases of this RFC can fail."""
        return not self.specs or spec in self.specs


@dataclass(frozen=True)
class Judgement:
    """The gate's judgement of one adapter: an exit code, and a reason, which may be empty if it passes.

    `reason` does not name the adapter, as `sentence` does. `groups` are the failures or findings, grouped.
    `notes` are remarks on the baseline. `example_id` is the id of an example case, or empty. `criteria` is
    None in a survey. `listable` is False if no baseline could make the adapter pass, or if every answer is
    garbage.
    """

    name: str
    code: Exit
    reason: str = ""
    groups: tuple[Group, ...] = ()
    findings: tuple[Finding, ...] = ()
    example_id: str = ""
    installed: bool = True
    criteria: Criteria | None = None
    listable: bool = True
    notes: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """The reason after the name of the adapter, or an empty string without a reason."""
        return f"{self.name}: {self.reason}" if self.reason else ""

    @property
    def is_of_survey(self) -> bool:
        """True if the run is a survey, whose adapters pass no gate."""
        return self.criteria is None and not self.findings


class Decision(NamedTuple):
    """The exit code of a run, and the judgements of its adapters."""

    code: Exit
    judgements: list[Judgement]

    @property
    def reasons(self) -> list[str]:
        """The reasons and notes of the judgements."""
        lines = []
        for judgement in self.judgements:
            lines.append(judgement.sentence)
            lines += [f"{judgement.name}: {note}" for note in judgement.notes]
        return [line for line in lines if line]


# ---- the decision


def decide(
    results: Results,
    named: Sequence[str],
    specs: Collection[str] = (),
    *,
    policy: Policy = PLAIN,
    baselines: Mapping[str, Baseline] = MappingProxyType({}),
    corpus_ids: Collection[str] | None = None,
    require_installed: bool = False,
) -> Decision:
    """Decide by the rules that the docstring of this module lists.

    `named` are the named adapters, and `specs` the RFCs that the user names. `baselines` maps adapters to
    their baselines. `corpus_ids` are the ids of the whole corpus, which baselines need. With
    `require_installed`, a named adapter that is not installed ends the run with 3.
    """
    gated_names = named or ("reference",)
    judgements = []
    for participant in results.participants:
        if participant.name not in gated_names:
            continue
        criteria = _criteria(participant, specs, policy, baselines)
        run = JudgedRun(results, participant.name, criteria.specs, criteria.policy)
        if named:
            judgement = _judge_named(run, participant, criteria, specs, corpus_ids)
        else:
            judgement = _judge_in_survey(run, participant, criteria.baseline, corpus_ids)
        judgements.append(judgement)
    if require_installed and named:
        judgements = [_dead_if_missing(judgement) for judgement in judgements]
    return Decision(exit_code(judgements), judgements)


def _dead_if_missing(judgement: Judgement) -> Judgement:
    """Return the judgement of an adapter that the run requires to be installed (rule 2)."""
    return judgement if judgement.installed else replace(judgement, code=Exit.ADAPTER_DEAD)


def _criteria(
    participant: Participant, specs: Collection[str], policy: Policy, baselines: Mapping[str, Baseline]
) -> Criteria:
    """Return the criteria for an adapter, with the policy for its claims (rule 1)."""
    baseline = baselines.get(participant.name)
    judged = judged_specs(specs, participant.specs, baseline)
    return Criteria(judged, policy.claiming(participant), baseline)


def judged_specs(
    specs: Collection[str], claimed: Collection[str], baseline: Baseline | None = None
) -> frozenset[str]:
    """Return the RFCs that an adapter is judged by, or an empty set for all.

    An adapter that claims fewer RFCs than before is also judged by the RFCs of its baseline.
    """
    if specs or not claimed or baseline is None:
        return frozenset(specs or claimed)
    return frozenset((*claimed, *baseline.spec))


def exit_code(judgements: Iterable[Judgement]) -> Exit:
    """Return the exit code of a run from the judgements of its adapters (rule 8)."""
    codes = set()
    codes_of_missing = set()  # of adapters that are not installed and not required
    for judgement in judgements:
        if judgement.installed or judgement.code is Exit.ADAPTER_DEAD:
            codes.add(judgement.code)
        else:
            codes_of_missing.add(judgement.code)
    return min(codes or codes_of_missing, key=PRECEDENCE.index, default=Exit.PASSED)


def _judge_named(
    run: JudgedRun,
    participant: Participant,
    criteria: Criteria,
    specs: Collection[str],
    corpus_ids: Collection[str] | None,
) -> Judgement:
    """Judge a named adapter (rules 2 to 7). `specs` are the RFCs that the user names."""
    early_judgement = _early_judgement(run, participant)
    if early_judgement is None:
        early_judgement = _nothing_judged(run.name, run.nothing_answered_note())
    if early_judgement is not None:
        return replace(early_judgement, criteria=criteria)
    baseline = criteria.baseline
    judgement = _judge_cases(run, participant, baseline, corpus_ids)
    if judgement.code is Exit.INVALID_FILE:  # reports must not compare with a baseline for another run
        return replace(judgement, criteria=replace(criteria, baseline=None))
    is_stopped = bool(stop_in_words(run.results, run.name))
    if not is_stopped:
        judgement = _with_unanswered(judgement, run.unanswered_note(specs))
    notes = () if baseline is None else _baseline_notes(baseline, run.results.header.corpus, corpus_ids)
    return replace(judgement, criteria=criteria, notes=notes)


def _judge_in_survey(
    run: JudgedRun, participant: Participant, baseline: Baseline | None, corpus_ids: Collection[str] | None
) -> Judgement:
    """Judge an adapter of a survey (rules 2 to 6), which need not answer. A passing one gets no reason."""
    early_judgement = _early_judgement(run, participant)
    if early_judgement is not None:
        return early_judgement
    judgement = _judge_cases(run, participant, baseline, corpus_ids)
    return replace(judgement, reason="") if judgement.code is Exit.PASSED else judgement


def _judge_cases(
    run: JudgedRun, participant: Participant, baseline: Baseline | None, corpus_ids: Collection[str] | None
) -> Judgement:
    """Judge the cases of a run, by a baseline if there is one, and how the adapter ended (rules 5 and 6)."""
    if baseline is None:
        judgement = judge_without_baseline(run)
    else:
        judgement = judge_with_baseline(run, participant, baseline, corpus_ids)
    if judgement.code is Exit.INVALID_FILE:
        return judgement
    stopped = stop_in_words(run.results, run.name)
    if stopped:
        judgement = _after_stop(judgement, stopped)
    if run.outcomes <= {Outcome.GARBAGE, Outcome.UNSUPPORTED}:  # the adapter does not follow the protocol
        judgement = replace(judgement, listable=False)
    return judgement


def _baseline_notes(baseline: Baseline, corpus: str, corpus_ids: Collection[str] | None) -> tuple[str, ...]:
    """Return the remarks on a baseline. None of them changes the exit code."""
    notes = (
        other_corpus_note(baseline, corpus),
        removed_note(baseline, corpus_ids),
        old_format_note(baseline),
    )
    return tuple(note for note in notes if note)


def _early_judgement(run: JudgedRun, participant: Participant) -> Judgement | None:
    """Return the judgement of an adapter if it does not meet rules 2 and 3, or no selected case can fail.

    Otherwise return None.
    """
    name = run.name
    if participant.state == "not installed":
        reason = f"not installed: {participant.message}"
        return Judgement(name, Exit.NOTHING_RAN, reason, installed=False)
    if participant.state == "dead":
        return Judgement(name, Exit.ADAPTER_DEAD, f"could not start: {participant.message}")
    parts = run.parts_with_other_cases()
    if parts:
        reason = f"generated cases of {', '.join(parts)} are not the pinned ones"
        return Judgement(name, Exit.INVALID_FILE, reason)
    return _nothing_judged(name, run.no_level_note())


def _nothing_judged(name: str, why: str) -> Judgement | None:
    """Return the judgement that nothing was judged (rule 4), or None if there is no reason for it."""
    return Judgement(name, Exit.NOTHING_RAN, f"nothing was judged: {why}") if why else None


def _after_stop(judgement: Judgement, stopped: str) -> Judgement:
    """Return the judgement of an adapter that `--maxfail` stopped. Such an adapter cannot pass.

    `stopped` are the words of `stop_in_words`.
    """
    if judgement.code is Exit.ADAPTER_DEAD:
        return judgement
    if judgement.code is Exit.PASSED:
        reason = f"{stopped}; nothing new failed until then, and the rest was not judged"
        return replace(judgement, code=Exit.FAILED, reason=reason)
    code = Exit.FAILED if judgement.code is Exit.STALE else judgement.code
    return replace(judgement, code=code, reason=f"{judgement.reason}; {stopped}")


def _with_unanswered(judgement: Judgement, unanswered: str) -> Judgement:
    """Return the judgement of an adapter that did not answer some of the named RFCs (rule 7).

    `unanswered` says which, and is empty if there are none; then the judgement is returned unchanged, and so
    is that of an adapter that was given up. The code of a failed adapter stays, but no baseline could make it
    pass any more. Every other adapter gets NOTHING_RAN.
    """
    if not unanswered or judgement.code is Exit.ADAPTER_DEAD:
        return judgement
    if judgement.code is Exit.FAILED:
        return replace(judgement, reason=f"{judgement.reason}; {unanswered}", listable=False)
    reason = unanswered
    if judgement.code is Exit.STALE:
        reason = f"{unanswered}; {judgement.reason}"
    return replace(judgement, code=Exit.NOTHING_RAN, reason=reason)


# ---- judging the cases


def judge_without_baseline(run: JudgedRun) -> Judgement:
    """Judge a run without a baseline. Every outcome that the policy rejects is a failure."""
    name = run.name
    failures = _failures(run)
    if not failures.counts:
        if run.judged_outcomes - {Outcome.UNSUPPORTED} == {Outcome.PARTIAL}:
            return Judgement(name, Exit.NOTHING_RAN, "nothing passed: no answer is complete")
        return Judgement(name, Exit.PASSED, run.incompleteness_note())
    groups = failures.groups()
    numbers = ", ".join(f"{group.count:,} {group.label}" for group in groups)
    vectors = "required vectors" if failures.all_required else "vectors"
    reason = f"gate failed on {vectors}{_of_specs(run.specs)}: {numbers}"
    code = Exit.FAILED
    ids_of_first_cases = [group.ids[0] for group in groups if group.ids]
    example_id = ids_of_first_cases[0] if ids_of_first_cases else ""
    if Outcome.ABORTED in failures.counts:
        code = Exit.ADAPTER_DEAD
        example_id = last_fatal_case(run.results, name) or example_id  # an aborted case was never asked
        reason = f"{reason}: {reason_given_up(run.results, name)}"
    return Judgement(name, code, reason, groups, example_id=example_id, listable=failures.listable)


@dataclass
class _Failures:
    """The failures of a run without a baseline: counts and ids by outcome.

    `all_required` is True if each vector that failed is required. `listable` is False if a generated part
    failed that was not asked in full, because a baseline needs all cases of a part.
    """

    counts: Counter[str] = field(default_factory=Counter)
    ids: dict[str, list[str]] = field(default_factory=dict)
    all_required: bool = True
    listable: bool = True

    def groups(self) -> tuple[Group, ...]:
        """Return the failures, grouped by outcome. A group has all in its count, but only the first ids."""
        groups = []
        for outcome in sorted(self.counts):
            first_ids = tuple(self.ids.get(outcome, ())[:_IDS])
            groups.append(Group(outcome, first_ids, self.counts[outcome]))
        return tuple(groups)


def _failures(run: JudgedRun) -> _Failures:
    """Collect the failures. Of generated cases, all are counted, but only ids of kept examples are known."""
    failures = _Failures()
    for case, case_result in run.cases():
        if run.policy.fails(case, case_result):
            failures.counts[case_result.outcome] += 1
            failures.ids.setdefault(case_result.outcome, []).append(case_result.id)
            if case.vector.binding != "required":
                failures.all_required = False
    for tally in run.tallies:
        failing = run.policy.failing_outcomes(tally)
        failures.counts.update(failing)
        if failing and not tally.digest:
            failures.listable = False
    for example in run.results.examples:
        case_result = example.result
        if case_result.implementation == run.name and case_result.outcome in failures.counts:
            failures.ids.setdefault(case_result.outcome, []).append(case_result.id)
    return failures


def judge_with_baseline(
    run: JudgedRun, participant: Participant, baseline: Baseline, corpus_ids: Collection[str] | None
) -> Judgement:
    """Judge a run with a baseline. Every difference from the baseline is a failure.

    `corpus_ids` are the ids of the whole corpus.
    """
    name = run.name
    results = run.results
    why = misfit_reason(baseline, participant, results.asked_specs(name, run.specs))
    if why:
        return Judgement(name, Exit.INVALID_FILE, f"the baseline is for another run: {why}")
    differences = findings(baseline, results, name, run.specs, run.policy, corpus_ids=corpus_ids)
    if not differences:
        return Judgement(name, Exit.PASSED, _passed_in_words(run, baseline, corpus_ids))
    return _judgement_on_findings(run, differences)


def _judgement_on_findings(run: JudgedRun, differences: Sequence[Finding]) -> Judgement:
    """Return the judgement of a run with these differences from the baseline. There must be one."""
    name = run.name
    groups = _grouped(differences)
    summary = _summary(groups, differences)
    code = Exit.FAILED
    reason = f"gate failed, compared with the baseline: {summary}"
    example_id = _example_id(differences, run)
    outcomes = {finding.result.outcome for finding in differences if finding.result is not None}
    if Outcome.ABORTED in outcomes:
        code = Exit.ADAPTER_DEAD
        reason = f"given up: {reason_given_up(run.results, name) or 'it was not asked again'}"
        example_id = last_fatal_case(run.results, name) or example_id
    elif all(finding.kind == "stale" for finding in differences):
        code = Exit.STALE
        reason = f"the baseline has {summary}"
    # a baseline needs all cases of a part
    incomplete_parts = {tally.part for tally in run.tallies if not tally.digest}
    listable = incomplete_parts.isdisjoint(finding.id for finding in differences)
    return Judgement(
        name,
        code,
        reason,
        groups,
        findings=tuple(differences),
        example_id=example_id,
        listable=listable,
    )


def _grouped(differences: Sequence[Finding]) -> tuple[Group, ...]:
    """Group findings by kind, in reporting order."""
    groups = []
    for kind in FINDINGS:
        ids = tuple(finding.id for finding in differences if finding.kind == kind)
        if ids:
            groups.append(Group(kind, ids, len(ids)))
    return tuple(groups)


def _summary(groups: Sequence[Group], differences: Sequence[Finding]) -> str:
    """Return the numbers of findings in words, with the first three losses of coverage, if there are any."""
    numbers = []
    for group in groups:
        singular, plural = FINDINGS[group.label]
        noun = plural if group.count > 1 else singular
        numbers.append(f"{group.count:,} {noun}")
    summary = ", ".join(numbers)
    losses = [
        f"{finding.id}: {finding.result.detail}"
        for finding in differences
        if finding.kind == "coverage" and finding.result is not None
    ]
    if losses:
        summary += f" ({first_names(losses, 3, '; ')})"
    return summary


def _passed_in_words(run: JudgedRun, baseline: Baseline, corpus_ids: Collection[str] | None) -> str:
    """Say how many listed failures were confirmed, and what was not checked."""
    results = run.results
    name = run.name
    asked_specs = answered_by_spec(results, name, run.specs, corpus_ids)
    asked_parts = answered_by_part(results, name, run.specs, corpus_ids)
    sentences = (
        f"passed; {_confirmed_in_words(run, baseline)}, all in the baseline",
        unchecked_coverage_note(_names_without_checked_coverage(run, baseline, corpus_ids)),
        uncounted_coverage_note(baseline, [*asked_specs, *asked_parts]),
    )
    return ". ".join(sentence for sentence in sentences if sentence)


def _confirmed_in_words(run: JudgedRun, baseline: Baseline) -> str:
    """Return the number of listed failures that were asked, such as "2 of 3 known failures"."""
    listed_count = len(baseline.entries)
    confirmed_count = count_asked_entries(baseline, run.results, run.name, run.specs)
    listed_in_words = counted(listed_count, "known failure")
    if confirmed_count == listed_count:
        return listed_in_words
    return f"{confirmed_count:,} of {listed_in_words}"


def _names_without_checked_coverage(
    run: JudgedRun, baseline: Baseline, corpus_ids: Collection[str] | None
) -> list[str]:
    """Return the RFCs and generated parts that were asked in part, and whose single answers are not locked.

    If the baseline is of another corpus, only its lists of complete answers are locks.
    """
    has_same_corpus = baseline.corpus == run.results.header.corpus
    locked: Collection[str] = baseline.locked_specs if has_same_corpus else baseline.complete
    names = partly_asked_names(run.results, run.name, run.specs, corpus_ids)
    return [spec_or_part for spec_or_part in names if spec_or_part not in locked]


def _example_id(differences: Sequence[Finding], run: JudgedRun) -> str:
    """Return the id of the case of the most serious finding, or "" if the results contain no such case."""
    with_case = [
        finding for finding in differences if finding.result is not None and finding.kind != "coverage"
    ]
    if not with_case:
        return ""
    order = list(FINDINGS)
    most_serious = min(with_case, key=lambda finding: order.index(finding.kind))
    if most_serious.id in run.results.vectors:
        return most_serious.id
    for example in run.results.examples:  # the finding of a part names the part, not a case
        if example.asked.title == most_serious.id and example.result.implementation == run.name:
            return example.result.id
    return ""


# ---- the results for the judged RFCs


@dataclass(frozen=True)
class JudgedRun:
    """The part of a run that the gate judges: the results of one adapter for some RFCs (empty: all)."""

    results: Results
    name: str
    specs: Collection[str]
    policy: Policy

    @cached_property
    def counted(self) -> Mapping[tuple[CaseKind, Outcome], int]:
        """The number of vectors of the judged RFCs, by kind of case and outcome."""
        return self.results.counted_of(self.name, self.specs)

    @cached_property
    def tallies(self) -> list[Tally]:
        """The tallies of the generated parts of the judged RFCs."""
        return self.results.tallies_of(self.name, self.specs)

    @property
    def outcomes(self) -> set[Outcome]:
        """The outcomes of all cases of the judged RFCs."""
        outcomes = {outcome for _, outcome in self.counted}
        for tally in self.tallies:
            outcomes.update(tally.outcomes)
        return outcomes

    @property
    def judged_outcomes(self) -> set[Outcome]:
        """The outcomes of those cases of the judged RFCs that can fail the gate."""
        outcomes = {outcome for kind, outcome in self.counted if self.policy.judges_kind(kind)}
        if self.policy.pins:
            outcomes.update(
                case_result.outcome for case, case_result in self.cases() if self.policy.judges(case)
            )
        for tally in self.tallies:
            if tally.level in self.policy.levels:
                outcomes.update(tally.required)
        return outcomes

    def cases(self) -> Iterator[tuple[Case, Result]]:
        """Yield (case, result) for each vector of the judged RFCs."""
        for case_result in self.results.of(self.name).values():
            case = self.results.vectors[case_result.id].case
            if not self.specs or case.spec in self.specs:
                yield case, case_result

    def parts_with_other_cases(self) -> list[str]:
        """Return the generated parts that were asked in full, but whose cases are not the pinned ones.

        A part whose digest is not pinned is not among them.
        """
        pinned = self.results.header.tiers
        return [
            tally.part
            for tally in self.tallies
            if tally.digest and pinned.get(tally.part, "") not in ("", tally.digest)
        ]

    def nothing_answered_note(self) -> str:
        """Say why the run has no answer that can fail the gate, or return an empty string."""
        outcomes = self.judged_outcomes
        if outcomes - {Outcome.UNSUPPORTED}:
            return ""
        if not outcomes and self.outcomes - {Outcome.UNSUPPORTED}:
            return NO_REQUIRED_ANSWER
        return self.no_answer_note()

    def no_level_note(self) -> str:
        """Say that no selected case has a level that can fail the gate, or return an empty string."""
        asked_levels = {kind.level for kind, _ in self.counted}.union(tally.level for tally in self.tallies)
        if not asked_levels or not self.policy.levels.isdisjoint(asked_levels):
            return ""
        judged_levels = " or ".join(level for level in LEVELS if level in self.policy.levels)
        return f"no vector of level {judged_levels} was selected"

    def unanswered_note(self, specs: Collection[str]) -> str:
        """Say which of the RFCs `specs` were asked but not answered at all, or return an empty string."""
        unsupported = {Outcome.UNSUPPORTED}
        silent = [spec for spec in specs if replace(self, specs=(spec,)).judged_outcomes == unsupported]
        return replace(self, specs=silent).no_answer_note() if silent else ""

    def incompleteness_note(self) -> str:
        """Say how many cases of a passing run were answered, or return "" if all of them were answered."""
        counts = Counter[Outcome]()
        for (_, outcome), count in self.counted.items():
            counts[outcome] += count
        for tally in self.tallies:
            counts.update(tally.outcomes)
        complete = sum(count for outcome, count in counts.items() if outcome.complete)
        if complete == counts.total():
            return ""
        noun = "cases" if self.tallies else "vectors"
        partial = counts[Outcome.PARTIAL]
        in_part = f", {partial:,} more in part" if partial else ""
        numbers = f"{complete:,} of {counts.total():,} {noun}{_of_specs(self.specs)}"
        return f"passed; {numbers} answered{in_part}"

    def no_answer_note(self) -> str:
        """Say that the adapter answered no case of the judged RFCs, or no case that can fail."""
        which = "that can fail" if self.outcomes - {Outcome.UNSUPPORTED} else "that was selected"
        claimed = self.results.participant(self.name).specs
        why = unknown_specs_note(self.specs) or unclaimed_note(self.specs, claimed)
        return why or f"it answered no vector{_of_specs(self.specs)} {which}"


# ---- sentences for other modules too


def unknown_specs_note(specs: Collection[str]) -> str:
    """Say that an adapter claims only unknown RFCs, or return an empty string."""
    if not specs or not {*SPECS}.isdisjoint(specs):
        return ""
    claim = clipped(", ".join(map(repr, sorted(specs))), 200)
    return f"its hello claims {claim}; it can claim {', '.join(SPECS)}"


def unclaimed_note(specs: Collection[str], claimed: Collection[str]) -> str:
    """Say that an adapter is asked about none of the RFCs because it does not claim them.

    Return an empty string if it is asked about one of them, or if there are none.
    """
    if not specs or any(is_asked(spec, claimed) for spec in specs):
        return ""
    return f"it does not claim {rfcs(sorted(specs))}, and only adapters that do are asked"


def other_corpus_note(
    baseline: Baseline, corpus: str, advice: str = "run baseline update without a selection"
) -> str:
    """Say that a baseline was made with a corpus of another digest, and add advice.

    Return an empty string if the digest is the same.
    """
    if baseline.corpus == corpus:
        return ""
    return f"the baseline was made with corpus {baseline.corpus}, but the corpus is now {corpus}: {advice}"


def removed_note(baseline: Baseline, corpus_ids: Collection[str] | None) -> str:
    """Say how many entries belong to vectors that the corpus has removed, or return an empty string."""
    removed = removed_entries(baseline, corpus_ids)
    if not removed:
        return ""
    entries = counted(len(removed), "entry", "entries")
    vectors = "a removed vector" if len(removed) == 1 else "removed vectors"
    return f"{entries} of {vectors}, ignored: {first_names(removed, 3)}"


def old_format_note(baseline: Baseline) -> str:
    """Say what a baseline of format 1 cannot lock, or return an empty string."""
    if baseline.schema != OLD_FORMAT:
        return ""
    return (
        f"the baseline is of format {OLD_FORMAT}, which locks neither which vectors are answered "
        "nor the components of partial answers: run baseline update"
    )


def unchecked_coverage_note(names: Sequence[str], why: str = "only part of {} was run") -> str:
    """Say that the coverage of these RFCs and generated parts was not checked, and why.

    In `why`, {} stands for them. Return an empty string if there are no names.
    """
    if not names:
        return ""
    titles = [rfc(name) if name in SPECS else name for name in names]
    pronoun = "it" if len(names) == 1 else "them"
    return f"Coverage of {first_names(titles, 5)} was not checked: {why.format(pronoun)}"


def uncounted_coverage_note(baseline: Baseline, asked: Sequence[str]) -> str:
    """Say for which asked RFCs and parts the baseline has no answer counts, or return an empty string."""
    tables: tuple[Mapping[Any, Mapping[Any, int]], ...] = (baseline.answered, baseline.generated)
    with_counts: set[str] = set(baseline.locked_specs)
    for table in tables:
        with_counts.update(name for name, counts in table.items() if any(counts.values()))
    missing = [name for name in asked if name not in with_counts]
    return unchecked_coverage_note(missing, "the baseline has no answer counts for {}")


def _of_specs(specs: Collection[str]) -> str:
    """Return ` of rfc3986`, for a sentence about these RFCs, or an empty string for all RFCs."""
    if not specs:
        return ""
    names = ", ".join(sorted(specs))
    return f" of {names}"


# ---- for --maxfail


def failure_test(
    named: Collection[str], specs: Collection[str], policy: Policy, baselines: Mapping[str, Baseline]
) -> FailureTest:
    """Return a predicate: a case counts towards `--maxfail`.

    A case counts if it fails the gate, and the baseline lists neither this failure nor its generated part.
    For an adapter that is not in `named`, every failing required case counts.
    """
    return _FailureCounting(named, specs, policy, baselines).counts


class _FailureCounting:
    """Decides which cases count towards `--maxfail`. The arguments are those of `failure_test`."""

    def __init__(
        self,
        named: Collection[str],
        specs: Collection[str],
        policy: Policy,
        baselines: Mapping[str, Baseline],
    ) -> None:
        self._named = named
        self._specs = specs
        self._policy = policy
        self._baselines = baselines
        self._criteria_by_name: dict[str, Criteria] = {}

    def counts(self, participant: Participant, case: Case, result: Result, part: str) -> bool:
        """Return True if a case counts. `part` is the name of its generated part, or ""."""
        if participant.name not in self._named:
            return is_plain_failure(participant, case, result, part)
        criteria = self._criteria_of(participant)
        if not criteria.policy.fails(case, result) or not criteria.judges(case.spec):
            return False
        entry = criteria.entries.get(part or case.vector.id)
        if entry is None:
            return True
        if part:  # a listed part can only be judged when all its cases are counted
            return False
        return vector_finding(entry, case, result, criteria.policy) is not None

    def _criteria_of(self, participant: Participant) -> Criteria:
        """Return the criteria of a named adapter, which are made once: this is asked for every case."""
        name = participant.name
        if name not in self._criteria_by_name:
            criteria = _criteria(participant, self._specs, self._policy, self._baselines)
            self._criteria_by_name[name] = criteria
        return self._criteria_by_name[name]
