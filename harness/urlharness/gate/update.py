"""Making and bringing up to date baselines from the results of a run."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from msgspec import structs

from urlharness.corpus.model import Operation, Spec
from urlharness.gate.baseline import Baseline, Entry, digest
from urlharness.gate.findings import Finding, counted, findings, seen
from urlharness.gate.policy import PLAIN, Policy
from urlharness.results.coverage import answered, answered_parts
from urlharness.results.model import Participant, Results, Tally


class NothingJudged(Exception):
    """A run of which no list can be made: nothing of it was answered, or not all of what fails was asked."""


@dataclass
class Update:
    """A baseline brought up to date: what was added, changed and removed, and what still does not fit."""

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
    """The baseline of one adapter: every failing outcome under the RFCs `specs`, of all of them if empty.

    `known` are the ids of the whole corpus, without which it does not say how many vectors were answered.
    Raises NothingJudged where some of a part of a generated tier fails that was not asked whole.
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
    if made.left:
        some = ", ".join(one.id for one in made.left)
        why = f"not all of {some} was asked, and a list has a part of a tier whole or not at all"
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
    """The baseline after a run: every finding settled, issues and notes kept, what was not asked left alone.

    With `only_shrink` stale entries and unknown ids are removed, and nothing is added or changed: the other
    findings are left.  How many vectors are answered may rise even then.

    The corpus becomes that of the run where the list says what the run says: nothing is left, every entry
    was asked, and every number counted anew.  Otherwise some of it is of the corpus that it was made with.
    """
    name, policy = participant.name, policy.claiming(participant.ops)
    entries = baseline.by_id()
    parts = {tally.part: tally for tally in results.tallies if tally.implementation == name}
    made = Update(baseline)
    for one in findings(baseline, results, name, specs, policy, known=known):
        if one.kind == "coverage":
            made.left += [one] if only_shrink else []
            continue
        gone = _GONE.get(one.kind, "")
        new = None if gone else _entry(one, results, parts, policy)
        sliced = one.id in parts and not parts[one.id].digest  # a list has all of a part, or nothing of it
        if (only_shrink and not gone) or sliced:
            made.left.append(one)
        elif new is None:
            made.removed.append((entries.pop(one.id), gone or "it does not fail any more"))
        else:
            entries[one.id] = new
            if one.listed is None:
                made.added.append(new)
            else:
                made.changed.append((one.listed, new))
    counts, generated = answered(results, name, specs, known), answered_parts(results, name, specs, known)
    before = {part: of for part, of in baseline.generated.items() if known is None or part in known}
    anew = counts.keys() >= baseline.answered.keys() and generated.keys() >= before.keys()
    spec = baseline.spec if only_shrink else _specs(baseline, results, name, specs)
    if only_shrink:
        counts = {spec: _higher(of, counts.get(spec, {})) for spec, of in baseline.answered.items()}
        before = baseline.generated
        generated = {part: _higher(of, generated.get(part, {})) for part, of in before.items()}
    made.baseline = structs.replace(
        baseline,
        spec=spec,
        entries=tuple(entries[key] for key in sorted(entries)),
        answered={spec: of for spec, of in sorted({**baseline.answered, **counts}.items()) if of},
        generated={part: of for part, of in sorted({**before, **generated}.items()) if of},
    )
    if anew and not made.left and seen(made.baseline, results, name, specs) == len(entries):
        made.baseline = structs.replace(made.baseline, corpus=results.header.corpus)
    return made


def _higher(before: Mapping[Operation, int], now: Mapping[Operation, int]) -> dict[Operation, int]:
    """The higher number for each operation."""
    return {op: max(before.get(op, 0), now.get(op, 0)) for op in sorted({*before, *now})}


_GONE = {"stale": "it passes now", "unknown id": "the corpus does not have it"}


def _specs(baseline: Baseline, results: Results, name: str, specs: Collection[str]) -> tuple[Spec, ...]:
    """The RFCs of a list, and those that were judged in the run as well."""
    asked = {facts.spec for facts, _ in results.counted.get(name, {})}
    asked |= {tally.spec for tally in results.tallies if tally.implementation == name}
    judged = {spec for spec in asked if not specs or spec in specs}
    return tuple(sorted({*baseline.spec, *judged}))


def _entry(one: Finding, results: Results, parts: Mapping[str, Tally], policy: Policy) -> Entry | None:
    """The entry that settles a finding, the issue and the note kept; None where nothing fails."""
    assert one.found is not None
    if one.id in parts:
        tally = parts[one.id]
        result, failing, of = counted(tally, policy), bool(policy.failing(tally)), tally.digest[:12]
        got = result.got
    else:
        case, result = results.vectors[one.id].case, one.found
        failing, of, got = policy.fails(case, result), digest(case), result.answer
    if not failing:
        return None
    outcome: Any = result.outcome
    old = one.listed
    return Entry(one.id, outcome, got, of, old.issue if old else "", old.note if old else "")
