"""The corpus as values: vector files and requirement catalogues decoded into frozen records.

A file that cannot be read, decoded or matched to its record is one `CorpusError` that names the file
and the place in it.  The published JSON Schemas say the same as the types here; tests hold them together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from urlharness.corpus import lock
from urlharness.corpus.model import (
    SPECS,
    Case,
    ClassFlags,
    Corpus,
    CorpusError,
    IndexedSection,
    RequirementFile,
    VectorFile,
    corpus_dir,
    derive,
    vector_files,
)
from urlharness.jsonio import decoding_error, entry_of

if TYPE_CHECKING:
    from urlharness.corpus.model import _T, Requirement


def load(directory: Path | None = None) -> Corpus:
    """The corpus in `directory` (the installed one by default); raises CorpusError."""
    root = directory or corpus_dir()
    requirements: dict[str, Requirement] = {}
    cases: list[Case] = []
    for spec in SPECS:
        path = root / "requirements" / f"{spec}.json"
        if path.is_file():
            catalogue = _decode(path, RequirementFile)
            requirements.update((r.id, r) for r in catalogue.requirements)
    table = root / "classes.json"
    by_class = _decode(table, ClassFlags).by_class() if table.is_file() else {}
    for path in vector_files(root):
        content = _decode(path, VectorFile)
        name = path.relative_to(root).as_posix()
        for vector in content.vectors:
            if vector.requirement not in requirements:
                raise CorpusError(f"{name}: {vector.id}: unknown requirement {vector.requirement!r}")
            cases.append(Case(content.spec, content.section, vector, name, derive(vector, by_class)))
    if not cases:
        raise CorpusError(f"{root}: no vector files found")
    _refuse_repeated_ids(cases)
    index = _decode(root / "paragraphs.json", dict[str, dict[str, IndexedSection]])
    titles = {(spec, label): found.title for spec in index for label, found in index[spec].items()}
    digest = lock.corpus_digest(root)
    sizes = Counter(case.spec for case in cases)
    return Corpus(tuple(cases), requirements, titles, digest, lock.corpus_version(root, digest), sizes)


def _decode(path: Path, kind: type[_T]) -> _T:
    try:
        octets = path.read_bytes()
    except OSError as error:
        raise CorpusError(f"{path}: {error.strerror}") from None
    try:
        return msgspec.json.decode(octets, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        where = entry_of(octets, str(error), ("vectors", "requirements"))
        raise CorpusError(f"{path}: {decoding_error(octets, error, kind)}{where}") from None


def _refuse_repeated_ids(cases: Iterable[Case]) -> None:
    seen: dict[str, str] = {}
    for case in cases:
        if case.vector.id in seen:
            earlier = seen[case.vector.id]
            raise CorpusError(f"{case.file}: {case.vector.id}: id already used in {earlier}")
        seen[case.vector.id] = case.file
