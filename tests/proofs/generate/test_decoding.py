"""The tier of decoding against an independent implementation, over all of its cases, and the corpus."""

from __future__ import annotations

import pytest

from urlharness.corpus.model import Hex
from urlharness.generate.tiers.decoding import label_urls
from urloracle.rfcs import specification

from . import independent_decoding as independent
from . import independent_schemes


def octets(value):
    """A decoded value of the corpus with bytes for texts; the order of names does not matter."""
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, Hex):
        return bytes.fromhex(value.hex)
    if isinstance(value, dict):
        return tuple(sorted((name, octets(one)) for name, one in value.items()))
    return tuple(map(octets, value)) if isinstance(value, (list, tuple)) else value


def plain(expect):
    return [octets(one.decoded) if one.kind == "decoded" else None for one in expect.alternatives]


def answers(url):
    found = independent.views(url)
    recommended = octets(found.recommended)
    return recommended, {None if one is None else octets(one) for one in found.others} - {recommended}


def disagreements(spec):
    for url, label in label_urls(specification(spec)):
        recommended, *others = plain(label.expect)
        wanted = answers(url)
        open_to_others = label.binding != "required"
        if (recommended, set(others)) != wanted or bool(others) > open_to_others:
            yield url, recommended, others, wanted


def test_both_implementations_agree_on_every_url():
    """The recommended view and the set of all others."""
    assert next(disagreements("rfc1738"), None) is None


@pytest.mark.parametrize(
    ("module", "step", "wrong"),
    [
        (independent, "decoded", lambda text: None if text is None else text.encode()),
        (independent, "paths_with_query", lambda path: [path]),
        (independent, "is_beyond_octets", lambda _: False),
        (independent_schemes, "cut", lambda text, mark: (*text.rpartition(mark)[::2],)),
    ],
)
def test_a_wrong_step_is_seen(module, step, wrong, monkeypatch):
    monkeypatch.setattr(module, step, wrong)
    assert next(disagreements("rfc1738"), None) is not None


def test_independent_implementation_against_the_corpus(corpus):
    """Every view of a vector that the text determines; names that the vector leaves out are not judged."""
    asked = 0
    for case in corpus.cases:
        vector = case.vector
        if vector.op != "decode" or vector.expect.alternatives[0].kind != "decoded":
            continue
        recommended, others = answers(vector.url)
        wanted = set(octets(vector.expect.alternatives[0].decoded))
        assert wanted <= set(recommended), vector.id
        if vector.binding == "required":
            assert all(one is not None and wanted <= set(one) for one in others), vector.id
        asked += 1
    assert asked > 100
