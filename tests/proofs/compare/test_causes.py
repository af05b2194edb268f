"""Classes of the differences between urllib and Node's URL over the core and the named differences."""

from __future__ import annotations

import shutil

import pytest

from urlharness.compare.matrix import make_matrix
from urlharness.results.model import read_results
from urloracle.rfcs import SPECIFICATIONS

pytestmark = [
    pytest.mark.proof,
    pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed"),
]

#: The maximum share of differences without a class if both libraries accept the text. An answer that refuses
#: a text with several unusual things does not show its reason, and has no class.
UNNAMED = 0.12


@pytest.fixture
def disagreements(urlconform_once, tmp_path):
    """The disagreements of urllib and Node's URL."""
    report = "json=results.jsonl"
    assert urlconform_once("compare", "urllib", "node-url", "--report", report).returncode == 0
    return make_matrix(read_results(tmp_path / "results.jsonl")).disagreements


def both_accept(disagreement):
    return all(side.answer.accepts for side in disagreement.sides)


def test_most_differences_of_accepted_texts_have_a_class(disagreements):
    accepted = [disagreement for disagreement in disagreements if both_accept(disagreement)]
    assert len(accepted) > 500
    unnamed = [disagreement.case.vector.id for disagreement in accepted if disagreement.entry is None]
    assert len(unnamed) <= UNNAMED * len(accepted), unnamed


#: References with the userinfo `u:`, of which Node drops the colon: the empty password explains that, too.
WITH_EMPTY_PASSWORD = {
    "rfc3986-5.2.2-pair-141": "empty-component",
    "rfc3986-5.2.2-pair-332": "empty-component",
}


def is_returned_unchanged(disagreement):
    """Return True for a reference that urllib returns unchanged, and Node with the scheme of the base."""
    if disagreement.case.vector.op != "resolve" or not both_accept(disagreement):
        return False
    returned = disagreement.side_of["urllib"].answer.text
    return returned == disagreement.text and "scheme" in disagreement.contrasts[0].alarms


def scheme_of_base(disagreement):
    """Return the scheme of the base of a question."""
    return disagreement.case.vector.base.partition(":")[0]


def class_of_scheme(scheme):
    """Return the class of a scheme that is in no list: by its rule in RFC 1738, or its characters."""
    if scheme in SPECIFICATIONS["rfc1738"].schemes:
        return "scheme-rule"
    return "unknown-scheme" if scheme.isalpha() else "scheme-characters"


def test_references_that_are_returned_unchanged_have_the_class_of_the_scheme(disagreements):
    """The class is that of the scheme of the base, which `urljoin` does not know."""
    unchanged = [disagreement for disagreement in disagreements if is_returned_unchanged(disagreement)]
    assert {scheme_of_base(disagreement) for disagreement in unchanged} >= {"foo", "mailto"}
    of_another_class = {
        disagreement.case.vector.id: disagreement.entry
        for disagreement in unchanged
        if disagreement.entry != class_of_scheme(scheme_of_base(disagreement))
    }
    assert of_another_class == WITH_EMPTY_PASSWORD
