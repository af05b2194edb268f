"""The tier of recomposition against an independent implementation, over all of its cases, and the corpus."""

from __future__ import annotations

import pytest

from urlharness.generate.tiers.recomposition import component_sets, label_forms
from urloracle.rfcs import SPECIFICATIONS, specification

from . import independent_recomposition as independent
from .corpus_vectors import vectors_of


def plain(expect):
    """Return the texts of an expectation."""
    return [alternative.result for alternative in expect.alternatives]


def disagreements(spec):
    """Yield components with another answer, and valid ones that are left out of the tier."""
    rfc = specification(spec)
    labels = {str(components): label for components, label in label_forms(rfc)}
    for components in component_sets(spec):
        label = labels.get(str(components))
        texts = independent.texts(components, spec)
        if label is None:
            if any(rfc.problem(text) is None for text in texts):
                yield components, [], texts
        elif label.binding != "unspecified":  # of components that come from no text, any text may be given
            labelled = plain(label.expect)
            if labelled[:1] != texts[:1] or set(labelled) != set(texts):
                yield components, labelled, texts


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize("spec", SPECIFICATIONS)
def test_both_implementations_agree_on_all_components(spec):
    """They give the same recommended text, and the same set of all others."""
    assert next(disagreements(spec), None) is None


@pytest.mark.parametrize(
    ("spec", "step", "wrong"),
    [
        pytest.param("rfc1738", "site", lambda parts: f"//{parts['host']}", id="host-alone"),
        pytest.param(
            "rfc1738", "after", lambda mark, part: mark + part if part else "", id="empty-is-absent"
        ),
        pytest.param(
            "rfc1808",
            "written",
            lambda parts, *_: "".join(filter(None, parts.values())),
            id="no-delimiters-1808",
        ),
        pytest.param(
            "rfc3986",
            "written",
            lambda parts, *_: "".join(filter(None, parts.values())),
            id="no-delimiters-3986",
        ),
    ],
)
def test_a_wrong_step_of_the_independent_implementation_is_noticed(spec, step, wrong, monkeypatch):
    monkeypatch.setattr(independent, step, wrong)
    assert next(disagreements(spec), None) is not None


@pytest.mark.parametrize("spec", SPECIFICATIONS)
def test_the_independent_implementation_gives_the_answers_of_the_corpus(spec, corpus):
    """It gives the recommended text of every vector, and all others."""
    vectors = vectors_of("recompose", spec, corpus, "result")
    assert vectors
    for vector in vectors:
        recommended, *others = plain(vector.expect)
        if vector.ruling == "G-11":  # neither implementation folds the host
            others = []
        texts = independent.texts(vector.components, spec)
        assert texts[0] == recommended, vector.id
        assert set(texts[1:]) == set(others), vector.id
