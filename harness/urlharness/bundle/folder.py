"""Write the bundle: the files of cases, the manifest, and the pages and the schema that explain them."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from importlib import metadata, resources
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from urlharness.bundle.cases import case_document, count_answers
from urlharness.corpus.export import ExportError, checked_lock, prepare_target, write_sums
from urlharness.corpus.jsonl import requirement_of
from urlharness.corpus.lock import LockError
from urlharness.corpus.longtext import MAX_WHOLE_LENGTH, abbreviated
from urlharness.corpus.model import Case, Corpus
from urlharness.corpus.selection import Selection
from urlharness.corpus.specifications import spec_order
from urlharness.system.files import write_below
from urlharness.wording import rfc

SCHEMA = "urlbundle-1"
MANIFEST_SCHEMA = "urlbundle-manifest-1"
MANIFEST = "manifest.json"

#: A case that admits more answers is left out.
MOST_ANSWERS = 64

#: The files that explain the others. Each is the resource of this package with the second name.
_PAGES = {"RUNNER.md": "runner.md", "bundle.schema.json": "bundle.schema.json"}


class WrittenBundle(NamedTuple):
    """The result of writing a bundle: its digest, the number of its cases, and how many were left out."""

    digest: str
    cases: int
    left_out: int


def write_bundle(
    root: Path, corpus: Corpus, target: Path, selection: Selection, *, force: bool
) -> WrittenBundle:
    """Write the selected cases of the corpus at `root` as a bundle into `target`.

    `target` must be missing or empty. If `force` is true, it may also contain an earlier export, whose files
    are removed first. Raise ExportError if `target` must not be overwritten or nothing is selected, and
    LockError if the corpus differs from its lock.
    """
    selected = selection.pick(corpus.cases)
    cases = [case for case in selected if count_answers(case.vector) <= MOST_ANSWERS]
    if not cases:
        raise ExportError(selection.no_match_message(corpus.cases))
    lock = checked_lock(root, corpus)
    contents = _contents(corpus, cases, corpus.version)
    if lock is not None and lock.bundle and selection == Selection():
        _check_digest(_digest(contents), lock.bundle)
    prepare_target(root, target, force=force)
    left_out = len(selected) - len(cases)
    manifest = _write_contents(corpus, contents, target, left_out)
    for name, resource in _PAGES.items():
        write_below(target, name, _resource_text(resource))
    write_below(target, "LICENSE", license_text())
    write_below(target, "README.md", _readme(manifest))
    write_sums(target)
    return WrittenBundle(manifest["digest"], len(cases), left_out)


def write_cases(corpus: Corpus, cases: Sequence[Case], target: Path, left_out: int) -> Mapping[str, Any]:
    """Write the files of cases and the manifest, and return the manifest as JSON data."""
    return _write_contents(corpus, _contents(corpus, cases, corpus.version), target, left_out)


def bundle_digest(corpus: Corpus, version: str) -> str:
    """Return the digest of the bundle of a whole corpus, if `version` is the version of the corpus."""
    cases = [case for case in corpus.cases if count_answers(case.vector) <= MOST_ANSWERS]
    return _digest(_contents(corpus, cases, version))


class _FileOfCases(NamedTuple):
    """The content of a file of cases, the RFC of the cases, and their number."""

    content: bytes
    spec: str
    cases: int

    @property
    def sha256(self) -> str:
        """The SHA-256 of the content in hex digits."""
        return hashlib.sha256(self.content).hexdigest()


def _contents(corpus: Corpus, cases: Sequence[Case], version: str) -> dict[str, _FileOfCases]:
    """Return the files of cases by name, in the order of the names."""
    documents: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for case in cases:
        vector = case.vector
        requirement = corpus.requirements.get(vector.requirement) or requirement_of(case.section, vector)
        documents[file_name(case)].append(case_document(case, requirement))
    contents = {}
    for name, cases_of_file in sorted(documents.items()):
        spec = cases_of_file[0]["spec"]
        text = _text_of_cases({"version": version, "digest": corpus.digest}, spec, cases_of_file)
        contents[name] = _FileOfCases(text.encode("ascii"), spec, len(cases_of_file))
    return contents


def _write_contents(
    corpus: Corpus, contents: Mapping[str, _FileOfCases], target: Path, left_out: int
) -> Mapping[str, Any]:
    """Write the files of cases and the manifest, and return the manifest as JSON data."""
    files = []
    for name, file in contents.items():
        write_below(target, name, file.content)
        files.append({"name": name, "spec": file.spec, "cases": file.cases, "sha256": file.sha256})
    manifest = {
        "schema": MANIFEST_SCHEMA,
        "corpus": {"version": corpus.version, "digest": corpus.digest},
        "digest": _digest(contents),
        "cases": sum(file.cases for file in contents.values()),
        "left_out": left_out,
        "files": files,
    }
    write_below(target, MANIFEST, json.dumps(manifest, indent=1, sort_keys=True) + "\n")
    return manifest


def file_name(case: Case) -> str:
    """Return the name of the file with a case. Cases with a text of more than 1,024 characters are apart."""
    fields = msgspec.to_builtins(case.vector)
    has_long_text = abbreviated(fields) is not fields  # it returns what it need not abbreviate unchanged
    ending = "-long" if has_long_text else ""
    return f"urlvectors-{case.spec}{ending}.json"


def _text_of_cases(corpus: Mapping[str, str], spec: str, documents: Sequence[Mapping[str, Any]]) -> str:
    """Return the text of a file: one case on each line, with sorted keys, so that a change is one line.

    `corpus` contains the version and the digest of the corpus.
    """
    head = {"schema": SCHEMA, "corpus": corpus, "spec": spec}
    # the object goes on with the cases
    open_head = json.dumps(head, sort_keys=True).removesuffix("}")
    case_lines = ",\n".join(json.dumps(document, sort_keys=True) for document in documents)
    return f'{open_head}, "cases": [\n{case_lines}\n]}}\n'


def _check_digest(digest: str, locked_digest: str) -> None:
    """Raise LockError if the bundle differs from the one that the lock names."""
    if digest != locked_digest:
        raise LockError(
            f"the bundle has digest {digest}, but the lock says {locked_digest}; "
            "update the lock with `urlconform vectors lock`"
        )


def _digest(contents: Mapping[str, _FileOfCases]) -> str:
    """Return the digest of a bundle: the SHA-256 of the sums and names of its files of cases."""
    lines = [f"{file.sha256}  {name}\n" for name, file in contents.items()]
    return hashlib.sha256("".join(lines).encode("ascii")).hexdigest()


def license_text() -> str:
    """Return the licence of the installed distribution, which is also that of the corpus."""
    text = metadata.distribution("urlconform").read_text("licenses/LICENSE")
    assert text is not None  # pyproject.toml puts it into every distribution
    return text


def _resource_text(name: str) -> str:
    """Return the text of a file of this package."""
    return (resources.files("urlharness.bundle") / name).read_text(encoding="utf-8")


def _readme(manifest: Mapping[str, Any]) -> str:
    """Return the README of a bundle with this manifest. Its table has the files in the order of the RFCs."""
    files = sorted(manifest["files"], key=lambda file: file["name"], reverse=True)  # long texts last
    files.sort(key=lambda file: spec_order(file["spec"]))
    rows = [f"| `{file['name']}` | {rfc(file['spec'])} | {file['cases']:,} |" for file in files]
    return _resource_text("readme.md").format(
        version=manifest["corpus"]["version"],
        digest=manifest["digest"],
        corpus=manifest["corpus"]["digest"],
        count=f"{manifest['cases']:,}",
        left_out=manifest["left_out"],
        most=MOST_ANSWERS,
        longest=f"{MAX_WHOLE_LENGTH:,}",
        files="\n".join(rows),
    )
