"""The section that a refusal cites is that of the vector's statement, or differs for a listed reason."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from urlharness.corpus.model import Case, Corpus
from urloracle import InvalidURL, validate
from urloracle.rfcs import SPECIFICATIONS

#: Groups of sections that differ, each with the reason. `sections` has by RFC the sections of statements, and
#: for some reasons by section of the statement those that a refusal may cite.
EXCUSED: list[dict[str, Any]] = json.loads(
    Path(__file__).with_name("excused_sections.json").read_text(encoding="utf-8")
)


class Citation(NamedTuple):
    """The section of a statement, and that of the refusal of one of its texts."""

    spec: str
    stated: str
    cited: str


def refused_cases(corpus: Corpus) -> Iterator[tuple[Case, InvalidURL]]:
    """Yield the vectors of `validate` whose text is invalid, with the refusal of the reference."""
    for case in corpus.cases:
        vector = case.vector
        if vector.op != "validate" or vector.expect.valid is not False or not isinstance(vector.url, str):
            continue
        refusal = SPECIFICATIONS[case.spec].problem(vector.url, vector.rule, vector.profile)
        assert refusal is not None, vector.id
        yield case, refusal


def excused_by(group: Mapping[str, Any], citation: Citation) -> bool:
    """Return True if a group of the list excuses that the two sections differ."""
    sections = group["sections"].get(citation.spec, ())
    if citation.stated not in sections:
        return False
    return not isinstance(sections, dict) or citation.cited in sections[citation.stated]


@pytest.fixture(scope="module")
def differing_citations(corpus: Corpus) -> dict[Citation, str]:
    """The sections of statements and refusals that differ, each with the id of a vector."""
    ids: dict[Citation, str] = {}
    for case, refusal in refused_cases(corpus):
        if refusal.section != case.section:
            ids.setdefault(Citation(case.spec, case.section, refusal.section), case.vector.id)
    return ids


def test_a_refusal_cites_the_section_of_the_statement_or_is_excused(differing_citations: dict[Citation, str]):
    """Otherwise the oracle is wrong, or the sections need a reason in `excused_sections.json`."""
    assert differing_citations != {}
    not_excused = {
        vector_id: citation
        for citation, vector_id in differing_citations.items()
        if not any(excused_by(group, citation) for group in EXCUSED)
    }
    assert not_excused == {}


class Excuse(NamedTuple):
    """A section of statements, and the section that refusals cite, or None for any section."""

    spec: str
    stated: str
    cited: str | None


def excuses() -> Iterator[Excuse]:
    """Yield every excuse of the list."""
    for group in EXCUSED:
        for spec, sections in group["sections"].items():
            for stated in sections:
                cited_sections = sections[stated] if isinstance(sections, dict) else [None]
                yield from (Excuse(spec, stated, cited) for cited in cited_sections)


def test_each_excuse_is_needed(differing_citations: dict[Citation, str]):
    needed = {Excuse(*citation) for citation in differing_citations}
    needed |= {Excuse(citation.spec, citation.stated, None) for citation in differing_citations}
    assert [excuse for excuse in excuses() if excuse not in needed] == []


def test_a_section_that_is_excused_as_prose_defines_no_rule():
    (prose,) = [group["sections"] for group in EXCUSED if "defines no rule" in group["reason"]]
    for spec, sections in prose.items():
        grammar = SPECIFICATIONS[spec].grammar
        defining = {grammar.section(name) for name in grammar if name.lower() not in grammar.core}
        assert defining.isdisjoint(sections), spec


def test_no_refusal_cites_the_section_of_letters_and_digits(corpus: Corpus):
    """RFC 3986, section 1.3, and RFC 2396, section 1.6: their rules only name terminals for the others."""
    wrong = []
    for case, refusal in refused_cases(corpus):
        grammar = SPECIFICATIONS[case.spec].grammar
        core_sections = {grammar.section(name) for name in grammar.core}
        defining = {grammar.section(name) for name in grammar if name.lower() not in grammar.core}
        is_core = refusal.section in core_sections - defining
        if is_core and refusal.rule.lower() not in grammar.core:  # such a rule can be asked for itself
            wrong.append(case.vector.id)
    assert wrong == []


class CitedText(NamedTuple):
    """A text that a rule refuses, and the section that the refusal cites."""

    spec: str
    rule: str
    text: str
    section: str


CITED = [
    CitedText("rfc3986", "URI", "http://example.com/path%2", section="2.1"),
    CitedText("rfc3986", "URI-reference", "http://%4", section="2.1"),
    CitedText("rfc3986", "URI", "http://h/?%2x", section="2.1"),
    CitedText("rfc3986", "URI", "1a:b", section="3.1"),
    CitedText("rfc3986", "scheme", "a_", section="3.1"),
    CitedText("rfc3986", "port", "8x", section="3.2.3"),
    CitedText("rfc2396", "absoluteURI", ":b", section="3.1"),
    CitedText("rfc2396", "URI-reference", "http://h/a%2x", section="2.4.1"),
    CitedText("rfc2396", "URI-reference", "http://h/a?%2x", section="2.4.1"),
    CitedText("rfc2396", "URI-reference", "http://h%2x/", section="2.4.1"),
    CitedText("rfc2396", "port", "8x", section="3.2.2"),
    CitedText("rfc2732", "host", "[::1", section="3"),
    CitedText("rfc1738", "httpurl", "http://h:x/", section="3.1"),
    CitedText("rfc1738", "httpurl", "http://h/%2x", section="2.2"),
    CitedText("rfc1738", "url", "1_:b", section="2.1"),
    CitedText("rfc1808", "URL", "a%2x", section="2.2"),
]


@pytest.mark.parametrize("row", CITED, ids=lambda row: f"{row.spec}-{row.text}")
def test_a_refusal_cites_the_section_of_the_rule_that_the_text_breaks(row: CitedText):
    with pytest.raises(InvalidURL) as caught:
        validate(row.text, row.spec, row.rule)
    assert caught.value.section == row.section
