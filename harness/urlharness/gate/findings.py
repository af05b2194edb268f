"""Differences between a baseline and the run of an adapter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, Literal

import msgspec

from urlharness.corpus.describe import show_value
from urlharness.corpus.lock import CorpusIds, vector_digest
from urlharness.corpus.model import AUTHORITY, Case, Hex, Operation
from urlharness.corpus.specifications import Spec
from urlharness.gate.baseline import ALL, Baseline, Entry
from urlharness.gate.policy import PLAIN, Policy
from urlharness.results.coverage import answered, answered_parts
from urlharness.results.model import Participant, Result, Results, Tally
from urlharness.results.verdict import Outcome

#: regression: a failure that is not in the baseline. lost: an answer that the baseline lists or locks is
#: missing or incomplete, or a locked component has another value. coverage: fewer answers than in the
#: baseline. changed: an entry whose case fails in another way. moved: an entry whose vector was changed.
#: unknown id: an entry whose vector does not exist. stale: an entry whose case passes now.
FindingKind = Literal["regression", "lost", "coverage", "changed", "moved", "unknown id", "stale"]


class Finding(msgspec.Struct, frozen=True):
    """One difference between a baseline and a run.

    `id` is the id of a vector or of a part of a generated tier. If `kind` is `coverage`, `id` is an RFC or
    such a part, followed by an operation. `entry` is None if the baseline does not list the
    case. `result` is the outcome, or None if `kind` is `unknown id`. `detail` says what was lost.
    """

    kind: FindingKind
    id: str
    entry: Entry | None = None
    result: Result | None = None
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
    retired = retired_answers(baseline, cases, results.header.corpus, known)

    def has_fewer_answers(spec: Spec, op: Operation) -> bool:
        """Return True if fewer vectors of an operation are answered than the baseline counts."""
        before = baseline.answered[spec].get(op, 0) - retired[spec, op]
        return spec in counts and counts[spec].get(op, 0) < before

    locked = locked_answers(baseline, cases, results.header.corpus, has_fewer_answers)
    found = []
    missing = Counter[tuple[Spec, Operation]]()  # complete answers that became incomplete
    for case in cases:
        identifier, spec, op = case.vector.id, case.spec, case.vector.op
        result, entry, lock = outcomes.get(identifier), entries.get(identifier), locked.get(identifier)
        one = vector_finding(entry, case, result, policy, lock)
        found.append(one)
        incomplete = result is not None and not result.outcome.complete
        if one is not None and incomplete and spec in baseline.locked_specs:
            missing[spec, op] += lock == {} or (entry is not None and Outcome(entry.outcome).complete)
    found += [
        part_finding(entries.get(tally.part), tally, policy, baseline.generated.get(tally.part))
        for tally in results.tallies_of(implementation, specs)
    ]
    there = None if known is None else {*known, *removed_ids(known)}
    unknown = () if there is None else (name for name in sorted(entries) if name not in there)
    found += [Finding("unknown id", name, entries[name]) for name in unknown]
    found += _coverage_losses(baseline, results, implementation, specs, known, missing + retired)
    return [one for one in found if one is not None]


def removed_ids(known: Collection[str] | None) -> frozenset[str]:
    """Return the ids of the vectors that the corpus has removed, or none if `known` does not contain them."""
    return known.removed if isinstance(known, CorpusIds) else frozenset()


def removed_entries(baseline: Baseline, known: Collection[str] | None) -> list[str]:
    """Return the sorted ids of the entries whose vector the corpus has removed."""
    return sorted(removed_ids(known) & baseline.by_id().keys())


def retired_answers(
    baseline: Baseline, cases: Iterable[Case], corpus: str, known: Collection[str] | None
) -> Counter[tuple[Spec, Operation]]:
    """Count the answers in a baseline, by RFC and operation, whose vector the corpus has removed since.

    `cases` are all cases of the judged RFCs in the corpus with the digest `corpus`. If the baseline was made
    with this corpus, all counts are 0. If the baseline lists its complete answers, the counts are exact.
    Otherwise they are the least possible ones: an answer counts only if too few vectors are there for the
    number of answers. So a removed vector never excuses an answer that is lost.
    """
    retired = Counter[tuple[Spec, Operation]]()
    removed = removed_ids(known)
    if baseline.corpus == corpus or not removed:
        return retired
    room = _possible_answers(baseline, cases)
    for spec, counts in baseline.answered.items():
        removed_from_spec = sum(identifier.startswith(f"{spec}-") for identifier in removed)
        for op, count in counts.items():
            if spec in baseline.complete:
                retired[spec, op] = len(removed.intersection(baseline.complete[spec].get(op, ())))
            else:
                retired[spec, op] = min(max(0, count - room[spec, op]), removed_from_spec)
    return retired


def _possible_answers(baseline: Baseline, cases: Iterable[Case]) -> Counter[tuple[Spec, Operation]]:
    """Count the cases, by RFC and operation, except those that a baseline lists without a complete answer."""
    incomplete = {entry.id for entry in baseline.entries if not Outcome(entry.outcome).complete}
    for parts in baseline.partly.values():
        incomplete.update(parts)
    for unanswered in baseline.unanswered.values():
        for identifiers in unanswered.values():
            if identifiers != ALL:
                incomplete.update(identifiers)
    return Counter((case.spec, case.vector.op) for case in cases if case.vector.id not in incomplete)


def _has_no_fewer_answers(_spec: Spec, _op: Operation) -> bool:
    return False


def locked_answers(
    baseline: Baseline,
    cases: Iterable[Case],
    corpus: str,
    has_fewer_answers: Callable[[Spec, Operation], bool] = _has_no_fewer_answers,
) -> dict[str, Mapping[str, Any]]:
    """Map the id of each locked case to the components that its answer must show.

    An empty mapping means that the answer must be complete. `corpus` is the digest of the corpus of the
    cases. If the baseline was made with another one, and does not list its complete answers, some cases may
    be new. Then the answers to an operation under an RFC are locked only if `has_fewer_answers` returns True
    for them.
    """
    locked: dict[str, Mapping[str, Any]] = {}
    tests: dict[tuple[Spec, Operation], Callable[[str], bool]] = {}
    for case in cases:
        identifier, spec, op = case.vector.id, case.spec, case.vector.op
        if spec not in baseline.locked_specs:
            continue
        if (spec, op) not in tests:
            listed = spec in baseline.complete
            every = baseline.corpus == corpus or (not listed and has_fewer_answers(spec, op))
            tests[spec, op] = _lock_test(baseline, spec, op, every=every)
        partly = baseline.partly.get(spec, {})
        if identifier in partly:
            locked[identifier] = partly[identifier]
        elif tests[spec, op](identifier):
            locked[identifier] = {}
    return locked


def _lock_test(baseline: Baseline, spec: Spec, op: Operation, *, every: bool) -> Callable[[str], bool]:
    """Return the predicate that tells whether the answer to the vector with an id must be complete.

    With `every`, this holds for each vector that is not unanswered in the baseline. Otherwise it holds for
    those that the baseline lists as complete.
    """
    if not every:
        return frozenset(baseline.complete.get(spec, {}).get(op, ())).__contains__
    unanswered = baseline.unanswered.get(spec, {}).get(op, ())
    exempt = frozenset(unanswered)
    return lambda identifier: unanswered != ALL and identifier not in exempt


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
        expected.update(AUTHORITY)
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
    return show_value(Hex(value["hex"]) if isinstance(value, dict) else value)


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
    kind: FindingKind = "stale" if right else "moved" if digest != entry.digest else "changed"
    return Finding(kind, entry.id, entry, result)


def _coverage_losses(
    baseline: Baseline,
    results: Results,
    implementation: str,
    specs: Collection[str],
    known: Collection[str] | None,
    excused: Mapping[tuple[Spec, Operation], int],
) -> Iterator[Finding]:
    """Yield a finding for each operation of an RFC or part with fewer answers than in the baseline.

    `excused` counts the missing answers, by RFC and operation, that are not reported: there is a finding for
    them already, or the corpus has removed their vectors.
    """

    def loss(what: str, detail: str) -> Finding:
        found = Result(what, implementation, Outcome.UNSUPPORTED, detail=detail)
        return Finding("coverage", what, result=found)

    for spec, now in answered(results, implementation, specs, known).items():
        for op, before in sorted(baseline.answered.get(spec, {}).items()):
            if now.get(op, 0) + excused.get((spec, op), 0) < before:
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
