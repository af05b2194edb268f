"""Create and update a baseline from the results of a run."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, TypeVar

from msgspec import structs

from urlharness.corpus.lock import vector_digest
from urlharness.corpus.model import Case, Operation
from urlharness.corpus.specifications import Spec
from urlharness.gate.baseline import ALL, DIGEST_LENGTH, FORMAT, Baseline, Entry, Format
from urlharness.gate.findings import (
    Finding,
    count_asked_entries,
    findings,
    removed_entries,
    retired_answers,
    shown_parts,
)
from urlharness.gate.policy import PLAIN, Policy
from urlharness.results.coverage import answered_by_part, answered_by_spec
from urlharness.results.model import Participant, Result, Results, Tally
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
    corpus_ids: Collection[str] | None = None,
) -> Baseline:
    """Return a baseline of all failing outcomes of one adapter for the RFCs `specs` (empty: all).

    `corpus_ids` are the ids of the whole corpus. Without them, the baseline locks no answers. Raise
    NothingJudged if a part of a generated tier failed but was not asked in full.
    """
    about = participant.implementation
    empty = Baseline(
        schema=FORMAT,
        corpus=results.header.corpus,
        implementation=participant.name if about is None else about.name,
        spec=(),
        entries=(),
    )
    changes = update(empty, results, participant, specs, policy, corpus_ids=corpus_ids)
    if changes.unapplied:
        parts = ", ".join(finding.id for finding in changes.unapplied)
        why = f"{parts} failed, but not all its cases were asked; a baseline needs all of them"
        raise NothingJudged(f"{participant.name}: {why}; nothing is written")
    return changes.baseline


def update(
    baseline: Baseline,
    results: Results,
    participant: Participant,
    specs: Collection[str] = (),
    policy: Policy = PLAIN,
    *,
    corpus_ids: Collection[str] | None = None,
    only_shrink: bool = False,
) -> Update:
    """Return the baseline with the findings of a run applied.

    Issues, notes, and the entries of vectors that were not asked are kept. With `only_shrink`, the update
    only removes stale entries and unknown ids, raises the counts of answers, and locks new answers. Without
    `only_shrink`, it also accepts new failures and losses, and it converts format 1 to format 2 if all RFCs
    that the baseline counts were asked in full. The corpus digest of the run is stored only if no finding is
    left and every entry and count was checked.
    """
    name = participant.name
    claimed_policy = policy.claiming(participant)
    changes = Update(baseline)
    entries = baseline.by_id()
    for identifier in removed_entries(baseline, corpus_ids):
        changes.removed.append((entries.pop(identifier), "the corpus has removed it"))
    tallies = {tally.part: tally for tally in results.tallies_of(name)}
    for finding in findings(baseline, results, name, specs, claimed_policy, corpus_ids=corpus_ids):
        new_entry = _new_entry(finding, results, tallies, claimed_policy)
        asked_in_part = finding.id in tallies and not tallies[finding.id].digest
        if _is_to_apply(finding, only_shrink=only_shrink, asked_in_part=asked_in_part):
            _apply_finding(finding, new_entry, entries, changes)
        else:
            changes.unapplied.append(finding)

    unapplied = frozenset(finding.id for finding in changes.unapplied)
    run = _Run(baseline, results, name, specs, corpus_ids, unapplied)
    new = _with_higher_counts(run) if only_shrink else _with_new_counts(run)
    sorted_entries = [entries[identifier] for identifier in sorted(entries)]
    new = structs.replace(new, entries=tuple(sorted_entries))
    if new.schema == FORMAT:
        new = _with_locks(new, run)
        new = structs.replace(new, complete=_complete_answers(new, run))
    if not unapplied and _is_checked_whole(new, run):
        new = structs.replace(new, corpus=results.header.corpus)
    changes.baseline = new
    return changes


def _is_checked_whole(baseline: Baseline, run: _Run) -> bool:
    """Return True if a run has checked every entry and every count of a baseline."""
    checked_entries = count_asked_entries(baseline, run.results, run.name, run.specs)
    has_all_parts = run.part_counts.keys() >= _counts_of_existing_parts(run).keys()
    return run.counts_all_specs and has_all_parts and checked_entries == len(baseline.entries)


@dataclass(frozen=True)
class _Run:
    """The run by which a baseline is updated, and the baseline before the update.

    `specs` are the judged RFCs (empty: all). `corpus_ids` are the ids of the whole corpus, or None if nobody
    knows them. `unapplied` are the ids of the vectors with a finding that the update does not apply.
    """

    old: Baseline
    results: Results
    name: str
    specs: Collection[str]
    corpus_ids: Collection[str] | None
    unapplied: frozenset[str]

    @cached_property
    def counts(self) -> Mapping[Spec, Mapping[Operation, int]]:
        """The number of complete answers of each RFC that was asked in full, by operation."""
        return answered_by_spec(self.results, self.name, self.specs, self.corpus_ids)

    @cached_property
    def part_counts(self) -> Mapping[str, Mapping[Operation, int]]:
        """The number of complete answers of each generated part that was asked in full, by operation."""
        return answered_by_part(self.results, self.name, self.specs, self.corpus_ids)

    @cached_property
    def case_results(self) -> Mapping[str, Result]:
        """The results of the adapter by vector id."""
        return self.results.of(self.name)

    @property
    def counts_all_specs(self) -> bool:
        """True if each RFC that the old baseline counts was asked in full."""
        return self.counts.keys() >= self.old.answered.keys()

    @property
    def has_same_corpus(self) -> bool:
        """True if the old baseline was made with the corpus of the run, so that no vector is new."""
        return self.old.corpus == self.results.header.corpus

    @cached_property
    def cases(self) -> Mapping[Spec, list[Case]]:
        """The cases that have a result, by RFC."""
        cases: dict[Spec, list[Case]] = defaultdict(list)
        for vector in self.results.vectors.values():
            if vector.case.vector.id in self.case_results:
                cases[vector.case.spec].append(vector.case)
        return dict(cases)


# ---- entries


def _new_entry(
    finding: Finding, results: Results, tallies: Mapping[str, Tally], policy: Policy
) -> Entry | None:
    """Return the new entry for a finding, or None if nothing fails. The old issue and note are kept."""
    new = finding.result
    if new is None or finding.kind == "coverage":
        return None
    tally = tallies.get(finding.id)
    if tally is not None:
        fails = bool(policy.failing_outcomes(tally))
        digest = tally.digest[:DIGEST_LENGTH]
        answer = new.got
    else:
        case = results.vectors[finding.id].case
        fails = policy.fails(case, new)
        digest = vector_digest(case)
        answer = new.answer
    if not fails:
        return None
    outcome: Any = new.outcome.value
    issue = finding.entry.issue if finding.entry else ""
    note = finding.entry.note if finding.entry else ""
    return Entry(finding.id, outcome, answer, digest, issue, note)


def _is_loss(finding: Finding) -> bool:
    """Return True if a finding is about lost answers that are no entries."""
    return finding.kind == "coverage" or (finding.kind == "lost" and finding.entry is None)


def _is_to_apply(finding: Finding, *, only_shrink: bool, asked_in_part: bool) -> bool:
    """Return True if an update applies a finding.

    `asked_in_part` is True for the finding of a generated part of which not all cases were asked.
    """
    if _is_loss(finding):
        return not only_shrink
    return not asked_in_part and (not only_shrink or finding.kind in _REMOVED)


def _apply_finding(
    finding: Finding, new_entry: Entry | None, entries: dict[str, Entry], changes: Update
) -> None:
    """Apply a finding to the entries, and record the change. `new_entry` is None if nothing fails."""
    if finding.kind == "coverage":
        return  # it shows in the new counts
    if _is_loss(finding):
        changes.lost.append(finding)
    elif finding.kind in _REMOVED:
        changes.removed.append((entries.pop(finding.id), _REMOVED[finding.kind]))
    elif new_entry is None:
        end = "is not answered" if finding.kind == "lost" else "does not fail"
        changes.removed.append((entries.pop(finding.id), f"it {end} any more"))
    else:
        entries[finding.id] = new_entry
        if finding.entry is None:
            changes.added.append(new_entry)
        else:
            changes.changed.append((finding.entry, new_entry))


# ---- counts of answers


def _with_new_counts(run: _Run) -> Baseline:
    """Return the old baseline with the counts of the run, also where they are lower."""
    old = run.old
    schema = FORMAT if run.counts_all_specs and run.case_results else old.schema
    all_specs = run.results.asked_specs(run.name, run.specs).union(old.spec)
    answered_counts = {**old.answered, **run.counts}
    generated = {**_counts_of_existing_parts(run), **run.part_counts}
    return structs.replace(
        old,
        schema=schema,
        spec=tuple(sorted(all_specs)),
        answered=_counts_in_format(schema, answered_counts),
        generated=_without_empty_counts(generated),
    )


def _with_higher_counts(run: _Run) -> Baseline:
    """Return the old baseline with the counts of the run where they are higher."""
    old = run.old
    answered_counts = _higher_counts(_old_counts_without_retired(run), _new_counts_without_unapplied(run))
    generated = _higher_counts(old.generated, run.part_counts)
    return structs.replace(
        old,
        answered=_counts_in_format(old.schema, answered_counts),
        generated=_without_empty_counts(generated),
    )


def _counts_of_existing_parts(run: _Run) -> dict[str, dict[Operation, int]]:
    """Return the counts of the old baseline for the generated parts that the corpus has.

    Without the ids of the corpus, nobody knows which parts it has, so all of them count.
    """
    counts = run.old.generated
    if run.corpus_ids is None:
        return counts
    return {part: counts[part] for part in counts if part in run.corpus_ids}


def _counts_in_format(
    schema: Format, counts: Mapping[Spec, Mapping[Operation, int]]
) -> Mapping[Spec, Mapping[Operation, int]]:
    """Return the counts of answers as a baseline of a format has them.

    Format 2 locks the answers of an RFC without a single complete answer, too. Format 1 leaves it out.
    """
    return counts if schema == FORMAT else _without_empty_counts(counts)


def _without_empty_counts(
    counts: Mapping[_Key, Mapping[Operation, int]],
) -> dict[_Key, Mapping[Operation, int]]:
    """Return the counts without RFCs or parts that have none."""
    return {key: numbers for key, numbers in counts.items() if numbers}


def _old_counts_without_retired(run: _Run) -> dict[Spec, dict[Operation, int]]:
    """Return the old counts without answers to vectors that the corpus has removed since.

    Only the counts of the RFCs that were asked in full can change.
    """
    cases = [vector.case for vector in run.results.vectors.values()]
    retired = retired_answers(run.old, cases, run.results.header.corpus, run.corpus_ids)
    counts: dict[Spec, dict[Operation, int]] = {}
    for spec, numbers in run.old.answered.items():
        counts[spec] = dict(numbers)
        if spec in run.counts:
            for op in numbers:
                counts[spec][op] -= retired[spec, op]
    return counts


def _new_counts_without_unapplied(run: _Run) -> dict[Spec, dict[Operation, int]]:
    """Return the new counts without the answers that the update does not apply.

    They are complete answers to vectors that the baseline still lists as exceptions.
    """
    counts = {spec: Counter(numbers) for spec, numbers in run.counts.items()}
    for identifier in run.unapplied & run.case_results.keys():
        case = run.results.vectors[identifier].case
        spec = case.spec
        is_complete = run.case_results[identifier].outcome.complete
        if is_complete and spec in counts and _is_exception(run.old, case):
            counts[spec][case.vector.op] -= 1
    return {spec: dict(numbers) for spec, numbers in counts.items()}


def _higher_counts(
    before: Mapping[_Key, Mapping[Operation, int]], now: Mapping[_Key, Mapping[Operation, int]]
) -> dict[_Key, dict[Operation, int]]:
    """Return, for each RFC or part in `before`, the higher of the two counts of each operation.

    Counts of 0 are dropped.
    """
    higher = {}
    for key, old in before.items():
        new = now.get(key, {})
        higher[key] = dict(Counter(old) | Counter(new))  # the union of counters takes the maximum
    return higher


# ---- locked answers


@dataclass(frozen=True)
class _Exceptions:
    """The vectors of one RFC whose answers are not locked as complete.

    `partly` maps a vector to the parts that its answer shows. `all_unanswered` are the operations of which no
    vector is answered.
    """

    partly: dict[str, dict[str, Any]]
    unanswered: dict[Operation, set[str]]
    all_unanswered: set[Operation]

    @property
    def ids(self) -> set[str]:
        """The ids of all exceptions."""
        return set(self.partly).union(*self.unanswered.values())

    def only(self, identifiers: Collection[str]) -> _Exceptions:
        """Return the exceptions with these ids, each listed by its id."""
        partly = {identifier: parts for identifier, parts in self.partly.items() if identifier in identifiers}
        unanswered = {op: ids.intersection(identifiers) for op, ids in self.unanswered.items()}
        return _Exceptions(partly, unanswered, set())

    def updated(
        self, cases: Iterable[Case], results: Mapping[str, Result], ids_of_entries: Collection[str]
    ) -> _Exceptions:
        """Return the exceptions after new answers to some cases.

        A case is an exception if its new answer is partial or missing, unless it is an entry.
        """
        partly = dict(self.partly)
        unanswered = {op: set(ids) for op, ids in self.unanswered.items()}
        for case in cases:
            vector = case.vector
            partly.pop(vector.id, None)
            if vector.op in unanswered:
                unanswered[vector.op].discard(vector.id)
            if vector.id in ids_of_entries:
                continue
            new = results[vector.id]
            if new.outcome is Outcome.PARTIAL:
                partly[vector.id] = shown_parts(case, new)
            elif not new.outcome.answered:
                unanswered.setdefault(vector.op, set()).add(vector.id)
        return _Exceptions(partly, unanswered, self.all_unanswered)


def _with_locks(new: Baseline, run: _Run) -> Baseline:
    """Return the baseline `new` with the answers of a run locked.

    The locks of the vectors with an unapplied finding stay as they were. For RFCs that were not asked in
    full, only the locks of asked vectors change. If the corpus is another one than before, other vectors may
    be new, so only the locks of vectors that the old baseline lists as exceptions or as complete change.
    """
    counts: dict[Spec, dict[Operation, int]] = {}
    partly: dict[Spec, dict[str, dict[str, Any]]] = {}
    unanswered: dict[Spec, dict[Operation, tuple[str, ...] | Literal["all"]]] = {}
    ids_of_entries = new.by_id().keys()
    for spec, numbers in new.answered.items():
        ids_by_operation = _ids_by_operation(run.cases.get(spec, []))
        old_exceptions = _old_exceptions(run.old, spec, ids_by_operation)
        changing = _cases_with_changing_lock(spec, old_exceptions, run)
        spec_counts = +Counter(numbers)  # without counts of 0
        if spec in run.counts:
            kept_exceptions = old_exceptions.only(run.unapplied)
            all_ids = ids_by_operation
        else:
            kept_exceptions = old_exceptions
            all_ids = {}
            spec_counts -= _no_longer_complete(changing, old_exceptions.ids, run)
        counts[spec] = dict(sorted(spec_counts.items()))
        exceptions = kept_exceptions.updated(changing, run.case_results, ids_of_entries)
        if exceptions.partly:
            partly[spec] = exceptions.partly
        unanswered_ids = _listed_unanswered(exceptions, all_ids)
        if unanswered_ids:
            unanswered[spec] = unanswered_ids
    return structs.replace(new, answered=counts, partly=partly, unanswered=unanswered)


def _no_longer_complete(
    cases: Iterable[Case], exception_ids: Collection[str], run: _Run
) -> Counter[Operation]:
    """Count the cases that were locked as complete, and whose answer is not complete any more."""
    return Counter(
        case.vector.op
        for case in cases
        if case.vector.id not in exception_ids and not run.case_results[case.vector.id].outcome.complete
    )


def _ids_by_operation(cases: Iterable[Case]) -> dict[Operation, set[str]]:
    """Map each operation to the ids of its cases."""
    ids: dict[Operation, set[str]] = {}
    for case in cases:
        ids.setdefault(case.vector.op, set()).add(case.vector.id)
    return ids


def _old_exceptions(old: Baseline, spec: Spec, ids: Mapping[Operation, set[str]]) -> _Exceptions:
    """Return the exceptions of a baseline. `ids` are the asked vectors, for operations without an answer."""
    unanswered: dict[Operation, set[str]] = {}
    all_unanswered: set[Operation] = set()
    for op, unanswered_ids in old.unanswered.get(spec, {}).items():
        if unanswered_ids == ALL:
            all_unanswered.add(op)
            unanswered[op] = set(ids.get(op, ()))
        else:
            unanswered[op] = set(unanswered_ids)
    return _Exceptions(old.partly.get(spec, {}), unanswered, all_unanswered)


def _cases_with_changing_lock(spec: Spec, exceptions: _Exceptions, run: _Run) -> list[Case]:
    """Return those cases of an RFC whose results change their locks.

    If the RFC was not asked in full, cases that may be new change none, and neither do those of an operation
    without any answer. `exceptions` are those of the old baseline.
    """
    applied = [case for case in run.cases.get(spec, []) if case.vector.id not in run.unapplied]
    if spec in run.counts:
        return applied
    old_complete = run.old.complete.get(spec, {})
    old_ids = exceptions.ids.union(*old_complete.values())
    return [
        case
        for case in applied
        if case.vector.op not in exceptions.all_unanswered
        and (run.has_same_corpus or case.vector.id in old_ids)
    ]


def _listed_unanswered(
    exceptions: _Exceptions, all_ids: Mapping[Operation, set[str]]
) -> dict[Operation, tuple[str, ...] | Literal["all"]]:
    """Return the unanswered vectors by operation, as a baseline lists them.

    `all_ids` are the ids of all vectors of an RFC that was asked in full. Otherwise it is empty.
    """
    listed: dict[Operation, tuple[str, ...] | Literal["all"]] = {}
    for op, ids in exceptions.unanswered.items():
        if op in exceptions.all_unanswered or (ids and ids == all_ids.get(op)):
            listed[op] = ALL
        elif ids:
            listed[op] = tuple(sorted(ids))
    return listed


def _complete_answers(new: Baseline, run: _Run) -> dict[Spec, dict[Operation, tuple[str, ...]]]:
    """Return the ids of the vectors with a complete answer, by RFC and operation.

    If the old baseline does not list the complete answers of an RFC, they are listed only if the RFC was
    asked in full, and no finding is unapplied whose answer the old baseline may never have counted.
    """
    vectors = run.results.vectors
    unapplied_specs = {vectors[identifier].case.spec for identifier in run.unapplied & vectors.keys()}
    complete: dict[Spec, dict[Operation, tuple[str, ...]]] = {}
    for spec in new.answered:
        # in another corpus, an unapplied vector may be new, and nothing may lock an answer that it never had
        is_known = spec in run.counts and (run.has_same_corpus or spec not in unapplied_specs)
        if spec not in run.old.complete and not is_known:
            continue
        ids_by_operation = _complete_ids(spec, run)
        sorted_ids = {op: tuple(sorted(ids)) for op, ids in ids_by_operation.items() if ids}
        if sorted_ids:
            complete[spec] = sorted_ids
    return complete


def _complete_ids(spec: Spec, run: _Run) -> dict[Operation, set[str]]:
    """Return the ids of the vectors of an RFC with a complete answer, by operation.

    Vectors with an unapplied finding have the answer that the old baseline has for them. So do vectors that
    were not asked, if the RFC was not asked in full.
    """
    old = run.old
    entries = old.by_id()
    ids_by_operation: dict[Operation, set[str]] = defaultdict(set)
    if spec not in run.counts:
        for op, old_ids in old.complete[spec].items():
            ids_by_operation[op].update(old_ids)
    for case in run.cases.get(spec, []):
        identifier = case.vector.id
        is_complete = run.case_results[identifier].outcome.complete
        if identifier in run.unapplied:
            is_complete = _was_complete(old, case, entries.get(identifier))
        if is_complete:
            ids_by_operation[case.vector.op].add(identifier)
        else:
            ids_by_operation[case.vector.op].discard(identifier)
    return ids_by_operation


def _was_complete(old: Baseline, case: Case, entry: Entry | None) -> bool:
    """Return True if the answer to a case, for which there is a finding, was complete in a baseline."""
    if entry is not None:
        return Outcome(entry.outcome).complete
    return not _is_exception(old, case)


def _is_exception(baseline: Baseline, case: Case) -> bool:
    """Return True if a baseline lists a case as partly answered or unanswered."""
    if case.vector.id in baseline.partly.get(case.spec, {}):
        return True
    unanswered = baseline.unanswered.get(case.spec, {}).get(case.vector.op, ())
    return unanswered == ALL or case.vector.id in unanswered
