"""The corpus as plain files, with a README."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path, PurePosixPath
from typing import Any, Protocol

import msgspec

from urlharness.corpus.jsonl import case_line
from urlharness.corpus.lock import (
    LOCK,
    Lock,
    LockError,
    corpus_digest,
    covered_files,
    locked_vectors,
    read_lock,
    render_lock,
)
from urlharness.corpus.model import SPECS, Case, Corpus, FlagFile, corpus_dir
from urlharness.corpus.selection import Selection, within

# -------------------- authoring.readme: The README of an export: the format on one page, with a loop in pseudo code.


_WIDTH = 116


def text(
    root: Path, corpus: Corpus, chosen: Sequence[Case], export: str, generated: Mapping[str, int]
) -> str:
    """The page for the chosen vectors; `export` is the digest of the folder, `generated` counts cases."""
    page = (resources.files("urlharness.corpus") / "export_readme.md").read_text(encoding="utf-8")
    counts: Counter[str] = Counter(case.spec for case in chosen)
    cited = {spec: {case.vector.requirement for case in chosen if case.spec == spec} for spec in SPECS}
    figures = [f"| RFC {spec[3:]} | {counts[spec]} | {len(cited[spec])} |" for spec in SPECS if counts[spec]]
    return page.format(
        version=corpus.version,
        count=len(chosen) + sum(generated.values()),
        digest=corpus.digest,
        export=export,
        figures="\n".join(figures),
        generated=_generated(generated),
        example=_example(chosen or corpus.cases),
        flags="\n".join(_flags(root)),
    )


def _generated(files: Mapping[str, int]) -> str:
    """A sentence on the generated parts, and their sizes; nothing where there are none."""
    if not files:
        return ""
    rows = [f"| `{name}` | {count} |" for name, count in files.items()]
    table = "\n".join(("| file | cases |", "|---|---:|", *rows))
    told = "Generated cases, a vector a line with `spec` and `section`, labelled by the automata:"
    return f"\n{told}\n\n{table}\n"


def _example(chosen: Sequence[Case]) -> str:
    """One of the vectors as it stands, wrapped between its fields: a resolution where there is one."""
    case = next((case for case in chosen if case.vector.op == "resolve"), chosen[0])
    fields = msgspec.to_builtins(case.vector)
    parts = [f"{json.dumps(name)}:\0{json.dumps(value)}".replace(" ", "\0") for name, value in fields.items()]
    lines = textwrap.wrap(", ".join(parts), _WIDTH, break_long_words=False, break_on_hyphens=False)
    return (
        "\n".join(f"    {' ' if number else '{'}{line}" for number, line in enumerate(lines)).replace(
            "\0", " "
        )
        + "}"
    )


def _flags(root: Path) -> list[str]:
    path = root / "flags.json"
    if not path.is_file():
        return []
    table = msgspec.json.decode(path.read_bytes(), type=FlagFile)
    return [f"| `{flag.id}` | {flag.statement} | {flag.effect} |" for flag in table.flags]


# -------------------- documents: One corpus file as JSON: read against its published schema, and written in canonical form.


#: For each kind of file, which is the name of its schema and of its list, the name of an entry.
ENTRIES = {
    "vectors": "vector",
    "requirements": "requirement",
    "classes": "class",
    "differences": "difference",
    "flags": "flag",
}


def canonical(document: Mapping[str, Any]) -> str:
    """The canonical text of a corpus file: schema order of keys, one blank of indentation, ASCII.

    What is said for each specification stands in the order of the specifications.  A table without entries,
    such as that of the rulings, keeps its own order.
    """
    kind = next((kind for kind in ENTRIES if kind in document), None)
    if kind is None:
        return json.dumps(document, indent=1, ensure_ascii=True) + "\n"
    definitions = _schema(kind)["$defs"]
    entries = [_ordered(entry, definitions[ENTRIES[kind]]) for entry in document[kind]]
    for entry in entries:
        if "sections" in entry:
            entry["sections"] = _by_specification(entry["sections"])
        if "answers" in entry:
            answers = _by_specification(entry["answers"])
            entry["answers"] = {spec: _ordered(answers[spec], definitions["side"]) for spec in answers}
    return json.dumps({**document, kind: entries}, indent=1, ensure_ascii=True) + "\n"


def _ordered(entry: Mapping[str, Any], definition: Mapping[str, Any]) -> dict[str, Any]:
    order = list(definition["properties"])
    return {name: entry[name] for name in sorted(entry, key=order.index)}


def _by_specification(value: Mapping[str, Any]) -> dict[str, Any]:
    return {spec: value[spec] for spec in sorted(value, key=SPECS.index)}


@cache
def _schema(kind: str) -> dict[str, Any]:
    path = corpus_dir() / "schemas" / f"{kind}.schema.json"
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


# -------------------- authoring.export: The corpus as plain files in a folder, for those who use no Python: all of it, or some sections.


SUMS = "SHA256SUMS"


#: Tables that speak of all RFCs, and go along with any selection.
_TABLES = ("classes.json", "flags.json", "paragraphs.json", "rulings.json", "differences/*.json")


_SUM = re.compile(r"[0-9a-f]{64}  (?P<name>[!-~]+)")


class CaseStream(Protocol):
    """A generated part of a tier: its name, and its cases, made anew at each call."""

    @property
    def part(self) -> str:
        """The name of the part."""

    @property
    def cases(self) -> Callable[[], Iterator[Case]]:
        """Make the cases."""


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
    streams: Sequence[CaseStream] = (),
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
    for path in covered_files(root):
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
    digest = corpus_digest(target)
    _put_lock(target, lock, chosen, digest)
    _put(target / "VERSION", f"corpus {corpus.version}\ndigest {corpus.digest}\nexport {digest}\n")
    _put(target / "README.md", text(root, corpus, chosen, digest, written))
    listed = sorted(path for path in target.rglob("*") if path.is_file() and path.name != SUMS)
    sums = (
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(target).as_posix()}\n"
        for path in listed
    )
    _put(target / SUMS, "".join(sums))
    return len(chosen) + sum(written.values())


def _put_stream(target: Path, stream: CaseStream) -> int:
    """Write the cases of a generated part, each a vector with its specification and section; how many."""
    path = target / "tiers" / f"{stream.part}.jsonl"
    path.parent.mkdir(exist_ok=True)
    count = 0
    with path.open("wb") as file:
        for count, case in enumerate(stream.cases(), 1):  # noqa: B007 - the last number is the count
            file.write(case_line(case))
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
        _put(target / LOCK, render_lock(lock._replace(digest=digest, entries=kept)))


def _lock(root: Path, corpus: Corpus) -> Lock | None:
    """The lock of the corpus, which has to be as it was locked; a corpus of one's own may have no lock."""
    path = root / LOCK
    if not path.is_file():
        return None
    lock = read_lock(path)
    if lock.digest != corpus.digest or lock.entries != locked_vectors(corpus):
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
