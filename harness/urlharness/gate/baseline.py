"""Baselines: files that list the known wrong answers of one implementation, and which questions it answered.

A failing case without an entry is a finding. An entry is a finding if its case now passes, or if it fails in
another way. Format 2 also locks the answers: a vector that was answered and is not answered any more is a
finding. The published schemas (`baseline.schema.json`, `baseline-2.schema.json`) and the types of this module
accept the same files.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import msgspec

from urlharness.corpus.model import Count, Operation
from urlharness.corpus.specifications import SPECS, Spec, check_specs
from urlharness.jsonio import decoding_error, write_atomically
from urlharness.wording import os_reason

Format = Literal["urlbaseline-1", "urlbaseline-2"]

#: The format in which baselines are written, and the old format, which locks no answers.
FORMAT: Format = "urlbaseline-2"
OLD_FORMAT: Format = "urlbaseline-1"

#: The number of characters of a digest, of which a baseline has only the beginning.
DIGEST_LENGTH = 12

#: In `unanswered`, it stands for the ids of all vectors of an operation.
ALL: Literal["all"] = "all"

#: The outcomes of entries: all except aborted, because a policy can make any of them fail.
Listed = Literal[
    "pass", "variant", "partial", "fail", "unsupported", "error", "timeout", "crash", "garbage", "no-answer"
]

#: For each field, the number of levels of nesting that the canonical text breaks into lines.
_DEPTHS = {"answered": 1, "generated": 1, "partly": 2, "unanswered": 3, "complete": 3}

_FROZEN: dict[str, Any] = {"frozen": True, "forbid_unknown_fields": True, "omit_defaults": True}

# not `$`, which also matches before a final line break
_Id = Annotated[str, msgspec.Meta(pattern=r"^[!-~]+(?![\s\S])")]
_Digest = Annotated[str, msgspec.Meta(pattern=rf"^[0-9a-f]{{{DIGEST_LENGTH}}}(?![\s\S])")]


class BaselineError(Exception):
    """The baseline cannot be used (exit code 6). The message names the file and the place in it."""


class Entry(msgspec.Struct, **_FROZEN):
    """One known wrong answer, or the failures of a generated part.

    `got` contains the fields of the reply that decide the verdict, or the counts of the failures. `digest` is
    the digest of the vector, or of the cases of the part. Users fill in `issue` and `note`, which updates
    keep.
    """

    id: _Id
    outcome: Listed
    got: dict[str, Any]
    digest: _Digest
    issue: str = ""
    note: str = ""


class Baseline(msgspec.Struct, **_FROZEN):
    """The known wrong answers of one implementation to the vectors of some RFCs in one corpus.

    `answered` counts the complete answers by RFC and operation, for each RFC that was asked in full.
    `generated` counts them by part of a generated tier. `spec` lists the RFCs that the baseline is for,
    including all RFCs with counts.

    In format 2, each vector of an RFC in `answered` needs a complete answer, unless it is an entry or an
    exception. There are two kinds of exceptions. `partly` lists the vectors with a partial answer, and the
    components that it showed. `unanswered` lists the vectors without an answer. `complete` lists the vectors
    that `answered` counts, so that vectors of another corpus can be distinguished from new ones. An RFC is
    missing there if the baseline was made before this field existed.
    """

    schema: Format
    corpus: _Digest
    implementation: Annotated[str, msgspec.Meta(min_length=1)]
    spec: tuple[Spec, ...]
    entries: tuple[Entry, ...]
    answered: dict[Spec, dict[Operation, Count]] = {}
    generated: dict[_Id, dict[Operation, Count]] = {}
    partly: dict[Spec, dict[_Id, dict[str, Any]]] = {}
    unanswered: dict[Spec, dict[Operation, tuple[_Id, ...] | Literal["all"]]] = {}
    complete: dict[Spec, dict[Operation, tuple[_Id, ...]]] = {}

    @property
    def locked_specs(self) -> frozenset[Spec]:
        """The RFCs with locked answers."""
        return frozenset(self.answered) if self.schema == FORMAT else frozenset()

    @property
    def named_specs(self) -> dict[Spec, None]:
        """All specifications that the baseline names, each once."""
        names = list(self.spec)
        for table in (self.answered, self.partly, self.unanswered, self.complete):
            names += table
        return dict.fromkeys(names)

    def by_id(self) -> dict[str, Entry]:
        """Return the entries by the id of the vector or part."""
        return {entry.id: entry for entry in self.entries}


class BaselineFile(NamedTuple):
    """A baseline. `is_canonical` is True if its file had the canonical text of it."""

    baseline: Baseline
    is_canonical: bool


def read_baseline(path: Path) -> Baseline:
    """Read a baseline from a file. Raise BaselineError if the file cannot be used."""
    return read_baseline_file(path).baseline


def read_baseline_file(path: Path) -> BaselineFile:
    """Read a baseline and its form from a file, which may be a pipe and is read once.

    Raise BaselineError if the file cannot be used.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError as error:
        raise BaselineError(
            f"{path}: {os_reason(error)}; create it with urlconform baseline create"
        ) from None
    except OSError as error:
        raise BaselineError(f"{path}: {os_reason(error)}") from None
    baseline = parse_baseline(content, str(path))
    return BaselineFile(baseline, content == canonical_text(baseline).encode("ascii"))


class _RepeatedKey(Exception):
    """An object of JSON has a key twice. The message names the key."""


def _object_without_repeated_keys(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object of these pairs. Raise _RepeatedKey if a key is repeated."""
    repeated = _repeated([key for key, _ in pairs])
    if repeated:
        raise _RepeatedKey(f"the key {repeated[0]!r} appears twice in one object")
    return dict(pairs)


def parse_baseline(content: bytes, name: str) -> Baseline:
    """Parse the content of a baseline file. `name` is the file name for messages.

    Raise BaselineError if the content is invalid.
    """
    try:
        baseline = msgspec.json.decode(content, type=Baseline)
        # again, because of repeated keys: msgspec keeps the last value
        fields = json.loads(content, object_pairs_hook=_object_without_repeated_keys).keys()
    except _RepeatedKey as error:
        raise BaselineError(f"{name}: {error}") from None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        why = decoding_error(content, error, Baseline, ("entries",))
        raise BaselineError(f"{name}: {why}") from None
    repeated = _repeated([entry.id for entry in baseline.entries])
    if repeated:
        raise BaselineError(f"{name}: {repeated[0]}: listed twice")
    try:
        check_specs(baseline.named_specs)
    except ValueError as error:
        raise BaselineError(f"{name}: {error}") from None
    _check_counts(baseline, name)
    _check_locks(baseline, fields, name)
    return baseline


def _check_counts(baseline: Baseline, name: str) -> None:
    """Raise BaselineError if there are counts for an RFC that is not in `spec`."""
    specs_by_field = {f"answered.{spec}": spec for spec in sorted(baseline.answered)}
    for part in sorted(baseline.generated):  # named after its tier, its RFC and its rule
        _, _, after_tier = part.partition("-")
        specs_by_field[f"generated.{part}"] = after_tier.partition("-")[0]
    for field, spec in specs_by_field.items():
        if spec in SPECS and spec not in baseline.spec:
            why = f"{spec} is not in `spec`; add it there, or remove these counts"
            raise BaselineError(f"{name}: {field}: {why}")


def _check_locks(baseline: Baseline, fields: Collection[str], name: str) -> None:
    """Raise BaselineError if `partly`, `unanswered` or `complete` is invalid.

    Format 1 must not contain these fields. In format 2, each of their RFCs must also be in `answered`, and no
    id may be listed twice.
    """
    for field in ("partly", "unanswered", "complete"):
        if field in fields and baseline.schema == OLD_FORMAT:
            raise BaselineError(f"{name}: {field}: {OLD_FORMAT} has no such field; {FORMAT} has it")
        by_spec: Mapping[Spec, Any] = getattr(baseline, field)
        for spec in sorted(by_spec):
            if spec not in baseline.answered:
                why = f"{spec} is not in `answered`; add it there, or remove these vectors"
                raise BaselineError(f"{name}: {field}.{spec}: {why}")
    for field in ("unanswered", "complete"):  # the ids of `partly` are the keys of an object
        _check_repeated_ids(field, getattr(baseline, field), name)


def _check_repeated_ids(field: str, ids: Mapping[Spec, Mapping[Operation, Sequence[str]]], name: str) -> None:
    """Raise BaselineError if an id is listed twice for an operation."""
    for spec, ids_by_operation in ids.items():
        for op, listed in ids_by_operation.items():
            if listed == ALL:
                continue
            repeated = _repeated(listed)
            if repeated:
                raise BaselineError(f"{name}: {field}.{spec}.{op}: {repeated[0]}: listed twice")


def _repeated(names: Iterable[str]) -> list[str]:
    """Return the names that occur more than once, in the order of their first occurrence."""
    return [name for name, count in Counter(names).items() if count > 1]


def canonical_text(baseline: Baseline) -> str:
    """Return the canonical text of a baseline.

    To keep diffs small, the text is sorted, and each RFC, id and entry has a line of its own. It is ASCII.
    """
    specs = sorted(set(baseline.spec))
    head: dict[str, object] = {
        "schema": baseline.schema,
        "corpus": baseline.corpus,
        "implementation": baseline.implementation,
        "spec": specs,
    }
    lines = [f' "{field}": {json.dumps(content)},' for field, content in head.items()]
    for field, depth in _DEPTHS.items():
        table = getattr(baseline, field)
        if table:
            lines.append(f' "{field}": {_sorted_json(table, depth)},')
    entries = sorted(baseline.entries, key=lambda entry: entry.id)
    entry_lines = _bracketed_lines("[", map(_entry_text, entries), "]", " ") if entries else "[]"
    lines.append(f' "entries": {entry_lines}')
    body = "\n".join(lines)
    return f"{{\n{body}\n}}\n"


def _entry_text(entry: Entry) -> str:
    """Return an entry as JSON in one line, with the fields of its answer sorted."""
    fields = msgspec.to_builtins(entry)
    fields["got"] = dict(sorted(entry.got.items()))
    return json.dumps(fields)


def _sorted_json(content: Any, depth: int, indent: str = " ") -> str:
    """Return sorted JSON, with a line for each key or element of the first `depth` levels."""
    if not depth or not content or isinstance(content, str):
        return json.dumps(content, sort_keys=True)
    if not isinstance(content, Mapping):
        return _bracketed_lines("[", map(json.dumps, sorted(content)), "]", indent)
    rows = []
    for key in sorted(content):
        member = _sorted_json(content[key], depth - 1, f"{indent} ")
        rows.append(f"{json.dumps(key)}: {member}")
    return _bracketed_lines("{", rows, "}", indent)


def _bracketed_lines(opening: str, rows: Iterable[str], closing: str, indent: str) -> str:
    """Return rows between brackets. Each row has a line of its own, which is indented one further."""
    separator = f",\n{indent} "
    body = separator.join(rows)
    return f"{opening}\n{indent} {body}\n{indent}{closing}"


def write_baseline(baseline: Baseline, path: Path) -> None:
    """Write the canonical text, completely or not at all. Raise OSError with the file name if that fails."""
    write_atomically(path, canonical_text(baseline))
