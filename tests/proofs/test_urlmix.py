"""The whole list of URLs that the benchmarks read: pinned, distinct, and labelled rightly."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest

from urloracle.rfcs import SPECIFICATIONS

PINNED = "bd790fd7804cbec8a07c2ec614a683f1539c6e6c3c556c59394498e200626a3b"


@pytest.fixture(scope="module")
def made(urlmix):
    return urlmix.mix()


def test_the_list_is_pinned(urlmix, made):
    assert len(made) == urlmix.COUNT == 100_000
    assert hashlib.sha256("\n".join(one.text for one in made).encode()).hexdigest() == PINNED


def test_texts_are_distinct(made):
    assert len({one.text for one in made}) == len(made)


def test_each_kind_has_its_share(urlmix, made):
    counted = Counter(one.kind for one in made)
    for kind, share in urlmix.SHARES.items():
        assert counted[kind] / len(made) == pytest.approx(share, abs=0.005), kind


def test_only_the_invalid_are_invalid(made):
    spec = SPECIFICATIONS["rfc3986"]
    accepts = spec.languages[spec.default_rule].accepts
    assert [one for one in made if accepts(one.text) != (one.kind != "invalid")] == []
