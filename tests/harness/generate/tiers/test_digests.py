"""The pinned digests, and the parts that a run selects; tests/proofs compares every digest."""

from __future__ import annotations

import json
from itertools import chain

import pytest
from jsonschema import Draft202012Validator

from urlharness.corpus.jsonl import case_line
from urlharness.corpus.model import CorpusError, corpus_dir
from urlharness.corpus.selection import Selection
from urlharness.generate.tiers import TIERS, Part, cases, parts
from urlharness.generate.tiers.digests import pin_digests, pinned_digests, stream_digests, tier_streams
from urlharness.results.generated import Counted, Digest

PINNED = pinned_digests()
SCHEMA = Draft202012Validator(json.loads((corpus_dir() / "schemas" / "tiers.schema.json").read_bytes()))


def test_every_part_is_pinned():
    all_parts = chain.from_iterable(parts(tier) for tier in TIERS)
    assert set(PINNED) == set(all_parts)


def test_every_pinned_part_has_its_own_name():
    assert len({part.name for part in PINNED}) == len(PINNED)


@pytest.mark.parametrize(
    "part",
    [Part("complete", "rfc1738", "mailtourl"), Part("resolution", "rfc2396")],
    ids=lambda part: part.name,
)
def test_cases_are_the_pinned_ones(part):
    assert_cases_are_the_pinned_ones(part)


def assert_cases_are_the_pinned_ones(part):
    """The cases are the pinned ones, byte for byte; and ids count on from 1."""
    digest = Digest()
    for number, case in enumerate(cases(part), 1):
        assert case.vector.id == f"{part.name}-{number:06}"
        digest.add(case_line(case))
    assert digest.counted == PINNED[part]


def test_the_file_of_digests_meets_its_schema():
    document = json.loads((corpus_dir() / "tiers.json").read_bytes())
    assert SCHEMA.is_valid(document)


ENTRY = {"tier": "k1", "spec": "rfc1808", "rule": "URL", "cases": 1, "digest": "0" * 64}
WRONG_ENTRIES = [
    pytest.param({"tier": "core"}, id="tier"),
    pytest.param({"spec": "3987"}, id="spec"),
    pytest.param({"rule": None}, id="no-rule"),
    pytest.param({"tier": "resolution"}, id="rule-of-resolution"),
    pytest.param({"tier": "decoding"}, id="rule-of-decoding"),
    pytest.param({"cases": 0}, id="no-cases"),
    pytest.param({"digest": "0" * 12}, id="short-digest"),
    pytest.param({"more": 1}, id="unknown-field"),
]


@pytest.mark.parametrize("change", WRONG_ENTRIES)
def test_the_schema_refuses_a_wrong_entry(change):
    entry = {name: field for name, field in (ENTRY | change).items() if field is not None}
    assert SCHEMA.is_valid({"schema": "urltiers-1", "tiers": [ENTRY]})
    assert not SCHEMA.is_valid({"schema": "urltiers-1", "tiers": [entry]})


RESOLUTION = Part("resolution", "rfc3986")
URLS_OF_1808 = Part("complete", "rfc1808", "URL")


@pytest.fixture
def folder_with_pins(tmp_path):
    """A folder in which two parts were pinned, and then the first of them anew."""
    pin_digests({RESOLUTION: Counted(1, "0" * 64)}, tmp_path)
    pin_digests({URLS_OF_1808: Counted(2, "1" * 64)}, tmp_path)
    pin_digests({RESOLUTION: Counted(3, "2" * 64)}, tmp_path)
    return tmp_path


def test_pinning_renews_a_digest_and_keeps_what_was_not_generated(folder_with_pins):
    assert pinned_digests(folder_with_pins) == {
        URLS_OF_1808: Counted(2, "1" * 64),
        RESOLUTION: Counted(3, "2" * 64),
    }


def test_pinned_digests_are_in_the_order_of_tiers(folder_with_pins):
    assert list(pinned_digests(folder_with_pins)) == [URLS_OF_1808, RESOLUTION]


def test_pinning_writes_a_file_that_meets_the_schema(folder_with_pins):
    assert SCHEMA.is_valid(json.loads((folder_with_pins / "tiers.json").read_bytes()))


def test_a_missing_file_of_digests_is_named(tmp_path):
    with pytest.raises(CorpusError, match=r"/tiers\.json: no such file or directory$"):
        pinned_digests(tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("{", "Input data was truncated", id="cut"),
        pytest.param('{"schema":"x"}', "its schema is 'x'; this program reads urltiers-1", id="other-schema"),
    ],
)
def test_a_broken_file_of_digests_is_named(tmp_path, text, message):
    (tmp_path / "tiers.json").write_text(text, "ascii")
    with pytest.raises(CorpusError) as caught:
        pinned_digests(tmp_path)
    assert str(caught.value) == f"{tmp_path / 'tiers.json'}: {message}"


@pytest.mark.parametrize(
    ("selection", "names"),
    [
        pytest.param(Selection(), {part.name for part in parts("complete")}, id="everything"),
        pytest.param(
            Selection(("rfc1738",)), {part.name for part in parts("complete", "rfc1738")}, id="specification"
        ),
        pytest.param(
            Selection(("rfc3986",), sections=("4",)),
            {
                "complete-rfc3986-URI-reference",
                "complete-rfc3986-absolute-URI",
                "complete-rfc3986-relative-ref",
            },
            id="section",
        ),
        pytest.param(
            Selection(rules=("URL", "uri-Reference")),
            {
                "complete-rfc1808-URL",
                "complete-rfc2396-URI-reference",
                "complete-rfc2732-URI-reference",
                "complete-rfc3986-URI-reference",
            },
            id="rules-in-any-case",
        ),
        pytest.param(Selection(flags=("security",)), set(), id="flag"),
        pytest.param(Selection(origins=("mutant",)), set(), id="origin"),
    ],
)
def test_a_selection_picks_parts(selection, names):
    assert {stream.part for stream in tier_streams(["complete"], selection)} == names


def test_only_a_whole_part_has_a_digest():
    (complete,) = tier_streams(["resolution"], Selection(("rfc2396",)))
    (selected,) = tier_streams(["resolution"], Selection(("rfc2396",), words=("-00004",)))
    assert stream_digests([complete, selected]) == {
        complete.part: PINNED[Part("resolution", "rfc2396")].digest
    }


def test_words_of_the_id_select_cases_of_a_part():
    (selected,) = tier_streams(["resolution"], Selection(("rfc2396",), words=("-00004",)))
    identifiers = [case.vector.id for case in selected.cases()]
    assert identifiers == [f"resolution-rfc2396-{number:06}" for number in range(40, 50)]
