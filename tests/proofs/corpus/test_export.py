"""The export of the whole corpus is the corpus, with generated texts written out."""

from __future__ import annotations

import json

import pytest
from msgspec import structs

from urlauthor.lint.differences import lint_differences
from urlauthor.lint.lock import lint_lock
from urlauthor.lint.vectors import lint_vectors
from urlharness.corpus.export import write_export
from urlharness.corpus.loader import corpus_digest, covered_files, load
from urlharness.corpus.lock import read_lock
from urlharness.corpus.longtext import GENERATED_SCHEMA, expanded
from urlharness.corpus.model import Corpus, corpus_dir
from urlharness.corpus.selection import Selection


@pytest.fixture(scope="module")
def export_folder(corpus: Corpus, tmp_path_factory):
    """The folder with the export of the whole corpus."""
    folder = tmp_path_factory.mktemp("export") / "urls"
    assert write_export(corpus_dir(), corpus, folder, Selection(), force=False) == len(corpus.cases)
    return folder


def with_texts(document):
    """Return a file of the corpus with its generated texts written out."""
    if document.get("schema") != GENERATED_SCHEMA:
        return document
    return expanded(document) | {"schema": "urlvectors-1"}


def test_each_exported_file_is_that_of_the_corpus(export_folder):
    root = corpus_dir()
    for path in covered_files(root):
        exported = json.loads((export_folder / path.relative_to(root)).read_bytes())
        assert exported == with_texts(json.loads(path.read_bytes())), path


def test_the_export_is_loaded_as_the_corpus(export_folder, corpus: Corpus):
    """Only the digest of the files is another."""
    cases = tuple(corpus.cases)  # an installed corpus decodes them when they are used
    assert load(export_folder) == structs.replace(corpus, cases=cases, digest=corpus_digest(export_folder))


def test_the_export_has_the_lock_of_the_corpus_with_a_digest_of_its_own(export_folder):
    """It locks no bundle, because a bundle contains the digest of its corpus."""
    lock = read_lock(corpus_dir() / "vectors.lock")
    digest = corpus_digest(export_folder)
    assert read_lock(export_folder / "vectors.lock") == lock._replace(digest=digest, bundle="")


@pytest.mark.long
def test_lint_reports_nothing_of_the_export(export_folder):
    assert [
        *lint_vectors(export_folder, {}),
        *lint_differences(export_folder),
        *lint_lock(export_folder),
    ] == []
