"""Classes of the differences between urllib and Node's URL over the core and the named differences."""

from __future__ import annotations

import shutil
from collections import Counter

import pytest

from urlharness.compare.matrix import make_matrix
from urlharness.results.model import read_results

pytestmark = [
    pytest.mark.proof,
    pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed"),
]

#: The maximum share of differences without a class if both libraries accept the text. An answer that refuses
#: a text with several unusual things does not show its reason, and has no class.
UNNAMED = 0.12


@pytest.fixture
def disagreements(urlconform, tmp_path):
    """The disagreements of urllib and Node's URL."""
    path = tmp_path / "results.jsonl"
    assert urlconform("compare", "urllib", "node-url", "--report", f"json={path}").returncode == 0
    return make_matrix(read_results(path)).disagreements


def both_accept(disagreement):
    return all(side.answer.accepts for side in disagreement.sides)


def test_most_differences_of_accepted_texts_have_a_class(disagreements):
    accepted = [disagreement for disagreement in disagreements if both_accept(disagreement)]
    assert len(accepted) > 500
    unnamed = [disagreement for disagreement in accepted if disagreement.entry is None]
    assert len(unnamed) <= UNNAMED * len(accepted)


def test_references_that_are_returned_unchanged_have_the_class_of_the_scheme(disagreements):
    """`urljoin` returns a reference unchanged if it does not know the scheme of the base.

    Such a scheme is in no list, or has a rule of its own in RFC 1738.
    """
    unchanged = [
        disagreement
        for disagreement in disagreements
        if disagreement.case.vector.op == "resolve"
        and both_accept(disagreement)
        and disagreement.side_of["urllib"].answer.text == disagreement.text
        and "scheme" in disagreement.contrasts[0].alarms
    ]
    assert len(unchanged) > 100
    classes = Counter(disagreement.entry for disagreement in unchanged)
    assert classes["unknown-scheme"] + classes["scheme-rule"] >= 0.99 * len(unchanged)
