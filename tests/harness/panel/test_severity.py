"""The harm of differences: the order of components, from the most harmful one to the least."""

from __future__ import annotations

import pytest

from urlharness.panel.severity import BY_HARM, OTHER, VERDICT, harm_rank


def test_components_are_ordered_by_harm():
    """The verdict and what is no component come last."""
    least_harmful_first = [OTHER, VERDICT, *reversed(BY_HARM)]
    assert sorted(least_harmful_first, key=harm_rank) == [*BY_HARM, VERDICT, OTHER]


def test_no_component_does_more_harm_than_the_host():
    assert min([*BY_HARM, VERDICT, OTHER], key=harm_rank) == "host"


@pytest.mark.parametrize(("name", "of_rfc3986"), [("net_loc", "host"), ("user", "userinfo")])
def test_a_component_of_another_rfc_counts_as_the_one_of_rfc_3986_that_it_is(name, of_rfc3986):
    assert harm_rank(name) == harm_rank(of_rfc3986)
