"""A corpus as JSON Lines: one case per line, as `generate` writes it.

Each case is decoded whenever it is used, so that a large corpus needs little memory.
"""

from __future__ import annotations

import hashlib
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
from urlharness.corpus.loader import refuse_repeated_ids
from urlharness.corpus.model import Case, Corpus, CorpusError, Requirement, Vector
from urlharness.corpus.specifications import Spec, facts
from urlharness.jsonio import ascii_line
from urlharness.text import well_formed
from urlharness.wording import parse_reason

#: The maximum number of bytes of the first line that are read to recognize the format.
_FIRST = 1 << 20
#: The number of bytes that are read at once.
_CHUNK = 1 << 18
#: The beginning of a line as `generate` writes it. The fields of the vector follow.
_BEGINNING = re.compile(rb'\{"spec":"([a-z0-9]+)","section":"([A-Za-z0-9.]+)",')
_decode_vector = msgspec.json.Decoder(Vector).decode


class CaseLines(Sequence[Case]):
    """The cases of a file.

    Only the offset of each line is in memory, and a case is decoded whenever it is used.
    """

    def __init__(self, path: Path, offsets: Sequence[int]) -> None:
        self._path = path
        self._offsets = offsets
        self._name = well_formed(path.name)
        self._file = path.open("rb", buffering=_CHUNK)
        weakref.finalize(self, self._file.close)

    def where(self, meets: Callable[[Case], bool]) -> CaseLines:
        """Return the cases that meet a condition, in their order."""
        pairs = zip(self._offsets, self, strict=True)
        return CaseLines(self._path, array("Q", (offset for offset, case in pairs if meets(case))))

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
        self._file.seek(offset)
        return _parse_case(self._file.readline(), self._name)


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
    """Check all lines of a file and return their corpus, with the requirements of the installed corpus.

    Raise CorpusError, which names the line, if a line is invalid, or if two cases have the same id.
    """
    offsets = array("Q")
    id_hashes = array("q")
    sizes = Counter[Spec]()
    sha256 = hashlib.sha256()
    offset = 0
    name = well_formed(path.name)
    with path.open("rb") as stream:
        for number, line in enumerate(stream, 1):
            sha256.update(line)
            if line.strip():
                try:
                    case = _parse_case(line, name)
                except (msgspec.MsgspecError, ValueError, RecursionError) as error:
                    raise CorpusError(f"{path}: line {number}: {parse_reason(error)}") from None
                id_hashes.append(hash(case.vector.id))
                sizes[case.spec] += 1
                offsets.append(offset)
            offset += len(line)
    cases = CaseLines(path, offsets)
    # hashes need less memory than ids; only if two of them are equal, the ids are compared
    if any(previous == following for previous, following in pairwise(sorted(id_hashes))):
        refuse_repeated_ids(cases)
    installed = load_corpus()
    return Corpus(cases, installed.requirements, installed.titles, sha256.hexdigest()[:12], name, sizes)


def case_line(case: Case) -> bytes:
    """Return a case as a line of ASCII JSON: the specification, the section, and the fields of the vector."""
    beginning = b'{"spec":"%b","section":"%b",' % (case.spec.encode(), case.section.encode())
    fields = ascii_line(case.vector).removeprefix(b"{")
    return beginning + fields


def requirement_of(section: str, vector: Vector) -> Requirement:
    """Return a substitute for a requirement that the corpus does not contain.

    Its statement is the comment of the vector, or the id of the vector if there is no comment.
    """
    return Requirement(
        id=vector.requirement,
        section=section,
        paragraph=0,
        digest="",
        level=vector.level,
        statement=vector.comment or vector.id,
    )


def _parse_case(line: bytes, name: str) -> Case:
    """Decode a line of the file `name`.

    Raise one of msgspec's errors, UnicodeDecodeError or ValueError if it is invalid.
    """
    beginning = _BEGINNING.match(line)
    if beginning is None:  # the keys are in another order, or the line is invalid
        fields = msgspec.json.decode(line, type=dict)
        spec = facts(msgspec.convert(fields.pop("spec", None), Spec)).id
        section = msgspec.convert(fields.pop("section", None), str)
        vector = msgspec.convert(fields, Vector)
        return Case(spec, section, vector, name)
    spec = facts(beginning[1].decode()).id  # the same string for each case
    section = intern(beginning[2].decode())
    vector = _decode_vector(b"{" + line[beginning.end() :])
    return Case(spec, section, vector, name)
