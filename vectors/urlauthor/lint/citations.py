"""Paragraph index and rulings."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import msgspec

from urlauthor.documents import LintError
from urlauthor.rfctext import Citations
from urlharness.corpus.export import canonical
from urlharness.corpus.model import SPECS, IndexedSection

# -------------------- lint_index: Checks of paragraphs.json, the digests of the paragraphs of each RFC: complete, and as the RFCs are.


FILE = "paragraphs.json"


#: For each specification and section its heading and the digests of its paragraphs.
Index = Mapping[str, Mapping[str, Mapping[str, Any]]]


#: The digest of the index of each RFC.  An RFC is never changed, and so neither is its index.
PRINTED: Mapping[str, str] = {
    "rfc1738": "e8e990c7e0db",
    "rfc1808": "5389ffeb7a1c",
    "rfc2396": "7cf047a9a859",
    "rfc2732": "3939c1e12055",
    "rfc3986": "7d30fe574666",
}


def paragraph_index(texts: Mapping[str, Citations]) -> Index:
    """For each specification and section its heading and the digests of its paragraphs, in order."""
    return {
        spec: {
            section: {"title": title, "digests": citations.digests(section)}
            for section, title in citations.titles.items()
        }
        for spec, citations in texts.items()
    }


def read_index(root: Path, findings: list[LintError]) -> Index | None:
    """The paragraph index; None, and a finding, where there is none that can be read."""
    try:
        octets = (root / FILE).read_bytes()
        msgspec.json.decode(octets, type=dict[str, dict[str, IndexedSection]])
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        said = error.strerror if isinstance(error, OSError) else error
        findings.append(LintError(FILE, "", f"no paragraph index: {said}"))
        return None
    index: Index = json.loads(octets)
    if octets != canonical(index).encode():
        findings.append(LintError(FILE, "", "not in canonical form (urlconform vectors fmt)"))
    return index


def lint_index(index: Index, texts: Mapping[str, Citations]) -> Iterator[LintError]:
    """Whether the index is that of the RFCs: by the texts at hand, else by the digest of each RFC's part."""
    for name in sorted(index.keys() - set(SPECS)):
        yield LintError(FILE, name, "no RFC of this corpus")
    printed = paragraph_index(texts)
    for spec in SPECS:
        found = index.get(spec)
        if not found:
            yield LintError(FILE, spec, "the paragraphs of this RFC are missing")
        elif spec in printed:
            for section in dict.fromkeys((*printed[spec], *found)):
                if found.get(section) != printed[spec].get(section):
                    yield LintError(FILE, f"{spec} {section}", "does not say what the RFC text says")
        elif part_digest(found) != PRINTED[spec]:
            message = f"it has digest {part_digest(found)}, the index of the RFC text has {PRINTED[spec]}"
            yield LintError(FILE, spec, message)


def part_digest(sections: Mapping[str, Mapping[str, Any]]) -> str:
    """The digest of the index of one RFC: first 12 hex digits of SHA-256 over it as JSON."""
    return hashlib.sha256(json.dumps(sections).encode()).hexdigest()[:12]


def digests(index: Index, spec: str, section: str) -> Sequence[str] | None:
    """The digests of the paragraphs of a section in the index; None where it has no such section."""
    found: Sequence[str] | None = index.get(spec, {}).get(section, {}).get("digests")
    return found


# -------------------- lint_rulings: Checks of rulings.json, one line for each ruling, and of what cites rulings: none is made up.


LINT_RULINGS_FILE = "rulings.json"


_Id = Annotated[str, msgspec.Meta(pattern=r"^(?:G|R-\d{4})-\d{2}$")]


_Reading = Annotated[str, msgspec.Meta(min_length=10, max_length=140, pattern=r"\.$")]


_Table = Annotated[dict[_Id, _Reading], msgspec.Meta(min_length=1)]


def read_rulings(root: Path, findings: list[LintError]) -> dict[str, str] | None:
    """The reading of each ruling by its id; None, and a finding, where there is no table that can be read."""
    try:
        octets = (root / LINT_RULINGS_FILE).read_bytes()
        msgspec.json.decode(octets, type=_Table)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        said = error.strerror if isinstance(error, OSError) else error
        findings.append(
            LintError(
                LINT_RULINGS_FILE, "", f"no table of rulings, so none that is cited was looked up: {said}"
            )
        )
        return None
    table: dict[str, str] = json.loads(octets)
    if octets != canonical(table).encode():
        findings.append(LintError(LINT_RULINGS_FILE, "", "not in canonical form (urlconform vectors fmt)"))
    return table


def made_up(cited: Sequence[str | None], rulings: Collection[str] | None) -> Iterator[str]:
    """A clause for each ruling that is cited and not there; nothing where there is no table of them."""
    for ruling in cited:
        if rulings is not None and ruling is not None and ruling not in rulings:
            yield f"there is no ruling {ruling}"
