"""Digest, version, vectors.lock, ids that exist or existed."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from urlharness.corpus.model import OPERATIONS, Case, Corpus, CorpusError, corpus_dir

# -------------------- locked: What a vector is locked with: two words of the corpus, two digests, and one over all of it.


class LockedVector(NamedTuple):
    """What a vector was locked with: two words of the corpus, two digests."""

    level: str
    binding: str
    question: str
    answer: str

    @property
    def digest(self) -> str:
        """One digest for all of it: 12 hex digits."""
        return _digest(" ".join(self))


def locked_vector(case: Case) -> LockedVector:
    """What a case is locked with.

    Equal questions and equal expectations have equal digests, however they are written down: the default
    profile and mode are left out, and names are sorted.
    """
    vector = case.vector
    answer = json.dumps(msgspec.to_builtins(vector.expect), sort_keys=True)
    question = question_key(case.spec, msgspec.to_builtins(vector))
    return LockedVector(vector.level, vector.binding, _digest(question), _digest(answer))


def question_key(spec: str, vector: Mapping[str, Any]) -> str:
    """The question of a vector as canonical JSON: equal keys ask the same thing."""
    inputs = {key: vector[key] for key in OPERATIONS[vector["op"]].takes if vector.get(key) is not None}
    if inputs.get("profile") == default_profile(spec, inputs.get("rule")):
        del inputs["profile"]
    if inputs.get("mode") == "syntax":
        del inputs["mode"]
    return json.dumps([spec, vector["op"], inputs], sort_keys=True)


def default_profile(spec: str, rule: str | None) -> str:
    """The profile meant where none is named: scheme-specific for the rule `url` of RFC 1738 (G-06)."""
    return "scheme-specific" if spec == "rfc1738" and rule in (None, "url") else "generic"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:12]


# -------------------- release: What names a corpus: the digest over its files, and the version in the head of `vectors.lock`.


LOCK = "vectors.lock"


#: Every file that says something about URLs or about vectors; schemas say only how.
COVERED = (
    "classes.json",
    "differences/*.json",
    "flags.json",
    "paragraphs.json",
    "requirements/*.json",
    "rfc[0-9][0-9][0-9][0-9]/*.json",
    "rulings.json",
)


_HEAD = re.compile(r"^version (?P<version>\S+)\ndigest (?P<digest>[0-9a-f]{12})$", re.MULTILINE)


def covered_files(root: Path) -> list[Path]:
    """The files of the corpus at `root` over which the digest goes, in the order of their names."""
    found = (path for pattern in COVERED for path in root.glob(pattern))
    return sorted(found, key=lambda path: path.relative_to(root).as_posix())


def checksums(root: Path) -> str:
    """A line for each covered file: SHA-256 in hex digits, two blanks, its path below `root`."""
    return "".join(
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(root).as_posix()}\n"
        for path in covered_files(root)
    )


def corpus_digest(root: Path) -> str:
    """First 12 hex digits of SHA-256 over `sums`."""
    return hashlib.sha256(checksums(root).encode()).hexdigest()[:12]


def corpus_version(root: Path, found: str) -> str:
    """`1.0.0` for a corpus with the locked digest, else `1.0.0+changed`; `unlocked` without a lock."""
    try:
        with (root / LOCK).open(encoding="ascii") as stream:
            head = _HEAD.search(stream.read(400))
    except (OSError, UnicodeDecodeError):
        head = None
    if head is None:
        return "unlocked"
    return head["version"] if head["digest"] == found else f"{head['version']}+changed"


# -------------------- authoring.lock: `vectors.lock`: of each vector what users rely on, so that no answer changes and no id comes back unseen.


SCHEMA = "urllock-1"


_VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")


_LOCK_HEAD = re.compile(
    rf"{SCHEMA}\nversion (?P<version>{_VERSION.pattern})\ndigest (?P<digest>[0-9a-f]{{12}})"
)


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


def locked_vectors(corpus: Corpus) -> dict[str, LockedVector]:
    """What every case of a corpus is locked with, by id."""
    return {case.vector.id: locked_vector(case) for case in corpus.cases}


class Lock(NamedTuple):
    """A lock as a value: version and digest of the corpus, its vectors and those that are gone, by id."""

    version: str
    digest: str
    entries: Mapping[str, LockedVector]
    tombstones: Mapping[str, Tombstone]


def parse_lock(text: str, name: str = LOCK) -> Lock:
    """The lock that a text says; raises LockError, which names the line."""
    head, _, rest = text.partition("\n\n")
    known = _LOCK_HEAD.fullmatch(head)
    if known is None:
        raise LockError(f"{name}: it does not begin with {SCHEMA}, a version and a digest")
    found: dict[str, LockedVector] = {}
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
            found[match["id"]] = LockedVector(*match.group("level", "binding", "question", "answer"))
    return Lock(known["version"], known["digest"], found, gone)


def read_lock(path: Path) -> Lock:
    """The lock in a file; raises LockError."""
    try:
        return parse_lock(path.read_text(encoding="ascii"), path.name)
    except OSError as error:
        raise LockError(f"{path.name}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise LockError(f"{path.name}: not ASCII") from None


def render_lock(lock: Lock) -> str:
    """The text of a lock: its head, the vectors and then the tombstones by id, one a line."""
    lines = [SCHEMA, f"version {lock.version}", f"digest {lock.digest}", ""]
    lines += [" ".join((name, *lock.entries[name])) for name in sorted(lock.entries)]
    if lock.tombstones:
        lines.append("")
        lines += [f"removed {name} {' '.join(lock.tombstones[name])}" for name in sorted(lock.tombstones)]
    return "\n".join(lines) + "\n"


# -------------------- known_ids: Which ids a baseline may have: those of the corpus and of the parts of its tiers; and which it once had.


class KnownIds(NamedTuple):
    """The ids that exist; digest and number of cases of each generated part; why other ids are gone."""

    ids: frozenset[str]
    parts: Mapping[str, str]
    cases: Mapping[str, int]
    gone: Mapping[str, str]

    def why(self, identifier: str) -> str:
        """Why an id is not known."""
        return self.gone.get(identifier, "the corpus never had it")


class _Part(msgspec.Struct):
    tier: str
    spec: str
    digest: str
    cases: int
    rule: str | None = None

    @property
    def name(self) -> str:
        return "-".join(filter(None, (self.tier, self.spec, self.rule)))


class _Parts(msgspec.Struct):
    tiers: tuple[_Part, ...]


def known_ids(corpus: Corpus, directory: Path | None = None) -> KnownIds:
    """What is known of a corpus, that in `directory` or the installed one; raises CorpusError."""
    root = directory or corpus_dir()
    parts: dict[str, str] = {}
    cases: dict[str, int] = {}
    if (root / "tiers.json").is_file():
        try:
            read_parts = msgspec.json.decode((root / "tiers.json").read_bytes(), type=_Parts)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise CorpusError(f"{root / 'tiers.json'}: {error}") from None
        parts = {part.name: part.digest[:12] for part in read_parts.tiers}
        cases = {part.name: part.cases for part in read_parts.tiers}
    gone: dict[str, str] = {}
    if (root / LOCK).is_file():
        for name, tombstone in read_lock(root / LOCK).tombstones.items():
            gone[name] = f"removed in {tombstone.version}: {tombstone.reason}"
    ids = frozenset(case.vector.id for case in corpus.cases) | parts.keys()
    return KnownIds(ids, parts, cases, gone)
