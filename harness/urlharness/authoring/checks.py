"""Checks of the corpus against its lock, its flags against their table, and one-sided statements.

Nothing here asks the oracle for an answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from urlharness.authoring.comparing import changes
from urlharness.authoring.lock import Lock, LockError, entries, read, render
from urlharness.authoring.sides import side
from urlharness.corpus import Corpus, CorpusError, load
from urlharness.differences import load_classes
from urlharness.documents import Finding, read_document
from urlharness.flags import FLAGS
from urlharness.lint_words import lint_words
from urlharness.release import LOCK

_RELOCK = "(urlconform vectors lock)"


def lint_authoring(root: Path) -> list[Finding]:
    """All findings in vectors.lock, in flags.json, and of flags and sides, below `root`."""
    findings = list(_lint_table(root))
    try:
        corpus = load(root)
        classes = load_classes(root) if (root / "classes.json").is_file() else {}
    except CorpusError as error:
        return [*findings, Finding(LOCK, "", f"not checked, for the corpus cannot be loaded: {error}")]
    findings += _lint_lock(root, corpus)
    findings += _lint_flags(corpus, {name: entry.flags for name, entry in classes.items()})
    findings += _lint_sides(corpus)
    return findings


def _lint_lock(root: Path, corpus: Corpus) -> Iterator[Finding]:
    try:
        lock = read(root / LOCK)
    except LockError as error:
        yield Finding(LOCK, "", str(error).removeprefix(f"{LOCK}: "))
        return
    if (root / LOCK).read_text(encoding="ascii") != render(lock):
        yield Finding(LOCK, "", f"not in canonical form {_RELOCK}")
    if lock.digest != corpus.digest:
        yield Finding(LOCK, "", f"it has digest {lock.digest}, the corpus has {corpus.digest} {_RELOCK}")
    yield from _lint_entries(lock, corpus)


def _lint_entries(lock: Lock, corpus: Corpus) -> Iterator[Finding]:
    """Vectors that are not what was locked, and entries without a vector."""
    files = {case.vector.id: case.file for case in corpus.cases}
    for name, found in entries(corpus).items():
        if name in lock.tombstones:
            gone = lock.tombstones[name]
            message = f"the id was removed in version {gone.version} and is never used again"
            yield Finding(files[name], name, message)
        elif name not in lock.entries:
            yield Finding(files[name], name, f"not in {LOCK} {_RELOCK}")
        elif found != lock.entries[name]:
            clauses = ", ".join(clause for clause, _ in changes(lock.entries[name], found))
            yield Finding(files[name], name, f"not what was locked: {clauses} {_RELOCK}")
    for name in sorted(lock.entries.keys() - files.keys()):
        yield Finding(LOCK, name, "locked, but there is no such vector (vectors lock --reason TEXT)")


def _lint_table(root: Path) -> Iterator[Finding]:
    """Whether every flag is explained once, in the order of `FLAGS`."""
    path = root / "flags.json"
    if not path.is_file():
        yield Finding(path.name, "", "the table of flags is missing")
        return
    findings: list[Finding] = []
    document = read_document(path, root, "flags", findings)
    yield from findings
    if document is not None:
        for entry in document["flags"]:
            for field in ("statement", "effect"):
                for message in lint_words(field, entry[field], explains=True):
                    yield Finding(path.name, entry["id"], message)
        named = [entry["id"] for entry in document["flags"]]
        if named != list(FLAGS):
            yield Finding(path.name, "", f"it explains {', '.join(named)}, not {', '.join(FLAGS)}")


def _lint_flags(corpus: Corpus, by_class: dict[str, tuple[str, ...]]) -> Iterator[Finding]:
    """Own flags that say nothing new, and what is said to be of every day and rare at once."""
    for name, flags in by_class.items():
        if {"basic", "edge"} <= set(flags):
            yield Finding("classes.json", name, "both basic and edge")
    for case in corpus.cases:
        vector = case.vector
        known = by_class.get(vector.class_ or "", ())
        for flag in vector.flags:
            if flag in known:
                yield Finding(case.file, vector.id, f"flag {flag} is that of its class already")
        if vector.flags and {"basic", "edge"} <= set(case.flags):
            yield Finding(case.file, vector.id, "both basic and edge")


def _lint_sides(corpus: Corpus) -> Iterator[Finding]:
    """Statements that are said to have one side, and a vector on the other."""
    for name, entry in corpus.requirements.items():
        if entry.side is not None and entry.level != "grammar":
            yield Finding(f"requirements/{name[:7]}.json", name, "only level grammar has sides")
    for case in corpus.cases:
        only = corpus.requirements[case.vector.requirement].side
        if only is not None and side(case.vector) != only:
            message = f"{side(case.vector)}, but {case.vector.requirement} is said to be {only} alone"
            yield Finding(case.file, case.vector.id, message)
