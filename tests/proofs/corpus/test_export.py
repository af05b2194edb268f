"""The export of the whole corpus is the corpus."""

from __future__ import annotations

from urlauthor.lint.differences import lint_differences
from urlauthor.lint.lock import lint_lock
from urlauthor.lint.vectors import lint_vectors
from urlharness.corpus.export import write_export
from urlharness.corpus.loader import corpus_digest, covered_files, load
from urlharness.corpus.lock import read_lock
from urlharness.corpus.model import Corpus, corpus_dir
from urlharness.corpus.selection import Selection


def test_the_whole_is_the_corpus(corpus: Corpus, tmp_path):
    root, whole = corpus_dir(), tmp_path / "urls"
    assert write_export(root, corpus, whole, Selection(), force=False) == len(corpus.cases)
    for path in covered_files(root):
        assert (whole / path.relative_to(root)).read_bytes() == path.read_bytes()
    assert load(whole) == corpus
    assert corpus_digest(whole) == corpus.digest
    assert read_lock(whole / "vectors.lock") == read_lock(root / "vectors.lock")
    assert [*lint_vectors(whole, {}), *lint_differences(whole), *lint_lock(whole)] == []
