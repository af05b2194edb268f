"""Differences between a baseline and the run of an adapter."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Literal, get_args

import msgspec

from urlharness.corpus.lock import locked_vector
from urlharness.corpus.model import Case, Operation
from urlharness.gate.baseline import Baseline, Entry
from urlharness.gate.policy import PLAIN, Policy
from urlharness.results.coverage import answered, answered_parts
from urlharness.results.model import Participant, Result, Results, Tally
from urlharness.results.verdict import Outcome

#: regression: a failure that is not in the baseline. stale: an entry whose case passes now. changed: an entry
#: whose case fails in another way. moved: an entry whose vector was changed. unknown id: an entry whose
#: vector does not exist. coverage: fewer answers than in the baseline.
Kind = Literal["regression", "stale", "changed", "moved", "unknown id", "coverage"]

KINDS: tuple[Kind, ...] = get_args(Kind)


class Finding(msgspec.Struct, frozen=True):
    """One difference between a baseline and a run.

    `id` is the id of a vector or of a part of a generated tier; for lost coverage, an RFC or such a part,
    followed by an operation. `listed` is None for a regression; `found` is None for an unknown id.
    """

    kind: Kind
    id: str
    listed: Entry | None = None
    found: Result | None = None


def findings(
    baseline: Baseline,
    results: Results,
    implementation: str,
    specs: Collection[str] = (),
    policy: Policy = PLAIN,
    *,
    known: Collection[str] | None = None,
) -> list[Finding]:
    """Return all findings for one adapter, in order: vectors, generated parts, unknown ids, lost coverage.

    `specs` are the judged RFCs (empty: all). `known` are the ids of the whole corpus; without them, neither
    unknown ids nor lost coverage are found. Entries of vectors that were not asked are ignored.
    """
    entries = baseline.by_id()
    outcomes = results.of(implementation)
    found = [
        vector_finding(entries.get(identifier), asked.case, outcomes.get(identifier), policy)
        for identifier, asked in results.vectors.items()
        if not specs or asked.case.spec in specs
    ]
    found += [
        part_finding(entries.get(tally.part), tally, policy, baseline.generated.get(tally.part))
        for tally in results.tallies_of(implementation, specs)
    ]
    unknown = () if known is None else (name for name in sorted(entries) if name not in known)
    found += [Finding("unknown id", name, entries[name]) for name in unknown]
    found += _coverage_losses(baseline, results, implementation, specs, known)
    return [one for one in found if one is not None]


def vector_finding(
    entry: Entry | None, case: Case, result: Result | None, policy: Policy = PLAIN
) -> Finding | None:
    """Compare one result with its entry; return None if they agree, or if the case was not asked."""
    if result is None:
        return None
    failing = policy.fails(case, result)
    if entry is None:
        return Finding("regression", case.vector.id, None, result) if failing else None
    right = result.outcome.passing and not failing
    return _entry_finding(entry, result, result.answer, locked_vector(case).digest, right=right)


def part_finding(
    entry: Entry | None, tally: Tally, policy: Policy = PLAIN, before: Mapping[Operation, int] | None = None
) -> Finding | None:
    """Compare a part of a generated tier with its entry, which counts the failing required cases.

    `before` counts the answered cases by operation when the entry was made, or None if the baseline has no
    such counts. If fewer cases are answered than before, the entry is not stale, even if no case fails. If
    only some cases were asked, only failures beyond the listed ones are a finding.
    """
    result, failing = _part_result(tally, policy), policy.failing_outcomes(tally)
    if entry is None:
        return Finding("regression", tally.part, None, result) if failing else None
    if not tally.digest:
        listed: Mapping[str, int] = entry.got.get("required", {})
        within = all(count <= listed.get(outcome, 0) for outcome, count in failing.items())
        return None if within else Finding("changed", tally.part, entry, result)
    if before is None:
        complete = all(outcome.complete for outcome in tally.required)
    else:
        complete = all(tally.answered.get(op, 0) >= count for op, count in before.items())
    return _entry_finding(entry, result, result.got, tally.digest[:12], right=not failing and complete)


def _part_result(tally: Tally, policy: Policy) -> Result:
    """Return one result for a part: `got` contains the failing counts and the digest of the failing cases."""
    failing = policy.failing_outcomes(tally)
    unanswered = not any(outcome.complete for outcome in tally.required)
    otherwise = min(tally.required, default=Outcome.PASS) if unanswered else Outcome.PASS
    outcome = Outcome.FAIL if Outcome.FAIL in failing else next(iter(failing), otherwise)
    which = {"failing": tally.failing_digest[:12]} if failing and tally.failing_digest else {}
    return Result(tally.part, tally.implementation, outcome, got={"required": failing, **which})


def _entry_finding(
    entry: Entry, result: Result, answer: Mapping[str, Any], digest: str, *, right: bool
) -> Finding | None:
    if not right and (result.outcome, answer, digest) == (entry.outcome, entry.got, entry.digest):
        return None
    kind: Kind = "stale" if right else "moved" if digest != entry.digest else "changed"
    return Finding(kind, entry.id, entry, result)


def _coverage_losses(
    baseline: Baseline,
    results: Results,
    implementation: str,
    specs: Collection[str],
    known: Collection[str] | None,
) -> Iterator[Finding]:
    """Yield a finding for each operation of an RFC or part with fewer answers than in the baseline."""

    def loss(what: str, detail: str) -> Finding:
        found = Result(what, implementation, Outcome.UNSUPPORTED, detail=detail)
        return Finding("coverage", what, found=found)

    for spec, now in answered(results, implementation, specs, known).items():
        for op, before in sorted(baseline.answered.get(spec, {}).items()):
            if now.get(op, 0) < before:
                yield loss(f"{spec} {op}", f"{before:,} vectors were answered, now {now.get(op, 0):,}")
    parts = answered_parts(results, implementation, specs, known)
    for part, numbers in sorted(baseline.generated.items()):
        exists = known is None or part in known
        for op, before in sorted(numbers.items()):
            after = parts.get(part, numbers).get(op, 0)
            if after < before or not exists:
                what = f"now {after:,}" if exists else "but the corpus has no such part"
                yield loss(f"{part} {op}", f"{before:,} cases were answered, {what}")


def count_asked(
    baseline: Baseline, results: Results, implementation: str, specs: Collection[str] = ()
) -> int:
    """Count the entries whose vector was asked and judged, or whose generated part was asked in full."""
    asked = {tally.part for tally in results.tallies_of(implementation, specs) if tally.digest}
    vectors = results.of(implementation)
    asked.update(name for name in vectors if not specs or results.vectors[name].case.spec in specs)
    return sum(entry.id in asked for entry in baseline.entries)


def misfit(baseline: Baseline, participant: Participant, specs: Collection[str] = ()) -> str:
    """Say why a baseline is for another implementation or other RFCs, or return an empty string."""
    own = participant.implementation.name if participant.implementation is not None else participant.name
    if baseline.implementation not in (own, participant.name):
        return f"it was made for implementation {baseline.implementation!r}, this is {own!r}"
    if others := sorted(set(specs) - set(baseline.spec)):
        made_for = ", ".join(baseline.spec) or "no RFC"
        return f"it was made for {made_for}, this run also judges {', '.join(others)}"
    return ""
