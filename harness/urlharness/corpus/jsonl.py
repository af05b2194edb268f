"""A corpus as JSON Lines, a case a line as `generate` writes them, decoded when a case is needed."""

from __future__ import annotations

import hashlib
import os
import re
import weakref
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from sys import intern
from typing import overload

import msgspec

from urlharness.corpus.loader import load as load_corpus
from urlharness.corpus.model import SPECS, Case, Corpus, CorpusError, Requirement, Spec, Vector
from urlharness.jsonio import ascii_line
from urlharness.text import well_formed

#: How many bytes of the first line tell the format.
_FIRST = 1 << 20
#: How many bytes are read at once.
_CHUNK = 1 << 18
#: How `generate` begins a line; the rest is the vector.
_BEGINNING = re.compile(rb'\{"spec":"([a-z0-9]+)","section":"([A-Za-z0-9.]+)",')
_SPECS: dict[bytes, Spec] = {spec.encode(): msgspec.convert(spec, Spec) for spec in SPECS}
_decode_vector = msgspec.json.Decoder(Vector).decode


class _Place(msgspec.Struct):
    """The fields of a line beside its vector."""

    spec: Spec
    section: str


class _LineReader:
    """Reads lines of a file by their offsets; the file may be deleted meanwhile."""

    def __init__(self, path: Path) -> None:
        self._number = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        weakref.finalize(self, os.close, self._number)
        self._start = 0
        self._chunk = b""

    def line(self, offset: int) -> bytes:
        """Return the line that begins at an offset, without its end."""
        start = offset - self._start
        end = self._chunk.find(b"\n", start) if 0 <= start < len(self._chunk) else -1
        size = _CHUNK
        while end < 0:
            self._start, start = offset, 0
            self._chunk = os.pread(self._number, size, offset)
            end = self._chunk.find(b"\n")
            if end < 0 and len(self._chunk) < size:
                end = len(self._chunk)
            size *= 2
        return self._chunk[start:end]


class CaseLines(Sequence[Case]):
    """Cases that are decoded when they are used; each takes 8 bytes of memory."""

    def __init__(self, path: Path, offsets: Sequence[int]) -> None:
        self._path = path
        self._offsets = offsets
        self._reader = _LineReader(path)
        self._name = well_formed(path.name)

    def where(self, meets: Callable[[Case], bool]) -> CaseLines:
        """Return the cases that meet a condition, in their order."""
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
        return _parse_case(self._reader.line(offset), self._name)


def is_case_lines(path: Path) -> bool:
    """Return True if the first line of a file is an object with `spec`, `section` and `id`."""
    with path.open("rb") as stream:
        first = stream.readline(_FIRST)
    try:
        content = msgspec.json.decode(first)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False
    return isinstance(content, dict) and {"spec", "section", "id"} <= content.keys()


def load_lines(path: Path) -> Corpus:
    """Check all lines of a file and return its corpus; raises CorpusError that names the line."""
    offsets, id_hashes, sizes = array("Q"), array("q"), Counter[Spec]()
    state, offset = hashlib.sha256(), 0
    name = well_formed(path.name)
    with path.open("rb") as stream:
        for number, line in enumerate(stream, 1):
            state.update(line)
            if line.strip():
                try:
                    case = _parse_case(line, name)
                except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                    raise CorpusError(f"{path}: line {number}: {error}") from None
                id_hashes.append(hash(case.vector.id))
                sizes[case.spec] += 1
                offsets.append(offset)
            offset += len(line)
    cases = CaseLines(path, offsets)
    if any(one == other for one, other in pairwise(sorted(id_hashes))):
        _refuse_repeated_ids(path, cases)
    installed = load_corpus()
    digest = state.hexdigest()[:12]
    return Corpus(cases, installed.requirements, installed.titles, digest, name, sizes)


def case_line(case: Case) -> bytes:
    """Return a case as a line of JSON, ASCII only: its vector after specification and section."""
    place = b'{"spec":"%b","section":"%b",' % (case.spec.encode(), case.section.encode())
    return place + ascii_line(case.vector)[1:]


def requirement_of(section: str, vector: Vector) -> Requirement:
    """Make the requirement of a vector that no catalogue knows; the comment is its statement."""
    return Requirement(vector.requirement, section, 0, "", vector.level, vector.comment or vector.id)


def _refuse_repeated_ids(path: Path, cases: Sequence[Case]) -> None:
    seen: set[str] = set()
    for case in cases:
        if case.vector.id in seen:
            raise CorpusError(f"{path}: {case.vector.id}: id already used")
        seen.add(case.vector.id)


def _parse_case(line: bytes, name: str) -> Case:
    """Decode a line; raises msgspec.MsgspecError."""
    begins = _BEGINNING.match(line)
    if begins is None or begins[1] not in _SPECS:  # the keys are in another order, or the line is wrong
        fields = msgspec.json.decode(line, type=dict)
        place = msgspec.convert(fields, _Place)
        vector = {key: value for key, value in fields.items() if key not in ("spec", "section")}
        return Case(place.spec, place.section, msgspec.convert(vector, Vector), name)
    vector_text = b"{" + line[begins.end() :]
    return Case(_SPECS[begins[1]], intern(begins[2].decode()), _decode_vector(vector_text), name)
