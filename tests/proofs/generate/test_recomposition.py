"""The tier of recomposition against an independent implementation, over all of its cases, and the corpus."""

from __future__ import annotations

import pytest

from urlharness.generate.tiers.recomposition import forms, label_forms
from urloracle.rfcs import SPECIFICATIONS, specification

from . import independent_recomposition as independent


def plain(expect):
    return [one.result for one in expect.alternatives]


def disagreements(spec):
    """Components with another answer, and valid ones that are left out of the tier."""
    chosen = specification(spec)
    labels = {str(components): label for components, label in label_forms(chosen)}
    for components in forms(spec):
        label, wanted = labels.get(str(components)), independent.texts(components, spec)
        if label is None:
            if any(chosen.problem(text) is None for text in wanted):
                yield components, None, [], wanted
        elif label.binding != "unspecified":  # of components that come from no text, any text may be given
            found = plain(label.expect)
            if (found[0], set(found)) != (*wanted[:1], set(wanted)):
                yield components, found[0], found[1:], wanted


@pytest.mark.parametrize("spec", SPECIFICATIONS)
def test_both_implementations_agree_on_all_components(spec):
    """The recommended text and the set of all others."""
    assert next(disagreements(spec), None) is None


@pytest.mark.parametrize(
    ("spec", "step", "wrong"),
    [
        ("rfc1738", "site", lambda parts: f"//{parts['host']}"),
        ("rfc1738", "behind", lambda mark, value: mark + value if value else ""),
        ("rfc1808", "written", lambda parts, *_: "".join(filter(None, parts.values()))),
        ("rfc3986", "written", lambda parts, *_: "".join(filter(None, parts.values()))),
    ],
)
def test_a_wrong_step_is_seen(spec, step, wrong, monkeypatch):
    monkeypatch.setattr(independent, step, wrong)
    assert next(disagreements(spec), None) is not None


@pytest.mark.parametrize("spec", SPECIFICATIONS)
def test_independent_implementation_against_the_corpus(spec, corpus):
    """Every recomposition vector: the recommended text, and all others."""
    asked = 0
    for case in corpus.cases:
        vector = case.vector
        if (case.spec, vector.op) == (spec, "recompose"):
            recommended, *others = plain(vector.expect)
            if vector.ruling == "G-11":  # neither implementation folds the host
                others = []
            found = independent.texts(vector.components, spec)
            assert (found[0], set(found[1:])) == (recommended, set(others)), vector.id
            asked += 1
    assert asked > 10
