"""Statements and rulings of the table of specifications, which combined vectors cite."""

from __future__ import annotations

from dataclasses import replace

import pytest

from urlauthor.cover.models import models
from urlauthor.lint.citations import read_rulings
from urlharness.corpus.model import corpus_dir
from urlharness.corpus.specifications import SPECS, SpecificationFacts


def statements_of(facts: SpecificationFacts) -> set[str]:
    """Return the statements of an RFC that its entry in the table names."""
    statements = {
        *facts.with_scheme,
        *facts.with_scheme.values(),
        *facts.without_scheme,
        *facts.without_scheme.values(),
    }
    for steps in facts.statements.values():
        statements.update(steps.values())
    return statements


STATEMENTS = [
    pytest.param(f"{spec}-{statement}", id=f"{spec}-{statement}")
    for spec, facts in SPECS.items()
    for statement in sorted(statements_of(facts))
]


@pytest.mark.parametrize("requirement", STATEMENTS)
def test_a_cited_statement_is_a_requirement(requirement, corpus):
    assert requirement in corpus.requirements


@pytest.mark.parametrize("spec", SPECS)
def test_every_cited_ruling_exists(spec):
    assert set(SPECS[spec].rulings.values()) <= read_rulings(corpus_dir(), []).keys()


def test_an_rfc_without_parts_has_no_models(monkeypatch):
    monkeypatch.setitem(SPECS, "rfc9999", replace(SPECS["rfc3986"], id="rfc9999"))
    assert list(models("rfc9999")) == []
