"""The list of URLs that the benchmarks read is pinned, and its texts are distinct and rightly labelled."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest

from urloracle.rfcs import SPECIFICATIONS

#: The SHA-256 digest of the texts, joined by line ends.
PINNED = "bd790fd7804cbec8a07c2ec614a683f1539c6e6c3c556c59394498e200626a3b"


@pytest.fixture(scope="module")
def mix(urlmix):
    """The list."""
    return urlmix.mix()


def test_the_list_has_a_hundred_thousand_texts(urlmix, mix):
    assert urlmix.COUNT == 100_000
    assert len(mix) == urlmix.COUNT


def test_the_list_is_pinned(mix):
    assert hashlib.sha256("\n".join(sample.text for sample in mix).encode()).hexdigest() == PINNED


def test_texts_are_distinct(mix):
    assert len({sample.text for sample in mix}) == len(mix)


def test_each_kind_has_its_share(urlmix, mix):
    counts = Counter(sample.kind for sample in mix)
    shares = {kind: count / len(mix) for kind, count in counts.items()}
    assert shares == pytest.approx(urlmix.SHARES, abs=0.005)


def test_the_grammar_refuses_exactly_the_texts_labelled_invalid(mix):
    spec = SPECIFICATIONS["rfc3986"]
    accepts = spec.languages[spec.default_rule].accepts
    refused = [sample for sample in mix if not accepts(sample.text)]
    assert refused == [sample for sample in mix if sample.kind == "invalid"]
