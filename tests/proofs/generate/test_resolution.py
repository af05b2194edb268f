"""The tier of resolution against an independent implementation, over all of its pairs.

The independent implementation works on lists of segments and was written without a look at the oracle's
code.  It is also asked the examples of the RFCs, so that it is checked itself.
"""

from __future__ import annotations

import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest

from urlharness.generate.tiers.resolution import label_pairs
from urloracle.rfcs import specification

from .corpus_vectors import vectors_of

independent = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("independent_resolution.py"))))


def plain(expect):
    """Return the alternatives of an expectation as the independent implementation writes them."""
    answers = {"same_document": independent.SAME_DOCUMENT}
    return [
        alternative.result if alternative.kind == "result" else answers.get(alternative.kind)
        for alternative in expect.alternatives
    ]


def disagreements(spec):
    """Yield the pairs of the tier to which the independent implementation gives another answer."""
    for base, reference, label in label_pairs(specification(spec)):
        recommended, *others = plain(label.expect)
        expected = independent.RESOLVERS[spec](base, reference)
        lists_too_many = label.binding == "required" and others != []
        if (recommended, set(others)) != expected or lists_too_many:
            yield base, reference, recommended, others, expected


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize("spec", independent.RESOLVERS)
def test_both_implementations_agree_on_every_pair(spec):
    """They give the same recommended result, and the same set of all others."""
    assert next(disagreements(spec), None) is None


def test_a_wrong_step_of_the_independent_implementation_is_noticed(monkeypatch):
    """If it keeps an excess `..`, the two disagree (RFC 3986, section 5.2.4)."""
    resolver = independent.RESOLVERS["rfc3986"]
    monkeypatch.setitem(resolver.__globals__, "remove_dot_segments", resolver.__globals__["without_dots"])
    assert next(disagreements("rfc3986"), None) is not None


@pytest.mark.parametrize("spec", ["rfc1808", "rfc2396", "rfc3986"])
def test_the_independent_implementation_resolves_the_examples_of_the_rfc(spec, corpus):
    """RFC 1808 section 5, RFC 2396 appendix C, RFC 3986 section 5.4: the vectors of level example."""
    examples = [
        case.vector
        for case in corpus.cases
        if case.spec == spec and case.vector.op == "resolve" and case.vector.level == "example"
    ]
    assert examples
    for vector in examples:
        recommended, _ = independent.RESOLVERS[spec](vector.base, vector.reference)
        admissible = set(plain(vector.expect))
        assert recommended in admissible, vector.id
        if vector.binding == "required":
            assert {recommended} == admissible, vector.id


@pytest.mark.parametrize("spec", ["rfc1808", "rfc2396", "rfc2732", "rfc3986"])
def test_the_independent_implementation_gives_the_answers_of_the_corpus(spec, corpus):
    """The vectors are those whose result the text determines, without those of octets."""
    compared = 0
    for vector in vectors_of("resolve", spec, corpus, "result"):
        has_texts = isinstance(vector.base, str) and isinstance(vector.reference, str)
        if has_texts and vector.binding == "required" and vector.expect.kind == "result":
            recommended, _ = independent.RESOLVERS[spec](vector.base, vector.reference)
            assert recommended == vector.expect.result, vector.id
            compared += 1
    assert compared > 0
