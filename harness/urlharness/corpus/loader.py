"""Load the files of a corpus into a `Corpus`, and compute the digest and version of the corpus."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from urlharness.corpus.compiled import compiled_file, read_compiled, write_compiled
from urlharness.corpus.differences import ClassFile, DifferenceClass
from urlharness.corpus.model import (
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
from urlharness.corpus.specifications import SPECS

LOCK = "vectors.lock"
LOCK_SCHEMA = "urllock-1"
VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")

#: The files that the digest of a corpus covers, as patterns relative to the directory of the corpus.
COVERED = (
    "classes.json",
    "differences/*.json",
    "flags.json",
    "paragraphs.json",
    "requirements/*.json",
    "rfc[0-9]*/*.json",
    "rulings.json",
)

#: The first lines of vectors.lock. Older locks have no digest of the bundle.
LOCK_HEAD = re.compile(
    rf"{LOCK_SCHEMA}\nversion (?P<version>{VERSION.pattern})\ndigest (?P<digest>[0-9a-f]{{12}})"
    r"(?:\nbundle (?P<bundle>[0-9a-f]{64}))?(?=\n|$)"
)

#: More characters than the first lines of vectors.lock have.
_LONGEST_HEAD = 1000

#: The names of the folders in which packages are installed. A corpus in another folder is a checkout, whose
#: files may change at any time.
_INSTALLED = ("site-packages", "dist-packages")


def load(directory: Path | None = None) -> Corpus:
    """Load the corpus in `directory` (default: the installed corpus). Raise CorpusError if it is invalid.

    A corpus in a folder of installed packages is read in its compiled form, which the first call writes.
    """
    root = directory or corpus_dir()
    if directory is not None or root.parent.name not in _INSTALLED:
        return load_json(root)
    lock = _lock_head(root)
    try:
        file = compiled_file(root, "" if lock is None else lock["digest"])
    except OSError:
        return load_json(root)
    return _load_compiled(file, root)


@lru_cache(maxsize=1)
def _load_compiled(file: Path, root: Path) -> Corpus:
    """Load the corpus at `root` from its compiled form, which is written first if it is not there.

    A process loads it once: the name of the file says in which state the corpus is.
    """
    corpus = read_compiled(file)
    if corpus is None:
        corpus = load_json(root)
        write_compiled(file, corpus)
    return corpus


def load_json(root: Path) -> Corpus:
    """Load the files of the corpus at `root`.

    Raise CorpusError if one is invalid, if there is no vector, if an id is repeated, or if a vector cites an
    unknown requirement.
    """
    requirements: dict[str, Requirement] = {}
    cases: list[Case] = []
    for spec in SPECS:
        path = root / "requirements" / f"{spec}.json"
        if path.is_file():
            catalogue = decode_file(path, RequirementFile)
            requirements |= {entry.id: entry for entry in catalogue.requirements}
    classes = load_classes(root) if (root / "classes.json").is_file() else {}
    class_flags = {name: entry.flags for name, entry in classes.items()}
    for path in vector_files(root):
        file = decode_file(path, VectorFile)
        name = path.relative_to(root).as_posix()
        for vector in file.vectors:
            if vector.requirement not in requirements:
                raise CorpusError(f"{name}: {vector.id}: unknown requirement {vector.requirement!r}")
            flags = derive_flags(vector, class_flags)
            cases.append(Case(file.spec, file.section, vector, name, flags))
    if not cases:
        raise CorpusError(f"{root}: no vector files found")
    refuse_repeated_ids(cases)
    titles = load_titles(root)
    digest = corpus_digest(root)
    version = corpus_version(root, digest)
    sizes = Counter(case.spec for case in cases)
    return Corpus(tuple(cases), requirements, titles, digest, version, sizes)


def load_titles(directory: Path | None = None) -> dict[tuple[str, str], str]:
    """Return the headings of a corpus (default: the installed corpus) by (RFC, section)."""
    path = (directory or corpus_dir()) / "paragraphs.json"
    titles = {}
    for spec, sections in decode_file(path, dict[str, dict[str, IndexedSection]]).items():
        for label, section in sections.items():
            titles[spec, label] = section.title
    return titles


def refuse_repeated_ids(cases: Iterable[Case]) -> None:
    """Raise CorpusError if two cases have the same id."""
    seen: dict[str, str] = {}
    for case in cases:
        if case.vector.id in seen:
            earlier = seen[case.vector.id]
            raise CorpusError(f"{case.file}: {case.vector.id}: id already used in {earlier}")
        seen[case.vector.id] = case.file


def load_classes(directory: Path | None = None) -> dict[str, DifferenceClass]:
    """Return the classes of a corpus (default: the installed corpus) by id, in the order of the file."""
    content = decode_file((directory or corpus_dir()) / "classes.json", ClassFile)
    return {entry.id: entry for entry in content.classes}


def covered_files(root: Path) -> list[Path]:
    """Return the files that the digest of the corpus at `root` covers, sorted by name."""
    paths = (path for pattern in COVERED for path in root.glob(pattern))
    return sorted(paths, key=Path.as_posix)


def corpus_digest(root: Path) -> str:
    """Return the digest of the corpus at `root`.

    It is a hash of the output of `sha256sum` for the files that `covered_files` returns.
    """
    lines = [sum_line(path, root) for path in covered_files(root)]
    return short_digest("".join(lines))


def sum_line(path: Path, root: Path) -> str:
    """Return the line of a file in the output of `sha256sum`, with its path relative to `root`."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return f"{digest}  {path.relative_to(root).as_posix()}\n"


def corpus_version(root: Path, digest: str) -> str:
    """Return the version in the lock of the corpus at `root`.

    Append `+changed` if the digest in the lock differs from `digest`. Return `unlocked` if there is no lock,
    or if its head is invalid.
    """
    head = _lock_head(root)
    if head is None:
        return "unlocked"
    return head["version"] if head["digest"] == digest else f"{head['version']}+changed"


def _lock_head(root: Path) -> re.Match[str] | None:
    """Return the match of the first lines of the lock, or None if it cannot be read or is invalid."""
    try:
        with (root / LOCK).open(encoding="ascii") as stream:
            return LOCK_HEAD.match(stream.read(_LONGEST_HEAD))
    except (OSError, UnicodeDecodeError):
        return None


def short_digest(content: str | bytes) -> str:
    """Return the first 12 hex digits of the SHA-256 of bytes, or of the UTF-8 of a text."""
    encoded = content.encode() if isinstance(content, str) else content
    return hashlib.sha256(encoded).hexdigest()[:12]
