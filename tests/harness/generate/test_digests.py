"""The pinned digests: every part of every tier has one, and the generator gives the same cases again."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import msgspec
import pytest
from jsonschema import Draft202012Validator

from urlharness.corpus.jsonl import case_line
from urlharness.corpus.model import CorpusError, corpus_dir
from urlharness.generate.digests import Pinned, pin_digests, pinned_digests
from urlharness.generate.tiers import RULES, TIERS, Part, cases, part_of, parts
from urlharness.results.generated import Counted, Digest

PINNED = pinned_digests()
SCHEMA = Draft202012Validator(json.loads((corpus_dir() / "schemas" / "tiers.schema.json").read_bytes()))
#: Parts of more cases than this are for `urlconform generate --check`.
FEW = 25_000


def test_every_part_is_pinned():
    assert set(PINNED) == {part for tier in TIERS for part in parts(tier)}
    assert len({part.name for part in PINNED}) == len(PINNED)


@pytest.mark.parametrize(
    "part", [part for part, counted in PINNED.items() if counted.cases < FEW], ids=lambda part: part.name
)
def test_cases_are_the_pinned_ones(part):
    """Byte for byte; and ids count on from 1."""
    digest = Digest()
    for number, case in enumerate(cases(part), 1):
        assert case.vector.id == f"{part.name}-{number:06}"
        digest.add(case_line(case))
    assert digest.counted == PINNED[part]


def test_cases_do_not_depend_on_the_seed_of_hashes():
    """Sets of characters have another order in every process; the cases have one."""
    program = (
        "from urlharness.generate.tiers import *; from urlharness.results.generated import *; from urlharness.corpus.jsonl import case_line\n"
        "digest = Digest()\n"
        "for part in parts('complete', 'rfc2396') + parts('bytes', 'rfc1738', 'mailtourl'):\n"
        "    for case in cases(part): digest.add(line(case))\n"
        "print(digest.counted.digest)"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(found) == 1


def test_file_meets_schema():
    document = json.loads((corpus_dir() / "tiers.json").read_bytes())
    assert SCHEMA.is_valid(document)


ENTRY = {"tier": "k1", "spec": "rfc1808", "rule": "URL", "cases": 1, "digest": "0" * 64}
BAD = [
    pytest.param({"tier": "core"}, id="tier"),
    pytest.param({"spec": "rfc3987"}, id="spec"),
    pytest.param({"rule": None}, id="no-rule"),
    pytest.param({"tier": "resolution"}, id="rule-of-resolution"),
    pytest.param({"cases": 0}, id="no-cases"),
    pytest.param({"digest": "0" * 12}, id="short-digest"),
    pytest.param({"more": 1}, id="unknown-field"),
]


@pytest.mark.parametrize("change", BAD)
def test_schema_refuses(change):
    entry = {name: value for name, value in (ENTRY | change).items() if value is not None}
    assert SCHEMA.is_valid({"schema": "urltiers-1", "tiers": [ENTRY]})
    assert not SCHEMA.is_valid({"schema": "urltiers-1", "tiers": [entry]})


def test_pinning_keeps_what_was_not_generated(tmp_path):
    """One digest is renewed, the others stay, in the order of tiers and rules."""
    one, other = Part("resolution", "rfc3986"), Part("complete", "rfc1808", "URL")
    pin_digests({one: Counted(1, "0" * 64)}, tmp_path)
    pin_digests({other: Counted(2, "1" * 64)}, tmp_path)
    pin_digests({one: Counted(3, "2" * 64)}, tmp_path)
    assert pinned_digests(tmp_path) == {other: Counted(2, "1" * 64), one: Counted(3, "2" * 64)}
    assert list(pinned_digests(tmp_path)) == [other, one]
    assert SCHEMA.is_valid(json.loads((tmp_path / "tiers.json").read_bytes()))


@pytest.mark.parametrize(
    ("text", "message"),
    [(None, "No such file"), ("{", "truncated"), ('{"schema":"x"}', "Invalid enum value")],
)
def test_broken_file_is_one_error(tmp_path, text, message):
    if text is not None:
        (tmp_path / "tiers.json").write_text(text, "ascii")
    with pytest.raises(CorpusError, match=message):
        pinned_digests(tmp_path)


def test_a_line_is_a_vector_with_its_place():
    case = next(iter(cases(Part("complete", "rfc3986", "URI"))))
    found = json.loads(case_line(case))
    assert (found.pop("spec"), found.pop("section")) == ("rfc3986", "3")
    assert found == msgspec.to_builtins(case.vector)


@pytest.mark.parametrize(
    ("identifier", "part"),
    [
        ("complete-rfc3986-URI-reference-000123", Part("complete", "rfc3986", "URI-reference")),
        ("resolution-rfc1808-000001", Part("resolution", "rfc1808")),
        ("complete-rfc3986-URI-reference", None),
        ("rfc1808-5.2-excess-dotdot", None),
        ("k1-rfc1808-000001", None),
    ],
)
def test_the_part_of_an_id(identifier, part):
    assert part_of(identifier) == part


def test_rules_are_those_of_the_rfcs():
    """Every scheme of RFC 1738 has its rule; a rule is written as its RFC writes it."""
    from urloracle.rfcs import specification

    assert set(RULES["rfc1738"]) == set(specification("rfc1738").schemes.values())
    for spec, names in RULES.items():
        grammar = specification(spec).grammar
        assert [grammar.canonical_name(name) for name in names] == list(names)
        assert spec == "rfc1738" or names[0] == specification(spec).default_rule


def test_pinned_is_what_a_tally_is_held_against():
    assert Pinned("k1", "rfc1808", 1, "0" * 64, "URL").part == Part("k1", "rfc1808", "URL")
