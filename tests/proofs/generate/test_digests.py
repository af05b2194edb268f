"""Every part of the generated tiers has its pinned digest, in every process."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from ...harness.generate.tiers.test_digests import PINNED, assert_cases_are_the_pinned_ones  # noqa: TID252 - tests are not an installed package

#: Larger parts are checked by `urlconform generate --check`.
FEW = 25_000


@pytest.mark.parametrize(
    "part", [part for part, counted in PINNED.items() if counted.cases < FEW], ids=lambda part: part.name
)
def test_cases_are_the_pinned_ones(part):
    assert_cases_are_the_pinned_ones(part)


def test_cases_do_not_depend_on_the_seed_of_hashes():
    """Sets of characters have another order in every process; the cases have one."""
    program = (
        "from urlharness.corpus.jsonl import case_line\n"
        "from urlharness.generate.tiers import cases, parts\n"
        "from urlharness.results.generated import Digest\n"
        "digest = Digest()\n"
        "for part in parts('complete', 'rfc2396') + parts('bytes', 'rfc1738', 'mailtourl'):\n"
        "    for case in cases(part): digest.add(case_line(case))\n"
        "print(digest.counted.digest)"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(digests) == 1
