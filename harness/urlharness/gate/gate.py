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
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

from urlharness.corpus.model import LEVELS, Case, CaseKind
from urlharness.corpus.specifications import SPECS
from urlharness.exitcodes import Exit
from urlharness.gate.baseline import OLD_FORMAT, Baseline, Entry
from urlharness.gate.findings import (
    Finding,
    count_asked,
    findings,
    misfit,
    removed_entries,
    vector_finding,
)
from urlharness.gate.policy import PLAIN, FailureTest, Policy, is_plain_failure
from urlharness.results.coverage import (
    answered,
    answered_parts,
    given_up,
    last_fatal_case,
    partly_run,
    stopped_early,
)
from urlharness.results.model import Participant, Result, Results, Tally
from urlharness.results.verdict import Outcome
from urlharness.text import clipped
from urlharness.wording import counted, first_names, rfc

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
    """The gate's judgement of one adapter: an exit code, and a reason, which may be empty.

    `groups` are the failures or findings, grouped. `notes` are remarks on the baseline. `example_id` is the
    id of an example case, or empty. `criteria` is None in a survey. `listable` is False if no baseline could
    make the adapter pass, or if every answer is garbage.
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


class Decision(NamedTuple):
    """The exit code of a run, and the judgements of its adapters."""

    code: Exit
    judgements: list[Judgement]

    @property
    def reasons(self) -> list[str]:
        """The reasons and notes of the judgements, without empty ones."""
        said = ((one.reason, *(f"{one.name}: {note}" for note in one.notes)) for one in self.judgements)
        return [line for lines in said for line in lines if line]


# ---- the decision


def decide(
    results: Results,
    named: Sequence[str],
    specs: Collection[str] = (),
    *,
    policy: Policy = PLAIN,
    baselines: Mapping[str, Baseline] = MappingProxyType({}),
    known: Collection[str] | None = None,
    require_installed: bool = False,
) -> Decision:
    """Decide by the rules that the docstring of this module lists.

    `named` are the named adapters, and `specs` the RFCs that the user names. `baselines` maps adapters to
    their baselines. `known` are the ids of the whole corpus, which baselines need. With `require_installed`,
    a named adapter that is not installed ends the run with 3.
    """
    judgements = [
        _judge(results, one, _criteria(one, specs, policy, baselines), specs, known, survey=not named)
        for one in results.participants
        if one.name in (named or ("reference",))
    ]
    if require_installed and named:
        judgements = [_required(judgement) for judgement in judgements]
    return Decision(exit_code(judgements), judgements)


def _required(judgement: Judgement) -> Judgement:
    """Return the judgement of an adapter that the run requires to be installed."""
    return judgement if judgement.installed else replace(judgement, code=Exit.ADAPTER_DEAD)


def _criteria(
    participant: Participant, specs: Collection[str], policy: Policy, baselines: Mapping[str, Baseline]
) -> Criteria:
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
    codes = {True: set[Exit](), False: set[Exit]()}
    for judgement in judgements:
        counts = judgement.installed or judgement.code is Exit.ADAPTER_DEAD  # it is required
        codes[counts].add(judgement.code)
    return min(codes[True] or codes[False], key=PRECEDENCE.index, default=Exit.PASSED)


def _judge(
    results: Results,
    participant: Participant,
    criteria: Criteria,
    specs: Collection[str],
    known: Collection[str] | None,
    *,
    survey: bool,
) -> Judgement:
    """Judge one adapter (rules 2 to 7). In a survey, the reason is empty if the adapter passes."""
    baseline = criteria.baseline
    run = JudgedRun(results, participant.name, criteria.specs, criteria.policy)
    judgement = _nothing_to_judge(run, participant, survey=survey)
    if judgement is not None:
        return judgement if survey else replace(judgement, criteria=criteria)
    if baseline is None:
        judgement = judge_without_baseline(run)
    else:
        judgement = judge_with_baseline(run, participant, baseline, known)
        if judgement.code is Exit.INVALID_FILE:
            return replace(judgement, criteria=replace(criteria, baseline=None))
    stopped = stopped_early(results, run.name)
    if stopped:
        judgement = _after_stop(judgement, stopped)
    if run.outcomes <= {Outcome.GARBAGE, Outcome.UNSUPPORTED}:  # the adapter does not follow the protocol
        judgement = replace(judgement, listable=False)
    if survey:
        return replace(judgement, reason="") if judgement.code is Exit.PASSED else judgement
    if not stopped:
        judgement = _with_unanswered(judgement, run.unanswered(specs))
    notes: tuple[str, ...] = ()
    if baseline is not None:
        gone = removed_note(baseline, known)
        notes = (other_corpus(baseline, results.header.corpus), gone, old_format(baseline))
    return replace(judgement, criteria=criteria, notes=tuple(filter(None, notes)))


def _nothing_to_judge(run: JudgedRun, participant: Participant, *, survey: bool) -> Judgement | None:
    """Return the judgement of an adapter if rules 2 to 4 decide it, otherwise None."""
    name = run.name
    if participant.state == "not installed":
        reason = f"{name}: not installed: {participant.message}"
        return Judgement(name, Exit.NOTHING_RAN, reason, installed=False)
    if participant.state == "dead":
        return Judgement(name, Exit.ADAPTER_DEAD, f"{name}: could not start: {participant.message}")
    pinned = run.results.header.tiers
    found = {tally.part: tally.digest for tally in run.tallies if tally.digest}
    if other := [part for part, digest in found.items() if pinned.get(part, "") not in ("", digest)]:
        reason = f"{name}: generated cases of {', '.join(other)} are not the pinned ones"
        return Judgement(name, Exit.INVALID_FILE, reason)
    why = run.no_level_selected() or ("" if survey else run.nothing_answered())
    return Judgement(name, Exit.NOTHING_RAN, f"{name}: nothing was judged: {why}") if why else None


def _after_stop(judgement: Judgement, stopped: str) -> Judgement:
    """Return the judgement of an adapter that `--maxfail` stopped. Such an adapter cannot pass.

    `stopped` is the sentence of `stopped_early`.
    """
    if judgement.code is Exit.ADAPTER_DEAD:
        return judgement
    if judgement.code is Exit.PASSED:
        reason = f"{stopped}; nothing new failed until then, and the rest was not judged"
        return replace(judgement, code=Exit.FAILED, reason=reason)
    code = Exit.FAILED if judgement.code is Exit.STALE else judgement.code
    return replace(judgement, code=code, reason=f"{judgement.reason}; {stopped.partition(': ')[2]}")


def _with_unanswered(judgement: Judgement, unanswered: str) -> Judgement:
    """Add the sentence `unanswered`, on named RFCs without an answer, to a judgement (rule 7).

    If the sentence is empty, return the judgement unchanged.
    """
    if not unanswered or judgement.code is Exit.ADAPTER_DEAD:
        return judgement
    name, reason = judgement.name, judgement.reason
    if judgement.code is Exit.FAILED:
        return replace(judgement, reason=f"{reason}; {unanswered}", listable=False)
    stale = f"; {reason.removeprefix(f'{name}: ')}" if judgement.code is Exit.STALE else ""
    return replace(judgement, code=Exit.NOTHING_RAN, reason=f"{name}: {unanswered}{stale}")


# ---- judging the cases


def judge_without_baseline(run: JudgedRun) -> Judgement:
    """Judge a run without a baseline. Every outcome that the policy rejects is a failure."""
    name = run.name
    ids: dict[str, list[str]] = {}
    counts: Counter[str] = Counter()
    required = listable = True
    for case, result in run.cases():
        if run.policy.fails(case, result):
            counts[result.outcome] += 1
            required = required and case.vector.binding == "required"
            ids.setdefault(result.outcome, []).append(result.id)
    for tally in run.tallies:
        failing = run.policy.failing_outcomes(tally)
        counts.update(failing)
        listable = listable and bool(tally.digest or not failing)  # a baseline needs all cases of a part
    for example in run.results.examples:
        if example.result.implementation == name and example.result.outcome in counts:
            ids.setdefault(example.result.outcome, []).append(example.result.id)
    if not counts:
        if run.judged_outcomes - {Outcome.UNSUPPORTED} == {Outcome.PARTIAL}:
            return Judgement(name, Exit.NOTHING_RAN, f"{name}: nothing passed: no answer is complete")
        return Judgement(name, Exit.PASSED, run.incomplete())
    groups = tuple(Group(what, tuple(ids.get(what, ())[:_IDS]), counts[what]) for what in sorted(counts))
    numbers = ", ".join(f"{group.count:,} {group.label}" for group in groups)
    reason = f"{name}: gate failed on {'required ' * required}vectors{_of(run.specs)}: {numbers}"
    shown = next((group.ids[0] for group in groups if group.ids), "")
    if Outcome.ABORTED not in counts:
        return Judgement(name, Exit.FAILED, reason, groups, example_id=shown, listable=listable)
    shown = last_fatal_case(run.results, name) or shown  # an aborted case was never asked
    reason = f"{reason}: {given_up(run.results, name)}"
    return Judgement(name, Exit.ADAPTER_DEAD, reason, groups, example_id=shown, listable=listable)


def judge_with_baseline(
    run: JudgedRun, participant: Participant, baseline: Baseline, known: Collection[str] | None
) -> Judgement:
    """Judge a run with a baseline. Every difference from the baseline is a failure."""
    name, results = run.name, run.results
    if unfit := misfit(baseline, participant, results.asked_specs(name, run.specs)):
        return Judgement(name, Exit.INVALID_FILE, f"{name}: the baseline is for another run: {unfit}")
    found = findings(baseline, results, name, run.specs, run.policy, known=known)
    if not found:
        return Judgement(name, Exit.PASSED, _passed_with_baseline(run, baseline, known))
    ids = {kind: tuple(one.id for one in found if one.kind == kind) for kind in FINDINGS}
    groups = tuple(Group(kind, ids[kind], len(ids[kind])) for kind in FINDINGS if ids[kind])
    what = ", ".join(f"{group.count:,} {FINDINGS[group.label][group.count > 1]}" for group in groups)
    lost = [f"{one.id}: {one.result.detail}" for one in found if one.kind == "coverage" and one.result]
    what += f" ({first_names(lost, 3, '; ')})" if lost else ""
    shown = _example_of(found, run)
    if any(one.result is not None and one.result.outcome is Outcome.ABORTED for one in found):
        code, reason = Exit.ADAPTER_DEAD, f"given up: {given_up(results, name) or 'it was not asked again'}"
        shown = last_fatal_case(results, name) or shown
    elif all(one.kind == "stale" for one in found):
        code, reason = Exit.STALE, f"the baseline has {what}"
    else:
        code, reason = Exit.FAILED, f"gate failed, compared with the baseline: {what}"
    listable = {one.id for one in found}.isdisjoint(tally.part for tally in run.tallies if not tally.digest)
    return Judgement(name, code, f"{name}: {reason}", groups, tuple(found), shown, listable=listable)


def _passed_with_baseline(run: JudgedRun, baseline: Baseline, known: Collection[str] | None) -> str:
    """Say how many listed failures were confirmed, and what was not checked."""
    results, name, specs = run.results, run.name, run.specs
    listed, asked = len(baseline.entries), count_asked(baseline, results, name, specs)
    number = f"{asked:,}" if asked == listed else f"{asked:,} of {listed:,}"
    failures = f"{number} known failure{'s' * (listed != 1)}"
    whole = [*answered(results, name, specs, known), *answered_parts(results, name, specs, known)]
    same_corpus = baseline.corpus == results.header.corpus
    checked: Collection[str] = baseline.locked_specs if same_corpus else baseline.complete
    partly = coverage_not_checked(
        [part for part in partly_run(results, name, specs, known) if part not in checked]
    )
    notes = (f"{name}: passed; {failures}, all in the baseline", partly, coverage_not_listed(baseline, whole))
    return ". ".join(filter(None, notes))


def _example_of(found: Sequence[Finding], run: JudgedRun) -> str:
    """Return the id of the case of the most serious finding, or "" if the results contain no such case."""
    asked = [one for one in found if one.result is not None and one.kind != "coverage"]
    if not asked:
        return ""
    name = min(asked, key=lambda one: [*FINDINGS].index(one.kind)).id
    examples = (one.result for one in run.results.examples if one.asked.title == name)
    kept = name if name in run.results.vectors else ""
    return next((one.id for one in examples if one.implementation == run.name), kept)


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
        return {outcome for _, outcome in self.counted}.union(*(tally.outcomes for tally in self.tallies))

    @property
    def judged_outcomes(self) -> set[Outcome]:
        """The outcomes of those cases of the judged RFCs that can fail the gate."""
        found = {outcome for kind, outcome in self.counted if self.policy.judges_kind(kind)}
        if self.policy.pins:
            found.update(result.outcome for case, result in self.cases() if self.policy.judges(case))
        return found.union(*(one.required for one in self.tallies if one.level in self.policy.levels))

    def cases(self) -> Iterator[tuple[Case, Result]]:
        """Yield (case, result) for each vector of the judged RFCs."""
        for result in self.results.of(self.name).values():
            case = self.results.vectors[result.id].case
            if not self.specs or case.spec in self.specs:
                yield case, result

    def nothing_answered(self) -> str:
        """Say why the run has no answer that can fail the gate, or return an empty string."""
        outcomes = self.judged_outcomes
        if outcomes - {Outcome.UNSUPPORTED}:
            return ""
        if not outcomes and self.outcomes - {Outcome.UNSUPPORTED}:
            return NO_REQUIRED_ANSWER
        return self.no_answer()

    def no_level_selected(self) -> str:
        """Say that no selected case has a level that can fail the gate, or return an empty string."""
        asked = {kind.level for kind, _ in self.counted}.union(tally.level for tally in self.tallies)
        if not asked or not self.policy.levels.isdisjoint(asked):
            return ""
        wanted = " or ".join(level for level in LEVELS if level in self.policy.levels)
        return f"no vector of level {wanted} was selected"

    def unanswered(self, specs: Collection[str]) -> str:
        """Say which of the RFCs `specs` were asked but not answered at all, or return an empty string."""
        unsupported = {Outcome.UNSUPPORTED}
        silent = [spec for spec in specs if replace(self, specs=(spec,)).judged_outcomes == unsupported]
        return replace(self, specs=silent).no_answer() if silent else ""

    def incomplete(self) -> str:
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
        numbers = f"{complete:,} of {counts.total():,} {noun}{_of(self.specs)}"
        return f"{self.name}: passed; {numbers} answered{in_part}"

    def no_answer(self) -> str:
        """Say that the adapter answered no case of the judged RFCs, or no case that can fail."""
        which = "that can fail" if self.outcomes - {Outcome.UNSUPPORTED} else "that was selected"
        return unknown_specs(self.specs) or f"it answered no vector{_of(self.specs)} {which}"


# ---- sentences for other modules too


def unknown_specs(specs: Collection[str]) -> str:
    """Say that an adapter claims only unknown RFCs, or return an empty string."""
    if not specs or not {*SPECS}.isdisjoint(specs):
        return ""
    claim = clipped(", ".join(map(repr, sorted(specs))), 200)
    return f"its hello claims {claim}; it can claim {', '.join(SPECS)}"


def other_corpus(
    baseline: Baseline, corpus: str, advice: str = "run baseline update without a selection"
) -> str:
    """Say that a baseline was made with a corpus of another digest, and add advice.

    Return an empty string if the digest is the same.
    """
    if baseline.corpus == corpus:
        return ""
    return f"the baseline was made with corpus {baseline.corpus}, but the corpus is now {corpus}: {advice}"


def removed_note(baseline: Baseline, known: Collection[str] | None) -> str:
    """Say how many entries belong to vectors that the corpus has removed, or return an empty string."""
    gone = removed_entries(baseline, known)
    if not gone:
        return ""
    of = "a removed vector" if len(gone) == 1 else "removed vectors"
    return f"{counted(len(gone), 'entry', 'entries')} of {of}, ignored: {first_names(gone, 3)}"


def old_format(baseline: Baseline) -> str:
    """Say what a baseline of format 1 cannot lock, or return an empty string."""
    if baseline.schema != OLD_FORMAT:
        return ""
    what = "neither which vectors are answered nor the components of partial answers"
    return f"the baseline is of format {OLD_FORMAT}, which locks {what}: run baseline update"


def coverage_not_checked(names: Sequence[str], why: str = "only part of {} was run") -> str:
    """Say that the coverage of these RFCs and generated parts was not checked, and why.

    In `why`, {} stands for them. Return an empty string if there are no names.
    """
    if not names:
        return ""
    listed = first_names([rfc(name) if name in SPECS else name for name in names], 5)
    return f"Coverage of {listed} was not checked: {why.format('it' if len(names) == 1 else 'them')}"


def coverage_not_listed(baseline: Baseline, asked: Sequence[str]) -> str:
    """Say for which asked RFCs and parts the baseline has no answer counts, or return an empty string."""
    numbers: tuple[Mapping[Any, Mapping[Any, int]], ...] = (baseline.answered, baseline.generated)
    counted = {one for counts in numbers for one, own in counts.items() if any(own.values())}
    missing = [one for one in asked if one not in counted | baseline.locked_specs]
    return coverage_not_checked(missing, "the baseline has no answer counts for {}")


def _of(specs: Collection[str]) -> str:
    return f" of {', '.join(sorted(specs))}" if specs else ""


# ---- for --maxfail


def failure_test(
    named: Collection[str], specs: Collection[str], policy: Policy, baselines: Mapping[str, Baseline]
) -> FailureTest:
    """Return the predicate that tells whether a case counts towards `--maxfail`.

    A case counts if it fails the gate and the baseline does not list this failure. For an adapter that is not
    in `named`, every failing required case counts.
    """
    all_criteria: dict[str, Criteria] = {}

    def counts(participant: Participant, case: Case, result: Result, part: str) -> bool:
        name = participant.name
        if name not in named:
            return is_plain_failure(participant, case, result, part)
        if name not in all_criteria:
            all_criteria[name] = _criteria(participant, specs, policy, baselines)
        own = all_criteria[name]
        if not own.policy.fails(case, result) or not own.judges(case.spec):
            return False
        entry = own.entries.get(part or case.vector.id)
        return entry is None or (not part and vector_finding(entry, case, result, own.policy) is not None)

    return counts
