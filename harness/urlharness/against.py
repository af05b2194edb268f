"""The judgement by a baseline: every finding counts, and what is listed does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from urlharness.answered import answered, answered_parts, asked_in_part
from urlharness.baseline import Baseline
from urlharness.exitcodes import Exit
from urlharness.findings import Finding, findings, misfit, seen
from urlharness.judgement import Group, Judgement, Measure
from urlharness.missing import given_up, last_straw
from urlharness.results import Example, Participant, Results

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


def against(
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
        some = not_gated(asked_in_part(results, name, judged, known))
        whole = [*answered(results, name, judged, known), *answered_parts(results, name, judged, known)]
        some += not_numbered(baseline, whole)
        return Judgement(name, Exit.PASSED, "; ".join((f"{name}: as the baseline says, {listed}", *some)))
    what = ", ".join(f"{group.count} {_COUNTED[group.what][group.count > 1]}" for group in groups)
    what += _losses(found)
    if any(one.found is not None and one.found.outcome == "aborted" for one in found):
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
        shown = last_straw(results, name) or shown
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
