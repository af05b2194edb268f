"""The table of parts: named once, with statements that exist."""

from __future__ import annotations

from urlauthor.cover.parts import cited, read_parts
from urlharness.corpus.loader import load
from urlharness.corpus.model import corpus_dir
from urlharness.corpus.specifications import SPECS


def test_every_cited_statement_exists():
    requirements = load(corpus_dir()).requirements
    parts = read_parts()
    groups = [*parts.components, *(component for form in parts.forms for component in form.components)]
    named = {f"{spec}-{slug}" for group in groups for spec, slug in group.cites.items()}
    for level_group in groups:
        for part in level_group.parts:
            named |= {f"{spec}-{slug}" for spec, (slug, _) in part.refused.items()}
            named |= {f"{spec}-{slug}" for spec in SPECS if (slug := cited(level_group, part, spec))}
    named |= {f"{spec}-{slug}" for difference in parts.differences for spec, slug in difference.cites.items()}
    named |= {f"rfc1738-{form.decodes}" for form in parts.forms}
    assert [
        name for name in sorted(named) if name not in requirements or requirements[name].testable == "no"
    ] == []


def test_no_name_and_no_text_occurs_twice():
    for component in read_parts().components:
        names = [part.name for part in component.parts]
        texts = [part.text for part in component.parts]
        assert len(names) == len({*names}), component.name
        assert len(texts) == len({*texts}), component.name
