"""Every valid text of the corpus has a derivation tree whose parts are those of the text."""

from __future__ import annotations

import pytest

from urlharness.corpus.loader import load
from urloracle import SPECIFICATIONS, explain
from urloracle.explanation import MAX_EXPLAINED_LENGTH


def explained_vectors(spec):
    """Return the vectors of an RFC with a valid text that is explained, under the profile of its rule."""
    vectors = []
    for case in load().cases:
        vector = case.vector
        if case.spec != spec or vector.op != "validate" or vector.expect.valid is not True:
            continue
        is_short_text = isinstance(vector.url, str) and len(vector.url) <= MAX_EXPLAINED_LENGTH
        if is_short_text and vector.profile in (None, SPECIFICATIONS[spec].default_profile(vector.rule)):
            vectors.append(vector)
    return vectors


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize("spec", SPECIFICATIONS)
@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.long)])
def test_every_valid_text_of_the_corpus_has_a_tree_of_its_parts(spec, step):
    vectors = explained_vectors(spec)
    assert vectors
    for vector in vectors[::step]:
        tree = explain(vector.url, spec, rule=vector.rule).derivation
        assert tree is not None, vector.id
        assert tree.text == vector.url, vector.id
        nodes = [tree]
        for node in nodes:  # children are appended while the list is read
            nodes.extend(node.children)
            assert vector.url[node.start : node.start + len(node.text)] == node.text, vector.id
