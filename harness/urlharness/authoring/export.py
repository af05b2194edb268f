"""The corpus as plain files in a folder, for those who use no Python: all of it, or some sections.

The layout is that of the corpus; generated tiers lie in `tiers/`, a case a line.  `SHA256SUMS` lists every
file but itself, `VERSION` names the corpus.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from urlharness import release
from urlharness.authoring import readme
from urlharness.authoring.lock import Lock, LockError, entries, read, render
from urlharness.corpus import Case, Corpus, corpus_dir
from urlharness.documents import canonical
from urlharness.generate.lines import line
from urlharness.selection import Selection, within
from urlharness.streams import Stream

SUMS = "SHA256SUMS"
#: Tables that speak of all RFCs, and go along with any selection.
_TABLES = ("classes.json", "flags.json", "paragraphs.json", "rulings.json", "differences/*.json")
_SUM = re.compile(r"[0-9a-f]{64}  (?P<name>[!-~]+)")


class ExportError(ValueError):
    """A folder that must not be written into, or nothing to write; the message says why."""


def write_export(
    root: Path,
    corpus: Corpus,
    target: Path,
    selection: Selection,
    *,
    force: bool,
    core: bool = True,
    streams: Sequence[Stream] = (),
) -> int:
    """Write the chosen part of the corpus at `root` into `target`; the number of vectors.

    `streams` are generated parts to go along; without `core` they go alone.  `target` is new or
    empty, or with `force` holds an earlier export, whose files are removed first.
    Raises ExportError, and LockError where the corpus is not as its lock says.
    """
    chosen = selection.pick(corpus.cases) if core else []
    if not chosen and not streams:
        raise ExportError("no vector meets the selection")
    lock = _lock(root, corpus)
    _prepare(root, target, force=force)
    wanted = _wanted(chosen, selection)
    for path in release.covered_files(root):
        name = path.relative_to(root)
        if any(name.match(pattern) for pattern in _TABLES):
            _put(target / name, path.read_text(encoding="ascii"))
        elif name.parts[0] == "requirements":
            _put_entries(path, target / name, "requirements", wanted["requirements"])
        else:
            _put_entries(path, target / name, "vectors", wanted["vectors"])
    for path in sorted((corpus_dir() / "schemas").glob("*.json")):
        _put(target / "schemas" / path.name, path.read_text(encoding="utf-8"))
    written = {f"tiers/{one.part}.jsonl": _put_stream(target, one) for one in streams}
    digest = release.digest(target)
    _put_lock(target, lock, chosen, digest)
    _put(target / "VERSION", f"corpus {corpus.version}\ndigest {corpus.digest}\nexport {digest}\n")
    _put(target / "README.md", readme.text(root, corpus, chosen, digest, written))
    listed = sorted(path for path in target.rglob("*") if path.is_file() and path.name != SUMS)
    sums = (
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(target).as_posix()}\n"
        for path in listed
    )
    _put(target / SUMS, "".join(sums))
    return len(chosen) + sum(written.values())


def _put_stream(target: Path, stream: Stream) -> int:
    """Write the cases of a generated part, each a vector with its specification and section; how many."""
    path = target / "tiers" / f"{stream.part}.jsonl"
    path.parent.mkdir(exist_ok=True)
    count = 0
    with path.open("wb") as file:
        for count, case in enumerate(stream.cases(), 1):  # noqa: B007 - the last number is the count
            file.write(line(case))
    return count


def _wanted(chosen: Sequence[Case], selection: Selection) -> dict[str, Callable[[str, dict[str, Any]], bool]]:
    """For each list of a file whether an entry goes along: chosen vectors, statements of chosen sections."""
    ids = {case.vector.id for case in chosen}

    def stands_there(spec: str, entry: dict[str, Any]) -> bool:
        some = not selection.sections or any(within(entry["section"], one) for one in selection.sections)
        return some and (not selection.specs or spec in selection.specs)

    return {"vectors": lambda _, entry: entry["id"] in ids, "requirements": stands_there}


def _put_entries(
    source: Path, target: Path, kind: str, wanted: Callable[[str, dict[str, Any]], bool]
) -> None:
    """Write the wanted entries of a file, and no file where there are none; a whole one as it is."""
    text = source.read_text(encoding="ascii")
    document = json.loads(text)
    kept = [entry for entry in document[kind] if wanted(document["spec"], entry)]
    if len(kept) == len(document[kind]):
        _put(target, text)
    elif kept:
        _put(target, canonical(document | {kind: kept}))


def _put_lock(target: Path, lock: Lock | None, chosen: Sequence[Case], digest: str) -> None:
    """Write the lock of the chosen vectors; tombstones go along, for their ids are gone everywhere."""
    if lock is not None:
        kept = {case.vector.id: lock.entries[case.vector.id] for case in chosen}
        _put(target / release.LOCK, render(lock._replace(digest=digest, entries=kept)))


def _lock(root: Path, corpus: Corpus) -> Lock | None:
    """The lock of the corpus, which has to be as it was locked; a corpus of one's own may have no lock."""
    path = root / release.LOCK
    if not path.is_file():
        return None
    lock = read(path)
    if lock.digest != corpus.digest or lock.entries != entries(corpus):
        raise LockError("the corpus is not as it was locked (urlconform vectors lock)")
    return lock


def _prepare(root: Path, target: Path, *, force: bool) -> None:
    if target.resolve() == root.resolve() or root.resolve() in target.resolve().parents:
        raise ExportError(f"{target} is the corpus itself")
    if target.exists() and not target.is_dir():
        raise ExportError(f"{target} is no folder")
    if target.is_dir() and any(target.iterdir()):
        if not force:
            raise ExportError(f"{target} is not empty (--force replaces an earlier export)")
        _remove_export(target)
    target.mkdir(parents=True, exist_ok=True)


def _remove_export(target: Path) -> None:
    """Remove what an earlier export lists, and nothing else; folders that are left empty go too."""
    try:
        lines = (target / SUMS).read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeDecodeError):
        raise ExportError(f"{target} holds no earlier export: it has no {SUMS}") from None
    names = [match["name"] for match in map(_SUM.fullmatch, lines) if match]
    for name in [*names, SUMS]:
        if PurePosixPath(name).is_absolute() or ".." in PurePosixPath(name).parts:
            raise ExportError(f"{target}: its {SUMS} names {name}, which is not inside")
    for name in [*names, SUMS]:
        (target / name).unlink(missing_ok=True)
    for folder in sorted({(target / name).parent for name in names} - {target}, reverse=True):
        if folder.is_dir() and not any(folder.iterdir()):
            shutil.rmtree(folder)


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
