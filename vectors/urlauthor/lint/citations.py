"""Checks of paragraphs.json and rulings.json, and of the citations of both."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import msgspec

from urlauthor.documents import LintError, read_table
from urlharness.corpus.loader import short_digest
from urlharness.corpus.model import IndexedSection, Requirement
from urlharness.corpus.rfctext import Citations, paragraph_digest
from urlharness.corpus.specifications import SPECS, facts

INDEX_FILE = "paragraphs.json"
RULINGS_FILE = "rulings.json"

#: Maps each specification to its sections, with their headings and the digests of their paragraphs.
Index = Mapping[str, Mapping[str, IndexedSection]]

_Id = Annotated[str, msgspec.Meta(pattern=r"^(?:G|R-\d{4})-\d{2}$")]
_Reading = Annotated[str, msgspec.Meta(min_length=10, max_length=140, pattern=r"\.$")]
_Rulings = Annotated[dict[_Id, _Reading], msgspec.Meta(min_length=1)]


def read_index(root: Path, errors: list[LintError]) -> Index | None:
    """Return the paragraph index.  If it cannot be read, add an error to `errors` and return None."""
    kind = dict[str, dict[str, IndexedSection]]
    return read_table(root / INDEX_FILE, kind, "no paragraph index", errors)


def read_rulings(root: Path, errors: list[LintError]) -> dict[str, str] | None:
    """Map each ruling to its reading.  If the table cannot be read, add an error and return None."""
    failure = "no table of rulings, so no citation of a ruling was checked"
    return read_table(root / RULINGS_FILE, _Rulings, failure, errors)


def paragraph_index(texts: Mapping[str, Citations]) -> Index:
    """Return the paragraph index of the given RFC texts."""
    index = {}
    for spec, citations in texts.items():
        index[spec] = {
            section: IndexedSection(title, tuple(citations.digests(section)))
            for section, title in citations.titles.items()
        }
    return index


def corpus_specs(root: Path, index: Index | None) -> list[str]:
    """Return the specifications of a corpus: those with vectors, with a catalogue or in the index.

    A corpus without any of these should contain every specification.
    """
    present = {path.parent.name for path in root.glob("rfc*/*.json")}
    present.update(path.stem for path in (root / "requirements").glob("*.json"))
    present.update(index or ())
    return [spec for spec in SPECS if spec in present] or list(SPECS)


def lint_index(
    index: Index, texts: Mapping[str, Citations], specs: Iterable[str] = SPECS
) -> Iterator[LintError]:
    """Check the index of each RFC against the RFC text or, without a text, against its known digest."""
    for name in sorted(index.keys() - set(SPECS)):
        yield LintError(INDEX_FILE, name, "this RFC is not part of the corpus")
    printed = paragraph_index(texts)
    for spec in specs:
        sections = index.get(spec)
        if not sections:
            yield LintError(INDEX_FILE, spec, "the paragraphs of this RFC are missing")
        elif spec in printed:
            message = "title or paragraph digests differ from the RFC text"
            for section in dict.fromkeys((*printed[spec], *sections)):
                if sections.get(section) != printed[spec].get(section):
                    yield LintError(INDEX_FILE, f"{spec} {section}", message)
        else:
            for message in _lint_digest(index_digest(sections), facts(spec).printed):
                yield LintError(INDEX_FILE, spec, message)


def _lint_digest(digest: str, printed: str) -> Iterator[str]:
    """Yield a message if the digest of an index is not that of the RFC text, or if that is not known."""
    if not printed:
        yield f"the index has digest {digest}, but the table of specifications has none for this RFC"
    elif digest != printed:
        yield f"the index has digest {digest}, but the RFC text gives {printed}"


def index_digest(sections: Mapping[str, IndexedSection]) -> str:
    """Return the digest of the index of one RFC."""
    return short_digest(json.dumps(msgspec.to_builtins(sections)))


def unknown_rulings(cited: Iterable[str | None], rulings: Collection[str] | None) -> Iterator[str]:
    """Yield a message for each cited ruling that does not exist, or nothing if `rulings` is None."""
    for ruling in cited:
        if rulings is not None and ruling is not None and ruling not in rulings:
            yield f"there is no ruling {ruling}"


def lint_citation(
    spec: str, requirement: Requirement, citations: Citations | None, index: Index | None
) -> Iterator[str]:
    """Check the cited paragraphs and their digest against the RFC text or, without a text, the index."""
    if citations is None and (index is None or not index.get(spec)):
        return  # the missing index is reported elsewhere
    section = requirement.section
    paragraph = requirement.paragraph
    numbers = (paragraph,) if isinstance(paragraph, int) else paragraph
    named = paragraph if isinstance(paragraph, int) else list(paragraph)
    digests = _digests_of_section(spec, section, citations, index)
    if digests is None or not all(number <= len(digests) for number in numbers):
        yield f"no paragraph {named} in section {section}"
        return
    if numbers == (0,):
        actual = paragraph_digest("")  # 0 cites the section as a whole, with the digest of an empty text
    elif citations is not None:
        actual = citations.digest(section, numbers)
    elif len(numbers) == 1:
        actual = digests[numbers[0] - 1]
    else:
        return  # the index has no digest for several paragraphs together
    if actual != requirement.digest:
        yield f"section {section} paragraph {named} has digest {actual}, but `digest` is {requirement.digest}"


def _digests_of_section(
    spec: str, section: str, citations: Citations | None, index: Index | None
) -> Sequence[str] | None:
    """Return the digests of the paragraphs of a section, by the RFC text or, without a text, by the index.

    Return None if there is no such section.
    """
    if citations is not None:
        return citations.digests(section) if section in citations.titles else None
    if index is None or section not in index[spec]:
        return None
    return index[spec][section].digests
