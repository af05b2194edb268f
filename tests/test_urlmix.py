"""The URLs of the benchmarks: equal each time, distinct, mixed as claimed, the invalid ones invalid."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from statistics import mean

import pytest

from urloracle.rfcs import SPECIFICATIONS

#: A digest of the first texts. Another list makes figures that cannot be compared with those of before.
PINNED = "91872a9b8109279d9933c83905daddabe40e4b6e504174cd12f0b42956208497"
COUNT = 10_000

WEB = re.compile(r"https?://(?P<authority>[^/?#]*)(?P<path>[^?#]*)(?P<query>\?[^#]*)?(?P<fragment>#.*)?")

#: Of the web URLs: a way to see a feature, and the share that the docstring of the mix claims.
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
    """Return the texts whose label is wrong: invalid, although RFC 3986 derives it, or the opposite."""
    spec = SPECIFICATIONS["rfc3986"]
    accepts = spec.languages[spec.default_rule].accepts
    return [sample for sample in mix if accepts(sample.text) != (sample.kind != "invalid")]


def test_the_beginning_of_the_list_is_pinned(urlmix):
    """The texts are those that the published figures were measured on, on every Python."""
    assert digest(urlmix.urls(1000)) == PINNED


def test_a_longer_list_begins_as_a_shorter_one(urlmix, mix):
    assert urlmix.mix(1000) == mix[:1000]


def test_another_seed_gives_another_list(urlmix, mix):
    assert urlmix.mix(1000, seed=1) != mix[:1000]


def test_the_list_has_as_many_texts_as_were_asked_for(mix):
    assert len(mix) == COUNT


def test_no_text_is_in_the_list_twice(mix):
    """No cache of a parser sees a text again."""
    assert len({sample.text for sample in mix}) == len(mix)


def test_the_mean_length_of_the_texts_is_about_60_characters(mix):
    assert mean(len(sample.text) for sample in mix) == pytest.approx(60, abs=5)


def test_the_shares_of_the_kinds_add_up_to_1(urlmix):
    assert sum(urlmix.SHARES.values()) == pytest.approx(1)


def test_each_kind_has_its_share_of_the_list(urlmix, mix):
    """The texts are distinct, so a kind of short texts has a few less than its share."""
    counts = Counter(sample.kind for sample in mix)
    shares = {kind: count / len(mix) for kind, count in counts.items()}
    assert shares == pytest.approx(urlmix.SHARES, abs=0.01)


@pytest.mark.parametrize("feature", CLAIMED)
def test_a_feature_has_its_share_of_the_web_urls(feature, mix):
    has_feature, share = CLAIMED[feature]
    web = [WEB.fullmatch(sample.text) for sample in mix if sample.kind == "web"]
    with_feature = [match for match in web if has_feature(match)]
    assert len(with_feature) / len(web) == pytest.approx(share, abs=0.02)


def test_every_fault_occurs_often_among_the_invalid_texts(urlmix, mix):
    """Each fault occurs at least half as often as if all were equally likely."""
    counted = Counter(sample.fault for sample in mix if sample.kind == "invalid")
    assert counted.keys() == urlmix.FAULTS.keys()
    assert min(counted.values()) >= counted.total() / len(counted) / 2


def test_no_valid_text_is_labelled_with_a_fault(mix):
    assert {sample.fault for sample in mix if sample.kind != "invalid"} == {None}


def test_exactly_the_texts_labelled_invalid_are_invalid(mix):
    """RFC 3986 section 4.1 derives all others."""
    assert mislabelled(mix) == []


@pytest.mark.parametrize(
    ("text", "kind", "fault"),
    [("http://a/%41", "invalid", "percent-alone"), ("http://a/b c", "web", None)],
    ids=["valid-labelled-invalid", "invalid-labelled-valid"],
)
def test_a_text_with_a_wrong_label_is_the_only_one_mislabelled(text, kind, fault, urlmix, mix):
    """The check above can fail, in both directions."""
    sample = urlmix.Made(text, kind, fault)
    assert mislabelled([*mix[:50], sample]) == [sample]
