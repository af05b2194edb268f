"""Create and update a baseline from the results of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from msgspec import structs

from urlharness.corpus.lock import locked_vector
from urlharness.corpus.model import Operation
from urlharness.gate.baseline import Baseline, Entry
from urlharness.gate.findings import Finding, count_asked, findings
from urlharness.gate.policy import PLAIN, Policy
from urlharness.results.coverage import answered, answered_parts
from urlharness.results.model import Participant, Results, Tally

_Key = TypeVar("_Key", bound=str)

#: Findings whose entry is removed, and why.
_REMOVED = {"stale": "it passes now", "unknown id": "the corpus does not have it"}


class NothingJudged(Exception):
    """The run gives no baseline, because nothing was answered or a failing part was not asked in full."""


@dataclass
class Update:
    """An updated baseline: what was added, changed and removed, and the findings that remain."""

    baseline: Baseline
    added: list[Entry] = field(default_factory=list)
    changed: list[tuple[Entry, Entry]] = field(default_factory=list)
    removed: list[tuple[Entry, str]] = field(default_factory=list)
    left: list[Finding] = field(default_factory=list)


def create(
    results: Results,
    participant: Participant,
    specs: Collection[str] = (),
    policy: Policy = PLAIN,
    *,
    known: Collection[str] | None = None,
) -> Baseline:
    """Return a baseline with every failing outcome of one adapter for the RFCs `specs` (empty: all).

    `known` are the ids of the whole corpus; without them, the baseline does not count answers. Raise
    NothingJudged if a part of a generated tier failed but was not asked in full.
    """
    about = participant.implementation
    empty = Baseline(
        schema="urlbaseline-1",
        corpus=results.header.corpus,
        implementation=participant.name if about is None else about.name,
        spec=(),
        entries=(),
    )
    made = update(empty, results, participant, specs, policy, known=known)
    if parts := ", ".join(one.id for one in made.left):
        why = f"{parts} failed, but not all its cases were asked, as a baseline needs"
        raise NothingJudged(f"{participant.name}: {why}; nothing is written")
    return made.baseline


def update(
    baseline: Baseline,
    results: Results,
    participant: Participant,
    specs: Collection[str] = (),
    policy: Policy = PLAIN,
    *,
    known: Collection[str] | None = None,
    only_shrink: bool = False,
) -> Update:
    """Return the baseline with the findings of a run applied; issues, notes and unasked entries are kept.

    With `only_shrink`, only remove stale entries and unknown ids, and only raise the counts of answers. The
    baseline takes over the corpus digest of the run only if no finding remains and every entry and count was
    checked.
    """
    name, policy = participant.name, policy.claiming(participant.ops)
    entries = baseline.by_id()
    parts = {tally.part: tally for tally in results.tallies_of(name)}
    made = Update(baseline)
    for one in findings(baseline, results, name, specs, policy, known=known):
        if one.kind == "coverage":
            made.left += [one] if only_shrink else []
            continue
        why = _REMOVED.get(one.kind, "")
        new = None if why else _new_entry(one, results, parts, policy)
        in_part = one.id in parts and not parts[one.id].digest
        if (only_shrink and not why) or in_part:
            made.left.append(one)
        elif new is None:
            made.removed.append((entries.pop(one.id), why or "it does not fail any more"))
        else:
            entries[one.id] = new
            if one.listed is None:
                made.added.append(new)
            else:
                made.changed.append((one.listed, new))
    counts, generated = answered(results, name, specs, known), answered_parts(results, name, specs, known)
    before = {part: numbers for part, numbers in baseline.generated.items() if known is None or part in known}
    recounted = counts.keys() >= baseline.answered.keys() and generated.keys() >= before.keys()
    spec = baseline.spec
    if not only_shrink:
        spec = tuple(sorted({*spec, *results.asked_specs(name, specs)}))
    else:
        before = baseline.generated
        counts, generated = _higher(baseline.answered, counts), _higher(before, generated)
    made.baseline = structs.replace(
        baseline,
        spec=spec,
        entries=tuple(entries[key] for key in sorted(entries)),
        answered={spec: numbers for spec, numbers in (baseline.answered | counts).items() if numbers},
        generated={part: numbers for part, numbers in (before | generated).items() if numbers},
    )
    if recounted and not made.left and count_asked(made.baseline, results, name, specs) == len(entries):
        made.baseline = structs.replace(made.baseline, corpus=results.header.corpus)
    return made


def _new_entry(one: Finding, results: Results, parts: Mapping[str, Tally], policy: Policy) -> Entry | None:
    """Return the entry that records a finding, with the old issue and note, or None if nothing fails."""
    result = one.found
    assert result is not None
    if tally := parts.get(one.id):
        fails, digest, got = bool(policy.failing_outcomes(tally)), tally.digest[:12], result.got
    else:
        case = results.vectors[one.id].case
        fails, digest, got = policy.fails(case, result), locked_vector(case).digest, result.answer
    if not fails:
        return None
    outcome: Any = result.outcome.value
    old = one.listed
    return Entry(one.id, outcome, got, digest, old.issue if old else "", old.note if old else "")


def _higher(
    before: Mapping[_Key, Mapping[Operation, int]], now: Mapping[_Key, Mapping[Operation, int]]
) -> dict[_Key, dict[Operation, int]]:
    """Return the higher count for each operation of the RFCs or parts in `before`."""
    return {key: dict(Counter(old) | Counter(now.get(key, {}))) for key, old in before.items()}
