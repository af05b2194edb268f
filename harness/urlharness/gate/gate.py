"""Judgements and exit code: with baseline, without, survey, nothing judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any

from urlharness.corpus.model import LEVELS, SPECS, Case
from urlharness.exitcodes import Exit
from urlharness.gate.baseline import Baseline, Entry
from urlharness.gate.findings import Finding, finding, findings, misfit, seen
from urlharness.gate.policy import PLAIN, Counts, Policy, counts_plainly, of_generated
from urlharness.results.coverage import (
    answered,
    answered_parts,
    given_up,
    last_fatal_case,
    partly_run,
    stopped_early,
)
from urlharness.results.model import Example, Participant, Result, Results, Tally
from urlharness.results.verdict import Outcome
from urlharness.text import clipped

# -------------------- judgement: What the gate says of one adapter, and by what it was judged.


@dataclass(frozen=True)
class Group:
    """Vectors that fail in the same way: an outcome or a kind of finding, the first ids, and their count."""

    what: str
    ids: tuple[str, ...]
    count: int


@dataclass(frozen=True)
class Measure:
    """By what a named adapter was judged: the RFCs, all of them if empty, the policy, and its baseline."""

    specs: frozenset[str]
    policy: Policy
    baseline: Baseline | None = None

    @cached_property
    def entries(self) -> dict[str, Entry]:
        """What the baseline lists, by id."""
        return self.baseline.by_id() if self.baseline is not None else {}

    def judges(self, spec: str) -> bool:
        """True where something of this RFC can fail."""
        return of(spec, self.specs)


@dataclass(frozen=True)
class Judgement:
    """What the gate says of one adapter: the code, one sentence, and the vectors it is about.

    The sentence is empty where there is nothing to say.  `shown` is the id of a case that shows why.  `by` is
    None in a survey.  `listable` is False where the gate would not pass by any list.
    """

    name: str
    code: Exit
    reason: str = ""
    groups: tuple[Group, ...] = ()
    findings: tuple[Finding, ...] = ()
    shown: str = ""
    installed: bool = True
    by: Measure | None = None
    listable: bool = True


def of(spec: str, judged: Collection[str]) -> bool:
    """True where an RFC is among those that are judged, which are all of them if none is named."""
    return not judged or spec in judged


def names(specs: Collection[str]) -> str:
    """RFCs in a sentence."""
    return ", ".join(sorted(specs))


# -------------------- against: The judgement by a baseline: every finding counts, and what is listed does not.


#: How the findings of each kind are counted, in the order in which they are told.
_COUNTED: Mapping[str, tuple[str, str]] = {
    "regression": ("regression", "regressions"),
    "coverage": ("loss of coverage", "losses of coverage"),
    "changed": ("changed", "changed"),
    "moved": ("moved", "moved"),
    "unknown id": ("unknown id", "unknown ids"),
    "stale": ("stale entry", "stale entries"),
}


#: So many losses of coverage are told with their numbers.
_LOSSES = 3


#: So many RFCs and generated parts are named.
_NAMES = 5


#: What makes a list of another corpus one of this.
_ALL_OF_IT = "baseline update over all that it lists"


def judge_with_baseline(
    baseline: Baseline,
    results: Results,
    participant: Participant,
    measure: Measure,
    known: Collection[str] | None,
) -> Judgement:
    """The judgement of an adapter by its list; `known` are the ids of the whole corpus."""
    name, judged = participant.name, measure.specs
    specs = {facts.spec for facts, _ in results.counted.get(name, {})}
    specs |= {tally.spec for tally in results.tallies if tally.implementation == name}
    unfit = misfit(baseline, participant, [spec for spec in specs if measure.judges(spec)])
    if unfit:
        return Judgement(name, Exit.INVALID_FILE, f"{name}: the baseline does not fit: {unfit}")
    found = findings(baseline, results, name, judged, measure.policy, known=known)
    kinds = Counter[str](one.kind for one in found)
    groups = tuple(
        Group(kind, tuple(one.id for one in found if one.kind == kind), kinds[kind])
        for kind in _COUNTED
        if kind in kinds
    )
    if not groups:
        listed = _known(seen(baseline, results, name, judged), len(baseline.entries))
        some = not_gated(partly_run(results, name, judged, known))
        whole = [*answered(results, name, judged, known), *answered_parts(results, name, judged, known)]
        some += not_numbered(baseline, whole)
        return Judgement(name, Exit.PASSED, "; ".join((f"{name}: as the baseline says, {listed}", *some)))
    what = ", ".join(f"{group.count} {_COUNTED[group.what][group.count > 1]}" for group in groups)
    what += _losses(found)
    if any(one.found is not None and one.found.outcome is Outcome.ABORTED for one in found):
        code, reason = Exit.ADAPTER_DEAD, f"dead: {given_up(results, name) or 'it was asked no more'}"
    elif set(kinds) == {"stale"}:
        code, reason = Exit.STALE, f"the baseline has {what}"
    else:
        code, reason = Exit.FAILED, f"gate failed by the baseline: {what}"
    asked = [one for one in found if one.found is not None and one.kind != "coverage"]
    shown = next((one.id for group in groups for one in asked if one.kind == group.what), "")
    parts = {tally.part for tally in results.tallies}
    examples = (one.result.id for one in results.examples if _part(one) == (shown, name))
    shown = next(examples, "" if shown in parts else shown)  # a part itself cannot be put to anyone
    if code is Exit.ADAPTER_DEAD:  # of a case that nobody asked there is nothing to see
        shown = last_fatal_case(results, name) or shown
    sliced = {tally.part for tally in results.tallies if tally.implementation == name and not tally.digest}
    listable = all(one.id not in sliced for one in found)
    return Judgement(name, code, f"{name}: {reason}", groups, tuple(found), shown, listable=listable)


def not_gated(wholes: Sequence[str]) -> list[str]:
    """A clause where coverage of these RFCs and generated parts was not gated; none where there are none."""
    what = "it" if len(wholes) == 1 else "them"
    return [f"coverage of {_first(wholes)} is not gated: not all of {what} was asked"] if wholes else []


def not_numbered(baseline: Baseline, asked: Sequence[str]) -> list[str]:
    """A clause where a list does not say how much was answered of what was asked; none where it does."""
    numbers: Sequence[Mapping[Any, Mapping[Any, int]]] = (baseline.answered, baseline.generated)
    wholes = [one for one in asked if not any(any(of.get(one, {}).values()) for of in numbers)]
    return [f"coverage of {_first(wholes)} is not gated: the list has no numbers of it"] if wholes else []


def _first(wholes: Sequence[str]) -> str:
    """The first names in a sentence."""
    more = [f"and {len(wholes) - _NAMES} more"] if len(wholes) > _NAMES else []
    return " ".join((", ".join(wholes[:_NAMES]), *more))


def other_corpus(baseline: Baseline, corpus: str, advice: str = _ALL_OF_IT) -> str:
    """A clause where a list was made with another corpus than the one with this digest; otherwise empty.

    `advice` says what makes it a list of this corpus.
    """
    if baseline.corpus == corpus:
        return ""
    return f"made with corpus {baseline.corpus}, this is {corpus}: {advice}"


def _losses(found: Sequence[Finding]) -> str:
    """In brackets how many vectors were answered, and how many are."""
    lost = [f"{one.id}: {one.found.detail}" for one in found if one.kind == "coverage" and one.found]
    more = [f"and {len(lost) - _LOSSES} more"] if len(lost) > _LOSSES else []
    return f" ({'; '.join((*lost[:_LOSSES], *more))})" if lost else ""


def _part(example: Example) -> tuple[str, str]:
    """The part of a generated tier that an example is of, and its adapter."""
    return example.result.id.rpartition("-")[0], example.result.implementation


def _known(count: int, listed: int) -> str:
    """How many entries of a list were met."""
    return f"{count} {f'of {listed} ' * (count < listed)}known outcome{'s' * (max(count, listed) != 1)}"


# -------------------- plainly: The judgement without a baseline: every outcome that fails under the policy counts.


#: So many ids of a group are kept to be shown.
_SHOWN = 20


def judge_without_baseline(results: Results, name: str, judged: Collection[str], policy: Policy) -> Judgement:
    """The judgement of an adapter over these RFCs; one that passes says how much of them was answered."""
    ids: dict[str, list[str]] = {}
    counts: Counter[str] = Counter()
    required = True
    for case, result in _failing(results, name, judged, policy):
        counts[result.outcome] += 1
        required = required and case.vector.binding == "required"
        some = ids.setdefault(result.outcome, [])
        if len(some) < _SHOWN:
            some.append(result.id)
    listable = True
    for tally in results.tallies:
        if tally.implementation == name and of(tally.spec, judged):
            failing = policy.failing(tally)
            counts.update(failing)
            listable = listable and bool(tally.digest or not failing)  # a list has a part whole or not at all
    for example in results.examples:
        if example.result.implementation == name and example.result.outcome in counts:
            ids.setdefault(example.result.outcome, []).append(example.result.id)
    if not counts:
        return Judgement(name, Exit.PASSED, _short(results, name, judged))
    groups = tuple(Group(what, tuple(ids.get(what, ())), counts[what]) for what in sorted(counts))
    what = ", ".join(f"{group.count} {group.what}" for group in groups)
    vectors = f"{'required ' * required}vectors{_of(judged)}"
    code = Exit.ADAPTER_DEAD if "aborted" in counts else Exit.FAILED
    shown = next((group.ids[0] for group in groups if group.ids), "")
    reason = f"{name}: gate failed on {vectors}: {what}"
    if "aborted" in counts:  # of a case that nobody asked there is nothing to see
        reason, shown = f"{reason}: {given_up(results, name)}", last_fatal_case(results, name) or shown
    return Judgement(name, code, reason, groups, shown=shown, listable=listable)


def _short(results: Results, name: str, judged: Collection[str]) -> str:
    """What a reader has to know of a gate that is passed: that not every case was answered in full."""
    total = full = parts = 0
    noun = "vectors"
    for (facts, outcome), count in results.counted.get(name, {}).items():
        if of(facts.spec, judged):
            total += count
            full += count * (outcome.complete)
            parts += count * (outcome is Outcome.PARTIAL)
    for tally in results.tallies:
        if tally.implementation == name and of(tally.spec, judged):
            noun = "cases"
            total += sum(tally.outcomes.values())
            full += sum(count for outcome, count in tally.outcomes.items() if outcome.complete)
            parts += tally.outcomes.get(Outcome.PARTIAL, 0)
    if full == total:
        return ""
    in_part = f", {parts:,} more in part" if parts else ""
    return f"{name}: passed: {full:,} of {total:,} {noun}{_of(judged)} answered{in_part}"


def _failing(
    results: Results, name: str, judged: Collection[str], policy: Policy
) -> Iterator[tuple[Case, Result]]:
    """The cases that fail.  Where facts are enough to know that there are none, no line is read again."""
    if policy.counts and not any(
        of(facts.spec, judged) and policy.fails_by(facts, outcome)
        for facts, outcome in results.counted.get(name, {})
    ):
        return
    for result in results.of(name).values():
        case = results.vectors[result.id].case
        if of(case.spec, judged) and policy.fails(case, result):
            yield case, result


def _of(judged: Collection[str]) -> str:
    return f" of {names(judged)}" if judged else ""


# -------------------- unjudged: What leaves an adapter unjudged: nothing asked can fail, or nothing that can was answered.


#: The outcome of what was not answered.
_SILENT: frozenset[Outcome] = frozenset((Outcome.UNSUPPORTED,))


_LONGEST = 200  # characters of what a hello claims


#: Where every vector leaves the answer open, and no policy says which answers are accepted.
NOTHING_BINDS = "no vector that was selected has one right answer, and no policy judges the others"


def unanswered(results: Results, name: str, judged: Collection[str], policy: Policy) -> str:
    """A clause where nothing of these RFCs, of all if empty, that can fail was answered, be it wrongly.

    Empty where there is an answer.
    """
    outcomes = _outcomes(results, name, judged, policy)
    if outcomes - _SILENT:
        return ""
    if not outcomes and _all_outcomes(results, name, judged) - _SILENT:
        return NOTHING_BINDS
    return _no_answer(results, name, judged)


def unlevelled(results: Results, name: str, judged: Collection[str], policy: Policy) -> str:
    """A clause where nothing that was asked of these RFCs has a level that can fail; otherwise empty."""
    levels, asked = policy.levels, _levels(results, name, judged)
    if not asked or not levels.isdisjoint(asked):
        return ""
    wanted = " or ".join(level for level in LEVELS if level in levels)
    return f"no vector of level {wanted} was selected"


def nameless(judged: Collection[str]) -> str:
    """A clause where an adapter claims RFCs, but none that there is; empty where there is nothing wrong."""
    if not judged or not {*SPECS}.isdisjoint(judged):
        return ""
    claimed = clipped(", ".join(map(repr, sorted(judged))), _LONGEST)
    return f"its hello claims {claimed}, and there are {', '.join(SPECS)}"


def silent(results: Results, name: str, specs: Collection[str], policy: Policy) -> str:
    """A clause where one of these RFCs was asked, and nothing of it answered; empty where there is none."""
    found = [
        spec
        for spec in specs
        if (outcomes := _outcomes(results, name, [spec], policy)) and outcomes <= _SILENT
    ]
    return _no_answer(results, name, found) if found else ""


def tallies(results: Results, name: str, judged: Collection[str]) -> list[Tally]:
    """The generated parts of these RFCs that were put to an adapter."""
    return [one for one in results.tallies if one.implementation == name and of(one.spec, judged)]


def _all_outcomes(results: Results, name: str, judged: Collection[str]) -> set[Outcome]:
    """The outcomes of the cases of these RFCs."""
    found: set[Outcome] = {
        outcome for facts, outcome in results.counted.get(name, {}) if of(facts.spec, judged)
    }
    for tally in tallies(results, name, judged):
        found |= {outcome for outcome, count in tally.outcomes.items() if count}
    return found


def _outcomes(results: Results, name: str, judged: Collection[str], policy: Policy) -> set[Outcome]:
    """The outcomes of the cases of these RFCs, of those alone that can fail the gate."""
    found: set[Outcome] = {
        outcome
        for facts, outcome in results.counted.get(name, {})
        if of(facts.spec, judged) and policy.judges_by(facts.level, facts.binding)
    }
    if policy.pins:
        found |= {
            result.outcome
            for result in results.of(name).values()
            if of((case := results.vectors[result.id].case).spec, judged) and policy.judges(case)
        }
    for tally in tallies(results, name, judged):
        if of_generated(tally).level in policy.levels:
            found |= {outcome for outcome, count in tally.required.items() if count}
    return found


def _levels(results: Results, name: str, judged: Collection[str]) -> set[str]:
    """The levels of the cases that were asked of these RFCs."""
    levels = {facts.level for facts, _ in results.counted.get(name, {}) if of(facts.spec, judged)}
    return {*levels, *(of_generated(tally).level for tally in tallies(results, name, judged))}


def _no_answer(results: Results, name: str, judged: Collection[str]) -> str:
    """That no vector of these RFCs was answered."""
    if why := nameless(judged):
        return why
    others = bool(_all_outcomes(results, name, judged) - _SILENT)
    which = "that can fail" if others else "that was selected"
    return f"it answered no vector{f' of {names(judged)}' if judged else ''} {which}"


# -------------------- gate: The gate: from results to an exit code, and the reasons for it.


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
        found = judge_without_baseline(results, name, measure.specs, measure.policy)
    else:
        found = judge_with_baseline(baseline, results, participant, measure, known)
    stopped = stopped_early(results, name)
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
