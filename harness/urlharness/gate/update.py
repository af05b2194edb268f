"""Create and update a baseline from the results of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from msgspec import structs

from urlharness.corpus.lock import vector_digest
from urlharness.corpus.model import Case, Operation
from urlharness.corpus.specifications import Spec
from urlharness.gate.baseline import ALL, FORMAT, Baseline, Entry
from urlharness.gate.findings import (
    Finding,
    count_asked,
    findings,
    removed_entries,
    retired_answers,
    shown_parts,
)
from urlharness.gate.policy import PLAIN, Policy
from urlharness.results.coverage import answered, answered_parts
from urlharness.results.model import Participant, Results, Tally
from urlharness.results.verdict import Outcome

_Key = TypeVar("_Key", bound=str)

#: The kinds of findings that make an update remove the entry, and the reason to print.
_REMOVED = {"stale": "it passes now", "unknown id": "the corpus does not have it"}


class NothingJudged(Exception):
    """No baseline can be made. Either nothing was answered, or a failing part was not asked in full."""


@dataclass
class Update:
    """An updated baseline, and how it differs from the old one.

    `changed` contains pairs (old entry, new entry). `removed` contains pairs (removed entry, reason). `lost`
    are the lost answers that the new baseline does not lock any more. `unapplied` are the findings that the
    update did not apply.
    """

    baseline: Baseline
    added: list[Entry] = field(default_factory=list)
    changed: list[tuple[Entry, Entry]] = field(default_factory=list)
    removed: list[tuple[Entry, str]] = field(default_factory=list)
    lost: list[Finding] = field(default_factory=list)
    unapplied: list[Finding] = field(default_factory=list)


def create(
    results: Results,
    participant: Participant,
    specs: Collection[str] = (),
    policy: Policy = PLAIN,
    *,
    known: Collection[str] | None = None,
) -> Baseline:
    """Return a baseline of all failing outcomes of one adapter for the RFCs `specs` (empty: all).

    `known` are the ids of the whole corpus. Without them, the baseline locks no answers. Raise NothingJudged
    if a part of a generated tier failed but was not asked in full.
    """
    about = participant.implementation
    empty = Baseline(
        schema=FORMAT,
        corpus=results.header.corpus,
        implementation=participant.name if about is None else about.name,
        spec=(),
        entries=(),
    )
    made = update(empty, results, participant, specs, policy, known=known)
    if parts := ", ".join(one.id for one in made.unapplied):
        why = f"{parts} failed, but not all its cases were asked; a baseline needs all of them"
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
    """Return the baseline with the findings of a run applied.

    Issues, notes, and the entries of vectors that were not asked are kept. With `only_shrink`, the update
    only removes stale entries and unknown ids, raises the counts of answers, and locks new answers. Without
    `only_shrink`, it also accepts new failures and losses, and it converts format 1 to format 2 if all RFCs
    that the baseline counts were asked in full. The corpus digest of the run is stored only if no finding is
    left and every entry and count was checked.
    """
    name, policy = participant.name, policy.claiming(participant)
    entries = baseline.by_id()
    parts = {tally.part: tally for tally in results.tallies_of(name)}
    made = Update(baseline)
    made.removed = [
        (entries.pop(one), "the corpus has removed it") for one in removed_entries(baseline, known)
    ]
    for one in findings(baseline, results, name, specs, policy, known=known):
        if one.kind == "coverage" or (one.kind == "lost" and one.entry is None):
            made.unapplied += [one] if only_shrink else []
            made.lost += [one] if one.kind == "lost" and not only_shrink else []
            continue
        why = _REMOVED.get(one.kind, "")
        new = None if why else _new_entry(one, results, parts, policy)
        in_part = one.id in parts and not parts[one.id].digest
        if (only_shrink and not why) or in_part:
            made.unapplied.append(one)
        elif new is None:
            end = "is not answered" if one.kind == "lost" else "does not fail"
            made.removed.append((entries.pop(one.id), why or f"it {end} any more"))
        else:
            entries[one.id] = new
            if one.entry is None:
                made.added.append(new)
            else:
                made.changed.append((one.entry, new))
    whole, generated = answered(results, name, specs, known), answered_parts(results, name, specs, known)
    before = {part: numbers for part, numbers in baseline.generated.items() if known is None or part in known}
    counted = whole.keys() >= baseline.answered.keys()
    recounted = counted and generated.keys() >= before.keys()
    spec, schema, counts = baseline.spec, baseline.schema, whole
    if not only_shrink:
        spec = tuple(sorted({*spec, *results.asked_specs(name, specs)}))
        schema = FORMAT if counted and results.of(name) else schema
    else:
        before = baseline.generated
        counts = _higher(
            _without_retired(baseline, results, whole, known),
            _without_left(baseline, results, whole, made.unapplied),
        )
        generated = _higher(before, generated)
    made.baseline = structs.replace(
        baseline,
        schema=schema,
        spec=spec,
        entries=tuple(entries[key] for key in sorted(entries)),
        answered={
            spec: numbers
            for spec, numbers in (baseline.answered | counts).items()
            if numbers or schema == FORMAT
        },
        generated={part: numbers for part, numbers in (before | generated).items() if numbers},
    )
    if schema == FORMAT:
        left = {one.id for one in made.unapplied}
        made.baseline = _with_locks(made.baseline, baseline, results, name, whole, left)
        complete = _complete_answers(made.baseline, baseline, results, name, whole, left)
        made.baseline = structs.replace(made.baseline, complete=complete)
    if recounted and not made.unapplied and count_asked(made.baseline, results, name, specs) == len(entries):
        made.baseline = structs.replace(made.baseline, corpus=results.header.corpus)
    return made


def _with_locks(
    made: Baseline,
    old: Baseline,
    results: Results,
    name: str,
    whole: Collection[Spec],
    left: Collection[str],
) -> Baseline:
    """Return the baseline `made` with the answers of a run locked.

    The locks of the vectors in `left` stay as in the baseline `old`. `whole` are the RFCs that were asked in
    full. For other RFCs, only the locks of asked vectors change. If the corpus is not that of `old`, other
    vectors may be new, so only the locks of vectors that `old` lists as exceptions or as complete change.
    """
    outcomes, entries = results.of(name), made.by_id()
    counts = {spec: Counter(numbers) for spec, numbers in made.answered.items()}
    partly: dict[Spec, dict[str, dict[str, Any]]] = {}
    unanswered: dict[Spec, dict[Operation, tuple[str, ...] | Literal["all"]]] = {}
    for spec in made.answered:
        cases = [
            one.case
            for one in results.vectors.values()
            if one.case.spec == spec and one.case.vector.id in outcomes
        ]
        ids: dict[Operation, set[str]] = {}
        for case in cases:
            ids.setdefault(case.vector.op, set()).add(case.vector.id)
        every = {op for op, listed in old.unanswered.get(spec, {}).items() if listed == ALL}
        parts = dict(old.partly.get(spec, {}))
        silent = {
            op: set(ids.get(op, ()) if op in every else listed)
            for op, listed in old.unanswered.get(spec, {}).items()
        }
        listed = set(parts).union(*silent.values())
        complete = set().union(*old.complete.get(spec, {}).values())
        if spec in whole:
            parts = {one: shown for one, shown in parts.items() if one in left}
            silent = {op: names.intersection(left) for op, names in silent.items()}
            every = set()
        for case in cases:
            identifier, op, result = case.vector.id, case.vector.op, outcomes[case.vector.id]
            known = spec in whole or identifier in listed or identifier in complete
            known = known or old.corpus == results.header.corpus
            if identifier in left or op in every or not known:
                continue
            parts.pop(identifier, None)
            silent.setdefault(op, set()).discard(identifier)
            if spec not in whole and identifier not in listed and not result.outcome.complete:
                counts[spec][op] -= 1
            if identifier in entries:
                continue
            if result.outcome is Outcome.PARTIAL:
                parts[identifier] = shown_parts(case, result)
            elif not result.outcome.answered:
                silent[op].add(identifier)
        partly[spec] = parts
        unanswered[spec] = {
            op: ALL if op in every or (spec in whole and names == ids.get(op)) else tuple(sorted(names))
            for op, names in silent.items()
            if names or op in every
        }
    return structs.replace(
        made,
        answered={spec: dict(sorted((+numbers).items())) for spec, numbers in counts.items()},
        partly={spec: parts for spec, parts in partly.items() if parts},
        unanswered={spec: names for spec, names in unanswered.items() if names},
    )


def _complete_answers(
    made: Baseline,
    old: Baseline,
    results: Results,
    name: str,
    whole: Collection[Spec],
    left: Collection[str],
) -> dict[Spec, dict[Operation, tuple[str, ...]]]:
    """Return the ids of the vectors with a complete answer, by RFC and operation.

    The arguments are those of `_with_locks`. If `old` does not list the complete answers of an RFC, this RFC
    is in the result only if it was asked in full, and no answer is left that `old` may never have counted.
    """
    left_specs = {
        results.vectors[identifier].case.spec for identifier in left if identifier in results.vectors
    }
    same_corpus = old.corpus == results.header.corpus
    complete: dict[Spec, dict[Operation, tuple[str, ...]]] = {}
    outcomes, entries = results.of(name), old.by_id()
    for spec in made.answered:
        # of another corpus, a vector in `left` may be new, and nothing may lock an answer that it never had
        is_known = spec in whole and (same_corpus or spec not in left_specs)
        if spec not in old.complete and not is_known:
            continue
        identifiers: dict[Operation, set[str]] = {}
        if spec not in whole:
            identifiers = {op: set(listed) for op, listed in old.complete[spec].items()}
        for asked in results.vectors.values():
            identifier, op = asked.case.vector.id, asked.case.vector.op
            if asked.case.spec != spec or identifier not in outcomes:
                continue
            answers = identifiers.setdefault(op, set())
            is_complete = outcomes[identifier].outcome.complete
            if identifier in left:
                is_complete = _was_complete(old, asked.case, entries.get(identifier))
            if is_complete:
                answers.add(identifier)
            else:
                answers.discard(identifier)
        complete[spec] = {op: tuple(sorted(answers)) for op, answers in identifiers.items() if answers}
    return {spec: listed for spec, listed in complete.items() if listed}


def _was_complete(old: Baseline, case: Case, entry: Entry | None) -> bool:
    """Return True if the answer to a case, for which there is a finding, was complete in a baseline."""
    spec, op, identifier = case.spec, case.vector.op, case.vector.id
    if entry is not None:
        return Outcome(entry.outcome).complete
    unanswered = old.unanswered.get(spec, {}).get(op, ())
    return identifier not in old.partly.get(spec, {}) and unanswered != ALL and identifier not in unanswered


def _without_retired(
    baseline: Baseline, results: Results, whole: Collection[Spec], known: Collection[str] | None
) -> dict[Spec, dict[Operation, int]]:
    """Return the counts of a baseline without answers to vectors that the corpus has removed since.

    Only the counts of the RFCs in `whole`, which were asked in full, can change.
    """
    cases = [asked.case for asked in results.vectors.values()]
    retired = retired_answers(baseline, cases, results.header.corpus, known)
    counts: dict[Spec, dict[Operation, int]] = {}
    for spec, numbers in baseline.answered.items():
        counts[spec] = dict(numbers)
        if spec in whole:
            counts[spec] = {op: count - retired[spec, op] for op, count in numbers.items()}
    return counts


def _without_left(
    baseline: Baseline,
    results: Results,
    counts: Mapping[Spec, Mapping[Operation, int]],
    left: Sequence[Finding],
) -> dict[Spec, dict[Operation, int]]:
    """Return the counts without complete answers to vectors that the baseline still lists as exceptions.

    The answers in question are those of the findings in `left`, which the update does not apply.
    """
    found = {spec: Counter(numbers) for spec, numbers in counts.items()}
    for one in left:
        if one.id in results.vectors and one.result is not None and one.result.outcome.complete:
            case = results.vectors[one.id].case
            silent = baseline.unanswered.get(case.spec, {}).get(case.vector.op, ())
            if case.spec in found and (
                one.id in baseline.partly.get(case.spec, ()) or silent == ALL or one.id in silent
            ):
                found[case.spec][case.vector.op] -= 1
    return {spec: dict(numbers) for spec, numbers in found.items()}


def _new_entry(one: Finding, results: Results, parts: Mapping[str, Tally], policy: Policy) -> Entry | None:
    """Return the new entry for a finding, or None if nothing fails. The old issue and note are kept."""
    result = one.result
    assert result is not None
    if tally := parts.get(one.id):
        fails, digest, got = bool(policy.failing_outcomes(tally)), tally.digest[:12], result.got
    else:
        case = results.vectors[one.id].case
        fails, digest, got = policy.fails(case, result), vector_digest(case), result.answer
    if not fails:
        return None
    outcome: Any = result.outcome.value
    old = one.entry
    return Entry(one.id, outcome, got, digest, old.issue if old else "", old.note if old else "")


def _higher(
    before: Mapping[_Key, Mapping[Operation, int]], now: Mapping[_Key, Mapping[Operation, int]]
) -> dict[_Key, dict[Operation, int]]:
    """Return, for each RFC or part in `before`, the higher of the two counts of each operation."""
    return {key: dict(Counter(old) | Counter(now.get(key, {}))) for key, old in before.items()}
