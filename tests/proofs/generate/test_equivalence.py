"""The tier of equivalence against an independent implementation, over all of its cases, and the corpus."""

from __future__ import annotations

from random import Random

import pytest

from urlharness.generate.tiers import equivalence
from urlharness.generate.tiers.equivalence import label_pairs
from urloracle.rfcs import specification

from . import independent_equivalence as independent
from .corpus_vectors import vectors_of

SPECS = ["rfc1738", "rfc2396", "rfc2732", "rfc3986"]


def plain(expect):
    """Return the alternatives of an expectation as the independent implementation writes them."""
    return [alternative.equal if alternative.kind == "equal" else None for alternative in expect.alternatives]


def disagreements(spec):
    """Yield the pairs of the tier to which the independent implementation gives another answer."""
    for left, right, mode, label in label_pairs(specification(spec)):
        recommended, *others = plain(label.expect)
        verdicts = independent.verdicts(left, right, spec, mode)
        lists_too_many = label.binding == "required" and others != []
        if (recommended, set(others)) != verdicts or lists_too_many:
            yield left, right, mode, recommended, others, verdicts


@pytest.fixture
def a_quarter(monkeypatch):
    """A quarter of the pairs, drawn at random: of a stride, each could be of one kind."""
    drawn = list(equivalence.pairs())
    sample = Random(1).sample(drawn, len(drawn) // 4)
    monkeypatch.setattr(equivalence, "pairs", lambda: sample)


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.usefixtures("a_quarter")
@pytest.mark.parametrize("spec", SPECS)
def test_both_implementations_agree_on_a_quarter_of_the_pairs(spec):
    """The digest of the tier, which is checked for all pairs, shows a change of any label."""
    assert next(disagreements(spec), None) is None


@pytest.mark.long
@pytest.mark.parametrize("spec", SPECS)
def test_both_implementations_agree_on_every_pair(spec):
    """They give the same recommended verdict, and the same set of all others."""
    assert next(disagreements(spec), None) is None


@pytest.mark.parametrize(
    ("spec", "step", "wrong"),
    [
        pytest.param("rfc1738", "is_refused", lambda *_: False, id="nothing-refused"),
        pytest.param("rfc2396", "matters", lambda *_: False, id="no-open-rules"),
        pytest.param("rfc2732", "is_server", lambda *_: True, id="no-registry-names"),
        pytest.param("rfc3986", "remove_dot_segments", lambda path: path, id="dot-segments-kept"),
    ],
)
def test_a_wrong_step_of_the_independent_implementation_is_noticed(spec, step, wrong, monkeypatch):
    monkeypatch.setattr(independent, step, wrong)
    assert next(disagreements(spec), None) is not None


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize("spec", SPECS)
def test_the_independent_implementation_gives_the_answers_of_the_corpus(spec, corpus):
    """The vectors ask about two valid URLs; they have a recommended verdict, and perhaps others."""
    vectors = vectors_of("equivalent", spec, corpus, "equal")
    assert vectors
    for vector in vectors:
        recommended, *others = plain(vector.expect)
        if vector.ruling == "R-1738-46":  # neither implementation changes the order of fields
            others = []
        verdicts = independent.verdicts(vector.url, vector.other, spec, vector.mode or "syntax")
        assert verdicts.recommended == recommended, vector.id
        assert verdicts.others >= set(others), vector.id
        if vector.binding == "required":
            assert verdicts.others == set(), vector.id
