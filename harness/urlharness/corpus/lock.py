"""vectors.lock and tiers.json: the locked state of a corpus, and the ids that exist or were removed."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import structs

from urlharness.corpus.compiled import case_ids
from urlharness.corpus.loader import LOCK, LOCK_HEAD, LOCK_SCHEMA, VERSION, short_digest
from urlharness.corpus.longtext import MAX_WHOLE_LENGTH, abbreviated
from urlharness.corpus.model import (
    OPERATIONS,
    Case,
    Corpus,
    CorpusError,
    Tier,
    Vector,
    corpus_dir,
    decode_file,
)
from urlharness.corpus.specifications import Spec, check_specs, facts
from urlharness.wording import os_reason

TIERS_FILE = "tiers.json"

_ID = r"(?P<id>rfc\d+-[A-Za-z0-9.]+-[a-z0-9-]+)"
_ENTRY = re.compile(
    _ID + r" (?P<level>[a-z]+) (?P<binding>[a-z-]+) (?P<question>[0-9a-f]{12}) (?P<answer>[0-9a-f]{12})"
)
_TOMBSTONE = re.compile(rf"removed {_ID} (?P<version>{VERSION.pattern}) (?P<reason>\S.*)")


class LockError(CorpusError):
    """The lock cannot be read, or it does not allow an operation on the corpus. The message says why."""


class LockedVector(NamedTuple):
    """The line of a vector in vectors.lock: level, binding, digest of the question, digest of the answer."""

    level: str
    binding: str
    question: str
    answer: str

    @property
    def digest(self) -> str:
        """One digest over all four fields: 12 hex digits."""
        return short_digest(" ".join(self))


class Tombstone(NamedTuple):
    """The version in which a vector was removed, and the reason. The id of the vector is never used again."""

    version: str
    reason: str


class Lock(NamedTuple):
    """The content of vectors.lock.

    `version` and `digest` are the version and the digest of the locked corpus. `entries` and `tombstones` are
    by id. `bundle` is the digest of the bundle of the corpus, or empty if the lock does not contain it.
    """

    version: str
    digest: str
    entries: Mapping[str, LockedVector]
    tombstones: Mapping[str, Tombstone]
    bundle: str = ""

    def digest_of(self, *specs: str) -> str:
        """Return the digest of all vectors of some RFCs (`digest_of_vectors`)."""
        digests = {name: entry.digest for name, entry in self.entries.items()}
        return digest_of_vectors(digests, specs)


class PinnedPart(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A part of a generated tier as tiers.json records it.

    `cases` is the number of its cases, and `digest` the SHA-256 of their lines. `rule` is None for a tier of
    one operation.
    """

    tier: Tier
    spec: Spec
    rule: str | None = None
    cases: int
    digest: str

    def __post_init__(self) -> None:
        """Raise ValueError if there is no such specification."""
        check_specs([self.spec])

    @property
    def name(self) -> str:
        """The name of the part: tier, specification and rule. The ids of its cases begin with this name."""
        return "-".join(filter(None, (self.tier, self.spec, self.rule)))


class _TiersFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    schema: Literal["urltiers-1"]
    tiers: tuple[PinnedPart, ...]


class CorpusIds(frozenset[str]):
    """The ids of the vectors of a corpus, and the names of its generated parts.

    `removed` contains the ids of removed vectors.
    """

    removed: frozenset[str] = frozenset()


class KnownIds(NamedTuple):
    """The ids of the vectors of a corpus, of its generated parts, and of its removed vectors.

    `ids` contains the ids that exist, and `gone` maps each removed id to the reason for the removal. `parts`
    maps each generated part to its digest, and `cases` maps it to its number of cases.
    """

    ids: CorpusIds
    parts: Mapping[str, str]
    cases: Mapping[str, int]
    gone: Mapping[str, str]

    def why_missing(self, identifier: str) -> str:
        """Return the reason why `identifier`, which is not in `ids`, does not exist."""
        return self.gone.get(identifier, "the corpus never contained it")


def locked_vector(case: Case) -> LockedVector:
    """Return the lock record of a case.

    The default profile and mode are left out, and names are sorted. Therefore equal questions have equal
    digests, and equal expectations have equal digests.
    """
    vector = case.vector
    fields = msgspec.to_builtins(vector)
    question = question_key(case.spec, fields)
    answer = json.dumps(fields["expect"], sort_keys=True)
    return LockedVector(vector.level, vector.binding, short_digest(question), short_digest(answer))


def vector_digest(case: Case) -> str:
    """Return the digest of the lock record of a case.

    If the texts of the case are abbreviated, return the digest that was computed from the whole texts.
    """
    return case.digest or locked_vector(case).digest


def abbreviated_case(case: Case) -> Case:
    """Return a copy of a case with long texts abbreviated, and with the digest of its whole lock record.

    If the case contains no long text, return the case itself.
    """
    # a quick test that almost every case passes
    if len(msgspec.json.encode(case.vector)) <= MAX_WHOLE_LENGTH:
        return case
    fields = msgspec.to_builtins(case.vector)
    short = abbreviated(fields)
    if short is fields:
        return case
    return structs.replace(case, vector=msgspec.convert(short, Vector), digest=vector_digest(case))


def locked_vectors(corpus: Corpus) -> dict[str, LockedVector]:
    """Return the lock records of the cases of a corpus by id."""
    return {case.vector.id: locked_vector(case) for case in corpus.cases}


def question_key(spec: str, vector: Mapping[str, Any]) -> str:
    """Return the question of a vector as canonical JSON. The JSON is equal for vectors that ask the same."""
    signature = OPERATIONS[vector["op"]]
    inputs = {name: vector[name] for name in signature.takes if vector.get(name) is not None}
    default_profile = "scheme-specific" if _is_by_scheme(spec, inputs.get("rule")) else "generic"  # G-06
    if inputs.get("profile") == default_profile:
        del inputs["profile"]
    if inputs.get("mode") == "syntax":
        del inputs["mode"]
    return json.dumps([spec, vector["op"], inputs], sort_keys=True)


def digest_of_vectors(digests: Mapping[str, str], specs: Collection[str]) -> str:
    """Return a digest of the ids, questions and answers of all vectors of some RFCs, 12 hex digits.

    `digests` maps the id of each vector of a corpus to its digest (`vector_digest`).
    """
    lines = [f"{name} {digests[name]}" for name in sorted(digests) if name.partition("-")[0] in specs]
    return short_digest("\n".join(lines))


def question_of(case: Case) -> str:
    """Return the question of a case as canonical JSON, as `question_key` does."""
    return question_key(case.spec, msgspec.to_builtins(case.vector))


def _is_by_scheme(spec: str, rule: str | None) -> bool:
    """Return True if texts of this rule (None: whole texts) are checked against the rule of their scheme."""
    by_scheme = facts(spec).by_scheme
    return by_scheme is not None and rule in (None, by_scheme)


def parse_lock(text: str, name: str = LOCK) -> Lock:
    """Parse the text of a lock. Raise LockError, which names the line, if the text is invalid."""
    head, _, rest = text.partition("\n\n")
    head_match = LOCK_HEAD.fullmatch(head)
    if head_match is None:
        raise LockError(f"{name}: the file must begin with {LOCK_SCHEMA}, a version and a digest")
    entries: dict[str, LockedVector] = {}
    tombstones: dict[str, Tombstone] = {}
    first_number = head.count("\n") + 3  # after the head and an empty line
    for number, line in enumerate(rest.splitlines(), first_number):
        if not line:
            continue
        entry = _ENTRY.fullmatch(line)
        tombstone = _TOMBSTONE.fullmatch(line)
        match = entry or tombstone
        if match is None:
            raise LockError(f"{name}: line {number}: neither a locked vector nor a `removed` entry")
        identifier = match["id"]
        if identifier in entries or identifier in tombstones:
            raise LockError(f"{name}: line {number}: {identifier} is listed twice")
        if tombstone:
            tombstones[identifier] = Tombstone(tombstone["version"], tombstone["reason"])
        else:
            entries[identifier] = LockedVector(*match.group("level", "binding", "question", "answer"))
    bundle = head_match["bundle"] or ""
    return Lock(head_match["version"], head_match["digest"], entries, tombstones, bundle)


def read_lock(path: Path) -> Lock:
    """Read a lock from a file. Raise LockError if the file is missing or invalid."""
    try:
        return parse_lock(path.read_text(encoding="ascii"), path.name)
    except OSError as error:
        raise LockError(f"{path.name}: {os_reason(error)}") from None
    except UnicodeDecodeError as error:
        raise LockError(f"{path.name}: {error}") from None


def render_lock(lock: Lock) -> str:
    """Return the text of a lock: the head, the vectors sorted by id, and the tombstones sorted by id."""
    lines = [LOCK_SCHEMA, f"version {lock.version}", f"digest {lock.digest}"]
    if lock.bundle:
        lines.append(f"bundle {lock.bundle}")
    lines.append("")
    for name, entry in sorted(lock.entries.items()):
        lines.append(f"{name} {' '.join(entry)}")
    if lock.tombstones:
        lines.append("")
    for name, grave in sorted(lock.tombstones.items()):
        lines.append(f"removed {name} {' '.join(grave)}")
    return "\n".join(lines) + "\n"


def read_tiers(directory: Path | None = None) -> tuple[PinnedPart, ...]:
    """Return the pinned parts of the generated tiers of a corpus (default: the installed corpus)."""
    return decode_file((directory or corpus_dir()) / TIERS_FILE, _TiersFile).tiers


def known_ids(corpus: Corpus, directory: Path | None = None) -> KnownIds:
    """Return the ids of a corpus, of its generated parts, and of removed vectors.

    Read the lock and tiers.json from `directory` (default: the installed corpus). A missing file counts as
    empty. Raise CorpusError if one of these files is invalid.
    """
    root = directory or corpus_dir()
    pinned_parts = read_tiers(root) if (root / TIERS_FILE).is_file() else ()
    tombstones = read_lock(root / LOCK).tombstones if (root / LOCK).is_file() else {}
    part_names = [part.name for part in pinned_parts]
    ids = CorpusIds([*case_ids(corpus.cases), *part_names])
    ids.removed = frozenset(tombstones) - ids
    digests = {part.name: part.digest[:12] for part in pinned_parts}  # as long as those of `short_digest`
    sizes = {part.name: part.cases for part in pinned_parts}
    reasons = {name: f"removed in {grave.version}: {grave.reason}" for name, grave in tombstones.items()}
    return KnownIds(ids, digests, sizes, reasons)
