"""Compare locks: make the next lock, the changelog between two locks, and the next version."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Any, Literal, NamedTuple

from urlharness.bundle.folder import bundle_digest
from urlharness.corpus.describe import describe_expected, describe_inputs
from urlharness.corpus.loader import VERSION
from urlharness.corpus.lock import Lock, LockedVector, LockError, Tombstone, locked_vector, locked_vectors
from urlharness.corpus.model import COMPLIANCE_LEVELS, Corpus, Vector
from urlharness.text import plain

FIRST_VERSION = "1.0.0"

#: The effect of each binding on an unlisted answer: 0: ignore it, 1: report it, 2: fail the gate.
_FORCE = {"unspecified": 0, "impl-defined": 0, "permitted-set": 1, "literal-only": 1, "required": 2}
_WEAKEST = min(_FORCE.values())
_STRICTEST = max(_FORCE.values())
_HEADINGS = {"added": "Added", "changed": "Changed", "removed": "Removed"}


class VersionStep(IntEnum):
    """The part of the corpus version to increase (docs/authoring.md)."""

    NONE = 0
    PATCH = 1
    MINOR = 2
    MAJOR = 3


class VectorChange(NamedTuple):
    """A changed vector: what changed, in words, and the version step that this change requires."""

    id: str
    kind: Literal["added", "changed", "removed"]
    clause: str
    step: VersionStep


def relock(corpus: Corpus, old: Lock | None, *, reason: str = "", version: str = "") -> Lock:
    """Return the lock of a corpus.  A vector that was removed since `old` gets a tombstone with `reason`.

    `version` is the new version (default: the version of `old`).  Raise LockError if a vector was removed
    without a reason, if the reason is not ASCII text, or if a removed id is used again.  Also raise it if the
    new version is malformed or not later than the version of `old`.
    """
    entries = locked_vectors(corpus)
    if old is None:
        first_version = version or FIRST_VERSION
        _check_later(first_version, "0.0.0")
        return Lock(first_version, corpus.digest, entries, {}, bundle_digest(corpus, first_version))
    reused = sorted(entries.keys() & old.tombstones.keys())
    if reused:
        raise LockError(f"ids of removed vectors are never used again: {', '.join(reused)}")
    removed = sorted(old.entries.keys() - entries.keys())
    reason_on_one_line = " ".join(reason.split())
    if removed and not reason_on_one_line:
        raise LockError(f"vectors were removed without a reason (--reason): {', '.join(removed)}")
    if not reason_on_one_line.isascii():
        raise LockError("the reason must be ASCII text")
    if version:
        _check_later(version, old.version)
    new_version = version or old.version
    tombstone = Tombstone(new_version, reason_on_one_line)
    tombstones = {**old.tombstones, **dict.fromkeys(removed, tombstone)}
    return Lock(new_version, corpus.digest, entries, tombstones, bundle_digest(corpus, new_version))


def compare_locks(old: Mapping[str, LockedVector], new: Lock) -> list[VectorChange]:
    """Return all changes, sorted by id.  The `clause` of a removed vector is the reason in its tombstone."""
    changes = []
    for name in sorted(old.keys() | new.entries.keys()):
        if name not in old:
            changes.append(VectorChange(name, "added", "new", VersionStep.MINOR))
        elif name not in new.entries:
            tombstone = new.tombstones.get(name)
            reason = tombstone.reason if tombstone else "there is no tombstone with a reason"
            changes.append(VectorChange(name, "removed", reason, VersionStep.MAJOR))
        elif old[name] != new.entries[name]:
            differences = vector_changes(old[name], new.entries[name])
            clause = ", ".join(description for description, _ in differences)
            largest_step = max(step for _, step in differences)
            changes.append(VectorChange(name, "changed", clause, largest_step))
    return changes


def vector_changes(old: LockedVector, new: LockedVector) -> list[tuple[str, VersionStep]]:
    """Return (description, version step) for each change of a vector.

    A change is major if a library that passed the old vector may fail the new one.
    """
    changes = []
    if old.question != new.question:
        changes.append(("the question changed", VersionStep.MAJOR))
    if old.answer != new.answer:
        changes.append(("the expected answer changed", VersionStep.MAJOR))
    if old.binding != new.binding:
        # a binding that this version does not know counts as the strictest new one, and the weakest old one
        is_stricter = _FORCE.get(new.binding, _STRICTEST) > _FORCE.get(old.binding, _WEAKEST)
        step = VersionStep.MAJOR if is_stricter else VersionStep.MINOR
        changes.append((f"binding {old.binding} became {new.binding}", step))
    if old.level != new.level:
        is_stricter = new.level in COMPLIANCE_LEVELS and old.level not in COMPLIANCE_LEVELS
        step = VersionStep.MAJOR if is_stricter else VersionStep.MINOR
        changes.append((f"level {old.level} became {new.level}", step))
    return changes


def version_step(old: Lock, new: Lock) -> VersionStep:
    """Return the largest version step that one of the changes requires.

    If no vector changed, the step is a patch if the digest of the corpus or the form of the bundle differs,
    and otherwise none.
    """
    changes = compare_locks(old.entries, new)
    if changes:
        return max(change.step for change in changes)
    differs = old.digest != new.digest or _has_bundle_of_another_form(old, new)
    return VersionStep.PATCH if differs else VersionStep.NONE


def _has_bundle_of_another_form(old: Lock, new: Lock) -> bool:
    """Return True if two locks of the same corpus have different bundles.

    A bundle contains the version of its corpus, so those of two versions always differ.
    """
    is_known = bool(old.bundle and new.bundle)
    return is_known and old.version == new.version and old.bundle != new.bundle


def next_version(version: str, step: VersionStep) -> str:
    """Return the version after a step: `1.2.3` becomes `2.0.0`, `1.3.0` or `1.2.4`."""
    major, minor, patch = _version_numbers(version)
    match step:
        case VersionStep.MAJOR:
            return f"{major + 1}.0.0"
        case VersionStep.MINOR:
            return f"{major}.{minor + 1}.0"
        case VersionStep.PATCH:
            return f"{major}.{minor}.{patch + 1}"
        case _:
            return version


def lock_faults(old: Lock, new: Lock) -> list[str]:
    """Return messages for vanished or reused ids, missing tombstones, and a version that is too low."""
    vanished = old.entries.keys() - new.entries.keys() - new.tombstones.keys()
    reused = new.entries.keys() & old.tombstones.keys()
    lost = old.tombstones.keys() - new.tombstones.keys() - reused
    faults = [f"{name}: removed, but there is no tombstone with a reason" for name in sorted(vanished)]
    faults += [f"{name}: the id of a removed vector is used again" for name in sorted(reused)]
    faults += [f"{name}: its tombstone is missing" for name in sorted(lost)]
    needed = next_version(old.version, version_step(old, new))
    if _version_numbers(new.version) < _version_numbers(needed):
        faults.append(f"version {new.version}, but the changes require {needed} or later")
    return faults


def changelog_json(old: Lock, new: Lock) -> dict[str, Any]:
    """Return the changes as JSON data: versions, the version step, and each change with its step."""
    step = version_step(old, new)
    changes = []
    for change in compare_locks(old.entries, new):
        fields = change._asdict()
        fields["step"] = change.step.name.lower()
        changes.append(fields)
    return {
        "from": old.version,
        "to": new.version,
        "step": step.name.lower(),
        "next": next_version(old.version, step),
        "bundle": {"from": old.bundle, "to": new.bundle},
        "changes": changes,
    }


def changelog_markdown(old: Lock, new: Lock, corpus: Corpus) -> str:
    """Return the changes as Markdown.

    A change is shown with question and answer if the vector in `corpus` is the one that `new` locks.
    """
    descriptions = {}
    for case in corpus.cases:
        vector = case.vector
        if new.entries.get(vector.id) == locked_vector(case):
            descriptions[vector.id] = _describe(vector)
    changes = compare_locks(old.entries, new)
    heading = f"# Corpus {old.version} ({old.digest}) to {new.version} ({new.digest})"
    lines = [heading, "", f"Bundle: {_bundles_in_words(old, new)}", ""]
    for kind, heading_of_kind in _HEADINGS.items():
        changes_of_kind = [change for change in changes if change.kind == kind]
        if not changes_of_kind:
            continue
        lines += [f"## {heading_of_kind} ({len(changes_of_kind)})", ""]
        lines += [_markdown_item(change, descriptions.get(change.id, "")) for change in changes_of_kind]
        lines.append("")
    if not changes:
        lines += ["No question and no answer changed.", ""]
    lines.append(_step_in_words(old, new))
    return "\n".join(lines)


def _step_in_words(old: Lock, new: Lock) -> str:
    """Return the version step between two locks, and the next version if it is another one."""
    step = version_step(old, new)
    needed = next_version(old.version, step)
    end = f"; the next version is {needed}." if needed != old.version else "."
    return f"Step: {step.name.lower()}{end}"


def _bundles_in_words(old: Lock, new: Lock) -> str:
    """Return the digest of the bundle of the new lock, and that of the old one if it is a different one."""
    if not new.bundle:
        return "its digest is not locked."
    if old.bundle == new.bundle:
        return f"unchanged, `{new.bundle}`."
    return f"`{old.bundle or 'not locked'}` became `{new.bundle}`."


def _markdown_item(change: VectorChange, description: str) -> str:
    """Return the list item of a change, with its clause unless it only says that the vector is new."""
    clause = "" if change.kind == "added" else change.clause
    parts = [part for part in (f"`{change.id}`", clause, description) if part]
    return f"- {'; '.join(parts)}"


def _version_numbers(version: str) -> tuple[int, ...]:
    """Return major, minor and patch.  Raise LockError if the version is malformed."""
    match = VERSION.fullmatch(version)
    if match is None:
        raise LockError(f"{version!r} is not a version such as 1.2.0")
    return tuple(map(int, match.groups()))


def _check_later(version: str, earlier: str) -> None:
    """Raise LockError unless a version is later than another one, or if one is malformed."""
    if _version_numbers(version) <= _version_numbers(earlier):
        raise LockError(f"version {version} is not later than {earlier}")


def _describe(vector: Vector) -> str:
    """Return question and expected answer on one line, with invisible characters escaped."""
    inputs = ", ".join(f"{name} {text}" for name, text in describe_inputs(vector))
    answer = describe_expected(vector.expect)
    return plain(f"{vector.op} {inputs}: {answer}")
