"""The tier of normalization against an independent implementation, over all of its cases.

The independent implementation makes lists of choices and was written without a look at the oracle's code.
It is also asked the vectors of the corpus, so that it is checked itself.
"""

from __future__ import annotations

from random import Random

import pytest

from urlharness.generate.tiers import normalization
from urlharness.generate.tiers.normalization import label_urls
from urloracle.rfcs import specification

from . import independent_normalization as independent
from .corpus_vectors import vectors_of

SPECS = ["rfc2396", "rfc2732", "rfc3986"]


def plain(expect):
    """Return the alternatives of an expectation as the independent implementation writes them."""
    return [
        alternative.result if alternative.kind == "result" else None for alternative in expect.alternatives
    ]


def disagreements(spec):
    """Yield the URLs of the tier to which the independent implementation gives another answer."""
    for url, mode, label in label_urls(specification(spec)):
        recommended, *others = plain(label.expect)
        forms = independent.forms(url, spec, mode)
        lists_too_many = label.binding == "required" and others != []
        if (recommended, set(others)) != forms or lists_too_many:
            yield url, mode, recommended, others, forms


@pytest.fixture
def a_quarter(monkeypatch):
    """A quarter of the URLs, drawn at random: of a stride, each could be of one kind."""
    drawn = list(normalization.spellings())
    sample = Random(1).sample(drawn, len(drawn) // 4)
    monkeypatch.setattr(normalization, "spellings", lambda: sample)


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.usefixtures("a_quarter")
@pytest.mark.parametrize("spec", SPECS)
def test_both_implementations_agree_on_a_quarter_of_the_urls(spec):
    """They give the recommended form and the others, in the environment `proofs` of tox."""
    assert next(disagreements(spec), None) is None


@pytest.mark.long
@pytest.mark.parametrize("spec", SPECS)
def test_both_implementations_agree_on_every_url(spec):
    """They give the same recommended form, and the same set of all others."""
    assert next(disagreements(spec), None) is None


@pytest.mark.parametrize(
    ("spec", "step", "wrong"),
    [
        pytest.param("rfc3986", "remove_dot_segments", lambda path: path, id="dot-segments-kept"),
        pytest.param("rfc3986", "lower", str.lower, id="digits-of-triplets-lowered"),
        pytest.param("rfc3986", "encoded_dots_kept", lambda segment: segment, id="triplets-kept"),
        pytest.param("rfc2396", "is_server", lambda *_: True, id="no-registry-names"),
        pytest.param("rfc2732", "port_of", lambda _: None, id="no-default-ports"),
    ],
)
def test_a_wrong_step_of_the_independent_implementation_is_noticed(spec, step, wrong, monkeypatch):
    monkeypatch.setattr(independent, step, wrong)
    assert next(disagreements(spec), None) is not None


@pytest.mark.parametrize("spec", SPECS)
def test_the_independent_implementation_gives_the_answers_of_the_corpus(spec, corpus):
    """It gives the recommended form, and at least the others that a vector lists."""
    vectors = vectors_of("normalize", spec, corpus, "result")
    assert vectors
    for vector in vectors:
        recommended, *others = plain(vector.expect)
        forms = independent.forms(vector.url, spec, vector.mode or "syntax")
        assert forms.recommended == recommended, vector.id
        assert forms.others >= set(others), vector.id


@pytest.mark.parametrize("spec", SPECS)
def test_the_independent_implementation_gives_required_vectors_one_form(spec, corpus):
    vectors = vectors_of("normalize", spec, corpus, "result")
    required = [vector for vector in vectors if vector.binding == "required"]
    assert required != []
    for vector in required:
        forms = independent.forms(vector.url, spec, vector.mode or "syntax")
        assert forms.others == set(), vector.id
