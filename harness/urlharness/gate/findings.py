"""Differences between a baseline and the run of an adapter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, Literal

import msgspec

from urlharness.corpus.describe import show_value
from urlharness.corpus.lock import CorpusIds, vector_digest
from urlharness.corpus.model import Case, Operation, Spec
from urlharness.gate.baseline import ALL, Baseline, Entry
from urlharness.gate.policy import PLAIN, Policy
from urlharness.results.coverage import answered, answered_parts
from urlharness.results.model import Participant, Result, Results, Tally
from urlharness.results.verdict import AUTHORITY, Outcome

#: regression: a failure that is not in the baseline. lost: an answer that the baseline lists or locks is
#: missing or incomplete, or a locked component has another value. coverage: fewer answers than in the
#: baseline. changed: an entry whose case fails in another way. moved: an entry whose vector was changed.
#: unknown id: an entry whose vector does not exist. stale: an entry whose case passes now.
Kind = Literal["regression", "lost", "coverage", "changed", "moved", "unknown id", "stale"]


class Finding(msgspec.Struct, frozen=True):
    """One difference between a baseline and a run.

    `id` is the id of a vector or of a part of a generated tier. If `kind` is `coverage`, `id` is an RFC or
    such a part, followed by an operation. `listed` is the entry, or None if the baseline does not list the
    case. `found` is the result, or None if `kind` is `unknown id`. `detail` says what was lost.
    """

    kind: Kind
    id: str
    listed: Entry | None = None
    found: Result | None = None
    detail: str = ""


def findings(
    baseline: Baseline,
    results: Results,
    implementation: str,
    specs: Collection[str] = (),
    policy: Policy = PLAIN,
    *,
    known: Collection[str] | None = None,
) -> list[Finding]:
    """Return all findings for one adapter, on vectors, generated parts, unknown ids and coverage.

    `specs` are the judged RFCs (empty: all). `known` are the ids of the whole corpus. Without them, there are
    no findings on unknown ids and coverage. Entries of vectors that were not asked, or that the corpus has
    removed, are ignored.
    """
    entries = baseline.by_id()
    outcomes = results.of(implementation)
    counts = answered(results, implementation, specs, known)
    cases = [asked.case for asked in results.vectors.values() if not specs or asked.case.spec in specs]
    same_corpus = baseline.corpus == results.header.corpus

    def is_locked(spec: Spec, op: Operation) -> bool:
        """Return True if the answers to an operation are locked.

        If the corpus is not that of the baseline, some vectors may be new. Then the answers are locked only
        if their number has decreased.
        """
        now = counts[spec].get(op, 0) if spec in counts else None
        before = baseline.answered[spec].get(op, 0) - removed_since(baseline, results, spec, known)
        return same_corpus or (now is not None and now < before)

    locked = locked_answers(baseline, cases, is_locked)
    found = []
    missing = Counter[tuple[str, str]]()  # complete answers that became incomplete
    for case in cases:
        identifier, spec, op = case.vector.id, case.spec, case.vector.op
        result, entry, lock = outcomes.get(identifier), entries.get(identifier), locked.get(identifier)
        one = vector_finding(entry, case, result, policy, lock)
        found.append(one)
        if one is not None and result is not None and not result.outcome.complete:
            missing[spec, op] += lock == {} or (entry is not None and Outcome(entry.outcome).complete)
    found += [
        part_finding(entries.get(tally.part), tally, policy, baseline.generated.get(tally.part))
        for tally in results.tallies_of(implementation, specs)
    ]
    there = None if known is None else {*known, *removed_ids(known)}
    unknown = () if there is None else (name for name in sorted(entries) if name not in there)
    found += [Finding("unknown id", name, entries[name]) for name in unknown]
    found += _coverage_losses(baseline, results, implementation, specs, known, missing)
    return [one for one in found if one is not None]


def removed_ids(known: Collection[str] | None) -> frozenset[str]:
    """Return the ids of the vectors that the corpus has removed, or none if `known` does not contain them."""
    return known.removed if isinstance(known, CorpusIds) else frozenset()


def removed_entries(baseline: Baseline, known: Collection[str] | None) -> list[str]:
    """Return the sorted ids of the entries whose vector the corpus has removed."""
    return sorted(removed_ids(known) & baseline.by_id().keys())


def removed_since(baseline: Baseline, results: Results, spec: str, known: Collection[str] | None) -> int:
    """Return the number of answers that an RFC may have lost because the corpus removed vectors.

    If the corpus is that of the baseline, the number is 0. Otherwise, every removed vector of the RFC counts,
    because baselines do not list the vectors that were answered.
    """
    if baseline.corpus == results.header.corpus:
        return 0
    return sum(name.startswith(f"{spec}-") for name in removed_ids(known))


def locked_answers(
    baseline: Baseline, cases: Iterable[Case], is_locked: Callable[[Spec, Operation], bool]
) -> dict[str, Mapping[str, Any]]:
    """Map the id of each locked case to the components that its answer must show.

    An empty mapping means that the answer must be complete. `is_locked` tells whether the answers to an
    operation under an RFC are locked, apart from the exceptions that the baseline lists.
    """
    found: dict[str, Mapping[str, Any]] = {}
    exempt: dict[tuple[Spec, Operation], Callable[[str], bool]] = {}
    for case in cases:
        identifier, spec, op = case.vector.id, case.spec, case.vector.op
        if spec not in baseline.locked_specs:
            continue
        if (spec, op) not in exempt:
            unanswered = baseline.unanswered.get(spec, {}).get(op, ())
            every = unanswered == ALL or not is_locked(spec, op)
            exempt[spec, op] = (lambda _: True) if every else frozenset(unanswered).__contains__
        partly = baseline.partly.get(spec, {})
        if identifier in partly:
            found[identifier] = partly[identifier]
        elif not exempt[spec, op](identifier):
            found[identifier] = {}
    return found


def vector_finding(
    entry: Entry | None,
    case: Case,
    result: Result | None,
    policy: Policy = PLAIN,
    locked: Mapping[str, Any] | None = None,
) -> Finding | None:
    """Compare one result with the baseline. Return None if they agree, or if the case was not asked.

    `entry` is the entry of the case, or None if the baseline does not list it. `locked` is the value for the
    case in `locked_answers`, or None if the answer is not locked.
    """
    if result is None:
        return None
    failing = policy.fails(case, result)
    if entry is not None:
        right = result.outcome.passing and not failing
        found = _entry_finding(entry, result, result.answer, vector_digest(case), right=right)
        gone = found is not None and found.kind == "changed" and _lost_entry(entry, result)
        return Finding("lost", entry.id, entry, result, gone) if gone else found
    if failing:
        return Finding("regression", case.vector.id, None, result)
    lost = "" if locked is None else _lost(case, result, locked)
    return Finding("lost", case.vector.id, None, result, lost) if lost else None


def shown_parts(case: Case, result: Result) -> dict[str, Any]:
    """Map the names of the expected parts that an answer shows to their values.

    Parts are the components for `parse`, the parts of the decoded view for `decode`, and the base for `base`.
    Answers to other operations have no parts. If an authority is expected, userinfo, host and port are
    expected, too.
    """
    op, got = case.vector.op, result.got
    if op == "base":
        return {"base": got["base"]} if "base" in got else {}
    field = {"parse": "components", "decode": "decoded"}.get(op, "")
    alternatives = case.vector.expect.alternatives if field else ()
    expected = {name for answer in alternatives for name in getattr(answer, field) or {}}
    if "authority" in expected:
        expected |= AUTHORITY
    return {name: value for name, value in sorted(got.get(field, {}).items()) if name in expected}


def _lost_entry(entry: Entry, result: Result) -> str:
    """Say that a listed answer is now missing or incomplete, or return an empty string."""
    listed = Outcome(entry.outcome)
    if not listed.complete or listed.abnormal or result.outcome.complete:
        return ""
    return f"answered{' wrong' * listed.failing}, now {_incomplete(result)}"


def _incomplete(result: Result) -> str:
    return "not offered" if result.outcome is Outcome.UNSUPPORTED else result.detail or "in part"


def _lost(case: Case, result: Result, locked: Mapping[str, Any]) -> str:
    """Say what is missing or different in a locked answer, or return an empty string."""
    outcome = result.outcome
    if outcome is Outcome.PASS:
        return ""
    whole = "answered right" if case.vector.binding == "required" else "answered in full"
    before = f"had {', '.join(locked)}" if locked else whole
    if outcome is Outcome.UNSUPPORTED or outcome.abnormal:
        return f"{before}, now {outcome if outcome.abnormal else _incomplete(result)}"
    if not locked:
        return f"{before}, now {_incomplete(result)}" if outcome is Outcome.PARTIAL else ""
    shown = shown_parts(case, result)
    missing = [name for name in locked if name not in shown]
    encode = msgspec.json.encode  # a pair is a list in a baseline, and a tuple in a result
    other = [name for name in locked if name in shown and encode(shown[name]) != encode(locked[name])]
    clauses = [f"{', '.join(missing)} no longer exposed"] if missing else []
    clauses += [f"{name} was {_value(locked[name])}, now {_value(shown[name])}" for name in other]
    return "; ".join(clauses)


def _value(value: Any) -> str:
    return f"hex {value['hex']}" if isinstance(value, dict) else show_value(value)


def part_finding(
    entry: Entry | None, tally: Tally, policy: Policy = PLAIN, before: Mapping[Operation, int] | None = None
) -> Finding | None:
    """Compare a part of a generated tier with its entry. Return None if they agree.

    The entry counts failing cases. `before` is the number of cases of each operation that were answered when
    the entry was made, or None if the baseline does not count them. An entry is not stale while fewer cases
    are answered than before. If not all cases were asked, there is a finding only if more cases fail than the
    entry counts.
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
    """Return one result for a whole part. In it, `got` counts the failing cases and contains their digest."""
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
    missing: Mapping[tuple[str, str], int],
) -> Iterator[Finding]:
    """Yield a finding for each operation of an RFC or part with fewer answers than in the baseline.

    `missing` counts, by RFC and operation, the missing answers for which there is a finding already. If the
    answers of an RFC are locked, these answers are not reported again.
    """

    def loss(what: str, detail: str) -> Finding:
        found = Result(what, implementation, Outcome.UNSUPPORTED, detail=detail)
        return Finding("coverage", what, found=found)

    for spec, now in answered(results, implementation, specs, known).items():
        for op, before in sorted(baseline.answered.get(spec, {}).items()):
            said = missing.get((spec, op), 0) if spec in baseline.locked_specs else 0
            said += removed_since(baseline, results, spec, known)
            if now.get(op, 0) + said < before:
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
    """Say why a baseline is for another implementation or other RFCs. Return "" if the baseline fits."""
    own = participant.implementation.name if participant.implementation is not None else participant.name
    if baseline.implementation not in (own, participant.name):
        return f"it was made for implementation {baseline.implementation!r}, but this one is {own!r}"
    if others := sorted(set(specs) - set(baseline.spec)):
        made_for = ", ".join(baseline.spec) or "no RFC"
        return f"it was made for {made_for}, but this run also judges {', '.join(others)}"
    return ""
