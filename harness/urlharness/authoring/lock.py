"""`vectors.lock`: of each vector what users rely on, so that no answer changes and no id comes back unseen.

One line a vector: id, level, binding, digest of the question, digest of the expectation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from urlharness.corpus import Corpus, CorpusError
from urlharness.locked import Entry, entry
from urlharness.release import LOCK

SCHEMA = "urllock-1"
FIRST_VERSION = "1.0.0"

_VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")
_HEAD = re.compile(rf"{SCHEMA}\nversion (?P<version>{_VERSION.pattern})\ndigest (?P<digest>[0-9a-f]{{12}})")
_ID = r"(?P<id>rfc\d{4}-[A-Za-z0-9.]+-[a-z0-9-]+)"
_ENTRY = re.compile(
    _ID + r" (?P<level>[a-z]+) (?P<binding>[a-z-]+) (?P<question>[0-9a-f]{12}) (?P<answer>[0-9a-f]{12})"
)
_TOMBSTONE = re.compile(rf"removed {_ID} (?P<version>{_VERSION.pattern}) (?P<reason>\S.*)")


class LockError(CorpusError):
    """A lock that cannot be read, or that a corpus must not be locked against; the message says why."""


class Tombstone(NamedTuple):
    """A vector that was removed: in which version, and why.  Its id is never used again."""

    version: str
    reason: str


class Lock(NamedTuple):
    """A lock as a value: version and digest of the corpus, its vectors and those that are gone, by id."""

    version: str
    digest: str
    entries: Mapping[str, Entry]
    tombstones: Mapping[str, Tombstone]


def entries(corpus: Corpus) -> dict[str, Entry]:
    """What every case of a corpus is locked with, by id."""
    return {case.vector.id: entry(case) for case in corpus.cases}


def parse(text: str, name: str = LOCK) -> Lock:
    """The lock that a text says; raises LockError, which names the line."""
    head, _, rest = text.partition("\n\n")
    known = _HEAD.fullmatch(head)
    if known is None:
        raise LockError(f"{name}: it does not begin with {SCHEMA}, a version and a digest")
    found: dict[str, Entry] = {}
    gone: dict[str, Tombstone] = {}
    for number, line in enumerate(rest.splitlines(), 5):
        entry_, tombstone = _ENTRY.fullmatch(line), _TOMBSTONE.fullmatch(line)
        match = entry_ or tombstone
        if match is None:
            if line:
                raise LockError(f"{name}: line {number}: neither a vector nor a tombstone")
            continue
        if match["id"] in found or match["id"] in gone:
            raise LockError(f"{name}: line {number}: {match['id']} stands there twice")
        if tombstone:
            gone[match["id"]] = Tombstone(match["version"], match["reason"])
        else:
            found[match["id"]] = Entry(*match.group("level", "binding", "question", "answer"))
    return Lock(known["version"], known["digest"], found, gone)


def read(path: Path) -> Lock:
    """The lock in a file; raises LockError."""
    try:
        return parse(path.read_text(encoding="ascii"), path.name)
    except OSError as error:
        raise LockError(f"{path.name}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise LockError(f"{path.name}: not ASCII") from None


def render(lock: Lock) -> str:
    """The text of a lock: its head, the vectors and then the tombstones by id, one a line."""
    lines = [SCHEMA, f"version {lock.version}", f"digest {lock.digest}", ""]
    lines += [" ".join((name, *lock.entries[name])) for name in sorted(lock.entries)]
    if lock.tombstones:
        lines.append("")
        lines += [f"removed {name} {' '.join(lock.tombstones[name])}" for name in sorted(lock.tombstones)]
    return "\n".join(lines) + "\n"


def relock(corpus: Corpus, old: Lock | None, *, reason: str = "", version: str = "") -> Lock:
    """The lock of a corpus; what vanished since `old` gets a tombstone of `reason`.

    `version` is the version from now on, by default that of `old`.  Raises LockError where a vector has
    vanished without a reason, where the id of a tombstone is used again, and for a version that is none
    or not a later one.
    """
    found = entries(corpus)
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
