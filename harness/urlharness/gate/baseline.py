"""A baseline: the answers of one implementation that are known to be wrong, as a file.

A list is exact.  An outcome that is not listed is a finding, and so is one that is listed and has become
right or wrong in another way.  The published schema (`baseline.schema.json`) and the types here accept the
same files; a test shows it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from urlharness.corpus.lock import locked_vector as locked
from urlharness.corpus.model import SPECS, Case, Count, Operation, Spec
from urlharness.jsonio import decoding_error, write_atomically

#: What can be listed: no outcome of an adapter that gave up.  A pass fails where a policy pins a variant,
#: and what is unsupported or partial where the policy is strict.
Listed = Literal[
    "pass", "variant", "partial", "fail", "unsupported", "error", "timeout", "crash", "garbage", "no-answer"
]


_FROZEN: dict[str, Any] = {"frozen": True, "forbid_unknown_fields": True, "omit_defaults": True}


# `$` would let an end of line pass
_Id = Annotated[str, msgspec.Meta(pattern=r"^[!-~]+(?![\s\S])")]


_Digest = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{12}(?![\s\S])")]


class BaselineError(Exception):
    """A baseline that cannot be used (exit code 6); the message names the file and the place in it."""


def digest(case: Case) -> str:
    """The digest of a vector: what vectors.lock has of it, as one."""
    return locked(case).digest


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
    all vectors of the RFC were asked.  `generated` has the same for a part of a generated tier that was asked
    whole, by its name.  Both are of RFCs in `spec` alone.
    """

    schema: Literal["urlbaseline-1"]
    corpus: _Digest
    implementation: Annotated[str, msgspec.Meta(min_length=1)]
    spec: tuple[Spec, ...]
    entries: tuple[Entry, ...]
    answered: dict[Spec, dict[Operation, Count]] = {}
    generated: dict[_Id, dict[Operation, Count]] = {}

    def by_id(self) -> dict[str, Entry]:
        """Each entry by the id of its vector."""
        return {entry.id: entry for entry in self.entries}


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
        json.loads(octets, object_pairs_hook=_refuse_repeated, parse_int=str, parse_float=str)
    except _RepeatedKey as error:
        raise BaselineError(f"{name}: the key {str(error)!r} occurs twice in one object") from None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        why = decoding_error(octets, error, Baseline, ("entries",))
        raise BaselineError(f"{name}: {why}") from None
    seen: set[str] = set()
    for entry in baseline.entries:
        if entry.id in seen:
            raise BaselineError(f"{name}: {entry.id}: listed twice")
        seen.add(entry.id)
    numbers: list[tuple[str, str, str]] = [("answered", spec, spec) for spec in sorted(baseline.answered)]
    numbers += [("generated", part, _spec_of(part)) for part in sorted(baseline.generated)]
    for field, key, spec in numbers:
        if spec in SPECS and spec not in baseline.spec:
            why = "its `spec` does not name that RFC: name it there, or take the numbers out"
            raise BaselineError(f"{name}: {field}.{key}: {why}")
    return baseline


class _RepeatedKey(Exception):
    """A key that a JSON object has twice; the message is the key."""


def _refuse_repeated(pairs: Sequence[tuple[str, Any]]) -> None:
    repeated = [key for key, count in Counter(key for key, _ in pairs).items() if count > 1]
    if repeated:
        raise _RepeatedKey(repeated[0])


def _spec_of(part: str) -> str:
    """The RFC of a part of a generated tier, by its name."""
    return "".join(part.split("-")[1:2])


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
    if baseline.generated:
        counts = [
            f"  {json.dumps(part)}: {json.dumps(dict(sorted(of.items())))}"
            for part, of in sorted(baseline.generated.items())
        ]
        lines += [' "generated": {', ",\n".join(counts), " },"]
    entries = sorted(baseline.entries, key=lambda entry: entry.id)
    listed = ",\n".join(f"  {_line(entry)}" for entry in entries)
    body = f"[\n{listed}\n ]" if listed else "[]"
    return "\n".join(("{", *lines, f' "entries": {body}', "}")) + "\n"


def write_baseline(baseline: Baseline, path: Path) -> None:
    """Write the canonical text; raises OSError, which names the file.

    A list that is there stays as it was unless all of the new one could be written.
    """
    write_atomically(path, canonical(baseline))


def _line(entry: Entry) -> str:
    fields: Mapping[str, Any] = msgspec.to_builtins(entry)
    return json.dumps({**fields, "got": dict(sorted(entry.got.items()))})
