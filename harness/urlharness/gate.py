"""The gate: from results to an exit code, and the reasons for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from urlharness.baseline import Baseline, Finding, finding, findings, misfit, seen
from urlharness.corpus import Case
from urlharness.exitcodes import Exit
from urlharness.missing import stop
from urlharness.policy import PLAIN, Counts, Policy, counts_plainly
from urlharness.results import Example, Participant, Result, Results, Tally

_REFERENCE = "reference"
#: So many ids of a group are kept to be shown.
_SHOWN = 20

#: Where adapters end differently, the first of these codes is that of the run.
PRECEDENCE = (Exit.ADAPTER_DEAD, Exit.INVALID_FILE, Exit.FAILED, Exit.NOTHING_RAN, Exit.STALE, Exit.PASSED)

#: How the findings of each kind are counted, in the order in which they are told.
_COUNTED: Mapping[str, tuple[str, str]] = {
    "regression": ("regression", "regressions"),
    "coverage": ("loss of coverage", "losses of coverage"),
    "changed": ("changed", "changed"),
    "moved": ("moved", "moved"),
    "unknown id": ("unknown id", "unknown ids"),
    "stale": ("stale entry", "stale entries"),
}


@dataclass(frozen=True)
class Group:
    """Vectors that fail in the same way: an outcome or a kind of finding, the first ids, and their count."""

    what: str
    ids: tuple[str, ...]
    count: int


@dataclass(frozen=True)
class Judgement:
    """What the gate says of one adapter: the code, one sentence, and the vectors it is about.

    The sentence is empty where there is nothing to say.  `shown` is the id of a case that shows why.
    """

    name: str
    code: Exit
    reason: str = ""
    groups: tuple[Group, ...] = ()
    findings: tuple[Finding, ...] = ()
    shown: str = ""
    installed: bool = True


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
    judged by `specs`, or by the RFCs it claims, or by all where it claims none.  It fails on each outcome
    that fails under the policy; with a baseline, on each finding, stale entries with a code of their own.
    One that was stopped before the end has not passed.  `known` are the ids of the whole corpus.
    """
    found = []
    for participant in results.participants:
        if participant.name not in (named or (_REFERENCE,)):
            continue
        judged = set(specs or participant.specs)
        baseline = baselines.get(participant.name)
        if participant.state == "not installed":
            reason = f"{participant.name}: not installed: {participant.message}"
            found.append(Judgement(participant.name, Exit.NOTHING_RAN, reason, installed=False))
        elif participant.state == "dead":
            reason = f"{participant.name}: dead: {participant.message}"
            found.append(Judgement(participant.name, Exit.ADAPTER_DEAD, reason))
        elif named and not _answered(results, participant.name, judged):
            found.append(Judgement(participant.name, Exit.NOTHING_RAN, _nothing(participant, judged)))
        else:
            own = policy.claiming(participant.ops)
            if baseline is None:
                judgement = _plainly(results, participant.name, judged, own)
            else:
                judgement = _against(baseline, results, participant, judged, own, known)
            found.append(_as_far_as_asked(judgement, stop(results, participant.name)))
    return found


def counting(
    named: Collection[str], specs: Collection[str], policy: Policy, baselines: Mapping[str, Baseline]
) -> Counts:
    """What `--maxfail` counts of a run: what fails the gate; with a baseline, what it does not list so.

    Of adapters that are not `named` it is every required case that fails; a part of a generated tier that is
    listed has no failure that counts.
    """
    entries = {name: baseline.by_id() for name, baseline in baselines.items()}
    policies: dict[str, Policy] = {}

    def counts(participant: Participant, case: Case, result: Result, part: str) -> bool:
        name = participant.name
        if name not in named:
            return counts_plainly(participant, case, result, part)
        own = policies.setdefault(name, policy.claiming(participant.ops))
        if not own.fails(case, result) or not _of(case.spec, specs or participant.specs):
            return False
        entry = entries.get(name, {}).get(part or case.vector.id)
        return entry is None or (not part and finding(entry, case, result, own) is not None)

    return counts


def _as_far_as_asked(judgement: Judgement, stopped: str) -> Judgement:
    """The judgement of an adapter that may have been stopped: what nobody asked cannot have passed."""
    if not stopped or judgement.code is Exit.ADAPTER_DEAD:
        return judgement
    if judgement.code is Exit.PASSED:
        reason = f"{stopped}; nothing new failed until then, and the rest was not judged"
        return replace(judgement, code=Exit.FAILED, reason=reason)
    code = Exit.FAILED if judgement.code is Exit.STALE else judgement.code
    return replace(judgement, code=code, reason=f"{judgement.reason}; {stopped.partition(': ')[2]}")


def code_of(found: Iterable[Judgement]) -> Exit:
    """The exit code of a run: the first of PRECEDENCE that an adapter has.

    An adapter that is not installed counts only where nothing else ran.
    """
    found = list(found)
    codes = {judgement.code for judgement in found if judgement.installed}
    codes = codes or {judgement.code for judgement in found}
    return next((code for code in PRECEDENCE if code in codes), Exit.PASSED)


def _answered(results: Results, name: str, judged: Collection[str]) -> bool:
    """True where anything of these RFCs was answered, be it wrongly."""
    counted = results.counted.get(name, {})
    if any(outcome != "unsupported" and _of(facts.spec, judged) for facts, outcome in counted):
        return True
    return any(
        count and outcome != "unsupported"
        for tally in _tallies(results, name, judged)
        for outcome, count in tally.outcomes.items()
    )


def _of(spec: str, judged: Collection[str]) -> bool:
    return not judged or spec in judged


def _tallies(results: Results, name: str, judged: Collection[str]) -> list[Tally]:
    return [one for one in results.tallies if one.implementation == name and _of(one.spec, judged)]


def _nothing(participant: Participant, judged: Collection[str]) -> str:
    of = f" of {_names(judged)}" if judged else ""
    return f"{participant.name}: nothing was judged: it answered no vector{of} that was selected"


def _plainly(results: Results, name: str, judged: Collection[str], policy: Policy) -> Judgement:
    """The judgement without a baseline: every failing outcome counts."""
    ids: dict[str, list[str]] = {}
    counts: Counter[str] = Counter()
    required = True
    for case, result in _failing(results, name, judged, policy):
        counts[result.outcome] += 1
        required = required and case.vector.binding == "required"
        some = ids.setdefault(result.outcome, [])
        if len(some) < _SHOWN:
            some.append(result.id)
    for tally in _tallies(results, name, judged):
        counts.update(policy.failing(tally))
    for example in results.examples:
        if example.result.implementation == name and example.result.outcome in counts:
            ids.setdefault(example.result.outcome, []).append(example.result.id)
    if not counts:
        return Judgement(name, Exit.PASSED)
    groups = tuple(Group(what, tuple(ids.get(what, ())), counts[what]) for what in sorted(counts))
    what = ", ".join(f"{group.count} {group.what}" for group in groups)
    vectors = f"{'required ' * required}vectors" + (f" of {_names(judged)}" if judged else "")
    code = Exit.ADAPTER_DEAD if "aborted" in counts else Exit.FAILED
    shown = next((group.ids[0] for group in groups if group.ids), "")
    return Judgement(name, code, f"{name}: gate failed on {vectors}: {what}", groups, shown=shown)


def _failing(
    results: Results, name: str, judged: Collection[str], policy: Policy
) -> Iterator[tuple[Case, Result]]:
    """The cases that fail.  Where facts are enough to know that there are none, no line is read again."""
    if policy.counts and not any(
        _of(facts.spec, judged) and policy.fails_by(facts, outcome)
        for facts, outcome in results.counted.get(name, {})
    ):
        return
    for result in results.of(name).values():
        case = results.vectors[result.id].case
        if _of(case.spec, judged) and policy.fails(case, result):
            yield case, result


def _against(
    baseline: Baseline,
    results: Results,
    participant: Participant,
    judged: Collection[str],
    policy: Policy,
    known: Collection[str] | None,
) -> Judgement:
    """The judgement by a baseline: every finding counts, and what is listed does not."""
    name = participant.name
    specs = {facts.spec for facts, _ in results.counted.get(name, {})}
    specs |= {tally.spec for tally in _tallies(results, name, judged)}
    unfit = misfit(baseline, participant, [spec for spec in specs if _of(spec, judged)])
    if unfit:
        return Judgement(name, Exit.INVALID_FILE, f"{name}: the baseline does not fit: {unfit}")
    found = findings(baseline, results, name, judged, policy, known=known)
    kinds = Counter[str](one.kind for one in found)
    groups = tuple(
        Group(kind, tuple(one.id for one in found if one.kind == kind), kinds[kind])
        for kind in _COUNTED
        if kind in kinds
    )
    if not groups:
        listed = _known(seen(baseline, results, name, judged), len(baseline.entries))
        return Judgement(name, Exit.PASSED, f"{name}: as the baseline says, {listed}")
    what = ", ".join(f"{group.count} {_COUNTED[group.what][group.count > 1]}" for group in groups)
    lost = [f"{one.id}: {one.found.detail}" for one in found if one.kind == "coverage" and one.found]
    what += f" ({'; '.join(lost)})" if lost else ""
    if any(one.found is not None and one.found.outcome == "aborted" for one in found):
        code, reason = Exit.ADAPTER_DEAD, "dead: it could not be started again"
    elif set(kinds) == {"stale"}:
        code, reason = Exit.STALE, f"the baseline has {what}"
    else:
        code, reason = Exit.FAILED, f"gate failed by the baseline: {what}"
    asked = [one for one in found if one.found is not None and one.kind != "coverage"]
    shown = next((one.id for group in groups for one in asked if one.kind == group.what), "")
    shown = next((one.result.id for one in results.examples if _part(one) == (shown, name)), shown)
    return Judgement(name, code, f"{name}: {reason}", groups, tuple(found), shown)


def _part(example: Example) -> tuple[str, str]:
    """The part of a generated tier that an example is of, and its adapter."""
    return example.result.id.rpartition("-")[0], example.result.implementation


def _known(count: int, listed: int) -> str:
    """How many entries of a list were met."""
    return f"{count} {f'of {listed} ' * (count < listed)}known outcome{'s' * (max(count, listed) != 1)}"


def _names(specs: Collection[str]) -> str:
    return ", ".join(sorted(specs))
