"""Checks of the corpus against its lock, its flags against their table, and one-sided statements.

Nothing here asks the oracle for an answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from urlauthor.documents import LintError, read_document
from urlauthor.lint.wording import lint_words
from urlauthor.lock import changes
from urlauthor.stats import side
from urlharness.corpus.differences import load_classes
from urlharness.corpus.loader import load
from urlharness.corpus.lock import LOCK, Lock, LockError, locked_vectors, read_lock, render_lock
from urlharness.corpus.model import FLAGS, Corpus, CorpusError

_RELOCK = "(urlconform vectors lock)"


def lint_authoring(root: Path) -> list[LintError]:
    """All findings in vectors.lock, in flags.json, and of flags and sides, below `root`."""
    findings = list(_lint_table(root))
    try:
        corpus = load(root)
        classes = load_classes(root) if (root / "classes.json").is_file() else {}
    except CorpusError as error:
        return [*findings, LintError(LOCK, "", f"not checked, for the corpus cannot be loaded: {error}")]
    findings += _lint_lock(root, corpus)
    findings += _lint_flags(corpus, {name: entry.flags for name, entry in classes.items()})
    findings += _lint_sides(corpus)
    return findings


def _lint_lock(root: Path, corpus: Corpus) -> Iterator[LintError]:
    try:
        lock = read_lock(root / LOCK)
    except LockError as error:
        yield LintError(LOCK, "", str(error).removeprefix(f"{LOCK}: "))
        return
    if (root / LOCK).read_text(encoding="ascii") != render_lock(lock):
        yield LintError(LOCK, "", f"not in canonical form {_RELOCK}")
    if lock.digest != corpus.digest:
        yield LintError(LOCK, "", f"it has digest {lock.digest}, the corpus has {corpus.digest} {_RELOCK}")
    yield from _lint_entries(lock, corpus)


def _lint_entries(lock: Lock, corpus: Corpus) -> Iterator[LintError]:
    """Vectors that are not what was locked, and entries without a vector."""
    files = {case.vector.id: case.file for case in corpus.cases}
    for name, found in locked_vectors(corpus).items():
        if name in lock.tombstones:
            gone = lock.tombstones[name]
            message = f"the id was removed in version {gone.version} and is never used again"
            yield LintError(files[name], name, message)
        elif name not in lock.entries:
            yield LintError(files[name], name, f"not in {LOCK} {_RELOCK}")
        elif found != lock.entries[name]:
            clauses = ", ".join(clause for clause, _ in changes(lock.entries[name], found))
            yield LintError(files[name], name, f"not what was locked: {clauses} {_RELOCK}")
    for name in sorted(lock.entries.keys() - files.keys()):
        yield LintError(LOCK, name, "locked, but there is no such vector (vectors lock --reason TEXT)")


def _lint_table(root: Path) -> Iterator[LintError]:
    """Whether every flag is explained once, in the order of `FLAGS`."""
    path = root / "flags.json"
    if not path.is_file():
        yield LintError(path.name, "", "the table of flags is missing")
        return
    findings: list[LintError] = []
    document = read_document(path, root, "flags", findings)
    yield from findings
    if document is not None:
        for entry in document["flags"]:
            for field in ("statement", "effect"):
                for message in lint_words(field, entry[field], explains=True):
                    yield LintError(path.name, entry["id"], message)
        named = [entry["id"] for entry in document["flags"]]
        if named != list(FLAGS):
            yield LintError(path.name, "", f"it explains {', '.join(named)}, not {', '.join(FLAGS)}")


def _lint_flags(corpus: Corpus, by_class: dict[str, tuple[str, ...]]) -> Iterator[LintError]:
    """Own flags that say nothing new, and what is said to be of every day and rare at once."""
    for name, flags in by_class.items():
        if {"basic", "edge"} <= set(flags):
            yield LintError("classes.json", name, "both basic and edge")
    for case in corpus.cases:
        vector = case.vector
        known = by_class.get(vector.class_ or "", ())
        for flag in vector.flags:
            if flag in known:
                yield LintError(case.file, vector.id, f"flag {flag} is that of its class already")
        if vector.flags and {"basic", "edge"} <= set(case.flags):
            yield LintError(case.file, vector.id, "both basic and edge")


def _lint_sides(corpus: Corpus) -> Iterator[LintError]:
    """Statements that are said to have one side, and a vector on the other."""
    for name, entry in corpus.requirements.items():
        if entry.side is not None and entry.level != "grammar":
            yield LintError(f"requirements/{name[:7]}.json", name, "only level grammar has sides")
    for case in corpus.cases:
        only = corpus.requirements[case.vector.requirement].side
        if only is not None and side(case.vector) != only:
            message = f"{side(case.vector)}, but {case.vector.requirement} is said to be {only} alone"
            yield LintError(case.file, case.vector.id, message)
