"""Export the corpus, or a part of it, as plain files with a README. Write corpus files in canonical form."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec

from urlharness.corpus.jsonl import case_line
from urlharness.corpus.loader import LOCK, corpus_digest, covered_files, sum_line
from urlharness.corpus.lock import Lock, LockError, locked_vectors, read_lock, render_lock
from urlharness.corpus.longtext import GENERATED_SCHEMA, expanded
from urlharness.corpus.model import Case, Corpus, CorpusError, FlagFile, corpus_dir, decode_file
from urlharness.corpus.selection import Selection
from urlharness.corpus.specifications import SPECS, spec_order
from urlharness.system.files import (
    OutsideError,
    linked_path,
    open_below,
    path_below,
    remove_below,
    write_below,
)
from urlharness.wording import os_reason, parse_reason, rfc

SUMS = "SHA256SUMS"

#: Maps the kinds of corpus files to the word for one entry. The kind is also the name of the schema and of
#: the list of entries.
ENTRIES = {
    "vectors": "vector",
    "requirements": "requirement",
    "classes": "class",
    "differences": "difference",
    "flags": "flag",
}

_SUM = re.compile(r"[0-9a-f]{64}  (?P<name>[!-~]+)")


class ExportError(ValueError):
    """The target must not be overwritten, or no case is selected. The message says why."""


def canonical_text(document: Mapping[str, Any]) -> str:
    """Return the canonical text of a corpus file: keys in the order of the schema, indent 1, ASCII.

    Mappings by specification are in the order of the specifications. A file that is only a mapping, such as
    rulings.json, keeps its order.
    """
    kind = next((kind for kind in ENTRIES if kind in document), None)
    if kind is None:
        return json.dumps(document, indent=1) + "\n"
    definitions = schema_of(kind)["$defs"]
    definition = definitions[ENTRIES[kind]]
    entries = [_in_schema_order(entry, definition) for entry in document[kind]]
    for entry in entries:
        if "sections" in entry:
            entry["sections"] = _in_spec_order(entry["sections"])
        if "answers" in entry:
            answers = _in_spec_order(entry["answers"])
            entry["answers"] = {
                spec: _in_schema_order(answers[spec], definitions["side"]) for spec in answers
            }
    return json.dumps({**document, kind: entries}, indent=1) + "\n"


def text_and_canonical_text(path: Path) -> tuple[str, str]:
    """Return (text of a corpus file, its canonical text). Raise CorpusError if the file cannot be read.

    The content need not be a valid part of a corpus, but its fields must be known.
    """
    try:
        text = path.read_text(encoding="utf-8")
        return text, canonical_text(json.loads(text))
    except OSError as error:
        raise CorpusError(f"{path}: {os_reason(error)}") from None
    except (ValueError, RecursionError) as error:  # not UTF-8, not JSON, or an unknown field
        raise CorpusError(f"{path}: {parse_reason(error)}") from None
    except (TypeError, KeyError, AttributeError):
        raise CorpusError(f"{path}: not the content of a corpus file") from None


@cache
def schema_of(kind: str) -> Mapping[str, Any]:
    """Return the published schema of a kind of file."""
    path = corpus_dir() / "schemas" / f"{kind}.schema.json"
    return msgspec.json.decode(path.read_bytes(), type=dict[str, Any])


def _in_schema_order(entry: Mapping[str, Any], definition: Mapping[str, Any]) -> dict[str, Any]:
    """Return an entry with its fields in the order of the schema. Raise ValueError if a field is unknown."""
    order = list(definition["properties"])
    return {name: entry[name] for name in sorted(entry, key=order.index)}


def _in_spec_order(table: Mapping[str, Any]) -> dict[str, Any]:
    return {spec: table[spec] for spec in sorted(table, key=spec_order)}


def write_export(
    root: Path,
    corpus: Corpus,
    target: Path,
    selection: Selection,
    *,
    force: bool,
    core: bool = True,
    streams: Mapping[str, Iterable[Case]] = {},
) -> int:
    """Write the selected part of the corpus at `root` into `target`, and return the number of cases written.

    `streams` maps the names of generated parts to cases, which are also written. If `core` is False, only
    these cases are written. `target` must be missing or empty. If `force` is true, it may also contain an
    earlier export, whose files are removed first. Raise ExportError if `target` must not be overwritten or
    nothing is selected, and LockError if the corpus differs from its lock.
    """
    vectors = selection.pick(corpus.cases) if core else []
    if not vectors and not streams:
        raise ExportError(selection.no_match_message(corpus.cases))
    lock = checked_lock(root, corpus)
    prepare_target(root, target, force=force)
    _write_corpus_files(root, target, vectors, selection)
    for path in sorted((corpus_dir() / "schemas").glob("*.json")):
        write_below(target, f"schemas/{path.name}", path.read_bytes())
    generated: dict[str, int] = {}
    for part, cases in streams.items():
        name = f"tiers/{part}.jsonl"
        generated[name] = _write_cases(target, name, cases)
    digest = corpus_digest(target)
    if lock is not None:  # the export keeps all tombstones, because a removed id is never used again
        entries = {case.vector.id: lock.entries[case.vector.id] for case in vectors}
        bundle = lock.bundle if digest == lock.digest else ""  # a bundle contains the digest of its corpus
        lock_of_export = lock._replace(digest=digest, entries=entries, bundle=bundle)
        write_below(target, LOCK, render_lock(lock_of_export))
    write_below(target, "VERSION", f"corpus {corpus.version}\ndigest {corpus.digest}\nexport {digest}\n")
    write_below(target, "README.md", _readme(root, corpus, vectors, digest, generated))
    write_sums(target)
    return len(vectors) + sum(generated.values())


def checked_lock(root: Path, corpus: Corpus) -> Lock | None:
    """Return the lock of a corpus, or None if it has none. Raise LockError if the corpus differs from it."""
    path = root / LOCK
    if not path.is_file():
        return None
    lock = read_lock(path)
    if lock.digest != corpus.digest or lock.entries != locked_vectors(corpus):
        raise LockError("the corpus differs from its lock; update the lock with `urlconform vectors lock`")
    return lock


def write_sums(target: Path) -> None:
    """Write SHA256SUMS, which lists all other files in the folder."""
    paths = [path for path in target.rglob("*") if path.is_file() and path.name != SUMS]
    lines = [sum_line(path, target) for path in sorted(paths)]
    write_below(target, SUMS, "".join(lines))


def prepare_target(root: Path, target: Path, *, force: bool) -> None:
    """Make an empty folder for an export of the corpus at `root`. With `force`, remove an earlier export.

    Raise ExportError if the target must not be overwritten.
    """
    if linked_path(target).is_relative_to(linked_path(root)):
        raise ExportError(f"{target} is the corpus itself, or a folder in it; choose another folder")
    if target.exists() and not target.is_dir():
        raise ExportError(f"{target} is not a folder")
    if target.is_dir() and any(target.iterdir()):
        if not force:
            raise ExportError(f"{target} is not empty (use --force to replace an earlier export)")
        _remove_export(target)
    target.mkdir(parents=True, exist_ok=True)


def _remove_export(target: Path) -> None:
    """Remove the files that SHA256SUMS of an earlier export lists, and the folders that become empty.

    Raise ExportError if there is no such list, or if it contains a file outside the folder. Then nothing is
    removed.
    """
    try:
        lines = (target / SUMS).read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeDecodeError):
        raise ExportError(f"{target} is not an earlier export: it has no {SUMS}") from None
    names = [match["name"] for match in map(_SUM.fullmatch, lines) if match]
    for name in names:
        try:
            path = path_below(target, name)
        except OutsideError as error:
            problem = f"its {SUMS} lists {name}, which is outside the folder"
            raise ExportError(f"{target}: {problem}: {error.filename}: {error.strerror}") from None
        if path.is_dir():
            raise ExportError(f"{target}: its {SUMS} lists {name}, which is a folder")
    for name in [*names, SUMS]:
        remove_below(target, name)
    folders = {(target / name).parent for name in names} - {target}
    for folder in sorted(folders, reverse=True):  # a folder after those in it
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()


def _write_corpus_files(root: Path, target: Path, vectors: Sequence[Case], selection: Selection) -> None:
    """Write the tables, the selected vectors, and the requirements of the selected sections.

    Tables about all RFCs are always written. A file without a selected entry is left out.
    """
    ids = {case.vector.id for case in vectors}
    for path in covered_files(root):
        name = path.relative_to(root)
        text = path.read_text(encoding="ascii")
        if name.parts[0] == "requirements":
            text = _with_selected_requirements(text, selection)
        elif name.parts[0] in SPECS:
            text = _with_selected_vectors(text, ids)
        if text:
            write_below(target, name.as_posix(), text)


def _with_selected_requirements(text: str, selection: Selection) -> str:
    """Return the text of a file with only the requirements of the selected sections, or "" if it has none."""
    document = json.loads(text)
    spec = document["spec"]
    entries = [
        entry for entry in document["requirements"] if selection.meets_place(spec, entry["section"], None)
    ]
    return _with_entries(document, text, "requirements", entries)


def _with_selected_vectors(text: str, ids: Collection[str]) -> str:
    """Return the text of a file with only the vectors with these ids, or "" if it has none.

    Generated texts are expanded, so that a reader of the export need not know them.
    """
    document = json.loads(text)
    whole_text = text
    if document["schema"] == GENERATED_SCHEMA:
        document = {**document, "schema": "urlvectors-1", "vectors": expanded(document["vectors"])}
        whole_text = canonical_text(document)
    entries = [entry for entry in document["vectors"] if entry["id"] in ids]
    return _with_entries(document, whole_text, "vectors", entries)


def _with_entries(document: Mapping[str, Any], whole_text: str, kind: str, entries: Sequence[Any]) -> str:
    """Return the text of a file with these entries of its own. With all of them, it is `whole_text`."""
    if len(entries) == len(document[kind]):
        return whole_text
    return canonical_text({**document, kind: entries}) if entries else ""


def _write_cases(target: Path, name: str, cases: Iterable[Case]) -> int:
    """Write one case per line and return the number of cases."""
    path_below(target, name).parent.mkdir(exist_ok=True)
    count = 0
    with open_below(target, name, "wb") as file:
        for case in cases:
            file.write(case_line(case))
            count += 1
    return count


def _readme(
    root: Path, corpus: Corpus, vectors: Sequence[Case], digest: str, generated: Mapping[str, int]
) -> str:
    """Return the README of an export.

    `vectors` are the vectors in the export, `digest` is the digest of the export, and `generated` maps the
    names of generated files to their numbers of cases.
    """
    path = resources.files("urlharness.corpus") / "export_readme.md"
    template = path.read_text(encoding="utf-8")
    count = len(vectors) + sum(generated.values())
    cases = vectors or corpus.cases  # an export of generated cases only shows a vector of the corpus
    example = next((case for case in cases if case.vector.op == "resolve"), cases[0])
    example_text = json.dumps(msgspec.to_builtins(example.vector), indent=1)
    return template.format(
        version=corpus.version,
        count=count,
        digest=corpus.digest,
        export=digest,
        figures=_figures_table(vectors),
        generated=_generated_table(generated),
        example=textwrap.indent(example_text, " " * 4),
        flags=_flags_table(root / "flags.json"),
    )


def _figures_table(vectors: Sequence[Case]) -> str:
    """Return the rows of a table: the numbers of vectors, and of requirements that they test, of each RFC."""
    requirements: dict[str, list[str]] = {spec: [] for spec in SPECS}
    for case in vectors:
        requirements[case.spec].append(case.vector.requirement)
    rows = []
    for spec, names in requirements.items():
        if names:
            rows.append(f"| {rfc(spec)} | {len(names)} | {len(set(names))} |")
    return "\n".join(rows)


def _flags_table(path: Path) -> str:
    """Return the rows of a table of the flags. Without a file of flags, return an empty string."""
    if not path.is_file():
        return ""
    flags = decode_file(path, FlagFile).flags
    rows = [f"| `{flag.id}` | {flag.statement} | {flag.effect} |" for flag in flags]
    return "\n".join(rows)


def _generated_table(files: Mapping[str, int]) -> str:
    """Return a sentence and a table about the generated files, or an empty string if there are none."""
    if not files:
        return ""
    sentence = "Generated cases, answered by the automata. Each line is a vector with `spec` and `section`:"
    rows = "\n".join(f"| `{name}` | {count} |" for name, count in files.items())
    return f"\n{sentence}\n\n| file | cases |\n|---|---:|\n{rows}\n"
