"""Classes of the differences between urllib and Node's URL over the core and the named differences."""

from __future__ import annotations

import shutil

import pytest

from urlharness.compare.matrix import make_matrix
from urlharness.results.model import read_results

pytestmark = pytest.mark.proof

#: The maximum share of differences without a class.
UNNAMED = 0.05


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_differences_have_classes(urlconform, tmp_path):
    """`urljoin` returns a reference unchanged if it does not know the scheme of the base: one class."""
    path = tmp_path / "results.jsonl"
    assert urlconform("compare", "urllib", "node-url", "--report", f"json={path}").returncode == 0
    disagreements = make_matrix(read_results(path)).disagreements
    assert len(disagreements) > 500
    assert sum(disagreement.entry is None for disagreement in disagreements) <= UNNAMED * len(disagreements)
    unchanged = [
        disagreement
        for disagreement in disagreements
        if disagreement.case.vector.op == "resolve"
        and all(side.answer.accepts for side in disagreement.sides)
        and disagreement.side_of["urllib"].answer.text == disagreement.text
        and "scheme" in disagreement.contrasts[0].alarms
    ]
    assert len(unchanged) > 100
    assert {disagreement.entry for disagreement in unchanged} == {"unknown-scheme"}
