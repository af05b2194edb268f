"""Read the paragraphs of an RFC text by section and number, to check citations and to quote the paragraphs.

The RFC texts are not part of the package. The environment variable URLCONFORM_RFC_DIR names their folder.

Blank lines separate paragraphs, and numbers restart at 1 after each heading of any level. Page headers and
footers count as blank lines. Therefore a page break ends a paragraph.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from urlharness.corpus.loader import short_digest
from urlharness.corpus.model import Requirement
from urlharness.corpus.specifications import SPECS

#: The environment variable that names the folder of the RFC texts. Their file names are like `rfc3986.txt`.
FOLDER = "URLCONFORM_RFC_DIR"

_FOOTER = re.compile(r"^\S.*\[Page \d+\]\s*$")
_RUNNING_HEAD = re.compile(r"^RFC \d+\s.*\b(?:19|20)\d\d\s*$")
_NUMBERED = re.compile(r"^(?P<section>\d+(?:\.\d+)*)\.?\s+(?P<title>\S.*)")
_LETTERED = re.compile(r"^(?:Appendix )?(?P<section>[A-Z](?:\.\d+)*)\.\s+(?P<title>\S.*)")
_UNNUMBERED = (
    (re.compile(r"^APPENDIX\b"), "appendix"),
    (re.compile(r"^References\b"), "references"),
    (re.compile(r"^(?:Editors'|Authors'|Author's) Address"), "addresses"),
    (re.compile(r"^Index$"), "index"),
)


class Paragraph(NamedTuple):
    """A paragraph of an RFC: its section, its number in the section, and its text."""

    section: str
    number: int
    text: str

    @property
    def digest(self) -> str:
        """The digest of the paragraph."""
        return paragraph_digest(self.text)


def paragraph_digest(text: str) -> str:
    """Return the digest of a text with each run of white space replaced by one space, and stripped."""
    return short_digest(" ".join(text.split()))


class Citations:
    """The paragraphs of one RFC, by section and number.

    `titles` maps each section to its heading, in order of appearance.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        """Read the lines of a text. In the RFCs, no number of a section comes twice."""
        self.titles: dict[str, str] = {"front": "Front matter"}
        self._by_place: dict[tuple[str, int], Paragraph] = {}
        section = "front"
        number = 0
        for block in _blocks(lines):
            heading = _heading(block)
            if heading is not None:
                section, title = heading
                number = 0
                self.titles[section] = title
            else:
                number += 1
                self._by_place[section, number] = Paragraph(section, number, "\n".join(block))

    def text(self, section: str, numbers: int | Iterable[int]) -> str:
        """Return the texts of the cited paragraphs, joined by a space.

        Raise KeyError if one does not exist.
        """
        return " ".join(self.paragraphs(section, numbers))

    def paragraphs(self, section: str, numbers: int | Iterable[int]) -> list[str]:
        """Return the texts of the cited paragraphs. Raise KeyError if one does not exist."""
        cited = (numbers,) if isinstance(numbers, int) else numbers
        return [self._by_place[section, number].text for number in cited]

    def digest(self, section: str, numbers: int | Iterable[int]) -> str:
        """Return one digest of all cited paragraphs. Raise KeyError if one does not exist."""
        return paragraph_digest(self.text(section, numbers))

    def __iter__(self) -> Iterator[Paragraph]:
        return iter(self._by_place.values())

    def digests(self, section: str) -> list[str]:
        """Return the digests of the paragraphs of a section, in order."""
        return [paragraph.digest for paragraph in self if paragraph.section == section]

    def __len__(self) -> int:
        return len(self._by_place)


def read_texts(directory: Path, specs: Iterable[str]) -> Mapping[str, Citations]:
    """Return the paragraphs of the RFCs by specification.

    Skip a specification if `directory` has no file `<spec>.txt`.
    """
    texts = {}
    for spec in specs:
        path = directory / f"{spec}.txt"
        if path.is_file():
            lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
            texts[spec] = Citations(lines)
    return texts


def read_configured_texts() -> Mapping[str, Citations]:
    """Return the paragraphs of the RFCs in the folder that the variable URLCONFORM_RFC_DIR names.

    Return an empty mapping if the variable is not set.
    """
    folder = os.environ.get(FOLDER)
    return read_texts(Path(folder), SPECS) if folder else {}


def cited_paragraphs(text: Citations, requirement: Requirement) -> list[str]:
    """Return the paragraphs that a requirement cites.

    Return an empty list if a paragraph does not exist, or if the digest in the requirement is different.
    """
    try:
        paragraphs = text.paragraphs(requirement.section, requirement.paragraph)
    except KeyError:
        return []
    return paragraphs if paragraph_digest(" ".join(paragraphs)) == requirement.digest else []


def _blocks(lines: Iterable[str]) -> Iterable[list[str]]:
    """Yield the runs of lines that are not blank, without trailing white space."""
    block: list[str] = []
    for raw in lines:
        line = raw.replace("\f", "").rstrip()
        if _FOOTER.match(line) or _RUNNING_HEAD.match(line):
            line = ""
        if line:
            block.append(line)
        elif block:
            yield block
            block = []
    if block:
        yield block


def _heading(block: list[str]) -> tuple[str, str] | None:
    """Return (section, title) if the block is a heading: one line at the left margin.

    Otherwise return None.
    """
    if len(block) != 1:
        return None
    line = block[0]
    for pattern in (_NUMBERED, _LETTERED):
        match = pattern.match(line)
        if match:
            return match["section"], match["title"]
    for pattern, name in _UNNUMBERED:
        if pattern.match(line):
            return name, line
    return None
