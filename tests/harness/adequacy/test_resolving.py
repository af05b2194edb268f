"""The mistakes of resolution: edits of its functions, and the pairs that show them (RFC 3986 section 5.2)."""

from __future__ import annotations

from math import gcd

import pytest

from urlharness.adequacy import resolution, resolving
from urlharness.adequacy.mistakes import bits
from urlharness.adequacy.mutants import edits
from urlharness.adequacy.resolution import Pair, edited, oracle_answer, oracle_function
from urlharness.adequacy.resolving import find_noticed_resolutions, find_resolution_catalogue
from urloracle.rfcs import specification

MERGE = "resolution.merge"
EDITS = tuple((MERGE, edit) for edit in edits(oracle_function(MERGE)))
INPUTS = (("http://a/b/c", "d"), ("http://a", "d"), ("a:b/c", "d"), ("http://a/b/c", "/d"))
PAIRS = tuple(Pair(*inputs, frozenset((oracle_answer("rfc3986", *inputs),))) for inputs in INPUTS)


@pytest.fixture
def catalogue(tasks, monkeypatch):
    """The catalogue of the edits of one function, with few pairs."""
    monkeypatch.setattr(resolving, "_edits", lambda _spec: EDITS)
    monkeypatch.setattr(resolving, "_pairs", lambda _spec: PAIRS)
    return find_resolution_catalogue("rfc3986", tasks)


def test_the_catalogue_has_mistakes_of_the_merging(catalogue):
    """Section 5.2.3."""
    assert catalogue.mistakes
    assert {mistake.section for mistake in catalogue.mistakes} == {"5.2.3"}
    assert {mistake.rule for mistake in catalogue.mistakes} == {"merge"}


def test_each_mistake_is_noticed_by_its_witness(catalogue):
    for mistake in catalogue.mistakes:
        _, edit = EDITS[mistake.mutant]
        right = oracle_answer("rfc3986", *mistake.witness)
        with edited(oracle_function(MERGE), edit):
            assert oracle_answer("rfc3986", *mistake.witness) != right, mistake


def test_a_candidate_has_the_target_of_the_rfc(catalogue):
    targets = {candidate.inputs: candidate.answer for candidate in catalogue.candidates}
    assert targets["http://a/b/c", "d"] == "http://a/b/d"
    assert targets["http://a", "d"] == "http://a/d"


def test_a_pair_that_reaches_no_edited_function_is_no_candidate(catalogue):
    """Section 5.2.2: a path that begins with a slash is not merged."""
    assert ("http://a/b/c", "/d") not in {candidate.inputs for candidate in catalogue.candidates}


def test_tests_notice_what_their_pairs_notice(catalogue, tasks):
    candidate = catalogue.candidates[0]
    noticed = find_noticed_resolutions(catalogue, {candidate.inputs: candidate.answer}, tasks)
    assert noticed == candidate.notices


def test_all_candidates_notice_all_mistakes(catalogue):
    noticed = set()
    for candidate in catalogue.candidates:
        noticed.update(bits(candidate.notices))
    assert noticed == set(range(len(catalogue.mistakes)))


@pytest.mark.parametrize("spec", ["rfc1808", "rfc2396", "rfc3986"])
@pytest.mark.parametrize("references", [resolution._references, resolution._paths], ids=["whole", "paths"])
def test_bases_are_not_all_asked_about_the_same_references(references, spec):
    """The stride has no factor in common with the number of references that the RFC's grammar accepts."""
    whole = specification(spec)
    automaton = whole.automaton(whole.default_rule)
    valid_references = [reference for reference in references() if automaton.accepts(reference)]
    assert gcd(resolving._STRIDE, len(valid_references)) == 1
