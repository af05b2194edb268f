"""A corpus as JSON Lines, read lazily."""

from __future__ import annotations

import hashlib
import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from sys import intern
from typing import Any, overload

import msgspec

from urlharness.corpus.loader import load as load_corpus
from urlharness.corpus.model import Case, Corpus, CorpusError, Requirement, Spec, Vector
from urlharness.jsonio import LineReader, ascii_line
from urlharness.text import well_formed

# -------------------- case_lines: A corpus as JSON Lines, a case a line as `generate` writes them: one is read at a time, of any number.


_FIRST = 1 << 20  # octets of a first line that is looked at


# how `generate` begins a line: what is left is the vector
_BEGINNING = re.compile(rb'\{"spec":"([a-z0-9]+)","section":"([A-Za-z0-9.]+)",')


_decode_vector = msgspec.json.Decoder(Vector).decode


class _Placed(msgspec.Struct):
    """What a line says besides its vector."""

    spec: Spec
    section: str


def is_case_lines(path: Path) -> bool:
    """True for a file whose first line is an object with `spec`, `section` and `id`."""
    with path.open("rb") as stream:
        first = stream.readline(_FIRST)
    try:
        content = msgspec.json.decode(first)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False
    return isinstance(content, dict) and {"spec", "section", "id"} <= content.keys()


def load_lines(path: Path) -> Corpus:
    """The corpus in a file, every line of it checked; raises CorpusError that names the line."""
    offsets, ids, sizes = array("Q"), array("q"), Counter[Spec]()
    state, offset = hashlib.sha256(), 0
    name = well_formed(path.name)
    with path.open("rb") as stream:
        for number, octets in enumerate(stream, 1):
            state.update(octets)
            if octets.strip():
                try:
                    case = _case(octets, name)
                except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                    raise CorpusError(f"{path}: line {number}: {error}") from None
                ids.append(hash(case.vector.id))
                sizes[case.spec] += 1
                offsets.append(offset)
            offset += len(octets)
    cases = CaseLines(path, offsets)
    _refuse_repeated_ids(path, ids, cases)
    known = load_corpus()
    return Corpus(cases, known.requirements, known.titles, state.hexdigest()[:12], name, sizes)


def stated(case: Case) -> Requirement:
    """The requirement of a case that no catalogue has: what its comment says."""
    vector = case.vector
    return Requirement(vector.requirement, case.section, 0, "", vector.level, vector.comment or vector.id)


def _refuse_repeated_ids(path: Path, ids: Sequence[int], cases: Sequence[Case]) -> None:
    """By their hashes, which take a tenth of the memory of the ids."""
    ordered = sorted(ids)
    if any(one == other for one, other in pairwise(ordered)):
        seen: set[str] = set()
        for case in cases:
            if case.vector.id in seen:
                raise CorpusError(f"{path}: {case.vector.id}: id already used")
            seen.add(case.vector.id)


def _case(octets: bytes, name: str) -> Case:
    """The case in a line; raises msgspec.MsgspecError."""
    begins = _BEGINNING.match(octets)
    if begins is None:
        fields: dict[str, Any] = msgspec.json.decode(octets, type=dict)
        place = msgspec.convert(fields, _Placed)
        vector = {key: value for key, value in fields.items() if key not in ("spec", "section")}
        return Case(place.spec, place.section, msgspec.convert(vector, Vector), name)
    spec, section = begins.groups()
    return Case(_spec(spec), intern(section.decode()), _decode_vector(b"{" + octets[begins.end() :]), name)


@cache
def _spec(octets: bytes) -> Spec:
    spec: Spec = msgspec.convert(octets.decode(), Spec)
    return spec


class CaseLines(Sequence[Case]):
    """Cases that are decoded when they are asked for; 8 octets of memory for each."""

    def __init__(self, path: Path, offsets: Sequence[int]) -> None:
        self._path = path
        self._offsets = offsets
        self._reader = LineReader(path)
        self._name = well_formed(path.name)

    def where(self, meets: Callable[[Case], bool]) -> CaseLines:
        """The cases that meet a condition, in their order."""
        chosen = array("Q", (offset for offset, case in zip(self._offsets, self, strict=True) if meets(case)))
        return CaseLines(self._path, chosen)

    @overload
    def __getitem__(self, index: int) -> Case: ...

    @overload
    def __getitem__(self, index: slice) -> CaseLines: ...

    def __getitem__(self, index: int | slice) -> Case | CaseLines:
        if isinstance(index, slice):
            return CaseLines(self._path, self._offsets[index])
        return self._case(self._offsets[index])

    def __iter__(self) -> Iterator[Case]:
        return map(self._case, self._offsets)

    def __len__(self) -> int:
        return len(self._offsets)

    def _case(self, offset: int) -> Case:
        return _case(self._reader.line(offset), self._name)


# -------------------- generate.lines: A generated case as a line of JSON, ASCII only, and the digest of lines that pass by.


def case_line(case: Case) -> bytes:
    """A case as a line: its vector, and before it specification and section."""
    place = b'{"spec":"%b","section":"%b",' % (case.spec.encode(), case.section.encode())
    return place + ascii_line(case.vector)[1:]
