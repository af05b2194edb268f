"""The judgement without a baseline: every outcome that fails under the policy counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from urlharness.answered import SHORT
from urlharness.corpus import Case
from urlharness.exitcodes import Exit
from urlharness.judgement import Group, Judgement, names, of
from urlharness.missing import given_up, last_straw
from urlharness.policy import Policy
from urlharness.results import Result, Results

#: So many ids of a group are kept to be shown.
_SHOWN = 20


def plainly(results: Results, name: str, judged: Collection[str], policy: Policy) -> Judgement:
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
        reason, shown = f"{reason}: {given_up(results, name)}", last_straw(results, name) or shown
    return Judgement(name, code, reason, groups, shown=shown, listable=listable)


def _short(results: Results, name: str, judged: Collection[str]) -> str:
    """What a reader has to know of a gate that is passed: that not every case was answered in full."""
    total = full = parts = 0
    noun = "vectors"
    for (facts, outcome), count in results.counted.get(name, {}).items():
        if of(facts.spec, judged):
            total += count
            full += count * (outcome not in SHORT)
            parts += count * (outcome == "partial")
    for tally in results.tallies:
        if tally.implementation == name and of(tally.spec, judged):
            noun = "cases"
            total += sum(tally.outcomes.values())
            full += sum(count for outcome, count in tally.outcomes.items() if outcome not in SHORT)
            parts += tally.outcomes.get("partial", 0)
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
