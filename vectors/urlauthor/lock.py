"""Vectors.lock: read, render, compare, changelog, next version."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any, Literal, NamedTuple

from urlharness.corpus.describe import asked, expectation
from urlharness.corpus.lock import (
    _VERSION,
    Lock,
    LockedVector,
    LockError,
    Tombstone,
    locked_vector,
    locked_vectors,
)
from urlharness.corpus.model import COMPLIANCE_LEVELS, Corpus
from urlharness.text import plain as spelled_out

# -------------------- authoring.lock: `vectors.lock`: of each vector what users rely on, so that no answer changes and no id comes back unseen.


FIRST_VERSION = "1.0.0"


def relock(corpus: Corpus, old: Lock | None, *, reason: str = "", version: str = "") -> Lock:
    """The lock of a corpus; what vanished since `old` gets a tombstone of `reason`.

    `version` is the version from now on, by default that of `old`.  Raises LockError where a vector has
    vanished without a reason, where the id of a tombstone is used again, and for a version that is none
    or not a later one.
    """
    found = locked_vectors(corpus)
    if old is None:
        return Lock(_later(version or FIRST_VERSION, "0.0.0"), corpus.digest, found, {})
    reused = sorted(found.keys() & old.tombstones.keys())
    if reused:
        raise LockError(f"removed once, and never used again: {', '.join(reused)}")
    gone = sorted(old.entries.keys() - found.keys())
    reason = " ".join(reason.split())
    if gone and not reason:
        raise LockError(f"removed without a reason (--reason): {', '.join(gone)}")
    if not reason.isascii():
        raise LockError("a reason is ASCII, as the corpus is")
    current = _later(version, old.version) if version else old.version
    tombstones = {**old.tombstones, **dict.fromkeys(gone, Tombstone(current, reason))}
    return Lock(current, corpus.digest, found, tombstones)


def version_numbers(version: str) -> tuple[int, ...]:
    """Major, minor and patch of a version; raises LockError for what is none."""
    match = _VERSION.fullmatch(version)
    if match is None:
        raise LockError(f"{version!r} is no version such as 1.2.0")
    return tuple(map(int, match.groups()))


def _later(version: str, than: str) -> str:
    if version_numbers(version) <= version_numbers(than):
        raise LockError(f"version {version} is not later than {than}")
    return version


# -------------------- authoring.comparing: What changed between two locks, and the step of the version that follows (docs/authoring.md).


#: How much a binding can hold against an answer that is not listed: nothing, an outcome, the gate.
_FORCE = {"unspecified": 0, "impl-defined": 0, "permitted-set": 1, "literal-only": 1, "required": 2}


class Step(IntEnum):
    """How the version moves."""

    NONE = 0
    PATCH = 1
    MINOR = 2
    MAJOR = 3


def step(old: Lock, new: Lock) -> Step:
    """The step that follows from all changes; a change of words alone is a patch."""
    steps = [change.step for change in compare(old.entries, new)]
    return max(steps, default=Step.PATCH if old.digest != new.digest else Step.NONE)


class Change(NamedTuple):
    """One vector that is not what it was, in a clause, and the step that this alone asks for."""

    id: str
    kind: Literal["added", "changed", "removed"]
    clause: str
    step: Step


def compare(old: Mapping[str, LockedVector], new: Lock) -> list[Change]:
    """Every difference, by id; a removed vector is told with the reason on its tombstone."""
    found = []
    for name in sorted(old.keys() | new.entries.keys()):
        if name not in old:
            found.append(Change(name, "added", "new", Step.MINOR))
        elif name not in new.entries:
            grave = new.tombstones.get(name)
            clause = grave.reason if grave else "no tombstone says why"
            found.append(Change(name, "removed", clause, Step.MAJOR))
        elif old[name] != new.entries[name]:
            clauses = changes(old[name], new.entries[name])
            clause = ", ".join(clause for clause, _ in clauses)
            found.append(Change(name, "changed", clause, max(step for _, step in clauses)))
    return found


def changes(old: LockedVector, new: LockedVector) -> list[tuple[str, Step]]:
    """What differs between two entries of one vector, each in a clause with its step.

    A change is major where a library that passed yesterday may fail today by a vector that it passed.
    """
    found = []
    if old.question != new.question:
        found.append(("it asks something else", Step.MAJOR))
    if old.answer != new.answer:
        found.append(("it expects something else", Step.MAJOR))
    if old.binding != new.binding:
        stricter = _FORCE.get(new.binding, 2) > _FORCE.get(old.binding, 0)
        found.append((f"binding {old.binding} became {new.binding}", Step.MAJOR if stricter else Step.MINOR))
    if old.level != new.level:
        stricter = new.level in COMPLIANCE_LEVELS and old.level not in COMPLIANCE_LEVELS
        found.append((f"level {old.level} became {new.level}", Step.MAJOR if stricter else Step.MINOR))
    return found


def next_version(version: str, following: Step) -> str:
    """The version after a step: `1.2.3` becomes `2.0.0`, `1.3.0` or `1.2.4`."""
    major, minor, patch = version_numbers(version)
    match following:
        case Step.MAJOR:
            return f"{major + 1}.0.0"
        case Step.MINOR:
            return f"{major}.{minor + 1}.0"
        case Step.PATCH:
            return f"{major}.{minor}.{patch + 1}"
        case _:
            return version


def faults(old: Lock, new: Lock) -> list[str]:
    """What must never happen between two locks: ids that vanish or come back, a version left behind."""
    gone = sorted(old.entries.keys() - new.entries.keys() - new.tombstones.keys())
    back = sorted(new.entries.keys() & old.tombstones.keys())
    lost = sorted(old.tombstones.keys() - new.tombstones.keys() - set(back))
    found = [f"{name}: removed, and no tombstone says why" for name in gone]
    found += [f"{name}: removed once, and used again" for name in back]
    found += [f"{name}: its tombstone is gone" for name in lost]
    needed = next_version(old.version, step(old, new))
    if version_numbers(new.version) < version_numbers(needed):
        found.append(f"version {new.version}, but the changes ask for {needed} or later")
    return found


# -------------------- authoring.changelog: The changelog of the corpus: what two locks differ in, in words, and the version that follows.


_HEADINGS = {"added": "Added", "changed": "Changed", "removed": "Removed"}


def plain(old: Lock, new: Lock) -> dict[str, Any]:
    """The changes for JSON: versions, the step, and each change with the step that it alone asks for."""
    following = step(old, new)
    return {
        "from": old.version,
        "to": new.version,
        "step": following.name.lower(),
        "next": next_version(old.version, following),
        "changes": [
            {**change._asdict(), "step": change.step.name.lower()} for change in compare(old.entries, new)
        ],
    }


def words(old: Lock, new: Lock, corpus: Corpus) -> str:
    """The changes as Markdown; of vectors that `corpus` has as they are locked, also question and answer."""
    known = {
        case.vector.id: _told(case.vector)
        for case in corpus.cases
        if case.vector.id in new.entries and locked_vector(case) == new.entries[case.vector.id]
    }
    changes = compare(old.entries, new)
    following = step(old, new)
    lines = [f"# Corpus {old.version} ({old.digest}) to {new.version} ({new.digest})", ""]
    for kind, heading in _HEADINGS.items():
        some = [change for change in changes if change.kind == kind]
        if some:
            lines += [f"## {heading} ({len(some)})", ""]
            lines += [_line(change, known.get(change.id, "")) for change in some]
            lines.append("")
    if not changes:
        lines += ["No question and no answer changed.", ""]
    needed = next_version(old.version, following)
    name = following.name.lower()
    lines.append(f"Step: {name}" + (f"; the next version is {needed}." if needed != old.version else "."))
    return "\n".join(lines)


def _line(change: Change, told: str) -> str:
    parts = [f"`{change.id}`", change.clause if change.kind != "added" else "", told]
    return "- " + "; ".join(part for part in parts if part)


def _told(vector: Any) -> str:
    """Question and expectation on one line, every odd character spelled out."""
    given = ", ".join(f"{name} {value}" for name, value in asked(vector))
    text = f"{vector.op} {given}: {expectation(vector.expect)}"
    return spelled_out(text)
