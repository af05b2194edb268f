"""The table of parts: named once, with statements that exist."""

from __future__ import annotations

from collections import Counter

import pytest

from urlauthor.cover.parts import cited_statement, read_parts
from urlharness.corpus.specifications import SPECS


def cited_statements():
    """Return the ids of the statements that the table cites."""
    parts = read_parts()
    statements = {f"rfc1738-{form.decodes}" for form in parts.forms}
    for difference in parts.differences:
        statements |= {f"{spec}-{slug}" for spec, slug in difference.cites.items()}
    components_of_forms = [component for form in parts.forms for component in form.components]
    for component in [*parts.components, *components_of_forms]:
        statements |= {f"{spec}-{slug}" for spec, slug in component.cites.items()}
        for part in component.parts:
            statements |= {f"{spec}-{slug}" for spec, (slug, _) in part.refused.items()}
            statements |= {
                f"{spec}-{slug}" for spec in SPECS if (slug := cited_statement(component, part, spec))
            }
    assert statements != set()
    return statements


def test_every_cited_statement_exists(corpus):
    assert sorted(cited_statements() - corpus.requirements.keys()) == []


def test_every_cited_statement_can_be_tested(corpus):
    testable = {name for name, requirement in corpus.requirements.items() if requirement.testable != "no"}
    assert sorted(cited_statements() - testable) == []


def repeated(words):
    """Return the words that occur more than once."""
    return [word for word, count in Counter(words).items() if count > 1]


def test_the_names_of_the_parts_of_a_component_differ():
    components = read_parts().components
    assert components
    for component in components:
        assert component.parts != ()
        assert repeated(part.name for part in component.parts) == [], component.name


@pytest.mark.parametrize("spec", SPECS)
def test_the_texts_of_the_parts_that_an_rfc_allows_or_refuses_differ(spec):
    """A text that the RFCs of URLs refuse can be a part of RFC 3987 with another name."""
    for component in read_parts().components:
        parts = [
            part
            for part in component.parts
            if spec in part.refused or cited_statement(component, part, spec) is not None
        ]
        assert repeated(part.text for part in parts) == [], component.name
