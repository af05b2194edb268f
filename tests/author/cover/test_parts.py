"""The table of parts: named once, with statements that exist."""

from __future__ import annotations

from urlauthor.cover.parts import cited, read_parts
from urlharness.corpus.loader import load
from urlharness.corpus.model import corpus_dir
from urlharness.corpus.specifications import SPECS


def test_every_statement_exists():
    known = load(corpus_dir()).requirements
    parts = read_parts()
    groups = [*parts.components, *(one for form in parts.forms for one in form.components)]
    named = {f"{spec}-{slug}" for one in groups for spec, slug in one.cites.items()}
    for one in groups:
        for part in one.parts:
            named |= {f"{spec}-{slug}" for spec, (slug, _) in part.refused.items()}
            named |= {f"{spec}-{slug}" for spec in SPECS if (slug := cited(one, part, spec))}
    named |= {f"{spec}-{slug}" for one in parts.differences for spec, slug in one.cites.items()}
    named |= {f"rfc1738-{form.decodes}" for form in parts.forms}
    assert [name for name in sorted(named) if name not in known or known[name].testable == "no"] == []


def test_no_name_and_no_text_twice():
    for one in read_parts().components:
        names, texts = [part.name for part in one.parts], [part.text for part in one.parts]
        assert (len(names), len(texts)) == (len({*names}), len({*texts})), one.name
