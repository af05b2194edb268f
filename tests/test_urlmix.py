"""The URLs of the benchmarks: equal each time, distinct, mixed as claimed, the invalid ones invalid."""

from __future__ import annotations

import hashlib
import re
from collections import Counter

import pytest

from urloracle.rfcs import SPECIFICATIONS

# digests of the texts: another list makes figures that cannot be compared with those of before
PINNED = "91872a9b8109279d9933c83905daddabe40e4b6e504174cd12f0b42956208497"
COUNT = 10_000

WEB = re.compile(r"https?://(?P<authority>[^/?#]*)(?P<path>[^?#]*)(?P<query>\?[^#]*)?(?P<fragment>#.*)?")

# of the web URLs: a way to see a feature, and the share that the docstring of the mix claims
CLAIMED = {
    "port": (lambda match: re.search(":[0-9]+$", match["authority"]), 0.09),
    "userinfo": (lambda match: "@" in match["authority"], 0.015),
    "ipv4": (lambda match: re.search(r"(^|@)192\.0\.", match["authority"]), 0.04),
    "ipv6": (lambda match: "[" in match["authority"], 0.015),
    "path": (lambda match: match["path"], 0.94),
    "query": (lambda match: match["query"], 0.45),
    "fragment": (lambda match: match["fragment"], 0.12),
}


@pytest.fixture(scope="module")
def mix(urlmix):
    """The beginning of the list; tests/proofs/test_urlmix.py reads the whole one."""
    return urlmix.mix(COUNT)


def digest(texts):
    """Return a digest, which is equal only for equal lists."""
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


def mislabelled(mix):
    """Those that RFC 3986 derives although they are labelled invalid, or does not although they are not."""
    spec = SPECIFICATIONS["rfc3986"]
    accepts = spec.languages[spec.default_rule].accepts
    return [sample for sample in mix if accepts(sample.text) != (sample.kind != "invalid")]


def test_the_beginning_of_the_list_is_pinned(urlmix):
    """The texts are those that the published figures were measured on, on every Python."""
    assert digest(urlmix.urls(1000)) == PINNED


def test_list_depends_on_its_seed_alone(urlmix, mix):
    """A longer list begins as a shorter one; another seed gives another list."""
    assert urlmix.mix(1000) == mix[:1000]
    assert urlmix.mix(1000, seed=1) != mix[:1000]


def test_texts_are_distinct(mix):
    """No cache of a parser sees a text again."""
    assert len({sample.text for sample in mix}) == len(mix) == COUNT


def test_the_mean_length_is_about_60_characters(mix):
    """About 60 characters."""
    assert 55 <= sum(len(sample.text) for sample in mix) / len(mix) <= 65


def test_shares_add_up(urlmix):
    """The shares are those of a whole."""
    assert sum(urlmix.SHARES.values()) == pytest.approx(1)


def test_mix_is_as_claimed(urlmix, mix):
    """Each kind has its share, give or take what distinctness costs the short ones."""
    counted = Counter(sample.kind for sample in mix)
    assert counted.keys() == urlmix.SHARES.keys()
    for kind, share in urlmix.SHARES.items():
        assert counted[kind] / len(mix) == pytest.approx(share, abs=0.01), kind


@pytest.mark.parametrize("feature", CLAIMED)
def test_web_urls_are_as_claimed(feature, mix):
    """The shares of ports, queries and so on among the web URLs."""
    seen, share = CLAIMED[feature]
    web = [WEB.fullmatch(sample.text) for sample in mix if sample.kind == "web"]
    assert sum(map(bool, map(seen, web))) / len(web) == pytest.approx(share, abs=0.02)


def test_faults_are_labelled(urlmix, mix):
    """Every fault occurs, and only among the invalid."""
    counted = Counter(sample.fault for sample in mix if sample.kind == "invalid")
    assert counted.keys() == urlmix.FAULTS.keys()
    assert min(counted.values()) > 10
    assert all(sample.fault is None for sample in mix if sample.kind != "invalid")


def test_invalid_are_invalid_and_the_others_valid(mix):
    """RFC 3986 section 4.1 derives all but those that are labelled invalid."""
    assert mislabelled(mix) == []


@pytest.mark.parametrize(
    ("text", "kind", "fault"),
    [("http://a/%41", "invalid", "percent-alone"), ("http://a/b c", "web", None)],
    ids=["valid-labelled-invalid", "invalid-labelled-valid"],
)
def test_planted_mislabel_is_seen(text, kind, fault, urlmix, mix):
    """The check above can fail, in both directions."""
    planted = urlmix.Made(text, kind, fault)
    assert mislabelled([*mix[:50], planted]) == [planted]
