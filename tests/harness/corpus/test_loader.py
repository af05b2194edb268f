"""The digest of a corpus covers every file of it."""

from __future__ import annotations

import hashlib
import subprocess

import pytest

from urlharness.corpus.loader import covered_files, load
from urlharness.corpus.model import corpus_dir

#: Files that are made from the corpus, and may name its digest.
MEASURED = {"adequacy.json", "tiers.json"}


@pytest.mark.parametrize(
    "name",
    ["classes.json", "flags.json", "paragraphs.json", "rfc1808/5.1-normal.json", "requirements/rfc2732.json"],
)
def test_the_digest_changes_with_a_file(part, name):
    before = load(part).digest
    (part / name).write_bytes((part / name).read_bytes() + b"\n")
    assert load(part).digest != before


def test_the_digest_covers_every_file_but_schemas_and_measurements():
    covered = {path.relative_to(corpus_dir()).as_posix() for path in covered_files(corpus_dir())}
    names = {path.relative_to(corpus_dir()).as_posix() for path in corpus_dir().rglob("*.json")}
    schemas = {name for name in names if name.startswith("schemas/")}
    assert names - covered - schemas <= MEASURED
    assert "differences/query-only.json" in covered


def test_the_digest_equals_sha256sum(part):
    names = [path.relative_to(part).as_posix() for path in covered_files(part)]
    assert names == sorted(names)
    lines = subprocess.run(["sha256sum", *names], cwd=part, capture_output=True, check=True).stdout
    assert hashlib.sha256(lines).hexdigest()[:12] == load(part).digest
