"""The paragraphs of an RFC text, addressed by section and number, so that a citation can be checked.

A paragraph is a block of lines between blank lines, counted from 1 below the nearest heading of any
level.  Page headers, footers and form feeds leave a blank line, so a page break ends a paragraph.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

_FOOTER = re.compile(r"^\S.*\[Page \d+\]\s*$")
_RUNNING_HEAD = re.compile(r"^RFC \d+\s.*\b(?:19|20)\d\d\s*$")
_NUMBERED = re.compile(r"^(?P<section>\d+(?:\.\d+)*)\.?\s+\S")
_LETTERED = re.compile(r"^(?P<section>[A-Z](?:\.\d+)*)\.\s+\S|^Appendix (?P<appendix>[A-Z])\.\s+\S")
_UNNUMBERED = (
    (re.compile(r"^APPENDIX\b"), "appendix"),
    (re.compile(r"^References\b"), "references"),
    (re.compile(r"^(?:Editors'|Authors'|Author's) Address"), "addresses"),
    (re.compile(r"^Index$"), "index"),
)


class Paragraph(NamedTuple):
    """One block of lines of an RFC: where it stands and what it says."""

    section: str
    number: int
    text: str

    @property
    def digest(self) -> str:
        """First 12 hex digits of SHA-256 over the text with white space folded."""
        return digest(self.text)


def digest(text: str) -> str:
    """First 12 hex digits of SHA-256 over `text`, white space folded to single blanks and stripped."""
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:12]


def paragraphs(lines: Iterable[str]) -> list[Paragraph]:
    """All paragraphs of an RFC text in order of appearance."""
    found: list[Paragraph] = []
    section, number = "front", 0
    for block in _blocks(lines):
        heading = _heading(block)
        if heading is not None:
            section, number = heading, 0
        else:
            number += 1
            found.append(Paragraph(section, number, "\n".join(block)))
    return found


class Citations:
    """The paragraphs of one RFC, looked up by section and number."""

    def __init__(self, found: Iterable[Paragraph]) -> None:
        self._by_place = {(p.section, p.number): p for p in found}

    def text(self, section: str, numbers: int | Iterable[int]) -> str:
        """The cited paragraphs joined by a blank; raises KeyError for a place that is not there."""
        wanted = (numbers,) if isinstance(numbers, int) else tuple(numbers)
        return " ".join(self._by_place[section, number].text for number in wanted)

    def digest(self, section: str, numbers: int | Iterable[int]) -> str:
        """Digest of the cited paragraphs; raises KeyError for a place that is not there."""
        return digest(self.text(section, numbers))

    def digests(self) -> dict[str, list[str]]:
        """For each section the digests of its paragraphs, in order."""
        found: dict[str, list[str]] = {}
        for section, number in sorted(self._by_place):
            found.setdefault(section, []).append(self._by_place[section, number].digest)
        return found

    def __len__(self) -> int:
        return len(self._by_place)


def read(directory: Path, specs: Iterable[str]) -> Mapping[str, Citations]:
    """Citations of each specification whose text is in `directory` as `<spec>.txt`."""
    texts = {}
    for spec in specs:
        path = directory / f"{spec}.txt"
        if path.is_file():
            lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
            texts[spec] = Citations(paragraphs(lines))
    return texts


def _blocks(lines: Iterable[str]) -> Iterable[list[str]]:
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


def _heading(block: list[str]) -> str | None:
    if len(block) != 1:
        return None
    line = block[0]
    numbered = _NUMBERED.match(line)
    if numbered:
        return numbered["section"]
    lettered = _LETTERED.match(line)
    if lettered:
        return lettered["section"] or lettered["appendix"]
    for pattern, name in _UNNUMBERED:
        if pattern.match(line):
            return name
    return None
