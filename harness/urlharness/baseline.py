"""A baseline: the answers of one implementation that are known to be wrong, and what a run finds against it.

A list is exact.  An outcome that is not listed is a finding, and so is one that is listed and has become
right or wrong in another way.  The published schema (`baseline.schema.json`) and the types here accept the
same files; a test shows it.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import msgspec

from urlharness.answered import answered
from urlharness.corpus import Case, Operation, Spec
from urlharness.entries import entry_of, repeated_key
from urlharness.facts import Count
from urlharness.locked import entry as locked
from urlharness.policy import PLAIN, Policy
from urlharness.results import Participant, Result, Results, Tally
from urlharness.versions import decoding_error
from urlharness.whole_files import write_whole

Kind = Literal["regression", "stale", "changed", "moved", "unknown id", "coverage"]
KINDS: tuple[Kind, ...] = get_args(Kind)

#: What can be listed: no outcome of an adapter that gave up.  A pass fails where a policy pins a variant,
#: and what is unsupported or partial where the policy is strict.
Listed = Literal[
    "pass", "variant", "partial", "fail", "unsupported", "error", "timeout", "crash", "garbage", "no-answer"
]

#: Fields of a reply that no verdict is made from: free text, and what only the reference says.
_UNJUDGED = ("message", "at", "rules", "layer", "section", "also", "may_reject", "rulings")
_UNJUDGED_OF_REFERENCE = ("message", "layer", "section", "also", "may_reject", "rulings")

_FROZEN: dict[str, Any] = {"frozen": True, "forbid_unknown_fields": True, "omit_defaults": True}

# `$` would let an end of line pass
_Id = Annotated[str, msgspec.Meta(pattern=r"^[!-~]+(?![\s\S])")]
_Digest = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{12}(?![\s\S])")]


class BaselineError(Exception):
    """A baseline that cannot be used (exit code 6); the message names the file and the place in it."""


class Entry(msgspec.Struct, **_FROZEN):
    """One known wrong answer: the id of the vector, the outcome, the answer, and the digest of the vector.

    `got` is the answer as far as a verdict depends on it, and empty where there was none.  `issue` and `note`
    are the reader's own, and are kept.
    """

    id: _Id
    outcome: Listed
    got: dict[str, Any]
    digest: _Digest
    issue: str = ""
    note: str = ""


class Baseline(msgspec.Struct, **_FROZEN):
    """The known wrong answers of one implementation over some RFCs, and the corpus they were seen with.

    `answered` has for an RFC, and an operation, how many vectors were answered in full, be it wrongly, where
    all vectors of the RFC were asked; of RFCs in `spec` alone.
    """

    schema: Literal["urlbaseline-1"]
    corpus: _Digest
    implementation: Annotated[str, msgspec.Meta(min_length=1)]
    spec: tuple[Spec, ...]
    entries: tuple[Entry, ...]
    answered: dict[Spec, dict[Operation, Count]] = {}

    def by_id(self) -> dict[str, Entry]:
        """Each entry by the id of its vector."""
        return {entry.id: entry for entry in self.entries}


class Finding(msgspec.Struct, frozen=True):
    """One difference between a baseline and a run; a regression is not listed, an unknown id not found.

    The id is that of a vector or of a part of a generated tier; where coverage was lost it is an RFC and an
    operation, and the detail of what was found has the numbers.
    """

    kind: Kind
    id: str
    listed: Entry | None = None
    found: Result | None = None


def read_baseline(path: Path) -> Baseline:
    """The baseline in a file; raises BaselineError."""
    try:
        octets = path.read_bytes()
    except FileNotFoundError:
        raise BaselineError(f"{path}: no such file; urlconform baseline create makes one") from None
    except OSError as error:
        raise BaselineError(f"{path}: {error.strerror}") from None
    return parse_baseline(octets, str(path))


def parse_baseline(octets: bytes, name: str) -> Baseline:
    """The baseline that a text says; raises BaselineError, which names the file and the entry."""
    try:
        baseline = msgspec.json.decode(octets, type=Baseline)
        twice = repeated_key(octets)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        where = entry_of(octets, str(error), ("entries",))
        raise BaselineError(f"{name}: {decoding_error(octets, error, Baseline)}{where}") from None
    if twice is not None:
        raise BaselineError(f"{name}: the key {twice!r} stands there twice in one object")
    seen: set[str] = set()
    for entry in baseline.entries:
        if entry.id in seen:
            raise BaselineError(f"{name}: {entry.id}: listed twice")
        seen.add(entry.id)
    for spec in sorted(baseline.answered.keys() - set(baseline.spec)):
        why = "its `spec` does not name that RFC: name it there, or take the numbers out"
        raise BaselineError(f"{name}: answered.{spec}: {why}")
    return baseline


def canonical(baseline: Baseline) -> str:
    """The canonical text: ASCII, an RFC or an entry a line, in order, so that git shows what changed."""
    head = {
        "schema": baseline.schema,
        "corpus": baseline.corpus,
        "implementation": baseline.implementation,
        "spec": sorted(set(baseline.spec)),
    }
    lines = [f' "{name}": {json.dumps(value)},' for name, value in head.items()]
    if baseline.answered:
        counts = [
            f'  "{spec}": {json.dumps(dict(sorted(of.items())))}'
            for spec, of in sorted(baseline.answered.items())
        ]
        lines += [' "answered": {', ",\n".join(counts), " },"]
    entries = sorted(baseline.entries, key=lambda entry: entry.id)
    listed = ",\n".join(f"  {_line(entry)}" for entry in entries)
    body = f"[\n{listed}\n ]" if listed else "[]"
    return "\n".join(("{", *lines, f' "entries": {body}', "}")) + "\n"


def write_baseline(baseline: Baseline, path: Path) -> None:
    """Write the canonical text; raises OSError, which names the file.

    A list that is there stays as it was unless all of the new one could be written.
    """
    write_whole(path, canonical(baseline))


def digest(case: Case) -> str:
    """The digest of a vector: what vectors.lock has of it, as one."""
    return locked(case).digest


def answer(result: Result) -> dict[str, Any]:
    """The reply of a result as far as its verdict depends on it; empty where there was none."""
    dropped = _UNJUDGED_OF_REFERENCE if result.implementation == "reference" else _UNJUDGED
    return {name: value for name, value in sorted(result.got.items()) if name not in dropped}


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
    right = result.outcome in ("pass", "variant") and not failing
    same = (result.outcome, answer(result)) == (entry.outcome, entry.got)
    return _found(entry, result, right=right, moved=digest(case) != entry.digest, same=same)


def part_finding(entry: Entry | None, tally: Tally, policy: Policy = PLAIN) -> Finding | None:
    """The same of a part of a generated tier, which has one entry: how many required cases fail, and how.

    An entry of a part that was not asked whole is left alone.
    """
    result = counted(tally, policy)
    if entry is None:
        return Finding("regression", tally.part, None, result) if policy.failing(tally) else None
    if not tally.digest:
        return None
    same = (result.outcome, result.got) == (entry.outcome, entry.got)
    moved = tally.digest[:12] != entry.digest
    return _found(entry, result, right=not policy.failing(tally), moved=moved, same=same)


def counted(tally: Tally, policy: Policy = PLAIN) -> Result:
    """The count of a part as one result, whose id is the name of the part."""
    counts = policy.failing(tally)
    outcome: Any = "fail" if "fail" in counts else next(iter(counts), "pass")
    return Result(tally.part, tally.implementation, outcome, got={"required": counts})


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
        part_finding(entries.get(tally.part), tally, policy)
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
    """The operations of which fewer vectors are answered than the list says."""
    for spec, now in answered(results, implementation, specs, known).items():
        for op, before in sorted(baseline.answered.get(spec, {}).items()):
            if now.get(op, 0) < before:
                detail = f"{before:,} vectors were answered, and now {now.get(op, 0):,}"
                lost = Result(f"{spec} {op}", implementation, "unsupported", detail=detail)
                yield Finding("coverage", lost.id, None, lost)


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


def _line(entry: Entry) -> str:
    fields: Mapping[str, Any] = msgspec.to_builtins(entry)
    return json.dumps({**fields, "got": dict(sorted(entry.got.items()))})
