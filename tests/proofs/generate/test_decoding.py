"""The tier of decoding against an independent implementation, over all of its cases, and the corpus."""

from __future__ import annotations

from random import Random

import pytest

from urlharness.corpus.model import Hex
from urlharness.generate.tiers import decoding
from urlharness.generate.tiers.decoding import label_urls
from urloracle.rfcs import specification

from . import independent_decoding as independent
from . import independent_schemes
from .corpus_vectors import vectors_of


def octets(view):
    """Return a decoded view of the corpus, or a part of one, with bytes for texts and sorted names."""
    if isinstance(view, str):
        return view.encode()
    if isinstance(view, Hex):
        return bytes.fromhex(view.hex)
    if isinstance(view, dict):
        return tuple(sorted((name, octets(part)) for name, part in view.items()))
    if isinstance(view, (list, tuple)):
        return tuple(map(octets, view))
    return view


def plain(expect):
    """Return the alternatives of an expectation as the independent implementation writes them."""
    return [
        octets(alternative.decoded) if alternative.kind == "decoded" else None
        for alternative in expect.alternatives
    ]


def answers(url):
    """Return the recommended view of the independent implementation, and the set of its others."""
    views = independent.views(url)
    recommended = octets(views.recommended)
    others = {None if view is None else octets(view) for view in views.others}
    return recommended, others - {recommended}


def disagreements(spec):
    """Yield the URLs of the tier to which the independent implementation gives another answer."""
    for url, label in label_urls(specification(spec)):
        recommended, *others = plain(label.expect)
        expected = answers(url)
        lists_too_many = label.binding == "required" and others != []
        if (recommended, set(others)) != expected or lists_too_many:
            yield url, recommended, others, expected


@pytest.fixture
def a_quarter(monkeypatch):
    """A quarter of the URLs, drawn at random: of a stride, each could be of one kind."""
    drawn = list(decoding.urls())
    sample = Random(1).sample(drawn, len(drawn) // 4)
    monkeypatch.setattr(decoding, "urls", lambda: sample)


@pytest.mark.usefixtures("a_quarter")
def test_both_implementations_agree_on_a_quarter_of_the_urls():
    """They give the recommended view and the others, in the environment `proofs` of tox."""
    assert next(disagreements("rfc1738"), None) is None


@pytest.mark.long
def test_both_implementations_agree_on_every_url():
    """They give the same recommended view, and the same set of all others (RFC 1738, section 3)."""
    assert next(disagreements("rfc1738"), None) is None


def cut_at_last(text, mark):
    """Return what is before and after the last delimiter, where the right step takes the first one."""
    before, _, after = text.rpartition(mark)
    return before, after


@pytest.mark.parametrize(
    ("module", "step", "wrong"),
    [
        pytest.param(
            independent, "decoded", lambda text: None if text is None else text.encode(), id="nothing-decoded"
        ),
        pytest.param(independent, "paths_with_query", lambda path: [path], id="no-query-of-ftp"),
        pytest.param(independent, "is_beyond_octets", lambda _: False, id="no-range-of-octets"),
        pytest.param(independent_schemes, "cut", cut_at_last, id="last-delimiter"),
    ],
)
def test_a_wrong_step_of_the_independent_implementation_is_noticed(module, step, wrong, monkeypatch):
    monkeypatch.setattr(module, step, wrong)
    assert next(disagreements("rfc1738"), None) is not None


def test_the_independent_implementation_gives_the_answers_of_the_corpus(corpus):
    """It gives every view that the text determines; names that a vector leaves out are not judged."""
    vectors = vectors_of("decode", "rfc1738", corpus, "decoded")
    assert vectors
    for vector in vectors:
        recommended, others = answers(vector.url)
        parts = set(octets(vector.expect.alternatives[0].decoded))
        assert parts <= set(recommended), vector.id
        if vector.binding == "required":
            assert [view for view in others if not (view is not None and parts <= set(view))] == [], vector.id
