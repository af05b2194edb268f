"""What a run finds against a baseline: every finding of an adapter, kind by kind."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Literal, get_args

import msgspec

from urlharness.corpus.model import Case, Operation
from urlharness.gate.baseline import Baseline, Entry, digest
from urlharness.gate.policy import PLAIN, Policy
from urlharness.results.coverage import answered, answered_parts
from urlharness.results.model import Participant, Result, Results, Tally
from urlharness.results.verdict import Outcome

Kind = Literal["regression", "stale", "changed", "moved", "unknown id", "coverage"]


KINDS: tuple[Kind, ...] = get_args(Kind)


class Finding(msgspec.Struct, frozen=True):
    """One difference between a baseline and a run; a regression is not listed, an unknown id not found.

    The id is that of a vector or of a part of a generated tier; where coverage was lost it is an RFC or such
    a part with an operation, and the detail of what was found has the numbers.
    """

    kind: Kind
    id: str
    listed: Entry | None = None
    found: Result | None = None


def finding(entry: Entry | None, case: Case, result: Result | None, policy: Policy = PLAIN) -> Finding | None:
    """What one result is against its entry, if anything.  Nothing is found of a case that was not asked.

    Without an entry a failing outcome is a regression.  With one, an answer that is right makes it stale, the
    same wrong answer to the same question is no finding, and otherwise the vector has moved or the answer has
    changed.
    """
    if result is None:
        return None
    failing = policy.fails(case, result)
    if entry is None:
        return Finding("regression", case.vector.id, None, result) if failing else None
    right = result.outcome.passing and not failing
    same = (result.outcome, result.answer) == (entry.outcome, entry.got)
    return _found(entry, result, right=right, moved=digest(case) != entry.digest, same=same)


def part_finding(
    entry: Entry | None,
    tally: Tally,
    policy: Policy = PLAIN,
    before: Mapping[Operation, int] | None = None,
) -> Finding | None:
    """The same of a part of a generated tier, which has one entry: how many required cases fail, and how.

    `before` is how many of its cases were answered when it was listed, None where the list does not say: a
    part that fails no more because it is answered no more is not right.  Of a part that was not asked whole
    nothing is found that could be some of what is listed.
    """
    result, failing = counted(tally, policy), policy.failing(tally)
    if entry is None:
        return Finding("regression", tally.part, None, result) if failing else None
    if not tally.digest:
        listed: Mapping[str, int] = entry.got.get("required", {})
        some = all(count <= listed.get(outcome, 0) for outcome, count in failing.items())
        return None if some else Finding("changed", tally.part, entry, result)
    if before is None:
        short = not all(outcome.complete for outcome in tally.required)
    else:
        short = any(tally.answered.get(op, 0) < count for op, count in before.items())
    same = (result.outcome, result.got) == (entry.outcome, entry.got)
    moved = tally.digest[:12] != entry.digest
    return _found(entry, result, right=not failing and not short, moved=moved, same=same)


def counted(tally: Tally, policy: Policy = PLAIN) -> Result:
    """The count of a part as one result, whose id is the name of the part, and the digest of what fails."""
    counts = policy.failing(tally)
    incomplete = not any(outcome.complete for outcome in tally.required)
    silent = min(tally.required, default=Outcome.PASS) if incomplete else Outcome.PASS
    outcome = Outcome.FAIL if Outcome.FAIL in counts else next(iter(counts), silent)
    which = {"failing": tally.failing_digest[:12]} if counts and tally.failing_digest else {}
    return Result(tally.part, tally.implementation, outcome, got={"required": counts, **which})


def _found(entry: Entry, result: Result, *, right: bool, moved: bool, same: bool) -> Finding | None:
    if not right and not moved and same:
        return None
    kind: Kind = "stale" if right else "moved" if moved else "changed"
    return Finding(kind, entry.id, entry, result)


def findings(
    baseline: Baseline,
    results: Results,
    implementation: str,
    specs: Collection[str] = (),
    policy: Policy = PLAIN,
    *,
    known: Collection[str] | None = None,
) -> list[Finding]:
    """Every finding of a run of one adapter: of vectors in their order, of generated parts, of unknown ids.

    `specs` are the RFCs that are judged, all of them if empty; `known` are the ids of the whole corpus, by
    which unknown ones are told, and whether all of an RFC was asked.  An entry of a vector that was not asked
    is left alone.
    """
    entries = baseline.by_id()
    answers = results.of(implementation)
    found = [
        finding(entries.get(identifier), asked.case, answers.get(identifier), policy)
        for identifier, asked in results.vectors.items()
        if not specs or asked.case.spec in specs
    ]
    found += [
        part_finding(entries.get(tally.part), tally, policy, baseline.generated.get(tally.part))
        for tally in results.tallies
        if tally.implementation == implementation and (not specs or tally.spec in specs)
    ]
    unknown = () if known is None else (name for name in sorted(entries) if name not in known)
    found += [Finding("unknown id", name, entries[name]) for name in unknown]
    found += _losses(baseline, results, implementation, specs, known)
    return [one for one in found if one is not None]


def _losses(
    baseline: Baseline,
    results: Results,
    implementation: str,
    specs: Collection[str],
    known: Collection[str] | None,
) -> Iterator[Finding]:
    """The operations and generated parts of which less is answered than the list says."""
    for spec, now in answered(results, implementation, specs, known).items():
        for op, before in sorted(baseline.answered.get(spec, {}).items()):
            if now.get(op, 0) < before:
                detail = f"{before:,} vectors were answered, and now {now.get(op, 0):,}"
                yield _loss(f"{spec} {op}", implementation, detail)
    parts = answered_parts(results, implementation, specs, known)
    for part, numbers in sorted(baseline.generated.items()):
        there = known is None or part in known
        for op, before in sorted(numbers.items()):
            after = parts.get(part, numbers).get(op, 0)
            if after < before or not there:
                why = f"now {after:,}" if there else "the corpus has no such part"
                yield _loss(f"{part} {op}", implementation, f"{before:,} cases were answered, and {why}")


def _loss(of: str, implementation: str, detail: str) -> Finding:
    return Finding("coverage", of, None, Result(of, implementation, Outcome.UNSUPPORTED, detail=detail))


def seen(baseline: Baseline, results: Results, implementation: str, specs: Collection[str] = ()) -> int:
    """How many entries are of vectors, or of whole parts of a generated tier, that were asked and judged."""
    answers = results.of(implementation)
    parts = {
        one.part: one.spec for one in results.tallies if one.implementation == implementation and one.digest
    }
    found = (
        results.vectors[entry.id].case.spec if entry.id in answers else parts.get(entry.id)
        for entry in baseline.entries
    )
    return sum(spec is not None and (not specs or spec in specs) for spec in found)


def misfit(baseline: Baseline, participant: Participant, specs: Collection[str] = ()) -> str:
    """Why a baseline says nothing of an implementation under these RFCs, in a clause; empty where it does."""
    own = participant.implementation.name if participant.implementation is not None else participant.name
    if baseline.implementation not in (own, participant.name):
        return f"it lists answers of {baseline.implementation!r}, not of {own!r}"
    others = sorted(set(specs) - set(baseline.spec))
    if others:
        return f"it lists answers under {', '.join(baseline.spec) or 'no RFC'}, not under {', '.join(others)}"
    return ""
