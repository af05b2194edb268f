"""The export of the whole corpus is the corpus, with generated texts written out."""

from __future__ import annotations

import json

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


def test_the_whole_is_the_corpus(corpus: Corpus, tmp_path):
    root = corpus_dir()
    whole = tmp_path / "urls"
    assert write_export(root, corpus, whole, Selection(), force=False) == len(corpus.cases)
    for path in covered_files(root):
        exported = json.loads((whole / path.relative_to(root)).read_bytes())
        document = json.loads(path.read_bytes())
        if document.get("schema") == GENERATED_SCHEMA:
            document = expanded(document) | {"schema": "urlvectors-1"}
        assert exported == document, path
    digest = corpus_digest(whole)
    cases = tuple(corpus.cases)  # an installed corpus decodes them when they are used
    assert load(whole) == structs.replace(corpus, cases=cases, digest=digest)
    assert read_lock(whole / "vectors.lock") == read_lock(root / "vectors.lock")._replace(digest=digest)
    assert [*lint_vectors(whole, {}), *lint_differences(whole), *lint_lock(whole)] == []
