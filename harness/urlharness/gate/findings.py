"""Differences between a baseline and the run of an adapter."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Literal

import msgspec

from urlharness.corpus.describe import show_value
from urlharness.corpus.lock import CorpusIds, vector_digest
from urlharness.corpus.model import AUTHORITY, Case, Hex, Operation
from urlharness.corpus.specifications import Spec
from urlharness.gate.baseline import ALL, DIGEST_LENGTH, Baseline, Entry
from urlharness.gate.policy import PLAIN, Policy
from urlharness.results.coverage import answered_by_part, answered_by_spec
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
    such a part, followed by an operation. `entry` is None if the baseline does not list the case. `result` is
    None if `kind` is `unknown id`. `detail` says what was lost.
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
    corpus_ids: Collection[str] | None = None,
) -> list[Finding]:
    """Return all findings for one adapter, on vectors, generated parts, unknown ids and coverage.

    `specs` are the judged RFCs (empty: all). `corpus_ids` are the ids of the whole corpus. Without them,
    there are no findings on unknown ids and coverage. Entries of vectors that were not asked, or that the
    corpus has removed, are ignored.
    """
    entries = baseline.by_id()
    counts = answered_by_spec(results, implementation, specs, corpus_ids)
    cases = [vector.case for vector in results.vectors.values() if not specs or vector.case.spec in specs]
    retired = retired_answers(baseline, cases, results.header.corpus, corpus_ids)

    fewer_answered = _fewer_answered(baseline, counts, retired)
    locked = locked_answers(baseline, cases, results.header.corpus, fewer_answered)
    vector_findings = list(_vector_findings(cases, results.of(implementation), entries, locked, policy))
    excused = _no_longer_complete(baseline, results, vector_findings, locked) + retired
    part_counts = answered_by_part(results, implementation, specs, corpus_ids)
    return [
        *vector_findings,
        *_part_findings(entries, baseline, results.tallies_of(implementation, specs), policy),
        *_unknown_ids(entries, corpus_ids),
        *_vector_losses(baseline, counts, excused, implementation),
        *_part_losses(baseline, part_counts, corpus_ids, implementation),
    ]


def _fewer_answered(
    baseline: Baseline,
    counts: Mapping[Spec, Mapping[Operation, int]],
    excused: Mapping[tuple[Spec, Operation], int],
) -> set[tuple[Spec, Operation]]:
    """Return the operations of RFCs that have fewer answers than in the baseline.

    `counts` counts the answers to RFCs that were asked in full. `excused` counts the missing answers that do
    not matter.
    """
    fewer_answered = set()
    for spec, numbers in counts.items():
        for op, before in baseline.answered.get(spec, {}).items():
            if numbers.get(op, 0) + excused.get((spec, op), 0) < before:
                fewer_answered.add((spec, op))
    return fewer_answered


def _vector_findings(
    cases: Iterable[Case],
    case_results: Mapping[str, Result],
    entries: Mapping[str, Entry],
    locked: Mapping[str, Mapping[str, Any]],
    policy: Policy,
) -> Iterator[Finding]:
    """Yield the findings on vectors. Results, entries and locked answers are by the id of the vector."""
    for case in cases:
        identifier = case.vector.id
        entry = entries.get(identifier)
        finding = vector_finding(entry, case, case_results.get(identifier), policy, locked.get(identifier))
        if finding is not None:
            yield finding


def _no_longer_complete(
    baseline: Baseline,
    results: Results,
    vector_findings: Iterable[Finding],
    locked: Mapping[str, Mapping[str, Any]],
) -> Counter[tuple[Spec, Operation]]:
    """Count the findings on answers that were complete and are not any more, by RFC and operation.

    Only the RFCs with locked answers count.
    """
    counts = Counter[tuple[Spec, Operation]]()
    for finding in vector_findings:
        case = results.vectors[finding.id].case
        is_complete = finding.result is not None and finding.result.outcome.complete
        was_complete = _was_complete(finding.entry, locked.get(finding.id))
        if case.spec in baseline.locked_specs and was_complete and not is_complete:
            counts[case.spec, case.vector.op] += 1
    return counts


def _was_complete(entry: Entry | None, lock: Mapping[str, Any] | None) -> bool:
    """Return True if an answer was complete when the baseline was made, by its entry or its lock."""
    if entry is not None and Outcome(entry.outcome).complete:
        return True
    return lock == {}  # a lock without components is that of a complete answer


def removed_ids(corpus_ids: Collection[str] | None) -> frozenset[str]:
    """Return the ids of the vectors that the corpus has removed, as far as `corpus_ids` contains them."""
    return corpus_ids.removed if isinstance(corpus_ids, CorpusIds) else frozenset()


def removed_entries(baseline: Baseline, corpus_ids: Collection[str] | None) -> list[str]:
    """Return the sorted ids of the entries whose vector the corpus has removed."""
    return sorted(removed_ids(corpus_ids) & baseline.by_id().keys())


def retired_answers(
    baseline: Baseline, cases: Iterable[Case], corpus: str, corpus_ids: Collection[str] | None
) -> Counter[tuple[Spec, Operation]]:
    """Count the answers in a baseline, by RFC and operation, whose vector the corpus has removed since.

    `cases` are all cases of the judged RFCs in the corpus with the digest `corpus`. If the baseline was made
    with this corpus, all counts are 0. If the baseline lists its complete answers, the counts are exact.
    Otherwise they are the least possible ones: an answer counts only if too few vectors are there for the
    number of answers. So a removed vector never excuses an answer that is lost.
    """
    retired = Counter[tuple[Spec, Operation]]()
    removed = removed_ids(corpus_ids)
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


def locked_answers(
    baseline: Baseline,
    cases: Iterable[Case],
    corpus: str,
    fewer_answered: Collection[tuple[Spec, Operation]] = (),
) -> dict[str, Mapping[str, Any]]:
    """Map the id of each locked case to the components that its answer must show.

    An empty mapping means that the answer must be complete. `corpus` is the digest of the corpus of the
    cases. If the baseline was made with another one, and does not list its complete answers, some cases may
    be new. Then the answers to an operation under an RFC are locked only if they are in `fewer_answered`,
    the operations that have fewer answers than in the baseline.
    """
    cases_by_operation: dict[tuple[Spec, Operation], list[Case]] = defaultdict(list)
    for case in cases:
        cases_by_operation[case.spec, case.vector.op].append(case)
    locked: dict[str, Mapping[str, Any]] = {}
    for (spec, op), cases_of_operation in cases_by_operation.items():
        if spec not in baseline.locked_specs:
            continue
        ids = [case.vector.id for case in cases_of_operation]
        may_have_new = baseline.corpus != corpus
        if may_have_new and (spec in baseline.complete or (spec, op) not in fewer_answered):
            complete = frozenset(baseline.complete.get(spec, {}).get(op, ()))
        else:
            complete = _without_unanswered(ids, baseline, spec, op)
        partly = baseline.partly.get(spec, {})
        for identifier in ids:
            if identifier in partly:
                locked[identifier] = partly[identifier]
            elif identifier in complete:
                locked[identifier] = {}
    return locked


def _without_unanswered(ids: Iterable[str], baseline: Baseline, spec: Spec, op: Operation) -> frozenset[str]:
    """Return the ids of vectors of an operation except those that a baseline lists as unanswered."""
    unanswered = baseline.unanswered.get(spec, {}).get(op, ())
    return frozenset() if unanswered == ALL else frozenset(ids).difference(unanswered)


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
        finding = _entry_finding(entry, result, result.answer, vector_digest(case), right=right)
        loss = _loss_of_listed_answer(entry, result)
        if loss and finding is not None and finding.kind == "changed":
            return Finding("lost", entry.id, entry, result, loss)
        return finding
    if failing:
        return Finding("regression", case.vector.id, result=result)
    loss = "" if locked is None else _loss_of_locked_answer(case, result, locked)
    return Finding("lost", case.vector.id, result=result, detail=loss) if loss else None


def shown_parts(case: Case, result: Result) -> dict[str, Any]:
    """Map the names of the expected parts that an answer shows to their values.

    Parts are the components for `parse`, the parts of the decoded view for `decode`, and the base for `base`.
    Answers to other operations have no parts. If an authority is expected, userinfo, host and port are
    expected, too.
    """
    op = case.vector.op
    reply = result.got
    if op == "base":
        return {"base": reply["base"]} if "base" in reply else {}
    field = {"parse": "components", "decode": "decoded"}.get(op)
    if field is None:
        return {}
    expected: set[str] = set()
    for answer in case.vector.expect.alternatives:
        expected.update(getattr(answer, field) or ())
    if "authority" in expected:
        expected.update(AUTHORITY)
    return {name: part for name, part in sorted(reply.get(field, {}).items()) if name in expected}


def _loss_of_listed_answer(entry: Entry, new: Result) -> str:
    """Say that a listed answer is now missing or incomplete, or return an empty string."""
    before = Outcome(entry.outcome)
    if not before.complete or before.abnormal or new.outcome.complete:
        return ""
    answered_wrong = "answered wrong" if before.failing else "answered"
    return f"{answered_wrong}, now {_incompleteness_in_words(new)}"


def _incompleteness_in_words(new: Result) -> str:
    """Say in what way an answer is incomplete."""
    if new.outcome is Outcome.UNSUPPORTED:
        return "not offered"
    return new.detail or "in part"


def _loss_of_locked_answer(case: Case, new: Result, locked: Mapping[str, Any]) -> str:
    """Say what is missing or different in a locked answer, or return an empty string."""
    outcome = new.outcome
    if outcome is Outcome.PASS:
        return ""
    if locked:
        before = f"had {', '.join(locked)}"
    elif case.vector.binding == "required":
        before = "answered right"
    else:
        before = "answered in full"
    if outcome.abnormal:
        return f"{before}, now {outcome}"
    if outcome is Outcome.UNSUPPORTED:
        return f"{before}, now {_incompleteness_in_words(new)}"
    if locked:
        return _lost_parts(locked, shown_parts(case, new))
    if outcome is Outcome.PARTIAL:
        return f"{before}, now {_incompleteness_in_words(new)}"
    return ""


def _lost_parts(locked: Mapping[str, Any], parts: Mapping[str, Any]) -> str:
    """Say which locked parts of an answer are missing or have another value, or return an empty string."""
    missing = [name for name in locked if name not in parts]
    clauses = []
    if missing:
        clauses.append(f"{', '.join(missing)} no longer exposed")
    encode = msgspec.json.encode  # a pair is a list in a baseline, and a tuple in a result
    for name, before in locked.items():
        if name in parts and encode(parts[name]) != encode(before):
            clauses.append(f"{name} was {part_in_words(before)}, now {part_in_words(parts[name])}")
    return "; ".join(clauses)


def part_in_words(part: Any) -> str:
    """Return a part of an answer in a baseline or a result in words."""
    return show_value(_with_hex(part))


def _with_hex(part: Any) -> Any:
    """Return a part as JSON in which each object `{"hex": DIGITS}`, also in lists, is replaced by a `Hex`."""
    if isinstance(part, dict):
        return Hex(part["hex"])
    if isinstance(part, list):
        return [_with_hex(element) for element in part]
    return part


def part_finding(
    entry: Entry | None, tally: Tally, policy: Policy = PLAIN, before: Mapping[Operation, int] | None = None
) -> Finding | None:
    """Compare a part of a generated tier with its entry. Return None if they agree.

    The entry counts failing cases. `before` is the number of cases of each operation that were answered when
    the entry was made, or None if the baseline does not count them. An entry is not stale while fewer cases
    are answered than before. If not all cases were asked, there is a finding only if more cases fail than the
    entry counts.
    """
    failing = policy.failing_outcomes(tally)
    summary = _part_result(tally, failing)
    if entry is None:
        return Finding("regression", tally.part, result=summary) if failing else None
    if not tally.digest:
        listed: Mapping[str, int] = entry.got.get("required", {})
        if all(count <= listed.get(outcome, 0) for outcome, count in failing.items()):
            return None
        return Finding("changed", tally.part, entry, summary)
    is_stale = not failing and _is_answered_as_before(tally, before)
    return _entry_finding(entry, summary, summary.got, tally.digest[:DIGEST_LENGTH], right=is_stale)


def _part_findings(
    entries: Mapping[str, Entry], baseline: Baseline, tallies: Iterable[Tally], policy: Policy
) -> Iterator[Finding]:
    """Yield the findings on parts of generated tiers, without losses of coverage."""
    for tally in tallies:
        before = baseline.generated.get(tally.part)
        finding = part_finding(entries.get(tally.part), tally, policy, before)
        if finding is not None:
            yield finding


def _unknown_ids(entries: Mapping[str, Entry], corpus_ids: Collection[str] | None) -> Iterator[Finding]:
    """Yield a finding for each entry whose vector or part the corpus neither has nor had."""
    if corpus_ids is None:
        return
    for identifier in sorted(entries.keys() - corpus_ids - removed_ids(corpus_ids)):
        yield Finding("unknown id", identifier, entries[identifier])


def _is_answered_as_before(tally: Tally, before: Mapping[Operation, int] | None) -> bool:
    """Return True if at least as many cases are answered as before (None: all cases)."""
    if before is None:
        return all(outcome.complete for outcome in tally.required)
    return all(tally.answered.get(op, 0) >= count for op, count in before.items())


def _part_result(tally: Tally, failing: Mapping[Outcome, int]) -> Result:
    """Return one result for a whole part. In it, `got` counts the failing cases and contains their digest."""
    got: dict[str, Any] = {"required": failing}
    if failing and tally.failing_digest:
        got["failing"] = tally.failing_digest[:DIGEST_LENGTH]
    return Result(tally.part, tally.implementation, _outcome_of_part(tally, failing), got=got)


def _outcome_of_part(tally: Tally, failing: Mapping[Outcome, int]) -> Outcome:
    """Return the one outcome that stands for those of a whole part.

    `failing` are the outcomes that fail: `fail` comes before the others, which come by name. If none fails, a
    complete outcome is enough for `pass`. Otherwise `partial` comes before `unsupported`.
    """
    if Outcome.FAIL in failing:
        return Outcome.FAIL
    if failing:
        return min(failing)
    if not tally.required or any(outcome.complete for outcome in tally.required):
        return Outcome.PASS
    return min(tally.required)


def _entry_finding(
    entry: Entry, new: Result, answer: Mapping[str, Any], digest: str, *, right: bool
) -> Finding | None:
    """Compare an entry with the new result of its vector or part, with the answer and with the digest.

    `right` is True if nothing fails any more. Then the entry is stale, even if its vector has changed.
    """
    if right:
        return Finding("stale", entry.id, entry, new)
    if digest != entry.digest:
        return Finding("moved", entry.id, entry, new)
    if new.outcome == entry.outcome and answer == entry.got:
        return None
    return Finding("changed", entry.id, entry, new)


def _vector_losses(
    baseline: Baseline,
    counts: Mapping[Spec, Mapping[Operation, int]],
    excused: Mapping[tuple[Spec, Operation], int],
    implementation: str,
) -> Iterator[Finding]:
    """Yield a finding for each operation of an RFC with fewer answers than in the baseline.

    `counts` counts the answers to RFCs that were asked in full. `excused` counts the missing answers that are
    not reported: there is a finding for them already, or the corpus has removed their vectors.
    """
    fewer_answered = _fewer_answered(baseline, counts, excused)
    for spec, numbers in counts.items():
        for op, before in sorted(baseline.answered.get(spec, {}).items()):
            if (spec, op) in fewer_answered:
                detail = f"{before:,} vectors were answered, now {numbers.get(op, 0):,}"
                yield _coverage_loss(f"{spec} {op}", detail, implementation)


def _part_losses(
    baseline: Baseline,
    counts: Mapping[str, Mapping[Operation, int]],
    corpus_ids: Collection[str] | None,
    implementation: str,
) -> Iterator[Finding]:
    """Yield a finding for each operation of a generated part with fewer answers than in the baseline.

    `counts` counts the answers to parts that were asked in full. Nothing is known to be lost in other parts,
    unless the corpus does not have them any more.
    """
    for part, numbers in sorted(baseline.generated.items()):
        exists = corpus_ids is None or part in corpus_ids
        for op, before in sorted(numbers.items()):
            if not exists:
                detail = f"{before:,} cases were answered, but the corpus has no such part"
                yield _coverage_loss(f"{part} {op}", detail, implementation)
                continue
            now = counts[part].get(op, 0) if part in counts else before
            if now < before:
                detail = f"{before:,} cases were answered, now {now:,}"
                yield _coverage_loss(f"{part} {op}", detail, implementation)


def _coverage_loss(identifier: str, detail: str, implementation: str) -> Finding:
    """Return a finding on lost coverage, with a result of its own, as no single case has one for it."""
    unsupported = Result(identifier, implementation, Outcome.UNSUPPORTED, detail=detail)
    return Finding("coverage", identifier, result=unsupported)


def count_asked_entries(
    baseline: Baseline, results: Results, implementation: str, specs: Collection[str] = ()
) -> int:
    """Count the entries whose vector was asked and judged, or whose generated part was asked in full."""
    asked_ids = {tally.part for tally in results.tallies_of(implementation, specs) if tally.digest}
    for identifier in results.of(implementation):
        if not specs or results.vectors[identifier].case.spec in specs:
            asked_ids.add(identifier)
    return sum(entry.id in asked_ids for entry in baseline.entries)


def misfit_reason(baseline: Baseline, participant: Participant, specs: Collection[str] = ()) -> str:
    """Say why a baseline is for another implementation or other RFCs. Return "" if the baseline fits."""
    implementation = participant.implementation
    name = participant.name if implementation is None else implementation.name
    if baseline.implementation not in (name, participant.name):
        return f"it was made for implementation {baseline.implementation!r}, but this one is {name!r}"
    not_covered = sorted(set(specs) - set(baseline.spec))
    if not_covered:
        covered = ", ".join(baseline.spec) or "no RFC"
        return f"it was made for {covered}, but this run also judges {', '.join(not_covered)}"
    return ""
