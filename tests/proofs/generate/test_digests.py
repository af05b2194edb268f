"""The cases of the generated tiers have their pinned digests, and are the same in every process."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from ...harness.generate.tiers.test_digests import PINNED, assert_cases_are_the_pinned_ones  # noqa: TID252 - tests are not an installed package

#: Larger parts are `long`.
FEW = 6_000
#: Larger parts are checked by `urlconform generate --check`.
MANY = 25_000

PARTS = [
    pytest.param(part, id=part.name, marks=[] if counted.cases < FEW else [pytest.mark.long])
    for part, counted in PINNED.items()
    if counted.cases < MANY
]


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.sampled(2)
def test_cases_are_the_pinned_ones(part):
    assert_cases_are_the_pinned_ones(part)


#: A program that prints the digest of the cases of two tiers.
PRINTING_DIGEST = """
from urlharness.corpus.jsonl import case_line
from urlharness.generate.tiers import cases, parts
from urlharness.results.generated import Digest

digest = Digest()
for part in parts("complete", "rfc1808") + parts("bytes", "rfc1808", "absoluteURL"):
    for case in cases(part):
        digest.add(case_line(case))
print(digest.counted.digest)
"""


def digest_with_seed_of_hashes(seed):
    """Return the digest in a process whose sets of characters have another order."""
    return subprocess.run(
        [sys.executable, "-c", PRINTING_DIGEST],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_cases_do_not_depend_on_the_seed_of_hashes():
    digests = {digest_with_seed_of_hashes(seed) for seed in ("0", "1")}
    assert len(digests) == 1
