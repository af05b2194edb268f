"""Pinned files of a bundle: fetch a file of a version, check it, and compare it with the pinned one."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated, Literal, NamedTuple
from urllib.error import HTTPError, URLError
from urllib.parse import urljoin, urlsplit
from urllib.request import urlopen

import msgspec

from urlharness.bundle.folder import MANIFEST
from urlharness.corpus.model import CorpusError
from urlharness.jsonio import NOT_JSON, decoding_error
from urlharness.wording import os_reason

#: The maximum number of bytes of a file of a bundle. The largest one has 15 million.
MOST_BYTES = 100_000_000

#: Seconds without a byte after which a server counts as silent.
_SILENCE = 60

#: How a pinned case differs from the new one. `changed`: another question, answer, level or binding.
#: `reworded`: anything else, such as the statement.
ChangeKind = Literal["added", "removed", "changed", "reworded"]

_Sha256 = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}(?![\s\S])")]


class FetchError(Exception):
    """A file cannot be fetched. The message names it, and says why."""


class BundleError(CorpusError):
    """A file is not one of a bundle, or has another digest than it should have. The message says which."""


# What is read of a bundle: `bundle.schema.json` has all fields.


class _Corpus(msgspec.Struct, frozen=True):
    """The corpus that a file of cases was made from."""

    version: str
    digest: str


class _ManifestFile(msgspec.Struct, frozen=True):
    """A file of cases in a manifest: its name and its SHA-256."""

    name: Annotated[str, msgspec.Meta(pattern=r"^[!-~]+(?![\s\S])")]
    sha256: _Sha256


class _Manifest(msgspec.Struct, frozen=True):
    """A manifest. `digest` is that of the bundle, which `_read_manifest` recomputes."""

    schema: Literal["urlbundle-manifest-1"]
    digest: _Sha256
    files: tuple[_ManifestFile, ...]


class _Case(msgspec.Struct, frozen=True):
    """A case: its id, and the digest of question and answers."""

    id: Annotated[str, msgspec.Meta(pattern=r"^[!-~]+(?![\s\S])")]
    digest: str


class _FileOfCases(msgspec.Struct, frozen=True):
    """A file of cases. The text of each case is kept, to see whether anything in it has changed."""

    schema: Literal["urlbundle-1"]
    corpus: _Corpus
    spec: str
    cases: tuple[msgspec.Raw, ...]


class PinnedCase(NamedTuple):
    """A case of a pinned file: the digest of question and answers, and the whole case as JSON."""

    digest: str
    text: bytes


class PinnedFile(NamedTuple):
    """A file of cases: the version of the corpus, and the cases by id."""

    version: str
    cases: dict[str, PinnedCase]


class CaseChange(NamedTuple):
    """A case that differs between two files."""

    id: str
    kind: ChangeKind


def fetch_checked(source: str, name: str, digest: str = "") -> bytes:
    """Return the content of the file `name` of the bundle at `source`, a folder or the URL of one.

    Raise FetchError if the file or the manifest of the bundle cannot be fetched. Raise BundleError if the
    digest of the file is not that of the manifest, or that of the bundle is not `digest`, if that is given.
    """
    manifest = _read_manifest(_fetch(source, MANIFEST))
    if digest and manifest.digest != digest:
        raise BundleError(f"{source}: the digest of the bundle is {manifest.digest}, not {digest}")
    sums = {file.name: file.sha256 for file in manifest.files}
    if name not in sums:
        raise BundleError(f"{source}: the bundle has no file {name!r}; it has {', '.join(sums)}")
    content = _fetch(source, name)
    actual_sum = hashlib.sha256(content).hexdigest()
    if actual_sum != sums[name]:
        raise BundleError(f"{name}: its SHA-256 is {actual_sum}, but {MANIFEST} says {sums[name]}")
    return content


def parse_pinned(content: bytes, name: str) -> PinnedFile:
    """Parse a file of cases. Raise BundleError, which names the file, if it is not one."""
    try:
        document = msgspec.json.decode(content, type=_FileOfCases)
        cases = {}
        for text in document.cases:
            case = msgspec.json.decode(text, type=_Case)
            cases[case.id] = PinnedCase(case.digest, bytes(text))
    except NOT_JSON as error:
        reason = decoding_error(content, error, _FileOfCases)
        raise BundleError(f"{name}: not a file of cases of a bundle: {reason}") from None
    return PinnedFile(document.corpus.version, cases)


def compare_pinned(old: PinnedFile, new: PinnedFile) -> list[CaseChange]:
    """Return the cases that differ, sorted by id."""
    changes = []
    for identifier in sorted(old.cases.keys() | new.cases.keys()):
        kind = _change_kind(old.cases.get(identifier), new.cases.get(identifier))
        if kind is not None:
            changes.append(CaseChange(identifier, kind))
    return changes


def _change_kind(old: PinnedCase | None, new: PinnedCase | None) -> ChangeKind | None:
    """Return how a case differs between two files, or None if it does not."""
    if old is None:
        return "added"
    if new is None:
        return "removed"
    if old.digest != new.digest:
        return "changed"
    return "reworded" if old.text != new.text else None


def is_url(source: str) -> bool:
    """Return True if a source is a URL that can be fetched, and not a path."""
    return urlsplit(source).scheme in ("http", "https")


def _read_manifest(content: bytes) -> _Manifest:
    """Parse a manifest. Raise BundleError if it is invalid, or does not have the digest that it names."""
    try:
        manifest = msgspec.json.decode(content, type=_Manifest)
    except NOT_JSON as error:
        reason = decoding_error(content, error, _Manifest)
        raise BundleError(f"{MANIFEST}: not the manifest of a bundle: {reason}") from None
    lines = [f"{file.sha256}  {file.name}\n" for file in manifest.files]
    digest = hashlib.sha256("".join(lines).encode()).hexdigest()
    if digest != manifest.digest:
        raise BundleError(f"{MANIFEST}: its files have the digest {digest}, but it says {manifest.digest}")
    return manifest


def _fetch(source: str, name: str) -> bytes:
    """Return the content of a file in a folder, or below a URL. Raise FetchError if that fails."""
    if not is_url(source):
        path = Path(source) / name
        try:
            return path.read_bytes()
        except OSError as error:
            raise FetchError(f"{path}: {os_reason(error)}") from None
    url = urljoin(source.rstrip("/") + "/", name)
    try:
        with urlopen(url, timeout=_SILENCE) as reply:  # noqa: S310 - only http and https come here
            content: bytes = reply.read(MOST_BYTES + 1)
    except HTTPError as error:
        raise FetchError(f"{url}: the server answers {error.code} {error.reason}") from None
    except URLError as error:
        raise FetchError(f"{url}: {error.reason}") from None
    except OSError as error:
        raise FetchError(f"{url}: {os_reason(error)}") from None
    if len(content) > MOST_BYTES:
        raise FetchError(f"{url}: more than {MOST_BYTES:,} bytes")
    return content
