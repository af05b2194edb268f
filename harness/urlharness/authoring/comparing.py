"""What changed between two locks, and the step of the version that follows (docs/authoring.md)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Literal, NamedTuple

from urlharness.authoring.lock import Lock, version_numbers
from urlharness.locked import Entry
from urlharness.scores import COMPLIANCE_LEVELS

#: How much a binding can hold against an answer that is not listed: nothing, an outcome, the gate.
_FORCE = {"unspecified": 0, "impl-defined": 0, "permitted-set": 1, "literal-only": 1, "required": 2}


class Step(IntEnum):
    """How the version moves."""

    NONE = 0
    PATCH = 1
    MINOR = 2
    MAJOR = 3


class Change(NamedTuple):
    """One vector that is not what it was, in a clause, and the step that this alone asks for."""

    id: str
    kind: Literal["added", "changed", "removed"]
    clause: str
    step: Step


def compare(old: Mapping[str, Entry], new: Lock) -> list[Change]:
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


def changes(old: Entry, new: Entry) -> list[tuple[str, Step]]:
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


def step(old: Lock, new: Lock) -> Step:
    """The step that follows from all changes; a change of words alone is a patch."""
    steps = [change.step for change in compare(old.entries, new)]
    return max(steps, default=Step.PATCH if old.digest != new.digest else Step.NONE)


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
