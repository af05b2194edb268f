"""An independent implementation notices faults that are planted in the algorithms of resolution.

It works on lists of segments and was written from the RFCs' text and the rulings alone; the pairs of base and
reference are the product of their shapes.
"""

from __future__ import annotations

import pytest

from urlharness.generate.tiers.resolution import pairs
from urloracle.errors import InvalidURL
from urloracle.operations import resolve

from ..generate import independent_resolution  # noqa: TID252 - tests are not an installed package
from .test_faults import ALGORITHMS, fault_cases


def disagreement(spec):
    """Return the first pair that the two implementations resolve to different texts, or None."""
    for base, reference in pairs():
        try:
            target = resolve(base, reference, spec).text
        except InvalidURL:
            continue
        recommended, _ = independent_resolution.RESOLVERS[spec](base, reference)
        if isinstance(recommended, str) and target != recommended:
            return base, reference
    return None


@pytest.mark.sampled(keep="rfc3986")
@pytest.mark.parametrize("spec", ["rfc1808", "rfc2396", "rfc3986"])
def test_both_implementations_agree_without_a_fault(spec):
    assert disagreement(spec) is None


FAULTS = fault_cases(ALGORITHMS, "rfc.resolution.")


@pytest.mark.sampled(5)
@pytest.mark.parametrize(("spec", "location", "before", "after"), FAULTS)
def test_a_wrong_step_is_noticed(spec, location, before, after, plant):
    plant(location, before, after)
    assert disagreement(spec) is not None


#: The number of faults below which some of the table must have got lost.
LEAST_FAULTS = 40


def test_many_faults_are_planted():
    assert len(FAULTS) >= LEAST_FAULTS
