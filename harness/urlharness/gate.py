"""The gate: from results to an exit code, and the reasons for it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from urlharness.against import against, other_corpus
from urlharness.baseline import Baseline
from urlharness.corpus import Case
from urlharness.exitcodes import Exit
from urlharness.findings import finding
from urlharness.judgement import Judgement, Measure
from urlharness.missing import stop
from urlharness.plainly import plainly
from urlharness.policy import PLAIN, Counts, Policy, counts_plainly
from urlharness.results import Participant, Result, Results
from urlharness.unjudged import silent, tallies, unanswered, unlevelled

_REFERENCE = "reference"

#: Where adapters end differently, the first of these codes is that of the run.
PRECEDENCE = (Exit.ADAPTER_DEAD, Exit.INVALID_FILE, Exit.FAILED, Exit.NOTHING_RAN, Exit.STALE, Exit.PASSED)


def judged_specs(
    specs: Collection[str], claimed: Collection[str], baseline: Baseline | None = None
) -> frozenset[str]:
    """The RFCs by which an adapter is judged, all of them if empty.

    They are those that were named as `specs`, or else those that its hello has as `claimed`, and with them
    those of its baseline: an adapter that claims less than it did is judged by what it claimed.
    """
    if specs or not claimed or baseline is None:
        return frozenset(specs or claimed)
    return frozenset((*claimed, *baseline.spec))


def judge(
    results: Results,
    named: Sequence[str],
    specs: Collection[str] = (),
    *,
    policy: Policy = PLAIN,
    baselines: Mapping[str, Baseline] = MappingProxyType({}),
    known: Collection[str] | None = None,
) -> tuple[Exit, list[str]]:
    """The exit code of a run, and a sentence for each adapter of which there is something to say."""
    found = judgements(results, named, specs, policy=policy, baselines=baselines, known=known)
    return code_of(found), [judgement.reason for judgement in found if judgement.reason]


def judgements(
    results: Results,
    named: Sequence[str],
    specs: Collection[str] = (),
    *,
    policy: Policy = PLAIN,
    baselines: Mapping[str, Baseline] = MappingProxyType({}),
    known: Collection[str] | None = None,
) -> list[Judgement]:
    """What the gate says of each named adapter.

    With no adapter named it is a survey, which fails only where the reference does.  A named adapter is
    judged by `judged_specs`.  It fails on each outcome that fails under the policy; with a baseline, on each
    finding, stale entries with a code of their own.  One that was stopped before the end has not passed, nor
    has one that answered nothing of an RFC among `specs`.  Of generated cases that are not those which are
    pinned nothing is judged.  `known` are the ids of the whole corpus.
    """
    found = []
    for participant in results.participants:
        name = participant.name
        if name in (named or (_REFERENCE,)):
            baseline = baselines.get(name)
            judged = judged_specs(specs, participant.specs, baseline)
            measure = Measure(judged, policy.claiming(participant.ops), baseline)
            one = _unjudged(results, participant, measure, surveyed=not named)
            one = one or _judged(results, participant, measure, specs, known, surveyed=not named)
            found.append(one if not named or one.by is not None else replace(one, by=measure))
    return found


def counting(
    named: Collection[str], specs: Collection[str], policy: Policy, baselines: Mapping[str, Baseline]
) -> Counts:
    """What `--maxfail` counts of a run: what fails the gate; with a baseline, what it does not list so.

    Of adapters that are not `named` it is every required case that fails; a part of a generated tier that is
    listed has no failure that counts.
    """
    entries = {name: baseline.by_id() for name, baseline in baselines.items()}
    measures: dict[str, Measure] = {}

    def counts(participant: Participant, case: Case, result: Result, part: str) -> bool:
        name = participant.name
        if name not in named:
            return counts_plainly(participant, case, result, part)
        if name not in measures:
            judged = judged_specs(specs, participant.specs, baselines.get(name))
            measures[name] = Measure(judged, policy.claiming(participant.ops))
        own = measures[name]
        if not own.policy.fails(case, result) or not own.judges(case.spec):
            return False
        entry = entries.get(name, {}).get(part or case.vector.id)
        return entry is None or (not part and finding(entry, case, result, own.policy) is not None)

    return counts


def code_of(found: Iterable[Judgement]) -> Exit:
    """The exit code of a run: the first of PRECEDENCE that an adapter has.

    An adapter that is not installed counts only where nothing else ran.
    """
    found = list(found)
    codes = {judgement.code for judgement in found if judgement.installed}
    codes = codes or {judgement.code for judgement in found}
    return next((code for code in PRECEDENCE if code in codes), Exit.PASSED)


def _unjudged(
    results: Results, participant: Participant, measure: Measure, *, surveyed: bool
) -> Judgement | None:
    """The judgement of an adapter of which there is nothing to judge; None where there is."""
    name, judged = participant.name, measure.specs
    if participant.state == "not installed":
        reason = f"{name}: not installed: {participant.message}"
        return Judgement(name, Exit.NOTHING_RAN, reason, installed=False)
    if participant.state == "dead":
        return Judgement(name, Exit.ADAPTER_DEAD, f"{name}: dead: {participant.message}")
    others = _others(results, name, judged)
    if others:
        return Judgement(name, Exit.INVALID_FILE, f"{name}: {others}")
    policy = measure.policy
    why = unlevelled(results, name, judged, policy)
    why = why or ("" if surveyed else unanswered(results, name, judged, policy))
    return Judgement(name, Exit.NOTHING_RAN, f"{name}: nothing was judged: {why}") if why else None


def _judged(
    results: Results,
    participant: Participant,
    measure: Measure,
    specs: Collection[str],
    known: Collection[str] | None,
    *,
    surveyed: bool,
) -> Judgement:
    """The judgement by the cases; in a survey it has no more than the failures."""
    name, baseline = participant.name, measure.baseline
    if baseline is None:
        found = plainly(results, name, measure.specs, measure.policy)
    else:
        found = against(baseline, results, participant, measure, known)
    stopped = stop(results, name)
    found = _as_far_as_asked(found, stopped)
    if surveyed:
        return replace(found, reason="") if found.code is Exit.PASSED else found
    if found.code is Exit.INVALID_FILE:
        return replace(found, by=replace(measure, baseline=None))
    if not stopped:
        found = _by_silence(found, silent(results, name, specs, measure.policy))
    other = other_corpus(baseline, results.header.corpus) if baseline is not None else ""
    reason = f"{found.reason}; {other}" if other else found.reason
    return replace(found, reason=reason)


def _by_silence(judgement: Judgement, silence: str) -> Judgement:
    """The judgement of an adapter that was silent on an RFC that was named, as the clause says; or not."""
    if not silence or judgement.code is Exit.ADAPTER_DEAD:
        return judgement
    name, reason = judgement.name, judgement.reason
    if judgement.code is Exit.FAILED:
        return replace(judgement, reason=f"{reason}; {silence}", listable=False)
    also = f"; {reason.removeprefix(f'{name}: ')}" if judgement.code is Exit.STALE else ""
    return replace(judgement, code=Exit.NOTHING_RAN, reason=f"{name}: {silence}{also}")


def _as_far_as_asked(judgement: Judgement, stopped: str) -> Judgement:
    """The judgement of an adapter that may have been stopped: what nobody asked cannot have passed."""
    if not stopped or judgement.code is Exit.ADAPTER_DEAD:
        return judgement
    if judgement.code is Exit.PASSED:
        reason = f"{stopped}; nothing new failed until then, and the rest was not judged"
        return replace(judgement, code=Exit.FAILED, reason=reason)
    code = Exit.FAILED if judgement.code is Exit.STALE else judgement.code
    return replace(judgement, code=code, reason=f"{judgement.reason}; {stopped.partition(': ')[2]}")


def _others(results: Results, name: str, judged: Collection[str]) -> str:
    """A clause where generated cases were other ones than those that are pinned; empty where all are they."""
    pinned = results.header.tiers
    parts = [
        tally.part
        for tally in tallies(results, name, judged)
        if tally.digest and pinned.get(tally.part, "") not in ("", tally.digest)
    ]
    return f"generated cases that are not the pinned ones, of {', '.join(parts)}" if parts else ""
