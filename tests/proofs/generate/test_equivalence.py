"""The tier of equivalence against an independent implementation, over all of its cases, and the corpus."""

from __future__ import annotations

import pytest

from urlharness.generate.tiers.equivalence import label_pairs
from urloracle.rfcs import specification

from . import independent_equivalence as independent

SPECS = ["rfc1738", "rfc2396", "rfc2732", "rfc3986"]


def plain(expect):
    return [one.equal if one.kind == "equal" else None for one in expect.alternatives]


def disagreements(spec):
    for one, other, mode, label in label_pairs(specification(spec)):
        recommended, *others = plain(label.expect)
        wanted = independent.verdicts(one, other, spec, mode)
        open_to_others = label.binding != "required"
        if (recommended, set(others)) != wanted or bool(others) > open_to_others:
            yield one, other, mode, recommended, others, wanted


@pytest.mark.parametrize("spec", SPECS)
def test_both_implementations_agree_on_every_pair(spec):
    """The recommended verdict and the set of all others."""
    assert next(disagreements(spec), None) is None


@pytest.mark.parametrize(
    ("spec", "step", "wrong"),
    [
        ("rfc1738", "is_refused", lambda *_: False),
        ("rfc2396", "matters", lambda *_: False),
        ("rfc2732", "is_server", lambda *_: True),
        ("rfc3986", "remove_dot_segments", lambda path: path),
    ],
)
def test_a_wrong_step_is_seen(spec, step, wrong, monkeypatch):
    monkeypatch.setattr(independent, step, wrong)
    assert next(disagreements(spec), None) is not None


@pytest.mark.parametrize("spec", SPECS)
def test_independent_implementation_against_the_corpus(spec, corpus):
    """Every vector about two valid URLs: the recommended verdict, and the set of all others."""
    asked = 0
    for case in corpus.cases:
        vector = case.vector
        if (case.spec, vector.op) == (spec, "equivalent") and vector.expect.alternatives[0].kind == "equal":
            recommended, *others = plain(vector.expect)
            found = independent.verdicts(vector.url, vector.other, spec, vector.mode or "syntax")
            assert found.recommended == recommended, vector.id
            assert found.others >= set(others), vector.id
            assert vector.binding != "required" or not found.others, vector.id
            asked += 1
    assert asked > 10 or spec == "rfc2732"
