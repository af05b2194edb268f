"""Every valid text of the corpus has a derivation tree whose parts are those of the text."""

from __future__ import annotations

import pytest

from urlharness.corpus.loader import load
from urloracle import SPECIFICATIONS, explain
from urloracle.explanation import MAX_EXPLAINED_LENGTH


@pytest.mark.parametrize("spec", SPECIFICATIONS)
def test_every_valid_text_of_the_corpus_has_a_tree(spec):
    count = 0
    for case in load().cases:
        vector = case.vector
        valid = vector.op == "validate" and vector.expect.valid is True and isinstance(vector.url, str)
        if (
            case.spec != spec
            or not valid
            or vector.profile not in (None, SPECIFICATIONS[spec].default_profile(vector.rule))
        ):
            continue
        if len(vector.url) > MAX_EXPLAINED_LENGTH:
            continue
        tree = explain(vector.url, spec, rule=vector.rule).derivation
        assert tree is not None
        assert tree.text == vector.url
        nodes = [tree]
        for node in nodes:
            nodes.extend(node.children)
            assert vector.url[node.start : node.start + len(node.text)] == node.text
        count += 1
    assert count > 50
