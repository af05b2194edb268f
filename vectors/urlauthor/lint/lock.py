"""Checks of the corpus against its lock, of flags, and of the sides that requirements allow.

No check uses answers of the oracle.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from urlauthor.documents import LintError, read_document
from urlauthor.lint.vectors import lint_words
from urlauthor.lock import vector_changes
from urlauthor.stats import vector_side
from urlharness.bundle.folder import bundle_digest
from urlharness.corpus.loader import LOCK, load, load_classes
from urlharness.corpus.lock import Lock, LockError, locked_vectors, read_lock, render_lock
from urlharness.corpus.model import FLAGS, Corpus, CorpusError, Flag, FlagFile

_RELOCK = "(urlconform vectors lock)"


def lint_lock(root: Path) -> list[LintError]:
    """Check vectors.lock, flags.json, and the flags and sides of vectors, in the corpus at `root`.

    If the corpus cannot be loaded, only flags.json is checked.
    """
    errors = list(_lint_flag_table(root))
    try:
        corpus = load(root)
        classes = load_classes(root) if (root / "classes.json").is_file() else {}
    except CorpusError as error:
        return [*errors, LintError(LOCK, "", f"not checked, because the corpus cannot be loaded: {error}")]
    errors += _lint_lock_file(root, corpus)
    errors += _lint_flags(corpus, {name: entry.flags for name, entry in classes.items()})
    errors += _lint_sides(corpus)
    return errors


def _lint_lock_file(root: Path, corpus: Corpus) -> Iterator[LintError]:
    """Check that the lock can be read, is in canonical form, and locks the corpus as it is."""
    try:
        lock = read_lock(root / LOCK)
    except LockError as error:
        yield LintError(LOCK, "", str(error).removeprefix(f"{LOCK}: "))
        return
    if (root / LOCK).read_text(encoding="ascii") != render_lock(lock):
        yield LintError(LOCK, "", f"not in canonical form {_RELOCK}")
    if lock.digest != corpus.digest:
        yield LintError(LOCK, "", f"the lock has digest {lock.digest}, the corpus {corpus.digest} {_RELOCK}")
    elif lock.bundle and lock.bundle != bundle_digest(corpus, lock.version):
        yield LintError(LOCK, "", f"the lock has another digest of the bundle {_RELOCK}")
    yield from _lint_entries(lock, corpus)


def _lint_entries(lock: Lock, corpus: Corpus) -> Iterator[LintError]:
    """Check that vectors match the lock, and that all locked vectors exist."""
    files = {case.vector.id: case.file for case in corpus.cases}
    for name, vector in locked_vectors(corpus).items():
        if name in lock.tombstones:
            removed = lock.tombstones[name].version
            message = f"the id was removed in version {removed} and must not be used again"
            yield LintError(files[name], name, message)
        elif name not in lock.entries:
            yield LintError(files[name], name, f"not in {LOCK} {_RELOCK}")
        elif vector != lock.entries[name]:
            clauses = ", ".join(clause for clause, _ in vector_changes(lock.entries[name], vector))
            yield LintError(files[name], name, f"differs from {LOCK}: {clauses} {_RELOCK}")
    for name in sorted(lock.entries.keys() - files.keys()):
        yield LintError(LOCK, name, "locked, but there is no such vector (vectors lock --reason TEXT)")


def _lint_flag_table(root: Path) -> Iterator[LintError]:
    """Check that flags.json explains each flag once, in the order of `FLAGS`."""
    path = root / "flags.json"
    if not path.is_file():
        yield LintError(path.name, "", "the table of flags is missing")
        return
    errors: list[LintError] = []
    content = read_document(path, root, FlagFile, errors)
    yield from errors
    if content is None:
        return
    for entry in content.flags:
        messages = [*lint_words("statement", entry.statement, explains=True)]
        messages += lint_words("effect", entry.effect, explains=True)
        yield from (LintError(path.name, entry.id, message) for message in messages)
    ids = [entry.id for entry in content.flags]
    if ids != list(FLAGS):
        message = f"the table has the flags {', '.join(ids)} instead of {', '.join(FLAGS)}"
        yield LintError(path.name, "", message)


def _lint_flags(corpus: Corpus, flags_by_class: dict[str, tuple[Flag, ...]]) -> Iterator[LintError]:
    """Check that no vector repeats a flag of its class, and that neither has both `basic` and `edge`."""
    for name, flags in flags_by_class.items():
        if {"basic", "edge"} <= set(flags):
            yield LintError("classes.json", name, "the flags contain both basic and edge")
    for case in corpus.cases:
        vector = case.vector
        class_flags = flags_by_class.get(vector.class_ or "", ())
        for flag in vector.flags:
            if flag in class_flags:
                yield LintError(case.file, vector.id, f"flag {flag} is implied by the class; remove it")
        if vector.flags and {"basic", "edge"} <= set(case.flags):
            yield LintError(case.file, vector.id, "the flags contain both basic and edge")


def _lint_sides(corpus: Corpus) -> Iterator[LintError]:
    """Check that only grammar requirements have a `side`, and that their vectors are on that side."""
    for name, entry in corpus.requirements.items():
        if entry.side is not None and entry.level != "grammar":
            message = "only a requirement of level `grammar` can have `side`"
            yield LintError(f"requirements/{entry.spec}.json", name, message)
    for case in corpus.cases:
        only = corpus.requirements[case.vector.requirement].side
        if only is not None and vector_side(case.vector) != only:
            allowed = f"{case.vector.requirement} allows only {only} vectors"
            message = f"a {vector_side(case.vector)} vector, but {allowed}"
            yield LintError(case.file, case.vector.id, message)
