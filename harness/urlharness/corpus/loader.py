"""Load the files of a corpus into a `Corpus`; anything wrong with them is one `CorpusError`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from urlharness.corpus.differences import load_classes
from urlharness.corpus.lock import corpus_digest, corpus_version
from urlharness.corpus.model import (
    SPECS,
    Case,
    Corpus,
    CorpusError,
    IndexedSection,
    Requirement,
    RequirementFile,
    VectorFile,
    corpus_dir,
    decode_file,
    derive_flags,
    vector_files,
)


def load(directory: Path | None = None) -> Corpus:
    """Load the corpus in `directory` (the installed one by default); raises CorpusError."""
    root = directory or corpus_dir()
    requirements: dict[str, Requirement] = {}
    cases: list[Case] = []
    for path in (root / "requirements" / f"{spec}.json" for spec in SPECS):
        if path.is_file():
            requirements |= {entry.id: entry for entry in decode_file(path, RequirementFile).requirements}
    classes = load_classes(root) if (root / "classes.json").is_file() else {}
    class_flags = {name: entry.flags for name, entry in classes.items()}
    for path in vector_files(root):
        content = decode_file(path, VectorFile)
        name = path.relative_to(root).as_posix()
        for vector in content.vectors:
            if vector.requirement not in requirements:
                raise CorpusError(f"{name}: {vector.id}: unknown requirement {vector.requirement!r}")
            flags = derive_flags(vector, class_flags)
            cases.append(Case(content.spec, content.section, vector, name, flags))
    if not cases:
        raise CorpusError(f"{root}: no vector files found")
    refuse_repeated_ids(cases)
    index = decode_file(root / "paragraphs.json", dict[str, dict[str, IndexedSection]])
    titles = {(spec, label): found.title for spec in index for label, found in index[spec].items()}
    digest = corpus_digest(root)
    sizes = Counter(case.spec for case in cases)
    return Corpus(tuple(cases), requirements, titles, digest, corpus_version(root, digest), sizes)


def refuse_repeated_ids(cases: Iterable[Case]) -> None:
    """Raise CorpusError if two cases have the same id."""
    seen: dict[str, str] = {}
    for case in cases:
        if case.vector.id in seen:
            earlier = seen[case.vector.id]
            raise CorpusError(f"{case.file}: {case.vector.id}: id already used in {earlier}")
        seen[case.vector.id] = case.file
