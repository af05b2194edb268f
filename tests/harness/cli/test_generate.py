"""`urlconform generate`: lines, vector files, digests, and usage errors."""

from __future__ import annotations

import hashlib
import json

import pytest
from jsonschema import Draft202012Validator

from urlharness.cli import generate
from urlharness.corpus.model import corpus_dir
from urlharness.generate.digests import pinned_digests
from urlharness.generate.tiers import Part
from urlharness.results.generated import Counted

SMALL = ("--tier", "complete", "--spec", "2396", "--rule", "relativeuri")
PART = Part("complete", "rfc2396", "relativeURI")
PINNED = pinned_digests()[PART]


def test_lines_have_the_pinned_digest(urlconform):
    """The printed counts and digests equal the pinned ones, and stderr says so."""
    done = urlconform("generate", *SMALL)
    assert done.returncode == 0
    assert hashlib.sha256(done.stdout.encode()).hexdigest() == PINNED.digest
    assert done.stdout.count("\n") == PINNED.cases
    assert done.stderr == f"complete-rfc2396-relativeURI  {PINNED.cases} cases  sha256 {PINNED.digest}\n"


def test_output_goes_to_a_file(urlconform, tmp_path):
    done = urlconform("generate", *SMALL, "-o", "out.jsonl", "--limit", "5")
    assert (done.returncode, done.stdout) == (0, "")
    lines = (tmp_path / "out.jsonl").read_text("ascii").splitlines()
    assert [json.loads(line)["id"][-6:] for line in lines] == [f"{n:06}" for n in range(1, 6)]


def test_digest_alone(urlconform):
    done = urlconform("generate", *SMALL, "--digest")
    assert done.stdout == f"complete-rfc2396-relativeURI  {PINNED.cases} cases  sha256 {PINNED.digest}\n"
    assert done.stderr == ""


def test_vector_file_meets_the_schema(urlconform):
    done = urlconform("generate", *SMALL, "--format", "vectors", "--limit", "40")
    document = json.loads(done.stdout)
    schema = json.loads((corpus_dir() / "schemas" / "vectors.schema.json").read_bytes())
    assert list(Draft202012Validator(schema).iter_errors(document)) == []
    assert (document["spec"], document["section"], len(document["vectors"])) == ("rfc2396", "5", 40)


def test_octets_are_hex(urlconform):
    done = urlconform("generate", "--tier", "bytes", "--spec", "1808", "--rule", "relativeURL")
    texts = [json.loads(line)["url"] for line in done.stdout.splitlines()]
    assert done.stdout.isascii()
    assert {"hex": "80"} in texts
    assert "\xe9" in texts
    assert "\U0010ffff" in texts


def test_check_passes_on_what_is_pinned(urlconform):
    done = urlconform("generate", *SMALL, "--tier", "k1", "--check")
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "2 of 2 parts have their pinned digest\n"


def test_check_names_tier_and_rule_of_a_planted_difference(urlconform, monkeypatch):
    """If a digest differs from the pinned one, the output names the part with both counts."""
    monkeypatch.setattr(generate, "pinned_digests", lambda: {PART: Counted(1, "0" * 64)})
    done = urlconform("generate", *SMALL, "--check")
    assert done.returncode == 1
    assert done.stdout.startswith(f"{PART.name}: generated {PINNED.cases} cases, {PINNED.digest}; pinned 1 ")
    assert done.stderr == "0 of 1 parts have their pinned digest\n"


REFUSED = {
    "no-tier": ((), "--tier"),
    "core": (("--tier", "core"), "core"),
    "unknown-spec": (("--tier", "k1", "--spec", "3987"), "no cases for rfc3987"),
    "unknown-rule": (("--tier", "k1", "--spec", "3986", "--rule", "x"), "no cases for rfc3986 x"),
    "rule-of-resolution": (("--tier", "resolution", "--rule", "URI"), "no cases for URI"),
    "digest-and-file": ((*SMALL, "--digest", "-o", "x"), "no case is written"),
    "check-and-limit": ((*SMALL, "--check", "--limit", "1"), "omit --limit"),
    "vectors-of-many": (
        ("--tier", "complete", "--spec", "1808", "--format", "vectors"),
        "choose one of URL, abs",
    ),
    "no-directory": ((*SMALL, "-o", "no/such/file"), "no/such/file"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_usage_errors(name, urlconform):
    """A usage error writes one line on stderr and nothing on stdout, and the exit code is 2."""
    arguments, message = REFUSED[name]
    done = urlconform("generate", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
