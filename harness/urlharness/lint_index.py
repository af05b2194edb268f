"""Checks of paragraphs.json, the digests of the paragraphs of each RFC: complete, and as the RFCs are."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from urlharness.corpus import SPECS, IndexedSection
from urlharness.documents import Finding, canonical
from urlharness.rfctext import Citations

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


def read_index(root: Path, findings: list[Finding]) -> Index | None:
    """The paragraph index; None, and a finding, where there is none that can be read."""
    try:
        octets = (root / FILE).read_bytes()
        msgspec.json.decode(octets, type=dict[str, dict[str, IndexedSection]])
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        said = error.strerror if isinstance(error, OSError) else error
        findings.append(Finding(FILE, "", f"no paragraph index: {said}"))
        return None
    index: Index = json.loads(octets)
    if octets != canonical(index).encode():
        findings.append(Finding(FILE, "", "not in canonical form (urlconform vectors fmt)"))
    return index


def lint_index(index: Index, texts: Mapping[str, Citations]) -> Iterator[Finding]:
    """Whether the index is that of the RFCs: by the texts at hand, else by the digest of each RFC's part."""
    for name in sorted(index.keys() - set(SPECS)):
        yield Finding(FILE, name, "no RFC of this corpus")
    printed = paragraph_index(texts)
    for spec in SPECS:
        found = index.get(spec)
        if not found:
            yield Finding(FILE, spec, "the paragraphs of this RFC are missing")
        elif spec in printed:
            for section in dict.fromkeys((*printed[spec], *found)):
                if found.get(section) != printed[spec].get(section):
                    yield Finding(FILE, f"{spec} {section}", "does not say what the RFC text says")
        elif part_digest(found) != PRINTED[spec]:
            message = f"it has digest {part_digest(found)}, the index of the RFC text has {PRINTED[spec]}"
            yield Finding(FILE, spec, message)


def part_digest(sections: Mapping[str, Mapping[str, Any]]) -> str:
    """The digest of the index of one RFC: first 12 hex digits of SHA-256 over it as JSON."""
    return hashlib.sha256(json.dumps(sections).encode()).hexdigest()[:12]


def digests(index: Index, spec: str, section: str) -> Sequence[str] | None:
    """The digests of the paragraphs of a section in the index; None where it has no such section."""
    found: Sequence[str] | None = index.get(spec, {}).get(section, {}).get("digests")
    return found
